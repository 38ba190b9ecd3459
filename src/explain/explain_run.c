#include "explain/explain_run.h"

#include <errno.h>
#include <stdlib.h>

static bool is_of_phases(const struct explain_plan *plan)
{
    return plan->kind == RESULT_EXPLANATION || plan->kind == RESULT_EXPLANATIONS;
}

/* In an explanation of phases under load, a single thread makes the calls, so that no call waits
 * for another thread of the client. The user may ask for several threads. */
int explain_plan_complete(struct explain_plan *plan, struct error *error)
{
    struct run_plan *run = &plan->run;

    run->no_ledger = run->no_model = true;
    run->server_command = NULL; /* so that the run asks the server's machine for no counters; the
                                   trace uses PLAN's own server_command */
    if (plan->kind == RESULT_STATES) {
        run->no_baseline = true;
        return run_plan_complete(run, error);
    }
    if (!is_of_phases(plan))
        return 0;
    run->no_baseline = !run->mix_name;
    if (run->load_request.threads == 0)
        run->load_request.threads = 1;
    return run_plan_complete(run, error);
}

static const struct explain_method *const methods[RESULT_KINDS] = {
    [RESULT_EXPLANATION] = &explain_phases, [RESULT_EXPLANATIONS] = &explain_phases,
    [RESULT_LADDER] = &explain_ladder,      [RESULT_XDR] = &explain_xdr,
    [RESULT_STATES] = &explain_states,
};

int explain_run_open(struct explain_run **run, struct explain_plan *plan, struct error *error)
{
    const struct explain_method *method = methods[plan->kind];
    int code;

    *run = calloc(1, method->size);
    if (!*run)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    (*run)->method = method;
    (*run)->plan = plan;
    code = session_reach(&(*run)->session, &plan->run, error);
    if (code == 0)
        code =
            time_use_foresee(&(*run)->session.setup, &plan->run, 1, method->shortest_round, error);
    if (code == 0)
        code = session_prepare(&(*run)->session, error);
    if (code == 0)
        explain_time_session(*run);
    return code ? code : method->open(*run, error);
}

int explain_run_measure(struct explain_run *run, struct error *error)
{
    struct beside beside = {.source = run->method->source};
    size_t unused;
    int code = explain_time_schedule(run, error);

    if (code)
        return code;
    explain_time_source(run, &beside.source);
    run->method->add_series(run, &beside);
    code = sessions_measure(&run->session, 1, &beside, &run->rounds, &unused, error);
    /* If the session's series are left out, the session gets the rounds of the method's series. */
    if (!run->schedule.compares && run->rounds.series)
        session_set_rounds(&run->session, &run->rounds, run->session.set.count);
    return code;
}

int explain_run_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error)
{
    const struct outcome_request request = {.cut_short_by = cut_short_by};
    int code = 0;

    *result = NULL;
    if (run->rounds.done == 0)
        return 0;
    if (!run->method->unjudged)
        code = measured_take(&run->measured, &run->session, error);
    if (code == 0 && !run->method->unjudged)
        code = outcome_fill(&run->outcome, &run->measured, &request, error);
    return code ? code : run->method->result(run, cut_short_by, result, error);
}

void explain_run_close(struct explain_run *run)
{
    if (!run)
        return;
    outcome_free(&run->outcome);
    measured_free(&run->measured);
    run->method->close(run);
    session_close(&run->session);
    rounds_close(&run->rounds);
    free(run);
}
