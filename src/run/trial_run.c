#include "run/trial_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A trial of several sessions without a number of calls has at least so many rounds, where calls
 * take long. */
enum { ROUNDS_WANTED = 20 };

struct trial_run *trial_run_new(const struct run_plan *plan, size_t sessions, struct error *error)
{
    struct trial_run *run = calloc(1, sizeof *run);

    if (!run) {
        error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
        return NULL;
    }
    run->allowed = cpu_allowed_set();
    run->group.count = sessions;
    for (size_t i = 0; i < sessions; i++)
        run->group.plans[i] = *plan;
    return run;
}

/* Blocks of a megabyte's calls would be a few rounds only. */
static int shorten_blocks(struct group *group, struct error *error)
{
    const struct run_plan *plan = &group->plans[0];
    double one_ns = 0, calls;
    int code = 0;

    if (group->count == 1 || plan->calls || plan->block || run_plan_makes_load(plan))
        return 0;
    for (size_t i = 0; i < group->count; i++)
        one_ns += group->sessions[i].set.round_of_one_ns;
    calls = fmax(1, (double)plan->maximum_ns / ROUNDS_WANTED / one_ns);
    for (size_t i = 0; i < group->count && code == 0; i++)
        if (calls < group->sessions[i].set.block)
            code = session_set_block(&group->sessions[i], (uint32_t)calls, error);
    return code;
}

static int measure(struct trial_run *run, struct error *error)
{
    struct group *group = &run->group;
    struct error ignored;
    int code;

    for (size_t i = 0; i < group->count; i++)
        usage_open(&run->usage[i], &group->sessions[i]);
    code = group_measure(group, error);
    for (size_t i = 0; i < group->count; i++)
        usage_close(&run->usage[i]);
    group_unmount(group, &ignored);
    return code;
}

int trial_run_make(struct trial_run *run, struct error *error)
{
    const struct result *last = &run->group.outcomes[run->group.count - 1].result;
    struct trial_environment *environment = &run->environment;
    int code = group_open(&run->group, error);

    run->opened = code == 0;
    if (code == 0)
        code = shorten_blocks(&run->group, error);
    if (code == 0)
        code = measure(run, error);
    if (code == 0)
        code = group_fill_outcomes(&run->group, NULL, error);
    if (code)
        return code;
    snprintf(environment->client_cpus, sizeof environment->client_cpus, "%s",
             last->config.client_cpus);
    snprintf(environment->transport, sizeof environment->transport, "%s", last->target.transport);
    return 0;
}

void trial_run_free(struct trial_run *run)
{
    if (!run)
        return;
    group_close(&run->group);
    cpu_allow_set(&run->allowed); /* a run binds itself to processors */
    free(run);
}
