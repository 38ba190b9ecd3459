#include "measure/ledger.h"

#include <math.h>
#include <string.h>

#include "measure/statistics/estimate.h"

static double median_of_known(const double *values, size_t n)
{
    double known[LEDGER_PASSES];
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            known[count++] = values[i];
    return count ? estimate_median(known, count) : NAN;
}

static double mean_of_known(const double *values, size_t n)
{
    double sum = 0;
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i])) {
            sum += values[i];
            count++;
        }
    return count ? sum / (double)count : NAN;
}

/* A counter is trusted if the background is at most the share BACKGROUND_SHARE of the whole count,
 * which includes the background, or at most BACKGROUND_NEGLIGIBLE per call. */
#define BACKGROUND_SHARE      0.25
#define BACKGROUND_NEGLIGIBLE 0.05

/* Return PER_CALL, or 0 if PER_CALL is negative. It is negative if the machine was quieter during
 * the calls than when idle, because too much background was subtracted then. */
static double at_least_0(double per_call)
{
    return per_call < 0 ? 0 : per_call;
}

/* NET is a count per call after a background of PER_NS was subtracted. Return NET, or 0 if it is
 * negative. If the background is too large, return NAN instead, and mark ENTRY as disturbed. */
static double trusted_count(struct ledger_entry *entry, double net,
                            const struct ledger_stretch *stretches, size_t n, double per_ns)
{
    double elapsed = 0, calls = 0, taken_off;

    for (size_t pass = 0; pass < n; pass++) {
        elapsed += (double)(stretches[pass].after.at_ns - stretches[pass].before.at_ns);
        calls += (double)stretches[pass].calls;
    }
    taken_off = calls > 0 ? per_ns * elapsed / calls : 0;
    if (isnan(net) || taken_off <= BACKGROUND_NEGLIGIBLE ||
        taken_off <= BACKGROUND_SHARE * (net + taken_off))
        return at_least_0(net);
    entry->disturbed = true;
    return NAN;
}

static double count_difference(double before, double after)
{
    return after >= before ? after - before : NAN;
}

/* BEFORE and AFTER are a counter's readings at the ends of STRETCH. Return the count per call, less
 * a background of PER_NS. If STRETCH is idle, return the count per ns. NAN if it decreased. */
static double rate_of_stretch(const struct ledger_stretch *stretch, double before, double after,
                              double per_ns)
{
    double elapsed = (double)(stretch->after.at_ns - stretch->before.at_ns);
    double count = count_difference(before, after);

    if (stretch->calls == 0)
        return elapsed > 0 ? count / elapsed : NAN;
    return (count - per_ns * elapsed) / (double)stretch->calls;
}

/* Return COUNTER of BACKGROUND's interface NAME, per ns; 0 if unknown. */
static double interface_background(const struct ledger_entry *background, const char *name,
                                   enum interface_counter counter)
{
    const struct interface_counters *idle =
        background
            ? counters_find_interface(background->interfaces, background->interface_count, name)
            : NULL;

    return idle && !isnan(idle->values[counter]) ? idle->values[counter] : 0;
}

static double interface_rate(const struct ledger_stretch *stretch, const char *name,
                             enum interface_counter counter, double per_ns)
{
    const struct interface_counters *before =
        counters_find_interface(stretch->before.interfaces, stretch->before.interface_count, name);
    const struct interface_counters *after =
        counters_find_interface(stretch->after.interfaces, stretch->after.interface_count, name);

    return before && after
               ? rate_of_stretch(stretch, before->values[counter], after->values[counter], per_ns)
               : NAN;
}

static void fill_interfaces(struct ledger_entry *entry, const struct ledger_stretch *stretches,
                            size_t n, const struct ledger_entry *background)
{
    entry->interface_count = n ? stretches[0].before.interface_count : 0;
    for (size_t i = 0; i < entry->interface_count; i++) {
        struct interface_counters *interface = &entry->interfaces[i];

        memcpy(interface->name, stretches[0].before.interfaces[i].name, sizeof interface->name);
        for (enum interface_counter counter = 0; counter < INTERFACE_COUNTERS; counter++) {
            double rates[LEDGER_PASSES];
            double per_ns = interface_background(background, interface->name, counter);

            for (size_t pass = 0; pass < n; pass++)
                rates[pass] = interface_rate(&stretches[pass], interface->name, counter, per_ns);
            interface->values[counter] =
                trusted_count(entry, median_of_known(rates, n), stretches, n, per_ns);
        }
    }
}

void ledger_per_call(struct ledger_entry *entry, const struct ledger_stretch *stretches, size_t n,
                     const struct ledger_entry *background)
{
    entry->disturbed = false;
    for (enum counter counter = 0; counter < COUNTERS; counter++) {
        double rates[LEDGER_PASSES];
        double per_ns =
            background && !isnan(background->values[counter]) ? background->values[counter] : 0;

        for (size_t pass = 0; pass < n; pass++)
            rates[pass] = rate_of_stretch(&stretches[pass], stretches[pass].before.values[counter],
                                          stretches[pass].after.values[counter], per_ns);
        /* A coarse counter's median would be 0, because most stretches count no tick. */
        entry->values[counter] =
            counter_is_coarse(counter)
                ? at_least_0(mean_of_known(rates, n))
                : trusted_count(entry, median_of_known(rates, n), stretches, n, per_ns);
    }
    fill_interfaces(entry, stretches, n, background);
}

void ledger_background(struct ledger_entry *background, const struct ledger_stretch *idle, size_t n)
{
    ledger_per_call(background, idle, n, NULL);
}
