/* Two sides of the same rounds as text for people, and as JSON. */
#include "output/versus.h"

#include <math.h>

#include "output/json.h"
#include "output/number.h"
#include "output/result_json.h"
#include "output/table.h"
#include "output/terminal.h"
#include "output/text.h"

/* Text */

enum { INDENT = 4, NAME_SIZE = 64 };

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
    char word[NAME_SIZE];

    table_cell(table, part->comparison.adjusted_p < 0.001 ? "<0.001" : "%.3f",
               part->comparison.adjusted_p);
    snprintf(word, sizeof word, "%s%s%s", terminal_tone(table->out, tone_of(part->word)),
             comparison_verdict_name(part->word), terminal_tone(table->out, TERMINAL_PLAIN));
    table_end_row(table, word);
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
    char network[NAME_SIZE] = "RPC and network";

    print_part(row->first->op, 0, &row->round_trip, table);
    if (!row->has_cost)
        return;
    if (row->first->baseline != versus->first->null_calls)
        snprintf(network, sizeof network, "RPC, %.30s", row->first->baseline->op);
    print_part(network, INDENT, &row->network, table);
    if (!row->has_parts) {
        print_part("above null", INDENT, &row->above_null, table);
        return;
    }
    print_part("bytes", INDENT, &row->bytes, table);
    print_part("pause", INDENT, &row->pause, table);
    print_part("server", INDENT, &row->server, table);
}

static void print_differences(const struct versus_result *versus, FILE *out)
{
    struct table table;

    fputs("B against A, each round's differences\n\n", out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < versus->count; i++)
        print_row(&versus->rows[i], versus, &table);
    if (!versus->has_control)
        return;
    table_cell(&table, "null control");
    table_cell(&table, "%s", "");
    table_cell(&table, "%s", "");
    print_difference(&versus->null_control.difference, &table);
    table_end_row(&table, "the noise floor of B's cost against A's");
}

void versus_print(const struct versus_result *versus, bool verbose, FILE *out)
{
    fputs("A  ", out);
    text_print(versus->first, verbose, out);
    fputs("\nB  ", out);
    text_print(versus->second, verbose, out);
    fputc('\n', out);
    print_differences(versus, out);
}

/* JSON */

static json_t *comparison_object(const struct comparison *comparison)
{
    return json_pack("{s:f, s:f, s:o}", "first_ns", comparison->first.estimate, "second_ns",
                     comparison->second.estimate, "difference_ns",
                     json_interval(&comparison->difference));
}

static json_t *part_object(const struct versus_part *part)
{
    json_t *object = comparison_object(&part->comparison);

    if (!part->judged)
        return object;
    json_object_set_new(object, "p", json_real(part->comparison.p));
    json_object_set_new(object, "adjusted_p", json_real(part->comparison.adjusted_p));
    json_object_set_new(object, "floor_ns", json_real(part->floor));
    json_object_set_new(object, "word", json_string(comparison_verdict_name(part->word)));
    return object;
}

static json_t *row_object(const struct versus_row *row)
{
    json_t *object =
        json_pack("{s:s, s:o}", "op", row->first->op, "round_trip", part_object(&row->round_trip));

    if (!row->has_cost)
        return object;
    json_object_set_new(object, "baseline", json_text(row->first->baseline->op));
    json_object_set_new(object, "network", part_object(&row->network));
    json_object_set_new(object, "above_null", part_object(&row->above_null));
    if (!row->has_parts)
        return object;
    json_object_set_new(object, "bytes", part_object(&row->bytes));
    json_object_set_new(object, "pause", part_object(&row->pause));
    json_object_set_new(object, "server", part_object(&row->server));
    return object;
}

int versus_write_json(const void *data, FILE *out)
{
    const struct versus_result *versus = data;
    json_t *object = json_begin(RESULT_VERSUS), *rows = json_array();

    for (size_t i = 0; i < versus->count; i++)
        json_array_append_new(rows, row_object(&versus->rows[i]));
    json_object_set_new(object, "differences", rows);
    json_object_set_new(object, "first", json_result(versus->first));
    json_object_set_new(object, "second", json_result(versus->second));
    if (versus->has_control)
        json_object_set_new(object, "null_control", comparison_object(&versus->null_control));
    return json_write_object(object, out);
}
