/* Two sides of the same rounds as text for people. */
#include "output/versus.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "output/measurement_view.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "output/text.h"

enum { INDENT = 4, NAME_SIZE = 64, REMARK_SIZE = 160 };

static const struct table_column columns[] = {
    {"op", 19, true, 0},       {"A us", 9, false, 0}, {"B us", 9, false, 0},
    {"B - A us", 8, false, 0}, {"95 %", 18, true, 0}, {"p", 7, false, 1},
};

static enum terminal_tone tone_of(enum comparison_verdict word)
{
    return word == COMPARISON_SLOWER   ? TERMINAL_WORSE
           : word == COMPARISON_FASTER ? TERMINAL_BETTER
                                       : TERMINAL_FAINT;
}

/* The end of a line whose part is judged. */
static void print_word(const struct versus_part *part, struct table *table)
{
    bool differs = part->word == COMPARISON_SLOWER || part->word == COMPARISON_FASTER;
    const struct interval *ratio = &part->ratio;
    char remark[REMARK_SIZE];
    int length;

    table_cell(table, part->comparison.adjusted_p < 0.001 ? "<0.001" : "%.3f",
               part->comparison.adjusted_p);
    length =
        snprintf(remark, sizeof remark, "%s%s%s", terminal_tone(table->out, tone_of(part->word)),
                 comparison_verdict_name(part->word), terminal_tone(table->out, TERMINAL_PLAIN));
    if (differs && !isnan(ratio->estimate))
        snprintf(remark + length, sizeof remark - (size_t)length,
                 "; B is %.3g times A [%.3g, %.3g]", ratio->estimate, ratio->low, ratio->high);
    table_end_row(table, remark);
}

static void print_difference(const struct interval *difference, struct table *table)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    table_cell(table, "%+.3f", us(difference->estimate));
    table_cell(table, "%s", number_interval(difference, 1000, 3, true, bracket));
}

/* A line of the table, NAME indented by INDENT. */
static void print_part(const char *name, int indent, const struct versus_part *part,
                       struct table *table)
{
    const struct comparison *comparison = &part->comparison;

    if (!part->known)
        return;
    table_cell(table, "%*s%s", indent, "", name);
    table_cell(table, "%.3f", us(comparison->first.estimate));
    table_cell(table, "%.3f", us(comparison->second.estimate));
    print_difference(&comparison->difference, table);
    if (part->judged)
        print_word(part, table);
    else
        table_end_row(table, "");
}

static void print_row(const struct versus_row *row, const struct versus_result *versus,
                      struct table *table)
{
    const struct versus_part *parts = row->parts;
    char network[NAME_SIZE] = "RPC and network";

    print_part(row->first->op, 0, &parts[VERSUS_ROUND_TRIP], table);
    if (parts[VERSUS_NETWORK].known && row->first->baseline != versus->first->null_calls)
        snprintf(network, sizeof network, "RPC, %.30s", row->first->baseline->op);
    print_part(network, INDENT, &parts[VERSUS_NETWORK], table);
    if (!parts[VERSUS_SERVER].known)
        print_part("above null", INDENT, &parts[VERSUS_ABOVE_NULL], table);
    print_part("bytes", INDENT, &parts[VERSUS_BYTES], table);
    print_part("pause", INDENT, &parts[VERSUS_PAUSE], table);
    print_part("server", INDENT, &parts[VERSUS_SERVER], table);
    print_part("mean cost", INDENT, &parts[VERSUS_MEAN], table);
}

static void print_control(const struct versus_result *versus, struct table *table)
{
    if (!versus->has_control)
        return;
    table_cell(table, "null control");
    table_cell(table, "%s", "");
    table_cell(table, "%s", "");
    print_difference(&versus->null_control.difference, table);
    table_end_row(table, "the noise floor of B's cost against A's");
}

static bool is_on_mount(const struct result *result)
{
    return result->target.mount_point != NULL;
}

