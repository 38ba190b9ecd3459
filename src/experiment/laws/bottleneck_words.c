/* Texts of an answer: the evidence with figures, and the advice. */
#include "experiment/laws/bottleneck_words.h"

#include <stdio.h>

#include "common/append.h"

const char *const bottleneck_phrases[] = {
    [BOTTLENECK_UNKNOWN] = "limit unknown",
    [BOTTLENECK_NONE] = "not limited at this rate",
    [BOTTLENECK_ROUND_TRIP] = "limited by the round trip",
    [BOTTLENECK_CLIENT_CPU] = "limited by the client's processors",
    [BOTTLENECK_SERVER_CPU] = "limited by the server's processors",
    [BOTTLENECK_LOCKSTEP] = "limited by client and server taking turns",
    [BOTTLENECK_SERVER_THREADS] =
        "limited by the server's threads, which are all working or waiting",
    [BOTTLENECK_SERVER_LOCK] = "limited by a lock in the server",
    [BOTTLENECK_SERVER_DEVICE] = "limited by the server's storage",
    [BOTTLENECK_LOCK_OR_DEVICE] = "limited by a lock in the server or by its storage",
    [BOTTLENECK_CONNECTION] = "limited by the connection, whose calls wait for each other",
    [BOTTLENECK_CALL_RATE] = "limited to a number of calls per second",
    [BOTTLENECK_BYTE_RATE] = "limited to a number of bytes per second",
    [BOTTLENECK_LINK] = "limited by the line",
    [BOTTLENECK_LOSS] = "limited by packet loss on the line",
    [BOTTLENECK_REORDERING] = "limited by packets that arrive out of order",
    [BOTTLENECK_JITTER] = "limited by the line's varying latency",
    [BOTTLENECK_RECEIVE_WINDOW] = "limited by TCP's receive window",
    [BOTTLENECK_SEND_BUFFER] = "limited by TCP's send buffer",
    [BOTTLENECK_SLOTS] = "limited by the client's RPC slots",
    NULL,
};

/* Parts of texts */

enum { SHORT = 32 };

struct words {
    char text[SHORT];
};

/* Return VALUE, which is in UNITS[0], in the largest unit that is not above VALUE. Each unit is
 * 1000 times the one before it. */
static struct words in_units(double value, const char *const units[4])
{
    const double factor = 1000, almost = 999.5;
    struct words words;
    size_t unit = 0;

    for (; value >= almost && unit < 3; unit++)
        value /= factor;
    snprintf(words.text, SHORT, "%.3g %s", value, units[unit]);
    return words;
}

static struct words time_of(double ns)
{
    return in_units(ns, (const char *const[]){"ns", "us", "ms", "s"});
}

static struct words bits_of(double bytes_per_s)
{
    return in_units(8 * bytes_per_s, (const char *const[]){"bit/s", "kbit/s", "Mbit/s", "Gbit/s"});
}

static struct words percent_of(double share)
{
    struct words words;

    snprintf(words.text, SHORT, "%.3g %%", 100 * share);
    return words;
}

#define ADD(...) append_item(answer->evidence, sizeof answer->evidence, __VA_ARGS__)
#define ADVISE(...)                                                                                \
    (answer->advice[0] = '\0', append(answer->advice, sizeof answer->advice, __VA_ARGS__))

static void add_wait(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_evidence *of = signs->of;

    if (of->response_ns > of->response_least_ns)
        ADD("a call takes %s instead of %s", time_of(of->response_ns).text,
            time_of(of->response_least_ns).text);
}

static void add_null(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_trials *trials = &signs->of->trials;

    if (!isnan(trials->null_under_load_ns))
        ADD("a NULL during the load takes %s, without load %s",
            time_of(trials->null_under_load_ns).text, time_of(trials->null_alone_ns).text);
}

static void add_bytes(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_evidence *of = signs->of;

    if (of->bytes_per_s > 0)
        ADD("%s to the %s", bits_of(of->bytes_per_s).text, of->sends_most ? "server" : "client");
    else if (of->rate > 0)
        ADD("%.4g calls/s", of->rate);
    if (!isnan(of->trials.size_elasticity))
        ADD("calls/s are proportional to the size to the power of %.2f",
            of->trials.size_elasticity);
}

