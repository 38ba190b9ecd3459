/* What connections and mounts cost, and how many connections there can be. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/link.h"

enum { ARM_NULL, ARM_CONNECTION, ARM_MOUNT, ARMS };
enum { MOST_FULL = 500, MOST_QUICK = 100 }; /* connections */

struct connections {
    struct lab *lab;
    struct endpoint endpoint;
    struct link link; /* that stays open */
    struct channel_message null_call;
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

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct connections *connections = context;
    const struct clock *clock = &connections->lab->clock;
    const uint64_t started = clock->start();
    struct link_reply reply;
    int code;

    if (arm == ARM_MOUNT)
        code = lab_mount(connections->lab, !connections->lab->plan->run.no_reserved_port, error);
    else if (arm == ARM_CONNECTION)
        code = connect_and_call(connections, &reply, error);
    else
        code = exchange(connections, &connections->link, &connections->null_call, &reply, error);
    *ticks = clock->stop() - started;
    return code;
}

/* The costs */

static int find_costs(struct connections *connections, struct character_answer *answer,
                      struct interval *connection, struct interval *mount, struct error *error)
{
    struct arms arms = {.lab = connections->lab,
                        .count = ARMS,
                        .calls = 1,
                        .call = call,
                        .context = connections,
                        .time_ns = lab_rounds_ns(connections->lab)};
    int code = arms_run(&arms, lab_scaled(connections->lab, 25, 8), error);

    if (code == 0)
        code = arms_difference(&arms, ARM_NULL, ARM_CONNECTION, connection, error);
    if (code == 0)
        code = arms_level(&arms, ARM_MOUNT, mount, error);
    arms_close(&arms);
    if (code)
        return code;
    answer_figure(answer, "a connection", connection, "us", "until its first reply, above NULL");
    answer_figure(answer, "a mount", mount, "us", "name, port mapper and MNT");
    return 0;
}

/* Many connections */

/* Open connections until one is refused, or LIMIT are open. *COUNT gets the number of descriptors
 * in FDS; REFUSAL says why there is no other. */
static int open_many(struct connections *connections, int *fds, size_t limit, size_t *count,
                     struct error *refusal, struct error *error)
{
    struct endpoint endpoint = connections->endpoint;
    int code = 0, refused = 0;

    endpoint.reserved_port = false; /* there are too few of them */
    for (*count = 0; *count < limit && code == 0 && refused == 0;) {
        struct link_reply reply;
        struct link link;

        refused = link_open(&link, connections->lab, &endpoint, refusal);
        if (refused == 0)
            refused = exchange(connections, &link, &connections->null_call, &reply, refusal);
        if (refused == 0) {
            fds[(*count)++] = link.fd;
            link.fd = -1; /* which stays open */
        }
        link_close(&link);
        code = lab_goes_on(connections->lab, error);
    }
    return code;
}

/* How many of COUNT connections the server has not closed. They are closed. */
static size_t close_many(const int *fds, size_t count)
{
    size_t open = 0;

    for (size_t i = 0; i < count; i++) {
        struct pollfd poller = {.fd = fds[i], .events = POLLIN | POLLRDHUP};

        open += poll(&poller, 1, 0) == 0;
        close(fds[i]);
    }
    return open;
}

static int find_most(struct connections *connections, struct character_answer *answer, size_t *most,
                     struct error *error)
{
    const size_t limit = lab_scaled(connections->lab, MOST_FULL, MOST_QUICK);
    struct error refusal;
    struct interval open;
    int fds[MOST_FULL];
    size_t count;
    int code = open_many(connections, fds, limit, &count, &refusal, error);

    *most = close_many(fds, count);
    if (code)
        return code;
    open = answer_exactly((double)*most);
    if (count < limit)
        answer_figure(answer, "connections at once", &open, "connections", "and then: %s",
                      refusal.text);
    else if (*most < count)
        answer_figure(answer, "connections at once", &open, "connections",
                      "of %zu; the server closed the others", count);
    else
        answer_figure(answer, "connections at once", &open, "connections", "more were not tried");
    return 0;
}

/* The answer */

static void conclude(struct character_answer *answer, const struct lab *lab,
                     const struct interval *connection, const struct interval *mount, size_t most)
{
    const bool limited = most < lab_scaled(lab, MOST_FULL, MOST_QUICK);

    answer_say(answer,
               "A connection costs %.0f us, a mount %.0f us; %zu connections can be open%s.",
               connection->estimate, mount->estimate, most,
               limited ? ", and no more" : ", and more were not tried");
    if (limited)
        answer_mean(answer, "More clients than that (or fewer, with nconnect) can't use the server "
                            "at once: their mounts fail or hang.");
    else
        answer_mean(answer, "The number of connections does not limit a few hundred clients.");
}

static int find_all(struct connections *connections, struct character_answer *answer,
                    struct error *error)
{
    struct interval connection, mount;
    size_t most = 0;
    int code = find_costs(connections, answer, &connection, &mount, error);

    if (code == 0)
        code = find_most(connections, answer, &most, error);
    if (code == 0)
        conclude(answer, connections->lab, &connection, &mount, most);
    return code;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct connections connections = {.lab = lab,
                                      .endpoint = setup_endpoint(&lab->setup, SERVICE_NFS),
                                      .xid = (uint32_t)lab->plan->run.seed};
    union nfs_arguments nothing;
    int code;

    memset(&nothing, 0, sizeof nothing);
    code = link_message(&connections.null_call, lab, "null", &nothing, error);

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
    return code;
}

const struct experiment experiment_connections = {
    .name = "connections",
    .question = "What do connections and mounts cost, and how many connections can there be?",
    .unknown = "More connections, and those of other clients; a server whose limit counts mounts.",
    .run = run,
};
