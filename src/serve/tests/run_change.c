/* The random operations that change the server's tree. */
#include "run.h"

enum { WRITE_MAXIMUM = 6000 };

static sattr3 sattr_mode(uint32_t mode)
{
    sattr3 attributes = {.mode = {TRUE, {mode}}};

    return attributes;
}

/* Making */

/* Check the server's HANDLE and ATTRIBUTES of OBJECT; store handle and fileid if OBJECT is new. */
static void check_made(struct run *run, struct model_object *object, const post_op_fh3 *handle,
                       const post_op_attr *attributes)
{
    const nfs_fh3 *given = &handle->post_op_fh3_u.handle;

    assert_all((handle->handle_follows), (attributes->attributes_follow));
    if (object->handle_length == 0)
        run_learn(object, given->data.data_len, given->data.data_val,
                  attributes->post_op_attr_u.attributes.fileid);
    check_handle(given, object);
    check_post_op(run, attributes, object);
    /* The object belongs to the only caller. */
    assert_int_equal(attributes->post_op_attr_u.attributes.uid, 0);
    assert_int_equal(attributes->post_op_attr_u.attributes.gid, 50);
}

/* Check and free RESULT of a procedure that makes something in DIRECTORY. OBJECT is NULL if the
 * call failed. If CHANGED, a successful call must have changed DIRECTORY, else not. */
static void check_making(struct run *run, CREATE3res *result, struct model_object *object,
                         const struct model_object *directory, bool changed)
{
    const CREATE3resok *ok = &result->CREATE3res_u.resok;

    if (object)
        check_made(run, object, &ok->obj, &ok->obj_attributes);
    check_wcc(run, object ? &ok->dir_wcc : &result->CREATE3res_u.resfail.dir_wcc, directory,
              object && changed);
    RUN_FREE(CREATE, result);
}

/* Make an object of TYPE with MODE and TEXT at PLACE by PROCEDURE, and compare the status with
 * VERDICT. If the server has made the object, make it in the model, too. */
static void make_one(struct run *run, uint32_t procedure, xdrproc_t xdr, void *arguments,
                     struct model_place place, struct model_verdict verdict, ftype3 type,
                     uint32_t mode, const char *text)
{
    struct model_object *object = NULL;
    CREATE3res result;

    RUN_DOING(run, "%s " RUN_PLACE_FORMAT, server_procedure_name(procedure), RUN_PLACE(run, place));
    run_ask_nfs(run, procedure, xdr, arguments, (xdrproc_t)xdr_CREATE3res, &result, sizeof result);
    check_status(result.status, verdict);
    if (result.status == NFS3_OK) {
        object = model_make(&run->model, place, type, mode);
        if (*text)
            model_write(object, 0, text, strlen(text));
    }
    check_making(run, &result, object, place.directory, true);
}

static createhow3 pick_how(struct run *run)
{
    createhow3 how = {.mode = (createmode3)run_below(run, 3)};

    if (how.mode == EXCLUSIVE) {
        memset(how.createhow3_u.verf, 'A' + (int)run_below(run, 2), sizeof how.createhow3_u.verf);
        return how;
    }
    how.createhow3_u.obj_attributes = sattr_mode(run_pick_mode(run));
    how.createhow3_u.obj_attributes.size.set_it = run_one_in(run, 3);
    how.createhow3_u.obj_attributes.size.set_size3_u.size =
        run_one_in(run, 2) ? 0 : run_below(run, MODEL_DATA + 1);
    return how;
}

/* Carry out a successful CREATE on the model. Sets *MADE to whether the file is new. An exclusive
 * CREATE has no mode, so only the owner gets access. */
static struct model_object *model_create(struct run *run, struct model_place place,
                                         const createhow3 *how, bool *made)
{
    const sattr3 *attributes = &how->createhow3_u.obj_attributes;
    struct model_name *name = model_find(&run->model, place);
    struct model_object *object = name ? name->object : NULL;

    *made = !object;
    if (!object)
        object = model_make(&run->model, place, NF3REG,
                            how->mode == EXCLUSIVE ? 0600 : attributes->mode.set_mode3_u.mode);
    if (how->mode == EXCLUSIVE) {
        object->exclusive = true;
        memcpy(object->verifier, how->createhow3_u.verf, sizeof object->verifier);
    } else if (attributes->size.set_it) {
        model_resize(object, attributes->size.set_size3_u.size);
    }
    return object;
}

void step_create(struct run *run)
{
    struct model_place place = run_pick_place(run);
    CREATE3args arguments = {.where = run_at(place), .how = pick_how(run)};
    nfsstat3 expected =
        model_check_create(&run->model, place, arguments.how.mode, arguments.how.createhow3_u.verf);
    struct model_object *object = NULL;
    CREATE3res result;
    bool made = false;

    RUN_DOING(run, "CREATE mode %d " RUN_PLACE_FORMAT, (int)arguments.how.mode,
              RUN_PLACE(run, place));
    RUN_CALL(run, CREATE, &arguments, &result);
    assert_int_equal(result.status, expected);
    if (result.status == NFS3_OK)
        object = model_create(run, place, &arguments.how, &made);
    check_making(run, &result, object, place.directory, made);
}

