/* Computes the rows of the table from the phases of many calls. */
#include <math.h>
#include <string.h>

#include "explain/phases/explain.h"

/* Return the phase whose time is added to the row of phase FIRST; PHASE_TYPES if there is none. */
static size_t joined_to(size_t first)
{
    size_t i = first + 1;

    while (i < PHASE_TYPES && !(phase_types[i].flags & PHASE_JOINED &&
                                strcmp(phase_types[i].key, phase_types[first].key) == 0))
        i++;
    return i;
}

/* Return the mean time from a call's begin to phase INDEX, ns: the sum of the earlier phases. */
static double begin_of(const struct phases *phases, size_t index)
{
    double begins = 0;

    for (size_t i = 0; i < index; i++)
        begins += phases->totals[i].sum_ns / (double)phases->lifetime.count;
    return begins;
}

/* Add the joined phase SECOND to ROW. Every explained call enters a joined phase. */
static void add_joined(struct phase_row *row, const struct phases *phases, size_t second)
{
    double calls = (double)phases->lifetime.count;

    row->second_begins = begin_of(phases, second);
    row->second_ns = phases->totals[second].sum_ns / calls;
    row->adjusted += row->second_ns;
}

static void fill_row(struct phase_row *row, const struct phases *phases, size_t index)
{
    const struct phase_total *total = &phases->totals[index];
    const struct histogram *histogram = &total->histogram;
    size_t second = joined_to(index);

    *row = (struct phase_row){
        .type = &phase_types[index],
        .phase = index,
        .count = histogram->count,
        .mean = histogram->mean,
        .adjusted = total->sum_ns / (double)phases->lifetime.count,
        .low = histogram->minimum,
        .high = histogram->maximum,
        .p50 = histogram_quantile(histogram, 0.5),
        .p99 = histogram_quantile(histogram, 0.99),
        .begins = begin_of(phases, index),
    };
    if (second < PHASE_TYPES)
        add_joined(row, phases, second);
    row->added = (struct interval){row->adjusted, NAN, NAN};
}

static void fill_shares(struct explanation *explanation)
{
    phase_rows_share(explanation->rows, explanation->row_count, explanation->phases->lifetime.mean);
    for (size_t i = 0; i < explanation->row_count; i++) {
        const struct phase_row *row = &explanation->rows[i];

        explanation->shares[row->type->kind] += row->share;
        if (!explanation->longest || row->share > explanation->longest->share)
            explanation->longest = row;
    }
}

static void fill_overlap(struct explanation *explanation)
{
    const struct phases *phases = explanation->phases;
    const struct histogram *histogram = &phases->overlap;

    explanation->overlap = (struct explain_overlap){.calls = 0};
    if (histogram->count == 0 || histogram->mean <= 0)
        return;
    explanation->overlap =
        (struct explain_overlap){.calls = histogram->count,
                                 .begins = phases->overlap_begin_ns / (double)histogram->count,
                                 .latency = result_latency_of(histogram)};
}

void explain_rows(struct explanation *explanation)
{
    const struct phases *phases = explanation->phases;

    explanation->view = phases->view;
    explanation->row_count = 0;
    explanation->longest = NULL;
    memset(explanation->shares, 0, sizeof explanation->shares);
    for (size_t i = 0; i < PHASE_TYPES; i++)
        if (phases->totals[i].histogram.count > 0)
            fill_row(&explanation->rows[explanation->row_count++], phases, i);
    explanation->lifetime = (struct interval){phases->lifetime.mean, NAN, NAN};
    explanation->latency = result_latency_of(&phases->lifetime);
    fill_overlap(explanation);
    explanation->sum = phases_sum(phases);
    explanation->discrepancy = 0;
    if (phases->lifetime.count == 0)
        return;
    explanation->discrepancy = (phases->lifetime.mean - explanation->sum) / phases->lifetime.mean;
    fill_shares(explanation);
}

const char *const explain_kind_keys[] = {
    [PHASE_CLIENT] = "client",
    [PHASE_QUEUEING] = "queueing",
    [PHASE_NETWORK] = "network",
    [PHASE_SERVER] = "server",
    [PHASE_NETWORK_AND_SERVER] = "network-and-server",
    NULL,
};
