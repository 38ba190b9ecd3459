/* What connections and mounts cost, and what the server demands of them. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/link.h"
#include "common/address.h"
#include "nfs/status.h"
#include "target/mount.h"

enum { ARM_NULL, ARM_CONNECTION, ARM_MOUNT, ARMS };
enum { RESERVED_PORTS = 1024, POLL_MS = 50 };

struct connections {
    struct lab *lab;
    struct endpoint endpoint;
    struct link link; /* that stays open */
    struct channel_message null_call, getattr;
    uint32_t xid;
};

/* Calls */

static int exchange(struct connections *connections, struct link *link,
                    const struct channel_message *message, struct link_reply *reply,
                    struct error *error)
{
    return link_call(link, message, ++connections->xid, reply, error);
}

/* What a call over a new connection takes, and the connection. */
static int connect_and_call(struct connections *connections, struct link_reply *reply,
                            struct error *error)
{
    struct link link;
    int code = link_open(&link, connections->lab, &connections->endpoint, error);

    if (code == 0)
        code = exchange(connections, &link, &connections->null_call, reply, error);
    link_close(&link);
    return code;
}

/* As mount.nfs does: name, port mapper, MNT. UMNT is left out, as the run's own mount would be
 * taken off the server's list. */
static int mount_again(const struct lab *lab, bool reserved_port, struct error *error)
{
    struct mount mount;
    struct mount_options options = lab->setup.mount.options;

    options.channel = lab_channel_options(lab);
    options.reserved_port = reserved_port;
    return mount_export(&mount, &lab->setup.target, &options, error);
}

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct connections *connections = context;
    const struct clock *clock = &connections->lab->clock;
    const uint64_t started = clock->start();
    struct link_reply reply;
    int code;

    if (arm == ARM_MOUNT)
        code = mount_again(connections->lab, !connections->lab->plan->run.no_reserved_port, error);
    else if (arm == ARM_CONNECTION)
        code = connect_and_call(connections, &reply, error);
    else
        code = exchange(connections, &connections->link, &connections->null_call, &reply, error);
    *ticks = clock->stop() - started;
    return code;
}

/* The costs */

static int find_costs(struct connections *connections, struct character_answer *answer,
                      struct interval *connection, struct error *error)
{
    struct arms arms = {.lab = connections->lab,
                        .count = ARMS,
                        .calls = 1,
                        .call = call,
                        .context = connections,
                        .time_ns = lab_rounds_ns(connections->lab)};
    struct interval mount;
    int code = arms_run(&arms, lab_scaled(connections->lab, 25, 8), error);

    if (code == 0)
        code = arms_difference(&arms, ARM_NULL, ARM_CONNECTION, connection, error);
    if (code == 0)
        code = arms_level(&arms, ARM_MOUNT, &mount, error);
    arms_close(&arms);
    if (code)
        return code;
    answer_figure(answer, "a connection", connection, "us", "until its first reply, above NULL");
    answer_figure(answer, "a mount", &mount, "us", "name, port mapper and MNT");
    return 0;
}

/* Idle connections */

/* Wait until the server closes an idle connection. *CLOSED is whether it did. */
static int wait_for_end(struct lab *lab, const struct link *link, uint64_t end_ns, bool *closed,
                        struct error *error)
{
    struct pollfd poller = {.fd = link->fd, .events = POLLIN | POLLRDHUP};
    int code = 0;

    *closed = false;
    while (code == 0 && !*closed && clock_raw_ns() < end_ns) {
        *closed = poll(&poller, 1, POLL_MS) > 0;
        code = lab_goes_on(lab, error);
    }
    return code;
}

static int find_idle_end(struct connections *connections, struct character_answer *answer,
                         bool *closed, struct error *error)
{
    struct lab *lab = connections->lab;
    const uint64_t began = clock_raw_ns();
    struct link_reply reply;
    struct interval after;
    int code = exchange(connections, &connections->link, &connections->null_call, &reply, error);

    if (code == 0)
        code = wait_for_end(lab, &connections->link, began + lab->plan->idle_ns, closed, error);
    if (code)
        return code;
    after = answer_exactly((double)(clock_raw_ns() - began) / 1e9);
    answer_figure(answer, "idle connection", &after, "s",
                  *closed ? "then the server closed it" : "it stayed open; longer was not tried");
    return 0;
}

/* Source ports */

/* Does GETATTR of the root have a good answer from a port of the kind that ENDPOINT asks for? *PORT
 * is the one that it came from. */
static int ask_from_port(struct connections *connections, bool reserved, bool *good, uint16_t *port,
                         struct error *error)
{
    struct endpoint endpoint = connections->endpoint;
    struct link_reply reply;
    struct link link;
    int code;

