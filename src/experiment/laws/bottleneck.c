/* Rules that find a limit. The texts of answers are in bottleneck_words.c. */
#include "experiment/laws/bottleneck_words.h"

#include <stddef.h>

const char *const bottleneck_names[] = {
    [BOTTLENECK_UNKNOWN] = "unknown",
    [BOTTLENECK_NONE] = "none",
    [BOTTLENECK_ROUND_TRIP] = "round-trip",
    [BOTTLENECK_CLIENT_CPU] = "client-cpu",
    [BOTTLENECK_SERVER_CPU] = "server-cpu",
    [BOTTLENECK_LOCKSTEP] = "lockstep",
    [BOTTLENECK_SERVER_THREADS] = "server-threads",
    [BOTTLENECK_SERVER_LOCK] = "server-lock",
    [BOTTLENECK_SERVER_DEVICE] = "server-device",
    [BOTTLENECK_LOCK_OR_DEVICE] = "lock-or-device",
    [BOTTLENECK_CONNECTION] = "connection",
    [BOTTLENECK_CALL_RATE] = "call-rate",
    [BOTTLENECK_BYTE_RATE] = "byte-rate",
    [BOTTLENECK_LINK] = "link",
    [BOTTLENECK_LOSS] = "loss",
    [BOTTLENECK_REORDERING] = "reordering",
    [BOTTLENECK_JITTER] = "jitter",
    [BOTTLENECK_RECEIVE_WINDOW] = "receive-window",
    [BOTTLENECK_SEND_BUFFER] = "send-buffer",
    [BOTTLENECK_SLOTS] = "slots",
    NULL,
};

const char *const bottleneck_sureness_names[] = {
    [BOTTLENECK_GUESS] = "guess",
    [BOTTLENECK_LIKELY] = "likely",
    [BOTTLENECK_SURE] = "sure",
    NULL,
};

/* Signs */

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high;
}

/* Return a NULL's extra wait during the load as a share of a call's extra wait. If a call's extra
 * wait is unknown or too short for a share, return 1 if the load makes NULL clearly slower, 0 if it
 * makes NULL hardly slower, and NAN in between. Without the trial, return NAN. */
static double null_wait_of(const struct bottleneck_evidence *evidence)
{
    const double waits_least = 0.2; /* least extra wait, as a share of the response time */
    const struct bottleneck_trials *trials = &evidence->trials;
    const double more = fmax(0, trials->null_under_load_ns - trials->null_alone_ns);
    const double waits = evidence->response_ns - evidence->response_least_ns;
    const double times = trials->null_under_load_ns / trials->null_alone_ns;

    if (isnan(times))
        return NAN;
    if (waits > waits_least * evidence->response_ns)
        return more / waits;
    return times >= BOTTLENECK_CLEAR_RATIO ? 1 : times < BOTTLENECK_RATIO ? 0 : NAN;
}

/* Return the growth of TCP's RTT as a share of a NULL's extra wait. NAN if a NULL does not wait
 * longer, or with few calls in flight on a connection, because TCP's RTT then includes the server's
 * time: acknowledgements wait for replies. */
static double network_wait_of(const struct bottleneck_evidence *evidence)
{
    enum { CALLS_LEAST = 4 };
    const double more = evidence->trials.null_under_load_ns - evidence->trials.null_alone_ns;

    return more > 0 && evidence->in_flight / evidence->connections >= CALLS_LEAST
               ? (evidence->rtt_ns - evidence->rtt_least_ns) / more
               : NAN;
}

/* Return whether all processes together use LEAST of the machine, but neither side uses it alone.
 */
static bool is_machine_busy(const struct bottleneck_signs *signs, double least)
{
    return signs->of->machine_cpu >= least && !(signs->client >= least) &&
           !(signs->server >= least);
}

struct bottleneck_signs bottleneck_signs_of(const struct bottleneck_evidence *evidence)
{
    struct bottleneck_signs signs = {
        .of = evidence,
        .client = fmax(evidence->client_cpu, evidence->client_thread_cpu),
        .server = fmax(evidence->server_cpu, evidence->server_thread_cpu),
        .stalled = 1 - evidence->response_ns / evidence->response_mean_ns,
        .null_wait = null_wait_of(evidence),
        .network_wait = network_wait_of(evidence),
    };

