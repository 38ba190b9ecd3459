/* An explanation as text for people. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "explain/explain.h"
#include "output/number.h"
#include "output/text.h"
#include "version.h"

enum {
    COLUMNS_LEAST = 80,
    SENTENCES_COLUMNS = 100, /* longer lines are hard to read */
    NAME_COLUMNS = 21,
    TIME_COLUMNS = 7,
    SHARES_COLUMNS = 34, /* of the shares beside the times, if there is room */
    TABLE_COLUMNS = 2 + NAME_COLUMNS + 7 * (TIME_COLUMNS + 1),
};

static unsigned columns_of(const struct terminal *terminal)
{
    return terminal->columns < COLUMNS_LEAST ? COLUMNS_LEAST : terminal->columns;
}

/* Print sentences wrapped to COLUMNS, indented by INDENT spaces, and by two more after the first
 * line. Thread names may have any bytes, so each word is made safe for a terminal. */
static void print_wrapped(unsigned columns, int indent, FILE *out, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void print_wrapped(unsigned columns, int indent, FILE *out, const char *format, ...)
{
    char *text = NULL, *rest, *word;
    size_t used = 0, limit = columns < SENTENCES_COLUMNS ? columns : SENTENCES_COLUMNS;
    va_list arguments;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    for (word = text ? strtok_r(text, " ", &rest) : NULL; word; word = strtok_r(NULL, " ", &rest)) {
        struct printable shown = printable(word);
        size_t length = strlen(shown.text);
        bool first = used == 0;

        if (!first && used + 1 + length > limit) {
            fputc('\n', out);
            used = 0;
        }
        if (used == 0)
            used = (size_t)fprintf(out, "%*s%s", first ? indent : indent + 2, "", shown.text);
        else
            used += (size_t)fprintf(out, " %s", shown.text);
    }
    fputc('\n', out);
    free(text);
}

/* The lines above */

enum { LOAD_SIZE = 128 };

/* "4 clients, depth 32". Returns TEXT. */
static const char *load_text(const struct load *load, char text[LOAD_SIZE])
{
    size_t used = 0;

    if (load->clients > 1)
        used += (size_t)snprintf(text + used, LOAD_SIZE - used, "%u clients, ", load->clients);
    if (load->connections > 1)
        used += (size_t)snprintf(text + used, LOAD_SIZE - used, "%u connections each, ",
                                 load->connections);
    used += (size_t)snprintf(text + used, LOAD_SIZE - used, "depth %u", load->depth);
    if (load->rate > 0)
        snprintf(text + used, LOAD_SIZE - used, ", %.6g calls/s", load->rate);
    return text;
}

void explain_print_title(const struct explanation *explanation, const char *what, FILE *out)
{
    char load[LOAD_SIZE];

    fprintf(out, "nfsbench %s  explain of %s on %s  NFSv3 over %s  ", NFSBENCH_VERSION, what,
            printable(explanation->origin.target).text, explanation->origin.transport);
    origin_print_security(explanation->origin.auth, explanation->origin.xprtsec, out);
    fprintf(out, "\nclient on CPU %s", explanation->client_cpus);
    if (explanation->server_cpu >= 0)
        fprintf(out, ", server on CPU %d", explanation->server_cpu);
    if (explanation->load)
        fprintf(out, "     %s", load_text(explanation->load, load));
}

void explain_print_cut_short(const struct explanation *explanation, FILE *out)
{
    if (explanation->cut_short_by)
        fprintf(out, "CUT SHORT: %s\n", printable(explanation->cut_short_by).text);
}

static void print_head(const struct explanation *explanation, FILE *out)
{
    explain_print_title(explanation, explanation->op, out);
    fprintf(out, "     %zu bytes sent, %zu received, seed %" PRIu64 "\n", explanation->call_bytes,
            explanation->reply_bytes, explanation->origin.seed);
    explain_print_cut_short(explanation, out);
}

/* The table */

static void print_time(double ns, FILE *out)
{
    char text[NUMBER_SIZE];

    fprintf(out, " %*s", TIME_COLUMNS, number_us(ns, TIME_COLUMNS, text));
}

static void print_share(double share, int width, FILE *out)
{
    char text[NUMBER_SIZE] = "-";

    if (!isnan(share))
        snprintf(text, sizeof text, "%.1f %%", 100 * share);
    fprintf(out, " %*s", width, text);
}

static void print_shares(const struct explain_row *row, FILE *out)
{
    print_share(row->share, 8, out);
    print_share(row->share_without_queueing, 12, out);
    print_share(row->share_of_client, 11, out);
}

static void print_times(const struct explain_row *row, FILE *out)
{
    fprintf(out, "  %-*s %7" PRIu64, NAME_COLUMNS, row->type->name, row->count);
    print_time(row->mean, out);
    print_time(row->adjusted, out);
    print_time(row->low, out);
    print_time(row->p50, out);
    print_time(row->p99, out);
    print_time(row->high, out);
}

static void print_life(const struct histogram *life, FILE *out)
{
    fprintf(out, "  %-*s %7" PRIu64, NAME_COLUMNS, "lifetime of a call", life->count);
    print_time(life->mean, out);
    print_time(life->mean, out);
    print_time(life->minimum, out);
    print_time(histogram_quantile(life, 0.5), out);
    print_time(histogram_quantile(life, 0.99), out);
    print_time(life->maximum, out);
    fputc('\n', out);
}

static void print_times_heading(FILE *out)
{
    static const char *const headings[] = {"mean us", "added", "min", "p50", "p99", "max"};

    fprintf(out, "\n  %-*s %7s", NAME_COLUMNS, "phase", "calls");
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        fprintf(out, " %*s", TIME_COLUMNS, headings[i]);
}

static void print_shares_heading(FILE *out)
{
    fprintf(out, " %8s %12s %11s\n", "share", "no queueing", "client only");
}

/* If the shares do not fit beside the times, they follow. */
static void print_table(const struct explanation *explanation, unsigned columns, FILE *out)
{
    bool wide = columns >= TABLE_COLUMNS + SHARES_COLUMNS;

    print_times_heading(out);
    if (wide)
        print_shares_heading(out);
    else
        fputc('\n', out);
    for (size_t i = 0; i < explanation->row_count; i++) {
        print_times(&explanation->rows[i], out);
        if (wide)
            print_shares(&explanation->rows[i], out);
        fputc('\n', out);
    }
    print_life(&explanation->phases->lifetime, out);
    if (wide)
        return;
    fprintf(out, "\n  %-*s", NAME_COLUMNS, "share of the lifetime");
    print_shares_heading(out);
    for (size_t i = 0; i < explanation->row_count; i++) {
        fprintf(out, "  %-*s", NAME_COLUMNS, explanation->rows[i].type->name);
        print_shares(&explanation->rows[i], out);
        fputc('\n', out);
    }
}

static bool some_entered_by_part(const struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->row_count; i++)
        if (explanation->rows[i].count < explanation->phases->lifetime.count)
            return true;
    return false;
}

