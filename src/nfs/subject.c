#include "nfs/subject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/file_set.h"

enum {
    SEARCH_DIRECTORIES = 64, /* looked into at most */
    SEARCH_ENTRIES = 256,    /* looked at in each, at most */
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

static void take_file(struct nfs_subject *subject, const struct place *place)
{
    subject->has_file = true;
    subject->file = place->node.handle;
    subject->file_size = place->node.size;
    subject->file_id = place->node.id;
    subject->directory = place->parent;
    strcpy(subject->name, place->name);
    strcpy(subject->directory_path, place->parent_path);
    strcpy(subject->file_path, place->path);
}

static void take_directory(struct nfs_subject *subject, const struct place *place)
{
    subject->directory = place->node.handle;
    strcpy(subject->directory_path, place->path);
    strcpy(subject->name, ".");
}

struct search {
    struct rpc_client *client;
    struct nfs_subject *subject;
    bool want_file, want_symlink;
    struct place *queue; /* directories still to look into, and those done */
    unsigned queued, done;
    struct error *error;
};

/* What vanished, or may not be looked at, is not what a search wants; a server that is gone is
 * another matter. */
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
        take_file(search->subject, &place);
        search->want_file = false;
    } else if (place.node.type == NF3LNK && search->want_symlink) {
        search->subject->has_symlink = true;
        search->subject->symlink = place.node.handle;
        strcpy(search->subject->symlink_path, place.path);
        search->want_symlink = false;
    } else if (place.node.type == NF3DIR && search->queued < SEARCH_DIRECTORIES) {
        search->queue[search->queued++] = place;
    }
    return !search->want_file && !search->want_symlink;
}

static int search_below(struct rpc_client *client, struct nfs_subject *subject,
                        const struct place *start, bool want_file, bool want_symlink,
                        struct error *error)
{
    struct search search = {.client = client,
                            .subject = subject,
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
static void take_base(struct nfs_subject *subject, const struct place *place)
{
    bool file = place->node.type == NF3REG;

    subject->base = file ? place->parent : place->node.handle;
    strcpy(subject->base_path, file ? place->parent_path : place->path);
}

static int settle_objects(struct nfs_subject *subject, struct rpc_client *client,
                          const struct nfs_subject_request *request, struct place *place,
                          struct error *error)
{
    int code;

    take_base(subject, place);
    if (place->node.type == NF3REG) {
        if (request->file)
            return error_set(error, ERROR_USAGE, -ENOTDIR,
                             "--file %.200s: the target %.200s is itself a file", request->file,
                             place->path);
        take_file(subject, place);
        return 0;
    }
    if (place->node.type != NF3DIR)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%.300s is neither a regular file nor a directory", place->path);
    take_directory(subject, place);
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
        take_file(subject, &file);
    }
    return search_below(client, subject, place, request->want_file && !subject->has_file,
                        request->want_symlink, error);
}

/* The first READ: what it returns, every other must. */
static int plan_read(struct nfs_subject *subject, struct rpc_client *client,
                     const struct nfs_subject_request *request, struct error *error)
{
    struct nfs_read_plan *plan = &subject->read;
    uint64_t left;
    int code;

    plan->offset = request->read_offset;
    plan->count = request->read_size;
    if (plan->offset >= subject->file_size)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "READ at offset %llu: %.200s has %llu bytes; see --offset and --file",
                         (unsigned long long)plan->offset, subject->file_path,
                         (unsigned long long)subject->file_size);
    code = nfs_read(client, &subject->file, plan->offset, plan->count, subject->file_path,
                    &plan->data, &plan->expected, error);
    if (code)
        return code;
    if (!request->verify) {
        free(plan->data);
        plan->data = NULL;
    }
    left = subject->file_size - plan->offset;
    if (plan->expected < plan->count && plan->expected < left)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "READ of %u bytes returned %u: more than this server sends at once "
                         "(rtmax); use --size %u",
                         plan->count, plan->expected, plan->expected);
    return 0;
}

int nfs_subject_find(struct nfs_subject *subject, struct rpc_client *client,
                     const struct nfs_subject_request *request, struct error *error)
{
    struct place place = {.node.handle = request->root, .parent = request->root, .name = "."};
    int code;

    memset(subject, 0, sizeof *subject);
    subject->root = request->root;
    subject->export = request->export;
    snprintf(place.path, sizeof place.path, "%s", request->export);
    strcpy(place.parent_path, place.path);
    code = nfs_getattr(client, &place.node, place.path, error);
    if (code == 0)
        code = walk(client, &place, request->path, error);
    if (code == 0)
        code = settle_objects(subject, client, request, &place, error);
    if (code == 0 && request->want_read && subject->has_file)
        code = plan_read(subject, client, request, error);
    if (code)
        nfs_subject_free(subject);
    return code;
}

void nfs_subject_free(struct nfs_subject *subject)
{
    free(subject->read.data);
    free(subject->write.data);
    nfs_file_set_free(subject->files);
    subject->files = NULL;
    free(subject->verifier);
    subject->read.data = subject->write.data = NULL;
    subject->verifier = NULL;
}
