/* The search for the highest rate that meets an objective. Each probe measures a variant alone. */
#include <errno.h>
#include <math.h>

#include "measure/clock.h"
#include "sweep/experiment.h"

enum {
    PROBES = 60,
    TRIES = 3,  /* maximum number of tries of a probe that gives no answer */
    SILENT = 6, /* number of successive probes without an answer that ends the search */
};

#define SECOND_NS 1e9

/* The search covers 0.1 % to 120 % of a closed loop's rate, and ends at a precision of 2 %. */
static const double lowest_share = 0.001, highest_share = 1.2, search_precision = 0.02;

uint64_t experiment_probe_plan(double rate, const struct objective *objective,
                               struct variant *variant)
{
    const double spare = 1.1; /* margin: random arrivals may be fewer than expected */
    const double least = EXPERIMENT_UNIT_NS;
    const double most = fmax(least, (double)variant->plan.maximum_ns / EXPERIMENT_PROBES_WANTED);
    const double calls = spare * (double)objective_calls(objective);
    struct run_plan *probe = &variant->plan;

    probe->load_request.rate = rate;
    if (probe->calls)
        probe->calls = (uint64_t)fmax(1, fmin(rate * most / SECOND_NS, (double)probe->calls));
    return (uint64_t)fmax(least, fmin(calls / rate * SECOND_NS, most));
}

enum objective_answer experiment_answer(const struct objective *objective,
                                        const struct cell_unit *unit)
{
    bool held = objective_held(objective, unit->objective_ns, unit->reached);
    bool certain = unit->objective_ns - 2 * unit->late_ns > (double)objective->limit_ns;

    if (unit->unanswered || (!held && unit->sender_late && !certain))
        return OBJECTIVE_NO_ANSWER;
    return held ? OBJECTIVE_HELD : OBJECTIVE_FAILED;
}

struct search {
    struct objective_search steps;
    struct variant variant; /* variant of the current probe */
    uint64_t overhead_ns;   /* longest time by which a probe exceeded its planned time, ns */
};

static uint64_t left_ns(const struct search *search)
{
    return deadline_left_ns(&search->variant.plan.deadline);
}

/* Make CELL's unit in UNIT_NS. If its rate can't be reached, the answer is OBJECTIVE_FAILED. */
static int try_probe(struct experiment_run *run, struct search *search,
                     struct experiment_cell *cell, uint64_t unit_ns, struct error *error)
{
    struct experiment_probes *probes = &run->result.probes;
    const struct visit_time time = {.unit_ns = unit_ns};
    const uint64_t began_ns = clock_raw_ns();
    struct cell_unit unit;
    uint64_t took_ns;
    int code = run_plan_complete(&search->variant.plan, error);

    if (code == 0)
        code = experiment_visit_one(run, &search->variant, &time, false, &unit, error);
    cell->out_of_reach = code == -ETIME;
    if (code && code != -ETIME)
        return code;
    took_ns = clock_raw_ns() - began_ns;
    if (took_ns > unit_ns + search->overhead_ns)
        search->overhead_ns = took_ns - unit_ns;
    experiment_describe_cell(cell, &search->variant, 0);
    cell->answer = OBJECTIVE_FAILED;
    if (code == 0) {
        experiment_add_unit(run, cell, &unit);
        if (unit.calls < probes->calls_least || probes->calls_least == 0)
            probes->calls_least = unit.calls;
        cell->answer = experiment_answer(&run->plan->objective, &unit);
    }
    run->observer->visited(run->observer->context, &run->result, cell);
    return 0;
}

/* Probe RATE up to TRIES times, until it has an answer. Set *LATE to whether a try lacked time. */
static int probe_rate(struct experiment_run *run, struct search *search, double rate, bool *late,
                      struct error *error)
{
    struct experiment_cell *cell = &run->result.cells[run->result.cell_count];
    struct experiment_probes *probes = &run->result.probes;
    uint64_t unit_ns;
    int code = 0;

    search->variant = run->plan->variants[0];
    unit_ns = experiment_probe_plan(rate, &run->plan->objective, &search->variant);
    for (int i = 0; i < TRIES && code == 0 && (i == 0 || cell->answer == OBJECTIVE_NO_ANSWER);
         i++) {
        *late = left_ns(search) < unit_ns + search->overhead_ns;
        if (*late)
            break;
        probes->repeated += i > 0;
        run->result.units_planned += i > 0;
        cell->units = cell->invalid = 0;
        code = try_probe(run, search, cell, unit_ns, error);
        if (code == -EOVERFLOW && run->result.cell_count > 0) { /* the probe takes too long */
            *late = true;
            code = 0;
            break;
        }
    }
    probes->without_answer += code == 0 && !*late && cell->answer == OBJECTIVE_NO_ANSWER;
    return code;
}

/* Raise RATE's low end to the highest probed rate whose last two probes with an answer met the
 * objective. Probed rates above RATE's estimate are ignored. */
static void raise_low_end(const struct experiment_result *result, struct interval *rate)
{
    for (size_t i = 0; i < result->cell_count; i++) {
        const double probed = result->cells[i].setting.rate;
        size_t held = 0;

        for (size_t j = 0; j < result->cell_count; j++)
            if (result->cells[j].setting.rate == probed &&
                result->cells[j].answer != OBJECTIVE_NO_ANSWER)
                held = result->cells[j].answer == OBJECTIVE_HELD ? held + 1 : 0;
        if (held >= 2 && probed > rate->low && probed <= rate->estimate)
            rate->low = probed;
    }
}

static int search_maximum(struct experiment_run *run, struct search *search, struct error *error)
{
    struct experiment_result *result = &run->result;
    struct objective_range range = {.lowest = fmax(1, result->full_rate * lowest_share),
                                    .highest = result->full_rate * highest_share,
                                    .precision = search_precision,
                                    .probes = PROBES};
    struct objective_search *steps = &search->steps;
    size_t silent = 0;
    bool late = false;
    int code = objective_begin(steps, &range, error);

    result->units_planned = PROBES; /* maximum number of units, without repeated probes */
    result->probes.calls_wanted = objective_calls(&run->plan->objective);
    while (code == 0 && silent < SILENT && !objective_done(steps)) {
        const double rate = floor(objective_next(steps));
        enum objective_answer answer;

        code = probe_rate(run, search, rate, &late, error);
        if (code || late)
            break;
        answer = result->cells[result->cell_count++].answer;
        silent = answer == OBJECTIVE_NO_ANSWER ? silent + 1 : 0;
        if (silent > 0)
            objective_skip(steps);
        else
            objective_report(steps, rate, answer == OBJECTIVE_HELD);
    }
    if (result->cell_count > 0) {
        objective_result(steps, &result->objective);
        raise_low_end(result, &result->objective.rate);
    }
    return code;
}

int experiment_search(struct experiment_run *run, struct error *error)
{
    struct search *search = arena_alloc(&run->arena, 1, sizeof *search);

    run->result.cells = arena_alloc(&run->arena, PROBES + 1, sizeof *run->result.cells);
    if (!search || !run->result.cells)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    return search_maximum(run, search, error);
}
