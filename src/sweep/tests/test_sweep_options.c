/* The options of experiments, and their plans: of variants, and of two sides. The second side
 * equals the first except for what the command line changes. */

#include "job/plan.h"
#include "sweep/diagnosis.h"
#include "sweep/options.h"
#include "sweep/variants.h"

#include "command_line.h"

extern const struct command command_sweep;

static struct run_plan plan, plans[SIDES];
#define first  plans[SIDE_FIRST]
#define second plans[SIDE_SECOND]
static struct experiment_plan experiment;

/* Two sides */

static int parse(const char *line)
{
    int code = parse_options(&command_run, line);

    if (code == 0)
        code = plan_make(&first, &options, &error);
    return code ? code : plan_make_second(&second, &first, &options, &error);
}

TEST_CASE(other_target)
{
    assert_all((parse("a:/x getattr,read 1k -s 1KiB --versus nfs://b:7/y?proto=udp "
                      "--server-cmd ssh"),
                0),
               (second.target_text, "nfs://b:7/y?proto=udp"), (second.target.host, "b"),
               (second.target.transport, TRANSPORT_UDP), (first.target.transport, TRANSPORT_TCP),
               (second.timeout_ns, 1000000000), (first.timeout_ns, UINT64_C(10000000000)),
               (second.op_count, 2), (second.calls, 1000), (second.read_size, 1024),
               (second.seed, first.seed));
    /* Options for A's server process do not apply to B if B has another target. */
    assert_all((first.server_command, "ssh"), (second.server_command, NULL));
}

TEST_CASE(same_target_otherwise)
{
    assert_all((parse("a:/x getattr --versus proto=udp --server-cmd ssh"), 0),
               (second.target_text, first.target_text), (second.target.host, "a"),
               (second.target.transport, TRANSPORT_UDP), (second.server_command, "ssh"));
    assert_ptr_equal(first.engine, second.engine);

    assert_all((parse("a:/x getattr -p udp --versus engine=wire"), 0), (first.engine->name, "wire"),
               (second.engine->name, "wire"), (second.target.transport, TRANSPORT_UDP));

    assert_all((parse("a:/x getattr -p udp --versus b:/y --versus proto=tcp -t 3s"), 0),
               (first.target.transport, TRANSPORT_UDP), (second.target.transport, TRANSPORT_TCP),
               (second.timeout_ns, UINT64_C(3000000000)));

    assert_all((parse("a:/x getattr"), 0), (!second.target_text));
}

TEST_CASE(launches)
{
    static const struct {
        const char *line, *words;
    } bad[] = {
        {"a:/x getattr --versus server-start=s", "starts the server of TARGET2"},
        {"self: getattr --versus proto=udp --launches 2x2", "each launch of self: starts its own"},
    };
    struct launches_shape shape;

    assert_all((parse("a:/x getattr 1M --versus self: --launches 2"), 0),
               (launches_choose_shape(&options, plans, &shape, &error), 0), (shape.servers, 2),
               (shape.clients, 1), (launches_are_several(&shape, plans)));
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int code = parse(bad[i].line);

        assert_refused(code ? code : launches_choose_shape(&options, plans, &shape, &error),
                       bad[i].line, bad[i].words);
    }
}

/* Server processes that nfsbench does not start are the same in all launches. */
TEST_CASE(sides_of_a_launch)
{
    const struct launch_order order = {.launch = {.number = 1, .of = 2, .server = 1},
                                       .second_port = 7};

    assert_int_equal(parse("a:/x getattr 1M --versus self: --launches 2"), 0);
    launch_order_apply(&order, plans);
    assert_all((first.launch.server, 0), (second.launch.server, 1), (second.target.mount_port, 7),
               (first.target.mount_port, 0));
}

