/* The two kinds of evidence for a limit, and the sentence about it. */
#include "explain/phases/explain.h"
#include "run/plan.h"
#include "test.h"

/* Shares of phases of calls that spend 92 % of their time in the server, mostly waiting. */
static const struct {
    const char *key;
    double share;
} shares[] = {{"send", 0.05},
              {"network-and-server", 0},
              {"request-travels", 0.03},
              {"server-socket", 0.8},
              {"server-work", 0.12}};

static struct phases phases;
static struct explanation explanation;
static struct server_counters server;
static struct load_use use;
static struct run_plan plan;
static char text[FIELD_ROOM];

static void add_row(const char *key, double share)
{
    size_t i = 0;

    while (strcmp(phase_types[i].key, key) != 0)
        i++;
    if (share > 0)
        explanation.rows[explanation.row_count++] =
            (struct phase_row){.type = &phase_types[i], .share = share};
}

static void add_busy(struct busy *busy, double ns)
{
    busy->count = 1;
    busy->threads[0].used.ran_ns = ns;
}

/* Make an explanation of 1,000 calls of 16 ms each, made within one second, and a load that used
 * CLIENT processors of the client and SERVED processors of the server. */
static void make_explanation(double client, double served)
{
    plan = (struct run_plan){.load = {.clients = 1, .connections = 1, .depth = 16, .threads = 1}};
    phases = (struct phases){.lifetime = {.count = 1000, .mean = 16e6}};
    explanation = (struct explanation){.op = "getattr",
                                       .origin = {.target = "host:/export"},
                                       .phases = &phases,
                                       .load = &plan.load};
    for (size_t i = 0; i < COUNT_OF(shares); i++)
        add_row(shares[i].key, shares[i].share);
    explanation.longest = &explanation.rows[0];
    server.pid = 1;
    use = (struct load_use){.server = &server,
                            .server_cpus = 2,
                            .tcp = {.sums = {.rtt_least_us = 1000}},
                            .elapsed_ns = 1000000000,
                            .calls = 1000};
    add_busy(&use.client_threads, client * 1e9);
    add_busy(&use.server_threads, served * 1e9);
}

static void find_limit(const struct result_op *found)
{
    explain_limit_set(&explanation, 1, &use, &plan, found);
    explain_limit_text(&explanation, NULL, text);
}

static void hide_server(void)
{
    explanation.row_count = 0;
    add_row("send", 0.1);
    add_row("network-and-server", 0.9);
    explanation.longest = &explanation.rows[1];
}

TEST_CASE(both_agree)
{
    const struct explain_limit *limit = &explanation.limit;

    make_explanation(0.2, 0.97);
    use.calls = 500;
    find_limit(NULL);
    assert_all((limit->by_phases, BOTTLENECK_SERVER_CPU), (limit->by_load, BOTTLENECK_SERVER_CPU),
               (limit->limit, BOTTLENECK_SERVER_CPU), (!limit->disagrees),
               (limit->server_call_ns, 0.97e9 / 500, 1e-3),
               (limit->parts.server_cpu, 0.97e9 / 500 / 16e6, 1e-9),
               (limit->parts.network_stretch, 0.03 * 16, 1e-9), (explain_limit_is_processor(limit)),
               (text, "limited by the server's processors: 92 % of a call's time is waiting for a "
                      "processor, and the server's work (0.97 processors busy)"));
}

/* If the server's threads mostly sleep, no resource is busy. This does not contradict that calls
 * wait for a thread. */
TEST_CASE(idle_resources_agree)
{
    const struct explain_limit *limit = &explanation.limit;

    make_explanation(0.1, 0.05);
    find_limit(NULL);
    assert_all(
        (limit->by_phases, BOTTLENECK_SERVER_THREADS), (limit->by_load, BOTTLENECK_ROUND_TRIP),
        (limit->limit, BOTTLENECK_SERVER_THREADS), (!limit->disagrees),
        (!explain_limit_is_processor(limit)),
        (text,
         "limited by the server's threads, which are all working or waiting: 92 % of a call's "
         "time is waiting for a thread, and the server's work (processors busy: client 0.10, "
         "server 0.05)"));
}

