/* The verdict on a sweep, from its trials' verdicts, from its points together, and from a search's
 * probes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/counted.h"
#include "run/sweep.h"

/* Thresholds above which a sweep is suspect or invalid. */
#define TRIALS_SUSPECT 0.25 /* of the trials have the same reason, or of the probes no answer */
#define TRIALS_INVALID 0.5  /* of the trials are invalid, or of the probes have no answer */
#define LEVEL_SUSPECT  0.1  /* relative change of a level that should stay the same */

enum { REPEATS_LEAST = 3, DRIFT_TRIALS_LEAST = 12 };

/* Trials */

/* Reasons that do not matter for a sweep: its intervals come from the repeats and not from the
 * rounds of one trial; and a busy client or an unreachable rate are results. */
static bool is_of_trial_alone(const char *name)
{
    static const char *const names[] = {"too-few-rounds", "autocorrelation", "noise-floor-too-high",
                                        "client-cpu-bound", "rate-not-reached"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void note_reason(struct sweep_doubts *doubts, const struct validity_reason *reason)
{
    size_t i = 0;

    while (i < doubts->count && strcmp(doubts->reasons[i].name, reason->name) != 0)
        i++;
    if (i == VALIDITY_REASONS_MAXIMUM)
        return;
    if (i == doubts->count)
        doubts->reasons[doubts->count++] = *reason;
    doubts->trials[i]++;
}

void sweep_note_verdict(struct sweep_doubts *doubts, const struct validity *validity)
{
    doubts->all++;
    for (size_t i = 0; i < validity->count; i++)
        if (!is_of_trial_alone(validity->reasons[i].name))
            note_reason(doubts, &validity->reasons[i]);
}

static void judge_reasons(struct validity *validity, const struct sweep_doubts *doubts)
{
    for (size_t i = 0; i < doubts->count; i++) {
        size_t trials = doubts->trials[i];

        if ((double)trials > TRIALS_SUSPECT * (double)doubts->all)
            validity_add_reason(validity, VERDICT_SUSPECT, doubts->reasons[i].name,
                                "in %zu of %zu trials; first: %.150s", trials, doubts->all,
                                doubts->reasons[i].text);
    }
}

void sweep_count_trials(struct sweep_trials *trials, size_t repeats, size_t invalid)
{
    trials->all += repeats;
    trials->invalid += invalid;
    trials->worst += (double)invalid > TRIALS_INVALID * (double)repeats;
    if (repeats < trials->fewest)
        trials->fewest = repeats;
}

static void judge_invalid(struct validity *validity, const struct sweep_trials *trials)
{
    if (trials->worst > 0)
        validity_add_reason(validity, VERDICT_INVALID, "invalid-trials",
                            "%zu of %zu trials were invalid, and at %s most of them",
                            trials->invalid, trials->all, counted(trials->worst, "point").text);
    else if (trials->invalid > 0)
        validity_add_reason(validity, VERDICT_SUSPECT, "invalid-trials",
                            "%zu of %zu trials were invalid", trials->invalid, trials->all);
}

static void judge_repeats(struct validity *validity, const struct sweep_trials *trials)
{
    if (trials->fewest < REPEATS_LEAST)
        validity_add_reason(validity, VERDICT_SUSPECT, "too-few-repeats",
                            "%s per point; with fewer than %d the intervals themselves "
                            "are uncertain: raise --repeat",
                            counted(trials->fewest, "trial").text, REPEATS_LEAST);
}

void sweep_judge_trials(struct validity *validity, const struct sweep_trials *trials,
                        const struct sweep_doubts *doubts)
{
    judge_invalid(validity, trials);
    judge_reasons(validity, doubts);
    judge_repeats(validity, trials);
}

/* A search has already repeated its invalid trials, and tries no rate several times. */
static struct sweep_trials trials_of(const struct sweep *sweep)
{
    struct sweep_trials trials = {.fewest = SWEEP_REPEATS_MAXIMUM};

    for (size_t i = 0; i < sweep->point_count && !sweep->objective_text; i++) {
        const struct sweep_point *point = &sweep->points[i];
        const size_t fewest = trials.fewest;

        sweep_count_trials(&trials, point->repeats, point->invalid);
        if (point->out_of_reach)
            trials.fewest = fewest;
    }
    return trials;
}

/* Points */

static int by_order(const void *a, const void *b)
{
    const struct sweep_level *x = a, *y = b;

    return (x->order > y->order) - (x->order < y->order);
}

static size_t collect_nulls(const struct sweep *sweep, struct sweep_level *nulls)
{
    size_t count = 0;

    for (size_t i = 0; i < sweep->point_count; i++) {
        const struct sweep_point *point = &sweep->points[i];
        double level = point->intervals[SWEEP_NULL].estimate;

        for (size_t k = 0; k < point->repeats && level > 0; k++)
            nulls[count++] =
                (struct sweep_level){point->order[k], point->figures[SWEEP_NULL][k] / level};
    }
    return count;
}

static double median_share(const struct sweep_level *levels, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = levels[i].share;
    return estimate_median(scratch, count);
}

void sweep_judge_drift(struct validity *validity, struct sweep_level *levels, size_t count,
                       const char *whose)
{
    double *scratch = calloc(count + 1, sizeof *scratch), change = 0;
    size_t third = count / 3;

    qsort(levels, count, sizeof *levels, by_order);
    if (scratch && count >= DRIFT_TRIALS_LEAST)
        change = median_share(levels + count - third, third, scratch) /
                     median_share(levels, third, scratch) -
                 1;
    if (fabs(change) > LEVEL_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, "drift",
                            "%s level changed by %+.0f %% from the first third of the trials to "
                            "the last",
                            whose, 100 * change);
    free(scratch);
}

/* The null calls are the same work throughout: if their level changes, the machine or the server
 * has changed. */
static void judge_drift(struct validity *validity, const struct sweep *sweep)
{
    struct sweep_level *nulls =
        calloc(sweep->point_count * SWEEP_REPEATS_MAXIMUM + 1, sizeof *nulls);

    if (nulls)
        sweep_judge_drift(validity, nulls, collect_nulls(sweep, nulls), "the null calls'");
    free(nulls);
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
    if (unanswered > TRIALS_SUSPECT)
        validity_add_reason(
            validity, unanswered > TRIALS_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
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
    const struct sweep_trials trials = trials_of(sweep);
    struct validity *validity = &sweep->validity;

    validity->verdict = VERDICT_OK;
    validity->count = 0;
    sweep_judge_trials(validity, &trials, doubts);
    judge_drift(validity, sweep);
    judge_little(validity, sweep);
    judge_search(validity, sweep);
}
