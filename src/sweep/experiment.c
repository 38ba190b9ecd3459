#include "sweep/experiment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/counted.h"
#include "run/outcome/outcome.h"
#include "sweep/diagnosis.h"

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
}

struct together {
    size_t numbers[GROUP_SESSIONS_MAXIMUM], count;
    /* the group's first variant is a reference that belongs to another group; it is only compared
     * with, and gets no unit from this group */
    bool borrows;
};

/* Cells */

static void make_cells_of(struct experiment_run *run, size_t number)
{
    const struct variant *variants = run->plan->variants, *variant = &variants[number];
    struct experiment_result *result = &run->result;

    run->first_cell[number] = result->cell_count;
    run->reference[number] =
        number > 0 && variant[-1].family == variant->family ? run->reference[number - 1] : number;
    for (size_t i = 0; i < variant->plan.op_count; i++) {
        struct experiment_cell *cell = &result->cells[result->cell_count++];

        run->reference_cell[result->cell_count - 1] = run->first_cell[run->reference[number]] + i;
        experiment_describe_cell(cell, variant, i);
    }
}

static int make_cells(struct experiment_run *run, struct error *error)
{
    const struct experiment_plan *plan = run->plan;
    size_t cells = 0;
    int code = 0;

    for (size_t i = 0; i < plan->count; i++)
        cells += plan->variants[i].plan.op_count;
    if (cells > CELLS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "%zu points are too many; the maximum is %d",
                         cells, CELLS_MAXIMUM);
    run->result.cells = arena_alloc(&run->arena, cells, sizeof *run->result.cells);
    run->first_cell = arena_alloc(&run->arena, plan->count, sizeof *run->first_cell);
    run->reference = arena_alloc(&run->arena, plan->count, sizeof *run->reference);
    run->reference_cell = arena_alloc(&run->arena, cells, sizeof *run->reference_cell);
    run->given_up = arena_alloc(&run->arena, cells, sizeof *run->given_up);
    if (!run->result.cells || !run->first_cell || !run->reference || !run->reference_cell ||
        !run->given_up)
        return no_memory(error);
    for (size_t i = 0; i < plan->count && code == 0; i++) {
        struct variant *variant = &plan->variants[i];

        /* The rate is rounded, because rates on the command line are integers. */
        if (variant->share > 0) {
            variant->plan.load_request.rate = fmax(1, rint(variant->share * run->result.full_rate));
            code = run_plan_complete(&variant->plan, error);
        }
        make_cells_of(run, i);
    }
    run->result.units_planned = cells * run->passes;
    experiment_complete(&run->result); /* because the progress display names what varies */
    return code || plan->preset == PRESET_SWEEP ? code : experiment_make_contrasts(run, error);
}

int experiment_leave_out(struct experiment_run *run, const char *variant, const char *op,
                         uint32_t depth, const char *reason, struct error *error)
{
    struct experiment_result *result = &run->result;
    struct experiment_left_out left_out = {arena_copy(&run->arena, variant), op, depth,
                                           arena_copy(&run->arena, reason)};

    if (!result->left_out)
        result->left_out = arena_alloc(&run->arena, LEFT_OUT_MAXIMUM, sizeof left_out);
    if (!left_out.variant || !left_out.reason || !result->left_out)
        return no_memory(error);
    for (size_t i = 0; i < result->left_out_count; i++) {
        const struct experiment_left_out *noted = &result->left_out[i];

        if (strcmp(noted->variant, variant) == 0 &&
            (!op || (noted->op && strcmp(noted->op, op) == 0 && noted->depth == depth)))
            return 0;
    }
    if (result->left_out_count < LEFT_OUT_MAXIMUM)
        result->left_out[result->left_out_count++] = left_out;
    return 0;
}

static int by_reason(const void *a, const void *b)
{
    const struct experiment_left_out *x = a, *y = b;
    int order = strcmp(x->reason, y->reason);

    if (order == 0 && x->op && y->op)
        order = strcmp(x->op, y->op);
    return order ? order : strcmp(x->variant, y->variant);
}

