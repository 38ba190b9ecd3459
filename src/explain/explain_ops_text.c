/* The explanations of several ops as text for people: a line for each op, then a table of the
 * phases' shares. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "explain/explain.h"
#include "output/number.h"
#include "output/table.h"
#include "output/text.h"

enum { COLUMNS_LEAST = 80, NAME_COLUMNS = 21, OP_COLUMNS = 9 };

/* The share of the phases of KIND in the op's lifetime. */
static double share_of_kind(const struct explanation *explanation, enum phase_kind kind)
{
    double share = 0;

    for (size_t i = 0; i < explanation->row_count; i++)
        if (explanation->rows[i].type->kind == kind)
            share += explanation->rows[i].share;
    return share;
}

static const struct explain_row *longest_row(const struct explanation *explanation)
{
    const struct explain_row *longest = &explanation->rows[0];

    for (size_t i = 1; i < explanation->row_count; i++)
        if (explanation->rows[i].share > longest->share)
            longest = &explanation->rows[i];
    return longest;
}

/* A line for each op */

static const struct table_column columns[] = {
    {"op", 16, true, 0},      {"calls", 7, false, 1},  {"life us", 8, false, 0},
    {"p99", 8, false, 4},     {"client", 6, false, 3}, {"queues", 6, false, 0},
    {"network", 7, false, 3}, {"server", 6, false, 2}, {"longest phase", 21, true, 0},
    {"share", 6, false, 0},   {"cost", 6, false, 2},
};

static void print_share(struct table *table, double share)
{
    table_cell(table, "%.1f %%", 100 * share);
}

static void print_op(const struct explanation *explanation, struct table *table)
{
    const struct histogram *lifetime = &explanation->phases->lifetime;
    const struct explain_row *longest = longest_row(explanation);
    char text[NUMBER_SIZE];

    table_cell(table, "%s", explanation->op);
    table_cell(table, "%" PRIu64, lifetime->count);
    table_cell(table, "%s", number_us(lifetime->mean, 8, text));
    table_cell(table, "%s", number_us(histogram_quantile(lifetime, 0.99), 8, text));
    print_share(table, share_of_kind(explanation, PHASE_CLIENT));
    print_share(table, share_of_kind(explanation, PHASE_QUEUEING));
    print_share(table, share_of_kind(explanation, PHASE_NETWORK) +
                           share_of_kind(explanation, PHASE_NETWORK_AND_SERVER));
    print_share(table, share_of_kind(explanation, PHASE_SERVER));
    table_cell(table, "%s", longest->type->name);
    print_share(table, longest->share);
    if (explanation->has_stamping)
        print_share(table, explanation->stamping.estimate / explanation->sample /
                               explanation->unstamped_mean);
    table_end_row(table, "");
}

/* The shares of all phases */

static double share_of(const struct explanation *explanation, const char *key)
{
    for (size_t i = 0; i < explanation->row_count; i++)
        if (strcmp(explanation->rows[i].type->key, key) == 0)
            return explanation->rows[i].share;
    return NAN;
}

static bool is_entered(const struct explanations *explanations, const char *key)
{
    for (size_t i = 0; i < explanations->count; i++)
        if (!isnan(share_of(&explanations->ops[i], key)))
            return true;
    return false;
}

static void print_phase(const struct explanations *explanations, const struct phase_type *type,
                        size_t from, size_t until, FILE *out)
{
    fprintf(out, "  %-*s", NAME_COLUMNS, type->name);
    for (size_t i = from; i < until; i++) {
        double share = share_of(&explanations->ops[i], type->key);

        if (isnan(share))
            fprintf(out, "  %*s", OP_COLUMNS, "-");
        else
            fprintf(out, "  %*.1f", OP_COLUMNS, 100 * share);
    }
    fputc('\n', out);
}

