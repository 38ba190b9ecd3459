#include "measure/validity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/counted.h"
#include "measure/link.h"

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"ok", "suspect", "invalid"};

    return names[verdict];
}

void validity_add_copy(struct validity *validity, const struct validity_reason *reason)
{
    if (validity->count == VALIDITY_REASONS_MAXIMUM)
        return;
    validity->reasons[validity->count++] = *reason;
    if (reason->verdict > validity->verdict)
        validity->verdict = reason->verdict;
}

void validity_add_reason(struct validity *validity, enum verdict verdict, enum reason reason,
                         const char *format, ...)
{
    struct validity_reason added = {
        .reason = reason, .name = reason_name(reason), .verdict = verdict};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(added.text, sizeof added.text, format, arguments);
    va_end(arguments);
    validity_add_copy(validity, &added);
}

const struct validity_reason *validity_find(const struct validity *validity, enum reason reason)
{
    for (size_t i = 0; i < validity->count; i++)
        if (validity->reasons[i].reason == reason)
            return &validity->reasons[i];
    return NULL;
}

void validity_doubt_end(struct validity *validity, const char *cut_short_by)
{
    if (!validity_find(validity, REASON_CUT_SHORT))
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_CUT_SHORT,
                            "an error ended the run early: %.160s", cut_short_by);
}

static void judge_calls(struct validity *validity, const struct validity_evidence *evidence)
{
    double failed = evidence->calls ? (double)evidence->failed / (double)evidence->calls : 0;

    if (evidence->failed > 0)
        validity_add_reason(
            validity, failed > VALIDITY_FAILED_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
            REASON_ERRORS, "%llu of %llu calls failed", (unsigned long long)evidence->failed,
            (unsigned long long)evidence->calls);
    if (evidence->retransmissions > 0 || evidence->reconnections > 0)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_RETRANSMITS, "sent again: %s; reconnected: %s; %s",
            counted(evidence->retransmissions, "message").text,
            counted(evidence->reconnections, "connection").text,
            evidence->on_mount ? "the kernel's client did so during the measured calls"
            : evidence->counts_resent
                ? "the latencies include the calls sent again"
                : "the calls sent again have no latency, unless --count-resent is given");
    if (evidence->early > 0)
        validity_add_reason(validity, VERDICT_INVALID, REASON_EARLY_REPLIES,
                            "%s to calls that were not sent: the server, or a device in front of "
                            "it, replies without seeing the call; such replies are discarded",
                            counted(evidence->early, "reply").text);
    if (evidence->trailing_ops && evidence->trailing_ops[0])
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_TRAILING_BYTES,
                            "%s with bytes after the end of the result (%.100s), against RFC 1813",
                            counted(evidence->trailing, "reply").text, evidence->trailing_ops);
    if (evidence->rounds < VALIDITY_ROUNDS_SUSPECT)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_TOO_FEW_ROUNDS,
            "%s; with fewer than %d the intervals are uncertain: raise COUNT or --max-time",
            counted(evidence->rounds, "round").text, VALIDITY_ROUNDS_SUSPECT);
}

static void judge_clock(struct validity *validity, const struct validity_evidence *evidence)
{
    double ppm = fabs(evidence->clock_ppm);

    if (ppm > VALIDITY_CLOCK_PPM_SUSPECT)
        validity_add_reason(
            validity, ppm > VALIDITY_CLOCK_PPM_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
            REASON_CLOCK_DISAGREEMENT, "the clock and CLOCK_MONOTONIC_RAW differ by %.1f ppm", ppm);
    else if (evidence->clock_step_ns > VALIDITY_CLOCK_STEP_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_CLOCK_DISAGREEMENT,
                            "the offset between the clock and CLOCK_MONOTONIC_RAW changed by %.1f "
                            "us within a round",
                            evidence->clock_step_ns / 1000);
}

