/* XDR linked lists, as RFC 1813 has for directory entries, exports and mounts: TRUE before each
 * element, FALSE at the end. rpcgen's routines recurse for each element, so a long list would
 * overflow the stack. These routines iterate. */
#pragma once

#include <rpc/rpc.h>

#include <stddef.h>

struct xdr_list {
    size_t size;                                /* size of an element's struct, bytes */
    size_t link;                                /* offset of the pointer to the next element */
    bool_t (*element)(XDR *xdr, void *element); /* XDR routine of an element without its link */
};

/* Encode, decode or free the list whose first element *FIRST points to. Decoding allocates
 * elements; *FIRST must be NULL before. Returns TRUE, or FALSE on failure, after which the decoded
 * elements can be freed. */
bool_t xdr_list(XDR *xdr, void *first, const struct xdr_list *list);
