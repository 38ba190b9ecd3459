/* A ladder as text for people. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "explain/ladder.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "output/text.h"
#include "version.h"

enum { NAME_SIZE = 80, BAR_COLUMNS = 32 };

#define DISCREPANCY_LARGE 0.05 /* large enough for a note */

/* Names and meanings, with the op's own name in them. */

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
            "    timer      the clock's start and stop, around nothing: it is within all\n"
            "               others\n"
            "    xdr        %s's header and arguments encoded and a reply of this\n"
            "               server decoded, in memory. Beside the others: engine wire\n"
            "               encodes a call once, before its time begins, and checks the\n"
            "               reply in place, after it has ended\n",
            op);
    fprintf(out,
            "    socket     %zu bytes to a bare echo and %zu back, as %s's: system\n"
            "               calls, the network, and waking both ends\n"
            "    rpc        %s above as many bare bytes: finding record and xid here;\n"
            "               the server's event loop, header, dispatch and reply there\n",
            of_null->call, of_null->reply, null_op, null_op);
    fprintf(out,
            "    bytes      %zu bytes to the echo and %zu back, as %s's, above\n"
            "               %s's: what carrying them costs\n"
            "    procedure  %s above %s, less these bytes: the server's work on it,\n"
            "               from arguments to result\n",
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
            "%s of blocks of %" PRIu32 " of each rung in random order, %s dropped, seed %" PRIu64
            "\n",
            counted(run->rounds.done, "round").text, run->config.block,
            counted(run->rounds.warmup, "warm-up round").text, run->seed);
    if (run->cut_short)
        fprintf(out, "CUT SHORT after %s%s%s\n", counted(run->rounds.done, "round").text,
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

static void print_bar(const struct bar *bar, char mark, struct table *table)
{
    char text[BAR_COLUMNS + 1];

    memset(text, ' ', BAR_COLUMNS);
    memset(text + bar->from, mark, (size_t)bar->columns);
    text[BAR_COLUMNS] = '\0';
    table_cell(table, "|%s|", text);
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

static void print_rung(const struct ladder_result *result, enum ladder_rung rung,
                       struct table *table)
{
    const struct ladder *ladder = &result->ladder;
    const struct interval *step = &ladder->steps[rung];
    bool beside = ladder_rungs[rung].beside;
    struct bar bar =
        make_bar(begin_of(ladder, rung), step->estimate, ladder->levels[LADDER_OP].estimate);
    char name[NAME_SIZE], bracket[NUMBER_INTERVAL_SIZE];

    table_cell(table, "%s", rung_name(result, rung, name));
    table_cell(table, "%.3f", us(ladder->levels[rung].estimate));
    table_cell(table, "%s", above_name(rung));
    table_cell(table, "%s", ladder_rungs[rung].step);
    table_cell(table, "%.3f", us(step->estimate));
    table_cell(table, "%s", number_interval(step, 1000, 3, false, bracket));
    if (beside)
        table_cell(table, "beside");
    else
        table_cell(table, "%.1f %%", 100 * ladder_share(ladder, rung));
    print_bar(&bar, beside ? ':' : '#', table);
    table_end_row(table,
                  ladder_is_distinguishable(ladder, rung) ? "" : "not distinguishable from 0");
}

/* The first column is as wide as the longest name. */
static void print_rungs(const struct ladder_result *result, FILE *out)
{
    struct table_column columns[] = {
        {"rung", 0, true, 0},     {"us", 8, false, 1},
        {"above", 10, true, 3},   {"step", 9, true, 0},
        {"adds us", 8, false, 0}, {"95 %", 18, true, 0},
        {"share", 7, false, 2},   {"", BAR_COLUMNS + 2, true, 4},
    };
    struct table table;
    char name[NAME_SIZE];

    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        columns[0].width = (int)fmax(columns[0].width, (double)strlen(rung_name(result, i, name)));
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    fputc('\n', out);
    table_headings(&table);
    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        print_rung(result, i, &table);
}

static void print_sum(const char *what, const struct interval *sum, FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    fprintf(out, "  %-42s %9.3f us  %s\n", what, us(sum->estimate),
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
    print_sum("sum with xdr: each call encoded and decoded", &ladder->whole, out);
    snprintf(name, sizeof name, "%s control: the noise floor", result->null_op);
    print_sum(name, &ladder->control, out);
    if (fabs(ladder->discrepancy) > DISCREPANCY_LARGE)
        fputs("  the level jumped between rounds, so medians do not add up; use more calls or a\n"
              "  quieter machine\n",
              out);
}

void ladder_print(const struct ladder_result *result, FILE *out)
{
    print_heading(result, out);
    print_rungs(result, out);
    print_sums(result, out);
    print_meanings(result, out);
    fputc('\n', out);
    text_print_verdict(&result->run->validity, out);
}
