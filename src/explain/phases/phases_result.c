/* Makes the result of an explained run from each op's calls. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/cpu.h"
#include "explain/phases/phases_run.h"

/* Return the index, among the rounds' series, of the series that makes the calls of the session's
 * series INDEX with timestamps. */
static size_t observed_of(const struct phases_run *phases, size_t index)
{
    size_t i = 0;

    while (phases->observed[i] != index)
        i++;
    return phases->run.session.set.count + i;
}

static void fill_environment(struct explanation *explanation, const struct setup *setup,
                             time_t started, const struct run_series *series)
{
    const struct nfs_call *call = &series->call;

    outcome_fill_origin(&explanation->origin, setup->plan, started,
                        transport_name(setup->target.transport));
    explanation->op = series->name;
    cpu_allowed_list(explanation->client_cpus);
    explanation->server_cpu = setup->target.self ? setup->self.pinned_cpu : -1;
    explanation->call_bytes = call->engine.messages[0].length;
    explanation->reply_bytes = call->reply_length;
}

/* Set the cost of timestamps, and times of calls without them. An op of a mix gets the values of
 * the whole mix. */
static void fill_stamping(struct explanation *explanation, const struct phases_run *phases,
                          const struct run_series *series)
{
    const struct explain_run *run = &phases->run;
    const struct run_series *mix = run->session.set.mix;
    size_t index = mix ? mix->index : series->index;

    explanation->unstamped_typical = explain_run_typical(run, index);
    explanation->unstamped_mean = isnan(explanation->unstamped_typical)
                                      ? (double)NAN
                                      : run->rounds.series[index].histogram.mean;
    explanation->has_stamping =
        explain_run_difference(run, index, observed_of(phases, index), &explanation->stamping);
}

/* Set EXPLANATION from OP. A last block that failed is not explained. If the server's side was lost
 * in that block only, SERVER_MISSING remains NULL. */
static void set_explanation(struct phases_run *phases, struct phases_op *op,
                            struct explanation *explanation)
{
    const struct explain_run *run = &phases->run;
    const struct server_side *server = &phases->server;
    const struct load_log *log = &phases->log;

    memset(explanation, 0, sizeof *explanation);
    fill_environment(explanation, &run->session.setup, run->session.started, op->series);
    fill_stamping(explanation, phases, op->series);
    explanation->load = phases->load ? &run->plan->run.load : NULL;
    explanation->sample = phases->sample;
    explanation->phases = &op->calls.phases;
    explanation->calls = op->calls.seen;
    for (unsigned kind = 0; kind < STAMP_KINDS; kind++)
        explanation->stamps_lost += log->lost[kind];
    explanation->stamps_unmatched = log->unmatched;
    explanation->dropped = log->dropped;
    explanation->events_lost = server->events_lost;
    if (server->missing[0] && phases->view == server->view)
        explanation->server_missing = server->missing;
    explain_rows(explanation);
    explain_calls_set_intervals(&op->calls, explanation);
    explanation->predictions = run->plan->predictions;
    predictions_compare(&explanation->predictions, explanation->rows, explanation->row_count,
                        explanation->phases->lifetime.mean);
}

/* Write to TEXT how many timestamps, by kind, and server events are missing. Returns TEXT. */
static const char *describe_missing(const struct phases_run *phases, char text[160])
{
    const uint64_t *lost = phases->log.lost;

    snprintf(text, 160,
             " (missing: %" PRIu64 " %s, %" PRIu64 " %s, %" PRIu64 " %s; %" PRIu64
             " of the server's events were lost)",
             lost[STAMP_SCHEDULED], stamp_names[STAMP_SCHEDULED], lost[STAMP_TRANSMITTED],
             stamp_names[STAMP_TRANSMITTED], lost[STAMP_RECEIVED], stamp_names[STAMP_RECEIVED],
             phases->server.events_lost);
    return text;
}

