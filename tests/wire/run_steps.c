/* The operations, their frequencies and order; and checking everything. */
#include "run.h"

enum {
    STEPS = 4000,
    STEPS_BETWEEN_CHECKS = 125,
    STEPS_GROWING = 300, /* before the same number of steps in which more is removed */
    GONE_LOOKED_AT = 50, /* objects, at each check of everything */
};

/* How often each is done while the tree grows, and while it shrinks. */
static const struct action {
    void (*take)(struct run *run);
    unsigned weights[2];
} actions[] = {
    {step_getattr, {3, 3}},  {step_setattr, {10, 10}}, {step_lookup, {6, 6}},
    {step_readlink, {2, 2}}, {step_read, {8, 8}},      {step_write, {14, 10}},
    {step_create, {14, 5}},  {step_mkdir, {10, 5}},    {step_symlink, {3, 1}},
    {step_mknod, {3, 1}},    {step_link, {10, 4}},     {step_remove, {8, 24}},
    {step_rename, {24, 24}}, {step_rmdir, {4, 12}},    {step_list, {16, 16}},
};

static void take_step(struct run *run)
{
    unsigned phase = run->step / STEPS_GROWING % 2, sum = 0, chosen;

    for (size_t i = 0; i < COUNT_OF(actions); i++)
        sum += actions[i].weights[phase];
    chosen = run_below(run, sum);
    for (size_t i = 0; i < COUNT_OF(actions); i++) {
        if (chosen < actions[i].weights[phase]) {
            actions[i].take(run);
            return;
        }
        chosen -= actions[i].weights[phase];
    }
}

/* Everything */

static void check_object(struct run *run, struct model_object *object)
{
    run_getattr(run, object);
    if (object->type == NF3REG)
        run_read(run, object, 0, MODEL_DATA + 1);
    if (object->type == NF3LNK)
        run_readlink(run, object);
    if (!model_is_directory(object))
        return;
    for (size_t i = 0; run_names[i]; i++)
        run_lookup(run, (struct model_place){object, run_names[i]});
    run_lookup_dots(run, object, false);
    run_lookup_dots(run, object, true);
    run_list(run, object, run_one_in(run, 2));
}

/* Each number belongs to one object. */
static void check_fileids(const struct run *run)
{
    const struct model_object *objects = run->model.objects;

    for (unsigned i = 0; i < run->model.object_count; i++)
        for (unsigned k = 0; objects[i].alive && k < i; k++)
            if (objects[k].alive && objects[k].fileid == objects[i].fileid)
                fail_msg("objects %u and %u have the same fileid", k, i);
}

/* The server has the same number of objects. */
static void check_count(struct run *run)
{
    FSSTAT3args arguments = {.fsroot = run_handle(&run->model.objects[0])};
    FSSTAT3res result;

    RUN_DOING(run, "FSSTAT");
    RUN_CALL(run, FSSTAT, &arguments, &result);
    assert_int_equal(result.status, NFS3_OK);
    assert_int_equal(result.FSSTAT3res_u.resok.tfiles - result.FSSTAT3res_u.resok.ffiles,
                     model_alive(&run->model));
}

static void check_all(struct run *run)
{
    for (unsigned i = 0; i < run->model.object_count; i++)
        if (run->model.objects[i].alive)
            check_object(run, &run->model.objects[i]);
    for (unsigned i = 0; i < GONE_LOOKED_AT; i++)
        run_getattr(run, run_pick_one(run, RUN_GONE));
    check_fileids(run);
    check_count(run);
}

/* Beginning and ending */

/* Mount: the root's handle. */
static void mount_root(struct run *run)
{
    struct model_object *root = &run->model.objects[0];
    GETATTR3args getattr_arguments;
    GETATTR3res attributes;
    uint8_t request[REQUEST_MAXIMUM];
    mountres3 result;

    RUN_DOING(run, "MNT");
    run_ask(run, request,
            make_call(request, MOUNT_PROGRAM, MOUNT_V3, MOUNTPROC3_MNT, 0, "00000007 '/export' 00"),
            false);
    decode(run->client, (xdrproc_t)xdr_mountres3, &result, sizeof result);
    assert_int_equal(result.fhs_status, MNT3_OK);
    run_learn(root, result.mountres3_u.mountinfo.fhandle.fhandle3_len,
              result.mountres3_u.mountinfo.fhandle.fhandle3_val, 0);
    xdr_free((xdrproc_t)xdr_mountres3, (char *)&result);
    getattr_arguments.object = run_handle(root);
    RUN_CALL(run, GETATTR, &getattr_arguments, &attributes);
    root->fileid = attributes.GETATTR3res_u.resok.obj_attributes.fileid;
}

/* Add the server's initial contents to the model, so that they can be removed from both. Data are
 * left out: no operation reads them before. */
static struct model_object *learn_first(struct run *run, struct model_place place)
{
    LOOKUP3args arguments = {.what = run_at(place)};
    const LOOKUP3resok *found;
    const fattr3 *attributes;
    struct model_object *object;
    LOOKUP3res result;

    RUN_DOING(run, "LOOKUP " RUN_PLACE_FORMAT, RUN_PLACE(run, place));
    RUN_CALL(run, LOOKUP, &arguments, &result);
    assert_int_equal(result.status, NFS3_OK);
    found = &result.LOOKUP3res_u.resok;
    attributes = &found->obj_attributes.post_op_attr_u.attributes;
    object = model_make(&run->model, place, attributes->type, attributes->mode);
    run_learn(object, found->object.data.data_len, found->object.data.data_val, attributes->fileid);
    RUN_FREE(LOOKUP, &result);
    return object;
}

static void learn_all_first(struct run *run)
{
    static const char *const there[] = {"file",  "file1", "file2", "file3",
                                        "file4", "file5", "link",  "dir"};
    struct model_object *last = NULL;

    for (size_t i = 0; i < COUNT_OF(there); i++)
        last = learn_first(run, (struct model_place){&run->model.objects[0], there[i]});
    learn_first(run, (struct model_place){last, "hello"});
}

/* Remove everything, first names and then the directories that are empty. */
static void remove_all(struct run *run)
{
    unsigned i = 0;

    while (run->model.name_count > 0) {
        const struct model_name *name = &run->model.names[i % run->model.name_count];
        struct model_place place = {name->parent, name->name};

        if (!model_is_directory(name->object))
            run_remove(run, place);
        else if (model_entries(&run->model, name->object) == 0)
            run_rmdir(run, place);
        else
            i++;
    }
}

void run_steps(struct run *run)
{
    mount_root(run);
    learn_all_first(run);
    remove_all(run);
    check_all(run);
    for (run->step = 1; run->step <= STEPS; run->step++) {
        take_step(run);
        if (run->step % STEPS_BETWEEN_CHECKS == 0)
            check_all(run);
    }
    remove_all(run);
    check_all(run);
    run->doing[0] = '\0';
}
