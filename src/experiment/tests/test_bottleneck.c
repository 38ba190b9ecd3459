/* Finding what limits the throughput: each limit, many of them near their thresholds, and with
 * missing evidence; also texts of answers, and the gain. */
#include "test.h"

#include "experiment/laws/bottleneck.h"

/* Evidence: BASE with the changes that the given statements make in its copy, `changed`. */
#define WITH(base, ...)                                                                            \
    ({                                                                                             \
        struct bottleneck_evidence changed = base;                                                 \
        __VA_ARGS__;                                                                               \
        changed;                                                                                   \
    })

/* Return evidence of a flat curve: with 64 calls in flight on four connections, the throughput no
 * longer grows, calls take 6.4 ms instead of 0.2 ms, and no resource is busy. */
static struct bottleneck_evidence flat(void)
{
    return WITH(
        BOTTLENECK_NO_EVIDENCE, changed.in_flight = 64, changed.connections = 4,
        changed.gain = 0.05, changed.rate = 10000, changed.response_ns = 6.4e6,
        changed.response_mean_ns = 6.5e6, changed.response_least_ns = 2e5,
        changed.response_spread_ns = 2e4, changed.null_ns = 1e6, changed.null_least_ns = 1.5e5,
        changed.client_cpu = 0.3, changed.client_thread_cpu = 0.4, changed.server_cpu = 0.3,
        changed.server_thread_cpu = 0.4, changed.server_cpus = 0.6, changed.both_cpus = 1.4,
        changed.link = 0.1, changed.rtt_ns = 1.5e5, changed.rtt_least_ns = 1e5,
        changed.rtt_variation_ns = 1e4, changed.retransmitted = 0, changed.out_of_order = 0,
        changed.window_limited = 0.01, changed.buffer_limited = 0, changed.window_used = 0.1);
}

/* Return flat() with trials of connections, NULL and a pause, which have no effect: a NULL does not
 * wait, either. The trials of size and UNSTABLE were not made. */
static struct bottleneck_evidence tried(void)
{
    return WITH(flat(), changed.trials =
                            ((struct bottleneck_trials){NAN, 4, 1.05, 1.5e5, 1.6e5, 0.95, NAN}));
}

/* Return tried(), but with a NULL that waits as long as the op's calls. */
static struct bottleneck_evidence shared(void)
{
    return WITH(tried(), changed.trials.null_under_load_ns = 6e6);
}

/* Return evidence of one call at a time over a link with a delay of 1 ms each way. */
static struct bottleneck_evidence alone(void)
{
    return WITH(flat(), changed.in_flight = changed.connections = 1, changed.gain = NAN,
                changed.rate = 480, changed.response_ns = changed.response_least_ns = 2.1e6,
                changed.response_mean_ns = 2.15e6, changed.null_ns = changed.null_least_ns = 2.05e6,
                changed.rtt_ns = changed.rtt_least_ns = 2e6);
}

struct expected {
    enum bottleneck limit;
    enum bottleneck_sureness sureness;
    struct bottleneck_evidence evidence;
};

static void check_answers(const struct expected *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct bottleneck_answer answer;

        bottleneck_judge(&cases[i].evidence, &answer);
        if (answer.limit != cases[i].limit || answer.sureness != cases[i].sureness)
            fail_msg("case %zu is %s, %s: %s", i, bottleneck_names[answer.limit],
                     bottleneck_sureness_names[answer.sureness], answer.evidence);
        if (bottleneck_find(&cases[i].evidence) != answer.limit)
            fail_msg("case %zu: bottleneck_find() has another answer", i);
        if (!*answer.evidence || !*answer.advice)
            fail_msg("case %zu has no words", i);
        if (strstr(answer.evidence, "nan") || strstr(answer.advice, "nan"))
            fail_msg("case %zu: %s; %s", i, answer.evidence, answer.advice);
    }
}

