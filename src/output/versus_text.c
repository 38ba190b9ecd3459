/* Two sides of the same rounds as text for people. */
#include <math.h>

#include "output/text.h"
#include "output/versus.h"

static double us(double nanoseconds)
{
    return fabs(nanoseconds) < 0.5 ? 0 : nanoseconds / 1000;
}

static const char *colour_of(enum compare_word word)
{
    return word == COMPARE_SLOWER ? "\033[31m" : word == COMPARE_FASTER ? "\033[32m" : "\033[2m";
}

static void print_word(const struct versus_part *part, bool colour, FILE *out)
{
    char p[16];

    if (!part->judged)
        return;
    snprintf(p, sizeof p, part->comparison.adjusted_p < 0.001 ? "<0.001" : "%.3f",
             part->comparison.adjusted_p);
    fprintf(out, " %7s  %s%s%s", p, colour ? colour_of(part->word) : "",
            compare_word_name(part->word), colour ? "\033[0m" : "");
}

/* A line of the table, NAME indented by INDENT. */
static void print_part(const char *name, int indent, const struct versus_part *part, bool colour,
                       FILE *out)
{
    enum { NAME_COLUMNS = 22 };
    const struct comparison *comparison = &part->comparison;
    char bracket[48];

    snprintf(bracket, sizeof bracket, "[%+.3f, %+.3f]", us(comparison->difference.low),
             us(comparison->difference.high));
    fprintf(out, "  %*s%-*s %9.3f %9.3f  %+8.3f %-*s", indent, "", NAME_COLUMNS - indent, name,
            us(comparison->first.estimate), us(comparison->second.estimate),
            us(comparison->difference.estimate), part->judged ? 18 : 0, bracket);
    print_word(part, colour, out);
    fputc('\n', out);
}

static void print_row(const struct versus_row *row, const struct result *result, bool colour,
                      FILE *out)
{
    enum { INDENT = 4 };
    char network[48] = "RPC and network";

    print_part(row->first->op, 0, &row->round_trip, colour, out);
    if (!row->has_cost)
        return;
    if (row->first->baseline > 0)
        snprintf(network, sizeof network, "RPC, %.30s", result->ops[row->first->baseline].op);
    print_part(network, INDENT, &row->network, colour, out);
    if (!row->has_parts) {
        print_part("above null", INDENT, &row->above_null, colour, out);
        return;
    }
    print_part("bytes", INDENT, &row->bytes, colour, out);
    print_part("pace", INDENT, &row->pace, colour, out);
    print_part("server", INDENT, &row->server, colour, out);
}

static void print_differences(const struct versus_result *versus, bool colour, FILE *out)
{
    fprintf(out, "B against A, each round's differences\n\n  %-22s %9s %9s  %8s %-18s %7s\n", "op",
            "A us", "B us", "B - A us", "95 %", "p");
    for (size_t i = 0; i < versus->count; i++)
        print_row(&versus->rows[i], versus->first, colour, out);
    if (versus->has_control)
        fprintf(
            out,
            "  %-22s %9s %9s  %+8.3f [%+.3f, %+.3f]   the noise floor of B's cost against A's\n",
            "null again", "", "", us(versus->control.difference.estimate),
            us(versus->control.difference.low), us(versus->control.difference.high));
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
