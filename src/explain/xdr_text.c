/* The result of --xdr as text for people. */
#include "common/counted.h"
#include "explain/xdr.h"

#include <inttypes.h>
#include <math.h>

#include "common/printable.h"
#include "measure/validity.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "version.h"

static void print_heading(const struct xdr_result *result, FILE *out)
{
    fprintf(out, "nfsbench %s  XDR of each call on %s  NFSv3 over %s  ", NFSBENCH_VERSION,
            printable(result->origin.target).text, result->origin.transport);
    origin_print_security(result->origin.auth, result->origin.xprtsec, out);
    fprintf(out, "\nclient on CPU %s", result->client_cpus);
    if (result->server_cpu >= 0)
        fprintf(out, ", server on CPU %d", result->server_cpu);
    fprintf(out, "     clock %s, its cost of %.0f ns taken off\n", result->clock,
            result->clock_cost_ns);
    fprintf(out,
            "%s, seed %" PRIu64 "; in each, of each op, %zu round trips and,\nof each kind "
            "of XDR, %zu batches of %.0f us or more, in random order\n",
            counted(result->rounds, "round").text, result->origin.seed, result->round_trips,
            result->batches, result->batch_ns / 1000);
    if (result->rounds < VALIDITY_ROUNDS_SUSPECT)
        fprintf(out,
                "with fewer than %d rounds the intervals themselves are uncertain: raise COUNT\n",
                VALIDITY_ROUNDS_SUSPECT);
    if (result->cut_short_by)
        fprintf(out, "CUT SHORT after %s: %s\n", counted(result->rounds, "round").text,
                printable(result->cut_short_by).text);
}

static const struct table_column columns[] = {
    {"op", 16, true, 0},        {"call B", 7, false, 4},    {"reply B", 7, false, 4},
    {"encode ns", 9, false, 0}, {"decode ns", 9, false, 0}, {"stamp ns", 8, false, 2},
    {"check ns", 8, false, 2},  {"trip us", 8, false, 0},   {"rpcgen %", 8, false, 0},
    {"95 %", 15, true, 1},      {"wire %", 6, false, 3},
};

static void print_row(const struct xdr_row *row, struct table *table)
{
    const struct interval *figures = row->figures, *share = &figures[XDR_FIGURE_SHARE_RPCGEN];
    char range[NUMBER_INTERVAL_SIZE];

    table_cell(table, "%s", row->op);
    table_cell(table, "%zu", row->call_bytes);
    table_cell(table, "%zu", row->reply_bytes);
    table_cell(table, "%.1f", figures[XDR_FIGURE_ENCODE].estimate);
    table_cell(table, "%.1f", figures[XDR_FIGURE_DECODE].estimate);
    table_cell(table, "%.1f", figures[XDR_FIGURE_STAMP].estimate);
    table_cell(table, "%.1f", figures[XDR_FIGURE_CHECK].estimate);
    table_cell(table, "%.2f", figures[XDR_FIGURE_ROUND_TRIP].estimate / 1000);
    table_cell(table, "%.2f", 100 * share->estimate);
    table_cell(table, "%s", number_interval(share, 0.01, 2, false, range));
    table_cell(table, "%.2f", 100 * figures[XDR_FIGURE_SHARE_WIRE].estimate);
    table_end_row(table, "");
}

/* Protection */

static bool is_protected(const struct xdr_row *row)
{
    return !isnan(row->figures[XDR_FIGURE_MIC].estimate);
}

static const struct table_column part_columns[] = {
    {"op", 16, true, 0},  {"sec", 6, true, 0},   {"part", 8, true, 0},
    {"ns", 11, false, 0}, {"95 %", 22, true, 0},
};

static void print_parts(const struct xdr_row *row, const char *auth, struct table *table)
{
    static const char *const names[] = {"MIC", "wrap", "verify", "unwrap"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct interval *figure = &row->figures[XDR_FIGURE_MIC + i];
        char range[NUMBER_INTERVAL_SIZE];

        if (isnan(figure->estimate))
            continue;
        table_cell(table, "%s", row->op);
        table_cell(table, "%s", auth);
        table_cell(table, "%s", names[i]);
        table_cell(table, "%.1f", figure->estimate);
        table_cell(table, "%s", number_interval(figure, 1, 1, false, range));
        table_end_row(table, "");
    }
}

static void print_protection(const struct xdr_result *result, FILE *out)
{
    struct table table;
    size_t first = 0;

    while (first < result->row_count && !is_protected(&result->rows[first]))
        first++;
    if (first == result->row_count)
        return;
    fputc('\n', out);
    table_begin(&table, part_columns, sizeof part_columns / sizeof part_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = first; i < result->row_count; i++)
        if (is_protected(&result->rows[i]))
            print_parts(&result->rows[i], result->origin.auth, &table);
    fputs("\n"
          "  MIC, wrap: what protects a call: its header with the credential and its MIC;\n"
          "  with krb5i and krb5p its arguments. The round trip includes both.\n"
          "  verify, unwrap: what opens its reply: the verifier, and the results. The round\n"
          "  trip includes them only with --check-in-time. Times of the library, in memory.\n",
          out);
}

void xdr_print(const struct xdr_result *result, FILE *out)
{
    struct table table;

    print_heading(result, out);
    fputc('\n', out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < result->row_count; i++)
        print_row(&result->rows[i], &table);
    for (size_t i = 0; i < result->skipped_count; i++)
        fprintf(out, "  %-16s left out: %s\n", result->skipped[i].op,
                printable(result->skipped[i].reason).text);
    fputs("\n"
          "  encode, decode: a client that encodes each call and decodes each result by\n"
          "  rpcgen's routines: RPC header with credential and arguments; RPC header and\n"
          "  result, with its memory given back.\n"
          "  stamp, check: what engine wire does instead: mark and xid written into a call\n"
          "  encoded once; the reply's header and result checked where they are.\n"
          "  trip: the round trip, of the same rounds, which has none of the four: a call\n"
          "  is the round trip and two of them; rpcgen and wire are the shares that these\n"
          "  two have in it.\n"
          "  In memory, the same bytes over and over, so the caches are warm and hold what\n"
          "  fits: a lower bound.\n",
          out);
    print_protection(result, out);
}