#define EXPECT(...)                                                                                \
    do {                                                                                           \
        const struct expected cases[] = {__VA_ARGS__};                                             \
        check_answers(cases, COUNT_OF(cases));                                                     \
    } while (0)

#define GUESS  BOTTLENECK_GUESS
#define LIKELY BOTTLENECK_LIKELY
#define SURE   BOTTLENECK_SURE

TEST_CASE(busy)
{
    EXPECT({BOTTLENECK_CLIENT_CPU, SURE, WITH(flat(), changed.client_cpu = 0.90)},
           {BOTTLENECK_CLIENT_CPU, SURE, WITH(flat(), changed.client_thread_cpu = 0.96)},
           {BOTTLENECK_CLIENT_CPU, LIKELY, WITH(flat(), changed.client_thread_cpu = 0.89)},
           {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.client_thread_cpu = 0.74)},
           {BOTTLENECK_SERVER_CPU, SURE, WITH(flat(), changed.server_cpu = 0.95)},
           {BOTTLENECK_SERVER_CPU, SURE, WITH(flat(), changed.server_thread_cpu = 0.93)},
           {BOTTLENECK_SERVER_CPU, LIKELY, WITH(shared(), changed.server_cpu = 0.80)},
           {BOTTLENECK_SERVER_THREADS, LIKELY, WITH(shared(), changed.server_cpu = 0.74)},
           {BOTTLENECK_LINK, SURE, WITH(flat(), changed.link = 0.93)},
           {BOTTLENECK_CLIENT_CPU, SURE, WITH(BOTTLENECK_NO_EVIDENCE, changed.client_cpu = 0.99)},
           {BOTTLENECK_CLIENT_CPU, SURE,
            WITH(BOTTLENECK_NO_EVIDENCE, changed.client_thread_cpu = 0.99)},
           {BOTTLENECK_LINK, SURE, WITH(BOTTLENECK_NO_EVIDENCE, changed.link = 0.95)});
    /* If several resources are busy, the busiest is the limit. In a study with 12 clients, the
     * clients' processors were busy for 97 to 99 % of the time, the server's for 70 %. */
    EXPECT({BOTTLENECK_CLIENT_CPU, SURE,
            WITH(flat(), changed.client_cpu = 0.98, changed.server_cpu = 0.70)},
           {BOTTLENECK_SERVER_CPU, SURE,
            WITH(flat(), changed.client_cpu = 0.92, changed.server_cpu = 0.99)},
           {BOTTLENECK_CLIENT_CPU, SURE,
            WITH(flat(), changed.client_cpu = 0.97, changed.server_cpu = 0.97)},
           {BOTTLENECK_LINK, SURE, WITH(flat(), changed.server_cpu = 0.92, changed.link = 0.99)});
}

TEST_CASE(round_trips)
{
    EXPECT({BOTTLENECK_ROUND_TRIP, SURE, WITH(flat(), changed.gain = 0.9)},
           {BOTTLENECK_ROUND_TRIP, LIKELY, WITH(flat(), changed.gain = 0.21)},
           {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.gain = 0.19)},
           {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.gain = -0.3)},
           {BOTTLENECK_ROUND_TRIP, GUESS, WITH(flat(), changed.gain = NAN)},
           {BOTTLENECK_ROUND_TRIP, LIKELY, WITH(BOTTLENECK_NO_EVIDENCE, changed.gain = 0.9)},
           {BOTTLENECK_UNKNOWN, GUESS, WITH(BOTTLENECK_NO_EVIDENCE, changed.client_cpu = 0.2)},
           {BOTTLENECK_UNKNOWN, GUESS, BOTTLENECK_NO_EVIDENCE});
    /* One call at a time. Evidence on the server's processors is not needed. If the server's time
     * is most of a call, the answer is less certain. */
    EXPECT({BOTTLENECK_ROUND_TRIP, SURE, alone()},
           {BOTTLENECK_ROUND_TRIP, SURE,
            WITH(alone(), changed.server_cpu = changed.server_thread_cpu = NAN)},
           {BOTTLENECK_ROUND_TRIP, LIKELY, WITH(alone(), changed.response_ns = 5e6)},
           {BOTTLENECK_ROUND_TRIP, LIKELY, WITH(BOTTLENECK_NO_EVIDENCE, changed.in_flight = 1)});
    EXPECT(
        {BOTTLENECK_NONE, SURE, WITH(flat(), changed.reached = 1)},
        {BOTTLENECK_NONE, LIKELY, WITH(flat(), changed.reached = 0.96, changed.gain = 0.98)},
        {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.reached = 0.96)},
        {BOTTLENECK_SERVER_CPU, SURE, WITH(flat(), changed.reached = 1, changed.server_cpu = 0.95)},
        {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.reached = 0.8)},
        {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.reached = 0.8, changed.gain = NAN)},
        {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.reached = 0.8, changed.gain = 0.9)},
        {BOTTLENECK_LOCK_OR_DEVICE, LIKELY,
         WITH(tried(), changed.reached = 0.8, changed.in_flight = changed.gain = NAN)});
}

