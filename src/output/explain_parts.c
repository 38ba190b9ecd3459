#include "output/explain_parts.h"

#include <math.h>

static const struct {
    const char *name, *key;
} kinds[PHASE_KINDS] = {
    [PHASE_CLIENT] = {"client", "client"},
    [PHASE_QUEUEING] = {"queueing", "queueing"},
    [PHASE_NETWORK] = {"network", "network"},
    [PHASE_SERVER] = {"server", "server"},
    [PHASE_NETWORK_AND_SERVER] = {"network and server", "network-and-server"},
};

const char *explain_kind_name(enum phase_kind kind)
{
    return kinds[kind].name;
}

const char *explain_kind_key(enum phase_kind kind)
{
    return kinds[kind].key;
}

bool explain_overlap(const struct explanation *explanation, double *begins, double *length)
{
    const struct histogram *overlap = &explanation->phases->overlap;

    if (overlap->count == 0 || overlap->mean <= 0)
        return false;
    *begins = explanation->phases->overlap_begin_ns / (double)overlap->count;
    *length = overlap->mean;
    return true;
}

double explain_axis_end(const struct explanation *explanation)
{
    double end = fmax(explanation->phases->lifetime.mean, 1), begins, length;

    for (size_t i = 0; i < explanation->row_count; i++) {
        const struct explain_row *row = &explanation->rows[i];

        end = fmax(end, row->begins + row->adjusted - row->second_ns);
        end = fmax(end, row->second_begins + row->second_ns);
    }
    if (explain_overlap(explanation, &begins, &length))
        end = fmax(end, begins + length);
    return end;
}

double explain_axis_step(double end_ns, unsigned marks)
{
    static const double steps[] = {1, 2, 5, 10};
    double least = end_ns / marks, power = pow(10, floor(log10(least)));
    size_t i = 0;

    while (i < 3 && steps[i] * power < least)
        i++;
    return steps[i] * power;
}

int explain_misses(const struct explain_row *row)
{
    if (isnan(row->prediction.low))
        return 0;
    return row->mean < row->prediction.low ? -1 : row->mean > row->prediction.high;
}
