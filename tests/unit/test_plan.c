/* The plan of a run or of two sides, made from a command line. */

#include "command_line.h"
#include "common/cpu.h"
#include "job/launch_schedule.h"
#include "job/plan.h"
#include "run/load_block.h"

static struct run_plan plan;

static int make_one_plan(const char *line)
{
    int code = parse_options(&command_run, line);

    return code ? code : plan_make(&plan, &options, &error);
}

static struct run_plan plans[SIDES];

static int make_sides(const char *line)
{
    int code = parse_options(&command_run, line);

    return code ? code : plan_make_any(plans, &options, &error);
}

/* The numbers of servers, and of client launches with each server. */
TEST_CASE(launches)
{
    static const struct {
        const char *line;
        uint32_t servers, clients;
        bool several;
    } cases[] = {
        {"a:/x getattr 1M", 1, 1, false},
        {"a:/x getattr 1M --json r", 1, 5, true},
        {"a:/x getattr 100 --json r", 1, 1, false}, /* too few calls for rounds in each launch */
        {"a:/x getattr --max-time 10s --json r", 1, 5, true},
        {"a:/x getattr --max-time 4s --json r", 1, 1, false},
        {"a:/x null 1M --depth 64 --json r", 1, 5, true},
        {"self: getattr 1M --launches 3", 3, 1, true},
        {"self: getattr 1M --launches 1 --interval 1s", 1, 1, false},
        {"a:/x getattr 1M --launches 3", 1, 3, true},
        {"a:/x getattr 1M --launches 2x3 --server-start s", 2, 3, true},
        {"a:/x getattr 1M --launches 1 --server-start s", 1, 1, true},
        /* --over: several launches, even without a result file */
        {"a:/x getattr --over 10min", 1, 5, true},
        {"self: getattr --over 2s", 10, 1, true},
        {"a:/x getattr 100 --over 1min --launches 3", 1, 3, true},
        {"a:/x create --over 1min --scratch d", 1, 5, true},
    };
    static const struct {
        const char *line, *words;
    } bad[] = {
        {"self: getattr --server-start s", "--server-start is for your own server"},
        {"a:/x getattr --server-start s --server-pid 7", "whose ID is not known yet"},
        {"a:/x getattr 1M --launches 2x2", "needs a server that nfsbench starts"},
        {"a:/x getattr 1M --launches 2 --interval 1s", "--interval is for one launch"},
        {"a:/x getattr 10 --launches 11", "COUNT is less than one call per launch"},
        {"a:/x create 1M --launches 2 --scratch d --keep-scratch", "each launch needs its own"},
        {"a:/x getattr --over 1min --launches 1", "give --launches 2 or more"},
        {"a:/x getattr 4 --over 1min", "COUNT is less than one call per launch"},
        {"a:/x getattr --over 1min --interval 1s", "--over is for several launches"},
        {"a:/x read --over 1min --cold", "--over is for several launches"},
        {"a:/x getattr --over 19s --max-time 10s", "at least twice --max-time"},
        {"a:/x getattr --over 900ms", "--over must be 1 s or more"},
    };
    struct launches_shape shape;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(make_sides(cases[i].line), 0);
        assert_int_equal(launches_choose_shape(&options, plans, &shape, &error), 0);
        if (shape.servers != cases[i].servers || shape.clients != cases[i].clients)
            fail_msg("%s: %ux%u", cases[i].line, shape.servers, shape.clients);
        assert_int_equal(launches_are_several(&shape, plans), cases[i].several);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int code = make_sides(bad[i].line);

        assert_refused(code ? code : launches_choose_shape(&options, plans, &shape, &error),
                       bad[i].line, bad[i].words);
    }
}

/* Launches that are spread over a time. MEASURE: maximum time of all measuring, in s. END: time
 * from the command's begin until the last launch must have ended, in s. */
TEST_CASE(spread_launches)
{
    static const struct {
        const char *line;
        double measure, end;
    } cases[] = {
        {"a:/x getattr", 10, 10},
        {"a:/x getattr --over 10min", 10, 600},
        {"a:/x getattr --over 8s", 4, 8},
        {"a:/x getattr --over 1min --max-time 30s", 30, 60},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(make_one_plan(cases[i].line), 0);
        assert_all(((double)plan.maximum_ns / 1e9, cases[i].measure, 1e-9),
                   ((double)(plan.deadline.at_ns - plan.began_ns) / 1e9, cases[i].end, 1e-9));
    }
    assert_all((make_one_plan("a:/x getattr 1k --over 1min"), 0), (plan.deadline.at_ns, 0));
}