    signs.is_machine_busy = is_machine_busy(&signs, BOTTLENECK_CPU_BUSY);
    return signs;
}

/* Rules. Each rule returns the certainty that its limit applies, or NO. */

enum { NO = -1, GUESS = BOTTLENECK_GUESS, LIKELY = BOTTLENECK_LIKELY, SURE = BOTTLENECK_SURE };

/* Return the limit of the busiest of the busy resources; BOTTLENECK_UNKNOWN if none is busy. */
static enum bottleneck find_busy(const struct bottleneck_signs *signs)
{
    const struct bottleneck_evidence *of = signs->of;
    const struct {
        enum bottleneck resource;
        double use; /* use / threshold */
    } all[] = {{BOTTLENECK_CLIENT_CPU, fmax(of->client_cpu / BOTTLENECK_CPU_BUSY,
                                            of->client_thread_cpu / BOTTLENECK_THREAD_BUSY)},
               {BOTTLENECK_SERVER_CPU, fmax(of->server_cpu / BOTTLENECK_CPU_BUSY,
                                            of->server_thread_cpu / BOTTLENECK_THREAD_BUSY)},
               {BOTTLENECK_LINK, of->link / BOTTLENECK_LINK_BUSY}};
    enum bottleneck busiest = BOTTLENECK_UNKNOWN;
    double most = 0;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].use >= 1 && all[i].use > most) {
            busiest = all[i].resource;
            most = all[i].use;
        }
    return busiest;
}

static int is_client_busy(const struct bottleneck_signs *signs)
{
    return find_busy(signs) == BOTTLENECK_CLIENT_CPU ? SURE : NO;
}

static int is_server_busy(const struct bottleneck_signs *signs)
{
    return find_busy(signs) == BOTTLENECK_SERVER_CPU ? SURE : NO;
}

static int is_link_busy(const struct bottleneck_signs *signs)
{
    return find_busy(signs) == BOTTLENECK_LINK ? SURE : NO;
}

/* The offered rate is reached. Because random arrivals are a few per cent more or less frequent
 * than the rate, a slightly lower throughput is accepted, unless the throughput is known to grow
 * more slowly than the rate. */
static int is_rate_reached(const struct bottleneck_signs *signs)
{
    const double nearly = 0.95, follows = 0.9;

    if (signs->of->reached >= BOTTLENECK_RATE_REACHED)
        return SURE;
    return signs->of->reached >= nearly && !(signs->of->gain < follows) ? LIKELY : NO;
}

/* Client and server work alternately: in total they use one processor. If the server alone uses one
 * processor, the limit is one of the server's threads, or a lock. */
static int take_alternate_turns(const struct bottleneck_signs *signs)
{
    const struct bottleneck_evidence *of = signs->of;

    return of->in_flight > 1 && fabs(of->both_cpus - 1) <= BOTTLENECK_TURNS &&
                   !(of->server_cpus >= 1 - BOTTLENECK_LOCK)
               ? LIKELY
               : NO;
}

/* Return whether it is known that the throughput no longer grows. */
static bool is_flat(const struct bottleneck_signs *signs)
{
    return signs->of->gain < BOTTLENECK_GAIN || signs->of->reached < BOTTLENECK_RATE_REACHED;
}

static bool is_effect(double ratio)
{
    return ratio >= BOTTLENECK_RATIO;
}

/* Return whether many segments are retransmitted although no queue is in the link: a NULL does not
 * wait, and TCP's RTT is near its minimum. */
static bool is_resent_on_empty_line(const struct bottleneck_signs *signs)
{
    const struct bottleneck_evidence *of = signs->of;
    const double many = 10 * BOTTLENECK_LOST;

    return of->retransmitted >= many && signs->null_wait < BOTTLENECK_PASSES &&
           of->rtt_ns < BOTTLENECK_CLEAR_RATIO * of->rtt_least_ns;
}

/* Return whether single calls, or the calls of one connection, take longer than necessary. A
 * saturated link, which loses the packets that exceed its queue, does not count. */
static bool is_held_up(const struct bottleneck_signs *signs)
{
    const struct bottleneck_evidence *of = signs->of;
    const double ratio = of->trials.connections_ratio;
    const bool stalled = signs->stalled >= BOTTLENECK_STALLED;

    if (is_flat(signs))
        return is_effect(ratio) || (isnan(ratio) && is_resent_on_empty_line(signs)) ||
               (stalled && !(of->rtt_ns >= BOTTLENECK_CLEAR_RATIO * of->rtt_least_ns));
    return stalled || of->response_ns >= BOTTLENECK_CLEAR_RATIO * of->null_ns;
}

