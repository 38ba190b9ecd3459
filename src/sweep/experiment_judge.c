/* The verdict on an experiment: by its units, its cells, and the probes of a search. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/counted.h"
#include "sweep/experiment.h"

/* Thresholds: above them, an experiment is suspect or invalid. */
#define UNITS_SUSPECT  0.25 /* share of the units that have the same reason */
#define UNITS_INVALID  0.5  /* share of a cell's units that are invalid */
#define LEVEL_SUSPECT  0.1  /* relative change of a level that should be constant */
#define PROBES_SUSPECT 0.25 /* share of a search's probes that have no answer */
#define PROBES_INVALID 0.5

enum { UNITS_LEAST = 3, DRIFT_UNITS_LEAST = 12 };

static void note_reason(struct experiment_doubts *doubts, const struct validity_reason *reason)
{
    size_t i = 0;

    while (i < doubts->count && doubts->reasons[i].reason != reason->reason)
        i++;
    if (i == VALIDITY_REASONS_MAXIMUM)
        return;
    if (i == doubts->count)
        doubts->reasons[doubts->count++] = *reason;
    doubts->units[i]++;
}

void experiment_note_verdict(struct experiment_doubts *doubts, const struct validity *validity)
{
    doubts->all++;
    for (size_t i = 0; i < validity->count; i++)
        if (!reason_has(validity->reasons[i].reason, REASON_OF_UNIT))
            note_reason(doubts, &validity->reasons[i]);
}

static void judge_reasons(struct validity *validity, const struct experiment_doubts *doubts,
                          const char *units_are)
{
    for (size_t i = 0; i < doubts->count; i++) {
        const size_t units = doubts->units[i];
        const struct validity_reason *first = &doubts->reasons[i];
        struct validity_reason reason = {first->reason, first->name, VERDICT_SUSPECT};

        snprintf(reason.text, sizeof reason.text, "in %zu of %zu %s; first: %.150s", units,
                 doubts->all, units_are, first->text);
        if ((double)units > UNITS_SUSPECT * (double)doubts->all)
            validity_add_copy(validity, &reason);
    }
}

/* Judge the numbers of invalid units, in all and in each cell, and the fewest units of a cell. */
static void judge_counts(struct validity *validity, const struct experiment_result *result)
{
    size_t all = 0, invalid = 0, worst = 0, fewest = UNITS_MAXIMUM;

    for (size_t i = 0; i < result->cell_count; i++) {
        const struct experiment_cell *cell = &result->cells[i];

        all += cell->units;
        invalid += cell->invalid;
        worst += (double)cell->invalid > UNITS_INVALID * (double)cell->units;
        if (cell->units < fewest && !cell->out_of_reach)
            fewest = cell->units;
    }
    if (worst > 0)
        validity_add_reason(validity, VERDICT_INVALID, REASON_INVALID_TRIALS,
                            "%zu of %zu trials were invalid; at %s, most trials were", invalid, all,
                            counted(worst, "point").text);
    else if (invalid > 0)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_INVALID_TRIALS,
                            "%zu of %zu trials were invalid", invalid, all);
    if (fewest < UNITS_LEAST)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_TOO_FEW_REPEATS,
            "%s per point%s; with fewer than %d the intervals are uncertain: raise --max-time, "
            "--repeat or --launches",
            counted(fewest, "trial").text,
            fewest == 1 ? ", whose intervals show only the variation within it" : "", UNITS_LEAST);
}

/* A unit's value of a figure that should be constant. SHARE: value / the estimate for the unit's
 * cell. ORDER: number of units that were measured before it. */
struct level {
    size_t order;
    double share;
};

static int by_order(const void *a, const void *b)
{
    const size_t x = ((const struct level *)a)->order, y = ((const struct level *)b)->order;

    return (x > y) - (x < y);
}

/* Return the figure of CELL that should be constant: the time of null calls or, without null calls,
 * the typical time if CELL is of the reference variant; CELL_FIGURES: no figure. */
static enum cell_figure same_work(const struct experiment_result *result,
                                  const struct experiment_cell *cell)
{
    if (!isnan(cell->intervals[CELL_NULL].estimate))
        return CELL_NULL;
    return result->reference && cell->variant && strcmp(cell->variant, result->reference) == 0
               ? CELL_TYPICAL
               : CELL_FIGURES;
}

