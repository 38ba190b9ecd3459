#include "nfs/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/file_set.h"

enum {
    SEARCH_DIRECTORIES = 64, /* searched at most */
    SEARCH_ENTRIES = 256,    /* examined in each, at most */
};

/* A place in the tree: a node, the directory that holds it, its name there, its path. */
struct place {
    struct nfs_node node;
    struct nfs_handle parent;
    char name[NFS_NAME_SIZE];
    char parent_path[NFS_PATH_SIZE], path[NFS_PATH_SIZE];
};

static int join_path(char out[NFS_PATH_SIZE], const char *directory, const char *name)
{
    int length =
        snprintf(out, NFS_PATH_SIZE, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);

    return length < NFS_PATH_SIZE ? 0 : -ENAMETOOLONG;
}

/* Go from PLACE, a directory, to NAME in it. */
static int step_into(struct rpc_client *client, struct place *place, const char *name,
                     struct error *error)
{
    struct place next = {.parent = place->node.handle};
    int code;

    if (strlen(name) >= sizeof next.name || join_path(next.path, place->path, name) != 0)
        return error_set(error, ERROR_USAGE, -ENAMETOOLONG, "the path below %.200s is too long",
                         place->path);
    strcpy(next.name, name);
    strcpy(next.parent_path, place->path);
    code = nfs_lookup(client, &place->node.handle, name, place->path, &next.node, error);
    if (code == 0)
        *place = next;
    return code;
}

static int walk(struct rpc_client *client, struct place *place, const char *path,
                struct error *error)
{
    char *copy = strdup(path), *rest = NULL;
    int code = 0;

    if (!copy)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a path");
    for (char *name = strtok_r(copy, "/", &rest); name && code == 0;
         name = strtok_r(NULL, "/", &rest))
        code = step_into(client, place, name, error);
    free(copy);
    return code;
}

static void take_file(struct nfs_objects *objects, const struct place *place)
{
    objects->has_file = true;
    objects->file = place->node.handle;
    objects->file_size = place->node.size;
    objects->file_id = place->node.id;
    objects->directory = place->parent;
    strcpy(objects->name, place->name);
    strcpy(objects->directory_path, place->parent_path);
    strcpy(objects->file_path, place->path);
}

static void take_directory(struct nfs_objects *objects, const struct place *place)
{
    objects->directory = place->node.handle;
    strcpy(objects->directory_path, place->path);
    strcpy(objects->name, ".");
}

struct search {
    struct rpc_client *client;
    struct nfs_objects *objects;
    bool want_file, want_symlink;
    struct place *queue; /* directories still to search, and those already searched */
    unsigned queued, done;
    struct error *error;
};

/* A search ignores objects that have vanished or may not be looked at; but not a server that is
 * gone. */
static bool harmless(int code)
{
    return code == -ENOENT || code == -EIO || code == -ENOTDIR || code == -ENAMETOOLONG;
}

static int visit_entry(void *context, const char *name)
{
    struct search *search = context;
    struct place place = search->queue[search->done];

    int code = step_into(search->client, &place, name, search->error);

    if (code)
        return harmless(code) ? 0 : code;
    if (place.node.type == NF3REG && search->want_file) {
        take_file(search->objects, &place);
        search->want_file = false;
    } else if (place.node.type == NF3LNK && search->want_symlink) {
        search->objects->has_symlink = true;
        search->objects->symlink = place.node.handle;
        strcpy(search->objects->symlink_path, place.path);
        search->want_symlink = false;
    } else if (place.node.type == NF3DIR && search->queued < SEARCH_DIRECTORIES) {
        search->queue[search->queued++] = place;
    }
    return !search->want_file && !search->want_symlink;
}

static int search_below(struct rpc_client *client, struct nfs_objects *objects,
                        const struct place *start, bool want_file, bool want_symlink,
                        struct error *error)
{
    struct search search = {.client = client,
                            .objects = objects,
                            .want_file = want_file,
                            .want_symlink = want_symlink,
                            .error = error};
    int code = 0;

