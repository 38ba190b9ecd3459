#include "cli/explain_xdr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/error_print.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/xdr_rounds.h"
#include "common/cpu.h"
#include "measure/share.h"
#include "output/file.h"
#include "output/xdr.h"

struct xdr_run {
    struct session session;
    struct xdr_rounds rounds;
    struct xdr_row rows[SETTINGS_OPS_MAXIMUM + 2];
    struct xdr_skipped skipped[SETTINGS_OPS_MAXIMUM];
    char auth[24];
    struct xdr_result result;
};

/* What was found */

/* SUM += the times of KIND, by round. */
static void add_times(const struct xdr_rounds *rounds, size_t op, size_t kind, double *sum)
{
    const double *blocks = xdr_rounds_series(rounds, op, kind)->blocks[BLOCK_TRIMMED_MEAN];
    double scale = xdr_rounds_scale(rounds, op, kind);

    for (size_t i = 0; i < rounds->rounds.done; i++)
        sum[i] += scale * blocks[i];
}

static int fill_time(struct xdr_run *run, size_t op, size_t kind, struct error *error)
{
    struct interval *interval = &run->rows[op].figures[kind];
    const struct series *series = xdr_rounds_series(&run->rounds, op, kind);
    double scale = xdr_rounds_scale(&run->rounds, op, kind);
    int code = estimate_median_interval(series->blocks[BLOCK_TRIMMED_MEAN], run->rounds.rounds.done,
                                        run->session.settings->seed, interval, error);

    interval->estimate *= scale;
    interval->low *= scale;
    interval->high *= scale;
    return code;
}

/* What both FIRST and SECOND are of a call that has them and the round trip. */
static int fill_share(struct xdr_run *run, size_t op, size_t first, size_t second,
                      enum xdr_figure figure, struct error *error)
{
    size_t n = run->rounds.rounds.done;
    double *part = calloc(n, sizeof *part);
    int code;

    if (!part)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a share");
    add_times(&run->rounds, op, first, part);
    add_times(&run->rounds, op, second, part);
    code = share_interval(
        part, xdr_rounds_series(&run->rounds, op, XDR_WORKS)->blocks[BLOCK_TRIMMED_MEAN], n,
        run->session.settings->seed, &run->rows[op].figures[figure], error);
    free(part);
    return code;
}

_Static_assert((int)XDR_WORK_ENCODE == (int)XDR_FIGURE_ENCODE &&
                   (int)XDR_WORK_DECODE == (int)XDR_FIGURE_DECODE &&
                   (int)XDR_WORK_STAMP == (int)XDR_FIGURE_STAMP &&
                   (int)XDR_WORK_CHECK == (int)XDR_FIGURE_CHECK &&
                   (int)XDR_WORKS == (int)XDR_FIGURE_ROUND_TRIP,
               "the kinds of work are the first figures");

static int fill_row(struct xdr_run *run, size_t op, struct error *error)
{
    const struct session_series *series = &run->session.series[run->rounds.ops[op].index];
    struct xdr_row *row = &run->rows[op];
    int code = 0;

    row->op = series->name;
    row->call_bytes = series->call.engine.messages[0].length;
    row->reply_bytes = series->call.reply_length;
    for (size_t kind = 0; kind <= XDR_WORKS && code == 0; kind++)
        code = fill_time(run, op, kind, error);
    if (code == 0)
        code =
            fill_share(run, op, XDR_WORK_ENCODE, XDR_WORK_DECODE, XDR_FIGURE_SHARE_RPCGEN, error);
    if (code == 0)
        code = fill_share(run, op, XDR_WORK_STAMP, XDR_WORK_CHECK, XDR_FIGURE_SHARE_WIRE, error);
    return code;
}

static void fill_environment(struct xdr_run *run)
{
    const struct session *session = &run->session;
    struct xdr_result *result = &run->result;
    struct result_host host;
    struct tm broken_down;

    host_fill(&host);
    snprintf(result->kernel, sizeof result->kernel, "%s", host.kernel);
    snprintf(result->cpu, sizeof result->cpu, "%s", host.cpu);
    gmtime_r(&session->started, &broken_down);
    strftime(result->start, sizeof result->start, "%Y-%m-%dT%H:%M:%SZ", &broken_down);
    cpu_allowed_list(result->client_cpus);
    result->server_cpu = session->settings->target.self ? session->self.pinned_cpu : -1;
    result->target = session->settings->target_text;
    result->transport = transport_name(session->mount.nfs.transport);
    result->auth = rpc_flavor_name(session->settings->identity.flavor, run->auth);
    result->clock = session->clock.name;
    result->clock_cost_ns = session->clock.cost_ns;
    result->seed = session->settings->seed;
}

static int fill_result(struct xdr_run *run, const char *cut_short_by, struct error *error)
{
    const struct session *session = &run->session;
    struct xdr_result *result = &run->result;
    int code = 0;

    fill_environment(run);
    result->cut_short_by = cut_short_by;
    result->rounds = run->rounds.rounds.done;
    result->batches = xdr_rounds_batches(&run->rounds);
    result->round_trips = session->block;
    result->batch_ns = XDR_BATCH_NS;
    result->rows = run->rows;
    result->row_count = run->rounds.op_count;
    for (size_t i = 0; i < result->row_count && code == 0; i++)
        code = fill_row(run, i, error);
    result->skipped = run->skipped;
    result->skipped_count = session->skipped_count;
    for (size_t i = 0; i < session->skipped_count; i++)
        run->skipped[i] = (struct xdr_skipped){session->skipped[i].op, session->skipped[i].reason};
    return code;
}

/* The command */

static int tell(const struct explain_plan *plan, const struct xdr_result *result,
                struct error *error)
{
    if (explain_plan_wants_table(plan))
        xdr_print(result, stdout);
    if (fflush(stdout) != 0)
        return error_set(error, ERROR_FAILED, -errno, "writing the table: %s", strerror(errno));
    return file_forms_write(plan->forms, EXPLAIN_FORMS, result, error);
}

static int measure(struct xdr_run *run, const struct settings *settings, struct error *error)
{
    int code = session_open(&run->session, settings, error);

    if (code == 0)
        code = xdr_rounds_open(&run->rounds, &run->session, error);
    if (code == 0)
        code = xdr_rounds_measure(&run->rounds, error);
    if (code && interrupt_flag)
        error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    return code;
}

/* What was measured is told whatever ended the run. Returns an exit status. */
static int run_all(struct xdr_run *run, const struct explain_plan *plan)
{
    struct error error, told;
    int code = measure(run, &plan->settings, &error);
    int status = code ? (int)error.kind : 0;

    if (session_unmount(&run->session, &told) != 0 && code == 0)
        error_print(&told);
    if (run->rounds.rounds.done > 0) {
        int failed = fill_result(run, code ? error.text : NULL, &told);

        if (failed == 0)
            failed = tell(plan, &run->result, &told);
        if (failed) {
            error_print(&told);
            status = status ? status : (int)told.kind;
        }
    }
    if (code)
        error_print(&error);
    return status;
}

int explain_xdr(const struct explain_plan *plan)
{
    struct xdr_run *run;
    int status;

    if (plan->settings.mix_name) {
        fputs("nfsbench: a mix has no XDR of its own; name its ops\n", stderr);
        return ERROR_USAGE;
    }
    run = calloc(1, sizeof *run);
    if (!run) {
        fputs("nfsbench: out of memory\n", stderr);
        return ERROR_FAILED;
    }
    status = run_all(run, plan);
    xdr_rounds_close(&run->rounds);
    session_close(&run->session);
    free(run);
    return status;
}
