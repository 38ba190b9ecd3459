#include "output/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "output/number.h"
#include "output/text_ledger.h"
#include "output/text_load.h"
#include "output/text_ranks.h"
#include "version.h"

enum {
    COST_COLUMNS = 44,   /* of a line of costs, up to its share */
    CYCLES_COLUMNS = 22, /* TSC cycles within that, where they are known */
};

/* What rounds to 0 has no sign. */
static double us(double nanoseconds)
{
    return fabs(nanoseconds) < 0.5 ? 0 : nanoseconds / 1000;
}

static double ms(uint64_t nanoseconds)
{
    return (double)nanoseconds / 1e6;
}

/* The lines above the table */

static void print_identity(const struct result *result, FILE *out)
{
    const struct result_config *config = &result->config;

    fprintf(out, "nfsbench %s  %s  NFSv3 over %s  %s  %u client%s, depth %u  engine %s, %s\n",
            NFSBENCH_VERSION, result->target.text, result->target.transport, result->target.auth,
            config->load.clients, config->load.clients == 1 ? "" : "s", config->load.depth,
            config->engine, config->spin ? "spinning" : "blocking");
}

static void print_mix(const struct result_config *config, FILE *out)
{
    if (!config->mix_name)
        return;
    fprintf(out, "mix %s:", config->mix_name);
    for (size_t i = 0; i < config->mix_count; i++)
        fprintf(out, "%s %s %u", i ? "," : "", config->mix[i].op, config->mix[i].weight);
    fputc('\n', out);
}

static void print_clock(const struct result *result, FILE *out)
{
    const struct clock *clock = result->clock;

    fprintf(out, "clock %s", clock->name);
    if (clock->tsc)
        fprintf(out, " %.3f GHz (agrees with MONOTONIC_RAW to %.1f ppm)", 1 / clock->ns_per_tick,
                fabs(result->clock_ppm));
    fprintf(out, ", timer cost %.0f ns taken off     mount %.1f ms, ", clock->cost_ns,
            ms(result->target.mount_ns));
    if (result->target.unmount_ns)
        fprintf(out, "unmount %.1f ms\n", ms(result->target.unmount_ns));
    else
        fputs("not unmounted\n", out);
}

static void print_run(const struct result *result, FILE *out)
{
    const struct rounds *rounds = result->rounds;

    fprintf(out, "client on CPU %s", result->config.client_cpus);
    if (result->config.server_cpu >= 0)
        fprintf(out, ", server on CPU %d", result->config.server_cpu);
    fputs(result->config.awake ? ", kept awake" : ", may sleep", out);
    fprintf(out,
            "     %zu rounds of blocks of %" PRIu32 ", %zu warm-up rounds dropped, seed %" PRIu64,
            rounds->done, result->config.block, rounds->warmup, result->seed);
    fputc('\n', out);
    if (result->config.calls == 0 && !result->cut_short)
        fprintf(out, result->config.precision_reached
                         ? "ended when every interval was narrow enough "
                           "(--precision)\n"
                         : "ended by --max-time, before every interval "
                           "was narrow enough (--precision)\n");
    if (result->cut_short)
        fprintf(out, "CUT SHORT after %zu rounds%s%s\n", rounds->done,
                result->cut_short_by ? ": " : "", result->cut_short_by ? result->cut_short_by : "");
}

static void print_host(const struct result *result, FILE *out)
{
    const struct result_host *host = &result->host;
    const struct result_target *target = &result->target;

    fprintf(out, "host %s, %u CPUs%s, %s %s, clocksource %s\n", host->cpu, host->cpus,
            host->virtual ? ", virtual" : "", host->kernel, host->machine, host->clocksource);
    fprintf(out, "server %s, NFS port %u, MOUNT port %u, export %s, offers %s\n", target->address,
            target->nfs_port, target->mount_port, target->export,
            target->flavors[0] ? target->flavors : "no flavours");
    fprintf(out, "started %s\n", result->start);
}

/* The table of times */

/* "-" for an op of a mix, whose calls come between others. */
static const char *calls_per_second(const struct result_op *op, char text[NUMBER_SIZE])
{
    return op->rate_per_s > 0 ? number_grouped(op->rate_per_s, text) : "-";
}

static void print_times(const struct result_op *op, FILE *out)
{
    const struct histogram *histogram = &op->series->histogram;
    char calls[NUMBER_SIZE], rate[NUMBER_SIZE];

    fprintf(out, "  %-16s %11s %9.2f %8.2f %8.2f %8.2f %8.2f %9.1f %10s %7.0f %7.0f\n", op->op,
            number_grouped((double)op->series->calls, calls), us(histogram->mean),
            us(histogram_quantile(histogram, 0.5)), us(histogram_quantile(histogram, 0.9)),
            us(histogram_quantile(histogram, 0.99)), us(histogram_quantile(histogram, 0.999)),
            us(histogram->maximum), calls_per_second(op, rate), op->lengths.call,
            op->lengths.reply);
}

