#include "sweep/options.h"

#include "job/plan.h"

struct sweep_options sweep_own;

void sweep_set_defaults(void)
{
    sweep_own = (struct sweep_options){.experiment.repeats = 5};
}

static int parse_objective(const struct option_entry *entry, const char *text, void *member,
                           struct error *error)
{
    sweep_own.experiment.objective_text = text;
    return objective_parse(text, member, error);
}

static const char *varied_name_at(size_t index)
{
    const struct option_entry *entry = NULL;

    for (size_t i = 0; (entry = vary_option_at(i)); i++)
        if (index-- == 0)
            break;
    return entry ? entry->name : NULL;
}

static const struct option_completion varied = {"varied", varied_name_at, "="};

#define EACH(number) OPTION_SETS(sweep_own.varied[number]), .parse = vary_parse_values
#define RUN_TOO      .groups = COMMAND_RUN

const struct option_entry sweep_option_table[] = {
    {"clients", 'c', OPTION_OTHER, SECTION_VARIANTS, EACH(VARY_CLIENTS), .value = "LIST",
     .help = "numbers of clients: values such as 1,2,4,8,12, or a range such as 1..16 (doublings) "
             "(default 1)"},
    {"depth", 'd', OPTION_OTHER, SECTION_VARIANTS, EACH(VARY_DEPTH), .value = "LIST",
     .help = "calls in flight on each connection, such as 1..64 (default 1)"},
    {"size", 's', OPTION_OTHER, SECTION_VARIANTS, EACH(VARY_SIZE), .value = "LIST",
     .help = "bytes in a READ or WRITE, such as 512..1M (default 4096)"},
    {"rate", 'r', OPTION_OTHER, SECTION_VARIANTS, EACH(VARY_RATE), .value = "LIST",
     .help = "calls per second, such as 1k..64k, or percentages of the rate of a closed loop, such "
             "as 10%..100% (default: closed loop)"},
    {"vary", 0, OPTION_OTHER, SECTION_VARIANTS, RUN_TOO, OPTION_SETS(sweep_own.varied[VARY_FIRST]),
     .value = "NAME=LIST",
     .help = "measure with each of these values of an option, such as proto=tcp,udp or "
             "size=1k..64k, and compare them with the first one, in the same rounds if possible; "
             "target= replaces TARGET; may be given twice, for all combinations",
     .parse = vary_parse_named, .completion = &varied,
     .excludes = {{"versus|interval|baseline-dir|find-max|hist",
                   "measures variants in the same rounds"},
                  {"precision", "has units of a given length"}}},
    {"equal", 0, OPTION_OTHER, SECTION_VARIANTS, RUN_TOO, OPTION_SETS(sweep_own.equal),
     .value = "P",
     .help = "judge differences that are certainly smaller than P, such as 1% or 50ns, as 'equal'",
     .needs = {"vary|versus"}, .parse = option_parse_precision},
    {"find-max", 0, OPTION_OTHER, SECTION_VARIANTS, OPTION_SETS(sweep_own.experiment.objective),
     .value = "OBJECTIVE",
     .help = "find the highest rate that meets OBJECTIVE, such as p99<1ms, instead of sweeping; "
             "the statistic is p50, p90, p99, p999, p9999, mean or max",
     .parse = parse_objective,
     .excludes = {{"rate", "chooses the rates itself"}, {"launches", "is one search"}}},
    {"no-diagnosis", 0, OPTION_FLAG, SECTION_VARIANTS,
     OPTION_SETS(sweep_own.experiment.no_diagnosis),
     .help = "skip the trials at the limits: other sizes, more connections, NULL calls during the "
             "load, a pause, UNSTABLE WRITEs",
     .excludes = {{"sec-ladder", "leaves out trials that a security ladder does not make"}}},
    {"sec-ladder", 0, OPTION_FLAG, SECTION_VARIANTS, OPTION_SHARES(any_flavor),
     .help = "measure ops (default getattr, read and write) by each security flavor that the "
             "server offers instead of sweeping, against AUTH_SYS in the same rounds",
     .excludes = {{"clients|rate|vary|find-max|connections|batch|arrival|threads|pin|engine|"
                   "count-resent|contexts|sec|scratch",
                   "measures the flavors itself, in the same rounds"}}},
    {"repeat", 0, OPTION_NUMBER, SECTION_VARIANTS, RUN_TOO,
     OPTION_SETS(sweep_own.experiment.repeats), .value = "N",
     .help = "number of trials of each point, in random order (default 5)", .minimum = 1,
     .maximum = UNITS_MAXIMUM},
    {"group", 0, OPTION_NUMBER, SECTION_VARIANTS, RUN_TOO,
     OPTION_SETS(sweep_own.experiment.together), .value = "N",
     .help = "maximum number of points in the same rounds; 1 measures one after the other "
             "(default: all that don't affect each other, 64 with 200 connections at most)",
     .minimum = 1, .maximum = GROUP_SESSIONS_MAXIMUM},
    {"max-time", 0, OPTION_TIME, SECTION_VARIANTS, OPTION_SHARES(plan.maximum_ns), .value = "TIME",
     .help =
         "end within TIME, from start to exit, unless COUNT is given (default: 600ms for each "
         "trial of a point, and some seconds for the trials at the limits; 60s with --find-max)"},
    {"target", 0, OPTION_TEXT, SECTION_HIDDEN, RUN_TOO, OPTION_SETS(sweep_own.target),
     .value = "TARGET", .help = "for --vary", .varies = true},
    {"versus", 0, OPTION_OTHER, SECTION_SIDES, .groups = COMMAND_RUN | GROUP_NOT_OWN,
     OPTION_SHARES(versus), .value = "TARGET2",
     .help = "also measure TARGET2 in the same rounds; or the same target with another proto=NAME, "
             "engine=NAME, sec=FLAVOR or xprtsec=HOW; server-start=COMMAND starts the server of "
             "TARGET2 for each launch (may be given several times)",
     .parse = option_parse_versus},
    {NULL},
};

