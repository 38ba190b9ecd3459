/* Find out how many bytes the server returns for a READ of the run's size, and accepts in a WRITE
 * of that size. Both numbers may be smaller than this size (RFC 1813 sections 3.3.6 and 3.3.7). */
#pragma once

#include "nfs/objects/objects.h"

/* Try READs with the size and the offset of REQUEST, and set the read plan of OBJECTS. The READs
 * are of the first file of the file set, or of the file of OBJECTS without a file set. The plan
 * contains the data if calls are verified and all READs have the same place. If all READs return
 * the same number of bytes, less than requested, this number is planned. If the file has become
 * shorter, its new size is stored in OBJECTS. Returns 0, or a negative errno with ERROR set: as
 * nfs/client.h says; -EINVAL (ERROR_USAGE) for an offset at or past the file's end, or if READs are
 * short and the size is above rtmax; -EBADMSG if replies contradict each other or bring no data. */
int nfs_objects_plan_read(struct nfs_objects *objects, struct rpc_client *client,
                          const struct nfs_objects_request *request, struct error *error);

/* Try WRITEs of the plan's data to the scratch file, and plan how many bytes the server must accept
 * in each WRITE. After success, the file contains all the data. SIZE is the size that the user
 * wants. If the plan has less data, because SIZE exceeds the server's wtmax, no WRITE is made, and
 * the result is -E2BIG (ERROR_USAGE). Other results are those of nfs_objects_plan_read(). */
int nfs_objects_plan_write(struct nfs_objects *objects, struct rpc_client *client, uint32_t size,
                           struct error *error);

/* Set ERROR: WRITEs of SIZE bytes are longer than MAXIMUM, the server's wtmax. Returns -E2BIG. */
int nfs_refuse_write_size(uint32_t size, uint32_t maximum, struct error *error);
