#include "nfs/listing.h"

#include <errno.h>
#include <string.h>

#include "measure/clock.h"
#include "nfs/status.h"

/* How far */

void traversal_limit_begin(struct traversal_limit *limit, uint64_t time_ns)
{
    *limit = (struct traversal_limit){.until_ns =
                                          clock_raw_ns() + (time_ns ? time_ns : TRAVERSAL_TIME_NS)};
}

bool traversal_allows(struct traversal_limit *limit, uint64_t entries, uint64_t bytes)
{
    limit->entries += entries;
    limit->bytes += bytes;
    if (limit->met == 0 && limit->entries > TRAVERSAL_ENTRIES_MAXIMUM)
        limit->met = NFS_LIST_ENDLESS;
    if (limit->met == 0 && limit->bytes > TRAVERSAL_BYTES_MAXIMUM)
        limit->met = NFS_LIST_TOO_LARGE;
    if (limit->met == 0 && clock_raw_ns() >= limit->until_ns)
        limit->met = NFS_LIST_TOO_SLOW;
    return limit->met == 0;
}

const char *traversal_describe(int finding)
{
    switch (finding) {
    case NFS_COOKIE_REPEATED:
        return "it makes no progress: its cookies lead back to an earlier place";
    case NFS_LIST_ENDLESS:
        return "it has more than 10,000,000 entries, or no end; choose a smaller directory";
    case NFS_LIST_TOO_LARGE:
        return "what is kept of it takes more than 512 MiB; choose a smaller directory";
    case NFS_LIST_TOO_SLOW:
        return "it was not read to its end in time (--max-time for an op without COUNT, else two "
               "minutes); choose a smaller directory";
    default:
        return NULL;
    }
}

int traversal_refuse(int finding, const char *procedure, const char *path, struct error *error)
{
    return error_set(error, ERROR_FAILED, -EBADMSG, "%s of %.300s: %s", procedure, path,
                     traversal_describe(finding));
}

/* One directory */

void nfs_listing_begin(struct nfs_listing *listing, bool plus, struct traversal_limit *limit)
{
    *listing = (struct nfs_listing){.plus = plus, .renewed_at = 1, .limit = limit};
}

static void take_handle(struct wire_reader *reader, struct nfs_listed *listed)
{
    if (!wire_get_bool(reader))
        return;
    listed->handle = wire_get_opaque(reader, NFS_HANDLE_MAXIMUM, &listed->handle_length);
    if (listed->handle_length == 0)
        reader->failed = true;
}

static uint64_t take_entry(bool plus, struct wire_reader *reader, struct nfs_listed *listed)
{
    uint64_t cookie;

    *listed = (struct nfs_listed){.file_id = wire_get_u64(reader)};
    listed->name = wire_get_opaque(reader, NFS3_NAME_MAXIMUM, &listed->name_length);
    cookie = wire_get_u64(reader);
    if (plus) {
        listed->attributes = nfs_item_post_op_attr(reader);
        take_handle(reader, listed);
    }
    return cookie;
}

/* A cookie that comes again is found at the latest when as many calls were made as the cycle has,
 * after twice as many as led to it. Cookies need not be in any order, so nothing simpler does. */
static bool goes_round(struct nfs_listing *listing, uint64_t from)
{
    if (listing->cookie == from || listing->cookie == listing->remembered)
        return true;
    if (listing->calls == listing->renewed_at) {
        listing->remembered = listing->cookie;
        listing->renewed_at *= 2;
    }
    return false;
}

int nfs_listing_goes_on(struct nfs_listing *listing, uint64_t from, uint64_t entries)
{
    listing->calls++;
    listing->entries += entries;
    if (goes_round(listing, from))
        return NFS_COOKIE_REPEATED;
    return traversal_allows(listing->limit, entries, 0) ? 0 : listing->limit->met;
}

int nfs_listing_take(struct nfs_listing *listing, struct wire_reader *reader,
                     int (*visit)(void *context, const struct nfs_listed *listed), void *context)
{
    uint64_t from = listing->cookie, entries = 0;
    const uint8_t *verifier;
    struct nfs_listed listed;
    int code = 0, end;

    nfs_item_post_op_attr(reader);
    verifier = wire_skip(reader, sizeof listing->verifier);
    if (verifier)
        memcpy(listing->verifier, verifier, sizeof listing->verifier);
    while (wire_get_bool(reader)) {
        listing->cookie = take_entry(listing->plus, reader, &listed);
        entries++;
        if (code == 0 && visit && !reader->failed)
            code = visit(context, &listed);
    }
    listing->ended = wire_get_bool(reader);
    end = nfs_listing_goes_on(listing, from, entries);
    return reader->failed || code || listing->ended ? code : end;
}
