/* Listing directories with READDIR and READDIRPLUS, one call at a time. */
#include "nfs/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "nfs/listing.h"
#include "nfs/procedures/procedures.h"
#include "nfs/status.h"

struct reading {
    struct rpc_client *client;
    const struct nfs_handle *directory;
    const char *path;
    uint32_t count; /* requested size of a reply, bytes */
    uint64_t left;  /* number of entries that may still be visited */
    /* Called for each entry. A value other than 0 ends the listing. */
    int (*visit)(void *context, const char *name, uint64_t cookie);
    void *context;
    struct traversal_limit limit;
    struct nfs_listing at;
    bool goes_round; /* the cookies lead back to a page before the last one */
};

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Define FUNCTION, which visits the entries of a result of type LIST. ENTRY is the type of an
 * entry. A reply without entries ends the listing even if the server says that there are more. */
#define VISIT_ENTRIES(function, list, entry)                                                       \
    static int function(struct reading *reading, const list *listed, const cookieverf3 verifier)   \
    {                                                                                              \
        int stop = 0;                                                                              \
                                                                                                   \
        for (const entry *at = listed->entries; at && !stop && reading->left > 0;                  \
             at = at->nextentry) {                                                                 \
            reading->at.cookie = at->cookie;                                                       \
            reading->left--;                                                                       \
            stop = reading->visit(reading->context, at->name, at->cookie);                         \
        }                                                                                          \
        memcpy(reading->at.verifier, verifier, sizeof reading->at.verifier);                       \
        reading->at.ended = reading->left > 0 && (listed->eof || !listed->entries);                \
        return stop;                                                                               \
    }

VISIT_ENTRIES(visit_entries, dirlist3, entry3)
VISIT_ENTRIES(visit_entries_plus, dirlistplus3, entryplus3)

static const char *listing_procedure(const struct reading *reading)
{
    return reading->at.plus ? "READDIRPLUS" : "READDIR";
}

/* If a page after the first one failed, add its number to ERROR's text. Returns CODE. */
static int name_page(const struct reading *reading, int code, struct error *error)
{
    const struct error first = *error;

    if (reading->at.calls == 0)
        return code;
    return error_set(error, first.kind, code, "%.440s (page %llu)", first.text,
                     (unsigned long long)reading->at.calls + 1);
}

static int list_next_page(struct reading *reading, struct error *error)
{
    /* READDIR's arguments begin like READDIRPLUS's, with count in place of dircount. */
    union nfs_arguments arguments = {.readdirplus = {.dir = nfs_handle_argument(reading->directory),
                                                     .cookie = reading->at.cookie,
                                                     .dircount = reading->count,
                                                     .maxcount = reading->count}};
    const char *op = reading->at.plus ? "readdirplus" : "readdir";
    union nfs_result result;
    const READDIR3resok *listed = &result.readdir.READDIR3res_u.resok;
    const READDIRPLUS3resok *listed_plus = &result.readdirplus.READDIRPLUS3res_u.resok;
    uint64_t from = reading->at.cookie, left = reading->left;
    int code, end;

    memcpy(arguments.readdirplus.cookieverf, reading->at.verifier, sizeof reading->at.verifier);
    code = nfs_single_call(reading->client, op, &arguments, &result, reading->path, error);
    if (code)
        return name_page(reading, code, error);
    code = reading->at.plus
               ? visit_entries_plus(reading, &listed_plus->reply, listed_plus->cookieverf)
               : visit_entries(reading, &listed->reply, listed->cookieverf);
    nfs_free_result(op, &result);
    if (code || reading->at.ended || reading->left == 0)
        return code;
    end = nfs_listing_check_progress(&reading->at, from, left - reading->left);
    reading->goes_round = end == NFS_COOKIE_REPEATED && reading->at.cookie != from;
    return end ? traversal_refuse(end, listing_procedure(reading), reading->path, error) : 0;
}

static int list_all_pages(struct reading *reading, bool plus, struct error *error)
{
    int code = 0;

    traversal_limit_begin(&reading->limit, 0);
    nfs_listing_begin(&reading->at, plus, &reading->limit);
    while (code == 0 && !reading->at.ended && reading->left > 0)
        code = list_next_page(reading, error);
    return code;
}

