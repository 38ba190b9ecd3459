/* Plans: the plan that a command line gives, with its load, and that of the second side, which
 * equals the first side's except for what the command line changes. */

#include "command_line.h"
#include "common/cpu.h"
#include "job/plan.h"
#include "job/variants.h"
#include "run/load_block.h"

static struct run_plan plan, plans[SIDES];
#define first  plans[SIDE_FIRST]
#define second plans[SIDE_SECOND]
static struct experiment_plan experiment;

/* A line's plan. */
static int make(const char *line)
{
    int code = parse_options(&command_run, line);

    return code ? code : plan_make(&plan, &options, &error);
}

/* The plans of both sides. */
static int parse(const char *line)
{
    int code = make(line);

    first = plan;
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
    /* The options that say how to reach A's server do not apply to B's. */
    assert_all((first.server_command, "ssh"), (second.server_command, NULL));
}

TEST_CASE(same_target_otherwise)
{
    assert_all((parse("a:/x getattr --versus proto=udp --server-cmd ssh"), 0),
               (second.target_text, first.target_text), (second.target.host, "a"),
               (second.target.transport, TRANSPORT_UDP), (second.server_command, "ssh"));
    assert_ptr_equal(first.engine, second.engine);

    assert_all((parse("a:/x getattr -p udp --versus engine=tirpc"), 0),
               (first.engine->name, "wire"), (second.engine->name, "tirpc"),
               (second.target.transport, TRANSPORT_UDP));

    assert_all((parse("a:/x getattr -p udp --versus b:/y --versus proto=tcp -t 3s"), 0),
               (first.target.transport, TRANSPORT_UDP), (second.target.transport, TRANSPORT_TCP),
               (second.timeout_ns, UINT64_C(3000000000)));

    assert_all((parse("a:/x getattr"), 0), (!second.target_text));

    /* The calls of a mount, and those of a server. */
    assert_all((parse("/ getattr --versus a:/x"), 0), (first.engine->name, "mounted"),
               (second.engine->name, "wire"));
}

/* How many launches a measurement has, of the server and of the client with each. */
TEST_CASE(launches)
{
    static const struct {
        const char *line;
        uint32_t servers, clients;
        bool several;
    } cases[] = {
        {"a:/x getattr 1M", 1, 1, false},
        {"a:/x getattr 1M --json r", 1, 5, true},
        {"a:/x getattr 100 --json r", 1, 1, false}, /* too few calls for rounds in each */
        {"a:/x getattr --max-time 10s --json r", 1, 5, true},
        {"a:/x getattr --max-time 4s --json r", 1, 1, false},
        {"a:/x null 1M --depth 64 --json r", 1, 5, true},
        {"self: getattr 1M --launches 3", 3, 1, true},
        {"self: getattr 1M --launches 1 --interval 1s", 1, 1, false},
        {"a:/x getattr 1M --launches 3", 1, 3, true},
        {"a:/x getattr 1M --launches 2x3 --server-start s", 2, 3, true},
        {"a:/x getattr 1M --launches 1 --server-start s", 1, 1, true},
        {"a:/x getattr 1M --versus self: --launches 2", 2, 1, true},
    };
    static const struct {
        const char *line, *words;
    } bad[] = {
        {"self: getattr --server-start s", "--server-start is for a server of your own"},
        {"a:/x getattr --versus server-start=s", "starts the server of TARGET2"},
        {"a:/x getattr --server-start s --server-pid 7", "whose ID is not known yet"},
        {"self: getattr --versus proto=udp --launches 2x2", "each launch has a self: of its own"},
        {"a:/x getattr 1M --launches 2x2", "needs a server that nfsbench starts"},
        {"a:/x getattr 1M --launches 2 --interval 1s", "--interval is for one launch"},
        {"a:/x getattr 10 --launches 11", "COUNT is less than one call per launch"},
        {"a:/x create 1M --launches 2 --scratch d --keep-scratch", "each launch needs its own"},
    };
    struct launches_shape shape;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(parse(cases[i].line), 0);
        assert_int_equal(launches_settle(&options, plans, &shape, &error), 0);
        if (shape.servers != cases[i].servers || shape.clients != cases[i].clients)
            fail_msg("%s: %ux%u", cases[i].line, shape.servers, shape.clients);
        assert_int_equal(launches_are_several(&shape, plans), cases[i].several);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int code = parse(bad[i].line);

        assert_refused(code ? code : launches_settle(&options, plans, &shape, &error), bad[i].line,
                       bad[i].words);
    }
}

