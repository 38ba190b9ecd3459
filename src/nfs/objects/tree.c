#include "nfs/objects/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "nfs/client.h"
#include "nfs/status.h"

enum {
    /* The visit function returns this value, which is not a status, when the working set is
     * complete or memory is short. */
    TREE_IS_CUT = INT32_MAX,
};

/* Collecting objects */

struct collecting {
    struct nfs_tree *tree;
    struct nfs_extent extent;
    struct traversal_limit *limit;
    bool failed; /* out of memory */
};

static int add_name(struct nfs_tree *tree, const char *name)
{
    const size_t length = strlen(name) + 1, wanted = tree->text_length + length;

    if (wanted > UINT32_MAX || array_reserve(&tree->text, &tree->text_room, wanted, 1) != 0)
        return -ENOMEM;
    memcpy(tree->text + tree->text_length, name, length);
    tree->text_length = wanted;
    return 0;
}

/* Make room for one more object in LIST. Returns 0 or -ENOMEM. After -ENOMEM, some arrays of LIST
 * may have more room than others. */
static int grow_list(struct nfs_tree_list *list)
{
    const size_t wanted = list->count + 1;
    size_t of_directories = list->room, of_names = list->room;

    return array_reserve(&list->directories, &of_directories, wanted, sizeof *list->directories) ||
                   array_reserve(&list->names, &of_names, wanted, sizeof *list->names) ||
                   array_reserve(&list->handles, &list->room, wanted, sizeof *list->handles)
               ? -ENOMEM
               : 0;
}

static int add_object(struct nfs_tree *tree, struct nfs_tree_list *list,
                      const struct nfs_found *found)
{
    size_t name = tree->text_length;

    if (grow_list(list) != 0 || add_name(tree, found->name) != 0)
        return -ENOMEM;
    list->handles[list->count] = found->handle;
    list->directories[list->count] = found->directory;
    list->names[list->count] = (uint32_t)name;
    list->count++;
    return 0;
}

static int add_file(struct nfs_tree *tree, const struct nfs_found *found)
{
    size_t room = tree->files.room;

    if (array_reserve(&tree->sizes, &room, tree->files.count + 1, sizeof *tree->sizes) != 0)
        return -ENOMEM;
    tree->sizes[tree->files.count] = found->attributes.size;
    tree->bytes += found->attributes.size;
    return add_object(tree, &tree->files, found);
}

static bool is_complete(const struct nfs_tree *tree, const struct nfs_extent *extent)
{
    return (extent->files && tree->files.count >= extent->files) ||
           (extent->bytes && tree->bytes >= extent->bytes);
}

static int collect_object(void *context, const struct nfs_found *found)
{
    struct collecting *collecting = context;
    struct nfs_tree *tree = collecting->tree;
    const uint64_t room = sizeof *tree->files.handles + 2 * sizeof *tree->files.names +
                          sizeof *tree->sizes + strlen(found->name) + 1;
    int code = 0;

    if (found->attributes.type == NF3REG && is_complete(tree, &collecting->extent))
        return TREE_IS_CUT;
    if (!traversal_allows(collecting->limit, 0, room))
        return collecting->limit->met;
    if (found->attributes.type == NF3REG)
        code = add_file(tree, found);
    else if (found->attributes.type == NF3LNK)
        code = add_object(tree, &tree->symlinks, found);
    else
        tree->others++;
    collecting->failed = code != 0;
    return code ? TREE_IS_CUT : 0;
}

/* Traversal */

static int describe_tree_failure(const struct nfs_traversal *traversal, const char *procedure,
                                 int status, const char *path, struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE];

    if (status == -EBADMSG)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the result of %s below %.300s can't be decoded (RPC_CANTDECODERES)",
                         procedure, path);
    if (status > 0 && traversal->request.findings->failure[0])
        return error_set(error, ERROR_FAILED, -EIO, "%s", traversal->request.findings->failure);
    if (status == -ENOMEM)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the tree %.300s", path);
    return error_set(error, ERROR_FAILED, -EIO,
                     "%s below %.300s was answered by %s, after %llu entries", procedure, path,
                     nfs_status_name(status, name), (unsigned long long)traversal->counts.entries);
}

static int exchange_call(struct rpc_client *client, const struct rpc_procedure *procedure,
                         const struct channel_message *message, struct rpc_client_reply *reply,
                         struct error *error)
{
    int code = 0;

    for (int i = 0; i < NFS_JUKEBOX_TRIES && code == 0; i++) {
        struct wire_reader status;

        *reply = (struct rpc_client_reply){.length = 0};
        code = rpc_client_exchange(client, procedure, message, reply, error);
        status = reply->results;
        if (code || wire_get_u32(&status) != NFS3ERR_JUKEBOX || !nfs_pause(client))
            break;
    }
    return code;
}

