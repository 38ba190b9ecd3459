#include "test.h"

#include "measure/ledger.h"

/* Return an interval of 1 ms with CALLS calls, in which every counter increases by RISE. */
static struct ledger_stretch stretch(uint64_t calls, double rise)
{
    struct ledger_stretch result = {.calls = calls};

    counters_clear(&result.before);
    counters_clear(&result.after);
    result.after.at_ns = 1000000;
    for (size_t i = 0; i < COUNTERS; i++) {
        result.before.values[i] = 1e9;
        result.after.values[i] = 1e9 + rise;
    }
    result.before.interface_count = result.after.interface_count = 1;
    strcpy(result.before.interfaces[0].name, "lo");
    strcpy(result.after.interfaces[0].name, "lo");
    for (size_t i = 0; i < INTERFACE_COUNTERS; i++) {
        result.before.interfaces[0].values[i] = 5;
        result.after.interfaces[0].values[i] = 5 + rise;
    }
    return result;
}

static struct ledger_entry per_call(struct ledger_stretch busy, struct ledger_stretch idle)
{
    struct ledger_entry background, entry;

    ledger_background(&background, &idle, 1);
    ledger_per_call(&entry, &busy, 1, &background);
    return entry;
}

TEST_CASE(idle_is_taken_off)
{
    const struct ledger_stretch idle[] = {stretch(0, 50), stretch(0, 50), stretch(0, 9000)};
    const struct ledger_stretch busy[] = {stretch(100, 250), stretch(100, 250), stretch(100, 7777)};
    struct ledger_entry background, entry;

    ledger_background(&background, idle, COUNT_OF(idle));
    assert_near(background.values[COUNTER_NET_RX], 50 / 1e6, 1e-12);
    ledger_per_call(&entry, busy, COUNT_OF(busy), &background);
    assert_all((entry.values[COUNTER_NET_RX], 2, 1e-9), (entry.interface_count, 1),
               (entry.interfaces[0].name, "lo"),
               (entry.interfaces[0].values[INTERFACE_TX_PACKETS], 2, 1e-9));
}

TEST_CASE(unknown_is_not_zero)
{
    struct ledger_stretch busy[] = {stretch(100, 200), stretch(100, 200), stretch(100, 200)};
    struct ledger_entry entry;

    busy[0].after.values[COUNTER_CPU_NS] = 0; /* the count decreases, as if a thread ended */
    busy[1].before.values[COUNTER_VOLUNTARY] = NAN;
    for (size_t i = 0; i < COUNT_OF(busy); i++)
        busy[i].after.values[COUNTER_STEAL_NS] = NAN;
    busy[2].after.interface_count = 0;
    ledger_per_call(&entry, busy, COUNT_OF(busy), NULL);
    assert_all((entry.values[COUNTER_CPU_NS], 2, 1e-9), (entry.values[COUNTER_VOLUNTARY], 2, 1e-9),
               (isnan(entry.values[COUNTER_STEAL_NS])),
               (entry.interfaces[0].values[INTERFACE_RX_BYTES], 2, 1e-9));
}

/* If the idle interval's count is more than a quarter of the busy one's, and more than 0.05 per
 * call, the calls' count is unknown. No count is below 0. */
TEST_CASE(disturbed)
{
    static const struct {
        double idle, busy; /* counts in equally long intervals; BUSY has 100 calls */
        bool disturbed;
        double per_call;
    } cases[] = {{100, 350, true, NAN},
                 {100, 450, false, 3.5},
                 {4, 4, false, 0}, /* idle: 0.04 per call */
                 {4, 1, false, 0}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct ledger_entry entry =
            per_call(stretch(100, cases[i].busy), stretch(0, cases[i].idle));

        assert_int_equal(entry.disturbed, cases[i].disturbed);
        assert_figure(entry.values[COUNTER_NET_RX], cases[i].per_call, 1e-9);
        assert_figure(entry.values[COUNTER_INTERRUPTS], cases[i].per_call, 1e-9);
        assert_figure(entry.interfaces[0].values[INTERFACE_TX_PACKETS], cases[i].per_call, 1e-9);
    }
}

TEST_CASE(unknown_background)
{
    struct ledger_stretch idle = stretch(0, 50);
    struct ledger_entry entry;

    idle.after.values[COUNTER_NET_TX] = NAN;
    idle.before.interface_count = idle.after.interface_count = 0;
    entry = per_call(stretch(100, 200), idle);
    assert_near(entry.values[COUNTER_NET_TX], 2, 1e-9);
    assert_near(entry.interfaces[0].values[INTERFACE_RX_BYTES], 2, 1e-9);
}
