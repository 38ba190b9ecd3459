/* The listing of one directory from its beginning to its end, by READDIR or READDIRPLUS, whose
 * replies are walked in place: where the next call continues, and whether the server's cookies lead
 * to an end. It takes constant memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "nfs/listing_findings.h"
#include "nfs/procedures/items.h"
#include "nfs3.h"
#include "rpc/wire.h"

/* How far a server's directories are read: it may make up entries, and directories in directories,
 * without end. Whatever goes through directories asks traversal_allows() after each reply and
 * before it keeps anything, and ends where that says no. */
/* More than any tree is expected to have, and to take. */
#define TRAVERSAL_ENTRIES_MAXIMUM UINT64_C(10000000)
#define TRAVERSAL_BYTES_MAXIMUM   (UINT64_C(512) << 20) /* of memory */
#define TRAVERSAL_TIME_NS         UINT64_C(120000000000)

struct traversal_limit {
    uint64_t entries, bytes;     /* so far */
    uint64_t began_ns, until_ns; /* on clock_raw_ns() */
    int met;                     /* the bound that was met: a finding of nfs/status.h; 0: none */
};

/* Begin, with TIME_NS from now on; 0: the usual time. */
void traversal_limit_begin(struct traversal_limit *limit, uint64_t time_ns);

/* May it go on, with so many ENTRIES more, and BYTES more of memory? Once it may not, it never may.
 */
bool traversal_allows(struct traversal_limit *limit, uint64_t entries, uint64_t bytes);

/* Set ERROR: PROCEDURE of PATH can't go on because of FINDING,
 * one that nfs_listing_finding() knows. Returns -EBADMSG. */
int traversal_refuse(int finding, const char *procedure, const char *path, struct error *error);

/* One directory. */
struct nfs_listing {
    bool plus;                             /* by READDIRPLUS */
    uint64_t cookie;                       /* to continue after */
    uint8_t verifier[NFS3_COOKIEVERFSIZE]; /* that belongs to it */
    bool ended;
    uint64_t calls, entries; /* so far; "." and ".." are among the entries */
    bool has_modified;       /* MODIFIED is known: */
    uint64_t modified;       /* the directory's time of last change in the first page that had it */
    bool changed;            /* a later page had another one */
    struct nfs_listing_findings *findings; /* NULL: nobody asks for any */
    struct nfs_names *names; /* so far, of an untimed listing, which is examined; else NULL */
    /* Brent's search for a cycle: the cookie of an earlier call, and after which call another one
     * takes its place. */
    uint64_t remembered, renewed_at;
    struct traversal_limit *limit;
};

/* An entry as READDIR and READDIRPLUS give it. */
struct nfs_listed {
    const uint8_t *name; /* in the reply, without an end */
    uint32_t name_length;
    uint64_t file_id;
    struct nfs_item_attributes attributes; /* by READDIRPLUS, if they were given */
    const uint8_t *handle;                 /* likewise; NULL: none */
    uint32_t handle_length;
};

/* Begin, within LIMIT, which may be that of several listings. */
void nfs_listing_begin(struct nfs_listing *listing, bool plus, struct traversal_limit *limit);

/* Add to FINDINGS (NULL: nothing) what LISTING, which has just begun, will show. NAMES, for an
 * untimed listing: keep its names there until it ends, to compare them. NULL for a timed listing,
 * which shows only what its cookies and verifiers do. */
void nfs_listing_examine(struct nfs_listing *listing, struct nfs_names *names,
                         struct nfs_listing_findings *findings);

/* Look at the result in READER, from after a status that is not success: it may have the
 * directory's attributes. */
void nfs_listing_refused(struct nfs_listing *listing, const struct wire_reader *reader);

/* Describe in TEXT of SIZE bytes why LISTING of PATH by PROCEDURE ended with STATUS: a status of
 * the server's, or a finding. CALLS were made within its limit. */
void nfs_listing_describe(const struct nfs_listing *listing, uint64_t calls, int status,
                          const char *procedure, const char *path, char *text, size_t size);

/* If LISTING, which ended with STATUS, is the first one of its findings that failed so, note why,
 * as above. Of a timed one only cookies that are not kept or lead back are noted. */
void nfs_listing_note_end(const struct nfs_listing *listing, uint64_t calls, int status,
                          const char *procedure, const char *path);

/* A reply to a call that continued after FROM has brought ENTRIES entries, and LISTING's cookie,
 * and there is more. Returns 0, or NFS_COOKIE_REPEATED where the server would be asked for what it
 * has listed already, or the bound of the limit that was met. */
int nfs_listing_goes_on(struct nfs_listing *listing, uint64_t from, uint64_t entries);

/* Walk over the successful result in READER, from after its status, and call VISIT (NULL: nothing)
 * for each entry; where that returns other than 0, it is returned. Marks READER as failed where the
 * result is malformed. Else it returns as nfs_listing_goes_on() if there is more. */
int nfs_listing_take(struct nfs_listing *listing, struct wire_reader *reader,
                     int (*visit)(void *context, const struct nfs_listed *listed), void *context);
