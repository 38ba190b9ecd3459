/* What connections and mounts cost, and how many connections there can be. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "character/experiment.h"

enum { NULL_CALLS, CONNECTIONS, MOUNTS, SERIES };
enum { MOST_FULL = 500, MOST_QUICK = 100 }; /* connections */

struct connections {
    struct endpoint endpoint;
    struct channel *channel; /* that stays open */
    struct channel_message null_call;
    struct channel *many[MOST_FULL];
};

/* Calls */

/* A new connection, and a call over it. */
static int connect_and_call(struct lab *lab, const struct connections *connections,
                            const struct endpoint *endpoint, struct channel **channel,
                            struct error *error)
{
    struct channel_options options = lab_channel_options(lab);
    struct channel_reply reply;
    int code;

    options.reply_maximum = RPC_REPLY_USUAL;
    options.reset = true;
    code = channel_open(channel, endpoint, &options, error);
    if (code)
        return code;
    code = lab_transact(lab, *channel, &connections->null_call, &reply, error);
    if (code)
        channel_close(*channel);
    return code;
}

static int call(struct lab *lab, void *state, size_t series, uint64_t *ticks, struct error *error)
{
    const struct connections *connections = state;
    const uint64_t started = lab->clock.start();
    struct channel_reply reply;
    struct channel *channel = NULL;
    int code;

    if (series == MOUNTS)
        code = lab_mount(lab, !lab->plan->run.no_reserved_port, error);
    else if (series == CONNECTIONS)
        code = connect_and_call(lab, connections, &connections->endpoint, &channel, error);
    else
        code = lab_transact(lab, connections->channel, &connections->null_call, &reply, error);
    *ticks = lab->clock.stop() - started;
    if (code == 0)
        channel_close(channel);
    return code;
}

/* Many connections */

/* Open connections until one is refused, or LIMIT are open. *COUNT gets their number; REFUSAL says
 * why there is no other. */
static int open_many(struct lab *lab, struct connections *connections, size_t limit, size_t *count,
                     struct error *refusal, struct error *error)
{
    struct endpoint endpoint = connections->endpoint;
    int code = 0;

    endpoint.reserved_port = false; /* there are too few of them */
    for (*count = 0; *count < limit && code == 0; ++*count) {
        if (connect_and_call(lab, connections, &endpoint, &connections->many[*count], refusal) != 0)
            break;
        code = lab_goes_on(lab, error);
    }
    return code ? code : lab_goes_on(lab, error);
}

/* How many of COUNT connections the server has not closed. They are closed. */
static size_t close_many(struct channel *const *many, size_t count)
{
    size_t open = 0;

    for (size_t i = 0; i < count; i++) {
        struct pollfd poller = {.fd = channel_descriptor(many[i]), .events = POLLIN | POLLRDHUP};

        open += poll(&poller, 1, 0) == 0;
        channel_close(many[i]);
    }
    return open;
}

static int find_most(struct lab *lab, struct connections *connections,
                     struct character_answer *answer, size_t *most, struct error *error)
{
    const size_t limit = lab_scaled(lab, MOST_FULL, MOST_QUICK);
    struct error refusal;
    struct interval open;
    size_t count;
    int code = open_many(lab, connections, limit, &count, &refusal, error);

    *most = close_many(connections->many, count);
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

static void say(struct character_answer *answer, const struct lab *lab,
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

static int conclude(struct lab *lab, void *state, struct character_answer *answer,
                    struct error *error)
{
    const struct interval connection = timing_difference(&lab->timing, NULL_CALLS, CONNECTIONS);
    const struct interval mount = timing_level(&lab->timing, MOUNTS);
    size_t most = 0;
    int code;

    answer_figure(answer, "a connection", &connection, "us", "until its first reply, above NULL");
    answer_figure(answer, "a mount", &mount, "us", "name, port mapper and MNT");
    code = find_most(lab, state, answer, &most, error);
    if (code == 0)
        say(answer, lab, &connection, &mount, most);
    return code;
}

static int prepare(struct lab *lab, void *state, struct character_answer *answer,
                   struct error *error)
{
    struct connections *connections = state;
    union nfs_arguments nothing;
    int code;

    memset(&nothing, 0, sizeof nothing);
    connections->endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    if (connections->endpoint.transport != TRANSPORT_TCP)
        return error_set(error, ERROR_FAILED, -ENOTSUP, "there are no connections over UDP");
    code = lab_message(lab, "null", &nothing, &connections->null_call, error);
    return code ? code : lab_connect(lab, NULL, &connections->channel, error);
}

const struct experiment experiment_connections = {
    .name = "connections",
    .question = "What do connections and mounts cost, and how many connections can there be?",
    .unknown = "More connections, and those of other clients; a server whose limit counts mounts.",
    .state_size = sizeof(struct connections),
    .prepare = prepare,
    .timing = {.series = SERIES, .calls = 1, .full = 25, .quick = 8, .call = call},
    .conclude = conclude,
};