static bool is_control(const struct result_op *op)
{
    return strcmp(op->op, "null_control") == 0;
}

static void print_table(const struct result *result, bool verbose, FILE *out)
{
    fprintf(out, "\n  %-16s %11s %9s %8s %8s %8s %8s %9s %10s %7s %7s\n", "op", "calls", "mean us",
            "p50", "p90", "p99", "p99.9", "max", "calls/s", "sent B", "recv B");
    for (size_t i = 0; i < result->op_count; i++)
        if (verbose || !is_control(&result->ops[i]))
            print_times(&result->ops[i], out);
}

/* The costs */

static void print_cost(const struct result *result, const struct result_op *op, FILE *out)
{
    const struct above_null *above = &op->above_null;
    const struct interval *cost = &above->cost;
    char cycles[NUMBER_SIZE], bracket[48];

    snprintf(bracket, sizeof bracket, "[%.3f, %.3f]", us(cost->low), us(cost->high));
    fprintf(out, "  %-16s %8.3f us  %-18s", op->op, us(cost->estimate), bracket);
    if (result->clock->tsc)
        fprintf(out, " %10s TSC cycles",
                number_grouped(cost->estimate / result->clock->ns_per_tick, cycles));
    fprintf(out, " %7.1f %%  %9.3f us", 100 * above->share, us(above->mean_difference));
    if (op->baseline > 0)
        fprintf(out, "   above %s", result->ops[op->baseline].op);
    fprintf(out, "%s\n", above->distinguishable ? "" : "   not distinguishable from null");
}

static void print_part(const char *name, const struct interval *part, const char *note, FILE *out)
{
    char bracket[48];

    snprintf(bracket, sizeof bracket, "[%.3f, %.3f]", us(part->low), us(part->high));
    fprintf(out, "      %-12s %8.3f us  %-*s%s\n", name, us(part->estimate), *note ? 19 : 0,
            bracket, note);
}

/* The parts of the cost. */
static void print_split(const struct result *result, const struct result_op *op, FILE *out)
{
    const struct cost_lengths *null_lengths = &result->ops[0].lengths;
    char note[160], packets[32] = "";

    if (!op->has_split)
        return;
    if (result->model.packet.known)
        snprintf(packets, sizeof packets, ", %+.0f packets",
                 op->lengths.packets - null_lengths->packets);
    snprintf(note, sizeof note, "%+.0f sent, %+.0f received%s%s",
             op->lengths.call - null_lengths->call, op->lengths.reply - null_lengths->reply,
             packets, op->beyond_model ? "   beyond the model's longest reply" : "");
    print_part("bytes", &op->split.bytes, note, out);
    if (result->model.pace.known)
        print_part("pace", &op->split.pace, "null calls as rare as these would cost that much more",
                   out);
    print_part("server", &op->split.server, "", out);
}

static void print_rate(const char *name, const struct cost_rate *rate, double misfit_ns, FILE *out)
{
    if (rate->known)
        fprintf(out, "  %-18s %8.4f ns  [%.4f, %.4f]   the line is off by %.0f ns at worst\n", name,
                rate->ns.estimate, rate->ns.low, rate->ns.high, misfit_ns);
    else
        fprintf(out, "  %-18s not known\n", name);
}

static void print_model(const struct result *result, FILE *out)
{
    const struct cost_model *model = &result->model;

    if (!result->has_model)
        return;
    fputc('\n', out);
    print_rate("a byte sent", &model->call, model->call_misfit_ns, out);
    print_rate("a byte received", &model->reply, model->reply_misfit_ns, out);
    if (model->packet.known)
        print_rate("a packet received", &model->packet, model->reply_misfit_ns, out);
    print_rate("a ns of pause", &model->pace, model->pace_misfit_ns, out);
    if (!model->reply.known)
        fputs("  without a file to read, bytes and server are not told apart\n", out);
}

