#include "cli/interval_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/system_clock.h"
#include "job/console.h"
#include "output/form/destination.h"
#include "output/form/file.h"
#include "output/result/json.h"
#include "output/view/csv.h"
#include "output/view/number.h"
#include "output/view/view.h"
#include "run/intervals.h"

/* Lines for people */

static void show_op(const struct interval_report *report, const struct interval_op *op, int columns)
{
    char rate[NUMBER_SIZE], times[64] = "", above[32] = "", rest[64] = "", data[32] = "",
                            errors[64] = "";
    char line[sizeof times + sizeof above + sizeof rest + sizeof data + sizeof errors + 64];

    if (op->failed + op->resent > 0)
        snprintf(errors, sizeof errors, "  errors %" PRIu64 ", sent again %" PRIu64, op->failed,
                 op->resent);
    if (op->timed > 0) {
        snprintf(times, sizeof times, "  p50 %6.1f  p99 %7.1f us", us(op->p50), us(op->p99));
        snprintf(rest, sizeof rest, "  p99.9 %.1f  max %.0f us", us(op->p999), us(op->maximum));
    }
    if (op != report->ops && strcmp(report->ops[0].op, "null") == 0 &&
        isfinite(op->p50 - report->ops[0].p50))
        snprintf(above, sizeof above, "  %+.1f above null", us(op->p50 - report->ops[0].p50));
    if (isfinite(op->megabytes_per_s))
        snprintf(data, sizeof data, "  %.1f MB/s", op->megabytes_per_s);
    snprintf(line, sizeof line, "%6.1f s  %-11s %10s/s%s%s%s%s%s", report->ended_s, op->op,
             number_grouped(op->rate_per_s, rate), errors, times, above, data, rest);
    fprintf(stderr, "%.*s\n", columns, line);
}

static void show_report(const struct interval_report *report)
{
    int columns = progress_replace(report->op_count);

    for (size_t i = 0; i < report->op_count; i++)
        show_op(report, &report->ops[i], columns);
}

/* JSON */

static json_t *op_object(const struct interval_op *op)
{
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "op", op->op, "calls",
        json_count(op->calls), "timed", json_count(op->timed), "failed", json_count(op->failed),
        "resent", json_count(op->resent), "rate_per_s", json_known(op->rate_per_s), "mb_per_s",
        json_known(op->megabytes_per_s), "mean_ns", json_known(op->mean), "p50_ns",
        json_known(op->p50), "p90_ns", json_known(op->p90), "p99_ns", json_known(op->p99),
        "p999_ns", json_known(op->p999), "max_ns", json_known(op->maximum));
}

static int write_json_line(const struct interval_report *report, FILE *out)
{
    char at[SYSTEM_CLOCK_TEXT_SIZE];
    json_t *ops = json_array(), *line;
    int code;

    for (size_t i = 0; i < report->op_count; i++)
        json_array_append_new(ops, op_object(&report->ops[i]));
    line = json_pack("{s:s, s:f, s:f, s:o}", "at", system_clock_text(report->at, at), "began_s",
                     report->began_s, "ended_s", report->ended_s, "ops", ops);
    code = line ? json_dumpf(line, out, JSON_ENSURE_ASCII | JSON_COMPACT) : -1;
    json_decref(line);
    fputc('\n', out);
    return code;
}

/* CSV */

static void write_csv_heading(FILE *out)
{
    fputs("at,began_s,ended_s,op,calls,timed,failed,resent,rate_per_s,mb_per_s,mean_ns,p50_ns,"
          "p90_ns,p99_ns,p999_ns,max_ns\r\n",
          out);
}

static void write_csv_lines(const struct interval_report *report, FILE *out)
{
    char at[SYSTEM_CLOCK_TEXT_SIZE];

    for (size_t i = 0; i < report->op_count; i++) {
        const struct interval_op *op = &report->ops[i];
        const double values[] = {
            op->rate_per_s, op->megabytes_per_s, op->mean, op->p50, op->p90, op->p99,
            op->p999,       op->maximum};

        fprintf(out, "%s,%.3f,%.3f,", system_clock_text(report->at, at), report->began_s,
                report->ended_s);
        csv_write_text(op->op, out);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, op->calls, op->timed,
                op->failed, op->resent);
        for (size_t j = 0; j < sizeof values / sizeof values[0]; j++)
            fprintf(out, isfinite(values[j]) ? ",%.3f" : ",", values[j]);
        fputs("\r\n", out);
    }
}

/* OpenMetrics */

static void print_gauge(const struct interval_report *report, const char *name, const char *label,
                        size_t offset, double factor, FILE *out)
{
    for (size_t i = 0; i < report->op_count; i++) {
        double value;

        memcpy(&value, (const char *)&report->ops[i] + offset, sizeof value);
        if (!isfinite(value))
            continue;
        fprintf(out, "nfsbench_interval_%s{target=", name);
        openmetrics_print_quoted(report->target, out);
        fprintf(out, ",op=\"%s\"%s} %.9g\n", report->ops[i].op, label, value * factor);
    }
}

static void print_counts(const struct interval_report *report, const char *name, size_t offset,
                         FILE *out)
{
    fprintf(out, "# TYPE nfsbench_interval_%s gauge\n", name);
    for (size_t i = 0; i < report->op_count; i++) {
        uint64_t value;

        memcpy(&value, (const char *)&report->ops[i] + offset, sizeof value);
        fprintf(out, "nfsbench_interval_%s{target=", name);
        openmetrics_print_quoted(report->target, out);
        fprintf(out, ",op=\"%s\"} %" PRIu64 "\n", report->ops[i].op, value);
    }
}