/* Rules */

static size_t count_several(void)
{
    size_t several = 0;

    for (size_t i = 0; i < VARIES; i++)
        several += sweep_own.varied[i].count > 1;
    return several;
}

static bool has_shares(void)
{
    bool shares = false;

    for (size_t i = 0; i < VARIES; i++)
        shares |= sweep_own.varied[i].percent;
    return shares;
}

#define CHECK(rules) rules_apply(rules, sizeof(rules) / sizeof(rules)[0], options, error)

static int check_sweep(const struct options *options, const struct run_plan *plan,
                       struct error *error)
{
    const bool searches = sweep_own.experiment.objective_text, ladder = options->any_flavor;
    const size_t several = count_several();
    const struct rule rules[] = {
        {GROUP_ALL, searches && several > 0,
         "--find-max chooses the rates itself; give --clients, --depth and --size one value each"},
        {GROUP_ALL, !searches && !ladder && several == 0,
         "nothing to sweep; give several values to --clients, --depth, --size or --rate, or an "
         "objective to --find-max"},
        {GROUP_ALL, !ladder && (plan->mix_name || plan->op_count != 1),
         "a sweep is for one op; name one"},
        {GROUP_ALL, ladder && plan->mix_name,
         "--sec-ladder is for ops, not for a mix; name the ops of the mix"},
        {GROUP_ALL, plan->calls && options_given(options, plan.maximum_ns) && !searches,
         "--max-time is for trials without COUNT; leave out --max-time or COUNT"},
        {GROUP_ALL, plan->target.mounted,
         "a directory on a mount can only be measured and explained; name the server as "
         "host:/export"},
        {GROUP_ALL, run_plan_sequence(plan),
         "sweep takes ops that are a single call, such as readdir"},
    };

    return CHECK(rules);
}

static int check_run(const struct options *options, const struct run_plan *plan,
                     struct error *error)
{
    const bool varies = sweep_own.varied[VARY_FIRST].entry;
    const struct rule rules[] = {
        {GROUP_ALL, varies && count_several() == 0,
         "--vary: nothing to compare; give several values, such as --vary depth=1,4"},
        {GROUP_ALL, !varies && rules_are_given(options, "repeat|group"),
         "--repeat and --group are for --vary"},
        {GROUP_ALL, varies && plan->mix_name,
         "--vary is for ops, not for a mix; name the ops of the mix"},
    };

    return CHECK(rules);
}

int sweep_check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    const bool is_run = options->command->groups & COMMAND_RUN;
    const bool is_experiment = !is_run || sweep_own.varied[VARY_FIRST].entry;
    const struct launches_request *launches = &options->launches;
    const struct rule rules[] = {
        {GROUP_ALL, count_several() > 2,
         "at most two of --clients, --depth, --size, --rate and --vary can have several values"},
        {GROUP_ALL,
         is_experiment && (launches->clients > 0 || launches->servers > LAUNCHES_MERGED_MAXIMUM),
         "--launches: an experiment takes a single number, 64 at most"},
        {GROUP_ALL, is_experiment && plan->over_ns && launches->servers < 2,
         "--over spreads several launches over a time; give --launches 2 or more"},
        {GROUP_ALL, launches->servers > 0 && has_shares(),
         "--launches: each launch would find another rate for 100 %; give rates in calls per "
         "second"},
    };
    int code = CHECK(rules);

    if (code)
        return code;
    return is_run ? check_run(options, plan, error) : check_sweep(options, plan, error);
}
