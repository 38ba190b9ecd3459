/* One trial of a security ladder: two sides that differ in how their calls are secured. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/sec_ladder.h"
#include "run/usage.h"
#include "run/versus.h"

/* A trial without a number of calls has at least so many rounds, where calls take long. */
enum { ROUNDS_WANTED = 20 };

/* What is too large for the stack. */
struct pair {
    struct versus versus;
    struct usage usage[SIDES];
    struct outcome outcomes[SIDES];
    struct versus_result result;
};

/* Blocks of a megabyte's calls would be a few rounds only. */
static int shorten_blocks(struct versus *versus, struct error *error)
{
    const struct run_plan *plan = &versus->plans[SIDE_FIRST];
    struct session *sessions = versus->sessions;
    double one_ns =
        sessions[SIDE_FIRST].set.round_of_one_ns + sessions[SIDE_SECOND].set.round_of_one_ns;
    double calls = fmax(1, (double)plan->maximum_ns / ROUNDS_WANTED / one_ns);
    int code = 0;

    if (plan->calls || plan->block || run_plan_makes_load(plan))
        return 0;
    for (size_t i = 0; i < SIDES && code == 0; i++)
        if (calls < sessions[i].set.block)
            code = session_set_block(&sessions[i], (uint32_t)calls, error);
    return code;
}

static int measure(struct pair *pair, struct error *error)
{
    struct session *sessions = pair->versus.sessions;
    struct error ignored;
    int code;

    for (size_t i = 0; i < SIDES; i++)
        usage_open(&pair->usage[i], &sessions[i]);
    code = versus_measure(&pair->versus, error);
    for (size_t i = 0; i < SIDES; i++)
        usage_close(&pair->usage[i]);
    for (size_t i = SIDES; i-- > 0;) /* the first one may own the server */
        session_unmount(&sessions[i], &ignored);
    return code;
}

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

static void fill_trial(const struct pair *pair, struct sec_trial *trial)
{
    const struct result *result = &pair->outcomes[SIDE_SECOND].result;
    const struct versus_row *row = &pair->result.rows[0];
    const struct usage_figures used = usage_figures(&pair->usage[SIDE_SECOND]);
    const struct comparison *round_trip = &row->parts[VERSUS_ROUND_TRIP].comparison;
    const bool spins = result->config.spin;

    trial->figures[SEC_ROUND_TRIP] = round_trip->second.estimate;
    trial->figures[SEC_ABOVE] = round_trip->difference.estimate;
    trial->figures[SEC_CLIENT_CPU] = spins ? NAN : used.client_call_ns;
    trial->figures[SEC_SERVER_CPU] = used.server_call_ns;
    trial->figures[SEC_RATE] = row->second->rate_per_s;
    trial->figures[SEC_RATE_SHARE] = row->second->rate_per_s / row->first->rate_per_s;
    fill_validity(pair->outcomes, &trial->validity);
    trial->environment = trial_environment(result);
}

/* An op that fails in the rounds is left out on both sides; the reason begins with the name of the
 * side where it failed, if that is the other one. */
static int check_op(const struct versus *versus, enum sec_failure *failure, struct error *error)
{
    const struct session *sessions = versus->sessions;
    const char *op = versus->plans[SIDE_FIRST].ops[0]->op;
    const char *reasons[SIDES];
    bool second;

    if (sessions[SIDE_FIRST].set.count > 0)
        return 0;
    for (size_t i = 0; i < SIDES; i++)
        reasons[i] = series_set_skip_reason(&sessions[i].set, op);
    second = reasons[SIDE_FIRST] && strncmp(reasons[SIDE_FIRST], "B ", 2) == 0;
    *failure = second ? SEC_FAILURE_POINT : SEC_FAILURE_ALL;
    return error_set(error, ERROR_FAILED, -ENODATA, "%s: %s", op,
                     reasons[second] ? reasons[second] : "nothing was measured");
}

static int compare(struct pair *pair, struct error *error)
{
    int code = versus_fill_outcomes(&pair->versus, pair->outcomes, NULL, error);

    return code ? code : versus_compare(&pair->result, pair->outcomes, error);
}

static int open_sides(struct versus *versus, enum sec_failure *failure, struct error *error)
{
    int code = versus_open(versus, error);

    if (code && versus->side == SIDE_SECOND)
        *failure = error->kind == ERROR_UNREACHABLE ? SEC_FAILURE_FLAVOR : SEC_FAILURE_POINT;
    return code ? code : shorten_blocks(versus, error);
}

static int make(struct pair *pair, struct sec_trial *trial, enum sec_failure *failure,
                struct error *error)
{
    int code = open_sides(&pair->versus, failure, error);

    if (code)
        return code;
    code = measure(pair, error);
    if (code && code != -ENOMEM && pair->versus.side == SIDE_SECOND)
        *failure = SEC_FAILURE_POINT;
    if (code == 0)
        code = check_op(&pair->versus, failure, error);
    if (code == 0)
        code = compare(pair, error);
    if (code == 0)
        fill_trial(pair, trial);
    return code;
}

static void set_plans(struct versus *versus, const struct run_plan *plan,
                      const struct sec_setting *setting)
{
    versus->plans[SIDE_FIRST] = versus->plans[SIDE_SECOND] = *plan;
    versus->plans[SIDE_SECOND].identity.flavor = setting->flavor;
    if (setting->xprtsec != RPC_XPRTSEC_NONE)
        versus->plans[SIDE_SECOND].tls.how = setting->xprtsec;
    versus->names[SIDE_FIRST] = SEC_BASE;
    versus->names[SIDE_SECOND] = setting->name;
    versus->one_server = true;
}

int sec_trial_make(const struct run_plan *plan, const struct sec_setting *setting,
                   struct sec_trial *trial, enum sec_failure *failure, struct error *error)
{
    struct pair *pair = calloc(1, sizeof *pair);
    cpu_set_t allowed = cpu_allowed_set();
    int code;

    *failure = SEC_FAILURE_ALL;
    if (!pair)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    set_plans(&pair->versus, plan, setting);
    code = make(pair, trial, failure, error);
    versus_free(&pair->result);
    for (size_t i = 0; i < SIDES; i++)
        outcome_free(&pair->outcomes[i]);
    versus_close(&pair->versus);
    free(pair);
    cpu_allow_set(&allowed); /* a run binds itself to processors */
    return code;
}
