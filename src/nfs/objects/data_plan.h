/* How many bytes a server returns for a READ, and takes in a WRITE, of a run's size. It may do less
 * than it is asked for (RFC 1813 sections 3.3.6 and 3.3.7). */
#pragma once

#include "nfs/objects/objects.h"

/* READ the file of OBJECTS, or the first one of its file set, with the size and the offset of
 * REQUEST: what every READ of the run must return follows from that. If no READ returns all that it
 * asks for, the plan is to return as few bytes each time as these did, if they did all the same.
 * Returns 0, or a negative errno with ERROR set: as nfs/client.h says; -EINVAL (ERROR_USAGE) for an
 * offset past the file's end, or for more than rtmax; -EBADMSG where the replies contradict
 * themselves or bring nothing. */
int nfs_objects_plan_read(struct nfs_objects *objects, struct rpc_client *client,
                          const struct nfs_objects_request *request, struct error *error);

/* The same for WRITEs of SIZE bytes, the data of OBJECTS' plan, to the scratch file, which then has
 * all of them. -E2BIG (ERROR_USAGE) for more than wtmax, to which the data were cut. */
int nfs_objects_plan_write(struct nfs_objects *objects, struct rpc_client *client, uint32_t size,
                           struct error *error);

/* Set ERROR: WRITEs of SIZE bytes are longer than MAXIMUM, the server's wtmax. Returns -E2BIG. */
int nfs_refuse_write_size(uint32_t size, uint32_t maximum, struct error *error);
