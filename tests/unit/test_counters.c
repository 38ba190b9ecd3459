/* The kernel's counters: reading and parsing files of /proc, and conversion to and from JSON. */
#include "test.h"

#include <sys/wait.h>

#include "measure/counters.h"
#include "output/result/json.h"

static struct counters parsed(void (*parse)(struct counters *, FILE *), const char *text)
{
    FILE *file = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
    struct counters counters;

    assert_non_null(file);
    counters_clear(&counters);
    parse(&counters, file);
    fclose(file);
    return counters;
}

TEST_CASE(stat)
{
    struct counters counters =
        parsed(counters_parse_stat, "cpu  1 2 3 4 5 6 7 80 0 0\n"
                                    "cpu0 1 2 3 4 5 6 7 40 0 0\n"
                                    "intr 123456 9 0 0 2 0\n"
                                    "ctxt 777\n"
                                    "btime 1700000000\n"
                                    "softirq 1000 10 20 30 40 50 0 0 60 0 70\n");

    assert_near(counters.busy_ns, (1 + 2 + 3 + 6 + 7) * 1e9 / (double)sysconf(_SC_CLK_TCK), 1);
    assert_all((counters.values[COUNTER_STEAL_NS], 80 * 1e9 / (double)sysconf(_SC_CLK_TCK), 1),
               (counters.values[COUNTER_INTERRUPTS], 123456, 0),
               (counters.values[COUNTER_MACHINE_SWITCHES], 777, 0),
               (counters.values[COUNTER_NET_TX], 30, 0), (counters.values[COUNTER_NET_RX], 40, 0),
               (isnan(counters.values[COUNTER_CPU_NS])));
    /* Values that a container hides or cuts off are unknown. */
    counters = parsed(counters_parse_stat, "cpu  1 2 3\nctxt\nsoftirq 5 1 2\n");
    assert_true(isnan(counters.busy_ns));
    for (size_t i = 0; i < COUNTERS; i++)
        assert_true(isnan(counters.values[i]));
}

TEST_CASE(interfaces)
{
    struct counters counters =
        parsed(counters_parse_interfaces,
               "Inter-|   Receive                                                |  Transmit\n"
               " face |bytes    packets errs drop fifo frame compressed multicast|bytes\n"
               "    lo: 100 2 0 0 0 0 0 0 300 4 0 0 0 0 0 0\n"
               "eth0.7:5 6 0 0 0 0 0 0 7 8 0 0 0 0 0 0\n"
               "broken: 5\n");

    assert_all((counters.interface_count, 2), (counters.interfaces[0].name, "lo"),
               (counters.interfaces[0].values[INTERFACE_RX_BYTES], 100, 0),
               (counters.interfaces[0].values[INTERFACE_RX_PACKETS], 2, 0),
               (counters.interfaces[0].values[INTERFACE_TX_BYTES], 300, 0),
               (counters.interfaces[0].values[INTERFACE_TX_PACKETS], 4, 0),
               (counters.interfaces[1].name, "eth0.7"),
               (counters.interfaces[1].values[INTERFACE_RX_BYTES], 5, 0));
}

TEST_CASE(switches)
{
    char text[] =
        "Name:\tnfsbench\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t7\n";
    FILE *file = fmemopen(text, sizeof text - 1, "r");
    double voluntary, involuntary;

    counters_parse_switches(file, &voluntary, &involuntary);
    fclose(file);
    assert_all((voluntary, 150, 0), (involuntary, 7, 0));
}

TEST_CASE(own_and_other)
{
    struct counters own_before, own_after, other;
    pid_t child;

    counters_clear(&own_before);
    counters_clear(&own_after);
    counters_clear(&other);
    counters_read_process(&own_before, 0);
    for (int i = 0; i < 100; i++)
        usleep(1000);
    counters_read_process(&own_after, 0);
    for (size_t i = COUNTERS_FIRST_OF_PROCESS; i < COUNTERS; i++)
        if (isnan(own_after.values[i]))
            fail_msg("counter %zu of enum counter is not read: set it in read_own(), "
                     "measure/counters.c",
                     i);
    assert_true(own_after.values[COUNTER_VOLUNTARY] - own_before.values[COUNTER_VOLUNTARY] >= 100);
    counters_read_process(&other, getpid());
    assert_all((other.values[COUNTER_VOLUNTARY] >= own_after.values[COUNTER_VOLUNTARY]),
               (other.values[COUNTER_CPU_NS] > 0), (isnan(other.values[COUNTER_USER_NS])));

    child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    counters_read_process(&other, child); /* the process has ended, so nothing is known */
    for (size_t i = COUNTERS_FIRST_OF_PROCESS; i < COUNTERS; i++)
        assert_true(isnan(other.values[i]));
}

/* This machine's time and context switches do not decrease. An interface that does not exist has no
 * known speed. */
TEST_CASE(machine)
{
    struct counters before, after;

    counters_clear(&before);
    counters_clear(&after);
    counters_read_machine(&before);
    counters_read_machine(&after);
    assert_true(before.at_ns > 0 && after.at_ns >= before.at_ns);
    assert_int_equal(before.interface_count, after.interface_count);
    assert_false(after.values[COUNTER_MACHINE_SWITCHES] < before.values[COUNTER_MACHINE_SWITCHES]);
    assert_true(isnan(counters_interface_speed("no-such-network")));
    assert_true(isnan(counters_interface_speed("../../../etc/pas")));
}

TEST_CASE(json_there_and_back)
{
    struct counters counters, back;
    json_t *object;

    counters_clear(&counters);
    counters.at_ns = 1234567890123;
    counters.values[COUNTER_INTERRUPTS] = 42;
    counters.values[COUNTER_CPU_NS] = 1.5e12;
    counters.interface_count = 1;
    strcpy(counters.interfaces[0].name, "eth0");
    counters.interfaces[0].values[INTERFACE_TX_BYTES] = 99;
    object = counters_to_json(&counters);
    assert_int_equal(counters_from_json(&back, object), 0);
    json_decref(object);
    assert_all((back.at_ns, counters.at_ns), (back.values[COUNTER_INTERRUPTS], 42, 0),
               (back.values[COUNTER_CPU_NS], 1.5e12, 1), (isnan(back.values[COUNTER_NET_RX])),
               (back.interface_count, 1), (back.interfaces[0].name, "eth0"),
               (back.interfaces[0].values[INTERFACE_TX_BYTES], 99, 0));
}

TEST_CASE(rubbish)
{
    static const struct {
        const char *line;
        int code;
    } cases[] = {
        {"", -EBADMSG},
        {"[]", -EBADMSG},
        {"{}", -EBADMSG},
        {"{\"at_ns\":\"x\"}", -EBADMSG},
        {"{\"at_ns\":1,\"counters\":[]}", -EBADMSG},
        {"{\"at_ns\":1,\"interfaces\":3}", -EBADMSG},
        {"{\"at_ns\":1}", 0},
    };
    struct counters counters;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        json_t *object = json_loads(cases[i].line, 0, NULL);

        assert_int_equal(counters_from_json(&counters, object), cases[i].code);
        json_decref(object);
    }
    assert_true(isnan(counters.values[COUNTER_INTERRUPTS]));
}