void step_mkdir(struct run *run)
{
    struct model_place place = run_pick_place(run);
    uint32_t mode = run_pick_mode(run);
    MKDIR3args arguments = {.where = run_at(place), .attributes = sattr_mode(mode)};
    nfsstat3 expected = model_check_free(&run->model, place);

    if (expected != NFS3_OK || run_count(run, RUN_DIRECTORY) < RUN_DIRECTORIES)
        make_one(run, NFSPROC3_MKDIR, (xdrproc_t)xdr_MKDIR3args, &arguments, place,
                 model_either(expected, expected), NF3DIR, mode, "");
}

void step_symlink(struct run *run)
{
    struct model_place place = run_pick_place(run);
    uint32_t mode = run_pick_mode(run);
    const char *text = run_one_in(run, 20) ? "" : run_pick_name(run);
    SYMLINK3args arguments = {.where = run_at(place),
                              .symlink = {.symlink_attributes = sattr_mode(mode),
                                          .symlink_data = (char *)(uintptr_t)text}};
    nfsstat3 expected = model_check_free(&run->model, place);

    make_one(run, NFSPROC3_SYMLINK, (xdrproc_t)xdr_SYMLINK3args, &arguments, place,
             model_either(*text ? expected : NFS3ERR_INVAL, expected), NF3LNK, mode, text);
}

void step_mknod(struct run *run)
{
    struct model_place place = run_pick_place(run);
    uint32_t mode = run_pick_mode(run);
    MKNOD3args arguments = {.where = run_at(place), .what = {.type = NF3FIFO}};
    nfsstat3 expected = model_check_free(&run->model, place);

    arguments.what.mknoddata3_u.pipe_attributes = sattr_mode(mode);
    make_one(run, NFSPROC3_MKNOD, (xdrproc_t)xdr_MKNOD3args, &arguments, place,
             model_either(expected, expected), NF3FIFO, mode, "");
}

void step_link(struct run *run)
{
    struct model_object *object = run_pick(run, run_one_in(run, 8) ? RUN_ALIVE : RUN_FILE);
    struct model_place place = run_pick_place(run);
    LINK3args arguments = {.file = run_handle(object), .link = run_at(place)};
    struct model_verdict verdict = model_check_link(&run->model, object, place);
    LINK3res result;

    RUN_DOING(run, "LINK %u " RUN_PLACE_FORMAT, run_number(run, object), RUN_PLACE(run, place));
    RUN_CALL(run, LINK, &arguments, &result);
    check_status(result.status, verdict);
    if (result.status == NFS3_OK)
        model_link(&run->model, place, object);
    /* The results have the same form on success and on failure. */
    check_post_op(run, &result.LINK3res_u.resok.file_attributes, object);
    check_wcc(run, &result.LINK3res_u.resok.linkdir_wcc, place.directory, result.status == NFS3_OK);
}

/* Removing, moving */

void run_remove(struct run *run, struct model_place place, uint32_t procedure)
{
    REMOVE3args arguments = {.object = run_at(place)};
    nfsstat3 expected = procedure == NFSPROC3_REMOVE ? model_check_remove(&run->model, place)
                                                     : model_check_rmdir(&run->model, place);
    REMOVE3res result;

    RUN_DOING(run, "%s " RUN_PLACE_FORMAT, server_procedure_name(procedure), RUN_PLACE(run, place));
    run_ask_nfs(run, procedure, (xdrproc_t)xdr_REMOVE3args, &arguments, (xdrproc_t)xdr_REMOVE3res,
                &result, sizeof result);
    assert_int_equal(result.status, expected);
    if (result.status == NFS3_OK)
        model_remove(&run->model, place);
    check_wcc(run, &result.REMOVE3res_u.resok.dir_wcc, place.directory, result.status == NFS3_OK);
}

void step_remove(struct run *run)
{
    run_remove(run, run_pick_taken(run), NFSPROC3_REMOVE);
}

/* Often try to remove an existing directory; never the root, which has no name. */
void step_rmdir(struct run *run)
{
    const struct model_object *directory = run_pick_one(run, RUN_DIRECTORY);
    struct model_place place = run_pick_taken(run);

    for (unsigned i = 0; i < run->model.name_count; i++) {
        const struct model_name *name = &run->model.names[i];

        if (name->object == directory && run_one_in(run, 2))
            place = (struct model_place){name->parent, name->name};
    }
    run_remove(run, place, NFSPROC3_RMDIR);
}