/* The time is divided into equal shares. The first launch begins at once, each other launch in the
 * first quarter of its share. */
TEST_CASE(scheduled_launches)
{
    enum { TOTAL = 5, DRAWS = 1000 };
    const uint64_t over_ns = UINT64_C(600000000000), part_ns = over_ns / TOTAL;
    double sum = 0;
    struct random random;

    random_seed(&random, 1);
    for (size_t i = 0; i < DRAWS; i++) {
        const size_t number = i % TOTAL;
        const uint64_t begin_ns = launch_schedule_begin_ns(over_ns, number, TOTAL, &random);

        assert_all((begin_ns >= number * part_ns),
                   (begin_ns - number * part_ns <= (number ? part_ns / 4 : 0)));
        sum += (double)(begin_ns - number * part_ns);
    }
    /* 4 of 5 launches begin late, on average by an eighth of their share. */
    assert_true(sum > 0.09 * (double)part_ns * DRAWS);
}

/* If the time to begin has passed, there is no wait. Ctrl-C and the deadline end a wait. */
TEST_CASE(awaited_launches)
{
    static const volatile sig_atomic_t stop = 1;

    plan = (struct run_plan){.quiet = true};
    assert_int_equal(launch_schedule_await(deadline_now_ns() - 1, 1, 2, &plan, &error), 0);
    plan.deadline.stop = &stop;
    assert_all((launch_schedule_await(UINT64_MAX, 1, 2, &plan, &error), -EINTR),
               (error.text, "interrupted"), (error.kind, ERROR_FAILED));
    plan.deadline = (struct deadline){.at_ns = deadline_now_ns()};
    assert_int_equal(launch_schedule_await(UINT64_MAX, 1, 2, &plan, &error), -ETIME);
}

/* Without the command of the embedded server, self: and --self-args are refused. */
TEST_CASE(without_the_embedded_server)
{
    static const struct command *const without[] = {&command_run, NULL};
    static const struct view *const no_views[] = {NULL};
    static const struct part *const no_parts[] = {NULL};
    const struct command_table table = {without, commands_of_nfsbench.options, no_views, no_parts};
    char program[] = "nfsbench", option[] = "--self-args", value[] = "--read-only",
         *words[] = {program, option, value};
    static const char says[] = "was built without the embedded server";

    assert_int_equal(parse_options(&command_run, "self: getattr"), 0);
    commands_use(&table);
    assert_refused(plan_make(&plan, &options, &error), "self: getattr", says);
    assert_refused(options_parse(&options, &command_run, 3, words, &error), "--self-args", says);
}

TEST_CASE(words)
{
    assert_all((make_one_plan("a:/x GETATTR,Read-Only 1k"), 0), (plan.ops[0]->op, "getattr"),
               (plan.op_count > 5), (plan.calls, 1000));
}

TEST_CASE(defaults)
{
    assert_all((make_one_plan("a:/x getattr --uid 7"), 0), (plan.calls, 0), (plan.read_size, 4096),
               (plan.block, 0), (plan.identity.uid, 7), (plan.identity.flavor, RPC_FLAVOR_SYS),
               (plan.retransmissions, 3), (plan.precision.share, 0.01, 1e-12),
               (plan.maximum_ns, UINT64_C(10000000000)), (plan.load.depth, 1),
               (plan.server_arguments, ""));
}

TEST_CASE(usual_op)
{
    static const struct {
        const char *line;
        uint64_t calls;
    } lines[] = {{"a:/x", 0}, {"a:/x 10k", 10000}, {"a:/x getattr", 0}};

    for (size_t i = 0; i < COUNT_OF(lines); i++)
        assert_all((make_one_plan(lines[i].line), 0), (plan.op_count, 1),
                   (plan.ops[0]->op, "getattr"), (plan.calls, lines[i].calls));
}