static void give_up_cell(struct experiment_run *run, size_t cell)
{
    if (!run->given_up[cell])
        run->result.units_planned -= run->passes - run->result.cells[cell].units;
    run->given_up[cell] = true;
}

/* Give up variant NUMBER or, if WHOLE, all variants with its OTHER, and note ERROR as reason. */
static int give_up_variant(struct experiment_run *run, size_t number, bool whole,
                           struct error *error)
{
    const struct variant *variants = run->plan->variants, *variant = &variants[number];
    int code = 0;

    for (size_t i = 0; i < run->plan->count && code == 0; i++) {
        if (i != number &&
            !(whole && variants[i].other && strcmp(variants[i].other, variant->other) == 0))
            continue;
        for (size_t j = 0; j < variants[i].plan.op_count; j++)
            give_up_cell(run, run->first_cell[i] + j);
    }
    for (size_t j = 0; j < (whole ? 1 : variant->plan.op_count) && code == 0; j++)
        code = experiment_leave_out(run, whole ? variant->other : variant->name,
                                    whole ? NULL : variant->plan.ops[j]->op,
                                    whole ? 0 : variant->plan.load.depth, error->text, error);
    return code;
}

/* Groups */

/* Return true if VARIANT may share its rounds with other variants; false if it has a rate, which
 * calls of other variants would disturb, or if its calls access many files, or each place only once
 * (--cold), so that variants would change each other's caches. */
static bool can_share_rounds(const struct variant *variant)
{
    const struct run_plan *plan = &variant->plan;

    return plan->load_request.rate == 0 && variant->share == 0 && !plan->working_set.once &&
           plan->files == 0 && !plan->tree;
}

static unsigned connections_of(const struct run_plan *plan)
{
    return plan->load.clients * plan->load.connections;
}

/* Set ALL to the groups, at most one for each variant. Returns the number of groups. */
static size_t make_groups(const struct experiment_run *run, struct together *all)
{
    const struct experiment_plan *plan = run->plan;
    const size_t most = plan->together ? plan->together : GROUP_SESSIONS_MAXIMUM;
    unsigned connections = 0;
    size_t count = 0;

    for (size_t i = 0; i < plan->count; i++) {
        const size_t reference = run->reference[i];
        const struct variant *variant = &plan->variants[i];
        const bool follows = i > 0 && reference != i && can_share_rounds(variant) &&
                             can_share_rounds(variant - 1) && most > 1;
        struct together *group = count > 0 ? &all[count - 1] : NULL;

        if (!follows || group->count == most ||
            connections + connections_of(&variant->plan) > GROUP_CONNECTIONS_MAXIMUM) {
            group = &all[count++];
            *group =
                (struct together){.numbers = {reference}, .count = follows, .borrows = follows};
            connections = follows ? connections_of(&plan->variants[reference].plan) : 0;
        }
        group->numbers[group->count++] = i;
        connections += connections_of(&variant->plan);
    }
    return count;
}

/* Add variant NUMBER's results, at index PLACE in VISIT. Give up its ops that VISIT left out. */
static int add_variant(struct experiment_run *run, const struct visit *visit, size_t place,
                       size_t number, struct error *error)
{
    const struct variant *variant = &run->plan->variants[number];
    int code = 0;

    for (size_t j = 0; j < variant->plan.op_count && code == 0; j++) {
        const size_t index = run->first_cell[number] + j;
        struct experiment_cell *cell = &run->result.cells[index];
        const char *missing = visit_missing(visit, place, j);
        struct cell_unit unit;

        if (missing && !run->given_up[index]) {
            give_up_cell(run, index);
            code = experiment_leave_out(run, variant->name, cell->op, cell->setting.depth, missing,
                                        error);
        } else if (!missing && cell->units < UNITS_MAXIMUM &&
                   visit_unit(visit, place, j, NULL, &unit)) {
            experiment_add_unit(run, cell, &unit);
        }
    }
    return code;
}

