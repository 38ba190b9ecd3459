#include "model.h"

#include <stdlib.h>
#include <string.h>

/* Queries */

struct model_name *model_find(struct model *model, struct model_place place)
{
    for (unsigned i = 0; i < model->name_count; i++)
        if (model->names[i].parent == place.directory &&
            strcmp(model->names[i].name, place.name) == 0)
            return &model->names[i];
    return NULL;
}

bool model_is_directory(const struct model_object *object)
{
    return object->type == NF3DIR;
}

unsigned model_entries(const struct model *model, const struct model_object *directory)
{
    unsigned count = 0;

    for (unsigned i = 0; i < model->name_count; i++)
        count += model->names[i].parent == directory;
    return count;
}

/* Return the number of OBJECT's links: its names (the root counts as having one), its own ".", and
 * the ".." of its subdirectories. */
unsigned model_links(const struct model *model, const struct model_object *object)
{
    unsigned count = object == &model->objects[0];

    for (unsigned i = 0; i < model->name_count; i++) {
        count += model->names[i].object == object;
        count += model->names[i].parent == object && model_is_directory(model->names[i].object);
    }
    return model_is_directory(object) ? count + 1 : count;
}

struct model_object *model_parent(struct model *model, struct model_object *directory)
{
    for (unsigned i = 0; i < model->name_count; i++)
        if (model->names[i].object == directory)
            return model->names[i].parent;
    return directory;
}

/* Is DIRECTORY the object ANCESTOR, or below it? */
static bool is_within(struct model *model, struct model_object *directory,
                      const struct model_object *ancestor)
{
    while (directory != ancestor && directory != &model->objects[0])
        directory = model_parent(model, directory);
    return directory == ancestor;
}

unsigned model_alive(const struct model *model)
{
    unsigned count = 0;

    for (unsigned i = 0; i < model->object_count; i++)
        count += model->objects[i].alive;
    return count;
}

/* Changes */

static struct model_object *add_object(struct model *model, ftype3 type, uint32_t mode)
{
    struct model_object *object = &model->objects[model->object_count++];

    if (model->object_count > MODEL_OBJECTS)
        abort();
    *object = (struct model_object){.alive = true, .type = type, .mode = mode};
    if (type == NF3REG || type == NF3LNK)
        object->data = calloc(1, MODEL_DATA);
    return object;
}

void model_link(struct model *model, struct model_place place, struct model_object *object)
{
    if (model->name_count == MODEL_NAMES)
        abort();
    model->names[model->name_count++] = (struct model_name){
        .parent = place.directory, .object = object, .name = place.name, .serial = ++model->serial};
}

struct model_object *model_make(struct model *model, struct model_place place, ftype3 type,
                                uint32_t mode)
{
    struct model_object *object = add_object(model, type, mode);

    model_link(model, place, object);
    return object;
}

/* Remove OBJECT, which has lost a name, if it has no other name. */
static void drop(struct model *model, struct model_object *object)
{
    for (unsigned i = 0; i < model->name_count; i++)
        if (model->names[i].object == object)
            return;
    object->alive = false;
    free(object->data);
    object->data = NULL;
}

void model_remove(struct model *model, struct model_place place)
{
    struct model_name *name = model_find(model, place);
    struct model_object *object = name->object;

    *name = model->names[--model->name_count];
    drop(model, object);
}

void model_rename(struct model *model, struct model_place from, struct model_place to)
{
    struct model_object *object = model_find(model, from)->object;
    struct model_name *old = model_find(model, to);
    struct model_object *replaced = old ? old->object : NULL;

    if (replaced == object)
        return;
    if (replaced)
        old->object = object;
    else
        model_link(model, to, object);
    model_remove(model, from);
    if (replaced)
        drop(model, replaced);
}

void model_resize(struct model_object *file, uint64_t size)
{
    if (size < file->size)
        memset(file->data + size, 0, file->size - size);
    file->size = size;
}

void model_write(struct model_object *file, uint64_t offset, const void *bytes, size_t length)
{
    memcpy(file->data + offset, bytes, length);
    if (length > 0 && offset + length > file->size)
        file->size = offset + length;
}

/* Expected statuses */

struct model_verdict model_either(nfsstat3 status, nfsstat3 other)
{
    return (struct model_verdict){status, other == NFS3_OK ? status : other};
}

static struct model_verdict only(nfsstat3 status)
{
    return model_either(status, status);
}

nfsstat3 model_check(const struct model_object *object)
{
    if (object->foreign)
        return NFS3ERR_BADHANDLE;
    return object->alive ? NFS3_OK : NFS3ERR_STALE;
}

nfsstat3 model_check_directory(const struct model_object *object)
{
    nfsstat3 status = model_check(object);

    return status == NFS3_OK && !model_is_directory(object) ? NFS3ERR_NOTDIR : status;
}