/* Return whether most retransmitted segments had arrived, so they were late rather than lost. A few
 * retransmissions do not count, because a reply that takes many RTTs causes them (tail loss probes,
 * RFC 8985). */
static bool is_mostly_spurious(const struct bottleneck_signs *signs)
{
    return signs->of->retransmitted >= 10 * BOTTLENECK_LOST && signs->of->spurious >= 0.5;
}

/* Jitter: TCP's RTT varies, and so a NULL at the smallest load takes longer than the minimum RTT.
 * Over UDP, the only sign is that the calls' times vary. Calls sent again or late segments exclude
 * jitter, because they make times vary, too. */
static int has_jitter(const struct bottleneck_signs *signs)
{
    const struct bottleneck_evidence *of = signs->of;
    const double null_waits = of->null_least_ns - of->rtt_least_ns;
    const bool varied = of->rtt_variation_ns >= BOTTLENECK_JITTER_NS &&
                        of->rtt_variation_ns >= of->rtt_least_ns / 2;

    if (is_flat(signs) && !is_effect(of->trials.connections_ratio))
        return NO;
    if (of->resent >= BOTTLENECK_LOST || is_mostly_spurious(signs))
        return NO;
    if (isnan(of->rtt_variation_ns))
        return of->response_spread_ns >= 4 * BOTTLENECK_JITTER_NS &&
                       of->response_spread_ns >= of->null_least_ns / 2 &&
                       of->null_least_ns >= of->response_least_ns / 2
                   ? GUESS
                   : NO;
    if (!varied || !(null_waits >= of->rtt_variation_ns / 2))
        return NO;
    return null_waits >= of->rtt_least_ns && of->response_spread_ns >= of->rtt_variation_ns
               ? SURE
               : LIKELY;
}

/* Return whether more segments are out of order than losses explain. A loss puts some tens of
 * segments out of order: all that arrive before the retransmitted one. */
static bool is_mostly_disorder(const struct bottleneck_signs *signs)
{
    const double most = 100;

    return signs->of->out_of_order >= most * signs->of->retransmitted;
}

/* Loss. The client counts the retransmissions of its own segments. Lost segments of the server
 * show as segments out of order and, if no segment follows a lost one, as stalls. If the client
 * has few retransmissions, loss is assumed only with both signs. */
static int has_loss(const struct bottleneck_signs *signs)
{
    const struct bottleneck_evidence *of = signs->of;
    const bool stalled = signs->stalled >= BOTTLENECK_STALLED;
    const bool disordered = of->out_of_order >= BOTTLENECK_DISORDER;
    const double hardly = 0.2;
    const double lost = of->retransmitted * (isnan(of->spurious) ? 1 : 1 - of->spurious);

    /* Over UDP, each call that is sent again waited for a timeout, which takes many round trips. */
    if (of->resent >= BOTTLENECK_LOST)
        return LIKELY;
    if (!is_held_up(signs) || is_mostly_spurious(signs))
        return NO;
    if (lost >= BOTTLENECK_LOST && stalled)
        return SURE;
    if (lost >= BOTTLENECK_LOST && !(disordered && is_mostly_disorder(signs)))
        return disordered && !(of->spurious < hardly) ? GUESS : LIKELY;
    return disordered && stalled ? LIKELY : NO;
}

static int has_reordering(const struct bottleneck_signs *signs)
{
    const bool disordered = signs->of->out_of_order >= BOTTLENECK_DISORDER;

    if (!is_held_up(signs) || !(disordered || is_mostly_spurious(signs)))
        return NO;
    return is_mostly_spurious(signs) || is_mostly_disorder(signs) ? LIKELY : GUESS;
}

/* Return the certainty that a full window or buffer is the limit, or NO if it is only a symptom. If
 * the throughput does not grow, it is the limit if more connections help. They do not help if the
 * window is full because the server reads late, except if the server reads connections in turn. If
 * the throughput may still grow, the answer is NO, except for one call in flight that is held up.
 */
