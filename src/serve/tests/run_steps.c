/* Random operations that change nothing; the frequencies of all operations; complete checks. */
#include "run.h"

enum {
    STEPS = 4000,
    STEPS_BETWEEN_CHECKS = 125,
    STEPS_GROWING = 300, /* the tree grows for 300 steps, shrinks for 300, and so on */
    GONE_LOOKED_AT = 50, /* number of removed objects that each complete check looks at */
};

/* Reading */

static void run_lookup(struct run *run, struct model_place place)
{
    LOOKUP3args arguments = {.what = run_at(place)};
    LOOKUP3res result;

    RUN_DOING(run, "LOOKUP " RUN_PLACE_FORMAT, RUN_PLACE(run, place));
    RUN_CALL(run, LOOKUP, &arguments, &result);
    assert_int_equal(result.status, model_check_lookup(&run->model, place));
    if (result.status == NFS3_OK) {
        const LOOKUP3resok *found = &result.LOOKUP3res_u.resok;
        const struct model_object *object = model_find(&run->model, place)->object;

        check_handle(&found->object, object);
        check_post_op(run, &found->obj_attributes, object);
        check_post_op(run, &found->dir_attributes, place.directory);
    } else {
        check_post_op(run, &result.LOOKUP3res_u.resfail.dir_attributes, place.directory);
    }
    RUN_FREE(LOOKUP, &result);
}

static void run_lookup_dots(struct run *run, struct model_object *directory, bool up)
{
    LOOKUP3args arguments = {.what = run_at((struct model_place){directory, up ? ".." : "."})};
    LOOKUP3res result;

    RUN_DOING(run, "LOOKUP " RUN_PLACE_FORMAT, run_number(run, directory), arguments.what.name);
    RUN_CALL(run, LOOKUP, &arguments, &result);
    assert_int_equal(result.status, model_check_directory(directory));
    if (result.status == NFS3_OK) {
        const struct model_object *object = up ? model_parent(&run->model, directory) : directory;

        check_handle(&result.LOOKUP3res_u.resok.object, object);
        check_post_op(run, &result.LOOKUP3res_u.resok.obj_attributes, object);
    }
    RUN_FREE(LOOKUP, &result);
}

nfstime3 run_getattr(struct run *run, const struct model_object *object)
{
    GETATTR3args arguments = {.object = run_handle(object)};
    GETATTR3res result;

    RUN_DOING(run, "GETATTR %u", run_number(run, object));
    RUN_CALL(run, GETATTR, &arguments, &result);
    assert_int_equal(result.status, model_check(object));
    if (result.status != NFS3_OK)
        return (nfstime3){0, 0};
    check_attributes(run, &result.GETATTR3res_u.resok.obj_attributes, object);
    return result.GETATTR3res_u.resok.obj_attributes.ctime;
}

static void run_readlink(struct run *run, const struct model_object *object)
{
    READLINK3args arguments = {.symlink = run_handle(object)};
    READLINK3res result;
    nfsstat3 status = model_check(object);

    RUN_DOING(run, "READLINK %u", run_number(run, object));
    RUN_CALL(run, READLINK, &arguments, &result);
    assert_int_equal(result.status,
                     status == NFS3_OK && object->type != NF3LNK ? NFS3ERR_INVAL : status);
    if (result.status == NFS3_OK) {
        assert_int_equal(strlen(result.READLINK3res_u.resok.data), object->size);
        assert_memory_equal(result.READLINK3res_u.resok.data, object->data, object->size);
    }
    check_post_op(run, &result.READLINK3res_u.resok.symlink_attributes, object);
    RUN_FREE(READLINK, &result);
}

static void check_data(const READ3resok *got, const struct model_object *object, uint64_t offset,
                       uint32_t count)
{
    uint64_t left = offset < object->size ? object->size - offset : 0;

    assert_all((got->count, left < count ? left : count), (got->data.data_len, got->count),
               (got->eof, offset + got->count >= object->size));
    if (got->count > 0)
        assert_memory_equal(got->data.data_val, object->data + offset, got->count);
}

static void run_read(struct run *run, const struct model_object *object, uint64_t offset,
                     uint32_t count)
{
    READ3args arguments = {.file = run_handle(object), .offset = offset, .count = count};
    READ3res result;

    RUN_DOING(run, "READ %u: %u from %u", run_number(run, object), count, (unsigned)offset);
    RUN_CALL(run, READ, &arguments, &result);
    assert_int_equal(result.status, model_check_file(object));
    if (result.status == NFS3_OK) {
        check_post_op(run, &result.READ3res_u.resok.file_attributes, object);
        check_data(&result.READ3res_u.resok, object, offset, count);
    } else {
        check_post_op(run, &result.READ3res_u.resfail.file_attributes, object);
    }
    RUN_FREE(READ, &result);
}

static void step_getattr(struct run *run)
{
    run_getattr(run, run_pick(run, RUN_ALIVE));
}

