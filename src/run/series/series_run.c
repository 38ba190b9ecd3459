/* Makes a block of a series with the engine for its calls, and says why no call could be timed. */
#include <errno.h>

#include "nfs/status.h"
#include "run/mount_calls.h"
#include "run/series/listing_findings.h"
#include "run/series/series.h"
#include "run/witness.h"

int series_set_run(struct series_set *set, struct run_series *series, struct block *block,
                   struct engine_tally *tally, struct error *error)
{
    if (series->mounted)
        return set->plan->engine->mount->run(set, series, block, tally, error);
    if (series->role == SERIES_ECHO)
        return witness_run(set->witness, series, set->clock, block, error);
    return series_run_watched(set, series, series_set_engine(set, series), &series->call.engine,
                              block, tally, error);
}

/* Set ERROR for a block whose calls were all retransmitted: over UDP because replies took longer
 * than the timeout, over TCP because the connection was lost. */
static int refuse_resent_block(const struct run_plan *plan, const struct run_series *series,
                               struct error *error)
{
    const double timeout_s = (double)plan->timeout_ns / 1e9;

    if (plan->target.transport == TRANSPORT_TCP)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "every call of a block of %s was sent again, because its connection was "
                         "lost, so no call has a latency; use --count-resent to include such calls",
                         series->name);
    return error_set(
        error, ERROR_FAILED, -ENODATA,
        "every call of a block of %s was sent again, because no reply came within --timeout %g s, "
        "so no call has a latency; if the server is slower than this, use --timeout %gs",
        series->name, timeout_s, 3 * timeout_s);
}

int series_failed_block_error(const struct run_plan *plan, const struct run_series *series,
                              struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE], listing[LISTING_FINDINGS_TEXT];
    const struct engine_tally *tally = &series->tally;
    const char *finding;
    int status;

    if (tally->error_kinds == 0)
        return refuse_resent_block(plan, series, error);
    status = tally->errors[tally->error_kinds - 1].status;
    finding = nfs_status_finding(status);
    if ((status == NFS3ERR_BAD_COOKIE || status == NFS_COOKIE_REPEATED) &&
        listing_findings_timed(series, listing))
        finding = listing;
    if (finding)
        return error_set(error, ERROR_FAILED, -ENODATA, "every call of a block of %s failed: %s",
                         series->name, finding);
    return error_set(
        error, ERROR_FAILED, -ENODATA, "every call of a block of %s failed; %s %s%s", series->name,
        series->role == SERIES_LOCAL ? "the file system answers" : "the server answers",
        nfs_status_name(status, name), nfs_status_hint(status));
}