static int is_limit_of_connection(const struct bottleneck_signs *signs)
{
    const double ratio = signs->of->trials.connections_ratio;

    if (is_flat(signs))
        return is_effect(ratio) ? LIKELY : isnan(ratio) ? GUESS : NO;
    return signs->of->in_flight == 1 && is_held_up(signs) ? LIKELY : NO;
}

/* A receive window is full. A slow server can fill its own window, but not that of the client. */
static int fills_window(const struct bottleneck_signs *signs)
{
    const bool full = signs->of->window_limited >= BOTTLENECK_WINDOW,
               used = signs->of->window_used >= BOTTLENECK_WINDOW_USE;

    if (used && is_flat(signs) && is_effect(signs->of->trials.connections_ratio))
        return SURE;
    return full || used ? is_limit_of_connection(signs) : NO;
}

static int fills_buffer(const struct bottleneck_signs *signs)
{
    return signs->of->buffer_limited >= BOTTLENECK_WINDOW ? is_limit_of_connection(signs) : NO;
}

/* The throughput would grow with more calls in flight. If its growth is unknown and several calls
 * are in flight, the only evidence is that no processor is busy. */
static int waits_for_round_trip(const struct bottleneck_signs *signs)
{
    const struct bottleneck_evidence *of = signs->of;
    const double network = fmax(of->null_ns, of->rtt_least_ns) / of->response_ns;

    if (is_flat(signs))
        return NO;
    if (of->gain >= BOTTLENECK_GAIN)
        return of->gain >= 0.5 && !isnan(signs->client) ? SURE : LIKELY;
    if (of->in_flight == 1)
        return network >= 0.5 && !isnan(signs->client) ? SURE : LIKELY;
    return !isnan(signs->client) && !isnan(signs->server) ? GUESS : NO;
}

/* Calls wait for the client's RPC slots. This is not sure, because a slow server keeps all slots in
 * use, too: a slot is free only when its call is answered. */
static int waits_for_slots(const struct bottleneck_signs *signs)
{
    return signs->of->slots_waiting >= 1 ? LIKELY : NO;
}

/* The rules below apply only if the throughput no longer grows. */

static int passes_after_pause(const struct bottleneck_signs *signs, bool by_bytes)
{
    const struct bottleneck_trials *trials = &signs->of->trials;
    const double elasticity = trials->size_elasticity;
    const bool clear =
        by_bytes ? elasticity <= BOTTLENECK_BYTES_CLEAR : elasticity >= BOTTLENECK_CALLS_CLEAR;

    if (!is_effect(trials->pause_ratio) || is_effect(trials->connections_ratio) ||
        by_bytes != (elasticity <= BOTTLENECK_BYTES))
        return NO;
    /* The server's cache can also make WRITEs faster after a pause, so they give no SURE answer. */
    return clear && trials->pause_ratio >= BOTTLENECK_CLEAR_RATIO && !signs->of->is_write ? SURE
                                                                                          : LIKELY;
}

static int limits_calls(const struct bottleneck_signs *signs)
{
    return passes_after_pause(signs, false);
}

static int limits_bytes(const struct bottleneck_signs *signs)
{
    return passes_after_pause(signs, true);
}

/* Return whether TCP's figures are known, and none of them explains the limit. */
static bool is_tcp_clean(const struct bottleneck_evidence *of)
{
    const double hardly = BOTTLENECK_WINDOW / 2;

    return of->retransmitted < BOTTLENECK_LOST && of->out_of_order < BOTTLENECK_DISORDER &&
           of->window_limited < hardly && of->buffer_limited < hardly && of->window_used < hardly;
}

static int is_of_connection(const struct bottleneck_signs *signs)
{
    const double ratio = signs->of->trials.connections_ratio;

    if (!is_effect(ratio))
        return NO;
    return ratio >= BOTTLENECK_CLEAR_RATIO && is_tcp_clean(signs->of) &&
                   signs->server < BOTTLENECK_NEARLY_BUSY
               ? SURE
               : LIKELY;
}

static int gains_by_unstable(const struct bottleneck_signs *signs)
{
    const double ratio = signs->of->trials.unstable_ratio;

    return ratio >= BOTTLENECK_CLEAR_RATIO ? SURE : is_effect(ratio) ? LIKELY : NO;
}

/* is_shared(): the calls of all ops wait, because a NULL waits during the load. is_own(): only the
 * calls of this op wait. Both are false if the wait of a NULL is unknown. */
