/* The verdict on a sweep, from its trials, from its points together, and from a search's probes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/counted.h"
#include "run/sweep.h"

/* Of the probes have no answer. */
#define PROBES_SUSPECT 0.25
#define PROBES_INVALID 0.5

/* The null calls are the same work throughout. A search has already repeated its invalid trials,
 * and tries no rate several times. */
static void judge_trials(struct validity *validity, struct sweep *sweep,
                         const struct sweep_doubts *doubts)
{
    struct trials *points = calloc(sweep->point_count + 1, sizeof *points);
    size_t count = points && !sweep->objective_text ? sweep->point_count : 0;

    for (size_t i = 0; i < count; i++)
        points[i] = sweep_trials_of(&sweep->points[i]);
    trials_judge(validity, points, count, doubts, "the null calls'");
    free(points);
}

/* Are throughput, latency and turn-around inconsistent? If the turn-around is unknown, fewer calls
 * may be in flight than requested. */
static bool is_off(const struct sweep_point *point)
{
    bool below_counts = !isnan(point->intervals[SWEEP_TURN_AROUND].estimate);

    return point->has_little && (point->little.verdict == LITTLE_ABOVE ||
                                 (below_counts && point->little.verdict == LITTLE_BELOW));
}

static void judge_little(struct validity *validity, const struct sweep *sweep)
{
    const struct sweep_point *worst = NULL;
    size_t off = 0;

    for (size_t i = 0; i < sweep->point_count; i++) {
        const struct sweep_point *point = &sweep->points[i];

        if (!is_off(point))
            continue;
        off++;
        if (!worst ||
            fabs(point->little.discrepancy.estimate) > fabs(worst->little.discrepancy.estimate))
            worst = point;
    }
    if (worst)
        validity_add_reason(validity, VERDICT_SUSPECT, "little",
                            "at %s throughput x latency differs from the calls in flight: "
                            "by %+.1f %% at worst, with %u clients, depth %u",
                            counted(off, "point").text, 100 * worst->little.discrepancy.estimate,
                            worst->setting.clients, worst->setting.depth);
}

/* A search */

static void judge_search(struct validity *validity, const struct sweep *sweep)
{
    const struct sweep_probes *probes = &sweep->probes;
    double unanswered = (double)probes->without_answer / fmax(1, (double)sweep->objective.probes);

    if (!sweep->objective_text)
        return;
    if (unanswered > PROBES_SUSPECT)
        validity_add_reason(
            validity, unanswered > PROBES_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
            "probes-without-answer", "%zu of %zu probes gave no answer, even after repetition",
            probes->without_answer, sweep->objective.probes);
    if (sweep->objective.outcome == OBJECTIVE_UNCLEAR)
        validity_add_reason(validity, VERDICT_SUSPECT, "not-narrow",
                            "%zu probes did not determine the rate precisely enough",
                            sweep->objective.probes);
    if (probes->calls_least < probes->calls_wanted)
        validity_add_reason(validity, VERDICT_SUSPECT, "too-few-calls",
                            "a probe had only %llu calls; the objective needs %llu",
                            (unsigned long long)probes->calls_least,
                            (unsigned long long)probes->calls_wanted);
}

void sweep_judge(struct sweep *sweep, const struct sweep_doubts *doubts)
{
    struct validity *validity = &sweep->validity;

    validity->verdict = VERDICT_OK;
    validity->count = 0;
    judge_trials(validity, sweep, doubts);
    judge_little(validity, sweep);
    judge_search(validity, sweep);
}
