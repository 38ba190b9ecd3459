/* Limits of the throughput from the parts of calls: tables of cases. */
#include "explain/phases/limit_of_parts.h"
#include "test.h"

#define UNSEEN                                                                                     \
    .server_cpu = NAN, .server_waited = NAN, .window_limited = NAN, .rtt_stretch = NAN,            \
    .round_trip = NAN, .client_thread_cpu = NAN, .both_cpus = NAN, .link = NAN,                    \
    .network_stretch = NAN

/* Calls that mostly wait for a busy server with one thread. */
static const struct call_parts server_queue = {.shares = {[PART_CLIENT_WAIT] = 0.02,
                                                          [PART_CLIENT_WORK] = 0.03,
                                                          [PART_NETWORK] = 0.03,
                                                          [PART_SERVER_WAIT] = 0.85,
                                                          [PART_SERVER_WORK] = 0.06,
                                                          [PART_SERVER_SEND] = 0.01},
                                               .server_cpu = 0.066,
                                               .client_thread_cpu = 0.2,
                                               .both_cpus = 1.2,
                                               .link = NAN,
                                               .network_stretch = 1};
static const struct call_parts client_queue = {.shares = {[PART_CLIENT_WAIT] = 0.7,
                                                          [PART_CLIENT_WORK] = 0.1,
                                                          [PART_NETWORK] = 0.1,
                                                          [PART_SERVER_WORK] = 0.1},
                                               .server_cpu = 0.1,
                                               .client_thread_cpu = 0.95,
                                               .both_cpus = 1.2,
                                               .link = NAN,
                                               .network_stretch = 1};
static const struct call_parts far_away = {
    .shares = {[PART_CLIENT_WORK] = 0.01, [PART_NETWORK] = 0.97, [PART_SERVER_WORK] = 0.02},
    .server_cpu = 0.02,
    .client_thread_cpu = 0.1,
    .both_cpus = 0.2,
    .link = 0.1,
    .network_stretch = 1.1};
static const struct call_parts in_work = {.shares = {[PART_CLIENT_WORK] = 0.02,
                                                     [PART_NETWORK] = 0.02,
                                                     [PART_SERVER_WAIT] = 0.02,
                                                     [PART_SERVER_WORK] = 0.94},
                                          .server_cpu = 0.01,
                                          .client_thread_cpu = 0.1,
                                          .both_cpus = 0.2,
                                          .link = NAN,
                                          .network_stretch = 1};
static const struct call_parts both_wait = {.shares = {[PART_CLIENT_WAIT] = 0.3,
                                                       [PART_CLIENT_WORK] = 0.05,
                                                       [PART_SERVER_WAIT] = 0.55,
                                                       [PART_SERVER_WORK] = 0.1},
                                            .server_cpu = 0.1,
                                            .client_thread_cpu = 0.4,
                                            .both_cpus = 1.02,
                                            .link = NAN,
                                            .network_stretch = 1};
static const struct call_parts beyond = {
    .shares = {[PART_CLIENT_WAIT] = 0.1, [PART_CLIENT_WORK] = 0.1, [PART_BEYOND] = 0.8}, UNSEEN};

#define WITH(base, ...)                                                                            \
    ({                                                                                             \
        struct call_parts changed = base;                                                          \
        __VA_ARGS__;                                                                               \
        changed;                                                                                   \
    })

struct expected_limit {
    enum bottleneck limit;
    struct call_parts parts;
};

static void check_limits(const struct expected_limit *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (limit_of_parts(&cases[i].parts) != cases[i].limit)
            fail_msg("case %zu is %s, not %s", i, bottleneck_names[limit_of_parts(&cases[i].parts)],
                     bottleneck_names[cases[i].limit]);
}

TEST_CASE(in_server)
{
    const struct expected_limit cases[] = {
        {BOTTLENECK_SERVER_CPU, server_queue},
        {BOTTLENECK_SERVER_CPU, WITH(server_queue, changed.server_cpu = 0.03)},
        {BOTTLENECK_SERVER_THREADS, WITH(server_queue, changed.server_cpu = 0.029)},
        {BOTTLENECK_SERVER_THREADS, WITH(server_queue, changed.server_cpu = NAN)},
        {BOTTLENECK_SERVER_CPU, /* more threads than processors */
         WITH(server_queue, changed.shares[PART_SERVER_WAIT] = 0.1,
              changed.shares[PART_SERVER_PROCESSOR] = 0.75, changed.server_cpu = 0.01)},
        {BOTTLENECK_ROUND_TRIP, /* calls are executed immediately, each on its own processor */
         WITH(server_queue, changed.shares[PART_SERVER_WAIT] = 0.2,
              changed.shares[PART_SERVER_WORK] = 0.71, changed.server_cpu = 0.7)},
        {BOTTLENECK_SERVER_CPU, /* threads share a processor, and wait for it */
         WITH(server_queue, changed.shares[PART_SERVER_WAIT] = 0.2,
              changed.shares[PART_SERVER_WORK] = 0.71, changed.server_cpu = 0.7,
              changed.server_waited = 0.25)},
        {BOTTLENECK_LOCK_OR_DEVICE, in_work},
        {BOTTLENECK_UNKNOWN, WITH(in_work, changed.server_cpu = NAN)},
        {BOTTLENECK_SERVER_THREADS, /* all threads have calls and mostly sleep */
         WITH(in_work, changed.shares[PART_SERVER_WAIT] = 0.46,
              changed.shares[PART_SERVER_WORK] = 0.5)},
    };

    check_limits(cases, COUNT_OF(cases));
}