/* How many connections the mount of RESULT has; 0: not known. */
static uint64_t connections_of(const struct result *result)
{
    uint64_t most = 0;

    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].mounted && result->ops[i].mounted->connections > most)
            most = result->ops[i].mounted->connections;
    return most;
}

/* Do both sides use the network in the same way? A call waits for the one before it on either, so
 * that several connections are used in turn by the mount. */
static void print_transports(const struct result *mount, const struct result *wire, FILE *out)
{
    uint64_t connections = connections_of(mount);
    char line[160];

    if (strcmp(mount->target.transport, wire->target.transport) != 0) {
        snprintf(line, sizeof line,
                 "  the mount uses %s and the wire %s: their difference is in this, too",
                 mount->target.transport, wire->target.transport);
        terminal_print_wrapped(line, 4, out);
    }
    if (connections > 1) {
        snprintf(line, sizeof line,
                 "  the mount has %" PRIu64 " connections (nconnect), the wire one", connections);
        terminal_print_wrapped(line, 4, out);
    }
}

/* What the kernel's client adds to each op: "getattr: 21.300 us on the wire, ...". */
static void print_mount(const struct versus_result *versus, FILE *out)
{
    bool second = is_on_mount(versus->second);
    char bracket[NUMBER_INTERVAL_SIZE], line[256];

    if (is_on_mount(versus->first) == second)
        return;
    fputc('\n', out);
    for (size_t i = 0; i < versus->count; i++) {
        const struct comparison *comparison = &versus->rows[i].parts[VERSUS_ROUND_TRIP].comparison;
        struct interval added = comparison->difference;

        if (!second)
            added = (struct interval){-added.estimate, -comparison->difference.high,
                                      -comparison->difference.low};
        snprintf(line, sizeof line,
                 "  %s: %.3f us on the wire, %.3f us through the mount; the kernel's client adds "
                 "%.3f us %s",
                 versus->rows[i].first->op,
                 us((second ? comparison->first : comparison->second).estimate),
                 us((second ? comparison->second : comparison->first).estimate), us(added.estimate),
                 number_interval(&added, 1000, 3, false, bracket));
        terminal_print_wrapped(line, 4, out);
    }
    print_transports(second ? versus->second : versus->first,
                     second ? versus->first : versus->second, out);
}

static void print_differences(const struct versus_result *versus, FILE *out)
{
    struct table table;

    if (versus->launch_count > 1)
        fprintf(out,
                "B against A, the differences within each of %zu launches; by Student's t test\n\n",
                versus->launch_count);
    else
        fputs("B against A, each round's differences\n\n", out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < versus->count; i++)
        print_row(&versus->rows[i], versus, &table);
    print_control(versus, &table);
}

/* A line of each quantity that is judged: its difference within each launch. */
static void print_launches(const struct versus_result *versus, FILE *out)
{
    if (versus->launch_count < 2)
        return;
    fputs("\n  B - A us in each launch\n", out);
    for (size_t i = 0; i < versus->count; i++)
        for (enum versus_quantity j = 0; j < VERSUS_QUANTITIES; j++) {
            const struct versus_part *part = &versus->rows[i].parts[j];

            if (!part->judged)
                continue;
            fprintf(out, "  %-16s %-16s", versus->rows[i].first->op, versus_keys[j]);
            for (size_t k = 0; k < versus->launch_count; k++)
                fprintf(out, " %+.3f", us(part->launches[k].estimate));
            fputc('\n', out);
        }
}

void versus_print(const struct versus_result *versus, bool verbose, FILE *out)
{
    fputs("A  ", out);
    view_write_text(&view_measurement, versus->first, verbose, out);
    fputs("\nB  ", out);
    view_write_text(&view_measurement, versus->second, verbose, out);
    fputc('\n', out);
    print_differences(versus, out);
    print_mount(versus, out);
    if (verbose)
        print_launches(versus, out);
}
