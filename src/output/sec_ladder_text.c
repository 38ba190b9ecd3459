/* A security ladder as text for people. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/number.h"
#include "output/sec_ladder.h"
#include "output/table.h"
#include "output/terminal.h"
#include "output/text.h"
#include "version.h"

enum { KIB = 1024 };

const char *sec_point_name(const struct sec_point *point, char out[SEC_NAME_SIZE])
{
    const uint32_t size = point->size;

    if (size == 0)
        snprintf(out, SEC_NAME_SIZE, "%.20s", point->op);
    else if (size % (KIB * KIB) == 0)
        snprintf(out, SEC_NAME_SIZE, "%.20s %" PRIu32 "Mi", point->op, size / (KIB * KIB));
    else if (size % KIB == 0)
        snprintf(out, SEC_NAME_SIZE, "%.20s %" PRIu32 "Ki", point->op, size / KIB);
    else
        snprintf(out, SEC_NAME_SIZE, "%.20s %" PRIu32, point->op, size);
    return out;
}

/* The heading */

static void print_heading(const struct sec_ladder *ladder, FILE *out)
{
    fprintf(out, "nfsbench %s  security ladder on %s\nNFSv3 over %s  engine %s\n", NFSBENCH_VERSION,
            printable(ladder->origin.target).text, ladder->origin.transport, ladder->engine);
    fprintf(out, "client on CPU %s     %zu trials of ", ladder->client_cpus, ladder->trials_done);
    if (ladder->trial_calls)
        fprintf(out, "%" PRIu64 " calls", ladder->trial_calls);
    else
        fprintf(out, "%.2g s", ladder->trial_seconds);
    fprintf(out, " in random order, seed %" PRIu64 "\n", ladder->origin.seed);
    fprintf(out,
            "each against AUTH_SYS in the same rounds; a call is protected within its time,\n"
            "and its reply verified %s\n",
            ladder->check_in_time ? "within it, too" : "after it (but see --check-in-time)");
    if (ladder->cut_short_by)
        fprintf(out, "CUT SHORT after %zu of %zu trials: %s\n", ladder->trials_done,
                ladder->trials_planned, printable(ladder->cut_short_by).text);
}

/* Cells */

/* As many decimals as a figure of that size needs. */
static int decimals_of(double value)
{
    return fabs(value) < 100 ? 2 : fabs(value) < 1000 ? 1 : 0;
}

static void us_cell(double ns, struct table *table)
{
    char text[SWEEP_CELL_SIZE];

    table_cell(table, "%s", sweep_cell(text, decimals_of(us(ns)), us(ns)));
}

static void bracket_cell(const struct interval *value, double unit, int decimals,
                         struct table *table)
{
    const struct interval scaled = {value->estimate / unit, value->low / unit, value->high / unit};
    char range[SWEEP_CELL_SIZE];

    table_cell(table, "%s", sweep_bracket(range, &scaled, decimals));
}

static void invalid_remark(const struct sec_point *point, struct table *table)
{
    char remark[64] = "";

    if (point->invalid)
        snprintf(remark, sizeof remark, "(%zu of %zu trials invalid)", point->invalid,
                 point->repeats);
    table_end_row(table, remark);
}

/* An op's name stands before its first row. */
static void name_cell(const struct sec_ladder *ladder, size_t index, struct table *table)
{
    const struct sec_point *point = &ladder->points[index], *before = point - 1;
    bool again = index > 0 && strcmp(before->op, point->op) == 0 && before->size == point->size &&
                 before->depth == point->depth;
    char name[SEC_NAME_SIZE];

    table_cell(table, "%s", again ? "" : sec_point_name(point, name));
    table_cell(table, "%s", point->security);
}

/* One call at a time */

static void print_cost(const struct sec_ladder *ladder, size_t index, struct table *table)
{
    const struct sec_point *point = &ladder->points[index];
    const struct interval *above = &point->intervals[SEC_ABOVE];

    name_cell(ladder, index, table);
    us_cell(point->intervals[SEC_ROUND_TRIP].estimate, table);
    table_cell(table, "%+.*f", decimals_of(us(above->estimate)), us(above->estimate));
    bracket_cell(above, 1000, decimals_of(us(above->estimate)), table);
    us_cell(point->intervals[SEC_CLIENT_CPU].estimate, table);
    us_cell(point->intervals[SEC_SERVER_CPU].estimate, table);
    invalid_remark(point, table);
}

static void print_costs(const struct sec_ladder *ladder, FILE *out)
{
    static const struct table_column columns[] = {
        {"op", 11, true, 0},     {"sec", 5, true, 0},   {"us", 8, false, 0},
        {"above", 8, false, 0},  {"95 %", 18, true, 0}, {"CPU us", 7, false, 1},
        {"server", 7, false, 1},
    };
    struct table table;

    fputc('\n', out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < ladder->point_count; i++)
        if (ladder->points[i].depth == 1)
            print_cost(ladder, i, &table);
    fputs("\n  us: a round trip; above: less AUTH_SYS's in the same rounds (of sys itself:\n"
          "  noise); CPU us, server: the client's and the server's processor time of a call\n",
          out);
}

/* By size */

static const struct interval *slope_of(const struct piecewise_piece *piece)
{
    static const struct interval unknown = {NAN, NAN, NAN};

    return piece->slope_known ? &piece->ns_per_byte : &unknown;
}

static void print_piece(const struct sec_line *line, const struct piecewise_piece *piece,
                        struct table *table)
{
    const struct interval *slope = slope_of(piece), *fixed = &piece->fixed_ns;
    const double unit = 1000.0 / KIB; /* from ns a byte to us a KiB */
    char text[SWEEP_CELL_SIZE], remark[96] = "";