static void judge_processors(struct validity *validity, const struct validity_evidence *evidence)
{
    if (evidence->steal_share > VALIDITY_STEAL_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_STEAL,
                            "the hypervisor took %.1f %% of the processors' time",
                            100 * evidence->steal_share);
    if (evidence->involuntary_switches > VALIDITY_PREEMPTED_SUSPECT && !evidence->one_processor)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_PREEMPTED,
                            "%.3f involuntary context switches per call: other programs run on the "
                            "client's processor",
                            evidence->involuntary_switches);
    if (evidence->client_cpu_share > VALIDITY_CLIENT_CPU_SUSPECT)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_CLIENT_CPU_BOUND,
            "the client used its processor %.0f %% of the time, so it measured itself",
            100 * evidence->client_cpu_share);
    if (fabs(evidence->frequency_change) > VALIDITY_FREQUENCY_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_FREQUENCY_SCALING,
                            "the frequency of the client's processor changed by %+.0f %%; fix it "
                            "with 'cpupower frequency-set -g performance'",
                            100 * evidence->frequency_change);
    if (evidence->shares_core && !evidence->one_processor)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_SHARED_CORE,
                            "client and server are bound to one core, so one waits while the other "
                            "works; use taskset");
}

/* Return the larger of the client's and the server's waiting times, but not more than other work
 * explains, as a share of the rounds' time. A process's threads also wait for each other, so the
 * waiting time alone is no evidence. Other work can slow two processors, so the limit is twice its
 * share; there is no limit if that is unknown. On one processor, client and server wait for
 * each other. There the limit is the smaller of two shares: the share of other work, and the share
 * that neither client nor server used. */
static double waited_for_others(const struct validity_evidence *evidence)
{
    double waited = fmax(evidence->client_waited, evidence->server_waited);
    double most = evidence->others + evidence->others_error;

    if (!evidence->one_processor)
        most *= 2;
    else if (evidence->not_own < most)
        most = evidence->not_own;
    return most < waited ? most : waited;
}

static void judge_waiting(struct validity *validity, const struct validity_evidence *evidence)
{
    const double waited = fmax(evidence->client_waited, evidence->server_waited);
    const double for_others = waited_for_others(evidence);

    if (!(for_others > VALIDITY_WAITED_SUSPECT))
        return;
    if (evidence->one_processor)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_WAITED_FOR_PROCESSOR,
                            "other processes used up to %.1f %% of the time of the processor that "
                            "client and server share; end them, or move them with taskset",
                            100 * for_others);
    else
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_WAITED_FOR_PROCESSOR,
            "the %s's threads waited for up to %.1f %% of the time, in total, for a processor that "
            "other processes used; end them, or move them with taskset",
            evidence->client_waited == waited ? "client" : "server", 100 * for_others);
}

/* Judge other work on the machine. An unknown share is NAN and exceeds no threshold; but if it is
 * that of others, judge_waiting() counts all waiting. */
static void judge_others(struct validity *validity, const struct validity_evidence *evidence)
{
    judge_waiting(validity, evidence);
    if (evidence->others > VALIDITY_OTHERS_SUSPECT + 3 * evidence->others_error)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_BUSY_PROCESSORS,
                            "other processes used %.0f %% of the time of the processors in use; "
                            "end them, or move them with taskset",
                            100 * evidence->others);
    if (evidence->core_shared > VALIDITY_SHARED_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_CORE_SHARED_BY_HOST,
                            "the client's core was slow in %.0f %% of the rounds, because of "
                            "another machine on the host; repeat later, or use a host of your own",
                            100 * evidence->core_shared);
}

static void judge_outliers(struct validity *validity, const struct validity_evidence *evidence)
{
    const char *op = evidence->spread_of ? evidence->spread_of : "null";

    if (evidence->rounds < VALIDITY_ROUNDS_SUSPECT)
        return;
    if (evidence->mean_over_median > VALIDITY_MEAN_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_OUTLIERS,
                            "the mean of %s is %.1f times its median: slow calls dominate; see "
                            "'slowest' with -v, and end other processes",
                            op, evidence->mean_over_median);
    else if (evidence->outlier_share > VALIDITY_OUTLIERS_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_OUTLIERS,
                            "%.2g %% of the calls of %s took over %.0f times its median; see "
                            "'slowest' with -v, and end other processes",
                            100 * evidence->outlier_share, op, VALIDITY_OUTLIER);
}

