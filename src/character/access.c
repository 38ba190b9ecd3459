/* Whom the server serves: calls from which ports, with and without a mount, and which users. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "character/experiment.h"
#include "character/requests.h"
#include "character/users.h"
#include "common/address.h"
#include "nfs/status.h"
#include "target/mount.h"

enum { RESERVED_PORTS = 1024 };

struct access {
    struct lab *lab;
    struct endpoint endpoint;
    struct link link;
    struct channel_message getattr; /* of the root */
};

/* Source ports */

/* Does GETATTR of the root have a good answer from a port of the kind that ENDPOINT asks for? *PORT
 * is the one that it came from. */
static int ask_from_port(struct access *access, bool reserved, bool *good, uint16_t *port,
                         struct error *error)
{
    struct endpoint endpoint = access->endpoint;
    struct link_reply reply;
    struct link link;
    int code;

    endpoint.reserved_port = reserved;
    endpoint.source_port = 0;
    code = link_open(&link, access->lab, &endpoint, error);
    if (code == 0) {
        *port = address_own_port(link.fd);
        code = link_call(&link, &access->getattr, request_xid(), &reply, error);
    }
    if (code == 0)
        *good = link_status(&reply) == NFS3_OK;
    link_close(&link);
    return code;
}

enum demand { DEMANDED, NOT_DEMANDED, DEMAND_NOT_KNOWN };

static int find_port_demand(struct access *access, struct character_answer *answer,
                            enum demand *demand, struct error *error)
{
    bool high_good = false, low_good = false;
    uint16_t high, low;
    int code = ask_from_port(access, false, &high_good, &high, error);

    if (code == 0)
        code = ask_from_port(access, true, &low_good, &low, error);
    if (code)
        return code;
    *demand = high_good                          ? NOT_DEMANDED
              : low_good && low < RESERVED_PORTS ? DEMANDED
                                                 : DEMAND_NOT_KNOWN;
    if (*demand == NOT_DEMANDED)
        answer_detail(answer, "source port", "any: GETATTR from port %u was answered", high);
    else if (*demand == DEMANDED)
        answer_detail(answer, "source port",
                      "below 1024: GETATTR from port %u was refused, from %u not", high, low);
    else
        answer_detail(answer, "source port",
                      "not known: GETATTR was refused, and this process may not use lower ports");
    return 0;
}

/* MOUNT */

/* MNT, too, may demand such a port. */
static int find_mount_demand(struct access *access, struct character_answer *answer,
                             struct error *error)
{
    int code = lab_mount(access->lab, false, error);

    if (code == -EINTR)
        return code;
    if (code)
        answer_detail(answer, "MNT from a port above 1023", "refused: %s", error->text);
    else
        answer_detail(answer, "MNT from a port above 1023", "answered");
    return 0;
}

/* Does the root's handle still work after UMNT? The run's mount is made again. */
static int find_need_of_mount(struct access *access, struct character_answer *answer, bool *needed,
                              struct error *error)
{
    struct mount mount = access->lab->setup.mount;
    char name[NFS_STATUS_NAME_SIZE];
    struct link_reply reply;
    struct error again_error;
    int code, again, status = 0;

    mount.options.channel = lab_channel_options(access->lab);
    code = mount_unmount(&mount, error);
    if (code == 0)
        code = link_call(&access->link, &access->getattr, request_xid(), &reply, error);
    if (code == 0)
        status = link_status(&reply);
    again = lab_mount(access->lab, !access->lab->plan->run.no_reserved_port, &again_error);
    if (code)
        return code;
    *needed = status != NFS3_OK;
    answer_detail(answer, "a handle without a mount", "%s%s",
                  *needed ? "refused after UMNT: " : "works after UMNT",
                  *needed ? nfs_status_name(status, name) : "");
    if (again)
        *error = again_error;
    return again;
}

/* The answer */

static void mean_users(struct character_answer *answer, const struct users *users, uint32_t uid)
{
    if (users_others_may(users))
        answer_mean(answer, "Permissions of files protect nothing here: whoever reaches the server "
                            "can use all files.");
    else if (users_root_may(users, uid))
        answer_mean(answer, "Root of a client machine can use all files (no_root_squash).");
}

static void conclude(struct character_answer *answer, enum demand port, bool mount_needed,
                     const struct users *users, uint32_t uid)
{
    answer_say(answer, "Calls %s; a handle %s; %s.",
               port == DEMANDED       ? "must come from a port below 1024"
               : port == NOT_DEMANDED ? "may come from any port"
                                      : "come from ports that are not known",
               mount_needed ? "works only while it is mounted" : "works without a mount",
               !users->known             ? "which users may do what is not known"
               : users_others_may(users) ? "other users may use a file that only its owner should"
               : users_root_may(users, uid) ? "others are refused a file, but for root"
                                            : "others are refused a file, also root");
    if (port == NOT_DEMANDED)
        answer_mean(answer, "Any user of a client machine can make calls in any user's name; "
                            "AUTH_SYS protects only against honest users.");
    if (port == DEMANDED)
        answer_mean(answer, "A client has some 360 such ports, and so as many connections to this "
                            "server; clients in containers and behind address translators need "
                            "care.");
    if (!mount_needed)
        answer_mean(answer, "Who has learned a handle needs no permission to mount: the list of "
                            "exports alone protects nothing.");
    if (users->known)
        mean_users(answer, users, uid);
}

/* The mount comes last, as it is made again. */
static int find_all(struct access *access, struct character_answer *answer, struct error *error)
{
    enum demand port = DEMAND_NOT_KNOWN;
    struct users users;
    bool mount_needed = false;
    int code = find_port_demand(access, answer, &port, error);

    if (code == 0)
        code = find_mount_demand(access, answer, error);
    if (code == 0)
        code = users_try(&users, &access->link, answer, error);
    if (code == 0)
        code = find_need_of_mount(access, answer, &mount_needed, error);
    if (code == 0)
        conclude(answer, port, mount_needed, &users, access->lab->plan->run.identity.uid);
    return code;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct access access = {
        .lab = lab, .endpoint = setup_endpoint(&lab->setup, SERVICE_NFS), .link.fd = -1};
    union nfs_arguments root;
    int code;

    memset(&root, 0, sizeof root);
    root.getattr.object = nfs_handle_argument(&lab->setup.mount.root);
    code = link_message(&access.getattr, lab, "getattr", &root, error);
    if (code == 0)
        code = link_open(&access.link, lab, &access.endpoint, error);
    if (code == 0)
        code = find_all(&access, answer, error);
    link_close(&access.link);
    free(access.getattr.bytes);
    return code;
}

const struct experiment experiment_access = {
    .name = "access",
    .question = "Whom does the server serve: which ports, with or without a mount, which users?",
    .unknown = "Other clients' addresses; handles from before a restart (see nfsbench outage); "
               "groups, lists of access, and other modes than 0600.",
    .run = run,
};