static int add_visit(struct experiment_run *run, const struct visit *visit, const size_t *numbers,
                     bool borrows, struct error *error)
{
    const size_t last = numbers[visit->group.count - 1];
    int code = 0;

    for (size_t i = borrows; i < visit->group.count && code == 0; i++)
        code = add_variant(run, visit, i, numbers[i], error);
    run->observer->visited(run->observer->context, &run->result,
                           &run->result.cells[run->first_cell[last]]);
    return code || visit->group.count == 1 ? code
                                           : experiment_add_contrasts(run, visit, numbers, error);
}

/* Set NUMBERS to the variants of GROUP that are not given up. Returns their number. */
static size_t remaining(const struct experiment_run *run, const struct together *group,
                        size_t *numbers)
{
    size_t count = 0;

    for (size_t i = 0; i < group->count; i++) {
        const size_t number = group->numbers[i];
        bool left = false;

        for (size_t j = 0; j < run->plan->variants[number].plan.op_count; j++)
            left |= !run->given_up[run->first_cell[number] + j];
        if (left)
            numbers[count++] = number;
    }
    return count;
}

/* Handle the error CODE of VISIT to COUNT variants. Returns 0 if measuring can continue, because a
 * variant, or the time for trials, was given up; else CODE. */
static int handle_failure(struct experiment_run *run, const struct visit *visit,
                          const size_t *numbers, size_t count, int code, struct error *error)
{
    const size_t at = visit_culprit(visit, count);
    const struct variant *variant = &run->plan->variants[numbers[at < count ? at : 0]];

    if (code == -EOVERFLOW && diagnosis_give_up_time(run))
        return 0;
    if (code == -ETIME && count == 1) { /* an unreached rate is a result, not a failure */
        run->result.cells[run->first_cell[numbers[0]]].out_of_reach = true;
        give_up_cell(run, run->first_cell[numbers[0]]);
        return 0;
    }
    if (visit->lacks_server || at == count || code == -ENOMEM || code == -EINTR ||
        code == -EOVERFLOW || run_plan_is_stopped(&variant->plan))
        return code;
    if (visit_is_refused(visit, variant, error))
        return give_up_variant(run, numbers[at], true, error);
    return error->kind == ERROR_UNREACHABLE ? code
                                            : give_up_variant(run, numbers[at], false, error);
}

/* Return the time share of the next visit. The first visit also decides the number of passes. */
static struct run_share next_share(const struct experiment_run *run)
{
    const struct run_share *launches = &run->plan->variants[0].plan.share;
    const unsigned others = launches->launches ? launches->launches : 1;

    if (run->doubts.all > 0)
        return (struct run_share){
            .launches = 1, .parts = (unsigned)run->visits_left * others, .fixed = true};
    return (struct run_share){.launches = run->passes * others,
                              .parts = (unsigned)run->visits_left / run->passes,
                              .fixed = run->plan->repeats_fixed || launches->launches > 0};
}

/* Return the --max-time, in s, with which RUN would leave out nothing. TIME: the first visit's use
 * of time. */
static double usual_seconds(const struct experiment_run *run, const struct time_use *time)
{
    const double trials_ns = run->kept_ns ? (double)(diagnosis_time(run->plan) - run->kept_ns) : 0;
    const double asked_ns = (double)run->plan->variants[0].plan.maximum_ns;

    return (asked_ns + trials_ns + time->plan.whole_ns - time->needs.left_ns) / 1e9;
}

/* Reduce RUN's passes to the number for which VISIT, the first visit, found time. */
static void reduce_passes(struct experiment_run *run, const struct visit *visit)
{
    const struct time_use *time = &visit->group.sessions[0].time;
    const unsigned planned = time->plan.launches, passes = run->passes;
    struct experiment_result *result = &run->result;

    if (planned == 0 || planned >= passes || time->rounds_end_ns == 0)
        return;
    for (size_t i = 0; i < result->cell_count; i++)
        result->units_planned -= run->given_up[i] ? 0 : passes - planned;
    run->visits_left = run->visits_left / passes * planned;
    result->unit_seconds *= (double)passes / planned;
    result->repeats_usual = passes;
    result->repeats = planned;
    result->usual_seconds = usual_seconds(run, time);
    run->passes = planned;
}

/* Measure GROUP in pass PASS. If a variant fails, repeat without it, as long as a variant other
 * than the borrowed reference is left. */
