/* A ladder as text for people. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "explain/ladder.h"
#include "output/number.h"
#include "version.h"

enum { NAME_SIZE = 80, BAR_COLUMNS = 32 };

#define DISCREPANCY_LARGE 0.05 /* large enough for a note */

/* A value that rounds to 0 has no sign. */
/* Names and meanings, with the op's name. */

static const char *rung_name(const struct ladder_result *result, enum ladder_rung rung,
                             char name[NAME_SIZE])
{
    switch (rung) {
    case LADDER_XDR:
        return "XDR in memory";
    case LADDER_ECHO:
        snprintf(name, NAME_SIZE, "bare echo, %s's bytes", result->null_op);
        return name;
    case LADDER_ECHO_OP:
        snprintf(name, NAME_SIZE, "bare echo, %s's bytes", result->op);
        return name;
    case LADDER_NULL:
        return result->null_op;
    case LADDER_OP:
        return result->op;
    default:
        return "timer";
    }
}

static const char *above_name(enum ladder_rung rung)
{
    static const char *const names[LADDER_RUNGS] = {
        [LADDER_TIMER] = "-",   [LADDER_XDR] = "timer",    [LADDER_ECHO] = "timer",
        [LADDER_NULL] = "echo", [LADDER_ECHO_OP] = "echo", [LADDER_OP] = "null+bytes",
    };

    return names[rung];
}

static void print_meanings(const struct ladder_result *result, FILE *out)
{
    const char *op = result->op, *null_op = result->null_op;
    const struct ladder_bytes *of_null = &result->bytes[LADDER_ECHO];
    const struct ladder_bytes *of_op = &result->bytes[LADDER_ECHO_OP];

    fprintf(out,
            "\n  what each step is\n"
            "    timer      the clock's start and stop, around nothing: it is within all others\n"
            "    xdr        %s's header and arguments encoded and a reply of this server decoded, "
            "in memory.\n"
            "               Beside the others: engine wire encodes a call once, before its time "
            "begins, and checks\n"
            "               the reply in place, after it has ended\n",
            op);
    fprintf(out,
            "    socket     %zu bytes to a bare echo and %zu back, as %s's: system calls, the "
            "network, and waking\n"
            "               both ends\n"
            "    rpc        %s above as many bare bytes: finding record and xid here; the server's "
            "event loop,\n"
            "               header, dispatch and reply there\n",
            of_null->call, of_null->reply, null_op, null_op);
    fprintf(out,
            "    bytes      %zu bytes to the echo and %zu back, as %s's, above %s's: what carrying "
            "them costs\n"
            "    procedure  %s above %s, less these bytes: the server's work on it, from arguments "
            "to result\n",
            of_op->call, of_op->reply, op, null_op, op, null_op);
}

/* The heading */

static void print_heading(const struct ladder_result *result, FILE *out)
{
    const struct result *run = result->run;

    fprintf(out, "nfsbench %s  ladder of %s on %s  NFSv3 over %s  %s  engine %s, %s\n",
            NFSBENCH_VERSION, result->op, printable(run->target.text).text, run->target.transport,
            run->target.auth, run->config.engine, run->config.spin ? "spinning" : "blocking");
    fprintf(out, "client on CPU %s", run->config.client_cpus);
    if (run->config.server_cpu >= 0)
        fprintf(out, ", server on CPU %d", run->config.server_cpu);
    fprintf(out, ", echo at %s%s\n", printable(result->echo).text,
            result->echo_is_own ? ", started for this run" : "");
    fprintf(out,
            "%zu rounds of blocks of %" PRIu32
            " of each rung in random order, %zu warm-up rounds dropped, seed %" PRIu64 "\n",
            run->rounds.done, run->config.block, run->rounds.warmup, run->seed);
    if (run->cut_short)
        fprintf(out, "CUT SHORT after %zu rounds%s%s\n", run->rounds.done,
                run->cut_short_by ? ": " : "",
                printable(run->cut_short_by ? run->cut_short_by : "").text);
}

/* The table */

/* Position and width of a step's bar, in columns; the full width is TOTAL ns. The bar of a positive
 * step has at least one column. */
struct bar {
    int from, columns;
};

