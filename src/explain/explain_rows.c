/* Computes the table's rows from the phases of many calls; and the functions that all forms share.
 */
#include <math.h>
#include <string.h>

#include "explain/explain.h"

/* The phase whose time is added to phase FIRST's row; PHASE_TYPES if there is none. */
static size_t joined_to(size_t first)
{
    size_t i = first + 1;

    while (i < PHASE_TYPES && !(phase_types[i].flags & PHASE_JOINED &&
                                strcmp(phase_types[i].key, phase_types[first].key) == 0))
        i++;
    return i;
}

/* The mean begin of phase INDEX over all calls: the sum of what the phases before it contribute. */
static double begin_of(const struct phases *phases, size_t index)
{
    double begins = 0;

    for (size_t i = 0; i < index; i++)
        begins += phases->totals[i].sum_ns / (double)phases->lifetime.count;
    return begins;
}

/* A joined phase is always required: every call enters it. */
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

/* What the forms share */

const char *const explain_kind_keys[] = {
    [PHASE_CLIENT] = "client",
    [PHASE_QUEUEING] = "queueing",
    [PHASE_NETWORK] = "network",
    [PHASE_SERVER] = "server",
    [PHASE_NETWORK_AND_SERVER] = "network-and-server",
    NULL,
};

const char *explain_kind_name(enum phase_kind kind)
{
    return kind == PHASE_NETWORK_AND_SERVER ? "network and server" : explain_kind_keys[kind];
}

static struct explain_line make_line(const char *name, double ns, double share)
{
    struct explain_line line = {.name = name, .ns = ns};

    if (!isnan(share)) /* without a sign if it rounds to 0 */
        snprintf(line.share, sizeof line.share, "%.1f %%", fabs(share) < 0.0005 ? 0 : 100 * share);
    return line;
}

size_t explain_lines(const struct explanation *explanation,
                     struct explain_line lines[EXPLAIN_LINES_MAXIMUM])
{
    size_t count = explanation->row_count;
    const struct explain_overlap *overlap = &explanation->overlap;

    for (size_t i = 0; i < count; i++) {
        const struct phase_row *row = &explanation->rows[i];

        lines[i] = make_line(row->type->name, row->adjusted, row->share);
        lines[i].row = row;
        lines[i].bars[0].begins = row->begins;
        lines[i].bars[0].length = row->adjusted - row->second_ns;
        lines[i].bars[1].begins = row->second_begins;
        lines[i].bars[1].length = row->second_ns;
    }
    if (overlap->calls == 0)
        return count;
    lines[count] = (struct explain_line){.name = "send() still runs",
                                         .bars = {{overlap->begins, overlap->latency.mean}},
                                         .ns = overlap->latency.mean,
                                         .share = "overlaps"};
    return count + 1;
}

void explain_sums(const struct explanation *explanation, struct explain_line sums[EXPLAIN_SUMS])
{
    double life = explanation->phases->lifetime.mean;

    sums[0] = make_line("sum of the phases", explanation->sum, explanation->sum / life);
    sums[1] = make_line("measured lifetime", life, 1);
    sums[2] = make_line("discrepancy", life - explanation->sum, explanation->discrepancy);
}

bool explain_has_kind(const struct explanation *explanation, enum phase_kind kind)
{
    for (size_t i = 0; i < explanation->row_count; i++)
        if (explanation->rows[i].type->kind == kind)
            return true;
    return false;
}

double explain_axis_end(const struct explanation *explanation)
{
    struct explain_line lines[EXPLAIN_LINES_MAXIMUM];
    size_t count = explain_lines(explanation, lines);
    double end = fmax(explanation->phases->lifetime.mean, 1);

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < 2; j++)
            end = fmax(end, lines[i].bars[j].begins + lines[i].bars[j].length);
    return end;
}

double explain_axis_step(double end_ns, unsigned marks)
{
    static const double steps[] = {1, 2, 5, 10};
    double least = end_ns / marks, power = pow(10, floor(log10(least)));
    size_t i = 0;

    while (i < 3 && steps[i] * power < least)
        i++;
    return steps[i] * power;
}