static void add_segments(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_evidence *of = signs->of;

    if (!isnan(of->retransmitted))
        ADD("%s of the segments were sent again", percent_of(of->retransmitted).text);
    if (!isnan(of->spurious))
        ADD("%s of the retransmissions were spurious", percent_of(of->spurious).text);
    if (!isnan(of->out_of_order))
        ADD("%s of the segments arrived out of order", percent_of(of->out_of_order).text);
    if (of->resent > 0)
        ADD("%s of the calls were sent again", percent_of(of->resent).text);
    if (signs->stalled > 0)
        ADD("the mean call takes %s, a typical one %s", time_of(of->response_mean_ns).text,
            time_of(of->response_ns).text);
}

static void add_connections(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_trials *trials = &signs->of->trials;

    if (!isnan(trials->connections_ratio))
        ADD("the same calls in flight over %.3g times the connections make %.2g times the rate",
            trials->connections, trials->connections_ratio);
}

/* Clauses of single limits */

static void add_use(const char *side, double cpu, double thread, struct bottleneck_answer *answer)
{
    if (thread > cpu || isnan(cpu))
        ADD("the %s's busiest thread is busy %s of the time", side, percent_of(thread).text);
    else
        ADD("the %s's processors are busy %s of the time", side, percent_of(cpu).text);
}

static void add_client_use(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    add_use("client", signs->of->client_cpu, signs->of->client_thread_cpu, answer);
}

static void add_turns(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    ADD("with %.0f calls in flight client and server use %.2f processors in total",
        signs->of->in_flight, signs->of->both_cpus);
}

static void add_server_threads(const struct bottleneck_signs *signs,
                               struct bottleneck_answer *answer)
{
    if (!isnan(signs->of->trials.size_elasticity))
        ADD("calls/s are proportional to the size to the power of %.2f",
            signs->of->trials.size_elasticity);
    if (!isnan(signs->server))
        ADD("the server's processors are busy %s of the time", percent_of(signs->server).text);
}

static void add_lock(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    ADD("the server's threads use %.2f processors in total, the busiest thread %s of one",
        signs->of->server_cpus, percent_of(signs->of->server_thread_cpu).text);
}

static void add_unstable(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    if (signs->of->trials.unstable_ratio > 1)
        ADD("UNSTABLE WRITEs at the same load make %.2g times the rate",
            signs->of->trials.unstable_ratio);
}

static void add_rate(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    ADD("%.4g calls/s", signs->of->rate);
}

static void add_burst(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    if (signs->of->trials.pause_ratio >= BOTTLENECK_RATIO)
        ADD("the first calls after a pause pass at %.2g times the rate",
            signs->of->trials.pause_ratio);
}

static void add_link(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    if (signs->of->link >= BOTTLENECK_LINK_BUSY)
        ADD("%s of the line's speed is used", percent_of(signs->of->link).text);
}

static void add_variation(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_evidence *of = signs->of;

    if (!isnan(of->rtt_variation_ns))
        ADD("TCP's round trip takes at least %s and varies by %s", time_of(of->rtt_least_ns).text,
            time_of(of->rtt_variation_ns).text);
    if (!isnan(of->null_least_ns))
        ADD("a NULL takes %s", time_of(of->null_least_ns).text);
    if (!isnan(of->response_spread_ns))
        ADD("one call in a hundred takes %s more than a typical one",
            time_of(of->response_spread_ns).text);
}

static void add_buffer(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    ADD("the client's send buffer is full %s of the time",
        percent_of(signs->of->buffer_limited).text);
}

static void add_slots(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    ADD("%.3g of %.0f calls in flight wait for an RPC slot", signs->of->slots_waiting,
        signs->of->in_flight);
}

/* Limits whose advice depends on the evidence */

