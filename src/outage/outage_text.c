/* An outage as text for people. */
#include <inttypes.h>

#include "common/counted.h"
#include "common/printable.h"
#include "nfs/status.h"
#include "outage/outage.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "version.h"

enum { GAPS_IN_DETAIL = 10 }; /* JSON and CSV have all */

static void print_heading(const struct outage *outage, FILE *out)
{
    fprintf(out, "nfsbench %s  outages of %s  NFSv3 over %s  ", NFSBENCH_VERSION,
            printable(outage->origin.target).text, outage->origin.transport);
    origin_print_security(outage->origin.auth, outage->origin.xprtsec, out);
    fprintf(out,
            "\n%.1f s, each procedure %.4g times a second over %s%s,\n"
            "%u bytes each; %.3g s or more without a good answer is a gap\n",
            outage->duration, outage->rate, outage->connections > 1 ? "each of " : "",
            counted(outage->connections, "connection").text, outage->block_size, outage->threshold);
}

/* Gaps */

static const struct table_column gap_columns[] = {
    {"gap", 3, false, 0},        {"began at s", 10, false, 0}, {"length s", 9, false, 0},
    {"first back", 24, true, 1}, {"grace s", 8, false, 0},     {"lost blocks", 11, false, 0},
};

static void print_gap(const struct outage *outage, size_t number, struct table *table)
{
    const struct outage_gap *gap = &outage->gaps[number];
    char name[OUTAGE_LINE_SIZE];

    table_cell(table, "%zu", number + 1);
    table_cell(table, "%.3f", gap->began);
    table_cell(table, "%.3f", gap->length);
    table_cell(table, "%s",
               gap->first_back.op ? outage_line_name(outage, gap->first_back, name) : "-");
    table_cell(table, "%.3f", gap->grace);
    table_cell(table, "%" PRIu64, gap->lost);
    table_end_row(table, gap->ended ? "" : "not over");
}

static void print_gaps(const struct outage *outage, FILE *out)
{
    struct table table;

    if (outage->gap_count == 0) {
        fputs("\n  no gap\n", out);
        return;
    }
    fputc('\n', out);
    table_begin(&table, gap_columns, sizeof gap_columns / sizeof gap_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < outage->gap_count; i++)
        print_gap(outage, i, &table);
    if (outage->gaps_not_kept > 0)
        fprintf(out, "  %" PRIu64 " more gaps\n", outage->gaps_not_kept);
}

static const struct table_column row_columns[] = {
    {"gap", 3, false, 0},         {"procedure", 9, true, 0}, {"connection", 10, false, 0},
    {"began at s", 10, false, 0}, {"length s", 9, false, 0}, {"grace s", 8, false, 0},
    {"errors", 8, false, 0},
};

static void print_row(const struct outage_row *row, struct table *table)
{
    table_cell(table, "%" PRIu64, row->gap);
    table_cell(table, "%s", row->line.op);
    table_cell(table, "%" PRIu64, row->line.connection);
    table_cell(table, "%.3f", row->began);
    table_cell(table, "%.3f", row->length);
    table_cell(table, "%.3f", row->grace);
    table_cell(table, "%" PRIu64, row->errors);
    table_end_row(table, row->ended ? "" : "not over");
}

static void print_rows(const struct outage *outage, FILE *out)
{
    struct table table;

    if (outage->gap_count == 0)
        return;
    fputc('\n', out);
    table_begin(&table, row_columns, sizeof row_columns / sizeof row_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < outage->row_count && outage->rows[i].gap <= GAPS_IN_DETAIL; i++)
        print_row(&outage->rows[i], &table);
}

/* Calls */

static const struct table_column call_columns[] = {
    {"procedure", 9, true, 0}, {"due", 9, false, 0},    {"not sent", 9, false, 0},
    {"good", 9, false, 0},     {"errors", 24, true, 0},
};

static void print_calls(const struct outage *outage, FILE *out)
{
    struct table table;

    fputc('\n', out);
    table_begin(&table, call_columns, sizeof call_columns / sizeof call_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < OUTAGE_PROCEDURES; i++) {
        const struct outage_calls *calls = &outage->calls[i];
        char errors[256];

        nfs_describe_errors(&calls->tally, errors, sizeof errors);
        table_cell(&table, "%s", outage_procedure_names[i]);
        table_cell(&table, "%" PRIu64, calls->due);
        table_cell(&table, "%" PRIu64, calls->not_sent);
        table_cell(&table, "%" PRIu64, calls->good);
        table_end_row(&table, errors);
    }
}

static void print_messages(const struct outage *outage, FILE *out)
{
    fprintf(out,
            "\n  sent again %" PRIu64 ", calls or replies lost %" PRIu64
            ", replies duplicated %" PRIu64 ", reconnections %" PRIu64 "\n",
            outage->counts.retransmissions, outage_unanswered(outage), outage->counts.unmatched,
            outage->counts.reconnections);
    fprintf(out,
            "  handles found again %" PRIu64 " times, directory made again %" PRIu64
            " times, write verifier changed %" PRIu64 " times\n",
            outage->found_again, outage->made_again, outage->verifier_changes);
    if (outage->uncommitted > 0)
        fprintf(out,
                "  %" PRIu64 " blocks of unstable data may have gone with a restart, as they may "
                "(no loss)\n",
                outage->uncommitted);
}

static void print_stalls(const struct outage *outage, FILE *out)
{
    if (outage->stalls > 0)
        fprintf(out,
                "  the probe itself was held up %" PRIu64 " times, for %.3f s, which count for no "
                "gap; see 'nfsbench doctor'\n",
                outage->stalls, (double)outage->stalled_ns / 1e9);
}

static void print_lost(const struct outage *outage, FILE *out)
{
    const struct outage_lost *lost = &outage->lost;
    char bytes[NUMBER_SIZE];

    if (outage->unchecked > 0)
        fprintf(out, "  %" PRIu64 " blocks of stable data could not be read in the end\n",
                outage->unchecked);
    if (lost->blocks == 0) {
        fprintf(out, "  no stable data lost, of %" PRIu64 " blocks written\n", outage->written);
        return;
    }
    fprintf(out,
            "  %sLOSS%s: %" PRIu64 " blocks (%s bytes) that the server had acknowledged as stable, "
            "%" PRIu64 " by FILE_SYNC and %" PRIu64 " by COMMIT: %" PRIu64 " are gone, %" PRIu64
            " hold older data, %" PRIu64 " other data\n",
            terminal_tone(out, TERMINAL_MUCH_WORSE), terminal_tone(out, TERMINAL_PLAIN),
            lost->blocks, number_grouped((double)lost->blocks * outage->block_size, bytes),
            lost->sync, lost->committed, lost->faults[BLOCK_MISSING], lost->faults[BLOCK_OLDER],
            lost->faults[BLOCK_OTHER]);
}

void outage_print(const struct outage *outage, FILE *out)
{
    print_heading(outage, out);
    print_gaps(outage, out);
    print_rows(outage, out);
    print_calls(outage, out);
    print_messages(outage, out);
    print_stalls(outage, out);
    print_lost(outage, out);
}
