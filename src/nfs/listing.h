/* The listing of a directory from its beginning to its end, by READDIR or READDIRPLUS, and limits
 * on listings. The functions read each reply in place, record the cookie for the next call, and
 * detect cookies that never lead to an end. Memory is constant, unless names are compared. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "nfs/listing_findings.h"
#include "nfs/procedures/items.h"
#include "nfs3.h"
#include "rpc/wire.h"

/* Limits on the reading of directories, because a faulty server may invent entries and nested
 * directories without end. Code that lists directories counts entries and memory by
 * traversal_allows(), and stops at the latest after the page at which it returns false. No expected
 * tree has so many entries, or takes so much memory or time. The time is only the default limit. */
#define TRAVERSAL_ENTRIES_MAXIMUM UINT64_C(10000000)
#define TRAVERSAL_BYTES_MAXIMUM   (UINT64_C(512) << 20) /* memory, in bytes */
#define TRAVERSAL_TIME_NS         UINT64_C(120000000000)

struct traversal_limit {
    uint64_t entries, bytes;     /* numbers of entries and of bytes of memory so far */
    uint64_t began_ns, until_ns; /* begin and end of the allowed time, by clock_raw_ns() */
    int met;                     /* bound that was exceeded: a finding of nfs/status.h; 0 if none */
};

/* Start LIMIT now. The listing may take TIME_NS; 0 stands for TRAVERSAL_TIME_NS. */
void traversal_limit_begin(struct traversal_limit *limit, uint64_t time_ns);

/* Add ENTRIES, and BYTES of memory, to LIMIT. Returns true if no bound is exceeded. After false,
 * every later call returns false. */
bool traversal_allows(struct traversal_limit *limit, uint64_t entries, uint64_t bytes);

/* Set ERROR: PROCEDURE of PATH was stopped because of FINDING, for which nfs_listing_finding() has
 * a text. Returns -EBADMSG. */
int traversal_refuse(int finding, const char *procedure, const char *path, struct error *error);

struct nfs_listing {
    bool plus;                             /* use READDIRPLUS; false: READDIR */
    uint64_t cookie;                       /* the next call continues after this cookie */
    uint8_t verifier[NFS3_COOKIEVERFSIZE]; /* cookie verifier that belongs to COOKIE */
    bool ended;
    uint64_t calls, entries; /* pages and entries (also "." and "..") that were read so far */
    bool has_modified;       /* the first page had the directory's time of last change */
    uint64_t modified;       /* that time */
    enum nfs_listing_change change; /* of the directory, from the first page to the last reply */
    struct nfs_listing_findings *findings; /* where faults are recorded; NULL: nowhere */
    /* Names of the listing so far; NULL if the listing is timed or not examined. */
    struct nfs_names *names;
    /* For Brent's search for a cycle: a cookie of an earlier call, and the number of calls after
     * which a newer cookie replaces it. */
    uint64_t remembered, renewed_at;
    struct traversal_limit *limit;
};

/* One entry of a READDIR or READDIRPLUS reply. */
struct nfs_listed {
    const uint8_t *name; /* the name in the reply; not terminated */
    uint32_t name_length;
    uint64_t file_id;
    /* attributes; only from READDIRPLUS, if the server gave them */
    struct nfs_item_attributes attributes;
    /* the handle in the reply; NULL for READDIR, or if the server gave none */
    const uint8_t *handle;
    uint32_t handle_length;
};

/* Begin LISTING: by READDIRPLUS if PLUS, else by READDIR. Several listings may share LIMIT. */
void nfs_listing_begin(struct nfs_listing *listing, bool plus, struct traversal_limit *limit);

/* Let LISTING, which has just begun, record its faults in FINDINGS. FINDINGS is NULL if no faults
 * are to be recorded; NAMES is then NULL too. For an untimed listing, NAMES is cleared and collects
 * the names of LISTING, which are searched for repeated ones when LISTING ends. For a timed listing
 * NAMES is NULL, so that only cookies and verifiers are examined. */
void nfs_listing_examine(struct nfs_listing *listing, struct nfs_names *names,
                         struct nfs_listing_findings *findings);

/* Set CHANGE by the directory's time of last change in the result in READER. If the result lacks
 * it, CHANGE becomes unknown, unless it was changed. READER is just after a status other than
 * NFS3_OK, and stays there. */
void nfs_listing_refused(struct nfs_listing *listing, const struct wire_reader *reader);

/* Write to TEXT, of SIZE bytes, why LISTING of PATH by PROCEDURE ended with STATUS, a server's
 * status or a finding. CALLS is the number of calls of all listings that share LISTING's limit. */
void nfs_listing_describe(const struct nfs_listing *listing, uint64_t calls, int status,
                          const char *procedure, const char *path, char *text, size_t size);

/* Store in LISTING's findings why LISTING ended with STATUS, unless the findings already contain a
 * failure. The text is that of nfs_listing_describe(). For a timed listing, only rejected cookies
 * and cookies that lead back are recorded. */
void nfs_listing_note_end(const struct nfs_listing *listing, uint64_t calls, int status,
                          const char *procedure, const char *path);

/* Count a page of ENTRIES entries. The call for the page continued after the cookie FROM, and the
 * cookie of the page's last entry is in LISTING. Returns 0; NFS_COOKIE_REPEATED if the next call
 * would list entries again; or the finding of nfs/status.h for an exceeded bound. For the last page
 * of a directory, the caller ignores the result. */
int nfs_listing_check_progress(struct nfs_listing *listing, uint64_t from, uint64_t entries);

/* Read the successful result in READER, which is just after its status, and call VISIT, unless
 * VISIT is NULL, for each entry. A malformed result marks READER as failed. Returns a value of
 * VISIT other than 0, after which VISIT is not called for this page; 0 after the last page; else
 * the value of nfs_listing_check_progress(). */
int nfs_listing_read_page(struct nfs_listing *listing, struct wire_reader *reader,
                          int (*visit)(void *context, const struct nfs_listed *listed),
                          void *context);
