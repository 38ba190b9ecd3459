#include "nfs/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/procedures.h"

enum { ENTRIES_MAXIMUM = 10 * 1000 * 1000 };

/* All names that came. */
struct names {
    char **list;
    size_t count, capacity;
};

static int add_name(struct names *names, const char *name)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return 0;
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? 2 * names->capacity : 1024;
        char **larger = realloc(names->list, capacity * sizeof *larger);

        if (!larger)
            return -ENOMEM;
        names->list = larger;
        names->capacity = capacity;
    }
    names->list[names->count] = strdup(name);
    return names->list[names->count] && ++names->count ? 0 : -ENOMEM;
}

static void free_names(struct names *names)
{
    while (names->count > 0)
        free(names->list[--names->count]);
    free(names->list);
}

/* Where a walk is. */
struct position {
    cookie3 cookie;
    cookieverf3 verifier;
    bool more;
};

static int take_entries(struct names *names, struct position *position, const dirlist3 *list,
                        const cookieverf3 verifier)
{
    int code = 0;

    for (const entry3 *entry = list->entries; entry && code == 0; entry = entry->nextentry) {
        position->cookie = entry->cookie;
        code = add_name(names, entry->name);
    }
    memcpy(position->verifier, verifier, sizeof position->verifier);
    position->more = !list->eof && list->entries;
    return code;
}

static int take_entries_plus(struct names *names, struct position *position,
                             const dirlistplus3 *list, const cookieverf3 verifier)
{
    int code = 0;

    for (const entryplus3 *entry = list->entries; entry && code == 0; entry = entry->nextentry) {
        position->cookie = entry->cookie;
        code = add_name(names, entry->name);
    }
    memcpy(position->verifier, verifier, sizeof position->verifier);
    position->more = !list->eof && list->entries;
    return code;
}

static int read_on(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
                   uint32_t count, struct names *names, struct position *position,
                   struct error *error)
{
    union nfs_arguments arguments = {.readdir = {.dir = nfs_handle_argument(directory),
                                                 .cookie = position->cookie,
                                                 .count = count}};
    union nfs_result result;
    const READDIR3resok *listed = &result.readdir.READDIR3res_u.resok;
    int code;

    memcpy(arguments.readdir.cookieverf, position->verifier, sizeof position->verifier);
    code = nfs_single_call(client, "readdir", &arguments, &result, path, error);
    if (code)
        return code;
    code = take_entries(names, position, &listed->reply, listed->cookieverf);
    nfs_free_result("readdir", &result);
    return code ? error_set(error, ERROR_FAILED, code, "out of memory for a list of names") : 0;
}

static int read_on_plus(struct rpc_client *client, const struct nfs_handle *directory,
                        const char *path, uint32_t count, struct names *names,
                        struct position *position, struct error *error)
{
    union nfs_arguments arguments = {.readdirplus = {.dir = nfs_handle_argument(directory),
                                                     .cookie = position->cookie,
                                                     .dircount = count,
                                                     .maxcount = count}};
    union nfs_result result;
    const READDIRPLUS3resok *listed = &result.readdirplus.READDIRPLUS3res_u.resok;
    int code;

    memcpy(arguments.readdirplus.cookieverf, position->verifier, sizeof position->verifier);
    code = nfs_single_call(client, "readdirplus", &arguments, &result, path, error);
    if (code)
        return code;
    code = take_entries_plus(names, position, &listed->reply, listed->cookieverf);
    nfs_free_result("readdirplus", &result);
    return code ? error_set(error, ERROR_FAILED, code, "out of memory for a list of names") : 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_duplicates(struct names *names, const char *procedure, const char *path,
                           struct error *error)
{
    qsort(names->list, names->count, sizeof *names->list, compare_names);
    for (size_t i = 1; i < names->count; i++)
        if (strcmp(names->list[i - 1], names->list[i]) == 0)
            return error_set(error, ERROR_FAILED, -EBADMSG,
                             "%s of %.300s gave '%.100s' twice, in a walk by cookies", procedure,
                             path, names->list[i]);
    return 0;
}

int nfs_walk(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             bool plus, uint32_t count, uint64_t *entries, struct error *error)
{
    const char *procedure = plus ? "READDIRPLUS" : "READDIR";
    struct position position = {.more = true};
    struct names names = {.list = NULL};
    int code = 0;

    while (position.more && code == 0) {
        code = plus ? read_on_plus(client, directory, path, count, &names, &position, error)
                    : read_on(client, directory, path, count, &names, &position, error);
        if (code == 0 && names.count > ENTRIES_MAXIMUM)
            code = error_set(error, ERROR_FAILED, -EBADMSG,
                             "%s of %.300s does not end: %d entries and more", procedure, path,
                             ENTRIES_MAXIMUM);
    }
    if (code == 0)
        code = find_duplicates(&names, procedure, path, error);
    *entries = names.count;
    free_names(&names);
    return code;
}