/* If the server's thread waits for a processor, the phases show processors as the limit. */
TEST_CASE(waiting_for_the_processor)
{
    const struct explain_limit *limit = &explanation.limit;

    make_explanation(0.2, 0.25);
    use.calls = 400;
    use.server_threads.threads[0].used.waited_ns = 0.7e9;
    find_limit(NULL);
    assert_all((limit->by_phases, BOTTLENECK_SERVER_CPU), (limit->by_load, BOTTLENECK_ROUND_TRIP),
               (limit->disagrees), (!explain_limit_is_processor(limit)),
               (limit->parts.server_cpu, 0.95e9 / 400 / 16e6, 1e-9));
}

TEST_CASE(they_disagree)
{
    const struct explain_limit *limit = &explanation.limit;

    make_explanation(0.95, 0.05);
    find_limit(NULL);
    assert_all(
        (limit->by_load, BOTTLENECK_CLIENT_CPU), (limit->limit, BOTTLENECK_SERVER_THREADS),
        (limit->disagrees), (!explain_limit_is_processor(limit)),
        (text,
         "waits and busy resources point to different limits: limited by the server's "
         "threads, which are all working or waiting: "
         "92 % of a call's time is waiting for a thread, and the server's work; but limited by "
         "the client's processors (0.95 processors busy); 'nfsbench sweep --depth "
         "8,16,32 host:/export getattr' shows which is right"));
    make_explanation(0.3, 0.85);
    use.calls = 500;
    find_limit(NULL);
    assert_all(
        (limit->limit, BOTTLENECK_SERVER_CPU), (limit->by_load, BOTTLENECK_ROUND_TRIP),
        (limit->disagrees), (!explain_limit_is_processor(limit)),
        (strstr(text, "; but no resource is busy all the time (processors busy: client 0.30, "
                      "server 0.85); 'nfsbench sweep") != NULL));
    plan.load.clients = 4;
    plan.load.depth = 1;
    explain_limit_text(&explanation, "sfs2008", text);
    assert_non_null(strstr(text, "sweep --clients 4 --depth 1,2,4 host:/export mix:sfs2008'"));
}

TEST_CASE(load_alone)
{
    const struct explain_limit *limit = &explanation.limit;

    make_explanation(0.2, 0.97);
    hide_server();
    find_limit(NULL);
    assert_all((limit->by_phases, BOTTLENECK_UNKNOWN), (limit->limit, BOTTLENECK_SERVER_CPU),
               (!limit->disagrees),
               (text, "limited by the server's processors (0.97 processors busy); 90 % of a call's "
                      "time is 'network and server'"));
    make_explanation(0.2, 0);
    hide_server();
    server.pid = 0;
    use.server_ns = NAN;
    find_limit(NULL);
    assert_all((limit->limit, BOTTLENECK_UNKNOWN),
               (text, "limit unknown (processors busy: client 0.20); 90 % of a "
                      "call's time is 'network and server'"));
}

/* If the offered rate is reached, there is no limit, even if calls wait. */
TEST_CASE(reached_rate)
{
    struct result_op found = {.rate_per_s = 1000, .calls = 1000};

    make_explanation(0.2, 0.5);
    plan.load.rate = 1000;
    find_limit(&found);
    assert_all((explanation.limit.by_phases, BOTTLENECK_SERVER_THREADS),
               (explanation.limit.limit, BOTTLENECK_NONE), (!explanation.limit.disagrees));
    found.rate_per_s = 500;
    find_limit(&found);
    assert_int_equal(explanation.limit.limit, BOTTLENECK_SERVER_THREADS);
}
