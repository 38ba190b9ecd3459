/* A ladder as CSV: a line for each rung, with its step. */
#include <errno.h>
#include <inttypes.h>

#include "output/ladder.h"

static void write_interval(const struct interval *interval, FILE *out)
{
    fprintf(out, ",%.9g,%.9g,%.9g", interval->estimate, interval->low, interval->high);
}

static void write_rung(const struct ladder_result *result, enum ladder_rung rung, FILE *out)
{
    const struct ladder_rung_type *type = &ladder_rungs[rung];
    const struct interval *step = &result->ladder.steps[rung];

    fprintf(out, "%s,%" PRIu64 ",%zu,%zu", type->name, result->series[rung]->calls,
            result->bytes[rung].call, result->bytes[rung].reply);
    write_interval(&result->ladder.levels[rung], out);
    fprintf(out, ",%s,%s", type->step, rung == LADDER_TIMER ? "" : ladder_rungs[type->above].name);
    write_interval(step, out);
    fputc(',', out);
    if (!type->beside)
        fprintf(out, "%.9g", ladder_share(&result->ladder, rung));
    fputs("\r\n", out);
}

int ladder_write_csv(const void *data, FILE *out)
{
    fputs(
        "rung,calls,call_bytes,reply_bytes,level_ns,level_low_ns,level_high_ns,step,above,cost_ns,"
        "cost_low_ns,cost_high_ns,share\r\n",
        out);
    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        write_rung(data, i, out);
    return ferror(out) ? -EIO : 0;
}