static void judge_level(struct validity *validity, const struct validity_evidence *evidence)
{
    if (fabs(evidence->level_change) > VALIDITY_LEVEL_SUSPECT)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_DRIFT,
            "the level changed by %+.0f %% from the first third of the rounds to the last",
            100 * evidence->level_change);
    else if (!evidence->warmed_up_steady)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_DRIFT,
                            "the level was still changing when the warm-up reached its limit");
    if (evidence->autocorrelation > VALIDITY_AUTOCORRELATION_SUSPECT)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_AUTOCORRELATION,
            "the costs of successive rounds are correlated (%.2f), so the intervals are too narrow",
            evidence->autocorrelation);
}

/* Judge the null control. Its 95 % interval excludes 0 in one of twenty sound runs, so that alone
 * is no reason. An estimate that exceeds the interval's width is one: it occurs in one of ten
 * thousand sound runs. An interval with a bound too far from 0 is a reason, too. */
static void judge_floor(struct validity *validity, const struct validity_evidence *evidence)
{
    double width = evidence->control_high_ns - evidence->control_low_ns;
    double floor = fmax(fabs(evidence->control_low_ns), fabs(evidence->control_high_ns));
    const char *null = evidence->on_mount ? "cached" : "null";

    if (!evidence->has_control || evidence->rounds < VALIDITY_ROUNDS_SUSPECT)
        return;
    if (fabs(evidence->control_ns) > width)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_NOISE_FLOOR_TOO_HIGH,
                            "%s against %s differs from 0 significantly: [%+.1f, %+.1f] ns; any "
                            "cost may be wrong by this much",
                            null, null, evidence->control_low_ns, evidence->control_high_ns);
    else if (floor > VALIDITY_FLOOR_SUSPECT * evidence->null_ns)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_NOISE_FLOOR_TOO_HIGH,
                            "%s against %s is known only to %.0f ns, %.1f %% of %s; raise COUNT, "
                            "or see 'nfsbench doctor'",
                            null, null, floor, 100 * floor / evidence->null_ns,
                            evidence->on_mount ? "the shortest op" : "a null call");
}

static void judge_model(struct validity *validity, const struct validity_evidence *evidence)
{
    if (evidence->impossible_of)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_MODEL_FAILED,
                            "the cost of %.40s can't be divided: its part %s would be %.3f us, "
                            "below 0 beyond its interval; the cost itself is not affected",
                            evidence->impossible_of, evidence->impossible_part,
                            evidence->impossible_ns / 1e3);
}

static void judge_sender(struct validity *validity, const struct validity_evidence *evidence)
{
    double late =
        evidence->response_p99_ns > 0 ? evidence->sender_late_ns / evidence->response_p99_ns : 0;

    if (evidence->rate_reached > 0 && evidence->rate_reached < VALIDITY_RATE_SUSPECT)
        validity_add_reason(
            validity,
            evidence->rate_reached < VALIDITY_RATE_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
            REASON_RATE_NOT_REACHED, "only %.1f %% of the requested calls per second were sent",
            100 * evidence->rate_reached);
    if (late > VALIDITY_LATE_SUSPECT)
        validity_add_reason(validity,
                            late > VALIDITY_LATE_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
                            REASON_SENDER_LATE,
                            "calls were sent up to %.1f us (p99) after they were due, because the "
                            "client's processor was late: %.0f %% of the response time's p99",
                            evidence->sender_late_ns / 1000, 100 * late);
}

