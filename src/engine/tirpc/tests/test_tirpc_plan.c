/* Tests of plans with engine tirpc: its load, the options that it refuses, and a comparison with
 * engine wire. */
#include "job/plan.h"
#include "sweep/variants.h"

#include "command_line.h"

static struct run_plan plan, second;
static struct experiment_plan experiment;

static int make_plans(const char *line)
{
    int code = parse_options(&command_run, line);

    if (code == 0 && strstr(line, "--vary"))
        return variants_make_plan(&experiment, &options, &error);
    if (code == 0)
        code = plan_make(&plan, &options, &error);
    return code ? code : plan_make_second(&second, &plan, &options, &error);
}

TEST_CASE(other_side)
{
    assert_all((make_plans("a:/x getattr -p udp --versus engine=tirpc"), 0),
               (plan.engine->name, "wire"), (second.engine->name, "tirpc"),
               (second.target.transport, TRANSPORT_UDP));
}

TEST_CASE(one_thread_per_connection)
{
    assert_all((make_plans("a:/x null --engine tirpc --clients 3 --connections 2"), 0),
               (load_in_flight(&plan.load), 6), (plan.load.threads, 6), (plan.load.cpu_count, 0));
}

TEST_CASE(refusals)
{
    static const char *const cases[][2] = {
        {"a:/x getattr --spin --versus engine=tirpc", "--spin"},
        {"a:/x read --vary engine=wire,tirpc --depth 2", "1 call in flight"},
        {"a:/x null --engine tirpc --depth 2", "engine tirpc has at most 1 call in flight"},
        {"a:/x null --engine tirpc --rate 100", "--rate needs --engine wire"},
        {"a:/x null --engine tirpc --clients 3 --threads 2", "--threads"},
        {"a:/x null --engine tirpc --clients 5000", "threads"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int code = make_plans(cases[i][0]);

        free(experiment.variants);
        experiment.variants = NULL;
        assert_refused(code, cases[i][0], cases[i][1]);
    }
}