static int visit_group(struct experiment_run *run, const struct together *group, unsigned pass,
                       struct error *error)
{
    const struct visit_time time = {.share = next_share(run)};
    size_t numbers[GROUP_SESSIONS_MAXIMUM], count;
    bool again = true;
    int code = 0;

    while (again && code == 0 && (count = remaining(run, group, numbers)) > group->borrows) {
        struct error ignored;
        struct visit visit, part = {.opened = false}, *whole;

        code = experiment_visit_with_retries(run, run->plan->variants, numbers, count, &time,
                                             &visit, &part, error);
        again = code != 0;
        if (code)
            code = handle_failure(run, &visit, numbers, count, code, error);
        if (!again && run->doubts.all == 0)
            reduce_passes(run, &visit);
        whole = visit_has_outcomes(&visit) ? &visit : &part;
        if (visit_has_outcomes(whole) && (code || !again)) /* the visit will not be repeated */
            add_visit(run, whole, numbers, group->borrows, &ignored);
        if (!again)
            code = experiment_measure_alone(run, &visit, numbers, group->borrows, pass, error);
        visit_close(&part);
        visit_close(&visit);
    }
    return code;
}

/* Put the group of ALL with the longest rounds first in ORDER, because the first visit decides the
 * number of passes, as if all groups needed its time. */
static void begin_with_longest(const struct experiment_run *run, const struct together *all,
                               size_t *order, size_t count)
{
    double longest = 0;

    for (size_t i = 0; i < count; i++) {
        const struct together *group = &all[order[i]];
        const size_t first = order[0];
        uint32_t block;
        double ns = 0;

        for (size_t j = 0; j < group->count; j++)
            ns += time_use_shortest_round(&run->plan->variants[group->numbers[j]].plan, 1, &block);
        if (ns > longest) {
            longest = ns;
            order[0] = order[i];
            order[i] = first;
        }
    }
}

static bool is_time_over(const struct experiment_run *run)
{
    return deadline_left_ns(&run->plan->variants[0].plan.deadline) == 0;
}

static int visit_all(struct experiment_run *run, struct error *error)
{
    const size_t most = run->plan->count;
    struct together *all = arena_alloc(&run->arena, most, sizeof *all);
    size_t *order = arena_alloc(&run->arena, most, sizeof *order), count;
    int code = 0;

    if (!all || !order)
        return no_memory(error);
    count = make_groups(run, all);
    run->result.interleaved = count < most;
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    run->visits_left = count * run->passes;
    for (unsigned pass = 0; pass < run->passes && code == 0; pass++) {
        random_shuffle(&run->random, order, count);
        if (pass == 0 && run->plan->variants[0].plan.deadline.at_ns)
            begin_with_longest(run, all, order, count);
        for (size_t i = 0; i < count && code == 0 && !is_time_over(run); i++, run->visits_left--)
            code = visit_group(run, &all[order[i]], pass, error);
    }
    /* If the time has run out and there are units, it is no error: these units are the result. */
    return run->doubts.all > 0 &&
                   (code == -EOVERFLOW || (code && code != -EINTR && is_time_over(run)))
               ? 0
               : code;
}

int experiment_check_full_rate(const struct experiment_plan *plan, double rate, struct error *error)
{
    const uint64_t calls = plan->variants[0].plan.calls;

    if (rate > 0)
        return 0;
    if (calls)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%s in each trial are too few to measure the rate of a closed loop, which "
                         "determines the rates to try; raise COUNT",
                         counted(calls, "call").text);
    return error_set(error, ERROR_FAILED, -ETIMEDOUT,
                     "too few calls were answered in %.3g s to measure the rate of a closed loop, "
                     "which determines the rates to try; raise --max-time",
                     (double)EXPERIMENT_UNIT_NS / 1e9);
}

static unsigned visits_after_full_rate(const struct experiment_plan *plan)
{
    return plan->objective_text ? EXPERIMENT_PROBES_LEAST : (unsigned)plan->count;
}

/* Set the full rate: the highest rate of TRIALS short closed loops, or of fewer if time is short.
 * Their depth is the user's; EXPERIMENT_FULL_DEPTH if the user gave none. */
