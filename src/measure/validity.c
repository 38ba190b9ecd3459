#include "measure/validity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"ok", "suspect", "invalid"};

    return names[verdict];
}

static void doubt(struct validity *validity, enum verdict verdict, const char *name,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

static void doubt(struct validity *validity, enum verdict verdict, const char *name,
                  const char *format, ...)
{
    struct validity_reason *reason = &validity->reasons[validity->count++];
    va_list arguments;

    reason->name = name;
    reason->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    if (verdict > validity->verdict)
        validity->verdict = verdict;
}

static void judge_calls(struct validity *validity, const struct validity_evidence *evidence)
{
    double failed = evidence->calls ? (double)evidence->failed / (double)evidence->calls : 0;

    if (evidence->failed > 0)
        doubt(validity, failed > VALIDITY_FAILED_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
              "errors", "%llu of %llu calls failed", (unsigned long long)evidence->failed,
              (unsigned long long)evidence->calls);
    if (evidence->retransmissions > 0 || evidence->reconnections > 0)
        doubt(validity, VERDICT_SUSPECT, "retransmits",
              "%llu messages were sent again, %llu connections made again; those calls are left "
              "out",
              (unsigned long long)evidence->retransmissions,
              (unsigned long long)evidence->reconnections);
    if (evidence->rounds < VALIDITY_ROUNDS_SUSPECT)
        doubt(validity, VERDICT_SUSPECT, "too-few-rounds",
              "%zu rounds; under %d the intervals themselves are uncertain: raise COUNT",
              evidence->rounds, VALIDITY_ROUNDS_SUSPECT);
}

static void judge_machine(struct validity *validity, const struct validity_evidence *evidence)
{
    double ppm = fabs(evidence->clock_ppm);

    if (ppm > VALIDITY_CLOCK_PPM_SUSPECT)
        doubt(validity, ppm > VALIDITY_CLOCK_PPM_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
              "clock-disagreement", "the clock and CLOCK_MONOTONIC_RAW differ by %.1f ppm", ppm);
    if (evidence->steal_share > VALIDITY_STEAL_SUSPECT)
        doubt(validity, VERDICT_SUSPECT, "steal",
              "the hypervisor took %.1f %% of the processors' time", 100 * evidence->steal_share);
    if (evidence->involuntary_switches > VALIDITY_PREEMPTED_SUSPECT)
        doubt(validity, VERDICT_SUSPECT, "preempted",
              "%.3f involuntary context switches a call: something else runs on the client's "
              "processor",
              evidence->involuntary_switches);
}

static void judge_level(struct validity *validity, const struct validity_evidence *evidence)
{
    if (!evidence->warmed_up_steady)
        doubt(validity, VERDICT_SUSPECT, "unsteady",
              "the level was still moving when the warm-up reached its limit");
    if (evidence->has_control && evidence->rounds >= VALIDITY_ROUNDS_SUSPECT &&
        (evidence->control_low_ns > 0 || evidence->control_high_ns < 0))
        doubt(validity, VERDICT_SUSPECT, "noise-floor",
              "null against null differs from 0: [%+.1f, %+.1f] ns; so may any cost by as much",
              evidence->control_low_ns, evidence->control_high_ns);
}

void validity_judge(struct validity *validity, const struct validity_evidence *evidence)
{
    validity->verdict = VERDICT_OK;
    validity->count = 0;
    judge_calls(validity, evidence);
    judge_machine(validity, evidence);
    judge_level(validity, evidence);
}
