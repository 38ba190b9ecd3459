#include "cli/find_max.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/visit.h"

enum { PROBES = 60 };

/* Between a thousandth and a fifth more than what a closed loop makes, to 2 %. */
static const double lowest_share = 0.001, highest_share = 1.2, precision = 0.02;

/* One probe: did the objective hold at RATE? A rate that can't be reached holds nothing. */
static int probe(const struct sweep_plan *plan, double rate, uint64_t seed,
                 struct sweep_point *point, bool *held, struct error *error)
{
    struct settings settings;
    struct visit visit;
    int code;

    point->setting.rate = floor(rate);
    code = sweep_plan_settings(plan, &point->setting, seed, &settings, error);
    if (code == 0)
        code = visit_make(&settings, &plan->objective, &visit, error);
    *held = code == 0 && objective_held(&plan->objective, visit.objective_ns, visit.reached);
    point->out_of_reach = code == -ETIME;
    if (code && code != -ETIME)
        return code;
    point->setting.clients = settings.load.clients;
    point->setting.connections = settings.load.connections;
    point->setting.depth = settings.load.depth;
    point->setting.size = settings.read_size;
    if (code == -ETIME)
        return 0;
    for (int i = 0; i < SWEEP_FIGURES; i++)
        point->figures[i][0] = visit.figures[i];
    point->repeats = 1;
    point->invalid = visit.invalid;
    return 0;
}

int find_max(const struct sweep_plan *plan, struct sweep *sweep, struct random *random, bool shown,
             struct error *error)
{
    struct objective_range range = {.lowest = fmax(1, sweep->full_rate * lowest_share),
                                    .highest = sweep->full_rate * highest_share,
                                    .precision = precision,
                                    .probes = PROBES};
    struct objective_search *search = calloc(1, sizeof *search);
    int code = 0;

    sweep->visits_planned = PROBES; /* at most */
    sweep->points = calloc(PROBES, sizeof *sweep->points);
    if (!search || !sweep->points)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code == 0)
        code = objective_begin(search, &range, error);
    while (code == 0 && !objective_done(search)) {
        struct sweep_point *point = &sweep->points[sweep->point_count];
        bool held;

        code = probe(plan, objective_next(search), random_next(random) | 1, point, &held, error);
        if (code)
            break;
        objective_report(search, point->setting.rate, held);
        point->held = held;
        sweep->point_count++;
        sweep->visits_done++;
        if (shown)
            fprintf(stderr, "\r%-79s", "");
        if (shown)
            fprintf(stderr, "\rprobe %zu: %.0f calls/s: %s", sweep->visits_done,
                    point->setting.rate, held ? "held" : "not held");
    }
    if (search && sweep->point_count > 0)
        objective_result(search, &sweep->objective);
    free(search);
    return code;
}