/* Slow calls */

static void print_slow_call(const struct explanation *explanation,
                            const struct explain_slow_call *call, unsigned columns, FILE *out)
{
    const struct explain_row *row = &explanation->rows[call->longest];
    char total[NUMBER_SIZE], longest[NUMBER_SIZE], median[NUMBER_SIZE];

    fprintf(out, "  %10" PRIu64 " %10s  %-*s %10s %10s\n", call->times.number,
            number_us((double)call->times.lifetime_ns, 10, total), NAME_COLUMNS, row->type->name,
            number_us(call->longest_ns, 10, longest), number_us(row->p50, 10, median));
    for (size_t i = 0; i < call->note_count; i++)
        print_wrapped(columns, 13, out, "%s", call->notes[i]);
}

static void print_slow(const struct explanation *explanation, unsigned columns, FILE *out)
{
    char beyond[NUMBER_SIZE];

    if (explanation->slow_count == 0)
        return;
    number_us(explanation->slow_beyond, 10, beyond);
    if (explanation->slow_count > explanation->slow_total)
        fprintf(out, "\n  the slowest %zu calls; p99.9 is %s us\n", explanation->slow_count,
                beyond);
    else
        fprintf(out,
                "\n  the slowest %zu of %" PRIu64 " calls that took longer than %s us (p99.9)\n",
                explanation->slow_count, explanation->slow_total, beyond);
    fprintf(out, "  %10s %10s  %-*s %10s %10s\n", "call", "us", NAME_COLUMNS, "longest phase", "us",
            "its median");
    for (size_t i = 0; i < explanation->slow_count; i++)
        print_slow_call(explanation, &explanation->slow[i], columns, out);
}

/* The notes below */

