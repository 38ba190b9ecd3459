/* Are the blocks of a load long enough? This program measures an op in blocks of the usual length
 * and in longer ones, in the same rounds. It prints the results of the usual blocks divided by
 * those of the longer blocks, as medians of several launches. The trends are printed undivided.
 * usage: blocks LONGER FILLINGS LAUNCHES OPTION... TARGET OP
 *   LONGER   calls in a longer block / calls in a usual block
 *   FILLINGS if not 0: the usual blocks have FILLINGS times the calls in flight, and no lead-in
 * The words after LAUNCHES are those of nfsbench: 'blocks 10 0 9 self: getattr --depth 16
 * --max-time 6s'. */
#include <string.h>

#include "bench.h"
#include "cli/command_line.h"
#include "commands.h"
#include "job/plan.h"
#include "run/group.h"
#include "target/self.h"

enum { LAUNCHES_MAXIMUM = 100 };

enum figure { TYPICAL, MEAN, P50, P90, P99, P99_9, TREND, TREND_LONGER, FIGURES };

static const char *const names[FIGURES] = {"typical",
                                           "mean",
                                           "p50",
                                           "p90",
                                           "p99",
                                           "p99.9",
                                           "last third / first",
                                           "the same in longer blocks"};

static const struct run_series *last_series(const struct session *session)
{
    return session->set.series[session->set.count - 1];
}

static double level_of(const struct session *session, enum block_statistic statistic)
{
    const struct rounds *rounds = &session->measuring.rounds;
    const double *blocks = rounds->series[last_series(session)->index].blocks[statistic];
    double *copy = malloc(rounds->done * sizeof *copy), level;

    if (!copy)
        exit(1);
    memcpy(copy, blocks, rounds->done * sizeof *copy);
    level = estimate_median(copy, rounds->done);
    free(copy);
    return level;
}

static void take_figures(const struct session *session, double figures[FIGURES])
{
    const struct histogram *calls =
        &session->measuring.rounds.series[last_series(session)->index].histogram;

    figures[TYPICAL] = level_of(session, BLOCK_TRIMMED_MEAN);
    figures[MEAN] = calls->mean;
    figures[P50] = histogram_quantile(calls, 0.5);
    figures[P90] = histogram_quantile(calls, 0.9);
    figures[P99] = histogram_quantile(calls, 0.99);
    figures[P99_9] = histogram_quantile(calls, 0.999);
    figures[TREND] = 1 + level_of(session, BLOCK_TREND) / figures[TYPICAL];
}

static void stretch(struct series_set *set, unsigned longer)
{
    for (size_t i = 0; i < set->count; i++)
        set->series[i]->block *= longer;
    set->block *= longer;
}

static void shorten(struct series_set *set, unsigned fillings)
{
    for (size_t i = 0; i < set->count; i++)
        set->series[i]->lead_in = 0;
    series_set_block(set, fillings * (uint32_t)load_in_flight(&set->plan->load));
}

/* Make launch NUMBER, and close GROUP. Sets RATIOS[I][NUMBER] to figure I of the usual blocks,
 * divided by figure I of the longer blocks. TREND (of the usual blocks) and TREND_LONGER are not
 * divided. Launch 0 also prints the lengths of the blocks. */
static void launch(struct group *group, unsigned longer, unsigned fillings, double *ratios[FIGURES],
                   size_t number)
{
    cpu_set_t allowed = cpu_allowed_set();
    double usual[FIGURES], others[FIGURES];
    struct error error;
    int code = group_open(group, &error);

    if (code == 0) {
        stretch(&group->sessions[SIDE_SECOND].set, longer);
        if (fillings)
            shorten(&group->sessions[SIDE_FIRST].set, fillings);
        code = group_measure(group, &error);
    }
    if (code)
        bench_fail(&error);
    take_figures(&group->sessions[SIDE_FIRST], usual);
    take_figures(&group->sessions[SIDE_SECOND], others);
    for (size_t i = 0; i < TREND; i++)
        ratios[i][number] = usual[i] / others[i];
    ratios[TREND][number] = usual[TREND];
    ratios[TREND_LONGER][number] = others[TREND];
    if (number == 0)
        printf(
            "blocks of %u calls (%u of them its lead-in) and of %u, %zu rounds, %.2f us a call\n",
            last_series(&group->sessions[SIDE_FIRST])->block,
            last_series(&group->sessions[SIDE_FIRST])->lead_in,
            last_series(&group->sessions[SIDE_SECOND])->block, group->rounds.done,
            usual[TYPICAL] / 1000);
    group_unmount(group, &error);
    group_close(group);
    cpu_allow_set(&allowed);
}

int main(int argc, char **argv)
{
    unsigned longer = bench_count(argc, argv, 1, 0), fillings = bench_count(argc, argv, 2, 0);
    unsigned launches = bench_count(argc, argv, 3, 0);
    static struct options options;
    static struct run_plan plan;
    static struct group group;
    static struct self_server server;
    static double values[FIGURES][LAUNCHES_MAXIMUM];
    double *ratios[FIGURES];
    struct error error;

    if (argc < 6 || longer < 2 || longer > 1000 || launches < 1 || launches > LAUNCHES_MAXIMUM) {
        fprintf(stderr, "usage: %s LONGER FILLINGS LAUNCHES OPTION... TARGET OP\n", argv[0]);
        return 2;
    }
    commands_use(&commands_of_nfsbench);
    if (options_parse(&options, &command_run, argc - 3, argv + 3, &error) != 0 ||
        plan_make(&plan, &options, &error) != 0)
        bench_fail(&error);
    if (plan.target.self && self_start(&server, &plan.target, NFSBENCH_PROGRAM,
                                       plan.server_arguments, NULL, &error) != 0)
        bench_fail(&error);
    plan.target.self = false; /* all launches use one server */
    plan.no_ledger = plan.quiet = true;
    /* No precision is reached, so that only the time ends a run. */
    plan.precision = (struct precision){.share = 0, .ns = 0};
    for (size_t i = 0; i < FIGURES; i++)
        ratios[i] = values[i];
    for (size_t i = 0; i < launches; i++) {
        group = (struct group){.one_server = true};
        if (group_make(&group, SIDES, &plan, &error) != 0)
            bench_fail(&error);
        launch(&group, longer, fillings, ratios, i);
    }
    for (size_t i = 0; i < FIGURES; i++)
        bench_print_ratio(names[i], ratios[i], launches);
    self_stop(&server);
    return 0;
}