/* Of two sides, the server processes that nfsbench does not start are the same in all launches. */
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
        {"a:/x getattr --spin --versus engine=tirpc", "--spin"},
        {"a:/x create --versus b:/x --scratch x", "--scratch"},
        {"a:/x getattr --versus b:/x --self-args --read-only", "--self-args"},
        {"a:/x getattr --versus self: --port 2049", "--port"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_refused(parse(cases[i].line), cases[i].line, cases[i].word);
    /* Injected costs apply to the side that is the embedded server. */
    assert_int_equal(parse("a:/x getattr --versus self: --self-args --read-only"), 0);
}

/* Ops may be written in capitals or small letters, and a misspelt op gets a suggestion. */
TEST_CASE(words)
{
    assert_all((make("a:/x GETATTR,Read-Only 1k"), 0), (plan.ops[0]->op, "getattr"),
               (plan.op_count > 5), (plan.calls, 1000));
}

TEST_CASE(defaults)
{
    assert_all((make("a:/x getattr --uid 7"), 0), (plan.calls, 0), (plan.read_size, 4096),
               (plan.block, 0), (plan.identity.uid, 7), (plan.identity.flavor, RPC_FLAVOR_SYS),
               (plan.retransmissions, 3), (plan.precision.share, 0.01, 1e-12),
               (plan.maximum_ns, UINT64_C(10000000000)), (plan.load.depth, 1),
               (plan.server_arguments, ""));
}

/* Without an op it is GETATTR, with or without COUNT. */
TEST_CASE(usual_op)
{
    static const struct {
        const char *line;
        uint64_t calls;
    } lines[] = {{"a:/x", 0}, {"a:/x 10k", 10000}, {"a:/x getattr", 0}};

    for (size_t i = 0; i < COUNT_OF(lines); i++)
        assert_all((make(lines[i].line), 0), (plan.op_count, 1), (plan.ops[0]->op, "getattr"),
                   (plan.calls, lines[i].calls));
}

