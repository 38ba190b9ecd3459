/* Load from other processes: parsing files of /proc, the differences between two readings, and the
 * probe of the core's speed. */
#include "test.h"

#include <sched.h>

#include "measure/contention.h"
#include "measure/speed_probe.h"

static FILE *text(const char *content)
{
    return fmemopen((void *)(uintptr_t)content, strlen(content), "r");
}

/* The first number of the line "cpu", 1, must not be taken for the number of a processor. */
static const char stat_text[] = "cpu  1 0 100 1000 0 0 0 0 0 0\n"
                                "cpu0 10 1 20 300 5 2 3 7 0 0\n"
                                "cpu1 100 0 0 0 0 0 0 0 0 0\n"
                                "cpu10 1000 0 0 0 0 0 0 0 0 0\n"
                                "intr 5\n";

TEST_CASE(busy_processors)
{
    static const struct {
        const char *cpus[2];
        double ticks;
    } cases[] = {{{"0", ""}, 36}, /* all times except idle, iowait and steal */
                 {{"0", "1"}, 136},     {{"0-1", "1"}, 136}, {{"1,10", ""}, 1100},
                 {{"2-12", "0"}, 1036}, {{"", ""}, NAN},     {{"3-5,99", "nonsense"}, NAN}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        FILE *file = text(stat_text);
        double ns = contention_parse_busy(file, cases[i].cpus);

        fclose(file);
        assert_figure(ns * (double)sysconf(_SC_CLK_TCK) / 1e9, cases[i].ticks, 1e-9);
    }
}

TEST_CASE(schedstat)
{
    FILE *file = text("95552 60397 4\n");
    struct process_times times = process_parse_times(file);

    fclose(file);
    assert_all((times.ran_ns, 95552, 0), (times.waited_ns, 60397, 0));
    file = text("nothing\n");
    times = process_parse_times(file);
    fclose(file);
    assert_true(isnan(times.ran_ns) && isnan(times.waited_ns));
}

TEST_CASE(between)
{
    struct contention before = {1000, {10, 20}, {30, 40}, 1e6};
    struct contention after = {
        1000 + 1000000000, {10 + 3e8, 20 + 1e7}, {30 + 4e8, 40 + 5e7}, 1e6 + 1e9};
    struct contention_shares shares;

    contention_between(&shares, &before, &after, 2, 0);
    assert_all((shares.client_waited, 0.01, 1e-9), (shares.server_waited, 0.05, 1e-9),
               (shares.others, 0.15, 1e-9),
               (shares.others_error, 0.5 / sqrt(2.0 * (double)sysconf(_SC_CLK_TCK)), 1e-9));
    assert_near(shares.not_own, 0.65, 1e-9);
    contention_between(&shares, &before, &after, 2, 1e8); /* another server used 0.1 s */
    assert_all((shares.others, 0.1, 1e-9), (shares.not_own, 0.6, 1e-9));
    before.busy_ns -= 2e9; /* busy for more time than there is, because ticks are rounded */
    contention_between(&shares, &before, &after, 2, 0);
    assert_near(shares.others, 1, 0);
    after.server = (struct process_times){NAN, NAN}; /* a server whose times can't be read */
    contention_between(&shares, &before, &after, 2, 0);
    assert_true(isnan(shares.others) && isnan(shares.server_waited));
    assert_near(shares.client_waited, 0.01, 1e-9);
    contention_between(&shares, &before, &after, 0, 0);
    assert_true(isnan(shares.others) && isnan(shares.not_own));
}

/* The times of the test's own process are found. If no server can be observed, the server's times
 * are NAN. A server on another machine ran here for 0 ns. */
TEST_CASE(reading)
{
    struct contention_scope scope = {.cpus = {"0-1023", ""}};
    struct contention here, far;

    sched_yield(); /* the kernel counts a process's time only when it yields, or at a tick */
    contention_read(&here, &scope);
    assert_true(here.at_ns > 0 && here.client.ran_ns > 0 && here.busy_ns > 0);
    assert_true(isnan(here.server.ran_ns));
    scope.server_remote = true;
    contention_read(&far, &scope);
    assert_all((far.server.ran_ns, 0, 0), (contention_cpus(&scope) >= 1));
    scope.cpus[0] = "";
    assert_int_equal(contention_cpus(&scope), 0);
}

static void add_ratio(struct speed_probe *probe, double ratio)
{
    probe->additions[probe->taken] = 1000 * ratio;
    probe->multiplications[probe->taken++] = 1000;
}

TEST_CASE(shared_core)
{
    static struct speed_probe probe;

    for (size_t i = 0; i < 19; i++)
        add_ratio(&probe, i % 2 ? 1 : 2);
    assert_near(speed_probe_shared(&probe), 0, 0); /* too few samples */
    assert_true(isnan(speed_probe_levels(&probe).additions));
    for (size_t i = 19; i < 200; i++)
        add_ratio(&probe, 1 + 0.2 * (double)(i % 2)); /* noise */
    assert_near(speed_probe_levels(&probe).multiplications, 1000, 0);
    probe.additions[0] = 1000;
    assert_true(speed_probe_shared(&probe) < 0.06);
    for (size_t i = 0; i < 100; i++)
        probe.additions[i] = 1900;
    assert_near(speed_probe_shared(&probe), 0.5, 0.01);
}

/* The probe returns positive numbers, and continues when its memory is full. */
TEST_CASE(probe)
{
    static struct speed_probe probe;

    for (size_t i = 0; i < SPEED_PROBE_ROUNDS + 100; i++)
        speed_probe_take(&probe);
    assert_int_equal(probe.taken, SPEED_PROBE_ROUNDS + 100);
    for (size_t i = 0; i < SPEED_PROBE_ROUNDS; i++)
        assert_true(probe.additions[i] > 0 && isfinite(probe.additions[i]) &&
                    probe.multiplications[i] > 0 && isfinite(probe.multiplications[i]));
    assert_all((speed_probe_levels(&probe).additions > 0), (speed_probe_shared(&probe) <= 1));
}
