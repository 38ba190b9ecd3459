/* Linked lists in XDR, as in RFC 1813 for directory entries, exports and mounts: TRUE before each
 * element, FALSE at the end. rpcgen's routines recurse for each element, so that a long list from a
 * server would overflow the stack; these routines iterate. */
#pragma once

#include <rpc/rpc.h>

#include <stddef.h>

struct xdr_list {
    size_t size;                                /* of an element's struct, in bytes */
    size_t link;                                /* offset in it of the pointer to the next */
    bool_t (*element)(XDR *xdr, void *element); /* an element without its link */
};

/* Encode, decode or free the list whose first element *FIRST points to. Decoding allocates the
 * elements; *FIRST must be NULL before. TRUE, or FALSE on failure; what was decoded until then can
 * be freed. */
bool_t xdr_list(XDR *xdr, void *first, const struct xdr_list *list);