static int traverse_tree(struct nfs_traversal *traversal, struct rpc_client *client,
                         const char *path, bool *complete, struct error *error)
{
    const struct rpc_procedure *procedure;
    const struct channel_message *message;
    struct rpc_client_reply reply;
    uint32_t tag;
    int code = 0;

    nfs_traversal_begin(traversal);
    while (code == 0 && !*complete && (message = nfs_traversal_next(traversal, &tag, &procedure))) {
        int status;

        code = exchange_call(client, procedure, message, &reply, error);
        if (code)
            break;
        status = nfs_traversal_read_reply(traversal, tag, &reply.results);
        *complete = status == TREE_IS_CUT || (status && status == traversal->limit.met);
        if (status && !*complete)
            code = describe_tree_failure(traversal, procedure->name, status, path, error);
    }
    return code;
}

static void keep_directories(struct nfs_tree *tree, struct nfs_traversal *traversal)
{
    tree->counts = traversal->counts;
    tree->directories = traversal->directories;
    tree->directory_count = traversal->directory_count;
    traversal->directories = NULL;
}

static int lay_blocks(struct nfs_tree *tree, uint32_t length)
{
    tree->blocks = calloc(tree->files.count + 1, sizeof *tree->blocks);
    if (!tree->blocks)
        return -ENOMEM;
    for (size_t i = 0; i < tree->files.count; i++)
        tree->blocks[i + 1] = tree->blocks[i] + (tree->sizes[i] + length - 1) / length;
    return 0;
}

static int collect_tree(struct nfs_tree *tree, struct rpc_client *client,
                        const struct nfs_tree_request *request, struct error *error)
{
    struct nfs_traversal traversal;
    struct collecting collecting = {tree, request->extent, &traversal.limit, false};
    const struct nfs_traversal_request wanted = {.top = request->top,
                                                 .path = request->path,
                                                 .identity = request->identity,
                                                 .width = 1,
                                                 .handles = true,
                                                 .visit = collect_object,
                                                 .context = &collecting,
                                                 .findings = &collecting.tree->findings,
                                                 .examined = true};
    bool complete = false;
    int code = nfs_traversal_open(&traversal, &wanted);

    if (code == 0)
        code = traverse_tree(&traversal, client, request->path, &complete, error);
    tree->cut = complete;
    if (complete) /* a limit ended the traversal, which is not a failure */
        tree->findings.failure[0] = '\0';
    tree->met = traversal.limit.met;
    keep_directories(tree, &traversal);
    nfs_traversal_close(&traversal);
    if (collecting.failed || code == -ENOMEM || lay_blocks(tree, request->read_size) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the tree %.300s",
                         request->path);
    return code;
}

int nfs_tree_make(struct nfs_tree **tree, struct rpc_client *client,
                  const struct nfs_tree_request *request, struct error *error)
{
    *tree = calloc(1, sizeof **tree);
    if (!*tree)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the tree %.300s",
                         request->path);
    return collect_tree(*tree, client, request, error);
}

/* Use the largest file of TREE as the file of OBJECTS, because the series of the cost model use
 * only one file. */
static void use_largest_file(struct nfs_objects *objects, const struct nfs_tree *tree)
{
    size_t longest = 0;

    for (size_t i = 1; i < tree->files.count; i++)
        longest = tree->sizes[i] > tree->sizes[longest] ? i : longest;
    objects->has_file = tree->files.count > 0;
    if (!objects->has_file)
        return;
    objects->file = tree->files.handles[longest];
    objects->file_size = tree->sizes[longest];
    snprintf(objects->name, sizeof objects->name, "%s", tree->text + tree->files.names[longest]);
}

int nfs_tree_use(struct nfs_objects *objects, struct nfs_tree *tree, uint32_t read_size)
{
    struct nfs_file_set *set = calloc(1, sizeof *set);

    if (!set) {
        nfs_tree_free(tree);
        return -ENOMEM;
    }
    *set = (struct nfs_file_set){
        .handles = tree->files.handles, .count = (uint32_t)tree->files.count, .tree = tree};
    objects->files = set;
    objects->read = (struct nfs_read_plan){.count = read_size, .to_end = true};
    use_largest_file(objects, tree);
    objects->directory = tree->directories[0].handle;
    strcpy(objects->file_path, objects->base_path);
    strcpy(objects->symlink_path, objects->base_path);
    objects->has_symlink = tree->symlinks.count > 0;
    if (objects->has_symlink)
        objects->symlink = tree->symlinks.handles[0];
    return 0;
}

static void free_list(struct nfs_tree_list *list)
{
    free(list->handles);
    free(list->directories);
    free(list->names);
}

void nfs_tree_free(struct nfs_tree *tree)
{
    if (!tree)
        return;
    free_list(&tree->files);
    free_list(&tree->symlinks);
    free(tree->sizes);
    free(tree->directories);
    free(tree->text);
    free(tree->blocks);
    free(tree);
}