static size_t collect_levels(const struct experiment_result *result, struct level *levels)
{
    size_t collected = 0;

    for (size_t i = 0; i < result->cell_count; i++) {
        const struct experiment_cell *cell = &result->cells[i];
        const enum cell_figure figure = same_work(result, cell);

        if (figure == CELL_FIGURES || !(cell->intervals[figure].estimate > 0))
            continue;
        for (size_t k = 0; k < cell->units; k++)
            levels[collected++] = (struct level){
                cell->order[k], cell->figures[figure][k] / cell->intervals[figure].estimate};
    }
    return collected;
}

/* Judge whether figures that should be constant changed, because the machine or server changed. */
static void judge_drift(struct validity *validity, const struct experiment_result *result)
{
    const size_t most = result->cell_count * UNITS_MAXIMUM + 1;
    struct level *levels = calloc(most, sizeof *levels);
    double *shares = calloc(most, sizeof *shares), change = 0;
    size_t all = levels && shares ? collect_levels(result, levels) : 0, third = all / 3;

    if (all >= DRIFT_UNITS_LEAST) {
        qsort(levels, all, sizeof *levels, by_order);
        for (size_t i = 0; i < all; i++)
            shares[i] = levels[i].share;
        change = estimate_median(shares + all - third, third) / estimate_median(shares, third) - 1;
    }
    if (fabs(change) > LEVEL_SUSPECT)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_DRIFT,
            "the level of %s changed by %+.0f %% from the first third of the trials to the last",
            isnan(result->cells[0].intervals[CELL_NULL].estimate) ? "the reference"
                                                                  : "the null calls",
            100 * change);
    free(levels);
    free(shares);
}

/* Return true if throughput, latency and turn-around of POINT are inconsistent. If the turn-around
 * is unknown, LITTLE_BELOW is no inconsistency, because calls may have waited for the client. */
static bool is_off(const struct experiment_cell *point)
{
    bool below_counts = !isnan(point->intervals[CELL_TURN_AROUND].estimate);

    return point->has_little && (point->little.verdict == LITTLE_ABOVE ||
                                 (below_counts && point->little.verdict == LITTLE_BELOW));
}

static void judge_little(struct validity *validity, const struct experiment_result *result)
{
    const struct experiment_cell *worst = NULL;
    size_t off = 0;

    for (size_t i = 0; i < result->cell_count; i++) {
        const struct experiment_cell *point = &result->cells[i];

        if (!is_off(point))
            continue;
        off++;
        if (!worst ||
            fabs(point->little.discrepancy.estimate) > fabs(worst->little.discrepancy.estimate))
            worst = point;
    }
    if (worst)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_LITTLE,
                            "at %s throughput x latency differs from the calls in flight, at worst "
                            "by %+.1f %%, with %u clients, depth %u",
                            counted(off, "point").text, 100 * worst->little.discrepancy.estimate,
                            worst->setting.clients, worst->setting.depth);
}

static void judge_search(struct validity *validity, const struct experiment_result *result)
{
    const struct experiment_probes *probes = &result->probes;
    double unanswered = (double)probes->without_answer / fmax(1, (double)result->objective.probes);

    if (!result->objective_text)
        return;
    if (unanswered > PROBES_SUSPECT)
        validity_add_reason(validity,
                            unanswered > PROBES_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
                            REASON_PROBES_WITHOUT_ANSWER,
                            "%zu of %zu probes were inconclusive, even after repetition",
                            probes->without_answer, result->objective.probes);
    if (result->objective.outcome == OBJECTIVE_UNCLEAR)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_NOT_NARROW,
                            "%zu probes did not determine the rate precisely enough",
                            result->objective.probes);
    if (probes->calls_least < probes->calls_wanted)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_TOO_FEW_CALLS,
                            "a probe had only %llu calls; the objective needs %llu",
                            (unsigned long long)probes->calls_least,
                            (unsigned long long)probes->calls_wanted);
}

/* A search's counts and drift are not judged, because it chooses its rates and repeats units. */
void experiment_judge(struct experiment_result *result, const struct experiment_doubts *doubts)
{
    struct validity *validity = &result->validity;

    validity->verdict = VERDICT_OK;
    validity->count = 0;
    if (!result->objective_text)
        judge_counts(validity, result);
    judge_reasons(validity, doubts, result->launches ? "launches" : "trials");
    if (!result->objective_text)
        judge_drift(validity, result);
    judge_little(validity, result);
    judge_search(validity, result);
}
