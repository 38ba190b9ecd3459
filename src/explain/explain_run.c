#include "explain/explain_run.h"

#include <errno.h>
#include <stdlib.h>

#include "measure/paired.h"

/* The default number of calls, done in some seconds; and how many of them have timestamps: enough
 * for a p99.9, and few enough that a call takes no more than 2 % longer on average. */
enum { PHASES_CALLS = 40000, PHASES_SAMPLE = 16 };

static bool is_of_phases(const struct explain_plan *plan)
{
    return plan->kind == RESULT_EXPLANATION || plan->kind == RESULT_EXPLANATIONS;
}

/* Enough calls for means; each is a system call of some ten or hundred microseconds. */
enum { STATES_CALLS = 10000 };

static int settle_counted(struct run_plan *run, bool baseline, struct error *error)
{
    run->no_baseline |= !baseline;
    if (run->calls == 0)
        run->calls = STATES_CALLS;
    return run_plan_settle(run, error);
}

/* One thread makes a load's calls unless several are asked for: calls then wait for nothing that
 * other threads do. */
int explain_plan_settle(struct explain_plan *plan, struct error *error)
{
    struct run_plan *run = &plan->run;

    run->no_ledger = run->no_model = true;
    run->server_command = NULL; /* it is used for the calls' events only */
    if (plan->kind == RESULT_STATES)
        return settle_counted(run, false, error);
    if (!is_of_phases(plan))
        return 0;
    run->no_baseline = !run->mix_name;
    if (run->calls == 0)
        run->calls = PHASES_CALLS;
    if (plan->sample == 0)
        plan->sample = PHASES_SAMPLE;
    if (run->load_request.threads == 0)
        run->load_request.threads = 1;
    return run_plan_settle(run, error);
}

static const struct explain_method *const methods[RESULT_KINDS] = {
    [RESULT_EXPLANATION] = &explain_phases, [RESULT_EXPLANATIONS] = &explain_phases,
    [RESULT_LADDER] = &explain_ladder,      [RESULT_XDR] = &explain_xdr,
    [RESULT_STATES] = &explain_states,
};

int explain_run_open(struct explain_run **run, const struct explain_plan *plan, struct error *error)
{
    const struct explain_method *method = methods[plan->kind];
    int code;

    *run = calloc(1, method->size);
    if (!*run)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    (*run)->method = method;
    (*run)->plan = plan;
    code = session_open(&(*run)->session, &plan->run, error);
    if (code == 0)
        code = session_block_source(&(*run)->session, &(*run)->calls, error);
    return code ? code : method->open(*run, error);
}

/* Blocks */

/* The number of the session's series in the rounds. */
static size_t own_count(const struct explain_run *run)
{
    return run->method->has_session ? run->session.set.count : 0;
}

static int run_block(void *context, size_t series, struct block *block, struct error *error)
{
    struct explain_run *run = context;
    size_t own = own_count(run);

    if (run_plan_is_stopped(run->session.plan))
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    return series < own ? run->calls.run(run->calls.context, series, block, error)
                        : run->method->run_block(run, series - own, block, error);
}

static size_t calls_of(const struct explain_run *run, size_t series)
{
    size_t own = own_count(run);

    if (series < own)
        return series;
    return run->method->calls_of ? run->method->calls_of(run, series - own) : EXPLAIN_BESIDE;
}

static int prepare_block(void *context, size_t series, size_t count, struct error *error)
{
    struct explain_run *run = context;
    size_t calls = calls_of(run, series);

    return calls == EXPLAIN_BESIDE ? 0
                                   : run->calls.prepare(run->calls.context, calls, count, error);
}

static int clear_block(void *context, size_t series, size_t count, struct error *error)
{
    struct explain_run *run = context;
    size_t calls = calls_of(run, series);

    return calls == EXPLAIN_BESIDE ? 0 : run->calls.clear(run->calls.context, calls, count, error);
}

