/* A visit: the sessions of a group of variants are opened, measured and unmounted. A visit yields
 * each op's figures and use of resources. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/load_use.h"
#include "measure/statistics/estimate.h"
#include "measure/statistics/mean_interval.h"
#include "sweep/experiment.h"

struct visit_use {
    struct block_watch watch;
    struct load_use load;
};

int visit_open(struct visit *visit, size_t count, const struct run_plan *plan, struct error *error)
{
    *visit = (struct visit){.group = {.one_server = true, .keeps_others = true},
                            .asked = plan,
                            .allowed = cpu_allowed_set()};
    return group_make(&visit->group, count, plan, error);
}

/* Return the series of OP. If OP has none, because it is null or was left out, return the first
 * series, which is usually that of null calls. */
static const struct run_series *series_of(const struct series_set *set, const char *op)
{
    const struct run_series *series = series_set_find_op(set, op);

    return series ? series : set->series[0];
}

/* Return the counters of session NUMBER's server, opened for the first session on this server. */
static struct server_counters *server_of(struct visit *visit, size_t number)
{
    const struct group *group = &visit->group;
    const size_t first = sessions_first_of_server(group->sessions, number);

    if (first == number)
        ledger_run_find_server(&group->sessions[number].setup, &visit->servers[first]);
    return &visit->servers[first];
}

static void block_begins(void *use)
{
    load_use_begin(use);
}

static void block_ended(void *use, size_t calls)
{
    load_use_end(use, calls);
}

/* Record in USE what the blocks of OP in SESSION use. LOADS is the number of loads in the same
 * rounds. SERVER has the counters of SESSION's server. */
static void watch_op(struct visit_use *use, struct session *session, const char *op,
                     struct server_counters *server, size_t loads)
{
    const struct run_series *series = series_of(&session->set, op);

    load_use_open(&use->load, series_set_engine(&session->set, series), server, loads);
    use->watch = (struct block_watch){.series = series->index,
                                      .next = session->watch,
                                      .begins = block_begins,
                                      .ended = block_ended,
                                      .context = &use->load};
    session->watch = &use->watch;
}

static int watch_ops(struct visit *visit, struct error *error)
{
    struct group *group = &visit->group;
    const size_t ops = visit->asked->op_count, all = group->count * ops;

    visit->uses = arena_alloc(&group->arena, all, sizeof *visit->uses);
    visit->servers = arena_alloc(&group->arena, group->count, sizeof *visit->servers);
    if (!visit->uses || !visit->servers)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < group->count; i++) {
        struct server_counters *server = server_of(visit, i);

        for (size_t j = 0; j < ops; j++)
            watch_op(&visit->uses[i * ops + j], &group->sessions[i], visit->asked->ops[j]->op,
                     server, all);
    }
    return 0;
}

/* If CODE is an error of a visit, add to ERROR how the commands that started servers have ended. */
static void note_ends(struct group *group, int code, struct error *error)
{
    enum { KNOWN_NS = 200000000 }; /* time within which a command's end is noticed, ns */

    if (code == 0 || code == -EINTR || !group->plans->server_start)
        return;
    deadline_sleep(&group->plans->deadline, KNOWN_NS);
    for (size_t i = 0; i < group->count; i++)
        server_command_note_end(&group->sessions[i].setup.server, error);
}

/* If all ops of a session failed, set ERROR to the first failure, and return its code; else 0. */
static int check_series(struct group *group, struct error *error)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct setup_failure *failure = &group->sessions[i].set.first_failure;

        if (group->sessions[i].set.count > 0 || failure->code == 0)
            continue;
        group->at = i;
        *error = failure->error;
        return failure->code;
    }
    return 0;
}

static int measure_rounds(struct visit *visit, struct error *error)
{
    const struct visit_hooks *hooks = &visit->hooks;
    struct session *session = &visit->group.sessions[0];
    int code;

    if (hooks->begins)
        hooks->begins(hooks->context, session);
    code = group_measure(&visit->group, error);
    if (hooks->ended)
        hooks->ended(hooks->context, session, code);
    return code;
}

static int measure_visit(struct visit *visit, struct error *error)
{
    struct group *group = &visit->group;
    struct error ignored;
    int code = check_series(group, error);

    if (code == 0)
        code = watch_ops(visit, error);
    if (code == 0)
        code = measure_rounds(visit, error);
    note_ends(group, code, error);
    for (size_t i = 0; visit->servers && i < group->count; i++)
        server_counters_close(&visit->servers[i]);
    group_unmount(group, &ignored);
    return code;
}

bool visit_has_outcomes(const struct visit *visit)
{
    return visit->group.outcomes && visit->group.outcomes[0].result.op_count > 0;
}

