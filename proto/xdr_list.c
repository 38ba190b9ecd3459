#include "xdr_list.h"

#include <stdlib.h>
#include <string.h>

/* Pointers to structs of several types are stored here, so they are copied as bytes. */
static void *load_pointer(const void *pointer)
{
    void *element;

    memcpy(&element, pointer, sizeof element);
    return element;
}

static void store_pointer(void *pointer, void *element)
{
    memcpy(pointer, &element, sizeof element);
}

static bool_t encode_list(XDR *xdr, const void *first, const struct xdr_list *list)
{
    bool_t yes = TRUE, no = FALSE;

    for (char *element = load_pointer(first); element; element = load_pointer(element + list->link))
        if (!xdr_bool(xdr, &yes) || !list->element(xdr, element))
            return FALSE;
    return xdr_bool(xdr, &no);
}

static bool_t decode_list(XDR *xdr, void *first, const struct xdr_list *list)
{
    for (void *at = first;;) {
        bool_t more;
        char *element;

        store_pointer(at, NULL);
        if (!xdr_bool(xdr, &more))
            return FALSE;
        if (!more)
            return TRUE;
        element = calloc(1, list->size);
        if (!element)
            return FALSE;
        /* linked before it is decoded, so that a broken element is freed, too */
        store_pointer(at, element);
        if (!list->element(xdr, element))
            return FALSE;
        at = element + list->link;
    }
}

static void free_elements(XDR *xdr, void *first, const struct xdr_list *list)
{
    for (char *element = load_pointer(first), *next; element; element = next) {
        next = load_pointer(element + list->link);
        list->element(xdr, element);
        free(element);
    }
    store_pointer(first, NULL);
}

bool_t xdr_list(XDR *xdr, void *first, const struct xdr_list *list)
{
    if (xdr->x_op == XDR_ENCODE)
        return encode_list(xdr, first, list);
    if (xdr->x_op == XDR_DECODE)
        return decode_list(xdr, first, list);
    free_elements(xdr, first, list);
    return TRUE;
}
