/* Operations that change nothing. */
#include "run.h"

void run_lookup(struct run *run, struct model_place place)
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

void run_lookup_dots(struct run *run, struct model_object *directory, bool up)
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

void run_readlink(struct run *run, const struct model_object *object)
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

void run_read(struct run *run, const struct model_object *object, uint64_t offset, uint32_t count)
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

/* With random arguments */

void step_getattr(struct run *run)
{
    run_getattr(run, run_pick(run, RUN_ALIVE));
}

void step_lookup(struct run *run)
{
    struct model_place place = run_pick_taken(run);

    if (run_one_in(run, 5))
        run_lookup_dots(run, place.directory, run_one_in(run, 2));
    else
        run_lookup(run, place);
}

void step_readlink(struct run *run)
{
    run_readlink(run, run_pick(run, RUN_SYMLINK));
}

void step_read(struct run *run)
{
    const struct model_object *object = run_pick(run, RUN_FILE);
    uint32_t offset = run_below(run, MODEL_DATA + 4096);

    run_read(run, object, offset, run_one_in(run, 10) ? 0 : run_below(run, 8192));
}
