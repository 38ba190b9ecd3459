/* Experiment: the cost of connections and mounts, and the maximum number of connections. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "characterize/experiment.h"

enum { NULL_CALLS, CONNECTIONS, MOUNTS, SERIES };
enum { MOST_FULL = 500, MOST_QUICK = 100 }; /* maximum of connections that are tried */

struct connections {
    struct endpoint endpoint;
    struct channel *channel; /* stays open */
    struct channel_message null_call;
    struct channel *many[MOST_FULL];
};

/* Calls */

/* Connect to ENDPOINT and make a NULL call. Returns the connection, or NULL on failure. */
static struct channel *connect_and_call(struct lab *lab, const struct connections *connections,
                                        const struct endpoint *endpoint)
{
    struct channel_options options = lab_channel_options(lab);
    struct channel_reply reply;
    struct channel *channel;

    options.reply_maximum = RPC_REPLY_USUAL;
    options.reset = true;
    if (lab->code == 0)
        lab->code = channel_open(&channel, endpoint, &options, &lab->error);
    if (lab->code)
        return NULL;
    if (lab_transact(lab, channel, &connections->null_call, &reply))
        return channel;
    channel_close(channel);
    return NULL;
}

static uint64_t call_or_connect(struct lab *lab, void *state, size_t series)
{
    const struct connections *connections = state;
    const uint64_t started = lab->clock.start();
    struct channel_reply reply;
    struct channel *channel = NULL;
    uint64_t ticks;

    if (series == MOUNTS)
        lab_mount(lab, !lab->plan->run.no_reserved_port);
    else if (series == CONNECTIONS)
        channel = connect_and_call(lab, connections, &connections->endpoint);
    else
        lab_transact(lab, connections->channel, &connections->null_call, &reply);
    ticks = lab->clock.stop() - started;
    channel_close(channel);
    return ticks;
}

/* Many connections */

/* Open connections until one is refused, which is no failure of the experiment, or until LIMIT are
 * open. Returns their number. */
static size_t open_many(struct lab *lab, struct connections *connections, size_t limit)
{
    struct endpoint endpoint = connections->endpoint;
    size_t count = 0;

    endpoint.reserved_port = false; /* there are too few reserved ports */
    while (count < limit && lab_goes_on(lab)) {
        connections->many[count] = connect_and_call(lab, connections, &endpoint);
        if (!connections->many[count])
            break;
        count++;
    }
    lab_forgive(lab, false);
    lab_goes_on(lab);
    return count;
}

/* Close COUNT connections. Returns how many of them the server had left open. */
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

static size_t find_most(struct lab *lab, struct connections *connections)
{
    static const char name[] = "connections at once";
    const size_t limit = lab_scaled(lab, MOST_FULL, MOST_QUICK);
    const size_t count = open_many(lab, connections, limit);
    const size_t most = close_many(connections->many, count);
    const struct interval open = answer_exactly((double)most);

    if (lab->code)
        return most;
    if (count < limit)
        answer_figure(lab->answer, name, open, "connections", "then opening one more failed: %s",
                      lab->error.text);
    else if (most < count)
        answer_figure(lab->answer, name, open, "connections", "of %zu; the server closed the rest",
                      count);
    else
        answer_figure(lab->answer, name, open, "connections", "more were not tried");
    return most;
}

/* The answer */

static void answer_connections(struct character_answer *answer, const struct lab *lab,
                               const struct interval *connection, const struct interval *mount,
                               size_t most)
{
    const bool limited = most < lab_scaled(lab, MOST_FULL, MOST_QUICK);

    answer_say(
        answer,
        "A connection costs %.0f us, a mount %.0f us; the server keeps %zu connections open%s.",
        connection->estimate, mount->estimate, most,
        limited ? ", and no more" : ", and more were not tried");
    if (limited)
        answer_mean(answer, "More clients (or fewer, with nconnect) can't use the server at the "
                            "same time: their mounts fail or hang.");
    else
        answer_mean(answer, "The number of connections does not limit a few hundred clients.");
}

static void conclude_connections(struct lab *lab, void *state)
{
    const struct interval connection = timing_difference(lab, NULL_CALLS, CONNECTIONS);
    const struct interval mount = timing_level(lab, MOUNTS);

    answer_figure(lab->answer, "a connection", connection, "us",
                  "until its first reply, above NULL");
    answer_figure(lab->answer, "a mount", mount, "us", "host name look-up, port mapper and MNT");
    answer_connections(lab->answer, lab, &connection, &mount, find_most(lab, state));
}

static void prepare_connections(struct lab *lab, void *state)
{
    struct connections *connections = state;
    union nfs_arguments nothing;

    memset(&nothing, 0, sizeof nothing);
    connections->endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    if (lab_is_over_udp(lab))
        lab->code = error_set(&lab->error, ERROR_FAILED, -ENOTSUP, "UDP has no connections");
    connections->null_call = lab_message(lab, "null", &nothing);
    connections->channel = lab_connect(lab, NULL);
}

const struct experiment experiment_connections = {
    .name = "connections",
    .question =
        "What do connections and mounts cost, and how many connections can be open at once?",
    .unknown = "More connections; connections of other clients; a server that limits the number of "
               "mounts.",
    .need = {.full = 565, .quick = 125},
    .state_size = sizeof(struct connections),
    .prepare = prepare_connections,
    .timing = {.series = SERIES, .calls = 1, .full = 25, .quick = 8, .call = call_or_connect},
    .conclude = conclude_connections,
};
