/* The costs above null as text. */
#include <math.h>

#include "output/number.h"
#include "output/terminal.h"
#include "output/text.h"

enum {
    NOTE_SIZE = 80,
    COST_COLUMNS = 44,   /* of a line of costs, up to its share */
    CYCLES_COLUMNS = 22, /* TSC cycles after that, where they are known and there is room */
    CYCLES_WIDTH = 100,  /* a line with them may need */
};

static bool has_cycles(const struct result *result, FILE *out)
{
    return !isnan(result->host.tsc_hz) && terminal_width(out) >= CYCLES_WIDTH;
}

static void print_cost(const struct result *result, const struct result_op *op, FILE *out)
{
    const struct result_cost *above = &op->above_null;
    const struct interval *cost = &above->cost;
    char cycles[NUMBER_SIZE], bracket[NUMBER_INTERVAL_SIZE];

    fprintf(out, "  %-16s %8.3f us  %-18s", op->op, us(cost->estimate),
            number_interval(cost, 1000, 3, false, bracket));
    if (has_cycles(result, out))
        fprintf(out, " %10s TSC cycles",
                isnan(above->tsc_cycles) ? "-" : number_grouped(above->tsc_cycles, cycles));
    if (above->distinguishable)
        fprintf(out, " %7.1f %%", 100 * above->share);
    else
        fprintf(out, " %snot distinguishable from %s%s", terminal_tone(out, TERMINAL_FAINT),
                op->baseline->op, terminal_tone(out, TERMINAL_PLAIN));
    if (op->baseline != result->null_calls)
        fprintf(out, "   above %s", op->baseline->op);
    fputc('\n', out);
}

static void print_part(const char *name, const struct interval *part, const char *note, FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    fprintf(out, "      %-12s %8.3f us  %-*s%s%s\n", name, us(part->estimate), *note ? 18 : 0,
            number_interval(part, 1000, 3, false, bracket), *note ? " " : "", note);
}

/* The parts of the cost. */
static void print_split(const struct result *result, const struct result_op *op, FILE *out)
{
    const struct result_op *null_calls = result->null_calls;
    char note[160], packets[32] = "";

    if (!op->has_split || !result->model)
        return;
    if (result->model->packet.known)
        snprintf(packets, sizeof packets, ", %+.0f packets",
                 op->reply_packets - null_calls->reply_packets);
    snprintf(note, sizeof note, "call %+.0f, reply %+.0f%s%s",
             op->call_bytes - null_calls->call_bytes, op->reply_bytes - null_calls->reply_bytes,
             packets, op->split.extrapolated ? "   beyond the model's longest reply" : "");
    print_part("bytes", &op->split.bytes, note, out);
    if (result->model->pause.known)
        print_part("pause", &op->split.pause, "of a pause before it", out);
    print_part("server", &op->split.server, "", out);
}

/* What rare slow calls add to the mean cost, where that is significant: "rare slow calls: 4.8 us
 * from 5 % of the calls". */
static void describe_rare(const struct result_mean_cost *mean, char note[NOTE_SIZE])
{
    double rare = us(mean->rare.estimate);
    int used;

    note[0] = '\0';
    if (!mean->disagrees)
        return;
    used =
        snprintf(note, NOTE_SIZE, "rare slow calls: %.*f us", rare < 10 ? 1 + (rare < 1) : 0, rare);
    if (mean->rare_share > 0)
        snprintf(note + used, NOTE_SIZE - (size_t)used, " from %.2g %% of the calls",
                 100 * mean->rare_share);
}

static void print_mean_cost(const struct result_op *op, FILE *out)
{
    char note[NOTE_SIZE];

    if (!op->has_mean_cost)
        return;
    describe_rare(&op->mean_cost, note);
    print_part("mean cost", &op->mean_cost.cost, note, out);
}

static void print_rate(const char *name, const struct result_rate *rate, double misfit_ns,
                       FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    if (rate->known)
        fprintf(out, "  %-18s %8.4f ns  %s   the line is off by %.0f ns at worst\n", name,
                rate->ns.estimate, number_interval(&rate->ns, 1, 4, false, bracket), misfit_ns);
    else
        fprintf(out, "  %-18s not known\n", name);
}

static void print_model(const struct result *result, FILE *out)
{
    const struct result_model *model = result->model;

    if (!model)
        return;
    fputc('\n', out);
    print_rate("a byte of a call", &model->call, model->call_misfit_ns, out);
    print_rate("a byte of a reply", &model->reply, model->reply_misfit_ns, out);
    if (model->packet.known)
        print_rate("a packet received", &model->packet, model->reply_misfit_ns, out);
    print_rate("a ns of pause", &model->pause, model->pause_misfit_ns, out);
    if (!model->reply.known)
        fputs("  without a file to read, bytes and server are not told apart\n", out);
}

static void print_quantile_costs(const struct result_op *op, FILE *out)
{
    const struct result_cost *above = &op->above_null;
    const struct {
        const char *name;
        const struct interval *interval;
    } rows[] = {{"p50", &above->p50}, {"p90", &above->p90}, {"p99", &above->p99}};
    char bracket[NUMBER_INTERVAL_SIZE];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        fprintf(out, "    of %-11s %8.3f us  %s\n", rows[i].name, us(rows[i].interval->estimate),
                number_interval(rows[i].interval, 1000, 3, false, bracket));
}

static void print_control(const struct result *result, FILE *out)
{
    const struct result_op *control = result->null_control;
    const struct interval *cost = &control->above_null.cost;
    char bracket[NUMBER_INTERVAL_SIZE], name[40];

    snprintf(name, sizeof name, "%s control", result->null_calls->op);
    fprintf(out, "  %-16s %8.3f us  %-18s the noise floor\n", name, us(cost->estimate),
            number_interval(cost, 1000, 3, false, bracket));
}

static bool has_op(const struct result *result)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].role >= RESULT_MIX)
            return true;
    return false;
}

static void print_heading(const struct result *result, FILE *out)
{
    char heading[80];
    const int width = has_cycles(result, out) ? COST_COLUMNS + CYCLES_COLUMNS : COST_COLUMNS;

    snprintf(heading, sizeof heading, "typical cost above %s, 95 %% confidence",
             result->null_calls->op);
    if (has_op(result))
        fprintf(out, "\n  %-*s of the call\n", width, heading);
    else
        fprintf(out, "\n  %s\n", heading);
}

void text_print_costs(const struct result *result, bool verbose, FILE *out)
{
    if (!result->null_calls)
        return;
    print_heading(result, out);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        if (op->role < RESULT_MIX || !op->has_above_null)
            continue;
        print_cost(result, op, out);
        print_split(result, op, out);
        print_mean_cost(op, out);
        if (verbose)
            print_quantile_costs(op, out);
    }
    if (result->null_control)
        print_control(result, out);
    if (verbose)
        print_model(result, out);
}
