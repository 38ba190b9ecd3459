#include "measure/phases.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum phase_finding phases_of_call(const struct phase_view *view, const struct call_times *call,
                                  double ns[PHASE_TYPES])
{
    uint64_t before = call->at[TIMESTAMP_BEGUN];

    if (call->retransmitted)
        return PHASE_RETRANSMITTED;
    if (call->failed)
        return PHASE_FAILED;
    for (size_t i = 0; i < PHASE_TYPES; i++) {
        uint64_t at = call->at[phase_types[i].ends];

        ns[i] = NAN;
        if (!phase_is_in(view, i))
            continue;
        if (at == 0 && phase_types[i].flags & PHASE_REQUIRED)
            return PHASE_INCOMPLETE;
        if (at == 0)
            continue;
        if (at < before)
            return PHASE_OUT_OF_ORDER;
        ns[i] = (double)(at - before);
        before = at;
    }
    return PHASE_EXPLAINED;
}

int phases_open(struct phases *phases, const struct phase_view *view)
{
    *phases = (struct phases){.view = view, .totals = calloc(PHASE_TYPES, sizeof *phases->totals)};
    return phases->totals ? 0 : -ENOMEM;
}

void phases_close(struct phases *phases)
{
    free(phases->totals);
    phases->totals = NULL;
}

void phases_join(double ns[PHASE_TYPES])
{
    for (size_t i = 0; i < PHASE_TYPES; i++) {
        size_t first = 0;

        if (!(phase_types[i].flags & PHASE_JOINED) || isnan(ns[i]))
            continue;
        while (strcmp(phase_types[first].key, phase_types[i].key) != 0)
            first++;
        ns[first] += ns[i];
        ns[i] = NAN;
    }
}

static void record_phases(struct phases *phases, double *ns)
{
    for (size_t i = 0; i < PHASE_TYPES; i++)
        phases->totals[i].sum_ns += isnan(ns[i]) ? 0 : ns[i];
    phases_join(ns);
    for (size_t i = 0; i < PHASE_TYPES; i++)
        if (!isnan(ns[i]))
            histogram_record(&phases->totals[i].histogram, ns[i]);
}

static void record_overlap(struct phases *phases, const struct call_times *call)
{
    uint64_t from = call->at[TIMESTAMP_TRANSMITTED];

    if (from == 0 || call->send_returned < from)
        return;
    histogram_record(&phases->overlap, (double)(call->send_returned - from));
    phases->overlap_begin_ns += (double)(from - call->at[TIMESTAMP_BEGUN]);
}

enum phase_finding phases_add(struct phases *phases, const struct call_times *call)
{
    double ns[PHASE_TYPES];
    enum phase_finding finding = phases_of_call(phases->view, call, ns);

    phases->retransmitted += finding == PHASE_RETRANSMITTED;
    phases->failed += finding == PHASE_FAILED;
    phases->incomplete += finding == PHASE_INCOMPLETE;
    phases->out_of_order += finding == PHASE_OUT_OF_ORDER;
    if (finding != PHASE_EXPLAINED)
        return finding;
    record_phases(phases, ns);
    record_overlap(phases, call);
    histogram_record(&phases->lifetime, (double)call->lifetime_ns);
    return finding;
}

void phase_rows_share(struct phase_row *rows, size_t count, double lifetime_ns)
{
    double without_queueing = lifetime_ns, of_client = lifetime_ns;

    for (size_t i = 0; i < count; i++) {
        without_queueing -= rows[i].type->kind == PHASE_QUEUEING ? rows[i].adjusted : 0;
        of_client -= rows[i].type->kind == PHASE_CLIENT ? 0 : rows[i].adjusted;
    }
    for (size_t i = 0; i < count; i++) {
        struct phase_row *row = &rows[i];
        enum phase_kind kind = row->type->kind;

        row->share = row->adjusted / lifetime_ns;
        row->share_without_queueing =
            kind == PHASE_QUEUEING ? NAN : row->adjusted / without_queueing;
        row->share_of_client = kind == PHASE_CLIENT ? row->adjusted / of_client : NAN;
    }
}

double phases_sum(const struct phases *phases)
{
    double sum = 0;

    for (size_t i = 0; i < PHASE_TYPES; i++)
        sum += phases->totals[i].sum_ns;
    return phases->lifetime.count ? sum / (double)phases->lifetime.count : 0;
}