void step_rename(struct run *run)
{
    struct model_place from = run_pick_taken(run);
    struct model_place to = run_one_in(run, 2) ? run_pick_taken(run) : run_pick_place(run);
    struct model_verdict verdict;
    RENAME3args arguments;
    RENAME3res result;
    bool changed;

    if (run_one_in(run, 5))
        to.directory = from.directory;
    arguments = (RENAME3args){.from = run_at(from), .to = run_at(to)};
    verdict = model_check_rename(&run->model, from, to);
    RUN_DOING(run, "RENAME " RUN_PLACE_FORMAT " to " RUN_PLACE_FORMAT, RUN_PLACE(run, from),
              RUN_PLACE(run, to));
    RUN_CALL(run, RENAME, &arguments, &result);
    check_status(result.status, verdict);
    if (result.status == NFS3_OK)
        model_rename(&run->model, from, to);
    /* Renaming one name of an object to another does nothing, so the old name still exists. */
    changed = result.status == NFS3_OK && !model_find(&run->model, from);
    check_wcc(run, &result.RENAME3res_u.resok.fromdir_wcc, from.directory, changed);
    check_wcc(run, &result.RENAME3res_u.resok.todir_wcc, to.directory, changed);
}

/* Data and attributes */

static void check_write_verifier(struct run *run, const char *verifier)
{
    if (!run->has_write_verifier)
        memcpy(run->write_verifier, verifier, sizeof run->write_verifier);
    run->has_write_verifier = true;
    assert_memory_equal(run->write_verifier, verifier, sizeof run->write_verifier);
}

void step_write(struct run *run)
{
    struct model_object *object = run_pick(run, RUN_FILE);
    uint8_t data[WRITE_MAXIMUM];
    uint32_t length = run_one_in(run, 20) ? 0 : run_below(run, sizeof data) + 1;
    uint32_t offset = run_below(run, MODEL_DATA - length + 1);
    WRITE3args arguments = {.file = run_handle(object),
                            .offset = offset,
                            .count = length,
                            .stable = (stable_how)run_below(run, 3),
                            .data = {length, (char *)data}};
    WRITE3res result;

    for (uint32_t i = 0; i < length; i++)
        data[i] = (uint8_t)random_next(&run->random);
    RUN_DOING(run, "WRITE %u: %u at %u", run_number(run, object), length, offset);
    RUN_CALL(run, WRITE, &arguments, &result);
    assert_int_equal(result.status, model_check_file(object));
    if (result.status == NFS3_OK) {
        const WRITE3resok *written = &result.WRITE3res_u.resok;

        model_write(object, offset, data, length);
        assert_all((written->count, length), (written->committed >= arguments.stable));
        check_write_verifier(run, written->verf);
    }
    check_wcc(run, &result.WRITE3res_u.resok.file_wcc, object,
              result.status == NFS3_OK && length > 0);
}

/* Return the status of a SETATTR on OBJECT that sets the size if SET_SIZE. */
static nfsstat3 check_size(const struct model_object *object, bool set_size)
{
    return set_size ? model_check_file(object) : model_check(object);
}

void step_setattr(struct run *run)
{
    struct model_object *object = run_pick(run, run_one_in(run, 4) ? RUN_ALIVE : RUN_FILE);
    bool set_size = run_one_in(run, 2), guarded = run_one_in(run, 3), in_time = run_one_in(run, 2);
    uint32_t size = run_below(run, MODEL_DATA + 1), mode = run_pick_mode(run);
    SETATTR3args arguments = {.object = run_handle(object)};
    nfsstat3 expected = check_size(object, set_size);
    SETATTR3res result;

    arguments.new_attributes.size = (set_size3){.set_it = set_size, .set_size3_u.size = size};
    if (!set_size || run_one_in(run, 2))
        arguments.new_attributes =
            (sattr3){.mode = {TRUE, {mode}}, .size = arguments.new_attributes.size};
    if (guarded) {
        arguments.guard.check = TRUE;
        arguments.guard.sattrguard3_u.obj_ctime = run_getattr(run, object);
        if (!in_time)
            arguments.guard.sattrguard3_u.obj_ctime.seconds--;
    }
    RUN_DOING(run, "SETATTR %u: size %d (%u), guard %d (%d)", run_number(run, object), set_size,
              size, guarded, in_time);
    RUN_CALL(run, SETATTR, &arguments, &result);
    if (guarded && !in_time && object->alive)
        check_status(result.status, model_either(NFS3ERR_NOT_SYNC, expected));
    else
        assert_int_equal(result.status, expected);
    if (result.status == NFS3_OK && set_size)
        model_resize(object, size);
    if (result.status == NFS3_OK && arguments.new_attributes.mode.set_it)
        object->mode = mode;
    check_wcc(run, &result.SETATTR3res_u.resok.obj_wcc, object, result.status == NFS3_OK);
}