static bool is_shared(const struct bottleneck_signs *signs)
{
    return signs->null_wait >= BOTTLENECK_SHARED;
}

static bool is_own(const struct bottleneck_signs *signs)
{
    return signs->null_wait < BOTTLENECK_SHARED;
}

static int is_client_nearly_busy(const struct bottleneck_signs *signs)
{
    return signs->client >= BOTTLENECK_NEARLY_BUSY && !is_own(signs) ? LIKELY : NO;
}

static int is_server_nearly_busy(const struct bottleneck_signs *signs)
{
    return signs->server >= BOTTLENECK_NEARLY_BUSY && !is_own(signs) ? LIKELY : NO;
}

/* The link is saturated: bytes are limited, and a NULL waits (only a little if the op's replies
 * wait in the server's send buffer). If the NULL's wait is unknown, the answer is a guess. It is
 * sure only with a queue in the network, because a busy server, or a limit on bytes per second for
 * all calls, shows the same signs. For a server on this machine, this queue is required, because
 * between two processes there is only memory. */
static int fills_line(const struct bottleneck_signs *signs)
{
    const struct bottleneck_trials *trials = &signs->of->trials;
    const bool is_queued = signs->network_wait >= BOTTLENECK_SHARED_CLEAR;
    const bool is_local = !isnan(signs->of->server_thread_cpu);

    if (!(trials->size_elasticity <= BOTTLENECK_BYTES) || signs->null_wait < BOTTLENECK_PASSES ||
        trials->null_under_load_ns < BOTTLENECK_CLEAR_RATIO * trials->null_alone_ns ||
        (is_local && !is_queued))
        return NO;
    if (trials->size_elasticity > BOTTLENECK_BYTES_CLEAR || isnan(trials->null_under_load_ns))
        return GUESS;
    return trials->pause_ratio < BOTTLENECK_RATIO && is_queued ? SURE : LIKELY;
}

/* Only the op's bytes are limited, by a device or rate; a NULL's wait is short or unknown. */
static int limits_own_bytes(const struct bottleneck_signs *signs)
{
    return signs->of->trials.size_elasticity <= BOTTLENECK_BYTES &&
                   !(signs->null_wait >= BOTTLENECK_SHARED)
               ? GUESS
               : NO;
}

/* Server threads wait for one lock, so that in total they use one processor. */
static int follow_one_another(const struct bottleneck_signs *signs)
{
    return is_between(signs->of->server_cpus, 1 - BOTTLENECK_LOCK, 1 + BOTTLENECK_LOCK) &&
                   signs->server < BOTTLENECK_NEARLY_BUSY
               ? LIKELY
               : NO;
}

/* A NULL waits, and most of its wait is in the network. */
static int queues_in_network(const struct bottleneck_signs *signs)
{
    if (!is_shared(signs) || !(signs->network_wait >= BOTTLENECK_SHARED_CLEAR))
        return NO;
    return isnan(signs->of->trials.size_elasticity) ? LIKELY : GUESS;
}

static int wait_for_threads(const struct bottleneck_signs *signs)
{
    const double elasticity = signs->of->trials.size_elasticity;
    const bool not_line =
        elasticity >= BOTTLENECK_CALLS_CLEAR ||
        (signs->network_wait < BOTTLENECK_OWN_CLEAR && !(elasticity <= BOTTLENECK_BYTES));

    if (!is_shared(signs))
        return NO;
    return not_line && signs->server < BOTTLENECK_NEARLY_BUSY &&
                   signs->null_wait >= BOTTLENECK_SHARED_CLEAR
               ? LIKELY
               : GUESS;
}

/* Only this op's calls wait. This is a guess if a NULL waits a little, if the connection may be the
 * limit (NULL has its own connection), or if bytes may be limited (a NULL does not always wait in
 * the queue for bytes). */
static int waits_for_own(const struct bottleneck_signs *signs)
{
    const struct bottleneck_evidence *of = signs->of;
    const double hardly = 1.15;
    const bool not_bytes = !of->moves_data || of->trials.size_elasticity >= BOTTLENECK_CALLS_CLEAR;

    if (!is_own(signs))
        return NO;
    return signs->null_wait < BOTTLENECK_OWN_CLEAR && not_bytes &&
                   of->trials.connections_ratio < hardly
               ? LIKELY
               : GUESS;
}