/* Listing of names */

struct named {
    int (*visit)(void *context, const char *name);
    void *context;
};

static int visit_name(void *context, const char *name, uint64_t cookie)
{
    const struct named *named = context;

    return is_dots(name) ? 0 : named->visit(named->context, name);
}

int nfs_list(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             unsigned limit, int (*visit)(void *context, const char *name), void *context,
             struct error *error)
{
    struct named named = {visit, context};
    struct reading reading = {.client = client,
                              .directory = directory,
                              .path = path,
                              .count = NFS_DIRECTORY_REPLY_SIZE,
                              .left = limit,
                              .visit = visit_name,
                              .context = &named};

    return list_all_pages(&reading, false, error);
}

/* Entries so far: all cookies, and all names except "." and "..", to find repeated ones. */
struct seen {
    char **names;
    uint64_t *cookies;
    size_t name_count, name_room, cookie_count, cookie_room;
    struct traversal_limit *limit;
};

static int add_entry(void *context, const char *name, uint64_t cookie)
{
    struct seen *seen = context;
    char *copy;

    if (array_add(&seen->cookies, &seen->cookie_count, &seen->cookie_room, &cookie,
                  sizeof cookie) != 0)
        return -ENOMEM;
    traversal_allows(seen->limit, 0, sizeof cookie + sizeof name + strlen(name) + 1);
    if (is_dots(name))
        return 0;
    copy = strdup(name);
    if (copy &&
        array_add(&seen->names, &seen->name_count, &seen->name_room, &copy, sizeof copy) == 0)
        return 0;
    free(copy);
    return -ENOMEM;
}

static void free_seen(struct seen *seen)
{
    while (seen->name_count > 0)
        free(seen->names[--seen->name_count]);
    free(seen->names);
    free(seen->cookies);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int compare_cookies(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

    return (first > second) - (first < second);
}

static int find_duplicates(const struct reading *reading, struct seen *seen, struct error *error)
{
    if (seen->name_count > 0)
        qsort(seen->names, seen->name_count, sizeof *seen->names, compare_names);
    for (size_t i = 1; i < seen->name_count; i++)
        if (strcmp(seen->names[i - 1], seen->names[i]) == 0)
            return error_set(error, ERROR_FAILED, -EBADMSG,
                             "%s of %.300s returned '%.100s' twice, in a listing by cookies",
                             listing_procedure(reading), reading->path, seen->names[i]);
    if (seen->cookie_count > 0)
        qsort(seen->cookies, seen->cookie_count, sizeof *seen->cookies, compare_cookies);
    for (size_t i = 1; i < seen->cookie_count; i++)
        if (seen->cookies[i - 1] == seen->cookies[i])
            return error_set(error, ERROR_FAILED, -EBADMSG,
                             "%s of %.300s returned two entries with the same cookie, %llu",
                             listing_procedure(reading), reading->path,
                             (unsigned long long)seen->cookies[i]);
    return 0;
}

/* Return the result of a listing that ended with CODE. Repeated entries are reported first, because
 * they explain why there was no end. */
static int check_walk(const struct reading *reading, struct seen *seen, uint64_t limit, int code,
                      struct error *error)
{
    int found = code == 0 || reading->goes_round ? find_duplicates(reading, seen, error) : 0;

    if (code == -ENOMEM)
        return error_set(error, ERROR_FAILED, code, "out of memory for a list of names");
    if (found || code || reading->at.ended)
        return found ? found : code;
    return error_set(error, ERROR_FAILED, -EBADMSG,
                     "%s of %.300s does not end: more than %llu entries",
                     listing_procedure(reading), reading->path, (unsigned long long)limit);
}

int nfs_walk(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             bool plus, uint32_t count, uint64_t limit, uint64_t *entries, struct error *error)
{
    struct seen seen = {.names = NULL};
    struct reading reading = {.client = client,
                              .directory = directory,
                              .path = path,
                              .count = count,
                              .left = limit + 1,
                              .visit = add_entry,
                              .context = &seen};
    int code;

    seen.limit = &reading.limit;
    code = check_walk(&reading, &seen, limit, list_all_pages(&reading, plus, error), error);
    *entries = seen.name_count;
    free_seen(&seen);
    return code;
}