/* Client and server take turns, so that in total they use one processor. With several calls in
 * flight, this is the limit. With a single call, it is normal. */
TEST_CASE(lockstep)
{
    EXPECT(
        {BOTTLENECK_LOCKSTEP, LIKELY, WITH(flat(), changed.both_cpus = 0.99)},
        {BOTTLENECK_LOCKSTEP, LIKELY, WITH(flat(), changed.both_cpus = 0.99, changed.gain = 0.9)},
        {BOTTLENECK_ROUND_TRIP, SURE, WITH(alone(), changed.both_cpus = 0.99)},
        {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.both_cpus = 1.3)},
        {BOTTLENECK_SERVER_CPU, SURE,
         WITH(flat(), changed.both_cpus = 0.99, changed.server_thread_cpu = 0.95)},
        {BOTTLENECK_NONE, SURE,
         WITH(flat(), changed.both_cpus = 0.99, changed.in_flight = NAN, changed.reached = 1)},
        {BOTTLENECK_SERVER_LOCK, LIKELY,
         WITH(tried(), changed.both_cpus = 1.09, changed.server_cpus = 0.95)});
}

/* Loss, reordering and jitter are limits if the throughput may still grow, or if more connections
 * raise it. */
TEST_CASE(lines)
{
    const struct bottleneck_evidence lossy =
        WITH(alone(), changed.response_mean_ns = 4e6, changed.retransmitted = 0.001);
    const struct bottleneck_evidence varying =
        WITH(alone(), changed.rtt_least_ns = 2e5, changed.rtt_variation_ns = 3e6,
             changed.null_ns = changed.null_least_ns = 5.2e6, changed.response_spread_ns = 5e6);
    const struct bottleneck_evidence untried =
        WITH(tried(), changed.trials.connections_ratio = NAN, changed.trials.connections = NAN);
    const struct bottleneck_evidence split = WITH(tried(), changed.trials.connections_ratio = 3.1);

    EXPECT(
        {BOTTLENECK_LOSS, SURE, lossy},
        {BOTTLENECK_ROUND_TRIP, SURE, WITH(lossy, changed.retransmitted = 0.0004)},
        {BOTTLENECK_ROUND_TRIP, SURE, WITH(lossy, changed.response_mean_ns = 2.5e6)},
        {BOTTLENECK_LOSS, LIKELY,
         WITH(lossy, changed.response_ns = 4.2e6, changed.response_mean_ns = 4.4e6)},
        {BOTTLENECK_LOSS, LIKELY,
         WITH(lossy, changed.retransmitted = 0, changed.out_of_order = 0.02)},
        {BOTTLENECK_LOSS, LIKELY, WITH(lossy, changed.retransmitted = NAN, changed.resent = 0.01)},
        {BOTTLENECK_LOSS, LIKELY, WITH(split, changed.retransmitted = 0.01)},
        /* A saturated link loses packets that exceed its queue, but the limit is the link. */
        {BOTTLENECK_LINK, SURE,
         WITH(shared(), changed.retransmitted = 0.01, changed.rtt_ns = 5e6,
              changed.trials.size_elasticity = -0.95)});
    EXPECT(
        {BOTTLENECK_REORDERING, LIKELY, WITH(split, changed.out_of_order = 0.1)},
        {BOTTLENECK_CONNECTION, SURE, WITH(split, changed.out_of_order = 0.001)},
        {BOTTLENECK_REORDERING, GUESS,
         WITH(split, changed.out_of_order = 0.02, changed.retransmitted = 0.0003)},
        {BOTTLENECK_REORDERING, LIKELY,
         WITH(split, changed.out_of_order = 0.1, changed.retransmitted = 0.001)},
        {BOTTLENECK_LOSS, GUESS,
         WITH(split, changed.out_of_order = 0.09, changed.retransmitted = 0.001)},
        {BOTTLENECK_LOSS, LIKELY,
         WITH(split, changed.out_of_order = 0.09, changed.retransmitted = 0.001,
              changed.spurious = 0)},
        /* The retransmitted segments had arrived before, so they were late rather than lost. */
        {BOTTLENECK_REORDERING, LIKELY,
         WITH(split, changed.retransmitted = 0.01, changed.spurious = 0.8)},
        {BOTTLENECK_LOSS, LIKELY,
         WITH(split, changed.retransmitted = 0.01, changed.spurious = 0.2)},
        {BOTTLENECK_CONNECTION, LIKELY,
         WITH(split, changed.retransmitted = 0.001, changed.spurious = 1)},
        /* without the trial of more connections, losses count if no queue is in the link */
        {BOTTLENECK_LOSS, LIKELY, WITH(untried, changed.retransmitted = 0.006)},
        {BOTTLENECK_REORDERING, LIKELY,
         WITH(untried, changed.retransmitted = 0.05, changed.spurious = 0.9)},
        {BOTTLENECK_LOCK_OR_DEVICE, GUESS, WITH(untried, changed.retransmitted = 0.004)},
        {BOTTLENECK_LOCK_OR_DEVICE, LIKELY,
         WITH(untried, changed.retransmitted = 0.05, changed.trials.connections_ratio = 1)},
        {BOTTLENECK_JITTER, SURE, varying},
        {BOTTLENECK_JITTER, LIKELY, WITH(varying, changed.response_spread_ns = 1e5)},
        {BOTTLENECK_JITTER, SURE, WITH(varying, changed.out_of_order = 0.3)},
        /* Waits for a machine's processors vary, too. */
        {BOTTLENECK_JITTER, SURE, WITH(varying, changed.machine_cpu = 0.74)},
        {BOTTLENECK_JITTER, GUESS, WITH(varying, changed.machine_cpu = 0.75)},
        {BOTTLENECK_JITTER, SURE, WITH(varying, changed.machine_cpu = changed.client_cpu = 0.8)},
        {BOTTLENECK_ROUND_TRIP, SURE, WITH(varying, changed.rtt_variation_ns = 4e5)},
        {BOTTLENECK_REORDERING, LIKELY,
         WITH(varying, changed.retransmitted = 0.04, changed.spurious = 0.9,
              changed.response_ns = 12e6, changed.response_mean_ns = 13e6)},
        {BOTTLENECK_LOSS, LIKELY,
         WITH(varying, changed.rtt_variation_ns = NAN, changed.resent = 0.02)},
        /* This is no jitter, because the server's time varies for READ but not for NULL. */
        {BOTTLENECK_ROUND_TRIP, LIKELY,
         WITH(varying, changed.null_ns = changed.null_least_ns = 3e5, changed.response_ns = 5.4e6)},
        {BOTTLENECK_JITTER, GUESS,
         WITH(varying, changed.rtt_ns = changed.rtt_least_ns = changed.rtt_variation_ns = NAN)});
}

