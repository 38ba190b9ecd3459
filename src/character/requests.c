#include "character/requests.h"

#include <string.h>

#include "common/random.h"

static void remove_arguments(const struct lab *lab, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->remove.object = lab_place(lab, name);
}

static void rename_arguments(const struct lab *lab, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->rename.from = lab_place(lab, name);
    arguments->rename.to = lab_place(lab, new_name);
}

static void create_arguments(const struct lab *lab, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->create.where = lab_place(lab, name);
    arguments->create.how.mode = GUARDED;
}

static void mkdir_arguments(const struct lab *lab, const char *name, const char *new_name,
                            union nfs_arguments *arguments)
{
    arguments->mkdir.where = lab_place(lab, name);
    arguments->mkdir.attributes.mode = (set_mode3){.set_it = TRUE, .set_mode3_u.mode = 0700};
}

const struct request_kind request_kinds[REQUEST_KINDS] = {
    [REQUEST_REMOVE] = {"remove", true, false, NFS3ERR_NOENT, remove_arguments},
    {"rename", true, false, NFS3ERR_NOENT, rename_arguments},
    {"create", false, false, NFS3ERR_EXIST, create_arguments},
    {"mkdir", false, true, NFS3ERR_EXIST, mkdir_arguments},
};

int request_make(struct lab *lab, const struct request_kind *kind, struct channel_message *message,
                 struct error *error)
{
    char name[NFS_VARIANT_NAME_SIZE], new_name[NFS_VARIANT_NAME_SIZE];
    union nfs_arguments arguments;
    int code = 0;

    memset(&arguments, 0, sizeof arguments);
    lab_file_name(lab, new_name);
    if (kind->takes_file)
        code = lab_make_file(lab, name, NULL, error);
    else if (kind->of_directory)
        lab_directory_name(lab, name);
    else
        lab_file_name(lab, name);
    if (code)
        return code;
    kind->arguments(lab, name, new_name, &arguments);
    return link_message(message, lab, kind->op, &arguments, error);
}

uint32_t request_xid(void)
{
    return (uint32_t)random_system_seed();
}