static void print_quantile_costs(const struct result_op *op, FILE *out)
{
    const struct above_null *above = &op->above_null;
    const struct {
        const char *name;
        const struct interval *interval;
    } rows[] = {{"p50", &above->p50}, {"p90", &above->p90}, {"p99", &above->p99}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        fprintf(out, "    of %-11s %8.3f us  [%.3f, %.3f]\n", rows[i].name,
                us(rows[i].interval->estimate), us(rows[i].interval->low),
                us(rows[i].interval->high));
}

static void print_control(const struct result_op *control, FILE *out)
{
    const struct interval *cost = &control->above_null.cost;
    char bracket[48];

    snprintf(bracket, sizeof bracket, "[%.3f, %.3f]", us(cost->low), us(cost->high));
    fprintf(out, "  %-16s %8.3f us  %-18s the noise floor of this run\n", "null again",
            us(cost->estimate), bracket);
}

static void print_costs_heading(const struct result *result, FILE *out)
{
    const char *heading = "cost above null, 95 % confidence";

    if (result->op_count > 2)
        fprintf(out, "\n  %-*s of the call  difference of means\n",
                result->clock->tsc ? COST_COLUMNS + CYCLES_COLUMNS : COST_COLUMNS, heading);
    else
        fprintf(out, "\n  %s\n", heading);
}

static void print_costs(const struct result *result, bool verbose, FILE *out)
{
    if (!result->config.baseline)
        return;
    print_costs_heading(result, out);
    for (size_t i = 2; i < result->op_count; i++) {
        print_cost(result, &result->ops[i], out);
        print_split(result, &result->ops[i], out);
        if (verbose)
            print_quantile_costs(&result->ops[i], out);
    }
    print_control(&result->ops[1], out);
    if (verbose)
        print_model(result, out);
}

/* The lines below */

static void print_details(const struct result *result, FILE *out)
{
    fputc('\n', out);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];
        const struct histogram *histogram = &op->series->histogram;

        fprintf(out, "  %-16s min %.2f us, standard deviation %.2f us%s%s\n", op->op,
                us(histogram->minimum), us(histogram_stddev(histogram)),
                op->object[0] ? ", on " : "", op->object);
    }
}

static void print_troubles(const struct result_op *op, FILE *out)
{
    if (op->failed == 0 && op->retransmissions == 0 && op->reconnections == 0 && op->strays == 0)
        return;
    fprintf(out, "  %-16s", op->op);
    for (size_t i = 0; i < op->error_kinds; i++)
        fprintf(out, " %s %" PRIu64 " times,", op->errors[i].name, op->errors[i].count);
    fprintf(out, " sent again %" PRIu64 ", reconnected %" PRIu64 ", stray replies %" PRIu64 "\n",
            op->retransmissions, op->reconnections, op->strays);
}

static void print_usage(const struct result *result, FILE *out)
{
    const double *usage = result->usage.values;

    fprintf(out,
            "\n  per call, all ops: client CPU %.2f us (user %.2f, system %.2f)   "
            "context switches %.3f voluntary, %.3f involuntary\n",
            us(usage[COUNTER_CPU_NS]), us(usage[COUNTER_USER_NS]), us(usage[COUNTER_SYSTEM_NS]),
            usage[COUNTER_VOLUNTARY], usage[COUNTER_INVOLUNTARY]);
}

static void print_verdict(const struct validity *validity, FILE *out)
{
    fprintf(out, "  verdict %s\n", verdict_name(validity->verdict));
    for (size_t i = 0; i < validity->count; i++)
        fprintf(out, "    %s (%s): %s\n", validity->reasons[i].name,
                verdict_name(validity->reasons[i].verdict), validity->reasons[i].text);
}

void text_print(const struct result *result, bool verbose, FILE *out)
{
    print_identity(result, out);
    print_clock(result, out);
    print_run(result, out);
    print_mix(&result->config, out);
    if (verbose)
        print_host(result, out);
    print_table(result, verbose, out);
    print_costs(result, verbose, out);
    text_print_load(result, verbose, out);
    if (verbose)
        text_print_ranks(result, out);
    if (verbose)
        print_details(result, out);
    for (size_t i = 0; i < result->op_count; i++)
        print_troubles(&result->ops[i], out);
    for (size_t i = 0; i < result->skipped_count; i++)
        fprintf(out, "  %-16s left out: %s\n", result->skipped[i].op, result->skipped[i].reason);
    if (verbose)
        text_print_slowest(result, out);
    text_print_ledger(result, out);
    if (verbose)
        text_print_rates(result, out);
    if (!result->ledger.done)
        print_usage(result, out);
    if (result->ledger.cut_short[0])
        fprintf(out, "  counting per op was cut short: %s\n", result->ledger.cut_short);
    print_verdict(&result->validity, out);
}

/* Histograms */

static void print_histogram(const struct result_op *op, FILE *out)
{
    enum { BAR = 40 };
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS], largest = 1;

    histogram_log2(&op->series->histogram, counts);
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++)
        largest = counts[i] > largest ? counts[i] : largest;
    fprintf(out, "\n  %-16s %13s\n", op->op, "calls");
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++) {
        int bar = (int)ceil(BAR * (double)counts[i] / (double)largest);

        if (counts[i] > 0)
            fprintf(out, "  %9.3f us %13" PRIu64 "  %.*s\n", us(i ? ldexp(1, (int)i) : 0),
                    counts[i], bar, "########################################");
    }
}

void text_print_histograms(const struct result *result, FILE *out)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (!is_control(&result->ops[i]))
            print_histogram(&result->ops[i], out);
}