TEST_CASE(connections)
{
    const struct bottleneck_evidence split = WITH(tried(), changed.trials.connections_ratio = 3.1);

    EXPECT({BOTTLENECK_RECEIVE_WINDOW, LIKELY, WITH(split, changed.window_limited = 0.8)},
           {BOTTLENECK_RECEIVE_WINDOW, SURE, WITH(split, changed.window_used = 0.9)},
           {BOTTLENECK_CONNECTION, LIKELY, WITH(split, changed.window_used = 0.5)},
           {BOTTLENECK_SEND_BUFFER, LIKELY, WITH(split, changed.buffer_limited = 0.8)},
           /* A full window is a symptom of a slow server if more connections do not help. */
           {BOTTLENECK_LOCK_OR_DEVICE, LIKELY, WITH(tried(), changed.window_limited = 0.8)},
           {BOTTLENECK_RECEIVE_WINDOW, GUESS, WITH(flat(), changed.window_limited = 0.8)},
           {BOTTLENECK_RECEIVE_WINDOW, LIKELY,
            WITH(alone(), changed.window_used = 0.9, changed.response_ns = 9e6)},
           {BOTTLENECK_ROUND_TRIP, SURE, WITH(alone(), changed.window_used = 0.9)});
    EXPECT(
        {BOTTLENECK_SLOTS, LIKELY, WITH(flat(), changed.slots_waiting = 62)},
        {BOTTLENECK_UNKNOWN, GUESS, WITH(flat(), changed.slots_waiting = 0.9)},
        {BOTTLENECK_CONNECTION, SURE, split},
        {BOTTLENECK_CONNECTION, LIKELY,
         WITH(split, changed.server_cpu = changed.server_thread_cpu = NAN)},
        {BOTTLENECK_CONNECTION, LIKELY, WITH(split, changed.trials.connections_ratio = 1.3)},
        {BOTTLENECK_LOCK_OR_DEVICE, GUESS, WITH(split, changed.trials.connections_ratio = 1.29)});
}