TEST_CASE(loads)
{
    static const struct {
        const char *line;
        uint64_t in_flight;
        uint32_t threads; /* 0: one per allowed processor */
    } cases[] = {
        {"a:/x null", 1, 1},
        {"a:/x null --clients 6 --connections 2 --depth 16 --threads 3", 6 * 2 * 16, 3},
        {"a:/x null --clients 1000", 1000, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_all((make_one_plan(cases[i].line), 0), (load_is_single(&plan.load), i == 0),
                   (load_in_flight(&plan.load), cases[i].in_flight),
                   (plan.load.threads, cases[i].threads ? cases[i].threads : cpu_allowed_count()),
                   (plan.load.cpu_count, 0));
}

TEST_CASE(rate)
{
    assert_all((make_one_plan("a:/x null --rate 5000"), 0), (plan.load.rate, 5000, 0),
               (plan.load.arrival, ARRIVALS_POISSON));
    /* The default depth is large, so that calls hardly wait for each other. */
    assert_true(plan.load.depth >= 1024);
    assert_all((make_one_plan("a:/x null --rate 5000 --arrival constant --depth 2"), 0),
               (plan.load.arrival, ARRIVALS_CONSTANT), (plan.load.depth, 2));
}

TEST_CASE(pin)
{
    char line[128];

    snprintf(line, sizeof line, "a:/x null --clients 2 --pin %u,%u", cpu_allowed_edge(0),
             cpu_allowed_edge(1));
    assert_all((make_one_plan(line), 0), (plan.load.cpu_count, 2),
               (plan.load.cpus[0], cpu_allowed_edge(0)), (plan.load.cpus[1], cpu_allowed_edge(1)),
               (plan.load.threads, 2));
}

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
        {"a:/x null --rate 20", 0, 10}, /* blocks of half a second */
        {"a:/x null --rate 20", 10000, 10},
        {"a:/x null --rate 20 --clients 50", 0, 100}, /* two calls per connection */
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_all((make_one_plan(cases[i].line), 0),
                   (load_block(&plan.load, cases[i].calls), cases[i].block));
    assert_all((make_one_plan(cases[0].line), 0), (load_block_minimum(&plan.load), 4 * 64));
}

/* A block is a lead-in, a steady part, and the calls in flight at the end. The lead-in has the
 * calls of 1 ms, or of 4 ms with many clients, but at least 4 times the calls in flight. The steady
 * part has the calls of 5 ms, or of 20 ms with many clients, but in a short run only of 1/80 of the
 * run. It has at least 32 times the calls in flight, even in a short run. */
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

/* Each line breaks one rule. Most wrong words are tested in tests/integration/usage.sh. */
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
        {&command_run, "a:/x getattr --scratch x", "or add an op"},
        {&command_run, "a:/x create --scratch x/y", "without a slash"},
        {&command_run, "a:/x create --block 20k", "at most 10000"},
        {&command_run, "a:/x read --file-size 8k", "--file-size needs --files"},
        {&command_run, "a:/x read --tree d --offset 8", "many files; leave out --tree or --offset"},
        {&command_run, "a:/x null --depth 8 --batch 8", "in flight: use --depth 16"},
        {&command_run, "a:/x null --depth 8 --batch 2 --rate 100", "twice as many"},
        {&command_run, "a:/x null --depth 8 --batch 2 --proto udp", "sleeps over TCP"},
        {&command_run, "a:/x null --depth 8 --batch 2 --spin", "sleeps over TCP"},
        {&command_run, "a:/x mix:sfs2008 --no-baseline", "--no-baseline"},
        {&command_run, "a:/x read --files 5 --file f", "leave out --files or --file"},
        {&command_run, "a:/x read --server-pid 1 --server-cmd s",
         "leave out --server-pid or --server-cmd"},
        {&command_run, "a:/x null --depth 65537", "65536 calls"},
        {&command_run, "a:/x null --rate 1099511627776", "--rate must be"},
        {&command_run, "a:/x null --clients 100000 --connections 100000",
         "connections are too many"},
        {&command_run, "a:/x null --clients 65536 --connections 65536", "connections are too many"},
        {&command_run, "a:/x null --threads 2", "the maximum for"},
        {&command_run, "a:/x getattr,read,getattr", "'getattr' is named twice"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int code = parse_options(cases[i].command, cases[i].line);

        if (code == 0)
            code = plan_make(&plan, &options, &error);
        assert_refused(code, cases[i].line, cases[i].words);
    }
}