/* Set VISIT's LACKS_SERVER to whether a variant's server could not start. If so, add to ERROR the
 * variant (if there are several) and, if another variant's server may be the cause, advice. */
static void blame_server(struct visit *visit, int code, struct error *error)
{
    const struct group *group = &visit->group;
    const size_t used = strlen(error->text);

    visit->lacks_server = setup_lacks_server(&group->sessions[group->at].setup);
    if (!visit->lacks_server)
        return;
    if (code == -EADDRINUSE && group->at > 0)
        snprintf(error->text + used, sizeof error->text - used,
                 "; if the other server is that of another point, use --group 1");
    if (group->count > 1)
        group_name(group, group->at, error);
}

static int open_visit(struct visit *visit, struct error *error)
{
    int code = group_open(&visit->group, error);

    visit->opened = code == 0;
    note_ends(&visit->group, code, error);
    if (code && visit->group.at < visit->group.count)
        blame_server(visit, code, error);
    return code;
}

int visit_make(struct visit *visit, struct error *error)
{
    struct group *group = &visit->group;
    struct error ignored;
    int code = open_visit(visit, error);

    if (code == 0)
        code = measure_visit(visit, error);
    if (code == 0)
        code = group_fill_outcomes(group, NULL, error);
    else if (group->rounds.done >= VALIDITY_ROUNDS_SUSPECT)
        group_fill_outcomes(group, NULL, &ignored);
    return code;
}

void visit_close(struct visit *visit)
{
    group_close(&visit->group);
    cpu_allow_set(&visit->allowed); /* undo the run's binding of the process */
}

void visit_keep_outcomes(struct visit *visit, struct visit *part)
{
    const struct visit made = *visit;

    if (visit_has_outcomes(visit)) {
        *visit = *part;
        *part = made;
    }
    visit_close(visit);
    cpu_allow_set(&made.allowed);
}

const char *visit_missing(const struct visit *visit, size_t number, size_t op)
{
    const struct series_set *set = &visit->group.sessions[number].set;
    const char *wanted = visit->asked->ops[op]->op;
    const char *reason = series_set_skip_reason(set, wanted);
    const struct run_series *series = series_set_find_op(set, wanted);

    return reason || !series ? reason : series->failure;
}

/* Figures */

static double objective_figure(const struct objective *objective,
                               const struct result_latency *latency)
{
    if (!objective)
        return NAN;
    if (objective->figure == OBJECTIVE_MEAN)
        return latency->mean;
    if (objective->figure == OBJECTIVE_MAXIMUM)
        return latency->maximum;
    return objective->quantile <= 0.5     ? latency->p50
           : objective->quantile <= 0.9   ? latency->p90
           : objective->quantile <= 0.99  ? latency->p99
           : objective->quantile <= 0.999 ? latency->p999
                                          : latency->p9999;
}

static void fill_verdict(struct cell_unit *unit, const struct validity *validity)
{
    unit->validity = *validity;
    for (size_t i = 0; i < validity->count; i++) {
        const struct validity_reason *reason = &validity->reasons[i];

        if (reason->reason == REASON_SENDER_LATE)
            unit->sender_late = true;
        else if (reason->verdict == VERDICT_INVALID && reason->reason != REASON_RATE_NOT_REACHED)
            unit->unanswered = true;
    }
}

/* Return the mean time from a reply to the next call, ns. NAN in an open loop, where calls are sent
 * when they are due, or if the engine does not report the time. */
static double turn_around_ns(const struct measured *measured, const char *op)
{
    const struct measured_series *series = measured_find_op(measured, op);
    const struct engine_tally *tally = series ? series->tally : measured->series[0].tally;

    if (tally->turn_calls == 0 || measured->plan->load.rate > 0)
        return NAN;
    return (double)tally->turn_ticks / (double)tally->turn_calls * measured->clock->ns_per_tick;
}

/* Return the interval of FIGURE. FIGURE is proportional to the quantity of INTERVAL or, if INVERSE,
 * to that quantity's reciprocal. If INVERSE and INTERVAL reaches 0, the ends are NAN. */
static struct interval in_proportion(double figure, const struct interval *interval, bool inverse)
{
    const double low = interval->low / interval->estimate,
                 high = interval->high / interval->estimate;

    if (!inverse)
        return (struct interval){figure, figure * low, figure * high};
    return low > 0 ? (struct interval){figure, figure / high, figure / low}
                   : (struct interval){figure, NAN, NAN};
}

/* Set WITHIN to the FIGURES' intervals that follow from RESULT's rounds. In a closed loop, the rate
 * is proportional to 1 / mean response time, because the number of calls in flight is constant. */
