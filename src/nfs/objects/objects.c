#include "nfs/objects/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/listing.h"
#include "nfs/objects/working_set.h"

enum {
    SEARCH_DIRECTORIES = 64, /* maximum number of directories searched */
    SEARCH_ENTRIES = 256,    /* maximum number of entries (with "." and "..") of a directory */
};

struct location {
    struct nfs_node node;
    struct nfs_handle parent;
    char name[NFS_NAME_SIZE];
    char parent_path[NFS_PATH_SIZE], path[NFS_PATH_SIZE];
};

static int step_into(struct rpc_client *client, struct location *location, const char *name,
                     struct error *error)
{
    struct location next = {.parent = location->node.handle};
    int code;

    if (strlen(name) >= sizeof next.name || nfs_path_join(next.path, location->path, name) != 0)
        return error_set(error, ERROR_USAGE, -ENAMETOOLONG, "the path below %.200s is too long",
                         location->path);
    strcpy(next.name, name);
    strcpy(next.parent_path, location->path);
    code = nfs_lookup(client, &location->node.handle, name, location->path, &next.node, error);
    if (code == 0)
        *location = next;
    return code;
}

static int walk_path(struct rpc_client *client, struct location *location, const char *path,
                     struct error *error)
{
    char *copy = strdup(path), *rest = NULL;
    int code = 0;

    if (!copy)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a path");
    for (char *name = strtok_r(copy, "/", &rest); name && code == 0;
         name = strtok_r(NULL, "/", &rest))
        code = step_into(client, location, name, error);
    free(copy);
    return code;
}

static void use_file(struct nfs_objects *objects, const struct location *location)
{
    objects->has_file = true;
    objects->file = location->node.handle;
    objects->file_size = location->node.size;
    objects->file_id = location->node.id;
    objects->directory = location->parent;
    strcpy(objects->name, location->name);
    strcpy(objects->directory_path, location->parent_path);
    strcpy(objects->file_path, location->path);
}

static void use_directory(struct nfs_objects *objects, const struct location *location)
{
    objects->directory = location->node.handle;
    strcpy(objects->directory_path, location->path);
    strcpy(objects->name, ".");
}

struct search {
    struct rpc_client *client;
    struct nfs_objects *objects;
    bool want_file, want_symlink;
    struct location *queue; /* directories to search; the first DONE of them have been searched */
    unsigned queued, done;
    struct traversal_limit limit;
    struct error *error;
};

/* Return whether a search continues after CODE, because CODE concerns one object: it has vanished,
 * may not be accessed (-EIO), is no directory, or has too long a path. */
static bool may_continue_after(int code)
{
    return code == -ENOENT || code == -EIO || code == -ENOTDIR || code == -ENAMETOOLONG;
}

static int visit_entry(void *context, const char *name)
{
    struct search *search = context;
    struct location location = search->queue[search->done];
    int code;

    if (!traversal_allows(&search->limit, 1, 0))
        return traversal_refuse(search->limit.met, "the search for a file (--file names one)",
                                location.path, search->error);
    code = step_into(search->client, &location, name, search->error);

    if (code)
        return may_continue_after(code) ? 0 : code;
    if (location.node.type == NF3REG && search->want_file) {
        use_file(search->objects, &location);
        search->want_file = false;
    } else if (location.node.type == NF3LNK && search->want_symlink) {
        search->objects->has_symlink = true;
        search->objects->symlink = location.node.handle;
        strcpy(search->objects->symlink_path, location.path);
        search->want_symlink = false;
    } else if (location.node.type == NF3DIR && search->queued < SEARCH_DIRECTORIES) {
        search->queue[search->queued++] = location;
    }
    return !search->want_file && !search->want_symlink;
}

static int search_below(struct rpc_client *client, struct nfs_objects *objects,
                        const struct location *start, bool want_file, bool want_symlink,
                        struct error *error)
{
    struct search search = {.client = client,
                            .objects = objects,
                            .want_file = want_file,
                            .want_symlink = want_symlink,
                            .error = error};
    int code = 0;

    traversal_limit_begin(&search.limit, 0);
    search.queue = calloc(SEARCH_DIRECTORIES, sizeof *search.queue);
    if (!search.queue)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a search");
    search.queue[search.queued++] = *start;
    while (search.done < search.queued && code == 0) {
        const struct location *directory = &search.queue[search.done];

        code = nfs_list(client, &directory->node.handle, directory->path, SEARCH_ENTRIES,
                        visit_entry, &search, error);
        if (search.done > 0 && may_continue_after(code))
            code = 0;
        search.done++;
    }
    free(search.queue);
    return code < 0 ? code : 0;
}

static void choose_base(struct nfs_objects *objects, const struct location *location)
{
    bool file = location->node.type == NF3REG;

    objects->base = file ? location->parent : location->node.handle;
    strcpy(objects->base_path, file ? location->parent_path : location->path);
}

static int choose_objects(struct nfs_objects *objects, struct rpc_client *client,
                          const struct nfs_objects_request *request, struct location *location,
                          struct error *error)
{
    int code;

    choose_base(objects, location);
    if (location->node.type == NF3REG) {
        if (request->file)
            return error_set(error, ERROR_USAGE, -ENOTDIR,
                             "--file %.200s: the target %.200s is itself a file; leave out --file",
                             request->file, location->path);
        use_file(objects, location);
        return 0;
    }
    if (location->node.type != NF3DIR)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%.300s is neither a regular file nor a directory", location->path);
    use_directory(objects, location);
    if (request->file) {
        struct location file = *location;

        code = walk_path(client, &file, request->file, error);
        /* a missing --file is an error of usage, like one that is no regular file */
        if (code == -ENOENT || code == -ENOTDIR)
            error->kind = ERROR_USAGE;
        if (code)
            return code;
        if (file.node.type != NF3REG)
            return error_set(error, ERROR_USAGE, -EINVAL, "--file %.200s: %s, not a regular file",
                             request->file,
                             file.node.type == NF3DIR ? "it is a directory (NFS3ERR_ISDIR)"
                                                      : "it is a special file");
        use_file(objects, &file);
    }
    return 0;
}

int nfs_objects_search(struct nfs_objects *objects, struct rpc_client *client,
                       const struct nfs_objects_request *request, struct error *error)
{
    const bool target_is_file = objects->has_file && !request->file;
    const bool want_file = request->want_file && !objects->has_file;
    struct location start = {.node.handle = objects->base};

    if (target_is_file || !(want_file || request->want_symlink))
        return 0; /* list nothing if no object is wanted: some servers lack READDIR */
    strcpy(start.path, objects->base_path);
    return search_below(client, objects, &start, want_file, request->want_symlink, error);
}

int nfs_objects_find(struct nfs_objects *objects, struct rpc_client *client,
                     const struct nfs_objects_request *request, struct error *error)
{
    struct location location = {.node.handle = request->root, .parent = request->root, .name = "."};
    int code;

    memset(objects, 0, sizeof *objects);
    objects->root = request->root;
    objects->export = request->export;
    if (request->verify && !(objects->passes = calloc(1, sizeof *objects->passes)))
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for calls to verify");
    if (objects->passes)
        objects->passes->latest = 1;
    snprintf(location.path, sizeof location.path, "%s", request->export);
    strcpy(location.parent_path, location.path);
    code = nfs_getattr(client, &location.node, location.path, error);
    if (code == 0)
        code = walk_path(client, &location, request->path, error);
    if (code == 0)
        code = choose_objects(objects, client, request, &location, error);
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
    free(objects->passes);
    objects->read.data = objects->write.data = NULL;
    objects->verifier = NULL;
    objects->passes = NULL;
}