/* The shape of a load: calls in flight, threads. */
TEST_CASE(loads)
{
    static const struct {
        const char *line;
        uint64_t in_flight;
        uint32_t threads; /* 0: one for each processor */
    } cases[] = {
        {"a:/x null", 1, 1},
        {"a:/x null --clients 6 --connections 2 --depth 16 --threads 3", 6 * 2 * 16, 3},
        {"a:/x null --engine tirpc --clients 3 --connections 2", 6, 6}, /* one per connection */
        {"a:/x null --clients 1000", 1000, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_all((make(cases[i].line), 0), (load_is_single(&plan.load), i == 0),
                   (load_in_flight(&plan.load), cases[i].in_flight),
                   (plan.load.threads, cases[i].threads ? cases[i].threads : cpu_allowed_count()),
                   (plan.load.cpu_count, 0));
}

TEST_CASE(rate)
{
    assert_all((make("a:/x null --rate 5000"), 0), (plan.load.rate, 5000, 0),
               (plan.load.arrival, ARRIVALS_POISSON));
    assert_true(plan.load.depth >= 1024); /* no call waits for another */
    assert_all((make("a:/x null --rate 5000 --arrival constant --depth 2"), 0),
               (plan.load.arrival, ARRIVALS_CONSTANT), (plan.load.depth, 2));
}

TEST_CASE(pin)
{
    char line[128];

    snprintf(line, sizeof line, "a:/x null --clients 2 --pin %u,%u", cpu_allowed_edge(0),
             cpu_allowed_edge(1));
    assert_all((make(line), 0), (plan.load.cpu_count, 2), (plan.load.cpus[0], cpu_allowed_edge(0)),
               (plan.load.cpus[1], cpu_allowed_edge(1)), (plan.load.threads, 2));
}

/* A block fills its connections several times, and a run has several blocks if possible. */
TEST_CASE(block)
{
    static const struct {
        const char *line;
        uint64_t calls, block;
    } cases[] = {
        {"a:/x null --clients 4 --depth 16", 0, 32 * 64},
        {"a:/x null --clients 4 --depth 16", 20000, 1000},
        {"a:/x null --clients 4 --depth 16", 10, 4 * 64},
        {"a:/x null --rate 5000", 0, 250},
        {"a:/x null --rate 20", 0, 10}, /* half a second */
        {"a:/x null --rate 20", 10000, 10},
        {"a:/x null --rate 20 --clients 50", 0, 100}, /* so that each connection has some */
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_all((make(cases[i].line), 0),
                   (load_block(&plan.load, cases[i].calls), cases[i].block));
    assert_all((make(cases[0].line), 0), (load_block_minimum(&plan.load), 4 * 64));
}

/* By the time between calls: 5 ms of them, or 20 of many clients; at least 32 fillings; a share of
 * a short run; and before that a fifth of it or 4 fillings, and a filling after. */
TEST_CASE(block_in_time)
{
    static const struct {
        struct load load;
        double spacing_ns;
        double run_ns;
        uint32_t calls, lead_in;
    } cases[] = {
        {{.clients = 1, .connections = 1, .depth = 16}, 1000, 10000000000, 1000 + 5000 + 16, 1000},
        {{.clients = 64, .connections = 1, .depth = 1}, 5000, 10000000000, 800 + 4000 + 64, 800},
        {{.clients = 1, .connections = 1, .depth = 64}, 50000, 10000000000, 256 + 2048 + 64, 256},
        {{.clients = 1, .connections = 1, .depth = 4}, 1000, 160000000, 1000 + 2000 + 4, 1000},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct block_length block =
            load_block_of(&cases[i].load, cases[i].spacing_ns, cases[i].run_ns);

        assert_all((block.calls, cases[i].calls), (block.lead_in, cases[i].lead_in));
    }
}

/* One rule, one line; tests/integration/usage.sh has what is wrong with the words alone. */
TEST_CASE(rules)
{
    static const struct {
        const struct command *command;
        const char *line, *words;
    } cases[] = {
        {&command_run, "a:/x gettattr", "unknown op 'gettattr'; did you mean 'getattr'?"},
        {&command_run, "a:/x read-olny", "did you mean 'read-only'?"},
        {&command_run, "a:/x getattr 10 --precision 1%", "--precision is for runs without COUNT"},
        {&command_run, "a:/x getattr 10 --max-time 1s", "--max-time is for runs without COUNT"},
        {&command_run, "a:/x getattr --arrival poisson", "--arrival needs --rate"},
        {&command_run, "a:/x getattr --scratch x", "none of these does"},
        {&command_run, "a:/x create --scratch x/y", "without a slash"},
        {&command_run, "a:/x create --block 20k", "at most 10000"},
        {&command_run, "a:/x read --file-size 8k", "--file-size needs --files"},
        {&command_sweep, "a:/x read --depth 1,2 --clients 1,2 --size 1k,2k", "at most two of"},
        {&command_sweep, "a:/x getattr --depth 1,2 --arrival poisson", "--arrival needs"},
        {&command_run, "a:/x read --vary depth=4", "several values"},
        {&command_run, "a:/x read --repeat 3", "are for --vary"},
        {&command_run, "a:/x read --vary depth=1,2 --versus b:/x", "leave it or --versus out"},
        {&command_run, "a:/x read --vary rate=10%,20% --launches 2", "another rate for 100 %"},
        {&command_sweep, "a:/x read --depth 1,2 --launches 2x2", "takes a single number"},
        {&command_run, "a:/x getattr --vary size=1k,2k", "getattr has none"},
        {&command_run, "a:/x read --vary target=b:/x,c:/x", "leave the word 'a:/x' out"},
        {&command_run, "a:/x read --vary depth=1,70000", "65536"},
        {&command_run, "a:/x read --equal 1%", "--equal needs --vary"},
        {&command_mpi, "a:/x getattr --versus b:/x", "leave --versus out"},
        {&command_run, "a:/x read --tree d --offset 8", "many files; leave it or --offset out"},
        {&command_run, "a:/x read --vary dept=1,2", "did you mean 'depth'?"},
        {&command_run, "a:/x read --vary depth=1,2 --vary depth=4,8", "varied already"},
        {&command_run, "a:/x read --vary depth=1,2 --vary size=1k,2k --vary uid=1,2",
         "two options"},
        {&command_run, "a:/x mix:sfs3 --vary depth=1,2", "not a mix"},
        {&command_run, "a:/x read --vary engine=wire,tirpc --depth 2", "1 call in flight"},
        {&command_sweep, "a:/x read --depth 4", "nothing to sweep"},
        {&command_sweep, "a:/x read,getattr --depth 1,2", "takes one op"},
        {&command_sweep, "a:/x mix:sfs3 --depth 1,2", "takes one op"},
        {&command_sweep, "a:/x read --depth 1,2 --repeat 0", "--repeat must be 1 or more"},
        {&command_sweep, "a:/x read --depth 1,2 --group 0", "--group must be 1 or more"},
        {&command_sweep, "a:/x read 100 --depth 1,2 --max-time 1s", "trials without COUNT"},
        {&command_sweep, "a:/x read --find-max p99<1ms --depth 1,2", "--find-max chooses"},
        {&command_sweep, "a:/x read --find-max p99<1ms --rate 100", "--find-max"},
        {&command_sweep, "a:/x read --clients 1,5G", "--clients"},
        {&command_sweep, "a:/x read --depth 1,8 --batch 4", "twice as many"},
        {&command_run, "a:/x null --depth 8 --batch 8", "in flight: use --depth 16"},
        {&command_run, "a:/x null --depth 8 --batch 2 --rate 100", "twice as many"},
        {&command_run, "a:/x null --depth 8 --batch 2 --proto udp", "sleeping over TCP"},
        {&command_run, "a:/x null --depth 8 --batch 2 --spin", "sleeping over TCP"},
        {&command_run, "a:/x mix:sfs2008 --no-baseline", "--no-baseline"},
        {&command_run, "a:/x read --files 5 --file f", "leave it or --file out"},
        {&command_run, "a:/x read --server-pid 1 --server-cmd s", "leave it or --server-cmd out"},
        {&command_run, "a:/x null --depth 65537", "65536 calls"},
        {&command_run, "a:/x null --engine tirpc --depth 2", "1 call in flight"},
        {&command_run, "a:/x null --engine tirpc --rate 100",
         "--rate: only engine wire sends at a rate"},
        {&command_run, "a:/x null --rate 1099511627776", "--rate must be"},
        {&command_run, "a:/x null --clients 100000 --connections 100000",
         "connections are too many"},
        {&command_run, "a:/x null --clients 65536 --connections 65536", "connections are too many"},
        {&command_run, "a:/x null --threads 2", "can't use more"},
        {&command_run, "a:/x null --engine tirpc --clients 3 --threads 2", "--threads"},
        {&command_run, "a:/x null --engine tirpc --clients 5000", "threads"},
        {&command_run, "a:/x getattr,read,getattr", "'getattr' is named twice"},
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

/* The variants: all combinations, the first option's values fastest, with the others' a family
 * each. */
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

TEST_CASE(variants_of_options)
{
    assert_all((parse_options(&command_run, "getattr --vary target=a:/x,b:/y --vary "
                                            "proto=tcp,udp --max-time 2s"),
                0),
               (variants_make_plan(&experiment, &options, &error), 0), (experiment.count, 4),
               (!experiment.repeats_fixed), (experiment.unit_ns, 100000000), /* of 20 */
               (experiment.variants[1].plan.target.host, "b"),
               (experiment.variants[1].plan.target.transport, TRANSPORT_TCP),
               (experiment.variants[3].plan.target.transport, TRANSPORT_UDP),
               (experiment.variants[3].other, "target=b:/y, proto=udp"),
               (experiment.variants[3].plan.ops[0]->op, "getattr"),
               (experiment.varied, "target,proto"));
    free(experiment.variants);
}
