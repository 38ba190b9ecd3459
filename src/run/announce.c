#include "run/session.h"

#include <stdio.h>

#include "measure/warmup.h"
#include "output/number.h"

enum { LINE_SIZE = 400 };

/* What is asked for, and what is measured to compare it with. */
struct counted_calls {
    size_t ops; /* that were named; 0: null alone, or a mix */
    bool of_model;
    uint64_t each, beside;
};

static unsigned launches_of(const struct run_plan *plan)
{
    return plan->launch.of ? plan->launch.of : 1;
}

static struct counted_calls count_calls(const struct session *session)
{
    const struct series_set *set = &session->set;
    struct counted_calls calls = {.each = session->calls * launches_of(session->plan)};
    uint64_t in_round = session->measuring.progress.calls_per_round;

    for (size_t i = 0; i < set->count; i++) {
        calls.ops += set->series[i]->role == SERIES_OP;
        calls.of_model = calls.of_model || series_role(set->series[i])->of_model;
    }
    calls.beside = calls.each * in_round / set->block - calls.each * (calls.ops ? calls.ops : 1);
    return calls;
}

static const char *first_op(const struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->series[i]->role == SERIES_OP)
            return set->series[i]->name;
    return "null";
}

/* "getattr: 1,000,000 calls, and 3,000,000 of null, its control and the cost model" */
static void describe(const struct session *session, char line[LINE_SIZE])
{
    const struct counted_calls calls = count_calls(session);
    const struct series_set *set = &session->set;
    char each[NUMBER_SIZE], beside[NUMBER_SIZE];
    bool null_alone = calls.ops == 0 && !set->mix;
    size_t used;

    if (set->mix)
        used = (size_t)snprintf(line, LINE_SIZE, "mix:%.200s", set->plan->mix_name);
    else if (calls.ops > 1)
        used = (size_t)snprintf(line, LINE_SIZE, "%zu ops", calls.ops);
    else
        used = (size_t)snprintf(line, LINE_SIZE, "%s", first_op(set));
    used +=
        (size_t)snprintf(line + used, LINE_SIZE - used, ": %s calls%s",
                         number_grouped((double)calls.each, each), calls.ops > 1 ? " each" : "");
    if (calls.beside > 0)
        snprintf(line + used, LINE_SIZE - used, ", and %s of %s%s",
                 number_grouped((double)calls.beside, beside),
                 null_alone       ? "its control"
                 : calls.of_model ? "null, its control"
                                  : "null and its control",
                 calls.of_model ? " and the cost model" : "");
}

static double expected_ns(const struct session *session)
{
    const struct run_plan *plan = session->plan;
    size_t planned = session->measuring.rounds.planned;
    double warmup = plan->no_warmup ? 0 : warmup_least(planned);

    return session->set.round_of_one_ns * session->set.block * launches_of(plan) *
           ((double)planned + warmup);
}

void announce_plan(const struct session *session)
{
    const struct run_plan *plan = session->plan;
    char line[LINE_SIZE];

    if (!plan->observer || plan->quiet || plan->launch.number > 0 || plan->calls == 0 ||
        plan->load.rate > 0)
        return;
    describe(session, line);
    plan->observer->planned(plan->observer->context, line, expected_ns(session));
}
