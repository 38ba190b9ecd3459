#include "measure/statistics/ladder.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "measure/statistics/above_null.h"
#include "measure/statistics/contrast.h"

const struct ladder_rung_type ladder_rungs[LADDER_RUNGS] = {
    [LADDER_TIMER] = {"timer", "timer", LADDER_TIMER, false},
    [LADDER_XDR] = {"xdr", "xdr", LADDER_TIMER, true},
    [LADDER_ECHO] = {"echo", "socket", LADDER_TIMER, false},
    [LADDER_NULL] = {"null", "rpc", LADDER_ECHO, false},
    [LADDER_ECHO_OP] = {"echo-op", "bytes", LADDER_ECHO, false},
    [LADDER_OP] = {"op", "procedure", LADDER_NULL, false},
};

struct work {
    struct ladder *ladder;
    const struct series *const *series;
    struct resampling resampling;
    /* first: the rung that the current rung adds to; second: the current rung */
    struct paired pair;
    struct replicates bytes, sum, whole;
    struct error *error;
};

/* Use one block length for all steps: the longest that any step's differences require. */
static int find_block_length(struct work *work)
{
    int code = 0;

    work->resampling.block = 1;
    for (size_t i = LADDER_TIMER + 1; i < LADDER_RUNGS && code == 0; i++)
        code = above_null_lengthen(&work->resampling, work->series[i],
                                   work->series[ladder_rungs[i].above], work->error);
    return code;
}

static int begin_with_timer(struct work *work)
{
    int code = paired_levels(&work->pair, work->series[LADDER_TIMER], work->series[LADDER_TIMER],
                             &work->resampling, work->error);

    if (code)
        return code;
    work->sum = work->whole = work->pair.first;
    estimate_interval(&work->pair.first, &work->ladder->levels[LADDER_TIMER]);
    work->ladder->steps[LADDER_TIMER] = work->ladder->levels[LADDER_TIMER];
    return 0;
}

static int add_step(struct work *work, enum ladder_rung rung)
{
    struct replicates *step = &work->pair.difference;
    int code = paired_levels(&work->pair, work->series[ladder_rungs[rung].above],
                             work->series[rung], &work->resampling, work->error);

    if (code)
        return code;
    if (rung == LADDER_ECHO_OP)
        work->bytes = *step;
    if (rung == LADDER_OP)
        estimate_add(step, -1, &work->bytes);
    estimate_interval(&work->pair.second, &work->ladder->levels[rung]);
    estimate_interval(step, &work->ladder->steps[rung]);
    estimate_add(&work->whole, 1, step);
    if (!ladder_rungs[rung].beside)
        estimate_add(&work->sum, 1, step);
    return 0;
}

static int estimate_control(struct work *work, const struct series *control)
{
    int code = paired_levels(&work->pair, work->series[LADDER_NULL], control, &work->resampling,
                             work->error);

    if (code == 0)
        estimate_interval(&work->pair.difference, &work->ladder->control);
    return code;
}

static int estimate_all(struct work *work, const struct series *control)
{
    struct ladder *ladder = work->ladder;
    double level;
    int code = find_block_length(work);

    if (code == 0)
        code = begin_with_timer(work);
    for (unsigned i = LADDER_TIMER + 1; i < LADDER_RUNGS && code == 0; i++)
        code = add_step(work, i);
    if (code == 0)
        code = estimate_control(work, control);
    if (code)
        return code;
    estimate_interval(&work->sum, &ladder->sum);
    estimate_interval(&work->whole, &ladder->whole);
    level = ladder->levels[LADDER_OP].estimate;
    ladder->discrepancy = level > 0 ? (level - ladder->sum.estimate) / level : 0;
    return 0;
}

int ladder_estimate(struct ladder *ladder, const struct series *const series[LADDER_RUNGS],
                    const struct series *control, size_t n, uint64_t seed, struct error *error)
{
    struct work *work = calloc(1, sizeof *work);
    int code;

    if (!work)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    work->ladder = ladder;
    work->series = series;
    work->resampling = (struct resampling){.n = n, .seed = seed};
    work->error = error;
    code = estimate_all(work, control);
    free(work);
    return code;
}

double ladder_share(const struct ladder *ladder, enum ladder_rung rung)
{
    double level = ladder->levels[LADDER_OP].estimate;

    return level > 0 ? ladder->steps[rung].estimate / level : 0;
}

bool ladder_is_distinguishable(const struct ladder *ladder, enum ladder_rung rung)
{
    const struct interval *step = &ladder->steps[rung], *control = &ladder->control;
    bool in_memory = rung == LADDER_TIMER || rung == LADDER_XDR;
    double noise_floor = in_memory ? 0 : fmax(fabs(control->low), fabs(control->high));

    return estimate_excludes_0(step) && fabs(step->estimate) > noise_floor;
}