TEST_CASE(in_client_and_on_line)
{
    const struct expected_limit cases[] = {
        {BOTTLENECK_CLIENT_CPU, client_queue},
        {BOTTLENECK_CLIENT_CPU, WITH(client_queue, changed.client_thread_cpu = NAN)},
        {BOTTLENECK_UNKNOWN, WITH(client_queue, changed.client_thread_cpu = 0.1)},
        {BOTTLENECK_ROUND_TRIP, WITH(client_queue, changed.shares[PART_CLIENT_WAIT] = 0.2,
                                     changed.shares[PART_CLIENT_WORK] = 0.6)},
        {BOTTLENECK_CLIENT_CPU,
         WITH(client_queue, changed.shares[PART_CLIENT_WAIT] = 0.1,
              changed.shares[PART_CLIENT_PROCESSOR] = 0.7, changed.client_thread_cpu = 0.1)},
        {BOTTLENECK_ROUND_TRIP, far_away},
        {BOTTLENECK_LINK, WITH(far_away, changed.link = 0.95)},
        {BOTTLENECK_LINK, WITH(far_away, changed.network_stretch = 4)},
        {BOTTLENECK_ROUND_TRIP, WITH(far_away, changed.link = changed.network_stretch = NAN)},
        {BOTTLENECK_UNKNOWN, /* a configured limit or an emulated delay */
         WITH(far_away, changed.shares[PART_NETWORK] = 0.1,
              changed.shares[PART_DEVICE_QUEUE] = 0.87)},
        {BOTTLENECK_LINK, /* replies wait for the server's device */
         WITH(far_away, changed.shares[PART_NETWORK] = 0.1, changed.shares[PART_SERVER_SEND] = 0.87,
              changed.server_cpu = 0.01, changed.link = 0.95)},
        {BOTTLENECK_ROUND_TRIP, /* the server is busy sending long replies */
         WITH(far_away, changed.shares[PART_NETWORK] = 0.1, changed.shares[PART_SERVER_SEND] = 0.87,
              changed.server_cpu = 0.8, changed.link = 0.95)},
    };

    check_limits(cases, COUNT_OF(cases));
}

/* If calls wait in the client's socket, the limit is the receive window, the link or unknown. */
TEST_CASE(in_send_buffer)
{
    const struct call_parts buffered = {.shares = {[PART_SEND_BUFFER] = 0.9, [PART_BEYOND] = 0.1},
                                        UNSEEN};
    const struct expected_limit cases[] = {
        {BOTTLENECK_UNKNOWN, buffered},
        {BOTTLENECK_RECEIVE_WINDOW, WITH(buffered, changed.window_limited = 0.5)},
        {BOTTLENECK_LINK, WITH(buffered, changed.window_limited = 0.49, changed.rtt_stretch = 2)},
        {BOTTLENECK_LINK, WITH(buffered, changed.link = 0.9)},
        {BOTTLENECK_UNKNOWN, WITH(buffered, changed.window_limited = 0, changed.rtt_stretch = 1.9)},
    };

    check_limits(cases, COUNT_OF(cases));
}

TEST_CASE(both_sides)
{
    const struct expected_limit cases[] = {
        {BOTTLENECK_LOCKSTEP, both_wait},
        {BOTTLENECK_SERVER_CPU, WITH(both_wait, changed.both_cpus = 1.4)},
        {BOTTLENECK_SERVER_CPU, WITH(both_wait, changed.both_cpus = NAN)},
        {BOTTLENECK_SERVER_CPU, /* calls wait for the client only a short time */
         WITH(both_wait, changed.shares[PART_CLIENT_WAIT] = 0.09,
              changed.shares[PART_SERVER_WAIT] = 0.76)},
    };

    check_limits(cases, COUNT_OF(cases));
}