    endpoint.reserved_port = reserved;
    endpoint.source_port = 0;
    code = link_open(&link, connections->lab, &endpoint, error);
    if (code == 0) {
        *port = address_own_port(link.fd);
        code = exchange(connections, &link, &connections->getattr, &reply, error);
    }
    if (code == 0)
        *good = link_status(&reply) == NFS3_OK;
    link_close(&link);
    return code;
}

enum demand { DEMANDED, NOT_DEMANDED, DEMAND_NOT_KNOWN };

static int find_port_demand(struct connections *connections, struct character_answer *answer,
                            enum demand *demand, struct error *error)
{
    bool high_good = false, low_good = false;
    uint16_t high, low;
    int code = ask_from_port(connections, false, &high_good, &high, error);

    if (code == 0)
        code = ask_from_port(connections, true, &low_good, &low, error);
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
static int find_mount_demand(struct connections *connections, struct character_answer *answer,
                             struct error *error)
{
    int code = mount_again(connections->lab, false, error);

    if (code == -EINTR)
        return code;
    if (code)
        answer_detail(answer, "MNT from a port above 1023", "refused: %s", error->text);
    else
        answer_detail(answer, "MNT from a port above 1023", "answered");
    return 0;
}

/* Does the root's handle still work after UMNT? The run's mount is made again. */
static int find_need_of_mount(struct connections *connections, struct character_answer *answer,
                              bool *needed, struct error *error)
{
    struct mount mount = connections->lab->setup.mount;
    char name[NFS_STATUS_NAME_SIZE];
    struct link_reply reply;
    struct error again_error;
    int code, again, status = 0;

    mount.options.channel = lab_channel_options(connections->lab);
    code = mount_unmount(&mount, error);
    if (code == 0)
        code = exchange(connections, &connections->link, &connections->getattr, &reply, error);
    if (code == 0)
        status = link_status(&reply);
    again =
        mount_again(connections->lab, !connections->lab->plan->run.no_reserved_port, &again_error);
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

static void conclude(struct character_answer *answer, const struct interval *connection,
                     bool closed, enum demand port, bool mount_needed)
{
    answer_say(answer, "A connection costs %.0f us; %s; %s; %s.", connection->estimate,
               closed ? "idle ones are closed" : "idle ones stay open",
               port == DEMANDED       ? "calls must come from a port below 1024"
               : port == NOT_DEMANDED ? "calls may come from any port"
                                      : "which ports calls may come from is not known",
               mount_needed ? "a handle works only while it is mounted"
                            : "a handle works without a mount");
    if (closed)
        answer_mean(answer, "The first call after a pause takes longer by a new connection.");
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
}

/* The idle connection comes last, since the server may have closed it then. */
static int find_all(struct connections *connections, struct character_answer *answer,
                    struct error *error)
{
    struct interval connection;
    enum demand port = DEMAND_NOT_KNOWN;
    bool closed = false, mount_needed = false;
    int code = find_costs(connections, answer, &connection, error);

    if (code == 0)
        code = find_port_demand(connections, answer, &port, error);
    if (code == 0)
        code = find_mount_demand(connections, answer, error);
    if (code == 0)
        code = find_need_of_mount(connections, answer, &mount_needed, error);
    if (code == 0)
        code = find_idle_end(connections, answer, &closed, error);
    if (code == 0)
        conclude(answer, &connection, closed, port, mount_needed);
    return code;
}

static int make_messages(struct connections *connections, struct error *error)
{
    union nfs_arguments arguments;
    int code;

    memset(&arguments, 0, sizeof arguments);
    code = link_message(&connections->null_call, connections->lab, "null", &arguments, error);
    arguments.getattr.object = nfs_handle_argument(&connections->lab->setup.mount.root);
    return code ? code
                : link_message(&connections->getattr, connections->lab, "getattr", &arguments,
                               error);
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct connections connections = {.lab = lab,
                                      .endpoint = setup_endpoint(&lab->setup, SERVICE_NFS),
                                      .xid = (uint32_t)lab->plan->run.seed};
    int code = make_messages(&connections, error);

    if (code == 0 && connections.endpoint.transport != TRANSPORT_TCP)
        code = error_set(error, ERROR_FAILED, -ENOTSUP, "there are no connections over UDP");
    if (code == 0)
        code = link_open(&connections.link, lab, &connections.endpoint, error);
    else
        connections.link.fd = -1;
    if (code == 0)
        code = find_all(&connections, answer, error);
    link_close(&connections.link);
    free(connections.null_call.bytes);
    free(connections.getattr.bytes);
    return code;
}

const struct experiment experiment_connections = {
    .name = "connections",
    .question = "What do connections and mounts cost, and what does the server demand of them?",
    .unknown = "How many connections it takes; other clients' addresses; handles from before a "
               "restart (see nfsbench outage).",
    .waits = true,
    .run = run,
};