static int refuse_to_explain(const struct phases_run *phases, struct error *error)
{
    uint64_t incomplete = 0, out_of_order = 0, retransmitted = 0;
    char missing[160];

    for (size_t i = 0; i < phases->op_count; i++) {
        const struct phases *of_op = &phases->ops[i].calls.phases;

        incomplete += of_op->incomplete;
        out_of_order += of_op->out_of_order;
        retransmitted += of_op->retransmitted;
    }
    return error_set(error, ERROR_FAILED, -ENODATA,
                     "no call could be explained: %" PRIu64 " lacked a timestamp%s, %" PRIu64
                     " had timestamps out of order, %" PRIu64
                     " were retransmitted; try --no-server, or a smaller --block",
                     incomplete, phases->load ? "" : describe_missing(phases, missing),
                     out_of_order, retransmitted);
}

struct phases_op *phases_op_of(struct phases_run *phases, const struct run_series *series,
                               size_t number)
{
    const struct mix_run *mix = &phases->run.session.mix;
    struct phases_op *op = phases->ops;

    if (series == phases->run.session.set.mix)
        series = mix->ops[mix->made->sequence[number]];
    while (op->series != series)
        op++;
    return op;
}

struct load_use *phases_use_of(struct phases_run *phases, const struct run_series *series)
{
    const bool is_mix = series == phases->run.session.set.mix;

    return is_mix ? &phases->ops[0].use : &phases_op_of(phases, series, 0)->use;
}

/* Set the limit of the load in the COUNT OPS, whose calls SERIES made. */
static void set_limit(struct phases_run *phases, const struct run_series *series,
                      struct explanation *ops, size_t count)
{
    const struct explain_run *run = &phases->run;
    const struct run_series *mix = run->session.set.mix;

    explain_limit_set(ops, count, phases_use_of(phases, series), &run->plan->run,
                      result_find(&run->outcome.result, mix ? mix->name : series->name));
}

/* Add OP to the EVIDENCE for judging explanations. Failed and retransmitted calls are not
 * counted there. If a processor limits the load, waiting is not evidence: the load causes it. */
static void observe_explanation(struct validity_phases *evidence, const struct explanation *op)
{
    const struct phases *phases = op->phases;

    if (!op->load || !explain_limit_is_processor(&op->limit))
        explain_observe_waiting(evidence, op->op, op->rows, op->row_count);
    explain_observe_discrepancy(evidence, op->discrepancy, phases->lifetime.mean);
    evidence->explained += phases->lifetime.count;
    evidence->calls += phases->lifetime.count + phases->incomplete + phases->out_of_order;
}

void phases_skip_op(struct explanations *result, const char *op, const char *reason)
{
    result->skipped[result->skipped_count++] = (struct result_skipped){op, reason};
}

/* Add OP, none of whose calls could be explained, to the skipped ops and to EVIDENCE. */
static void skip_unexplained(struct explanations *explanations, const struct phases_op *op,
                             struct validity_phases *evidence)
{
    const struct phases *phases = &op->calls.phases;

    phases_skip_op(explanations, op->series->name, "no call could be explained");
    evidence->calls += phases->incomplete + phases->out_of_order;
}

int phases_make_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error)
{
    struct phases_run *phases = (struct phases_run *)run;
    struct explanations *explanations = &phases->result;
    struct validity_phases evidence = {.op = NULL};
    int code;

    explanations->count = 0;
    explanations->mix = run->plan->run.mix_name;
    for (size_t i = 0; i < phases->op_count; i++) {
        struct explanation *explanation = &explanations->ops[explanations->count];

        code = explain_calls_sum(&phases->ops[i].calls, phases->view, error);
        if (code)
            return code;
        if (phases->ops[i].calls.count == 0) {
            skip_unexplained(explanations, &phases->ops[i], &evidence);
            continue;
        }
        set_explanation(phases, &phases->ops[i], explanation);
        explanation->cut_short_by = cut_short_by;
        explanation->validity = &run->outcome.result.validity;
        if (phases->load && !run->session.set.mix)
            set_limit(phases, phases->ops[i].series, explanation, 1);
        explanations->count++;
    }
    if (explanations->count == 0)
        return refuse_to_explain(phases, error);
    if (phases->load && run->session.set.mix)
        set_limit(phases, run->session.set.mix, explanations->ops, explanations->count);
    for (size_t i = 0; i < explanations->count; i++)
        observe_explanation(&evidence, &explanations->ops[i]);
    validity_judge_phases(&run->outcome.result.validity, &evidence);
    *result = run->plan->kind == RESULT_EXPLANATION ? (const void *)explanations->ops
                                                    : (const void *)explanations;
    return 0;
}
