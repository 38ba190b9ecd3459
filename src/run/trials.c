/* The trials of a sweep's or a security ladder's points: their order, their intervals, and whether
 * to believe them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/counted.h"
#include "measure/jackknife.h"
#include "run/sweep.h"

/* Thresholds above which they are suspect or invalid. */
#define TRIALS_SUSPECT 0.25 /* of the trials have the same reason */
#define TRIALS_INVALID 0.5  /* of the trials are invalid */
#define LEVEL_SUSPECT  0.1  /* relative change of a level that should stay the same */

enum { REPEATS_LEAST = 3, DRIFT_TRIALS_LEAST = 12 };

int trials_pass(struct random *random, size_t count, unsigned repeats,
                int (*try)(void *run, size_t point, struct error *error), void *run,
                struct error *error)
{
    size_t *order = calloc(count, sizeof *order);
    int code = 0;

    if (!order)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (unsigned pass = 0; pass < repeats && code == 0; pass++) {
        random_shuffle(random, order, count);
        for (size_t i = 0; i < count && code == 0; i++)
            code = try(run, order[i], error);
    }
    free(order);
    return code;
}

void trials_add(const struct trials *trials, const struct trial *trial, struct sweep_doubts *doubts)
{
    for (size_t i = 0; i < trials->figure_count; i++)
        trials->figures[i][*trials->repeats] = trial->figures[i];
    trials->order[(*trials->repeats)++] = doubts->all;
    *trials->invalid += trial->validity.verdict == VERDICT_INVALID;
    trials_note_verdict(doubts, &trial->validity);
}

void trials_find_intervals(const struct trials *trials)
{
    struct error ignored;

    for (size_t i = 0; i < trials->figure_count; i++) {
        const struct repeats repeats = {trials->figures[i], *trials->repeats};
        struct interval *interval = &trials->intervals[i];

        *interval = (struct interval){NAN, NAN, NAN};
        if (repeats.count > 0 && !isnan(repeats.values[0]))
            jackknife_level(&repeats, i == trials->difference, interval, &ignored);
        if (i != trials->difference && interval->low < 0)
            interval->low = 0;
    }
}

/* Verdict */

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

void trials_note_verdict(struct sweep_doubts *doubts, const struct validity *validity)
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

/* How many trials there were, how many were invalid, the points at which most were, and the fewest
 * at a point. */
static void judge_counts(struct validity *validity, const struct trials *points, size_t count,
                         const struct sweep_doubts *doubts)
{
    size_t all = 0, invalid = 0, worst = 0, fewest = SWEEP_REPEATS_MAXIMUM;

    for (size_t i = 0; i < count; i++) {
        all += *points[i].repeats;
        invalid += *points[i].invalid;
        worst += (double)*points[i].invalid > TRIALS_INVALID * (double)*points[i].repeats;
        if (*points[i].repeats < fewest && !points[i].out_of_reach)
            fewest = *points[i].repeats;
    }
    if (worst > 0)
        validity_add_reason(validity, VERDICT_INVALID, "invalid-trials",
                            "%zu of %zu trials were invalid, and at %s most of them", invalid, all,
                            counted(worst, "point").text);
    else if (invalid > 0)
        validity_add_reason(validity, VERDICT_SUSPECT, "invalid-trials",
                            "%zu of %zu trials were invalid", invalid, all);
    judge_reasons(validity, doubts);
    if (fewest < REPEATS_LEAST)
        validity_add_reason(validity, VERDICT_SUSPECT, "too-few-repeats",
                            "%s per point; with fewer than %d the intervals themselves "
                            "are uncertain: raise --repeat",
                            counted(fewest, "trial").text, REPEATS_LEAST);
}

/* A trial's level of what is the same work throughout, relative to that of its point. */
struct level {
    size_t order;
    double share;
};

static int by_order(const void *a, const void *b)
{
    const struct level *x = a, *y = b;

    return (x->order > y->order) - (x->order < y->order);
}

static size_t collect_levels(const struct trials *points, size_t count, struct level *levels)
{
    size_t collected = 0;

    for (size_t i = 0; i < count; i++) {
        const struct trials *point = &points[i];
        bool known = point->same_work < point->figure_count &&
                     point->intervals[point->same_work].estimate > 0;

        for (size_t k = 0; known && k < *point->repeats; k++)
            levels[collected++] =
                (struct level){point->order[k], point->figures[point->same_work][k] /
                                                    point->intervals[point->same_work].estimate};
    }
    return collected;
}

static double median_share(const struct level *levels, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = levels[i].share;
    return estimate_median(scratch, count);
}

/* If the level of the same work changes, the machine or the server has changed. */
static void judge_drift(struct validity *validity, const struct trials *points, size_t count,
                        const char *whose)
{
    struct level *levels = calloc(count * SWEEP_REPEATS_MAXIMUM + 1, sizeof *levels);
    double *scratch = calloc(count * SWEEP_REPEATS_MAXIMUM + 1, sizeof *scratch), change = 0;
    size_t all = levels && scratch ? collect_levels(points, count, levels) : 0, third = all / 3;

    if (all >= DRIFT_TRIALS_LEAST) {
        qsort(levels, all, sizeof *levels, by_order);
        change = median_share(levels + all - third, third, scratch) /
                     median_share(levels, third, scratch) -
                 1;
    }
    if (fabs(change) > LEVEL_SUSPECT)
        validity_add_reason(validity, VERDICT_SUSPECT, "drift",
                            "%s level changed by %+.0f %% from the first third of the trials to "
                            "the last",
                            whose, 100 * change);
    free(levels);
    free(scratch);
}

void trials_judge(struct validity *validity, const struct trials *points, size_t count,
                  const struct sweep_doubts *doubts, const char *whose)
{
    judge_counts(validity, points, count, doubts);
    judge_drift(validity, points, count, whose);
}