TEST_CASE(rates)
{
    const struct bottleneck_evidence burst = WITH(tried(), changed.trials.pause_ratio = 4);

    EXPECT({BOTTLENECK_CALL_RATE, LIKELY, burst},
           {BOTTLENECK_CALL_RATE, SURE, WITH(burst, changed.trials.size_elasticity = -0.05)},
           {BOTTLENECK_CALL_RATE, LIKELY, WITH(burst, changed.trials.size_elasticity = -0.4)},
           {BOTTLENECK_BYTE_RATE, LIKELY, WITH(burst, changed.trials.size_elasticity = -0.6)},
           {BOTTLENECK_BYTE_RATE, SURE, WITH(burst, changed.trials.size_elasticity = -0.97)},
           {BOTTLENECK_BYTE_RATE, LIKELY,
            WITH(burst, changed.trials.size_elasticity = -0.97, changed.is_write = true)},
           {BOTTLENECK_CALL_RATE, LIKELY, WITH(burst, changed.trials.pause_ratio = 1.3)},
           {BOTTLENECK_LOCK_OR_DEVICE, LIKELY, WITH(burst, changed.trials.pause_ratio = 1.29)},
           {BOTTLENECK_CONNECTION, LIKELY, WITH(burst, changed.trials.connections_ratio = 1.3)},
           {BOTTLENECK_BYTE_RATE, GUESS, WITH(tried(), changed.trials.size_elasticity = -0.97)});
}