/* A COMMIT waits, and only stable storage can be the reason. */
static int waits_for_commit(const struct bottleneck_signs *signs)
{
    return signs->of->is_stable && !signs->of->is_write ? waits_for_own(signs) : NO;
}

static const struct rule {
    enum bottleneck limit;
    int (*holds)(const struct bottleneck_signs *signs);
    bool flat; /* the rule applies only if it is known that the throughput no longer grows */
} rules[] = {
    {BOTTLENECK_CLIENT_CPU, is_client_busy, false},
    {BOTTLENECK_SERVER_CPU, is_server_busy, false},
    {BOTTLENECK_LINK, is_link_busy, false},
    {BOTTLENECK_NONE, is_rate_reached, false},
    {BOTTLENECK_LOCKSTEP, take_alternate_turns, false},
    {BOTTLENECK_SLOTS, waits_for_slots, false},
    {BOTTLENECK_JITTER, has_jitter, false},
    {BOTTLENECK_LOSS, has_loss, false},
    {BOTTLENECK_REORDERING, has_reordering, false},
    {BOTTLENECK_RECEIVE_WINDOW, fills_window, false},
    {BOTTLENECK_SEND_BUFFER, fills_buffer, false},
    {BOTTLENECK_ROUND_TRIP, waits_for_round_trip, false},
    {BOTTLENECK_CALL_RATE, limits_calls, true},
    {BOTTLENECK_BYTE_RATE, limits_bytes, true},
    {BOTTLENECK_CONNECTION, is_of_connection, true},
    {BOTTLENECK_SERVER_DEVICE, gains_by_unstable, true},
    {BOTTLENECK_CLIENT_CPU, is_client_nearly_busy, true},
    {BOTTLENECK_SERVER_CPU, is_server_nearly_busy, true},
    {BOTTLENECK_LINK, fills_line, true},
    {BOTTLENECK_BYTE_RATE, limits_own_bytes, true},
    {BOTTLENECK_SERVER_LOCK, follow_one_another, true},
    {BOTTLENECK_LINK, queues_in_network, true},
    {BOTTLENECK_SERVER_THREADS, wait_for_threads, true},
    {BOTTLENECK_SERVER_DEVICE, waits_for_commit, true},
    {BOTTLENECK_LOCK_OR_DEVICE, waits_for_own, true},
};

static enum bottleneck find_limit(const struct bottleneck_signs *signs,
                                  enum bottleneck_sureness *sureness)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const int sure = rules[i].flat && !is_flat(signs) ? NO : rules[i].holds(signs);

        if (sure == NO)
            continue;
        *sureness = (enum bottleneck_sureness)sure;
        return rules[i].limit;
    }
    *sureness = BOTTLENECK_GUESS;
    return BOTTLENECK_UNKNOWN;
}

/* Return whether waits for the machine's processors look like LIMIT, because they vary and delay
 * segments. */
static bool looks_like_waits(enum bottleneck limit)
{
    return limit == BOTTLENECK_JITTER || limit == BOTTLENECK_LOSS || limit == BOTTLENECK_REORDERING;
}

void bottleneck_judge(const struct bottleneck_evidence *evidence, struct bottleneck_answer *answer)
{
    struct bottleneck_signs signs = bottleneck_signs_of(evidence);

    *answer = (struct bottleneck_answer){.limit = BOTTLENECK_UNKNOWN};
    answer->limit = find_limit(&signs, &answer->sureness);
    if (looks_like_waits(answer->limit))
        signs.is_machine_busy |= is_machine_busy(&signs, BOTTLENECK_NEARLY_BUSY);
    if (signs.is_machine_busy)
        answer->sureness = BOTTLENECK_GUESS;
    bottleneck_write_texts(&signs, answer);
}

enum bottleneck bottleneck_find(const struct bottleneck_evidence *evidence)
{
    const struct bottleneck_signs signs = bottleneck_signs_of(evidence);
    enum bottleneck_sureness sureness;

    return find_limit(&signs, &sureness);
}

double bottleneck_gain(double load_before, double throughput_before, double load, double throughput)
{
    bool follows = load_before > 0 && load > load_before && throughput_before > 0 && throughput > 0;

    return follows ? log(throughput / throughput_before) / log(load / load_before) : NAN;
}
