/* Experiment: the cost of connections and mounts, and the maximum number of connections. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "characterize/experiment.h"

enum { NULL_CALLS, CONNECTIONS, MOUNTS, SERIES };
enum { MOST_FULL = 500, MOST_QUICK = 100 }; /* maximum number of connections that are tried */

struct connections {
    struct endpoint endpoint;
    struct channel *channel; /* stays open */
    struct channel_message null_call;
    struct channel *many[MOST_FULL];
};

/* Connect to ENDPOINT and make a NULL call. Returns the connection, or NULL on failure. */
static struct channel *connect_and_call(struct testbed *testbed,
                                        const struct connections *connections,
                                        const struct endpoint *endpoint)
{
    struct channel_options options = testbed_channel_options(testbed);
    struct channel_reply reply;
    struct channel *channel;

    options.reply_maximum = RPC_REPLY_USUAL;
    options.reset = true;
    if (testbed->code == 0)
        testbed->code = channel_open(&channel, endpoint, &options, &testbed->error);
    if (testbed->code)
        return NULL;
    if (testbed_transact(testbed, channel, &connections->null_call, &reply))
        return channel;
    channel_close(channel);
    return NULL;
}

static uint64_t call_or_connect(struct testbed *testbed, void *state, size_t series)
{
    const struct connections *connections = state;
    const uint64_t started = testbed->clock.start();
    struct channel_reply reply;
    struct channel *channel = NULL;
    uint64_t ticks;

    if (series == MOUNTS)
        testbed_mount(testbed, !testbed->plan->run.no_reserved_port);
    else if (series == CONNECTIONS)
        channel = connect_and_call(testbed, connections, &connections->endpoint);
    else
        testbed_transact(testbed, connections->channel, &connections->null_call, &reply);
    ticks = testbed->clock.stop() - started;
    channel_close(channel);
    return ticks;
}

/* Open connections until LIMIT are open, the experiment may make no more calls, or opening a
 * connection fails. A failure to open one does not end the experiment; its text remains in
 * TESTBED's error. Returns the number of opened connections. */
static size_t open_many(struct testbed *testbed, struct connections *connections, size_t limit)
{
    struct endpoint endpoint = connections->endpoint;
    size_t count = 0;

    endpoint.reserved_port = false; /* because there are fewer reserved ports than connections */
    while (count < limit && testbed_may_call(testbed)) {
        connections->many[count] = connect_and_call(testbed, connections, &endpoint);
        if (!connections->many[count])
            break;
        count++;
    }
    testbed_clear_failure(testbed, false);
    testbed_may_call(testbed);
    return count;
}

/* Close COUNT connections. Returns the number of those that the server had not closed before. */
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

static size_t find_most(struct testbed *testbed, struct connections *connections)
{
    static const char name[] = "connections at once";
    const size_t limit = testbed_scaled(testbed, MOST_FULL, MOST_QUICK);
    const size_t count = open_many(testbed, connections, limit);
    const size_t most = close_many(connections->many, count);
    const struct interval open = figure_without_interval((double)most);

    if (testbed->code)
        return most;
    if (count < limit)
        answer_figure(testbed->answer, name, open, "connections",
                      "then opening one more failed: %s", testbed->error.text);
    else if (most < count)
        answer_figure(testbed->answer, name, open, "connections",
                      "of %zu; the server closed the rest", count);
    else
        answer_figure(testbed->answer, name, open, "connections", "more were not tried");
    return most;
}

static void answer_connections(struct character_answer *answer, const struct testbed *testbed,
                               const struct interval *connection, const struct interval *mount,
                               size_t most)
{
    const bool limited = most < testbed_scaled(testbed, MOST_FULL, MOST_QUICK);

    answer_set(
        answer,
        "A connection costs %.0f us, a mount %.0f us; the server keeps %zu connections open%s.",
        connection->estimate, mount->estimate, most,
        limited ? ", and no more" : ", and more were not tried");
    if (limited)
        answer_add_meaning(answer,
                           "More clients (or fewer, with nconnect) can't use the server at the "
                           "same time: their mounts fail or hang.");
    else
        answer_add_meaning(answer,
                           "The number of connections does not limit a few hundred clients.");
}

static void conclude_connections(struct testbed *testbed, void *state)
{
    const struct interval connection = timing_difference(testbed, NULL_CALLS, CONNECTIONS);
    const struct interval mount = timing_level(testbed, MOUNTS);

    answer_figure(testbed->answer, "a connection", connection, "us",
                  "until its first reply, above NULL");
    answer_figure(testbed->answer, "a mount", mount, "us",
                  "host name look-up, port mapper and MNT");
    answer_connections(testbed->answer, testbed, &connection, &mount, find_most(testbed, state));
}

static void prepare_connections(struct testbed *testbed, void *state)
{
    struct connections *connections = state;
    union nfs_arguments nothing;

    memset(&nothing, 0, sizeof nothing);
    connections->endpoint = setup_endpoint(&testbed->setup, SERVICE_NFS);
    if (testbed_is_over_udp(testbed))
        testbed->code =
            error_set(&testbed->error, ERROR_FAILED, -ENOTSUP, "UDP has no connections");
    connections->null_call = testbed_message(testbed, "null", &nothing);
    connections->channel = testbed_connect(testbed, NULL);
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