static void print_stamping(const struct explanation *explanation, unsigned columns, FILE *out)
{
    const struct interval *stamping = &explanation->stamping;
    char plain[NUMBER_SIZE];

    if (!explanation->has_stamping) {
        print_wrapped(columns, 2, out,
                      "what stamping adds to a call is unknown: too few rounds without it");
        return;
    }
    number_us(explanation->unstamped_mean, 9, plain);
    if (explanation->sample <= 1)
        print_wrapped(columns, 2, out,
                      "stamping adds %.3f us [%.3f, %.3f] to a call, which takes %s us without",
                      stamping->estimate / 1000, stamping->low / 1000, stamping->high / 1000,
                      plain);
    else
        print_wrapped(columns, 2, out,
                      "stamping adds %.3f us [%.3f, %.3f] to one call in %" PRIu32
                      ", so %.3f us to a call on average (%.1f %%), which takes %s us without",
                      stamping->estimate / 1000, stamping->low / 1000, stamping->high / 1000,
                      explanation->sample, stamping->estimate / 1000 / explanation->sample,
                      100 * stamping->estimate / explanation->sample / explanation->unstamped_mean,
                      plain);
}

/* Append a count, such as ", 3 errors", unless it is 0. */
static void append_count(char *text, size_t size, uint64_t count, const char *what)
{
    size_t used = strlen(text);
    char number[NUMBER_SIZE];

    if (count > 0)
        snprintf(text + used, size - used, "%s%s %s", used ? ", " : "",
                 number_grouped((double)count, number), what);
}

void explain_print_left_out(const struct explanation *ops, size_t count, unsigned columns,
                            FILE *out)
{
    uint64_t incomplete = 0, out_of_order = 0, retransmitted = 0, failed = 0, explained = 0;
    char reasons[256] = "", some[NUMBER_SIZE], all[NUMBER_SIZE];
    uint64_t left_out;

    for (size_t i = 0; i < count; i++) {
        const struct phases *phases = ops[i].phases;

        explained += phases->lifetime.count;
        incomplete += phases->incomplete;
        out_of_order += phases->out_of_order;
        retransmitted += phases->retransmitted;
        failed += phases->failed;
    }
    left_out = incomplete + out_of_order + retransmitted + failed;
    number_grouped((double)explained, some);
    if (left_out == 0) {
        print_wrapped(columns, 2, out, "all %s calls are explained", some);
        return;
    }
    append_count(reasons, sizeof reasons, incomplete, "for lack of stamps");
    append_count(reasons, sizeof reasons, out_of_order, "with stamps out of order");
    append_count(reasons, sizeof reasons, retransmitted, "sent again");
    append_count(reasons, sizeof reasons, failed, "answered by errors");
    print_wrapped(columns, 2, out, "%s of %s calls are explained; left out: %s", some,
                  number_grouped((double)(explained + left_out), all), reasons);
}

void explain_print_lost(const struct explanation *explanation, unsigned columns, FILE *out)
{
    char lost[256] = "";

    append_count(lost, sizeof lost, explanation->stamps_lost, "stamps never arrived");
    append_count(lost, sizeof lost, explanation->stamps_unmatched, "stamps belong to no call");
    append_count(lost, sizeof lost, explanation->dropped,
                 "calls were dropped, since the clock of their stamps was set during them");
    append_count(lost, sizeof lost, explanation->events_lost,
                 "of the kernel's events were lost: their buffer was full");
    if (lost[0])
        print_wrapped(columns, 2, out, "%s", lost);
}

void explain_print_missing(const struct explanation *explanation, unsigned columns, FILE *out)
{
    if (explanation->server_missing)
        print_wrapped(columns, 2, out, "the server's own phases are not distinguished: %s",
                      explanation->server_missing);
}

static void print_notes(const struct explanation *explanation, unsigned columns, FILE *out)
{
    double begins, length;

    fputc('\n', out);
    explain_print_left_out(explanation, 1, columns, out);
    explain_print_lost(explanation, columns, out);
    if (explain_overlap(explanation, &begins, &length))
        print_wrapped(columns, 2, out,
                      "send() still runs: the request has left, but the client's send() has not "
                      "returned. It overlaps the phases after it and is not part of the sum; over "
                      "loopback, the receiver's soft interrupt and the server's wake-up run inside "
                      "it");
    if (some_entered_by_part(explanation))
        print_wrapped(columns, 2, out,
                      "added: the contribution of a phase to the mean call, if not all calls enter "
                      "it; the figures beside the bars are these");
    print_stamping(explanation, columns, out);
    explain_print_missing(explanation, columns, out);
    if (explanation->validity)
        text_print_verdict(explanation->validity, out);
}

void explain_print(const struct explanation *explanation, const struct terminal *terminal,
                   FILE *out)
{
    unsigned columns = columns_of(terminal);

    print_head(explanation, out);
    if (explanation->row_count > 0) {
        explain_print_waterfall(explanation, terminal, out);
        print_table(explanation, columns, out);
        predictions_print(&explanation->predictions, out);
        print_slow(explanation, columns, out);
    }
    print_notes(explanation, columns, out);
}
