/* Requests that must not be carried out twice. */
#pragma once

#include "character/link.h"

enum { REQUEST_REMOVE, REQUEST_KINDS = 4 };

struct request_kind {
    const char *op;
    bool takes_file;    /* there must be one */
    bool of_directory;  /* the name is one of a directory */
    nfsstat3 when_done; /* the status of a second one that is carried out */
    void (*arguments)(const struct lab *lab, const char *name, const char *new_name,
                      union nfs_arguments *arguments);
};

extern const struct request_kind request_kinds[REQUEST_KINDS];

/* Make what a request of KIND needs, and its MESSAGE, to be released by free(message->bytes).
 * Returns 0, or a negative errno with ERROR set. */
int request_make(struct lab *lab, const struct request_kind *kind, struct channel_message *message,
                 struct error *error);

/* A name that no file has. */
#define REQUEST_NOWHERE "filler-0"

/* An xid that no other request has. */
uint32_t request_xid(void);