nfsstat3 model_check_file(const struct model_object *object)
{
    nfsstat3 status = model_check(object);

    if (status != NFS3_OK || object->type == NF3REG)
        return status;
    return model_is_directory(object) ? NFS3ERR_ISDIR : NFS3ERR_INVAL;
}

nfsstat3 model_check_free(struct model *model, struct model_place place)
{
    nfsstat3 status = model_check_directory(place.directory);

    return status == NFS3_OK && model_find(model, place) ? NFS3ERR_EXIST : status;
}

nfsstat3 model_check_create(struct model *model, struct model_place place, createmode3 mode,
                            const void *verifier)
{
    nfsstat3 status = model_check_directory(place.directory);
    const struct model_name *name = status == NFS3_OK ? model_find(model, place) : NULL;
    const struct model_object *there = name ? name->object : NULL;

    if (!there)
        return status;
    if (there->type != NF3REG || mode == GUARDED)
        return NFS3ERR_EXIST;
    if (mode == UNCHECKED)
        return NFS3_OK;
    return there->exclusive && memcmp(there->verifier, verifier, NFS3_CREATEVERFSIZE) == 0
               ? NFS3_OK
               : NFS3ERR_EXIST;
}

struct model_verdict model_check_link(struct model *model, const struct model_object *object,
                                      struct model_place place)
{
    nfsstat3 status = model_check(object), free_status = model_check_free(model, place);

    if (status == NFS3_OK && model_is_directory(object))
        status = NFS3ERR_INVAL;
    return status == NFS3_OK ? only(free_status) : model_either(status, free_status);
}

nfsstat3 model_check_lookup(struct model *model, struct model_place place)
{
    nfsstat3 status = model_check_directory(place.directory);

    return status == NFS3_OK && !model_find(model, place) ? NFS3ERR_NOENT : status;
}

nfsstat3 model_check_remove(struct model *model, struct model_place place)
{
    nfsstat3 status = model_check_lookup(model, place);

    return status == NFS3_OK && model_is_directory(model_find(model, place)->object) ? NFS3ERR_ISDIR
                                                                                     : status;
}

nfsstat3 model_check_rmdir(struct model *model, struct model_place place)
{
    nfsstat3 status = model_check_lookup(model, place);

    if (status == NFS3_OK && !model_is_directory(model_find(model, place)->object))
        status = NFS3ERR_NOTDIR;
    return status == NFS3_OK && model_entries(model, model_find(model, place)->object) > 0
               ? NFS3ERR_NOTEMPTY
               : status;
}

/* Return the verdict on a RENAME of OBJECT, in the directory FROM, that would replace REPLACED. If
 * a file would replace a directory, the status is ISDIR; if the file is below that directory,
 * NOTEMPTY is accepted, too (Linux). */
static struct model_verdict check_replaced(struct model *model, struct model_object *from,
                                           const struct model_object *object,
                                           const struct model_object *replaced)
{
    if (model_is_directory(object) && !model_is_directory(replaced))
        return only(NFS3ERR_NOTDIR);
    if (!model_is_directory(object) && model_is_directory(replaced))
        return model_either(NFS3ERR_ISDIR,
                            is_within(model, from, replaced) ? NFS3ERR_NOTEMPTY : NFS3ERR_ISDIR);
    return only(model_is_directory(replaced) && model_entries(model, replaced) > 0
                    ? NFS3ERR_NOTEMPTY
                    : NFS3_OK);
}

struct model_verdict model_check_rename(struct model *model, struct model_place from,
                                        struct model_place to)
{
    nfsstat3 status = model_check_lookup(model, from), to_status;
    const struct model_name *name, *replaced;

    to_status = model_check_directory(to.directory);
    if (status != NFS3_OK)
        return model_either(status, to_status);
    if (to_status != NFS3_OK)
        return only(to_status);
    name = model_find(model, from);
    replaced = model_find(model, to);
    if (replaced && replaced->object == name->object)
        return only(NFS3_OK);
    if (model_is_directory(name->object) && is_within(model, to.directory, name->object))
        return only(NFS3ERR_INVAL);
    return replaced ? check_replaced(model, from.directory, name->object, replaced->object)
                    : only(NFS3_OK);
}

/* Opening and closing */

void model_open(struct model *model)
{
    static const char handle[] = "stranger";

    model->object_count = model->name_count = 0;
    add_object(model, NF3DIR, 0755);
    model->stranger = (struct model_object){.foreign = true, .handle_length = sizeof handle - 1};
    memcpy(model->stranger.handle, handle, sizeof handle - 1);
}

void model_close(struct model *model)
{
    for (unsigned i = 0; i < model->object_count; i++)
        free(model->objects[i].data);
}
