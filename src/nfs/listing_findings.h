/* Faults that listings of directories show: names that come more than once (examined only in
 * untimed listings), a cookie verifier that changes between pages, and a failure before the end. A
 * page is the entries of one reply. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NFS_FINDINGS_TEXT = 480, NFS_FINDINGS_NAMES = 600 };

/* The names of one directory, in the order of the replies. */
struct nfs_names {
    char *text; /* all names, without separators */
    size_t text_length, text_room;
    struct nfs_name {
        size_t at; /* offset of the name in TEXT */
        uint32_t length;
    } * names;
    size_t count, room;
};

/* Whether a directory was changed while it was listed. */
enum nfs_listing_change {
    NFS_LISTING_UNKNOWN, /* a reply lacks the directory's time of last change */
    NFS_LISTING_UNCHANGED,
    NFS_LISTING_CHANGED,
};

/* Findings about all directories of an op. */
struct nfs_listing_findings {
    uint64_t entries;               /* number of names that were compared */
    uint64_t repeated;              /* number of names that had come before in the same directory */
    char names[NFS_FINDINGS_NAMES]; /* the repeated names, "'a', 'b'", as many as fit */
    bool has_more;                  /* repeated names were left out of NAMES for lack of room */
    /* Number (from 1) of the first page with another verifier than the page before it; 0: none. */
    uint64_t verifier_page;
    enum nfs_listing_change change;  /* of the directory, from its first page to VERIFIER_PAGE */
    char failure[NFS_FINDINGS_TEXT]; /* why a listing failed before its end; empty: none noted */
};

/* Add NAME of LENGTH bytes to NAMES, unless NAMES is full or memory is short. */
void nfs_names_add(struct nfs_names *names, const uint8_t *name, uint32_t length);

/* Count NAMES in FINDINGS, add the names that occur more than once to FINDINGS, and clear NAMES. */
void nfs_names_compare(struct nfs_names *names, struct nfs_listing_findings *findings);

/* nfs_names_clear() removes all names but keeps their memory; nfs_names_free() releases it. */
void nfs_names_clear(struct nfs_names *names);
void nfs_names_free(struct nfs_names *names);

/* Describe the gravest of FINDINGS, about listings of PATH by PROCEDURE, in TEXT of SIZE bytes: a
 * failure, else repeated names, else a changed verifier. Returns false if there is none. */
bool nfs_listing_findings_describe(const struct nfs_listing_findings *findings,
                                   const char *procedure, const char *path, char *text,
                                   size_t size);
