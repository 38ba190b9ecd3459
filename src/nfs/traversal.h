/* Going through a tree of directories in find's order: a directory is listed to its end, then the
 * first directory in it, and so on. It makes no calls itself: it says which call comes next, and
 * takes the results. Up to WIDTH directories are listed at the same time; symbolic links are not
 * followed; and a directory that is its own ancestor, or has vanished, or may not be read, is
 * counted and passed over. */
#pragma once

#include "engine/channel/channel.h"
#include "nfs/listing.h"
#include "nfs/procedures/procedures.h"

struct nfs_directory {
    struct nfs_handle handle;
    uint64_t id, fsid;
    uint32_t parent; /* its index among the directories; the first one's is its own */
};

/* An object that is no directory. */
struct nfs_found {
    const char *name;
    struct nfs_item_attributes attributes;
    struct nfs_handle handle; /* length 0: not known, and not asked for */
    uint32_t directory;       /* that it is in: an index */
};

/* What an entry is told to; other than 0 ends the traversal with that status. */
typedef int nfs_traversal_visit(void *context, const struct nfs_found *found);

struct nfs_traversal_request {
    const struct nfs_handle *top;
    const char *path;                /* of TOP, for findings; it must outlive the traversal */
    const struct identity *identity; /* must outlive the traversal */
    unsigned width;                  /* 1 or more */
    uint64_t time_ns;                /* the longest that it may take; 0: the usual time */
    bool handles;                    /* each object's handle is wanted, not only a directory's */
    nfs_traversal_visit *visit;      /* NULL: none */
    void *context;
    struct nfs_listing_findings *findings; /* NULL: nobody asks for any */
    bool examined; /* the traversal is untimed: FINDINGS are of it alone, and names are compared */
};

struct nfs_traversal_counts {
    uint64_t entries;  /* objects of any type, the top not among them */
    uint64_t vanished; /* objects that were gone, or changed, when they were asked for */
    uint64_t denied;   /* likewise that may not be read */
    uint64_t loops;    /* directories that are their own ancestors */
    uint64_t calls;
};

struct traversal_slot;

struct nfs_traversal {
    struct nfs_traversal_request request;
    struct nfs_traversal_counts counts;
    struct traversal_limit limit;      /* of what it lists, and what it and its visits keep */
    struct nfs_directory *directories; /* all so far */
    size_t directory_count, directory_room;
    uint32_t *stack; /* of those that are still to be listed, the next one last */
    size_t stack_count, stack_room;
    struct traversal_slot *slots; /* as many as the width */
    bool plain;                   /* by READDIR, because the server has no READDIRPLUS */
};

/* 0 or -ENOMEM. Call nfs_traversal_close() in either case. */
int nfs_traversal_open(struct nfs_traversal *traversal,
                       const struct nfs_traversal_request *request);
void nfs_traversal_close(struct nfs_traversal *traversal);

/* Begin again, at the top. */
void nfs_traversal_begin(struct nfs_traversal *traversal);

/* The next call: its message, valid until its reply is taken, its TAG, and its procedure. NULL:
 * none before another reply has come; without a call in flight the traversal is over. */
const struct channel_message *nfs_traversal_next(struct nfs_traversal *traversal, uint32_t *tag,
                                                 const struct rpc_procedure **procedure);

/* Take the results of the call with TAG, from their status on. Returns 0; more than 0 where the
 * traversal can't go on: a status, a finding of nfs/status.h, or what a visit returned; -EBADMSG
 * for malformed ones. */
int nfs_traversal_take(struct nfs_traversal *traversal, uint32_t tag, struct wire_reader *reader);
