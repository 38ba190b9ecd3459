/* A unit of an experiment: its plan, the visit that yields it (tried again if the visit's error may
 * be temporary), and its cell. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sweep/experiment.h"

enum { TRIES = 3 /* maximum number of tries of a visit whose error may be temporary */ };

int experiment_unit_plan(const struct experiment_plan *plan, const struct variant *variant,
                         uint64_t unit_ns, struct run_share share, uint64_t seed,
                         struct run_plan *unit, struct error *error)
{
    *unit = variant->plan;
    unit->quiet = unit->no_ledger = true;
    unit->no_model |= plan->preset != PRESET_VARY;
    /* If the op's calls have a target rate, no null calls are made: null calls would take as much
     * time as the op's calls, but would not show whether the op reaches the rate. */
    unit->no_baseline |=
        variant->plan.load_request.rate > 0 || variant->share > 0 || plan->objective_text;
    unit->seed = unit->load.seed = seed;
    /* no unit reaches a precision of 0, so no unit ends early because of its precision */
    unit->precision = (struct precision){.share = 0};
    unit->part_ns = unit_ns;
    unit->share = share;
    return run_plan_complete(unit, error);
}

/* Return true if a visit that ended with CODE is worth repeating soon. A server that restarts is
 * unreachable for some time, or no longer knows the file handles that it has issued. */
static bool may_recover(int code, const struct error *error)
{
    return error->kind == ERROR_UNREACHABLE || code == -ESTALE || code == -ENODATA;
}

/* Plan VISIT to the variants whose indices in VARIANTS are NUMBERS. */
static int plan_visit(struct experiment_run *run, const struct variant *variants,
                      const size_t *numbers, const struct visit_time *time, struct visit *visit,
                      struct error *error)
{
    const uint64_t seed = random_next(&run->random) | 1;
    const size_t count = visit->group.count;
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++) {
        const struct variant *variant = &variants[numbers[i]];

        visit->group.names[i] = variant->name;
        code = experiment_unit_plan(run->plan, variant, time->unit_ns, time->share, seed,
                                    &visit->group.plans[i], error);
        visit->group.plans[i].no_control |= i > 0;
    }
    return code;
}

/* Make *VISIT to the COUNT variants whose indices in VARIANTS are NUMBERS; the caller closes it.
 * The first visit with outcomes, and each later one that begins with variant 0, sets RUN's
 * TRANSPORT and CLIENT_CPUS. */
static int make_visit(struct experiment_run *run, const struct variant *variants,
                      const size_t *numbers, size_t count, const struct visit_time *time,
                      struct visit *visit, struct error *error)
{
    const struct outcome *outcomes;
    int code = visit_open(visit, count, &variants[numbers[0]].plan, error);

    if (code == 0)
        code = plan_visit(run, variants, numbers, time, visit, error);
    visit->group.at = count;
    if (code == 0)
        code = visit_make(visit, error);
    outcomes = visit->group.outcomes;
    if (visit_has_outcomes(visit) && (!run->transport[0] || numbers[0] == 0)) {
        snprintf(run->transport, sizeof run->transport, "%s", outcomes[0].result.target.transport);
        snprintf(run->client_cpus, sizeof run->client_cpus, "%s",
                 outcomes[count - 1].result.config.client_cpus);
    }
    return code;
}

int experiment_visit_with_retries(struct experiment_run *run, const struct variant *variants,
                                  const size_t *numbers, size_t count,
                                  const struct visit_time *time, struct visit *visit,
                                  struct visit *part, struct error *error)
{
    enum { PAUSE_NS = 1000000000 };
    int code = make_visit(run, variants, numbers, count, time, visit, error);

    for (int i = 1; i < TRIES && code && may_recover(code, error); i++) {
        const size_t at = visit_culprit(visit, count);

        if (visit->lacks_server ||
            (at < count && visit_is_refused(visit, &variants[numbers[at]], error)) ||
            deadline_sleep(&variants->plan.deadline, PAUSE_NS) != 0)
            break;
        visit_keep_outcomes(visit, part);
        code = make_visit(run, variants, numbers, count, time, visit, error);
    }
    return code;
}

int experiment_visit_one(struct experiment_run *run, const struct variant *variant,
                         const struct visit_time *time, bool patient, struct cell_unit *unit,
                         struct error *error)
{
    const size_t number = 0;
    struct visit visit, part = {.opened = false};
    int code = patient ? experiment_visit_with_retries(run, variant, &number, 1, time, &visit,
                                                       &part, error)
                       : make_visit(run, variant, &number, 1, time, &visit, error);

    if (code == 0 && !visit_unit(&visit, 0, 0, &run->plan->objective, unit))
        code = error_set(error, ERROR_FAILED, -ENODATA, "no call was answered");
    visit_close(&part);
    visit_close(&visit);
    return code;
}

void experiment_describe_cell(struct experiment_cell *cell, const struct variant *variant,
                              size_t op)
{
    const struct run_plan *plan = &variant->plan;
    const struct load *load = &plan->load;
    const bool moves_data = plan->ops[op]->transfer != NFS_TRANSFER_NONE;

    cell->op = plan->ops[op]->op;
    cell->variant = variant->other;
    cell->setting = (struct cell_setting){.clients = load->clients,
                                          .connections = load->connections,
                                          .depth = load->depth,
                                          .size = moves_data ? plan->read_size : 0,
                                          .rate = load->rate};
}

void experiment_add_unit(struct experiment_run *run, struct experiment_cell *cell,
                         const struct cell_unit *unit)
{
    for (size_t i = 0; i < CELL_FIGURES; i++)
        cell->figures[i][cell->units] = unit->figures[i];
    memcpy(cell->within, unit->within, sizeof cell->within);
    cell->order[cell->units++] = run->doubts.all;
    cell->has_link = unit->link.frames > 0;
    cell->link = unit->link;
    cell->invalid += unit->validity.verdict == VERDICT_INVALID;
    run->result.units_done++;
    experiment_note_verdict(&run->doubts, &unit->validity);
}