/* The ops FROM to UNTIL side by side. */
static void print_phases(const struct explanations *explanations, size_t from, size_t until,
                         FILE *out)
{
    const struct phase_view *view = explanations->ops[0].view;

    fprintf(out, "\n  %-*s", NAME_COLUMNS, "share of the life, %");
    for (size_t i = from; i < until; i++)
        fprintf(out, "  %*.*s", OP_COLUMNS, OP_COLUMNS, explanations->ops[i].op);
    fputc('\n', out);
    for (size_t i = 0; i < view->count; i++)
        if (is_entered(explanations, view->phases[i]->key))
            print_phase(explanations, view->phases[i], from, until, out);
}

/* The cheapest and the costliest op */

static double life_of(const struct explanation *explanation)
{
    return explanation->phases->lifetime.mean;
}

static double work_of(const struct explanation *explanation)
{
    return life_of(explanation) * (1 - share_of_kind(explanation, PHASE_QUEUEING));
}

static void print_extremes(const struct explanations *explanations, const char *what,
                           double (*figure)(const struct explanation *), FILE *out)
{
    const struct explanation *least = &explanations->ops[0], *most = least;
    char low[NUMBER_SIZE], high[NUMBER_SIZE];

    for (size_t i = 1; i < explanations->count; i++) {
        const struct explanation *op = &explanations->ops[i];

        least = figure(op) < figure(least) ? op : least;
        most = figure(op) > figure(most) ? op : most;
    }
    fprintf(out, "  %s: cheapest %s, %s us; costliest %s, %s us\n", what, least->op,
            number_us(figure(least), 9, low), most->op, number_us(figure(most), 9, high));
}

/* The notes below */

/* One line for the ops that were left out for the same reason, in a row. */
static void print_skipped(const struct explanations *explanations, FILE *out)
{
    const struct result_skipped *skipped = explanations->skipped;

    for (size_t i = 0; i < explanations->skipped_count; i++) {
        bool same = i > 0 && strcmp(skipped[i].reason, skipped[i - 1].reason) == 0;
        bool last = i + 1 == explanations->skipped_count ||
                    strcmp(skipped[i].reason, skipped[i + 1].reason) != 0;

        fprintf(out, "%s%s", same ? ", " : "  not explained: ", skipped[i].op);
        if (last)
            fprintf(out, " (%s)\n", printable(skipped[i].reason).text);
    }
}

static void print_notes(const struct explanations *explanations, unsigned width, FILE *out)
{
    const struct explanation *first = &explanations->ops[0];

    print_skipped(explanations, out);
    explain_print_left_out(explanations->ops, explanations->count, width, out);
    explain_print_lost(first, width, out);
    fprintf(out,
            "  cost: what the timestamps of one call in %" PRIu32 " add to a call on average\n",
            first->sample);
    explain_print_missing(first, width, out);
    if (first->validity)
        text_print_verdict(first->validity, out);
}

void explain_print_ops(const struct explanations *explanations, const struct terminal *terminal,
                       FILE *out)
{
    const struct explanation *first = &explanations->ops[0];
    unsigned width = terminal->columns < COLUMNS_LEAST ? COLUMNS_LEAST : terminal->columns;
    size_t beside = (width - 2 - NAME_COLUMNS) / (2 + OP_COLUMNS);
    struct table table;
    char what[80];

    if (explanations->mix)
        snprintf(what, sizeof what, "%.60s", explanations->mix);
    else
        snprintf(what, sizeof what, "%zu ops", explanations->count);
    explain_print_title(first, what, out);
    fprintf(out, "     seed %" PRIu64 "\n", first->origin.seed);
    explain_print_cut_short(first, out);
    fputc('\n', out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], width, out);
    table_headings(&table);
    for (size_t i = 0; i < explanations->count; i++)
        print_op(&explanations->ops[i], &table);
    for (size_t i = 0; i < explanations->count; i += beside)
        print_phases(explanations, i,
                     i + beside < explanations->count ? i + beside : explanations->count, out);
    fputc('\n', out);
    print_extremes(explanations, "life", life_of, out);
    print_extremes(explanations, "without queueing", work_of, out);
    print_notes(explanations, width, out);
}
