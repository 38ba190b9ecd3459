#include "outage/outage.h"

const char *const outage_procedure_names[OUTAGE_PROCEDURES] = {
    [OUTAGE_NULL] = "null",   [OUTAGE_GETATTR] = "getattr", [OUTAGE_READ] = "read",
    [OUTAGE_WRITE] = "write", [OUTAGE_COMMIT] = "commit",
};

const char *const outage_fault_names[BLOCK_FAULTS] = {
    [BLOCK_RIGHT] = "right",
    [BLOCK_MISSING] = "missing",
    [BLOCK_OLDER] = "older",
    [BLOCK_OTHER] = "other",
};

bool outage_was_seen(const struct outage *outage)
{
    return outage->gaps->count > 0 || outage->lost.blocks > 0;
}

uint64_t outage_unanswered(const struct outage *outage)
{
    uint64_t replies = outage->answered + outage->counts.unmatched + outage->in_flight;

    return outage->sent > replies ? outage->sent - replies : 0;
}

double outage_seconds(const struct outage *outage, uint64_t time)
{
    return ((double)time - (double)outage->began_ns) / 1e9;
}

double outage_span(const struct outage *outage, uint64_t began, uint64_t ended)
{
    return (ended ? outage_seconds(outage, ended) : outage->duration) -
           outage_seconds(outage, began);
}

double outage_grace(const struct outage *outage, const struct gap *gap)
{
    uint64_t longest = 0;

    for (size_t i = 0; i < outage->gaps->line_count; i++)
        if (gap->rows[i].grace > longest)
            longest = gap->rows[i].grace;
    return (double)longest / 1e9;
}

const char *outage_line_name(const struct outage *outage, size_t line, char text[OUTAGE_LINE_SIZE])
{
    const char *procedure = outage_procedure_names[line % OUTAGE_PROCEDURES];

    if (outage->connections == 1)
        snprintf(text, OUTAGE_LINE_SIZE, "%s", procedure);
    else
        snprintf(text, OUTAGE_LINE_SIZE, "%s over connection %zu", procedure,
                 line / OUTAGE_PROCEDURES + 1);
    return text;
}
