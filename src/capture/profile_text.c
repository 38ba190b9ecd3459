/* A profile for people. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "capture/profile.h"
#include "common/printable.h"
#include "nfs/status.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "version.h"

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_heading(const struct profile *profile, FILE *out)
{
    const char *transport = !profile->over_udp ? "TCP" : !profile->over_tcp ? "UDP" : "TCP and UDP";

    fprintf(out, "nfsbench %s  profile of %s  NFSv3 over %s\n", NFSBENCH_VERSION,
            printable(profile->path).text, transport);
    fprintf(out,
            "%.3f s, %" PRIu64 " packets, %zu client%s, %zu server%s, %" PRIu64 " calls;\n"
            "latencies are from a call's last byte to its reply's, as the capturing machine saw "
            "them\n\n",
            profile_seconds(profile), profile->counts.packets, profile->clients.count,
            plural(profile->clients.count), profile->servers.count, plural(profile->servers.count),
            profile_calls(profile));
}

/* Procedures */

static const struct table_column columns[] = {
    {"procedure", 11, true, 0},    {"calls", 9, false, 0},       {"share", 6, false, 2},
    {"replies", 9, false, 0},      {"sent again", 10, false, 3}, {"p50 us", 9, false, 0},
    {"p99 us", 9, false, 0},       {"mean us", 9, false, 1},     {"call bytes", 13, false, 4},
    {"reply bytes", 13, false, 5}, {"errors", 6, true, 0},
};

/* "NFS3ERR_NOENT 12, RPC_AUTHERROR 1". */
static void describe_errors(const struct profile_procedure *procedure, char *text, size_t size)
{
    size_t used = nfs_describe_errors(&procedure->tally, text, size);

    if (procedure->protected && used < size)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64 " encrypted",
                                 used ? ", " : "", procedure->protected);
    if (procedure->cut && used < size)
        snprintf(text + used, size - used, "%s%" PRIu64 " cut", used ? ", " : "", procedure->cut);
}

static void print_latency(double ns, bool known, struct table *table)
{
    char text[NUMBER_SIZE];

    table_cell(table, "%s", number_us(known ? ns : NAN, 9, text));
}

static void print_bytes(uint64_t bytes, struct table *table)
{
    char text[NUMBER_SIZE];

    table_cell(table, "%s", number_grouped((double)bytes, text));
}

static void print_procedure(const struct profile *profile, size_t number, struct table *table)
{
    const struct profile_procedure *procedure = &profile->procedures[number];
    const struct histogram *latency = &procedure->latency;
    bool known = latency->count > 0;
    char errors[400];

    describe_errors(procedure, errors, sizeof errors);
    table_cell(table, "%s", profile_procedure_name(number));
    table_cell(table, "%" PRIu64, procedure->calls);
    table_cell(table, "%.1f %%", 100 * (double)procedure->calls / (double)profile_calls(profile));
    table_cell(table, "%" PRIu64, procedure->replies);
    table_cell(table, "%" PRIu64, procedure->retransmitted);
    print_latency(histogram_quantile(latency, 0.5), known, table);
    print_latency(histogram_quantile(latency, 0.99), known, table);
    print_latency(latency->mean, known, table);
    print_bytes(procedure->call_bytes, table);
    print_bytes(procedure->reply_bytes, table);
    table_end_row(table, errors);
}

static bool was_seen(const struct profile_procedure *procedure)
{
    return procedure->calls + procedure->retransmitted > 0;
}

static void print_procedures(const struct profile *profile, FILE *out)
{
    struct table table;

    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < PROFILE_PROCEDURES; i++)
        if (was_seen(&profile->procedures[i]))
            print_procedure(profile, i, &table);
}

/* The rest */

static void print_programs(const struct profile *profile, FILE *out)
{
    if (profile->program_count)
        fputs("\nnot decoded\n", out);
    for (size_t i = 0; i < profile->program_count; i++) {
        const struct profile_program *program = &profile->programs[i];

        fprintf(out,
                "  %s version %u: calls %" PRIu64 ", replies %" PRIu64 ", sent again %" PRIu64 "\n",
                profile_program_name(program->program), program->version, program->calls,
                program->replies, program->retransmitted);
    }
}

void profile_print_lacks(const struct profile *profile, FILE *out)
{
    const struct profile_counts *counts = &profile->counts;
    const struct {
        uint64_t count;
        const char *text;
    } lacks[] = {
        {counts->cut, "packets cut by the snap length"},
        {counts->other, "packets that are neither TCP nor UDP, or malformed"},
        {counts->late, "packets that are earlier than one before them"},
        {counts->incomplete, "packets that lack a fragment"},
        {counts->begun_inside, "directions of connections that began before the capture"},
        {counts->retransmitted, "TCP segments that were retransmitted"},
        {counts->reordered, "TCP segments that came before one that precedes them"},
        {counts->holes, "gaps in TCP streams"},
        {counts->missing, "bytes that are missing in them"},
        {counts->undecodable, "RPC messages cut within their header, or malformed"},
        {counts->given_up, "calls without a reply within 10 s, in flight no longer"},
        {counts->unmatched, "replies to calls that the capture lacks"},
        {counts->duplicates, "replies to calls that were answered before"},
    };
    bool titled = false;

    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++) {
        if (lacks[i].count == 0)
            continue;
        fputs(titled ? "" : "\nwhat the capture lacks, or has twice\n", out);
        titled = true;
        fprintf(out, "  %9" PRIu64 "  %s\n", lacks[i].count, lacks[i].text);
    }
    if (profile->ended_by[0])
        fprintf(out, "\nthe capture can't be read further: %s\n",
                printable(profile->ended_by).text);
}

void profile_print(const struct profile *profile, FILE *out)
{
    print_heading(profile, out);
    print_procedures(profile, out);
    print_programs(profile, out);
}
