/* Listing a directory: READDIR and READDIRPLUS (RFC 1813 sections 3.3.16 and 3.3.17). */
#include "serve/programs/programs.h"

enum { COOKIE_DOT = 1, COOKIE_DOT_DOT = 2 };

/* A listing in progress, and the space for its entries in the result. */
struct listing {
    struct call *call;
    struct tree_node *directory;
    bool plus;         /* READDIRPLUS */
    uint64_t cookie;   /* cookie of the last entry written; at first, the cookie of the request */
    size_t room;       /* bytes left in the result */
    size_t names_room; /* READDIRPLUS: bytes left for fileids, names and cookies */
    unsigned written;
};

/* One entry of a listing. "." and ".." are entries, too. */
struct listed {
    const char *name;
    uint32_t length;
    uint64_t cookie;
    const struct tree_node *node;
};

static bool next_listed(const struct listing *listing, struct listed *listed)
{
    const struct directory_entry *entry;

    if (listing->cookie < COOKIE_DOT) {
        *listed = (struct listed){".", 1, COOKIE_DOT, listing->directory};
        return true;
    }
    if (listing->cookie < COOKIE_DOT_DOT) {
        *listed = (struct listed){"..", 2, COOKIE_DOT_DOT, listing->directory->parent};
        return true;
    }
    entry = directory_next(listing->directory->entries, listing->cookie);
    if (!entry)
        return false;
    *listed = (struct listed){entry->name, entry->name_length, entry->cookie, entry->node};
    return true;
}

/* Write the entry LISTED. Returns false if it does not fit. */
static bool put_listed(struct listing *listing, const struct listed *listed)
{
    struct wire_writer *results = &listing->call->results;
    size_t names = 8 + 4 + wire_padded(listed->length) + 8;
    size_t size = 4 + names; /* with the word that says that an entry follows */

    if (listing->plus)
        size += 4 + CALL_ATTRIBUTES_SIZE + 4 + 4 + CALL_HANDLE_SIZE;
    if (size > listing->room || (listing->plus && names > listing->names_room))
        return false;
    wire_put_u32(results, 1);
    wire_put_u64(results, listed->node->number);
    wire_put_opaque(results, listed->name, listed->length);
    wire_put_u64(results, listed->cookie);
    if (listing->plus) {
        call_put_post_op(listing->call, listed->node);
        wire_put_u32(results, 1);
        call_put_handle(results, listed->node);
    }
    listing->room -= size;
    listing->names_room -= listing->plus ? names : 0;
    listing->cookie = listed->cookie;
    listing->written++;
    return true;
}

/* Write the next entries that fit, and eof. Returns false if entries are left, but none fits. */
static bool put_entries(struct listing *listing)
{
    struct wire_writer *results = &listing->call->results;
    struct listed listed;
    bool more;

    while ((more = next_listed(listing, &listed)) && put_listed(listing, &listed))
        ;
    wire_put_u32(results, 0);
    wire_put_u32(results, !more); /* eof */
    return listing->written > 0 || !more;
}

/* Is LISTING's cookie valid with VERIFIER? Cookies stay valid when the directory changes, so the
 * server's verifier is always 0. */
static bool cookie_is_good(const struct listing *listing, const uint8_t *verifier)
{
    static const uint8_t ours[NFS3_COOKIEVERFSIZE];

    return listing->cookie == 0 || (listing->cookie < listing->directory->entries->next_cookie &&
                                    memcmp(verifier, ours, sizeof ours) == 0);
}

/* Write the entries after LISTING's cookie, in a result of at most MAXIMUM bytes. */
static nfsstat3 list_entries(struct listing *listing, const uint8_t *verifier, uint32_t maximum)
{
    struct call *call = listing->call;
    /* a result's bytes without entries: status, attributes, verifier, end of the list, eof */
    const size_t fixed = 4 + 4 + CALL_ATTRIBUTES_SIZE + NFS3_COOKIEVERFSIZE + 4 + 4;

    if (maximum > call->data_maximum)
        maximum = call->data_maximum;
    if (!(call_permissions(call, listing->directory) & 4))
        return NFS3ERR_ACCES;
    if (!cookie_is_good(listing, verifier))
        return NFS3ERR_BAD_COOKIE;
    if (maximum < fixed)
        return NFS3ERR_TOOSMALL;
    listing->room = maximum - fixed;
    tree_note_access(call->tree, listing->directory);
    call_put_head(call);
    wire_put_u64(&call->results, 0); /* the verifier */
    return put_entries(listing) ? NFS3_OK : NFS3ERR_TOOSMALL;
}

static nfsstat3 serve_listing(struct call *call, bool plus)
{
    struct listing listing = {.call = call,
                              .directory = call->node,
                              .plus = plus,
                              .cookie = wire_get_u64(&call->arguments)};
    const uint8_t *verifier = wire_skip(&call->arguments, NFS3_COOKIEVERFSIZE);
    uint32_t maximum;
    nfsstat3 status;

    if (plus)
        listing.names_room = wire_get_u32(&call->arguments);
    maximum = wire_get_u32(&call->arguments);
    status = call_ready(call);
    return status == NFS3_OK ? list_entries(&listing, verifier, maximum) : status;
}

nfsstat3 serve_readdir(struct call *call)
{
    return serve_listing(call, false);
}

nfsstat3 serve_readdirplus(struct call *call)
{
    return serve_listing(call, true);
}