static void fill_within(struct interval within[CELL_FIGURES], const double figures[CELL_FIGURES],
                        const struct result *result, const struct result_op *op)
{
    const size_t rounds = result->rounds.done;
    struct interval mean;
    struct error ignored;

    within[CELL_TYPICAL] = in_proportion(figures[CELL_TYPICAL], &op->round_trip, false);
    within[CELL_TYPICAL_RATE] = in_proportion(figures[CELL_TYPICAL_RATE], &op->round_trip, true);
    if (result->null_calls)
        within[CELL_NULL] =
            in_proportion(figures[CELL_NULL], &result->null_calls->round_trip, false);
    if (op->has_above_null)
        within[CELL_COST] = op->above_null.cost;
    if (!op->block_means || rounds < 2 ||
        mean_interval(op->block_means, rounds, estimate_block_length(op->block_means, rounds),
                      result->seed, &mean, &ignored) != 0)
        return;
    within[CELL_MEAN] = in_proportion(figures[CELL_MEAN], &mean, false);
    if (result->config.load.rate > 0)
        return;
    within[CELL_RATE] = in_proportion(figures[CELL_RATE], &mean, true);
    within[CELL_MEGABYTES] = in_proportion(figures[CELL_MEGABYTES], &mean, true);
}

/* Return the number of retransmissions per call of OP over UDP; NAN over TCP, or if unknown. */
static double resent_share(const struct result *result, const struct result_op *op)
{
    return same_text(result->target.transport, "UDP") && op->retransmissions_known && op->calls > 0
               ? (double)op->retransmissions / (double)op->calls
               : NAN;
}

/* Return the mean number of calls that waited for an RPC slot of a mount's client; NAN: unknown. */
static double slots_waiting(const struct result_op *op)
{
    return op->mounted && op->mounted->connections > 0 ? op->mounted->backlog : NAN;
}

void cell_fill_latencies(double figures[CELL_FIGURES], struct interval within[CELL_FIGURES],
                         const struct result *result, const struct result_op *op)
{
    const struct load *load = &result->config.load;

    for (size_t i = 0; i < CELL_FIGURES; i++) {
        figures[i] = NAN;
        within[i] = (struct interval){NAN, NAN, NAN};
    }
    figures[CELL_RATE] = op->rate_per_s;
    figures[CELL_MEGABYTES] = op->megabytes_per_s;
    figures[CELL_MEAN] = op->latency.mean;
    figures[CELL_TYPICAL] = result_level(result, op);
    figures[CELL_NULL] = result->null_calls ? result_level(result, result->null_calls) : NAN;
    figures[CELL_COST] = op->has_above_null ? op->above_null.cost.estimate : NAN;
    figures[CELL_P50] = op->latency.p50;
    figures[CELL_P90] = op->latency.p90;
    figures[CELL_P99] = op->latency.p99;
    figures[CELL_P999] = op->latency.p999;
    figures[CELL_MAXIMUM] = op->latency.maximum;
    figures[CELL_RESENT] = resent_share(result, op);
    figures[CELL_SLOTS_WAITING] = slots_waiting(op);
    figures[CELL_LATE] = load->rate > 0 ? op->load->lateness.p99 : NAN;
    figures[CELL_TYPICAL_RATE] =
        load->rate > 0 ? NAN : (double)load_in_flight(load) / figures[CELL_TYPICAL] * 1e9;
    fill_within(within, figures, result, op);
}

bool visit_unit(const struct visit *visit, size_t number, size_t op,
                const struct objective *objective, struct cell_unit *unit)
{
    const struct measured *measured = &visit->group.measured[number];
    const struct result *result = &visit->group.outcomes[number].result;
    const char *wanted = visit->asked->ops[op]->op;
    const struct result_op *found = result_find(result, wanted);
    const struct load *load = &result->config.load;

    if (!found || found->timed == 0)
        return false;
    *unit = (struct cell_unit){.objective_ns = objective_figure(objective, &found->latency),
                               .late_ns = NAN,
                               .reached = NAN,
                               .calls = found->timed};
    cell_fill_latencies(unit->figures, unit->within, result, found);
    load_use_set_figures(&visit->uses[number * visit->asked->op_count + op].load,
                         result->config.spin, load->threads, unit->figures);
    unit->figures[CELL_TURN_AROUND] = turn_around_ns(measured, wanted);
    if (load->rate > 0) {
        unit->late_ns = objective_figure(objective, &found->load->lateness);
        unit->reached = result_share_reached(found, load);
    }
    unit->link = measured->readings->link_after;
    fill_verdict(unit, &result->validity);
    return true;
}

bool visit_is_refused(const struct visit *visit, const struct variant *variant,
                      const struct error *error)
{
    return !visit->opened && variant->other && error->kind == ERROR_UNREACHABLE;
}

size_t visit_culprit(const struct visit *visit, size_t count)
{
    return visit->group.at > 0 ? visit->group.at : count;
}