static void step_lookup(struct run *run)
{
    struct model_place place = run_pick_taken(run);

    if (run_one_in(run, 5))
        run_lookup_dots(run, place.directory, run_one_in(run, 2));
    else
        run_lookup(run, place);
}

static void step_readlink(struct run *run)
{
    run_readlink(run, run_pick(run, RUN_SYMLINK));
}

static void step_read(struct run *run)
{
    const struct model_object *object = run_pick(run, RUN_FILE);
    uint32_t offset = run_below(run, MODEL_DATA + 4096);

    run_read(run, object, offset, run_one_in(run, 10) ? 0 : run_below(run, 8192));
}

/* Listings */

/* Check that a listed entry exists with FILEID, and was not listed before; record the entry. */
static void walk_entry(struct run *run, struct walk *walk, const char *text, fileid3 fileid)
{
    const struct model_name *name =
        model_find(&run->model, (struct model_place){walk->directory, text});
    bool dot = strcmp(text, ".") == 0, dots = strcmp(text, "..") == 0;

    if (dot || dots) {
        walk->dots[dots]++;
        assert_int_equal(fileid, dots ? model_parent(&run->model, walk->directory)->fileid
                                      : walk->directory->fileid);
        return;
    }
    if (!name)
        fail_msg("'%.20s' is listed, and is not there", text);
    for (unsigned i = 0; name && i < walk->seen_count; i++)
        if (walk->seen[i] == name->serial)
            fail_msg("'%.20s' is listed twice", text);
    assert_int_equal(fileid, name ? name->object->fileid : 0);
    assert_true(walk->seen_count < COUNT_OF(walk->seen));
    walk->seen[walk->seen_count++] = name ? name->serial : 0;
}

static bool has_seen(const struct walk *walk, uint64_t serial)
{
    for (unsigned i = 0; i < walk->seen_count; i++)
        if (walk->seen[i] == serial)
            return true;
    return false;
}

/* End a listing. Check that it had "." and ".." once, and all entries that have existed since its
 * beginning. */
static void walk_end(struct run *run, struct walk *walk)
{
    for (unsigned i = 0; i < run->model.name_count; i++) {
        const struct model_name *name = &run->model.names[i];

        if (name->parent == walk->directory && name->serial < walk->first_serial &&
            !has_seen(walk, name->serial))
            fail_msg("'%.20s' is not listed", name->name);
    }
    assert_all((walk->dots[0], 1), (walk->dots[1], 1));
    walk->directory = NULL;
}

static void walk_begin(struct run *run, struct walk *walk, struct model_object *directory,
                       bool plus)
{
    *walk =
        (struct walk){.directory = directory, .plus = plus, .first_serial = run->model.serial + 1};
}

/* Return the size in bytes of an entry called NAME, without attributes, handle, and the boolean
 * before the entry. If NAME is NULL, the entry has the longest name. */
static uint32_t entry_size(const char *name)
{
    return (uint32_t)(8 + 4 + wire_padded(name ? strlen(name) : 255) + 8);
}

/* Check that the reply is not longer than requested, and has entries unless it ends the listing. */
static void check_room(const struct run *run, uint32_t count, bool any, bool eof)
{
    assert_true(wire_left(&run->client->results) - 4 <= count); /* without the status */
    assert_true(any || eof);
}

static nfsstat3 walk_plain(struct run *run, struct walk *walk, uint32_t count)
{
    READDIR3args arguments = {
        .dir = run_handle(walk->directory), .cookie = walk->cookie, .count = count};
    READDIR3resok *list;
    READDIR3res result;
    nfsstat3 status;
    bool eof = false;

    memcpy(arguments.cookieverf, walk->verifier, sizeof walk->verifier);
    RUN_CALL(run, READDIR, &arguments, &result);
    status = result.status;
    list = &result.READDIR3res_u.resok; /* on failure, RESOK has only the attributes */
    check_post_op(run, &list->dir_attributes, walk->directory);
    if (status == NFS3_OK) {
        eof = list->reply.eof;
        check_room(run, count, list->reply.entries, eof);
        memcpy(walk->verifier, list->cookieverf, sizeof walk->verifier);
        for (const entry3 *entry = list->reply.entries; entry; entry = entry->nextentry) {
            walk_entry(run, walk, entry->name, entry->fileid);
            walk->cookie = entry->cookie;
        }
    }
    RUN_FREE(READDIR, &result);
    if (eof)
        walk_end(run, walk);
    return status;
}

static void check_entry(struct run *run, struct walk *walk, const entryplus3 *entry)
{
    struct model_place place = {walk->directory, entry->name};
    const struct model_name *name = model_find(&run->model, place);
    const struct model_object *object = name ? name->object
                                        : strcmp(entry->name, ".") == 0
                                            ? walk->directory
                                            : model_parent(&run->model, walk->directory);

    assert_true(entry->name_handle.handle_follows);
    check_handle(&entry->name_handle.post_op_fh3_u.handle, object);
    check_post_op(run, &entry->name_attributes, object);
}