    search.queue = calloc(SEARCH_DIRECTORIES, sizeof *search.queue);
    if (!search.queue)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a search");
    search.queue[search.queued++] = *start;
    while (search.done < search.queued && code == 0) {
        const struct place *directory = &search.queue[search.done];

        code = nfs_list(client, &directory->node.handle, directory->path, SEARCH_ENTRIES,
                        visit_entry, &search, error);
        if (search.done > 0 && harmless(code))
            code = 0;
        search.done++;
    }
    free(search.queue);
    return code < 0 ? code : 0;
}

/* A scratch directory is made in the target; where that is a file, beside it. */
static void take_base(struct nfs_objects *objects, const struct place *place)
{
    bool file = place->node.type == NF3REG;

    objects->base = file ? place->parent : place->node.handle;
    strcpy(objects->base_path, file ? place->parent_path : place->path);
}

static int settle_objects(struct nfs_objects *objects, struct rpc_client *client,
                          const struct nfs_objects_request *request, struct place *place,
                          struct error *error)
{
    int code;

    take_base(objects, place);
    if (place->node.type == NF3REG) {
        if (request->file)
            return error_set(error, ERROR_USAGE, -ENOTDIR,
                             "--file %.200s: the target %.200s is itself a file", request->file,
                             place->path);
        take_file(objects, place);
        return 0;
    }
    if (place->node.type != NF3DIR)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%.300s is neither a regular file nor a directory", place->path);
    take_directory(objects, place);
    if (request->file) {
        struct place file = *place;

        code = walk(client, &file, request->file, error);
        if (code)
            return code;
        if (file.node.type != NF3REG)
            return error_set(error, ERROR_USAGE, -EINVAL, "--file %.200s: %s, not a regular file",
                             request->file,
                             file.node.type == NF3DIR ? "it is a directory (NFS3ERR_ISDIR)"
                                                      : "it is a special file");
        take_file(objects, &file);
    }
    return search_below(client, objects, place, request->want_file && !objects->has_file,
                        request->want_symlink, error);
}

/* Make the first READ; every other must return what it returned. */
static int plan_read(struct nfs_objects *objects, struct rpc_client *client,
                     const struct nfs_objects_request *request, struct error *error)
{
    struct nfs_read_plan *plan = &objects->read;
    uint64_t left;
    int code;

    plan->offset = request->read_offset;
    plan->count = request->read_size;
    if (plan->offset >= objects->file_size)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "READ at offset %llu: %.200s has %llu bytes; see --offset and --file",
                         (unsigned long long)plan->offset, objects->file_path,
                         (unsigned long long)objects->file_size);
    code = nfs_read(client, &objects->file, plan->offset, plan->count, objects->file_path,
                    &plan->data, &plan->expected, error);
    if (code)
        return code;
    if (!request->verify) {
        free(plan->data);
        plan->data = NULL;
    }
    left = objects->file_size - plan->offset;
    if (plan->expected < plan->count && plan->expected < left)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "READ of %u bytes returned %u: more than this server sends at once "
                         "(rtmax); use --size %u",
                         plan->count, plan->expected, plan->expected);
    return 0;
}

int nfs_objects_find(struct nfs_objects *objects, struct rpc_client *client,
                     const struct nfs_objects_request *request, struct error *error)
{
    struct place place = {.node.handle = request->root, .parent = request->root, .name = "."};
    int code;

    memset(objects, 0, sizeof *objects);
    objects->root = request->root;
    objects->export = request->export;
    snprintf(place.path, sizeof place.path, "%s", request->export);
    strcpy(place.parent_path, place.path);
    code = nfs_getattr(client, &place.node, place.path, error);
    if (code == 0)
        code = walk(client, &place, request->path, error);
    if (code == 0)
        code = settle_objects(objects, client, request, &place, error);
    if (code == 0 && request->want_read && objects->has_file)
        code = plan_read(objects, client, request, error);
    if (code)
        nfs_objects_free(objects);
    return code;
}

void nfs_objects_free(struct nfs_objects *objects)
{
    free(objects->read.data);
    free(objects->write.data);
    nfs_file_set_free(objects->files);
    objects->files = NULL;
    free(objects->verifier);
    objects->read.data = objects->write.data = NULL;
    objects->verifier = NULL;
}
