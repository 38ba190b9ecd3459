/* Linked lists in XDR, as RFC 1813 has them for directory entries, exports and mounts: before each
 * element TRUE, at the end FALSE. rpcgen's routines call themselves for each element, so that a
 * long list, which a server may send, overflows the stack; this goes along the list. */
#ifndef NFSBENCH_PROTO_XDR_LIST_H
#define NFSBENCH_PROTO_XDR_LIST_H

#include <rpc/rpc.h>

#include <stddef.h>

struct xdr_list {
    size_t size;                                /* of an element's struct, in bytes */
    size_t link;                                /* offset in it of the pointer to the next */
    bool_t (*element)(XDR *xdr, void *element); /* all of an element but that */
};

/* Encode, decode or free the list that *FIRST points to the first element of. Decoding allocates
 * the elements; *FIRST is NULL before. TRUE, or FALSE where it can't be done: what was decoded
 * until then can be freed. */
bool_t xdr_list(XDR *xdr, void *first, const struct xdr_list *list);

#endif
