#include "outage/outage.h"

#include <errno.h>
#include <stdlib.h>

const char *const outage_procedure_names[OUTAGE_PROCEDURES + 1] = {
    [OUTAGE_NULL] = "null",   [OUTAGE_GETATTR] = "getattr", [OUTAGE_READ] = "read",
    [OUTAGE_WRITE] = "write", [OUTAGE_COMMIT] = "commit",
};

bool outage_was_seen(const struct outage *outage)
{
    return outage->gap_count > 0 || outage->lost.blocks > 0;
}

const char *outage_line_name(const struct outage *outage, struct outage_line line,
                             char text[OUTAGE_LINE_SIZE])
{
    const char *name = outage_procedure_names[line.procedure];

    if (outage->connections == 1)
        snprintf(text, OUTAGE_LINE_SIZE, "%s", name);
    else
        snprintf(text, OUTAGE_LINE_SIZE, "%s over connection %llu", name,
                 (unsigned long long)line.connection);
    return text;
}

/* The list of gaps */

struct outage_line outage_line_of(size_t number)
{
    return (struct outage_line){(enum outage_procedure)(number % OUTAGE_PROCEDURES),
                                number / OUTAGE_PROCEDURES + 1};
}

static double since_begin(const struct outage *outage, uint64_t time)
{
    return ((double)time - (double)outage->began_ns) / 1e9;
}

static double length_of(const struct outage *outage, uint64_t began, uint64_t ended)
{
    return (ended ? since_begin(outage, ended) : outage->duration) - since_begin(outage, began);
}

static void add_row(struct outage *outage, const struct gap *gap, size_t line)
{
    const struct gap_row *from = &gap->rows[line];

    outage->rows[outage->row_count++] =
        (struct outage_row){.line = outage_line_of(line),
                            .began = since_begin(outage, from->began),
                            .length = length_of(outage, from->began, from->ended),
                            .ended = from->ended != 0,
                            .grace = (double)from->grace / 1e9,
                            .errors = from->errors};
}

static void add_gap(struct outage *outage, const struct gap *from, size_t lines)
{
    struct outage_gap *gap = &outage->gaps[outage->gap_count++];
    const size_t first = outage->row_count;

    *gap = (struct outage_gap){.began = since_begin(outage, from->began),
                               .length = length_of(outage, from->began, from->ended),
                               .ended = from->ended != 0,
                               .lost = from->lost,
                               .rows = &outage->rows[first]};
    if (from->first_back < lines)
        gap->first_back = outage_line_of(from->first_back);
    for (size_t i = 0; i < lines; i++)
        if (from->rows[i].is_in)
            add_row(outage, from, i);
    gap->row_count = outage->row_count - first;
    for (size_t i = 0; i < gap->row_count; i++)
        if (gap->rows[i].grace > gap->grace)
            gap->grace = gap->rows[i].grace;
}

int outage_list_gaps(struct outage *outage, const struct gaps *log)
{
    outage->gaps = calloc(log->count + 1, sizeof *outage->gaps);
    outage->rows = calloc(log->count * log->line_count + 1, sizeof *outage->rows);
    if (!outage->gaps || !outage->rows)
        return -ENOMEM;
    for (size_t i = 0; i < log->count; i++)
        add_gap(outage, &log->gap[i], log->line_count);
    outage->gaps_not_kept = log->not_kept;
    return 0;
}

void outage_free(struct outage *outage)
{
    free(outage->gaps);
    free(outage->rows);
    outage->gap_count = outage->row_count = 0;
}
