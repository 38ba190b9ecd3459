#include "run.h"

/* Statuses that procedures returned in all runs, for test_all_came_up(). */
static struct met {
    uint32_t procedure;
    nfsstat3 status;
    unsigned long times;
} met[300];
static unsigned met_count;

static void note(uint32_t procedure, nfsstat3 status)
{
    for (unsigned i = 0; i < met_count; i++)
        if (met[i].procedure == procedure && met[i].status == status) {
            met[i].times++;
            return;
        }
    assert_true(met_count < COUNT_OF(met));
    met[met_count++] = (struct met){procedure, status, 1};
}

unsigned long run_times_met(uint32_t procedure, nfsstat3 status)
{
    for (unsigned i = 0; i < met_count; i++)
        if (met[i].procedure == procedure && met[i].status == status)
            return met[i].times;
    return 0;
}

/* Random choices */

uint32_t run_below(struct run *run, uint32_t bound)
{
    return random_below(&run->random, bound);
}

bool run_one_in(struct run *run, uint32_t bound)
{
    return run_below(run, bound) == 0;
}

/* One name has the maximum length, 255 bytes. */
#define FIFTY   "##################################################"
#define LONGEST FIFTY FIFTY FIFTY FIFTY FIFTY "12345"
const char *const run_names[] = {
    "a",     "b", "c", "d e", "\xc3\xa9", "file", "file.tmp", "directory", "a-name-of-more-words",
    LONGEST, NULL};

const char *run_pick_name(struct run *run)
{
    return run_names[run_below(run, COUNT_OF(run_names) - 1)];
}

static bool is_kind(const struct model_object *object, enum run_kind kind)
{
    static const ftype3 types[] = {
        [RUN_DIRECTORY] = NF3DIR, [RUN_FILE] = NF3REG, [RUN_SYMLINK] = NF3LNK};

    if (!object->alive || kind == RUN_GONE)
        return !object->alive && kind == RUN_GONE;
    return kind == RUN_ALIVE || object->type == types[kind];
}

unsigned run_count(const struct run *run, enum run_kind kind)
{
    unsigned count = 0;

    for (unsigned i = 0; i < run->model.object_count; i++)
        count += is_kind(&run->model.objects[i], kind);
    return count;
}

struct model_object *run_pick_one(struct run *run, enum run_kind kind)
{
    unsigned count = run_count(run, kind);
    uint32_t chosen = run_below(run, count ? count : 1);

    for (unsigned i = 0; i < run->model.object_count; i++)
        if (is_kind(&run->model.objects[i], kind) && chosen-- == 0)
            return &run->model.objects[i];
    return &run->model.objects[0];
}

struct model_object *run_pick(struct run *run, enum run_kind kind)
{
    uint32_t chance = run_below(run, 100);

    if (chance < 2)
        return &run->model.stranger;
    return run_pick_one(run, chance < 6 ? RUN_GONE : chance < 12 ? RUN_ALIVE : kind);
}

struct model_place run_pick_place(struct run *run)
{
    return (struct model_place){run_pick(run, RUN_DIRECTORY), run_pick_name(run)};
}

struct model_place run_pick_taken(struct run *run)
{
    const struct model_name *name;

    if (run->model.name_count == 0 || run_one_in(run, 4))
        return run_pick_place(run);
    name = &run->model.names[run_below(run, run->model.name_count)];
    return (struct model_place){name->parent, name->name};
}

uint32_t run_pick_mode(struct run *run)
{
    static const uint32_t modes[] = {0, 0644, 0600, 0755, 0700, 0777, 01777, 04755, 0111};

    return modes[run_below(run, COUNT_OF(modes))];
}

/* Calls */

unsigned run_number(const struct run *run, const struct model_object *object)
{
    return object->foreign ? UINT32_MAX : (unsigned)(object - run->model.objects);
}

nfs_fh3 run_handle(const struct model_object *object)
{
    return (nfs_fh3){.data = {object->handle_length, (char *)(uintptr_t)object->handle}};
}

diropargs3 run_at(struct model_place place)
{
    return (diropargs3){.dir = run_handle(place.directory), .name = (char *)(uintptr_t)place.name};
}

void run_ask(struct run *run, const uint8_t *request, size_t length, bool repeat)
{
    struct fixture *client = run->client;

    client->length = run->exchange(run->server, request, length, client->reply);
    if (repeat) {
        uint8_t *first = exact_copy(client->reply, client->length);
        size_t first_length = client->length;

        client->length = run->exchange(run->server, request, length, client->reply);
        assert_int_equal(client->length, first_length);
        assert_memory_equal(client->reply, first, first_length);
        free(first);
    }
    client->results = wire_reader(client->reply, client->length);
    assert_int_equal(rpc_reply_decode(&client->results, &client->header), 0);
}

static bool must_not_be_done_twice(uint32_t procedure)
{
    return procedure == NFSPROC3_SETATTR ||
           (procedure >= NFSPROC3_CREATE && procedure <= NFSPROC3_LINK);
}

void run_ask_nfs(struct run *run, uint32_t procedure, xdrproc_t xdr, void *arguments,
                 xdrproc_t xdr_result, void *result, size_t size)
{
    uint8_t request[REQUEST_MAXIMUM];
    size_t length = encode_call(run->client, request, NFS_PROGRAM, procedure, 0, xdr, arguments);

    run_ask(run, request, length, must_not_be_done_twice(procedure) && run_one_in(run, 8));
    assert_int_equal(run->client->header.xid, run->client->xid);
    decode(run->client, xdr_result, result, size);
    note(procedure, *(nfsstat3 *)result);
}

/* Comparing */

void check_status(nfsstat3 status, struct model_verdict verdict)
{
    if (status != verdict.other)
        assert_int_equal(status, verdict.status);
}

void check_attributes(const struct run *run, const fattr3 *attributes,
                      const struct model_object *object)
{
    assert_all((attributes->type, object->type),
               (attributes->nlink, model_links(&run->model, object)),
               (attributes->fileid, object->fileid), (attributes->mode, object->mode));
    if (!model_is_directory(object))
        assert_int_equal(attributes->size, object->size);
}

void check_post_op(const struct run *run, const post_op_attr *attributes,
                   const struct model_object *object)
{
    assert_int_equal(attributes->attributes_follow, object->alive);
    if (object->alive)
        check_attributes(run, &attributes->post_op_attr_u.attributes, object);
}

static uint64_t ns(nfstime3 time)
{
    return (uint64_t)time.seconds * 1000000000 + time.nseconds;
}

void check_wcc(const struct run *run, const wcc_data *wcc, const struct model_object *object,
               bool changed)
{
    const wcc_attr *before = &wcc->before.pre_op_attr_u.attributes;
    const fattr3 *after = &wcc->after.post_op_attr_u.attributes;

    check_post_op(run, &wcc->after, object);
    assert_int_equal(wcc->before.attributes_follow, object->alive);
    if (!object->alive)
        return;
    assert_int_equal(ns(before->ctime) < ns(after->ctime), changed);
    if (!changed)
        assert_true(ns(before->mtime) == ns(after->mtime) && before->size == after->size);
}

void check_handle(const nfs_fh3 *handle, const struct model_object *object)
{
    assert_int_equal(handle->data.data_len, object->handle_length);
    assert_memory_equal(handle->data.data_val, object->handle, object->handle_length);
}

void run_learn(struct model_object *object, u_int length, const char *handle, fileid3 fileid)
{
    assert_in_range(length, 1, sizeof object->handle);
    memcpy(object->handle, handle, length);
    object->handle_length = length;
    object->fileid = fileid;
}