static void measuring_begins(void *context)
{
    struct explain_run *run = context;

    run->calls.measuring_begins(run->calls.context);
    if (run->method->begins)
        run->method->begins(run);
}

static void round_done(void *context, size_t round)
{
    struct explain_run *run = context;

    run->calls.round_done(run->calls.context, round);
}

static bool enough(void *context, size_t round)
{
    struct explain_run *run = context;

    return run->method->enough ? run->method->enough(run, round)
                               : run->calls.enough(run->calls.context, round);
}

/* Measuring */

/* Before and after the rounds: give the session access to its part. */
static void show_rounds(struct explain_run *run)
{
    if (run->method->has_session)
        session_set_rounds(&run->session, &run->rounds, 0);
}

static int run_rounds(struct explain_run *run, const struct rounds_plan *plan, uint64_t calls,
                      struct error *error)
{
    struct session *session = &run->session;
    struct block_source source = {.run = run_block,
                                  .prepare = prepare_block,
                                  .clear = clear_block,
                                  .warm = run->method->warm,
                                  .measuring_begins = measuring_begins,
                                  .round_done = round_done,
                                  .enough = plan->calls ? NULL : enough,
                                  .context = run};
    int code = rounds_open(&run->rounds, plan, error);

    if (code)
        return code;
    show_rounds(run);
    session_rounds_observe(session, &run->rounds, calls);
    code = rounds_run(&run->rounds, plan, &session->clock, &source, error);
    show_rounds(run);
    session_rounds_end(session, run->beside_failed ? 0 : code);
    return code;
}

int explain_run_measure(struct explain_run *run, struct error *error)
{
    uint32_t blocks[EXPLAIN_SERIES_MAXIMUM];
    bool follows[EXPLAIN_SERIES_MAXIMUM] = {false};
    struct rounds_plan plan = {.calls = run->plan->run.calls,
                               .block = run->session.set.block,
                               .blocks = blocks,
                               .follows = follows,
                               .warmup = !run->plan->run.no_warmup,
                               .seed = run->plan->run.seed};
    uint64_t calls = 0;

    plan.series = own_count(run);
    if (plan.series > 0)
        calls = session_block_sizes(&run->session, blocks, follows);
    calls += run->method->shape(run, &plan.series, blocks, follows);
    return run_rounds(run, &plan, calls, error);
}

/* The end */

int explain_run_unmount(struct explain_run *run, struct error *error)
{
    return session_unmount(&run->session, error);
}

static int judge_session(struct explain_run *run, const char *cut_short_by, struct error *error)
{
    for (size_t i = own_count(run); i < run->rounds.series_count; i++)
        run->session.measuring.calls_beside += run->rounds.series[i].calls;
    return outcome_fill(&run->outcome, &run->session, cut_short_by, error);
}

int explain_run_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error)
{
    int code = 0;

    *result = NULL;
    if (run->rounds.done == 0)
        return 0;
    if (run->method->has_session)
        code = judge_session(run, cut_short_by, error);
    return code ? code : run->method->result(run, cut_short_by, result, error);
}

bool explain_run_difference(const struct explain_run *run, size_t without, size_t with,
                            struct interval *cost)
{
    enum { ROUNDS_LEAST = 6 };
    const struct rounds *rounds = &run->rounds;
    struct error ignored;
    double *differences;
    bool known;

    if (rounds->done < ROUNDS_LEAST)
        return false;
    differences = paired_differences(&rounds->series[without], &rounds->series[with],
                                     BLOCK_TRIMMED_MEAN, rounds->done, &ignored);
    known = differences && estimate_median_interval(differences, rounds->done, run->plan->run.seed,
                                                    cost, &ignored) == 0;
    free(differences);
    return known;
}

void explain_run_close(struct explain_run *run)
{
    if (!run)
        return;
    outcome_free(&run->outcome);
    run->method->close(run);
    session_close(&run->session);
    rounds_close(&run->rounds);
    free(run);
}