static void describe_no_limit(const struct bottleneck_signs *signs,
                              struct bottleneck_answer *answer)
{
    ADD("%s of the offered rate was reached", percent_of(signs->of->reached).text);
    if (!signs->of->fails_objective) {
        ADVISE("offer a higher rate to find the limit");
        return;
    }
    ADD("calls take longer than the objective allows");
    add_wait(signs, answer);
    ADVISE("the phases of a call at this rate show where calls wait");
}

/* Divide the time of a call without queueing into network time (the time of a NULL or, if that is
 * unknown, TCP's minimum RTT) and the op's own time, and add both to the evidence. */
static void add_network(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_evidence *of = signs->of;
    const bool by_null = !isnan(of->null_least_ns);
    const double network =
        fmin(by_null ? of->null_least_ns : of->rtt_least_ns, of->response_least_ns);

    if (isnan(network))
        return;
    ADD("of a call's %s, %s (%s) is network time (by %s)", time_of(of->response_least_ns).text,
        time_of(network).text, percent_of(network / of->response_least_ns).text,
        by_null ? "a NULL" : "TCP's round trip");
    ADD("%s (%s) is the op's own time", time_of(of->response_least_ns - network).text,
        percent_of(1 - network / of->response_least_ns).text);
}

static void describe_round_trip(const struct bottleneck_signs *signs,
                                struct bottleneck_answer *answer)
{
    const struct bottleneck_evidence *of = signs->of;
    const double use = fmax(fmax(signs->client, signs->server), of->link);
    const char *busiest = signs->client >= use   ? "the client's processor"
                          : signs->server >= use ? "the server's processor"
                                                 : "the line";

    add_network(signs, answer);
    if (of->gain >= BOTTLENECK_GAIN)
        ADD("twice the calls in flight still make %.2f times the rate", exp2(of->gain));
    if (!*answer->evidence)
        ADD("%s", of->in_flight > 1 ? "no busy resource was found" : "one call is in flight");
    if (isnan(use))
        ADVISE("more calls in flight: with twice as many, the rate is up to twice as high");
    else
        ADVISE("more calls in flight: the rate can become %.2g times as high until %s, busy %s of "
               "the time now, is fully used",
               fmax(1, 1 / use), busiest, percent_of(use).text);
}

static void describe_server_cpu(const struct bottleneck_signs *signs,
                                struct bottleneck_answer *answer)
{
    add_use("server", signs->of->server_cpu, signs->of->server_thread_cpu, answer);
    if (signs->of->server_thread_cpu > signs->of->server_cpu)
        ADVISE("more threads in the server, or more connections if the server has one thread per "
               "connection");
    else
        ADVISE("more or faster processors for the server; more calls in flight do not help");
}

static void describe_window(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_evidence *of = signs->of;
    const bool of_server = of->window_limited >= BOTTLENECK_WINDOW;

    if (of_server)
        ADD("the server's window is full %s of the time", percent_of(of->window_limited).text);
    else
        ADD("replies fill %s of the client's window in each round trip",
            percent_of(of->window_used).text);
    add_connections(signs, answer);
    ADVISE("larger receive buffers in the %s (net.ipv4.tcp_rmem), or more connections",
           of_server ? "server" : "client");
}

/* Add the limits that were ruled out, each with the figure that ruled it out. */
static void describe_unknown(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    const struct bottleneck_evidence *of = signs->of;
    const struct bottleneck_trials *trials = &of->trials;
    const struct {
        const char *what;
        double share;
    } ruled_out[] = {{"the client's processors", signs->client},
                     {"the server's processors", signs->server},
                     {"the line's speed", of->link},
                     {"segments sent again", of->retransmitted},
                     {"segments out of order", of->out_of_order},
                     {"a full window of the server", of->window_limited}};
    const bool tried = !isnan(trials->connections_ratio) || !isnan(trials->null_under_load_ns) ||
                       !isnan(trials->pause_ratio);

    for (size_t i = 0; i < sizeof ruled_out / sizeof ruled_out[0]; i++)
        if (!isnan(ruled_out[i].share))
            ADD("%s%s (%s)", *answer->evidence ? "" : "ruled out: ", ruled_out[i].what,
                percent_of(ruled_out[i].share).text);
    if (!*answer->evidence)
        ADD("the use of processors and line is unknown");
    if (isnan(of->gain) && isnan(of->reached))
        ADVISE("another point at less load shows whether the throughput still grows");
    else if (!tried)
        ADVISE("to find the limit, make the trials at this load: without --no-diagnosis or "
               "--launches, and with a longer --max-time");
    else if (isnan(signs->server))
        ADVISE("to find the limit, measure the server's processors with --server-cmd");
    else
        ADVISE("the phases of a call at this load show where calls wait");
}