TEST_CASE(shared_by_all)
{
    const struct bottleneck_evidence line =
        WITH(shared(), changed.trials.size_elasticity = -0.95, changed.rtt_ns = 5e6);

    EXPECT(
        {BOTTLENECK_LINK, SURE, line},
        /* On one machine, the link is the limit only if TCP's RTT shows a queue. */
        {BOTTLENECK_SERVER_THREADS, GUESS, WITH(line, changed.rtt_ns = 1.5e5)},
        {BOTTLENECK_SERVER_THREADS, GUESS, WITH(line, changed.rtt_ns = NAN)},
        {BOTTLENECK_LINK, SURE, WITH(line, changed.server_cpu = changed.server_thread_cpu = NAN)},
        {BOTTLENECK_LINK, LIKELY,
         WITH(line, changed.server_cpu = changed.server_thread_cpu = changed.rtt_ns = NAN)},
        {BOTTLENECK_LINK, LIKELY, WITH(line, changed.trials.pause_ratio = NAN)},
        {BOTTLENECK_LINK, GUESS, WITH(line, changed.trials.size_elasticity = -0.6)},
        {BOTTLENECK_LINK, GUESS,
         WITH(line, changed.server_cpu = changed.server_thread_cpu = NAN,
              changed.trials.null_alone_ns = changed.trials.null_under_load_ns = NAN)},
        /* The queue is in the server's send buffer, so a NULL waits only a little. */
        {BOTTLENECK_LINK, SURE, WITH(line, changed.trials.null_under_load_ns = 6e5)},
        {BOTTLENECK_LINK, LIKELY, WITH(shared(), changed.rtt_ns = 5e6)},
        {BOTTLENECK_SERVER_THREADS, LIKELY, shared()},
        {BOTTLENECK_SERVER_THREADS, LIKELY, WITH(shared(), changed.trials.size_elasticity = -0.1)},
        {BOTTLENECK_SERVER_THREADS, GUESS, WITH(shared(), changed.rtt_ns = NAN)},
        {BOTTLENECK_SERVER_THREADS, GUESS,
         WITH(shared(), changed.server_cpu = changed.server_thread_cpu = NAN)},
        {BOTTLENECK_SERVER_THREADS, GUESS, WITH(shared(), changed.trials.null_under_load_ns = 3e6)},
        /* TCP's RTT proves no queue: with one call per connection it includes the server's time. */
        {BOTTLENECK_SERVER_THREADS, GUESS,
         WITH(shared(), changed.rtt_ns = 5e6, changed.connections = 64)},
        {BOTTLENECK_SERVER_LOCK, LIKELY, WITH(shared(), changed.server_cpus = 1.02)});
}

/* If other processes keep the client's machine busy, calls wait for its processors, so a limit is
 * only a guess. This does not apply if the client itself is busy. */
TEST_CASE(busy_machine)
{
    const struct bottleneck_evidence split = WITH(tried(), changed.trials.connections_ratio = 3.1);

    EXPECT({BOTTLENECK_CONNECTION, SURE, WITH(split, changed.machine_cpu = 0.89)},
           {BOTTLENECK_CONNECTION, GUESS, WITH(split, changed.machine_cpu = 0.9)},
           {BOTTLENECK_CLIENT_CPU, SURE,
            WITH(flat(), changed.client_cpu = 0.95, changed.machine_cpu = 0.97)});
}