#define OF(member) offsetof(struct interval_op, member)

static int write_openmetrics(const void *data, FILE *out)
{
    const struct interval_report *report = data;

    fputs("# TYPE nfsbench_interval_latency_seconds gauge\n", out);
    print_gauge(report, "latency_seconds", ",quantile=\"0.5\"", OF(p50), 1e-9, out);
    print_gauge(report, "latency_seconds", ",quantile=\"0.9\"", OF(p90), 1e-9, out);
    print_gauge(report, "latency_seconds", ",quantile=\"0.99\"", OF(p99), 1e-9, out);
    print_gauge(report, "latency_seconds", ",quantile=\"0.999\"", OF(p999), 1e-9, out);
    fputs("# TYPE nfsbench_interval_calls_per_second gauge\n", out);
    print_gauge(report, "calls_per_second", "", OF(rate_per_s), 1, out);
    fputs("# TYPE nfsbench_interval_bytes_per_second gauge\n", out);
    print_gauge(report, "bytes_per_second", "", OF(megabytes_per_s), 1e6, out);
    print_counts(report, "failed_calls", OF(failed), out);
    print_counts(report, "resent_messages", OF(resent), out);
    fputs("# TYPE nfsbench_interval_end_timestamp_seconds gauge\n"
          "nfsbench_interval_end_timestamp_seconds{target=",
          out);
    openmetrics_print_quoted(report->target, out);
    fprintf(out, "} %lld\n# EOF\n", (long long)report->at);
    return 0;
}

/* The file */

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);

    return length > end && strcmp(path + length - end, suffix) == 0;
}

static int fail_writing(const struct interval_log *log, int code, struct error *error)
{
    return error_set(error, ERROR_FAILED, code, "writing --interval-log %.300s: %s",
                     log->beside[0] ? log->beside : log->path, error_of_write(code));
}

/* Open the log at the first interval, so that a run without measurements leaves an earlier log
 * unchanged. "-" is standard output. */
static int open_lines(struct interval_log *log, struct error *error)
{
    int fd, code = destination_has_data(log->path)
                       ? file_free_name(log->path, "partial", log->beside)
                       : 0;

    if (code)
        return fail_writing(log, code, error);
    if (strcmp(log->path, "-") == 0) {
        fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        log->out = fd < 0 ? NULL : fdopen(fd, "w");
    } else {
        log->out = file_open(log->beside[0] ? log->beside : log->path);
    }
    if (!log->out)
        return fail_writing(log, -errno, error);
    if (log->is_csv)
        write_csv_heading(log->out);
    return 0;
}

static int write_to_file(struct interval_log *log, const struct interval_report *report,
                         struct error *error)
{
    int code;

    if (log->is_prom)
        return file_replace(write_openmetrics, report, "--interval-log", log->path, error);
    code = log->out ? 0 : open_lines(log, error);
    if (code)
        return code;
    if (log->is_csv)
        write_csv_lines(report, log->out);
    else
        write_json_line(report, log->out);
    return fflush(log->out) == 0 ? 0 : fail_writing(log, -errno, error);
}

static void log_report(void *context, const struct interval_report *report)
{
    struct interval_log *log = context;
    struct error error;

    if (!log->quiet)
        show_report(report);
    if (!log->path || log->failed || write_to_file(log, report, &error) == 0)
        return;
    log->failed = true;
    error_print(&error);
}

/* Check LOG's PATH. A symbolic link to a file is allowed only for OpenMetrics. */
static int check_log_path(const struct interval_log *log, struct error *error)
{
    struct destination there;
    int code = destination_open(&there, log->path);
    bool is_file = code == 0 && there.kind == DESTINATION_FILE;
    struct stat status;

    destination_close(&there);
    if (is_file && !log->is_prom && lstat(log->path, &status) == 0 && S_ISLNK(status.st_mode))
        return error_set(error, ERROR_USAGE, -ELOOP, "--interval-log %.300s: %s", log->path,
                         strerror(ELOOP));
    return file_check("--interval-log", log->path, error);
}

int interval_log_open(struct interval_log *log, const struct options *options,
                      const struct run_observer *observer, struct error *error)
{
    *log = (struct interval_log){
        .observer = *observer, .path = options->interval_log, .quiet = options->plan.quiet};
    log->observer.context = log;
    log->observer.interval = log_report;
    if (!log->path)
        return 0;
    log->is_prom = ends_in(log->path, ".prom");
    log->is_csv = ends_in(log->path, ".csv");
    return check_log_path(log, error);
}

/* Replace an earlier log by this one, and keep the earlier log's mode. */
static int replace_earlier(const struct interval_log *log, struct error *error)
{
    struct stat status;

    if (stat(log->path, &status) == 0)
        chmod(log->beside, status.st_mode & 0777);
    return rename(log->beside, log->path) == 0 ? 0 : fail_writing(log, -errno, error);
}

void interval_log_close(struct interval_log *log, bool complete)
{
    struct error error;
    int code = log->out && fclose(log->out) != 0 ? fail_writing(log, -errno, &error) : 0;

    log->out = NULL;
    if (code == 0 && log->beside[0] && complete && !log->failed &&
        file_check("--interval-log", log->path, &error) == 0)
        code = replace_earlier(log, &error);
    else if (code == 0 && log->beside[0])
        code = error_set(
            &error, ERROR_FAILED, -EEXIST,
            "--interval-log %.200s: the file was not replaced; the lines of this run are in %.200s",
            log->path, log->beside);
    if (code && !log->failed)
        error_print(&error);
    log->failed = log->failed || code;
}