static int find_full_rate(struct experiment_run *run, struct error *error)
{
    enum { TRIALS = 3 };
    const unsigned after = visits_after_full_rate(run->plan);
    const struct visit_time time = {
        .share = {.launches = 1, .parts = 1, .fixed = true, .followed_by = after},
        .unit_ns = EXPERIMENT_UNIT_NS};
    const uint64_t began_ns = deadline_now_ns();
    struct variant closed = run->plan->variants[0];
    struct load *request = &closed.plan.load_request;
    uint64_t each_ns = 0;
    struct cell_unit unit;
    int code = 0;

    request->rate = 0;
    request->depth += request->depth == 0 ? EXPERIMENT_FULL_DEPTH : 0;
    run->observer->full_rate_begins(run->observer->context);
    for (unsigned i = 0; i < TRIALS && code == 0; i++) {
        if (i > 0 && deadline_left_ns(&closed.plan.deadline) < (1 + after) * each_ns)
            break;
        code = experiment_visit_one(run, &closed, &time, true, &unit, error);
        if (code == 0)
            run->result.full_rate = fmax(run->result.full_rate, unit.figures[CELL_RATE]);
        each_ns = (deadline_now_ns() - began_ns) / (i + 1);
    }
    return code ? code : experiment_check_full_rate(run->plan, run->result.full_rate, error);
}

/* The experiment */

void experiment_begin(struct experiment_run *run, const struct experiment_plan *plan,
                      time_t started)
{
    const struct variant *variants = plan->variants;
    const struct run_plan *first = &variants[0].plan;
    struct experiment_result *result = &run->result;

    run->plan = plan;
    outcome_fill_origin(&result->origin, first, started, run->transport);
    result->preset = plan->preset;
    result->ops = plan->ops;
    result->engine = first->engine->name;
    result->client_cpus = run->client_cpus;
    result->varied = plan->varied;
    result->no_diagnosis = plan->no_diagnosis;
    /* A sweep compares nothing. If load or size are varied first, each variant is compared within
     * its family, and the experiment has no single reference. */
    if (plan->preset != PRESET_SWEEP && variants[0].other &&
        (plan->count == 1 || variants[1].family != variants[0].family ||
         strcmp(variants[0].other, variants[1].other) != 0))
        result->reference = variants[0].other;
    result->check_in_time = first->verify_in_time;
    result->unit_calls = first->calls;
    result->unit_seconds = first->calls ? 0 : (double)plan->unit_ns / 1e9;
    result->objective_text = plan->objective_text;
    random_seed(&run->random, result->origin.seed);
}

static int measure_points(struct experiment_run *run, struct error *error)
{
    const struct experiment_plan *plan = run->plan;
    int code = 0;

    if (plan->variants[0].share > 0 || plan->objective_text)
        code = find_full_rate(run, error);
    if (code == -EOVERFLOW && diagnosis_give_up_time(run))
        code = find_full_rate(run, error);
    if (code == 0 && plan->objective_text)
        return experiment_search(run, error);
    if (code == 0)
        code = make_cells(run, error);
    return code ? code : visit_all(run, error);
}

int experiment_run(struct experiment_run *run, const struct experiment_plan *plan,
                   const struct experiment_observer *observer, struct error *error)
{
    struct error ignored;
    int code = 0;

    run->observer = observer;
    run->passes = plan->repeats;
    experiment_begin(run, plan, time(NULL));
    run->kept_ns = plan->variants[0].plan.deadline.at_ns ? plan->diagnosis_ns : 0;
    code = measure_points(run, error);
    if (code == 0)
        code = experiment_diagnose(run, error);
    if (run->result.units_done > 0) {
        experiment_judge_contrasts(run, &ignored);
        experiment_analyse(&run->result);
        experiment_judge(&run->result, &run->doubts);
        experiment_judge_interference(&run->result.validity, &run->interference);
    }
    if (run->result.left_out_count > 0)
        qsort(run->result.left_out, run->result.left_out_count, sizeof *run->result.left_out,
              by_reason);
    return code;
}

void experiment_run_free(struct experiment_run *run)
{
    arena_free(&run->arena);
}
