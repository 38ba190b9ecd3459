#include "nfs/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/listing.h"
#include "nfs/procedures.h"
#include "nfs/status.h"

/* All entries so far: the names except "." and "..", and the cookies of all entries. */
struct seen {
    char **names;
    cookie3 *cookies;
    size_t name_count, cookie_count, capacity;
    struct traversal_limit bounds;
};

static int reserve(struct seen *seen)
{
    size_t capacity = seen->capacity ? 2 * seen->capacity : 1024;
    char **names;
    cookie3 *cookies;

    if (seen->cookie_count < seen->capacity)
        return 0;
    names = realloc(seen->names, capacity * sizeof *names);
    if (!names)
        return -ENOMEM;
    seen->names = names;
    cookies = realloc(seen->cookies, capacity * sizeof *cookies);
    if (!cookies)
        return -ENOMEM;
    seen->cookies = cookies;
    seen->capacity = capacity;
    return 0;
}

static int add_entry(struct seen *seen, const char *name, cookie3 cookie)
{
    if (reserve(seen) != 0)
        return -ENOMEM;
    traversal_allows(&seen->bounds, 1, sizeof cookie + sizeof name + strlen(name) + 1);
    seen->cookies[seen->cookie_count++] = cookie;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return 0;
    seen->names[seen->name_count] = strdup(name);
    return seen->names[seen->name_count] && ++seen->name_count ? 0 : -ENOMEM;
}

static void free_seen(struct seen *seen)
{
    while (seen->name_count > 0)
        free(seen->names[--seen->name_count]);
    free(seen->names);
    free(seen->cookies);
}

/* The position of a walk. */
struct position {
    cookie3 cookie;
    cookieverf3 verifier;
    bool more;
};

/* The entries of a LIST, of READDIR's or READDIRPLUS's type ENTRY, and where to go on after them.
 */
#define TAKE_ENTRIES(function, list, entry)                                                        \
    static int function(struct seen *seen, struct position *position, const list *listed,          \
                        const cookieverf3 verifier)                                                \
    {                                                                                              \
        int code = 0;                                                                              \
                                                                                                   \
        for (const entry *at = listed->entries; at && code == 0; at = at->nextentry) {             \
            position->cookie = at->cookie;                                                         \
            code = add_entry(seen, at->name, at->cookie);                                          \
        }                                                                                          \
        memcpy(position->verifier, verifier, sizeof position->verifier);                           \
        position->more = !listed->eof && listed->entries;                                          \
        return code;                                                                               \
    }

TAKE_ENTRIES(take_entries, dirlist3, entry3)
TAKE_ENTRIES(take_entries_plus, dirlistplus3, entryplus3)

static int read_on(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                   bool plus, uint32_t count, struct seen *seen, struct position *position,
                   struct error *error)
{
    /* READDIR's begin in the same way, and its count comes where dircount is. */
    union nfs_arguments arguments = {.readdirplus = {.dir = nfs_handle_argument(directory),
                                                     .cookie = position->cookie,
                                                     .dircount = count,
                                                     .maxcount = count}};
    const char *op = plus ? "readdirplus" : "readdir";
    union nfs_result result;
    const READDIR3resok *listed = &result.readdir.READDIR3res_u.resok;
    const READDIRPLUS3resok *listed_plus = &result.readdirplus.READDIRPLUS3res_u.resok;
    int code;

    memcpy(arguments.readdirplus.cookieverf, position->verifier, sizeof position->verifier);
    code = nfs_single_call(client, op, &arguments, &result, path, error);
    if (code)
        return code;
    code = plus ? take_entries_plus(seen, position, &listed_plus->reply, listed_plus->cookieverf)
                : take_entries(seen, position, &listed->reply, listed->cookieverf);
    nfs_free_result(op, &result);
    return code ? error_set(error, ERROR_FAILED, code, "out of memory for a list of names") : 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int compare_cookies(const void *a, const void *b)
{
    cookie3 first = *(const cookie3 *)a, second = *(const cookie3 *)b;

    return (first > second) - (first < second);
}

/* What is being walked, for messages. */
struct walk {
    const char *procedure, *path;
    uint64_t limit;
};

static int find_duplicates(const struct walk *walk, struct seen *seen, struct error *error)
{
    if (seen->name_count > 0)
        qsort(seen->names, seen->name_count, sizeof *seen->names, compare_names);
    for (size_t i = 1; i < seen->name_count; i++)
        if (strcmp(seen->names[i - 1], seen->names[i]) == 0)
            return error_set(error, ERROR_FAILED, -EBADMSG,
                             "%s of %.300s gave '%.100s' twice, in a walk by cookies",
                             walk->procedure, walk->path, seen->names[i]);
    if (seen->cookie_count > 0)
        qsort(seen->cookies, seen->cookie_count, sizeof *seen->cookies, compare_cookies);
    for (size_t i = 1; i < seen->cookie_count; i++)
        if (seen->cookies[i - 1] == seen->cookies[i])
            return error_set(error, ERROR_FAILED, -EBADMSG,
                             "%s of %.300s gave two entries one cookie, %llu", walk->procedure,
                             walk->path, (unsigned long long)seen->cookies[i]);
    return 0;
}

/* Without this check, a server whose list makes no progress, or has no end, would keep the run here
 * for ever. */
static int check_progress(const struct walk *walk, struct seen *seen, cookie3 from, cookie3 to,
                          struct error *error)
{
    int code;

    if (from == to)
        return traversal_refuse(NFS_COOKIE_REPEATED, walk->procedure, walk->path, error);
    if (!traversal_allows(&seen->bounds, 0, 0))
        return traversal_refuse(seen->bounds.met, walk->procedure, walk->path, error);
    if (seen->cookie_count <= walk->limit)
        return 0;
    code = find_duplicates(walk, seen, error); /* which would explain it */
    return code ? code
                : error_set(error, ERROR_FAILED, -EBADMSG,
                            "%s of %.300s does not end: more than %llu entries", walk->procedure,
                            walk->path, (unsigned long long)walk->limit);
}

int nfs_walk(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             bool plus, uint32_t count, uint64_t limit, uint64_t *entries, struct error *error)
{
    const struct walk walk = {plus ? "READDIRPLUS" : "READDIR", path, limit};
    struct position position = {.more = true};
    struct seen seen = {.names = NULL};
    int code = 0;

    traversal_limit_begin(&seen.bounds, 0);
    while (position.more && code == 0) {
        cookie3 from = position.cookie;

        code = read_on(client, directory, path, plus, count, &seen, &position, error);
        if (code == 0 && position.more)
            code = check_progress(&walk, &seen, from, position.cookie, error);
    }
    if (code == 0)
        code = find_duplicates(&walk, &seen, error);
    *entries = seen.name_count;
    free_seen(&seen);
    return code;
}