static struct bar make_bar(double begins, double width, double total)
{
    double scale = total > 0 ? BAR_COLUMNS / total : 0;
    struct bar bar = {.from = (int)fmin(fmax(0, begins * scale), BAR_COLUMNS - 1)};

    if (width > 0)
        bar.columns = (int)fmin(fmax(1, round(width * scale)), BAR_COLUMNS - bar.from);
    return bar;
}

static void print_bar(const struct bar *bar, char mark, FILE *out)
{
    fprintf(out, "  |%*s", bar->from, "");
    for (int i = 0; i < bar->columns; i++)
        fputc(mark, out);
    fprintf(out, "%*s|", BAR_COLUMNS - bar->from - bar->columns, "");
}

/* XDR's bar follows the timer's, at the time at which encoding occurs; the other bars follow each
 * other. */
static double begin_of(const struct ladder *ladder, enum ladder_rung rung)
{
    double begins = 0;

    for (unsigned i = 0; i < rung; i++)
        if (!ladder_rungs[i].beside)
            begins += ladder->steps[i].estimate;
    return begins;
}

static void print_rung(const struct ladder_result *result, enum ladder_rung rung, FILE *out)
{
    const struct ladder *ladder = &result->ladder;
    const struct interval *step = &ladder->steps[rung];
    bool beside = ladder_rungs[rung].beside;
    struct bar bar =
        make_bar(begin_of(ladder, rung), step->estimate, ladder->levels[LADDER_OP].estimate);
    char name[NAME_SIZE], bracket[NUMBER_INTERVAL_SIZE];

    number_interval(step, 1000, 3, false, bracket);
    fprintf(out, "  %-32s %9.3f  %-11s %-9s %9.3f  %-20s", rung_name(result, rung, name),
            us(ladder->levels[rung].estimate), above_name(rung), ladder_rungs[rung].step,
            us(step->estimate), bracket);
    if (beside)
        fputs("  beside", out);
    else
        fprintf(out, " %5.1f %%", 100 * ladder_share(ladder, rung));
    print_bar(&bar, beside ? ':' : '#', out);
    fprintf(out, "%s\n",
            ladder_is_distinguishable(ladder, rung) ? "" : "  not distinguishable from 0");
}

static void print_sum(const char *what, const struct interval *sum, FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    fprintf(out, "  %-56s %9.3f us  %s\n", what, us(sum->estimate),
            number_interval(sum, 1000, 3, false, bracket));
}

static void print_sums(const struct ladder_result *result, FILE *out)
{
    const struct ladder *ladder = &result->ladder;
    char name[NAME_SIZE];

    fputc('\n', out);
    print_sum("sum of the steps except xdr", &ladder->sum, out);
    snprintf(name, sizeof name, "%s itself (%+.2f %%)", result->op, 100 * ladder->discrepancy);
    print_sum(name, &ladder->levels[LADDER_OP], out);
    print_sum("sum with xdr: a client that encodes and decodes each call", &ladder->whole, out);
    snprintf(name, sizeof name, "%s again, above %s: the noise floor", result->null_op,
             result->null_op);
    print_sum(name, &ladder->control, out);
    if (fabs(ladder->discrepancy) > DISCREPANCY_LARGE)
        fputs("  the level jumped between rounds, so medians do not add up; use more calls or a "
              "quieter\n  machine\n",
              out);
}

static void print_verdict(const struct validity *validity, FILE *out)
{
    fprintf(out, "  verdict %s\n", verdict_name(validity->verdict));
    for (size_t i = 0; i < validity->count; i++)
        fprintf(out, "    %s (%s): %s\n", validity->reasons[i].name,
                verdict_name(validity->reasons[i].verdict), validity->reasons[i].text);
}

void ladder_print(const struct ladder_result *result, FILE *out)
{
    print_heading(result, out);
    fprintf(out, "\n  %-32s %9s  %-11s %-9s %9s  %-20s %7s\n", "rung", "us", "above", "step",
            "adds us", "95 %", "share");
    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        print_rung(result, i, out);
    print_sums(result, out);
    print_meanings(result, out);
    fputc('\n', out);
    print_verdict(&result->run->validity, out);
}