static void judge_open_loop(struct validity *validity, const struct validity_evidence *evidence)
{
    if (evidence->held > VALIDITY_HELD_SUSPECT)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_CALLS_HELD,
            "%.0f %% of the response times is waiting until the call can be sent: %s",
            100 * evidence->held, load_hold_texts[evidence->held_by]);
    if (evidence->interrupted_s >
        VALIDITY_INTERRUPTED_SUSPECT * (evidence->interrupted_s + evidence->sending_s))
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_SCHEDULE_INTERRUPTED,
                            "the schedule was interrupted %llu times, for %.3g s in total; rates "
                            "are those of the %.3g s in which calls were sent",
                            (unsigned long long)evidence->interruptions, evidence->interrupted_s,
                            evidence->sending_s);
    if (evidence->unanswered + evidence->unsent > 0)
        validity_add_reason(validity, VERDICT_INVALID, REASON_UNANSWERED,
                            "%llu calls had no reply (RPC_TIMEDOUT) and %llu were not sent within "
                            "--timeout after the last call; their times are in no figure",
                            (unsigned long long)evidence->unanswered,
                            (unsigned long long)evidence->unsent);
}

/* Judge the trends within blocks. As in judge_floor(), an interval that excludes 0 is not enough:
 * the trend must exceed the interval's width, because some of many ops exclude 0 by chance. */
static void judge_blocks(struct validity *validity, const struct validity_evidence *evidence)
{
    if (fabs(evidence->trend) > fmax(VALIDITY_TREND_SUSPECT, evidence->trend_width))
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_BLOCK_TOO_SHORT,
                            "calls of %.40s took %.1f %% %s in the last third of a block than in "
                            "its first, so the start of a block affects results; raise --block",
                            evidence->trend_of, 100 * fabs(evidence->trend),
                            evidence->trend > 0 ? "longer" : "less");
}

/* Judge whether a rank was slower than the other ranks. The slow rank makes the last calls of each
 * block alone, so the sum of the ranks' rates is too high. */
static void judge_ranks(struct validity *validity, const struct validity_evidence *evidence)
{
    if (evidence->ranks_evenness > 0 && evidence->ranks_evenness < VALIDITY_EVENNESS_SUSPECT)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_UNEVEN_RANKS,
            "the slowest rank had %.0f %% of the fastest one's rate, so it made some calls after "
            "the others had finished, and the sum of the rates is too high",
            100 * evidence->ranks_evenness);
}

static void judge_link(struct validity *validity, const struct validity_evidence *evidence)
{
    if (evidence->late_frames > VALIDITY_LATE_FRAMES_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_LATE_FRAMES,
                            "%.2g %% of the frames left the emulated link more than %d us late; "
                            "give the emulator its own processor, or lower the load",
                            100 * evidence->late_frames, LINK_LATE_NS / 1000);
}

void validity_judge(struct validity *validity, const struct validity_evidence *evidence)
{
    validity->verdict = VERDICT_OK;
    validity->count = 0;
    judge_calls(validity, evidence);
    judge_clock(validity, evidence);
    judge_processors(validity, evidence);
    judge_others(validity, evidence);
    judge_outliers(validity, evidence);
    judge_level(validity, evidence);
    judge_floor(validity, evidence);
    judge_model(validity, evidence);
    judge_blocks(validity, evidence);
    judge_sender(validity, evidence);
    judge_open_loop(validity, evidence);
    judge_ranks(validity, evidence);
    judge_link(validity, evidence);
}

void validity_judge_phases(struct validity *validity, const struct validity_phases *phases)
{
    double explained = phases->calls ? (double)phases->explained / (double)phases->calls : 1;

    if (phases->waiting > VALIDITY_WAITING_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_WAITING_FOR_PROCESSORS,
                            "calls of %.40s spent %.0f %% of their time waiting for a processor of "
                            "the client or the server; end other programs there",
                            phases->op, 100 * phases->waiting);
    if (explained < VALIDITY_EXPLAINED_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_UNEXPLAINED,
                            "only %.1f %% of the calls are explained", 100 * explained);
    if (fabs(phases->discrepancy) > VALIDITY_DISCREPANCY_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_DISCREPANCY,
                            "the sum of the phases differs from the lifetime by %.1f %%",
                            100 * fabs(phases->discrepancy));
}
