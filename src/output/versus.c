/* Two sides of the same rounds as text for people, and as JSON. */
#include "output/versus.h"

#include <math.h>

#include "output/json.h"
#include "output/number.h"
#include "output/result_json.h"
#include "output/text.h"

/* Text */

static const char *colour_of(enum comparison_verdict word)
{
    return word == COMPARISON_SLOWER   ? "\033[31m"
           : word == COMPARISON_FASTER ? "\033[32m"
                                       : "\033[2m";
}

static void print_word(const struct versus_part *part, bool colour, FILE *out)
{
    char p[16];

    if (!part->judged)
        return;
    snprintf(p, sizeof p, part->comparison.adjusted_p < 0.001 ? "<0.001" : "%.3f",
             part->comparison.adjusted_p);
    fprintf(out, " %7s  %s%s%s", p, colour ? colour_of(part->word) : "",
            comparison_verdict_name(part->word), colour ? "\033[0m" : "");
}

/* A line of the table, NAME indented by INDENT. */
static void print_part(const char *name, int indent, const struct versus_part *part, bool colour,
                       FILE *out)
{
    enum { NAME_COLUMNS = 22 };
    const struct comparison *comparison = &part->comparison;
    char bracket[NUMBER_INTERVAL_SIZE];

    number_interval(&comparison->difference, 1000, 3, true, bracket);
    fprintf(out, "  %*s%-*s %9.3f %9.3f  %+8.3f %-*s", indent, "", NAME_COLUMNS - indent, name,
            us(comparison->first.estimate), us(comparison->second.estimate),
            us(comparison->difference.estimate), part->judged ? 18 : 0, bracket);
    print_word(part, colour, out);
    fputc('\n', out);
}

static void print_row(const struct versus_row *row, const struct versus_result *versus, bool colour,
                      FILE *out)
{
    enum { INDENT = 4 };
    char network[48] = "RPC and network";

    print_part(row->first->op, 0, &row->round_trip, colour, out);
    if (!row->has_cost)
        return;
    if (row->first->baseline != versus->first->null_calls)
        snprintf(network, sizeof network, "RPC, %.30s", row->first->baseline->op);
    print_part(network, INDENT, &row->network, colour, out);
    if (!row->has_parts) {
        print_part("above null", INDENT, &row->above_null, colour, out);
        return;
    }
    print_part("bytes", INDENT, &row->bytes, colour, out);
    print_part("pause", INDENT, &row->pause, colour, out);
    print_part("server", INDENT, &row->server, colour, out);
}

static void print_differences(const struct versus_result *versus, bool colour, FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    fprintf(out, "B against A, each round's differences\n\n  %-22s %9s %9s  %8s %-18s %7s\n", "op",
            "A us", "B us", "B - A us", "95 %", "p");
    for (size_t i = 0; i < versus->count; i++)
        print_row(&versus->rows[i], versus, colour, out);
    if (versus->has_control)
        fprintf(out, "  %-22s %9s %9s  %+8.3f %-18s the noise floor of B's cost against A's\n",
                "null control", "", "", us(versus->null_control.difference.estimate),
                number_interval(&versus->null_control.difference, 1000, 3, true, bracket));
}

void versus_print(const struct versus_result *versus, bool verbose, bool colour, FILE *out)
{
    fputs("A  ", out);
    text_print(versus->first, verbose, out);
    fputs("\nB  ", out);
    text_print(versus->second, verbose, out);
    fputc('\n', out);
    print_differences(versus, colour, out);
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