static nfsstat3 walk_with_attributes(struct run *run, struct walk *walk, uint32_t dircount,
                                     uint32_t maxcount)
{
    READDIRPLUS3args arguments = {.dir = run_handle(walk->directory),
                                  .cookie = walk->cookie,
                                  .dircount = dircount,
                                  .maxcount = maxcount};
    READDIRPLUS3resok *list;
    READDIRPLUS3res result;
    uint32_t taken = 0;
    nfsstat3 status;
    bool eof = false;

    memcpy(arguments.cookieverf, walk->verifier, sizeof walk->verifier);
    RUN_CALL(run, READDIRPLUS, &arguments, &result);
    status = result.status;
    list = &result.READDIRPLUS3res_u.resok; /* on failure, RESOK has only the attributes */
    check_post_op(run, &list->dir_attributes, walk->directory);
    if (status == NFS3_OK) {
        eof = list->reply.eof;
        check_room(run, maxcount, list->reply.entries, eof);
        memcpy(walk->verifier, list->cookieverf, sizeof walk->verifier);
        for (const entryplus3 *entry = list->reply.entries; entry; entry = entry->nextentry) {
            walk_entry(run, walk, entry->name, entry->fileid);
            check_entry(run, walk, entry);
            walk->cookie = entry->cookie;
            taken += entry_size(entry->name);
        }
        assert_true(taken <= dircount);
    }
    RUN_FREE(READDIRPLUS, &result);
    if (eof)
        walk_end(run, walk);
    return status;
}

/* Continue a listing, with room for a few entries in the reply; if TINY, for none. */
static nfsstat3 walk_on(struct run *run, struct walk *walk, bool tiny)
{
    /* bytes of status, attributes, verifier, end of the list, eof */
    const uint32_t fixed = 4 + 4 + CALL_ATTRIBUTES_SIZE + NFS3_COOKIEVERFSIZE + 4 + 4;
    uint32_t count =
        tiny ? run_below(run, 100) : fixed + 4 + entry_size(NULL) + run_below(run, 400);
    uint32_t dircount = entry_size(NULL) + run_below(run, 200);

    RUN_DOING(run, "%s %u from %llu: %u bytes", walk->plus ? "READDIRPLUS" : "READDIR",
              run_number(run, walk->directory), (unsigned long long)walk->cookie, count);
    if (!walk->plus)
        return walk_plain(run, walk, count);
    if (!tiny)
        count += 4 + CALL_ATTRIBUTES_SIZE + 4 + 4 + CALL_HANDLE_MAXIMUM;
    return walk_with_attributes(run, walk, dircount, count);
}

static void run_list(struct run *run, struct model_object *directory, bool plus)
{
    struct walk *walk = calloc(1, sizeof *walk);

    walk_begin(run, walk, directory, plus);
    while (walk->directory)
        assert_int_equal(walk_on(run, walk, false), NFS3_OK);
    assert_int_equal(walk->seen_count, model_entries(&run->model, directory));
    free(walk);
}

static void step_list(struct run *run)
{
    struct walk *walk = &run->walks[run_below(run, RUN_WALKS)];
    bool tiny = run_one_in(run, 20);
    nfsstat3 status, expected;

    if (!walk->directory)
        walk_begin(run, walk, run_pick(run, RUN_DIRECTORY), run_one_in(run, 2));
    expected = model_check_directory(walk->directory);
    status = walk_on(run, walk, tiny);
    if (expected == NFS3_OK && tiny)
        expected = NFS3ERR_TOOSMALL;
    assert_int_equal(status, expected);
    if (status != NFS3_OK && status != NFS3ERR_TOOSMALL)
        walk->directory = NULL;
}

/* Steps */

/* The operations, and their frequencies while the tree grows and while it shrinks. */
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

/* Complete checks */

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

static void check_fileids(const struct run *run)
{
    const struct model_object *objects = run->model.objects;

    for (unsigned i = 0; i < run->model.object_count; i++)
        for (unsigned k = 0; objects[i].alive && k < i; k++)
            if (objects[k].alive && objects[k].fileid == objects[i].fileid)
                fail_msg("objects %u and %u have the same fileid", k, i);
}

/* Check that the server has as many objects as the model. */
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

/* Add the object at PLACE, one of the server's initial contents, to the model, so that it can be
 * removed from server and model. Its data are left out, because no operation reads them. */
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

/* Remove all names. A directory's name is removed when the directory is empty. */
static void remove_all(struct run *run)
{
    unsigned i = 0;

    while (run->model.name_count > 0) {
        const struct model_name *name = &run->model.names[i % run->model.name_count];
        struct model_place place = {name->parent, name->name};

        if (!model_is_directory(name->object))
            run_remove(run, place, NFSPROC3_REMOVE);
        else if (model_entries(&run->model, name->object) == 0)
            run_remove(run, place, NFSPROC3_RMDIR);
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
