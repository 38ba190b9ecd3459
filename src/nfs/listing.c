#include "nfs/listing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/counted.h"
#include "measure/clock.h"
#include "nfs/status.h"

void traversal_limit_begin(struct traversal_limit *limit, uint64_t time_ns)
{
    const uint64_t now = clock_raw_ns();

    *limit = (struct traversal_limit){.began_ns = now,
                                      .until_ns = now + (time_ns ? time_ns : TRAVERSAL_TIME_NS)};
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

int traversal_refuse(int finding, const char *procedure, const char *path, struct error *error)
{
    return error_set(error, ERROR_FAILED, -EBADMSG, "%s of %.300s: %s", procedure, path,
                     nfs_listing_finding(finding));
}

void nfs_listing_begin(struct nfs_listing *listing, bool plus, struct traversal_limit *limit)
{
    *listing = (struct nfs_listing){.plus = plus, .renewed_at = 1, .limit = limit};
}

void nfs_listing_examine(struct nfs_listing *listing, struct nfs_names *names,
                         struct nfs_listing_findings *findings)
{
    if (names)
        nfs_names_clear(names);
    listing->names = names;
    listing->findings = findings;
}

static void read_directory_attributes(struct nfs_listing *listing, struct wire_reader *reader)
{
    const struct nfs_item_attributes directory = nfs_item_post_op_attr(reader);

    if (reader->failed || listing->change == NFS_LISTING_CHANGED)
        return;
    if (listing->calls == 0) {
        listing->has_modified = directory.given;
        listing->modified = directory.modified;
    }
    if (!directory.given || !listing->has_modified)
        listing->change = NFS_LISTING_UNKNOWN;
    else if (directory.modified == listing->modified)
        listing->change = NFS_LISTING_UNCHANGED;
    else
        listing->change = NFS_LISTING_CHANGED;
}

static void read_cookie_verifier(struct nfs_listing *listing, struct wire_reader *reader)
{
    const uint8_t *verifier = wire_skip(reader, sizeof listing->verifier);
    struct nfs_listing_findings *findings = listing->findings;

    if (!verifier)
        return;
    if (findings && listing->calls > 0 && findings->verifier_page == 0 &&
        memcmp(listing->verifier, verifier, sizeof listing->verifier) != 0) {
        findings->verifier_page = listing->calls + 1;
        findings->change = listing->change;
    }
    memcpy(listing->verifier, verifier, sizeof listing->verifier);
}

void nfs_listing_refused(struct nfs_listing *listing, const struct wire_reader *reader)
{
    struct wire_reader rest = *reader;

    read_directory_attributes(listing, &rest);
}

static void read_entry_handle(struct wire_reader *reader, struct nfs_listed *listed)
{
    if (!wire_get_bool(reader))
        return;
    listed->handle = wire_get_opaque(reader, NFS_HANDLE_MAXIMUM, &listed->handle_length);
    if (listed->handle_length == 0)
        reader->failed = true;
}

static uint64_t read_entry(bool plus, struct wire_reader *reader, struct nfs_listed *listed)
{
    uint64_t cookie;

    *listed = (struct nfs_listed){.file_id = wire_get_u64(reader)};
    listed->name = wire_get_opaque(reader, NFS3_NAME_MAXIMUM, &listed->name_length);
    cookie = wire_get_u64(reader);
    if (plus) {
        listed->attributes = nfs_item_post_op_attr(reader);
        read_entry_handle(reader, listed);
    }
    return cookie;
}

/* Return whether LISTING's cookie leads back to an earlier page. FROM is the cookie of the latest
 * call. Cookies need not be ordered, so Brent's algorithm searches for a cycle. With M calls before
 * the cycle and N calls in it, the cycle is found after at most 3 * (M + N) calls. */
static bool cookies_lead_back(struct nfs_listing *listing, uint64_t from)
{
    if (listing->cookie == from || listing->cookie == listing->remembered)
        return true;
    if (listing->calls == listing->renewed_at) {
        listing->remembered = listing->cookie;
        listing->renewed_at *= 2;
    }
    return false;
}

int nfs_listing_check_progress(struct nfs_listing *listing, uint64_t from, uint64_t entries)
{
    listing->calls++;
    listing->entries += entries;
    if (cookies_lead_back(listing, from))
        return NFS_COOKIE_REPEATED;
    return traversal_allows(listing->limit, entries, 0) ? 0 : listing->limit->met;
}

int nfs_listing_read_page(struct nfs_listing *listing, struct wire_reader *reader,
                          int (*visit)(void *context, const struct nfs_listed *listed),
                          void *context)
{
    uint64_t from = listing->cookie, entries = 0;
    struct nfs_listed listed;
    int code = 0, end;

    read_directory_attributes(listing, reader);
    read_cookie_verifier(listing, reader);
    while (wire_get_bool(reader)) {
        listing->cookie = read_entry(listing->plus, reader, &listed);
        entries++;
        if (listing->names && !reader->failed)
            nfs_names_add(listing->names, listed.name, listed.name_length);
        if (code == 0 && visit && !reader->failed)
            code = visit(context, &listed);
    }
    listing->ended = wire_get_bool(reader);
    end = nfs_listing_check_progress(listing, from, entries);
    code = reader->failed || code || listing->ended ? code : end;
    if (listing->names && (listing->ended || code))
        nfs_names_compare(listing->names, listing->findings);
    return code;
}

static const char *explain_bad_cookie(const struct nfs_listing *listing)
{
    if (listing->calls == 0)
        return "this is the first page, whose request has no cookie";
    if (listing->change == NFS_LISTING_CHANGED)
        return "the directory was changed after its first page";
    if (listing->change == NFS_LISTING_UNCHANGED)
        return "the directory's time of last change is still that of the first page, so this "
               "server does not keep its cookies valid";
    return "the directory was changed after its first page, or this server does not keep its "
           "cookies valid; its replies don't show which";
}

void nfs_listing_describe(const struct nfs_listing *listing, uint64_t calls, int status,
                          const char *procedure, const char *path, char *text, size_t size)
{
    const double seconds = (double)(clock_raw_ns() - listing->limit->began_ns) / 1e9;
    const unsigned long long page = listing->calls + 1, entries = listing->limit->entries;
    char name[NFS_STATUS_NAME_SIZE];

    if (status == NFS_LIST_TOO_SLOW)
        snprintf(
            text, size,
            "%s of %.200s was not complete after %.1f s (half of --max-time for an op without "
            "COUNT, else two minutes): %s returned %llu entries, in %.3g s each; choose a smaller "
            "directory, or a longer time",
            procedure, path, seconds, counted(calls, "call").text, entries,
            calls ? seconds / (double)calls : 0);
    else if (nfs_listing_finding(status))
        snprintf(text, size, "%s of %.200s, page %llu: %s", procedure, path,
                 (unsigned long long)listing->calls, nfs_listing_finding(status));
    else if (status == NFS3ERR_BAD_COOKIE)
        snprintf(text, size, "%s of %.200s was answered by NFS3ERR_BAD_COOKIE at page %llu: %s",
                 procedure, path, page, explain_bad_cookie(listing));
    else if (listing->calls == 0)
        snprintf(text, size, "%s of %.200s was answered by %s", procedure, path,
                 nfs_status_name(status, name));
    else
        snprintf(text, size, "%s of %.200s was answered by %s at page %llu, after %llu entries",
                 procedure, path, nfs_status_name(status, name), page, entries);
}

void nfs_listing_note_end(const struct nfs_listing *listing, uint64_t calls, int status,
                          const char *procedure, const char *path)
{
    struct nfs_listing_findings *findings = listing->findings;
    const bool is_of_cookies = status == NFS3ERR_BAD_COOKIE || status == NFS_COOKIE_REPEATED;

    if (findings && !findings->failure[0] && (listing->names || is_of_cookies))
        nfs_listing_describe(listing, calls, status, procedure, path, findings->failure,
                             sizeof findings->failure);
}
