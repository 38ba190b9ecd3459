/* One trial of a security ladder: two sides that differ in how their calls are secured. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "run/sec_ladder.h"
#include "run/trial_run.h"

/* The reasons of both sides, each once. */
static void fill_validity(const struct outcome outcomes[SIDES], struct validity *validity)
{
    const struct validity *second = &outcomes[SIDE_SECOND].result.validity;

    *validity = outcomes[SIDE_FIRST].result.validity;
    for (size_t i = 0; i < second->count; i++) {
        const struct validity_reason *reason = &second->reasons[i];
        size_t j = 0;

        while (j < validity->count && strcmp(validity->reasons[j].name, reason->name) != 0)
            j++;
        if (j == validity->count)
            validity_add_reason(validity, reason->verdict, reason->name, "%s", reason->text);
        else if (reason->verdict > validity->reasons[j].verdict)
            validity->reasons[j].verdict = reason->verdict;
    }
    if (second->verdict > validity->verdict)
        validity->verdict = second->verdict;
}

static void fill_trial(const struct trial_run *run, const struct versus_result *compared,
                       struct trial *trial)
{
    const struct versus_row *row = &compared->rows[0];
    const struct usage_figures used = usage_figures(&run->usage[SIDE_SECOND]);
    const struct comparison *round_trip = &row->parts[VERSUS_ROUND_TRIP].comparison;

    trial->figures[SEC_ROUND_TRIP] = round_trip->second.estimate;
    trial->figures[SEC_ABOVE] = round_trip->difference.estimate;
    trial->figures[SEC_CLIENT_CPU] = compared->second->config.spin ? NAN : used.client_call_ns;
    trial->figures[SEC_SERVER_CPU] = used.server_call_ns;
    trial->figures[SEC_RATE] = row->second->rate_per_s;
    trial->figures[SEC_RATE_SHARE] = row->second->rate_per_s / row->first->rate_per_s;
    fill_validity(run->group.outcomes, &trial->validity);
    trial->environment = run->environment;
}

static void set_sides(struct group *group, const struct sec_setting *setting)
{
    struct run_plan *second = &group->plans[SIDE_SECOND];

    second->identity.flavor = setting->flavor;
    if (setting->xprtsec != RPC_XPRTSEC_NONE)
        second->tls.how = setting->xprtsec;
    group->names[SIDE_FIRST] = SEC_BASE;
    group->names[SIDE_SECOND] = setting->name;
    group->one_server = true;
}

/* The only op of a run is never left out: where it fails, the run does. */
static int run_sides(struct trial_run *run, enum sec_failure *failure, struct error *error)
{
    int code = trial_run_make(run, error);

    if (code && code != -ENOMEM && run->group.at == SIDE_SECOND)
        *failure = !run->opened && error->kind == ERROR_UNREACHABLE ? SEC_FAILURE_FLAVOR
                                                                    : SEC_FAILURE_POINT;
    return code;
}

int sec_trial_make(const struct run_plan *plan, const struct sec_setting *setting,
                   struct trial *trial, enum sec_failure *failure, struct error *error)
{
    struct trial_run *run = trial_run_new(plan, SIDES, error);
    struct versus_result compared = {.rows = NULL};
    int code;

    *failure = SEC_FAILURE_ALL;
    if (!run)
        return -ENOMEM;
    set_sides(&run->group, setting);
    code = run_sides(run, failure, error);
    if (code == 0)
        code = versus_compare(&compared, run->group.outcomes, error);
    if (code == 0)
        fill_trial(run, &compared, trial);
    versus_free(&compared);
    trial_run_free(run);
    return code;
}
