/* What listings of directories show beside their entries: names that come more than once (which
 * only an untimed listing looks at), a cookie verifier that changes between pages, and why a
 * listing came to no end. A page is the entries of one reply. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NFS_FINDINGS_TEXT = 480, NFS_FINDINGS_NAMES = 600 };

/* The names of one directory, as they came. */
struct nfs_names {
    char *text; /* all names, one after the other */
    size_t text_length, text_room;
    struct nfs_name {
        size_t at; /* where it begins in TEXT */
        uint32_t length;
    } * names;
    size_t count, room;
};

/* Of all directories of an op. */
struct nfs_listing_findings {
    uint64_t entries;               /* names that were compared */
    uint64_t repeated;              /* of these, how many had come before, in the same directory */
    char names[NFS_FINDINGS_NAMES]; /* those that had: "'a', 'b'", as many as fit */
    uint64_t named;                 /* how many NAMES has */
    uint64_t verifier_page; /* the first page whose cookie verifier differs from that of the page
                             * before it, from 2 on; 0: there is none */
    bool directory_changed; /* by then the directory's time of last change was another one */
    char failure[NFS_FINDINGS_TEXT]; /* why a listing came to no end; empty: all did */
};

/* Keep NAME of LENGTH bytes, unless too many are kept already or there is no memory. */
void nfs_names_add(struct nfs_names *names, const uint8_t *name, uint32_t length);

/* Add to FINDINGS what comes more than once in NAMES, which are then empty. */
void nfs_names_compare(struct nfs_names *names, struct nfs_listing_findings *findings);

/* Forget all; and release the memory. */
void nfs_names_clear(struct nfs_names *names);
void nfs_names_free(struct nfs_names *names);

/* Is there anything to say of FINDINGS, about listings of PATH by PROCEDURE? Then it is in TEXT of
 * SIZE bytes. */
bool nfs_listing_findings_describe(const struct nfs_listing_findings *findings,
                                   const char *procedure, const char *path, char *text,
                                   size_t size);
