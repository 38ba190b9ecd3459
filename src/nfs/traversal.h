/* Traversal of a tree of directories in the order in which find reads them: a directory is listed
 * to its end, then its first subdirectory, and so on. The functions make no calls:
 * nfs_traversal_next() returns the next call, and nfs_traversal_read_reply() takes its results. Up
 * to WIDTH directories are listed at the same time. Symbolic links are not followed. A directory
 * below the top that is its own ancestor, has vanished, or may not be read is counted and skipped.
 * If the top can't be read, the traversal ends. */
#pragma once

#include "engine/channel/channel.h"
#include "nfs/listing.h"
#include "nfs/procedures/procedures.h"

struct nfs_directory {
    struct nfs_handle handle;
    uint64_t id, fsid;
    uint32_t parent; /* index of the parent in the traversal's `directories`; the top's is 0 */
};

/* An object in a directory. */
struct nfs_found {
    const char *name;
    struct nfs_item_attributes attributes;
    struct nfs_handle handle; /* length 0: unknown, because it was not requested */
    /* index in the traversal's `directories` of the directory that contains the object */
    uint32_t directory;
};

/* Function that is called for each object FOUND that is not a directory. A return value other than
 * 0 ends the traversal with this value as its status. */
typedef int nfs_traversal_visit(void *context, const struct nfs_found *found);

struct nfs_traversal_request {
    const struct nfs_handle *top;    /* directory to begin with; must outlive the traversal */
    const char *path;                /* path of TOP, for findings; must outlive the traversal */
    const struct identity *identity; /* credential of the calls; must outlive the traversal */
    unsigned width;                  /* number of directories listed at the same time, 1 or more */
    uint64_t time_ns;                /* time limit; 0 stands for TRAVERSAL_TIME_NS */
    /* VISIT needs the handles of all objects; false: only directories' handles are requested */
    bool handles;
    nfs_traversal_visit *visit; /* function to call; NULL if none is to be called */
    void *context;
    struct nfs_listing_findings *findings; /* findings of the listings; NULL if none are wanted */
    /* the traversal is untimed: FINDINGS, which must not be NULL, is cleared first, and names are
     * compared */
    bool examined;
};

struct nfs_traversal_counts {
    uint64_t entries; /* number of objects found, of any type, without the top */
    /* number of objects that were removed or replaced, or whose cookies became invalid */
    uint64_t vanished;
    uint64_t denied; /* number of objects that may not be read or looked up */
    uint64_t loops;  /* number of directories that are their own ancestors */
    uint64_t calls;
};

struct traversal_slot;

struct nfs_traversal {
    struct nfs_traversal_request request;
    struct nfs_traversal_counts counts;
    struct traversal_limit limit;      /* limits of time, entries and memory */
    struct nfs_directory *directories; /* all directories found so far */
    size_t directory_count, directory_room;
    uint32_t *stack; /* indices of the directories still to be listed; the last is listed next */
    size_t stack_count, stack_room;
    struct traversal_slot *slots; /* request.width slots for directories being listed */
    bool plain;                   /* use READDIR, because the server has no READDIRPLUS */
};

/* Set up TRAVERSAL. Returns 0 or -ENOMEM. Call nfs_traversal_close() in either case. */
int nfs_traversal_open(struct nfs_traversal *traversal,
                       const struct nfs_traversal_request *request);
void nfs_traversal_close(struct nfs_traversal *traversal);

void nfs_traversal_begin(struct nfs_traversal *traversal);

/* Return the message of the next call, and set *TAG and *PROCEDURE to its tag and procedure. The
 * message is valid until its reply is taken. Returns NULL if no call can be made before another
 * reply arrives. If no call is in flight after NULL, the traversal is complete. */
const struct channel_message *nfs_traversal_next(struct nfs_traversal *traversal, uint32_t *tag,
                                                 const struct rpc_procedure **procedure);

/* Take the results of the call with TAG from READER, which is just before their status. Returns 0;
 * if the traversal can't continue, a status or a finding of nfs/status.h (above 0) or the visit
 * function's value; -EBADMSG for malformed results; or -ENOMEM. */
int nfs_traversal_read_reply(struct nfs_traversal *traversal, uint32_t tag,
                             struct wire_reader *reader);