TEST_CASE(refusals)
{
    static const struct {
        const char *line, *word;
    } cases[] = {
        {"a:/x getattr --versus b", "b"},
        {"a:/x create --versus b:/x --scratch x", "--scratch"},
        {"a:/x getattr --versus b:/x --self-args --read-only", "--self-args"},
        {"a:/x getattr --versus self: --port 2049", "--port"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_refused(parse(cases[i].line), cases[i].line, cases[i].word);
    /* --self-args applies to the side that is the embedded server. */
    assert_int_equal(parse("a:/x getattr --versus self: --self-args --read-only"), 0);
}

/* Variants */

TEST_CASE(rules)
{
    static const struct {
        const struct command *command;
        const char *line, *words;
    } cases[] = {
        {&command_sweep, "a:/x read --depth 1,2 --clients 1,2 --size 1k,2k", "at most two of"},
        {&command_sweep, "a:/x getattr --depth 1,2 --arrival poisson", "--arrival needs"},
        {&command_run, "a:/x read --vary depth=4", "several values"},
        {&command_run, "a:/x read --repeat 3", "are for --vary"},
        {&command_run, "a:/x read --vary depth=1,2 --versus b:/x", "leave out --vary or --versus"},
        {&command_run, "a:/x read --vary rate=10%,20% --launches 2", "another rate for 100 %"},
        {&command_sweep, "a:/x read --depth 1,2 --launches 2x2", "takes a single number"},
        {&command_sweep, "a:/x read --depth 1,2 --over 1min", "give --launches 2 or more"},
        {&command_run, "a:/x read --vary depth=1,2 --over 1min --launches 1", "2 or more"},
        {&command_sweep, "a:/x read --find-max p99<1ms --over 1min", "--over is for several"},
        {&command_run, "a:/x getattr --vary size=1k,2k", "getattr has none"},
        {&command_run, "a:/x read --vary target=b:/x,c:/x", "leave out the word 'a:/x'"},
        {&command_run, "a:/x read --vary depth=1,70000", "65536"},
        {&command_run, "a:/x read --equal 1%", "--equal needs --vary"},
        {&command_run, "a:/x read --vary dept=1,2", "did you mean 'depth'?"},
        {&command_run, "a:/x read --vary depth=1,2 --vary depth=4,8", "varied already"},
        {&command_run, "a:/x read --vary depth=1,2 --vary size=1k,2k --vary uid=1,2",
         "two options"},
        {&command_run, "a:/x mix:sfs3 --vary depth=1,2", "not for a mix"},
        {&command_mpi, "a:/x getattr --versus b:/x", "leave out --versus"},
        {&command_sweep, "a:/x read --depth 4", "nothing to sweep"},
        {&command_sweep, "a:/x read,getattr --depth 1,2", "is for one op"},
        {&command_sweep, "a:/x mix:sfs3 --depth 1,2", "is for one op"},
        {&command_sweep, "a:/x read --depth 1,2 --repeat 0", "--repeat must be 1 or more"},
        {&command_sweep, "a:/x read --depth 1,2 --group 0", "--group must be 1 or more"},
        {&command_sweep, "a:/x read 100 --depth 1,2 --max-time 1s", "trials without COUNT"},
        {&command_sweep, "a:/x read --find-max p99<1ms --depth 1,2", "--find-max chooses"},
        {&command_sweep, "a:/x read --find-max p99<1ms --rate 100", "--find-max"},
        {&command_sweep, "a:/x read --clients 1,5G", "--clients"},
        {&command_sweep, "a:/x read --depth 1,8 --batch 4", "twice as many"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int code = parse_options(cases[i].command, cases[i].line);

        if (code == 0)
            code = cases[i].command == &command_sweep || strstr(cases[i].line, "--vary")
                       ? variants_make_plan(&experiment, &options, &error)
                       : plan_make(&plan, &options, &error);
        free(experiment.variants);
        experiment.variants = NULL;
        assert_refused(code, cases[i].line, cases[i].words);
    }
}

/* Variants are all combinations of values. In a family, only the first option's value varies. */
TEST_CASE(variants)
{
    assert_all(
        (parse_options(&command_sweep, "a:/x read --size 1k,4k --dep 2..8 --repeat 3"), 0),
        (variants_make_plan(&experiment, &options, &error), 0), (experiment.count, 6),
        (experiment.repeats, 3), (experiment.unit_ns, 600000000),
        (experiment.variants[1].plan.load.depth, 4), (experiment.variants[1].plan.read_size, 1024),
        (experiment.variants[5].plan.load.depth, 8), (experiment.variants[5].plan.read_size, 4096),
        (experiment.variants[5].name, "depth=8, size=4096"), (!experiment.variants[5].other),
        (experiment.variants[2].family, experiment.variants[0].family));
    assert_int_not_equal(experiment.variants[3].family, experiment.variants[0].family);
    assert_true(experiment.repeats_fixed);
    assert_int_equal(experiment.variants[1].plan.deadline.at_ns,
                     options.plan.began_ns + 6 * 3 * experiment.unit_ns);
    free(experiment.variants);
}

/* Without a given time, all the time that the trials at the limits need is added; of a given time,
 * they get at most two fifths. */
TEST_CASE(time_of_trials)
{
    static const struct {
        const struct command *command;
        const char *line;
        double given_s; /* time limit, given or a search's default; 0: none */
        double share;   /* trials' share of the given time; 0: no trials; 1: all that they need */
    } cases[] = {
        {&command_sweep, "a:/x getattr --depth 1..64", 0, 1},
        {&command_sweep, "a:/x getattr --depth 1..64 --max-time 100s", 100, 1},
        {&command_sweep, "a:/x getattr --depth 1..64 --max-time 4s", 4, 0.4},
        {&command_sweep, "a:/x read --depth 1,8 --size 512..1M --max-time 4s", 4, 0.4},
        {&command_sweep, "a:/x getattr --find-max p99<1ms", 60, 1},
        {&command_sweep, "a:/x getattr --find-max p99<1ms --max-time 4s", 4, 0.4},
        {&command_sweep, "a:/x getattr --rate 10%..100% --max-time 4s", 4, 0.4},
        {&command_sweep, "a:/x getattr --depth 1..64 --no-diagnosis", 0, 0},
        {&command_sweep, "a:/x getattr --depth 1..64 --launches 2", 0, 0},
        {&command_sweep, "a:/x read --depth 8 --size 512..1M", 0, 0}, /* each size has one load */
        {&command_run, "a:/x getattr --vary depth=1,8", 0, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const double given_ns = cases[i].given_s * 1e9;
        uint64_t end_ns;

        assert_all((parse_options(cases[i].command, cases[i].line), 0),
                   (variants_make_plan(&experiment, &options, &error), 0));
        end_ns = experiment.variants[0].plan.deadline.at_ns + experiment.diagnosis_ns -
                 options.plan.began_ns;
        assert_all((end_ns, experiment.variants[0].plan.maximum_ns),
                   (cases[i].share > 0, experiment.diagnosis_ns > 0));
        if (given_ns > 0)
            assert_near((double)end_ns, given_ns, 0);
        if (cases[i].share == 1)
            assert_int_equal(experiment.diagnosis_ns, diagnosis_time(&experiment));
        else
            assert_near((double)experiment.diagnosis_ns, cases[i].share * given_ns, 1);
        if (!experiment.objective_text && given_ns == 0 && !options.launches.servers)
            assert_int_equal(experiment.unit_ns, EXPERIMENT_UNIT_NS);
        free(experiment.variants);
    }
}

TEST_CASE(variants_of_options)
{
    assert_all((parse_options(&command_run, "getattr --vary target=a:/x,b:/y --vary "
                                            "proto=tcp,udp --max-time 2s"),
                0),
               (variants_make_plan(&experiment, &options, &error), 0), (experiment.count, 4),
               (!experiment.repeats_fixed), (experiment.unit_ns, 100000000), /* 2 s / 20 units */
               (experiment.variants[1].plan.target.host, "b"),
               (experiment.variants[1].plan.target.transport, TRANSPORT_TCP),
               (experiment.variants[3].plan.target.transport, TRANSPORT_UDP),
               (experiment.variants[3].other, "target=b:/y, proto=udp"),
               (experiment.variants[3].plan.ops[0]->op, "getattr"),
               (experiment.varied, "target,proto"));
    free(experiment.variants);
}

/* Values */

TEST_CASE(refused)
{
    static const struct {
        const struct command *command;
        const char *option, *texts[40]; /* option; its refused texts, with NULL after the last */
    } cases[] = {
        {&command_sweep, "rate", {"",       ",",      "1,",    ",1",      "1,,2", "0",   "0,1",
                                  "-1",     "x",      "1x",    "1..",     "..4",  "..",  "4..1",
                                  "1..x",   "1.5",    "1...4", "1..2..4", "0..4", "1-4", "1 2",
                                  "50%..1", "1..50%", "1,50%", "50%,1",   "0%",   "-5%", "%",
                                  "x%",     "1%%",    "2000%", "nan%",    "inf%"}},
        {&command_sweep,
         "rate",
         {"99999999999999999999999999",
          "11111111111111111111111111111111111111111111111111111111"}},
        {&command_sweep, "depth", {"4KiB", "10%", "10%..100%"}},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (const char *const *text = cases[i].texts; *text; text++)
            refuse_value(cases[i].command, cases[i].option, *text);
}

/* Values are in the given order, each only once. A range has the doublings or, for percentages, the
 * multiples of its first value, and its last value. k is 1024 in a size and 1000 in a rate. */
TEST_CASE(values)
{
    static const struct {
        const char *option;
        unsigned place;
        const char *text, *values;
    } cases[] = {
        {"rate", VARY_RATE, "8", "8"},
        {"rate", VARY_RATE, "1,2,4,8,12", "1 2 4 8 12"},
        {"rate", VARY_RATE, "12,1,4", "12 1 4"},
        {"rate", VARY_RATE, "4,4,2,4", "4 2"},
        {"rate", VARY_RATE, "64Ki,1k,1M", "65536 1000 1000000"},
        {"size", VARY_SIZE, "512..4k,4kB", "512 1024 2048 4096 4000"},
        {"rate", VARY_RATE, "1..64", "1 2 4 8 16 32 64"},
        {"depth", VARY_DEPTH, "1..12", "1 2 4 8 12"},
        {"rate", VARY_RATE, "3..3", "3"},
        {"rate", VARY_RATE, "512..2Ki,1..2", "512 1024 2048 1 2"},
        {"rate", VARY_RATE, "50%", "50%"},
        {"rate", VARY_RATE, "10%..50%", "10% 20% 30% 40% 50%"},
        {"rate", VARY_RATE, "20%..90%", "20% 40% 60% 80% 90%"},
        {"rate", VARY_RATE, "10%,110%", "10% 110%"},
        {"vary", VARY_FIRST, "proto=tcp,udp,tcp", "tcp udp"},
        {"vary", VARY_FIRST, "spin=no,yes", "no yes"},
        {"vary", VARY_FIRST, "offset=0,64k", "0 65536"},
        {"vary", VARY_FIRST, "self-args=--read-only,--cost getattr=2us",
         "--read-only --cost getattr=2us"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct varied *varied = &sweep_own.varied[cases[i].place];
        char text[256] = "";

        assert_int_equal(parse_value(&command_sweep, cases[i].option, cases[i].text), 0);
        for (size_t j = 0; j < varied->count; j++)
            sprintf(text + strlen(text), "%s%s", j ? " " : "", varied->values[j]);
        assert_all((text, cases[i].values), (varied->percent, strchr(cases[i].text, '%') != NULL));
    }
    refuse_value(&command_run, "vary", "colour=red,blue");
    refuse_value(&command_run, "vary", "depth");
    assert_int_equal(parse_value(&command_run, "vary", "proto=tcp,sctp"), -EINVAL);
    assert_int_equal(parse_value(&command_run, "vary", "depth=0..4"), -EINVAL);
    assert_int_equal(parse_value(&command_run, "vary", "spin=maybe"), -EINVAL);
}

/* The number of values is limited, whether they are listed or in a range. */
TEST_CASE(many_values)
{
    char text[1024] = "1";

    for (int i = 2; i <= VARIED_MAXIMUM; i++)
        sprintf(text + strlen(text), ",%d", i);
    assert_int_equal(parse_value(&command_sweep, "depth", text), 0);
    assert_int_equal(sweep_own.varied[VARY_DEPTH].count, VARIED_MAXIMUM);
    strcat(text, ",64");
    assert_int_equal(parse_value(&command_sweep, "depth", text), 0);
    strcat(text, ",65");
    refuse_value(&command_sweep, "depth", text);
    assert_non_null(strstr(error.text, "64"));
    refuse_value(&command_sweep, "rate", "1%..100%");
}