/* Texts, indexed by limit. CLAUSES add the evidence, and the advice if ADVICE is NULL. */
static const struct {
    void (*clauses[4])(const struct bottleneck_signs *signs, struct bottleneck_answer *answer);
    const char *advice;
} words_of[] = {
    [BOTTLENECK_UNKNOWN] = {{describe_unknown}, NULL},
    [BOTTLENECK_NONE] = {{describe_no_limit}, NULL},
    [BOTTLENECK_ROUND_TRIP] = {{describe_round_trip}, NULL},
    [BOTTLENECK_CLIENT_CPU] =
        {{add_client_use},
         "more client processors, or clients on other machines; the server may have capacity left"},
    [BOTTLENECK_SERVER_CPU] = {{describe_server_cpu}, NULL},
    [BOTTLENECK_LOCKSTEP] = {{add_turns},
                             "more connections or clients, so that both work at the same time"},
    [BOTTLENECK_SERVER_THREADS] =
        {{add_wait, add_null, add_server_threads},
         "more threads in the server, if its processors are not busy (see --server-cmd)"},
    [BOTTLENECK_SERVER_LOCK] =
        {{add_lock, add_null},
         "a finer lock in the server; more threads or calls in flight do not help"},
    [BOTTLENECK_SERVER_DEVICE] =
        {{add_unstable, add_wait, add_null},
         "faster stable storage, or UNSTABLE WRITEs with one COMMIT for many WRITEs"},
    [BOTTLENECK_LOCK_OR_DEVICE] = {{add_wait, add_null},
                                   "look at the server's own statistics: a client can't "
                                   "distinguish waits for a lock from waits for storage"},
    [BOTTLENECK_CONNECTION] = {{add_connections, add_segments},
                               "more connections (--connections; of a mount, nconnect)"},
    [BOTTLENECK_CALL_RATE] =
        {{add_rate, add_burst},
         "a higher limit on the server or the volume, or larger calls, which carry more bytes"},
    [BOTTLENECK_BYTE_RATE] =
        {{add_bytes, add_burst, add_null},
         "a higher limit on the server or the volume, or faster storage if there is no limit"},
    [BOTTLENECK_LINK] = {{add_bytes, add_link, add_wait, add_null},
                         "a faster line, or fewer bytes; more calls in flight do not help"},
    [BOTTLENECK_LOSS] =
        {{add_segments},
         "a line without packet loss, or more connections, so that a loss delays fewer calls"},
    [BOTTLENECK_REORDERING] =
        {{add_segments}, "a path that keeps packets in order, such as one link instead of two"},
    [BOTTLENECK_JITTER] = {{add_variation},
                           "a line with a steadier latency, or more calls in flight"},
    [BOTTLENECK_RECEIVE_WINDOW] = {{describe_window}, NULL},
    [BOTTLENECK_SEND_BUFFER] =
        {{add_buffer, add_connections},
         "larger send buffers in the client (net.ipv4.tcp_wmem), or more connections"},
    [BOTTLENECK_SLOTS] = {{add_slots},
                          "more RPC slots in the client (sunrpc.tcp_max_slot_table_entries)"},
};

void bottleneck_write_texts(const struct bottleneck_signs *signs, struct bottleneck_answer *answer)
{
    for (size_t i = 0; i < 4 && words_of[answer->limit].clauses[i]; i++)
        words_of[answer->limit].clauses[i](signs, answer);
    if (words_of[answer->limit].advice)
        ADVISE("%s", words_of[answer->limit].advice);
    if (signs->is_machine_busy)
        ADD("all programs use %s of this machine's processors",
            percent_of(signs->of->machine_cpu).text);
}