    table_cell(table, "%s", line->op);
    table_cell(table, "%s", line->security);
    table_cell(table, "%.0f..%.0f", piece->first, piece->last);
    table_cell(table, "%s", sweep_cell(text, 3, slope->estimate / unit));
    bracket_cell(slope, unit, 3, table);
    table_cell(table, "%s", sweep_cell(text, 2, piece->fixed_known ? us(fixed->estimate) : NAN));
    if (!piece->slope_known || !piece->fixed_known)
        snprintf(remark, sizeof remark, "on no line: off it by up to %.2f us beyond the noise",
                 us(piece->misfit_ns));
    table_end_row(table, remark);
}

static void print_line(const struct sec_line *line, struct table *table)
{
    if (!line->sizes.has_cost) {
        table_cell(table, "%s", line->op);
        table_cell(table, "%s", line->security);
        table_end_row(table, printable(line->sizes.missing).text);
    }
    for (size_t i = 0; line->sizes.has_cost && i <= line->sizes.cost.breaks; i++)
        print_piece(line, &line->sizes.cost.piece[i], table);
}

static void print_lines(const struct sec_ladder *ladder, FILE *out)
{
    static const struct table_column columns[] = {
        {"op", 11, true, 0},     {"sec", 5, true, 0},   {"bytes", 13, true, 0},
        {"us/KiB", 8, false, 0}, {"95 %", 18, true, 0}, {"+ us", 8, false, 0},
    };
    struct table table;

    if (ladder->line_count == 0)
        return;
    fputs("\n  what is above AUTH_SYS, as a line over the bytes of a call\n\n", out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < ladder->line_count; i++)
        print_line(&ladder->lines[i], &table);
}

/* Under load */

static void print_rate(const struct sec_ladder *ladder, size_t index, struct table *table)
{
    const struct sec_point *point = &ladder->points[index];
    const struct interval *rate = &point->intervals[SEC_RATE];
    const struct interval *share = &point->intervals[SEC_RATE_SHARE];

    name_cell(ladder, index, table);
    table_cell(table, "%" PRIu32, point->depth);
    table_cell(table, "%.0f", rate->estimate);
    bracket_cell(rate, 1, 0, table);
    table_cell(table, "%.1f", 100 * share->estimate);
    us_cell(point->intervals[SEC_CLIENT_CPU].estimate, table);
    us_cell(point->intervals[SEC_SERVER_CPU].estimate, table);
    invalid_remark(point, table);
}

static void print_rates(const struct sec_ladder *ladder, FILE *out)
{
    static const struct table_column columns[] = {
        {"op", 11, true, 0},      {"sec", 5, true, 0},     {"depth", 5, false, 0},
        {"calls/s", 8, false, 0}, {"95 %", 16, true, 0},   {"% sys", 5, false, 0},
        {"CPU us", 6, false, 1},  {"server", 6, false, 1},
    };
    struct table table;

    fputs("\n  calls per second with as many in flight as DEPTH, and the share of AUTH_SYS's\n\n",
          out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < ladder->point_count; i++)
        if (ladder->points[i].depth > 1)
            print_rate(ladder, i, &table);
}

/* What is not there */

/* The only flavor is what the others would be compared with. */
static bool has_one_rung(const struct sec_ladder *ladder)
{
    for (size_t i = 0; i < ladder->point_count; i++)
        if (strcmp(ladder->points[i].security, SEC_BASE) != 0)
            return false;
    return true;
}

/* "krb5 with read, depth 64": what was left out. */
static size_t name_left_out(const struct sec_left_out *left_out, char *out, size_t size)
{
    if (!left_out->op)
        return (size_t)snprintf(out, size, "%.20s", left_out->security);
    return (size_t)snprintf(out, size, "%.20s with %.20s, depth %" PRIu32, left_out->security,
                            left_out->op, left_out->depth);
}

/* All from FIRST on that have its reason, which stand together. Returns how many. */
static size_t list_left_out(const struct sec_ladder *ladder, size_t first, char *out, size_t size)
{
    const struct sec_left_out *left_out = &ladder->left_out[first];
    size_t count = 0, used = 0;

    for (; first + count < ladder->left_out_count; count++) {
        if (strcmp(left_out[count].reason, left_out->reason) != 0)
            break;
        if (count > 0 && used + 3 < size)
            used += (size_t)snprintf(out + used, size - used, "; ");
        if (used < size)
            used += name_left_out(&left_out[count], out + used, size - used);
    }
    return count;
}

static void print_left_out(const struct sec_ladder *ladder, FILE *out)
{
    char line[1600], names[1000];

    if (has_one_rung(ladder))
        fputs("\n  A ladder of one rung: there is AUTH_SYS only, and nothing to compare it with.\n",
              out);
    for (size_t i = 0, next; i < ladder->left_out_count; i = next) {
        next = i + list_left_out(ladder, i, names, sizeof names);
        snprintf(line, sizeof line, "  left out: %s: %.500s", names,
                 printable(ladder->left_out[i].reason).text);
        fputs(i == 0 ? "\n" : "", out);
        terminal_print_wrapped(line, 4, out);
    }
}

static bool has_rates(const struct sec_ladder *ladder)
{
    for (size_t i = 0; i < ladder->point_count; i++)
        if (ladder->points[i].depth > 1)
            return true;
    return false;
}

void sec_ladder_print(const struct sec_ladder *ladder, FILE *out)
{
    print_heading(ladder, out);
    print_costs(ladder, out);
    print_lines(ladder, out);
    if (has_rates(ladder))
        print_rates(ladder, out);
    print_left_out(ladder, out);
    fputc('\n', out);
    text_print_verdict(&ladder->validity, out);
}
