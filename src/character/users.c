#include "character/users.h"

#include <stdlib.h>
#include <string.h>

#include "character/requests.h"
#include "nfs/status.h"

enum { BYTES = 16, OWN_MODE = 0600 };

enum user { OWNER, OTHER, ROOT, NO_USER };

static const struct trial {
    const char *name, *op;
    enum user user;
    uint32_t mode; /* of the file */
} trials[] = {
    {"another user's READ", "read", OTHER, OWN_MODE},
    {"another user's WRITE", "write", OTHER, OWN_MODE},
    {"root's READ", "read", ROOT, OWN_MODE},
    {"READ without a user", "read", NO_USER, OWN_MODE},
    {"the owner's READ of mode 0", "read", OWNER, 0},
};

_Static_assert(sizeof trials / sizeof trials[0] == USERS_TRIALS, "there is a status for each");

static struct identity identity_of(const struct lab *lab, enum user user)
{
    struct identity identity = lab->plan->run.identity;

    if (user == NO_USER)
        identity.flavor = RPC_FLAVOR_NONE;
    if (user == OTHER || user == ROOT) {
        identity.uid = user == ROOT ? 0 : identity.uid + 1;
        identity.gid = user == ROOT ? 0 : identity.gid + 1;
        identity.gid_count = 0;
    }
    return identity;
}

static int set_mode(struct lab *lab, const struct nfs_handle *file, uint32_t mode,
                    struct error *error)
{
    uint64_t ignored;
    union nfs_arguments arguments = {
        .setattr = {.object = nfs_handle_argument(file),
                    .new_attributes.mode = {.set_it = TRUE, .set_mode3_u.mode = mode}}};

    return lab_call_timed(lab, "setattr", &arguments, &ignored, error);
}

/* *STATUS is the reply's, or minus an enum rpc_outcome. */
static int try_as(struct link *link, const struct trial *trial, const struct nfs_handle *file,
                  int *status, struct error *error)
{
    static char data[BYTES];
    const struct identity identity = identity_of(link->lab, trial->user);
    struct channel_message message = {.bytes = NULL};
    union nfs_arguments arguments;
    struct link_reply reply;
    int code = set_mode(link->lab, file, trial->mode, error);

    memset(&arguments, 0, sizeof arguments);
    if (strcmp(trial->op, "read") == 0)
        arguments.read = (READ3args){.file = nfs_handle_argument(file), .count = BYTES};
    else
        arguments.write =
            (WRITE3args){.file = nfs_handle_argument(file), .count = BYTES, .data = {BYTES, data}};
    if (code == 0)
        code = rpc_message_make(&message, &nfs_procedure_find(trial->op)->rpc, &identity,
                                &arguments, error);
    if (code == 0)
        code = link_call(link, &message, request_xid(), &reply, error);
    free(message.bytes);
    *status = code == 0 ? link_status(&reply) : 0;
    return code;
}

/* A server may make all users one, whose the file then is. */
static int find_owner(struct lab *lab, const struct nfs_handle *file,
                      struct character_answer *answer, uint32_t *owner, struct error *error)
{
    const uint32_t uid = lab->plan->run.identity.uid;
    union nfs_arguments arguments = {.getattr.object = nfs_handle_argument(file)};
    union nfs_result result;
    int code = lab_call_well(lab, "getattr", &arguments, &result, error);

    if (code)
        return code;
    *owner = result.getattr.GETATTR3res_u.resok.obj_attributes.uid;
    nfs_free_result("getattr", &result);
    if (*owner == uid)
        answer_detail(answer, "owner of a new file", "user %u, who made it", *owner);
    else
        answer_detail(answer, "owner of a new file", "user %u; user %u made it", *owner, uid);
    return 0;
}

static int try_users(struct users *users, struct link *link, struct character_answer *answer,
                     struct error *error)
{
    struct nfs_handle file;
    char name[NFS_STATUS_NAME_SIZE];
    int code = lab_make_file(link->lab, NULL, &file, error);

    if (code == 0)
        code = find_owner(link->lab, &file, answer, &users->owner, error);
    for (size_t i = 0; i < USERS_TRIALS && code == 0; i++) {
        code = try_as(link, &trials[i], &file, &users->statuses[i], error);
        if (code == 0)
            answer_detail(answer, trials[i].name, "%s%s (mode %04o)",
                          users->statuses[i] ? "refused: " : "allowed",
                          users->statuses[i] ? nfs_status_name(users->statuses[i], name) : "",
                          trials[i].mode);
    }
    return code;
}

int users_try(struct users *users, struct link *link, struct character_answer *answer,
              struct error *error)
{
    int code;

    *users = (struct users){.known = false};
    if (link->lab->no_scratch[0]) {
        answer_detail(answer, "users", "not known: there is no directory to work in");
        return 0;
    }
    code = try_users(users, link, answer, error);
    users->known = code == 0;
    if (code && !lab_is_over(code, error))
        answer_detail(answer, "users", "not known: %s", error->text);
    return lab_is_over(code, error) ? code : 0;
}

bool users_others_may(const struct users *users)
{
    return users->statuses[USERS_OTHERS_READ] == NFS3_OK ||
           users->statuses[USERS_OTHERS_WRITE] == NFS3_OK;
}

bool users_root_may(const struct users *users, uint32_t uid)
{
    return uid == 0 ? users->owner == 0 : users->statuses[USERS_ROOTS_READ] == NFS3_OK;
}