TEST_CASE(of_the_op)
{
    EXPECT({BOTTLENECK_LOCK_OR_DEVICE, LIKELY, tried()},
           {BOTTLENECK_LOCK_OR_DEVICE, GUESS,
            WITH(tried(), changed.trials.null_under_load_ns = 2.4e6)},
           {BOTTLENECK_SERVER_THREADS, GUESS,
            WITH(tried(), changed.trials.null_under_load_ns = 2.8e6)},
           {BOTTLENECK_LOCK_OR_DEVICE, LIKELY,
            WITH(tried(), changed.server_cpu = changed.server_thread_cpu = NAN)},
           {BOTTLENECK_LOCK_OR_DEVICE, GUESS, WITH(tried(), changed.moves_data = true)},
           {BOTTLENECK_LOCK_OR_DEVICE, LIKELY,
            WITH(tried(), changed.moves_data = true, changed.trials.size_elasticity = -0.2)},
           {BOTTLENECK_SERVER_LOCK, LIKELY, WITH(tried(), changed.server_cpus = 0.81)},
           {BOTTLENECK_LOCK_OR_DEVICE, LIKELY, WITH(tried(), changed.server_cpus = 1.21)},
           {BOTTLENECK_SERVER_DEVICE, LIKELY, WITH(tried(), changed.is_stable = true)},
           {BOTTLENECK_LOCK_OR_DEVICE, LIKELY,
            WITH(tried(), changed.is_stable = true, changed.is_write = true)},
           {BOTTLENECK_SERVER_DEVICE, SURE,
            WITH(tried(), changed.is_write = true, changed.trials.unstable_ratio = 8)},
           {BOTTLENECK_SERVER_DEVICE, LIKELY,
            WITH(tried(), changed.is_write = true, changed.trials.unstable_ratio = 1.4)},
           {BOTTLENECK_LOCK_OR_DEVICE, LIKELY,
            WITH(tried(), changed.is_write = true, changed.trials.unstable_ratio = 1.2)},
           /* Without the trial of NULL, the limit is unknown. */
           {BOTTLENECK_UNKNOWN, GUESS,
            WITH(tried(), changed.trials.null_alone_ns = changed.trials.null_under_load_ns = NAN)});
}

static void check_texts(const struct bottleneck_evidence *evidence, const char *clause,
                        const char *advice)
{
    struct bottleneck_answer answer;

    bottleneck_judge(evidence, &answer);
    if (!strstr(answer.evidence, clause) || !strstr(answer.advice, advice))
        fail_msg("%s; %s", answer.evidence, answer.advice);
}

TEST_CASE(words)
{
    const struct bottleneck_evidence line =
        WITH(shared(), changed.trials.size_elasticity = -0.95, changed.rtt_ns = 5e6,
             changed.bytes_per_s = 94.9e6 / 8);
    const struct bottleneck_evidence waiting = alone(), idle = flat(), own = tried();
    const struct bottleneck_evidence reached =
        WITH(flat(), changed.in_flight = NAN, changed.reached = 1);
    const struct bottleneck_evidence late = WITH(reached, changed.fails_objective = true);

    check_texts(&waiting, "of a call's 2.1 ms, 2.05 ms (97.6 %) is network time (by a NULL), 50 us",
                "2.5 times as high until the client's processor, busy 40 %");
    check_texts(
        &line,
        "94.9 Mbit/s to the client, calls/s are proportional to the size to the power of -0.95",
        "more calls in flight do not help");
    check_texts(&idle, "ruled out: the client's processors (40 %), the server's processors (40 %)",
                "--no-diagnosis");
    check_texts(&own, "a call takes 6.4 ms instead of 200 us, a NULL during the load takes 160 us",
                "own");
    check_texts(&reached, "100 % of the offered rate was reached", "offer a higher rate");
    check_texts(&late, "reached, calls take longer than the objective allows, a call takes 6.4 ms",
                "the phases of a call at this rate show where calls wait");
    check_texts(&BOTTLENECK_NO_EVIDENCE, "processors and line is unknown", "less load");
}

TEST_CASE(gain)
{
    assert_all((bottleneck_gain(4, 1000, 8, 2000), 1, 1e-12),
               (bottleneck_gain(4, 1000, 8, 1000), 0, 1e-12),
               (bottleneck_gain(4, 1000, 16, 500), -0.5, 1e-12),
               (isnan(bottleneck_gain(8, 1000, 8, 2000))),
               (isnan(bottleneck_gain(0, 1000, 8, 2000))), (isnan(bottleneck_gain(4, 0, 8, 2000))),
               (isnan(bottleneck_gain(4, NAN, 8, 2000))));
}