TEST_CASE(elsewhere)
{
    const struct expected_limit cases[] = {
        /* No place takes half of the time. Calls wait briefly in the first case, long in the
           second. */
        {BOTTLENECK_ROUND_TRIP,
         {.shares = {[PART_CLIENT_WORK] = 0.4,
                     [PART_CLIENT_WAIT] = 0.05,
                     [PART_NETWORK] = 0.2,
                     [PART_SERVER_WAIT] = 0.05,
                     [PART_SERVER_WORK] = 0.3},
          UNSEEN}},
        {BOTTLENECK_UNKNOWN,
         {.shares = {[PART_CLIENT_WORK] = 0.2,
                     [PART_CLIENT_WAIT] = 0.2,
                     [PART_NETWORK] = 0.2,
                     [PART_SERVER_WAIT] = 0.2,
                     [PART_SERVER_WORK] = 0.2},
          UNSEEN}},
        /* The client can't distinguish network and server (PART_BEYOND). */
        {BOTTLENECK_UNKNOWN, beyond},
        {BOTTLENECK_ROUND_TRIP, WITH(beyond, changed.round_trip = 0.5)},
        {BOTTLENECK_UNKNOWN, WITH(beyond, changed.round_trip = 0.49)},
        {BOTTLENECK_CLIENT_CPU,
         WITH(beyond, changed.shares[PART_CLIENT_WAIT] = 0.6, changed.shares[PART_BEYOND] = 0.3)},
        /* Calls that are due wait for a slot: slots are the limit only if no resource is busy. */
        {BOTTLENECK_SLOTS, {.shares = {[PART_SLOT] = 0.8, [PART_NETWORK] = 0.2}, UNSEEN}},
        {BOTTLENECK_ROUND_TRIP, {.shares = {[PART_SLOT] = 0.3, [PART_NETWORK] = 0.7}, UNSEEN}},
        {BOTTLENECK_SERVER_CPU,
         {.shares = {[PART_SLOT] = 0.8, [PART_SERVER_WAIT] = 0.18, [PART_SERVER_WORK] = 0.02},
          .server_cpu = 0.02}},
    };

    check_limits(cases, COUNT_OF(cases));
}

TEST_CASE(share)
{
    assert_all((call_parts_share(&server_queue, BOTTLENECK_SERVER_CPU), 0.92, 1e-12),
               (call_parts_share(&client_queue, BOTTLENECK_CLIENT_CPU), 0.8, 1e-12),
               (call_parts_share(&far_away, BOTTLENECK_ROUND_TRIP), 1, 1e-12),
               (call_parts_share(&in_work, BOTTLENECK_LOCK_OR_DEVICE), 0.94, 1e-12),
               (call_parts_share(&both_wait, BOTTLENECK_LOCKSTEP), 0.85, 1e-12),
               (isnan(call_parts_share(&beyond, BOTTLENECK_UNKNOWN))));
}

static const struct phase_type *find_phase(const char *key)
{
    for (size_t i = 0; i < PHASE_TYPES; i++)
        if (strcmp(phase_types[i].key, key) == 0)
            return &phase_types[i];
    fail_msg("no phase is called %s", key);
    return NULL;
}

TEST_CASE(parts_of_phases)
{
    static const struct {
        const char *key;
        enum call_part part;
    } expected[] = {
        {"backlog", PART_SLOT},
        {"send-wait", PART_CLIENT_WAIT},
        {"send", PART_CLIENT_WORK},
        {"send-buffer", PART_SEND_BUFFER},
        {"queue", PART_DEVICE_QUEUE},
        {"request-travels", PART_NETWORK},
        {"network", PART_NETWORK},
        {"server-run", PART_SERVER_PROCESSOR},
        {"reader-run", PART_SERVER_PROCESSOR},
        {"server-socket", PART_SERVER_WAIT},
        {"server-wake", PART_SERVER_READ},
        {"server-read", PART_SERVER_READ},
        {"server-queue", PART_SERVER_WAIT},
        {"server-work", PART_SERVER_WORK},
        {"reply-wait", PART_SERVER_WAIT},
        {"server-send", PART_SERVER_SEND},
        {"network-and-server", PART_BEYOND},
        {"client-run", PART_CLIENT_PROCESSOR},
        {"client-socket", PART_CLIENT_WAIT},
        {"decode-wait", PART_CLIENT_WAIT},
        {"decode", PART_CLIENT_WORK},
    };

    for (size_t i = 0; i < COUNT_OF(expected); i++)
        if (call_part_of(find_phase(expected[i].key)) != expected[i].part)
            fail_msg("%s is part %d", expected[i].key, call_part_of(find_phase(expected[i].key)));
}

TEST_CASE(shares_are_added)
{
    const struct phase_row rows[] = {{.type = find_phase("server-read"), .share = 0.1},
                                     {.type = find_phase("server-work"), .share = 0.3},
                                     {.type = find_phase("decode"), .share = 0.6}};
    double shares[CALL_PARTS] = {0};

    call_parts_add(shares, rows, 3, 0.25);
    call_parts_add(shares, rows, 2, 0.75);
    assert_all((shares[PART_SERVER_READ], 0.1, 1e-12), (shares[PART_SERVER_WORK], 0.3, 1e-12),
               (shares[PART_CLIENT_WORK], 0.15, 1e-12), (shares[PART_NETWORK], 0, 0));
}
