/* Functions that several methods of explain (struct explain_method) share. */
#include <math.h>

#include "explain/explain_run.h"
#include "measure/statistics/above_null.h"

void explain_add_series(struct beside *beside, size_t calls_of, uint32_t block)
{
    beside->series[beside->count].calls_of = calls_of;
    beside->series[beside->count++].block = block;
}

bool explain_run_difference(const struct explain_run *run, size_t without, size_t with,
                            struct interval *cost)
{
    enum { ROUNDS_LEAST = 6 };
    const struct rounds *rounds = &run->rounds;
    struct error ignored;

    return rounds->done >= ROUNDS_LEAST && run->schedule.compares &&
           above_null_interval(&rounds->series[with], &rounds->series[without], rounds->done,
                               run->plan->run.seed, cost, &ignored) == 0;
}

double explain_run_typical(const struct explain_run *run, size_t series)
{
    const bool left_out = run->rounds.series[series].given_up && !run->schedule.compares;
    const struct result result = {.rounds.done = run->rounds.done};
    const struct result_op op = {.blocks = run->rounds.series[series].blocks[BLOCK_TRIMMED_MEAN]};

    return left_out ? (double)NAN : result_level(&result, &op);
}

void explain_observe_waiting(struct validity_phases *evidence, const char *op,
                             const struct phase_row *rows, size_t count)
{
    double share = 0;

    for (size_t i = 0; i < count; i++)
        share += rows[i].type->flags & PHASE_PROCESSOR ? rows[i].share : 0;
    if (evidence->op && share <= evidence->waiting)
        return;
    evidence->op = op;
    evidence->waiting = share;
}

void explain_observe_discrepancy(struct validity_phases *evidence, double discrepancy,
                                 double lifetime_ns)
{
    if (fabs(discrepancy) * lifetime_ns > VALIDITY_READINGS_NS)
        evidence->discrepancy = fmax(evidence->discrepancy, fabs(discrepancy));
}
