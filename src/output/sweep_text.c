/* A sweep as text for people. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/number.h"
#include "output/sweep.h"
#include "output/text.h"
#include "version.h"

static void print_heading(const struct sweep *sweep, FILE *out)
{
    fprintf(out, "nfsbench %s  sweep of %s on %s  NFSv3 over %s  engine %s\n", NFSBENCH_VERSION,
            sweep->op, printable(sweep->origin.target).text, sweep->origin.transport,
            sweep->engine);
    fprintf(out, "client on CPU %s     %zu trials of ", sweep->client_cpus, sweep->trials_done);
    if (sweep->trial_calls)
        fprintf(out, "%" PRIu64 " calls", sweep->trial_calls);
    else
        fprintf(out, "%.2g s", sweep->trial_seconds);
    fprintf(out, " in random order, seed %" PRIu64 "\n", sweep->origin.seed);
    if (sweep->full_rate > 0)
        fprintf(out, "a closed loop makes %.0f calls/s: that is 100 %% of --rate\n",
                sweep->full_rate);
    if (sweep->cut_short_by)
        fprintf(out, "CUT SHORT after %zu of %zu trials: %s\n", sweep->trials_done,
                sweep->trials_planned, printable(sweep->cut_short_by).text);
}

/* What it teaches */

static void print_parameter(const char *name, const struct interval *value, int decimals,
                            const char *unit, FILE *out)
{
    char estimate[SWEEP_CELL_SIZE], range[SWEEP_CELL_SIZE];

    fprintf(out, "    %-22s %12s%s  %s\n", name, sweep_cell(estimate, decimals, value->estimate),
            unit, sweep_bracket(range, value, decimals));
}

static void print_law(const struct scalability *law, FILE *out)
{
    fprintf(out,
            "  Universal Scalability Law: X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)); "
            "R2 %.3f,\n  off by %.1f %% at worst, at %.0f in flight\n",
            law->r_squared, 100 * law->residual_largest, law->residual_concurrency);
    print_parameter("lambda", &law->lambda, 0, " calls/s", out);
    print_parameter("sigma (contention)", &law->sigma, 5, "", out);
    print_parameter("kappa (coherency)", &law->kappa, 7, "", out);
    if (isinf(law->peak_concurrency.estimate)) {
        print_parameter("no peak; limit", &law->peak_throughput, 0, " calls/s", out);
        return;
    }
    print_parameter("peak at", &law->peak_concurrency, 1,
                    law->peak_beyond ? " in flight, beyond what was measured" : " in flight", out);
    print_parameter("peak throughput", &law->peak_throughput, 0, " calls/s", out);
}

static void print_knee(const struct knee *knee, FILE *out)
{
    fprintf(out, "  the knee: with more calls in flight than this, calls wait for one another%s\n",
            knee->lower_bound ? " (throughput still grew: it lies higher)" : "");
    print_parameter("knee at", &knee->concurrency, 2, " in flight", out);
}

static void print_scaling(const struct sweep *sweep, const struct sweep_scaling *scaling, FILE *out)
{
    fputc('\n', out);
    if (sweep->swept_size)
        fprintf(out, "  of %" PRIu32 " bytes\n", scaling->size);
    if (scaling->has_law)
        print_law(&scaling->law, out);
    else
        fprintf(out, "  no scalability law: %s\n", printable(scaling->missing).text);
    if (scaling->has_knee)
        print_knee(&scaling->knee, out);
}

static void print_break(const struct piecewise_break *at, FILE *out)
{
    char range[SWEEP_CELL_SIZE];
    bool bend = at->jump_ns.low <= 0;

    fprintf(out, "      between %.0f and %.0f bytes: ", at->size.estimate, at->next);
    if (bend)
        fputs("a bend\n", out);
    else
        fprintf(out, "a step of %.3f us %s\n", us(at->jump_ns.estimate),
                sweep_bracket(range,
                              &(struct interval){us(at->jump_ns.estimate), us(at->jump_ns.low),
                                                 us(at->jump_ns.high)},
                              3));
}

/* A coefficient with its interval; a dash where the points are on no such line. */
static void print_coefficient(bool known, const struct interval *value, int decimals,
                              const char *unit, FILE *out)
{
    char range[SWEEP_CELL_SIZE];

    if (known)
        fprintf(out, "%9.*f%s %s\n", decimals, value->estimate, unit,
                sweep_bracket(range, value, decimals));
    else
        fprintf(out, "%9s%s\n", "-", unit);
}

static void print_piece(const struct piecewise_piece *piece, FILE *out)
{
    const struct interval fixed = {us(piece->fixed_ns.estimate), us(piece->fixed_ns.low),
                                   us(piece->fixed_ns.high)};

    fprintf(out, "    %8.0f to %8.0f bytes: ", piece->first, piece->last);
    print_coefficient(piece->fixed_known, &fixed, 3, " us", out);
    fprintf(out, "%*s", 4 + 8 + 4 + 8 + 8, "+ ");
    print_coefficient(piece->slope_known, &piece->ns_per_byte, 4, " ns a byte", out);
    if (!piece->fixed_known || !piece->slope_known)
        fprintf(out, "      on no line: off it by up to %.3f us beyond the noise\n",
                us(piece->misfit_ns));
}

static void print_sizes(const struct sweep *sweep, const struct sweep_sizes *sizes, FILE *out)
{
    const struct piecewise *cost = &sizes->cost;

    fprintf(out, "\n  %s by size", sizes->above_null ? "cost above null" : "typical time");
    if (sweep->swept_clients || sweep->swept_depth)
        fprintf(out, ", %s, depth %u", counted(sizes->clients, "client").text, sizes->depth);
    fputc('\n', out);
    if (!sizes->has_cost) {
        fprintf(out, "    no line through it: %s\n", printable(sizes->missing).text);
        return;
    }
    for (size_t i = 0; i <= cost->breaks; i++) {
        print_piece(&cost->piece[i], out);
        if (i < cost->breaks)
            print_break(&cost->at[i], out);
    }
    fprintf(out, "    off by %.1f %% of a call at worst, at %.0f bytes\n",
            100 * cost->residual_largest, cost->residual_size);
}

/* Of the rates that were tried: the highest, or the lowest. */
static double extreme_rate(const struct sweep *sweep, bool highest)
{
    double rate = sweep->point_count ? sweep->points[0].setting.rate : NAN;

    for (size_t i = 1; i < sweep->point_count; i++)
        rate = highest ? fmax(rate, sweep->points[i].setting.rate)
                       : fmin(rate, sweep->points[i].setting.rate);
    return rate;
}

/* Of the probes that were answered, how many held? */
static size_t held_count(const struct sweep *sweep)
{
    size_t held = 0;

    for (size_t i = 0; i < sweep->point_count; i++)
        held += sweep->points[i].answer == OBJECTIVE_HELD;
    return held;
}

static void print_failed(const struct sweep *sweep, FILE *out)
{
    char low[SWEEP_CELL_SIZE];
    size_t held = held_count(sweep);

    if (held > 0)
        fprintf(out, "held in %zu of the probes, but is not known to hold at any rate", held);
    else
        fprintf(out, "did not hold at any rate that was tried, down to %s calls/s",
                sweep_cell(low, 0, extreme_rate(sweep, false)));
}

static void print_found(const struct objective_result *result, FILE *out)
{
    char rate[SWEEP_CELL_SIZE], low[SWEEP_CELL_SIZE], high[SWEEP_CELL_SIZE];

    fprintf(out, "holds up to %s calls/s [%s, %s] (95 %% credible interval)%s",
            sweep_cell(rate, 0, result->rate.estimate), sweep_cell(low, 0, result->rate.low),
            sweep_cell(high, 0, result->rate.high),
            result->outcome == OBJECTIVE_UNCLEAR ? "; the probes did not narrow it further" : "");
}

static void print_objective(const struct sweep *sweep, FILE *out)
{
    const struct objective_result *result = &sweep->objective;
    char rate[SWEEP_CELL_SIZE];

    fprintf(out, "\n  %s ", sweep->objective_text);
    if (result->outcome == OBJECTIVE_ALL_HELD)
        fprintf(out, "held at every rate that was tried, up to %s calls/s",
                sweep_cell(rate, 0, extreme_rate(sweep, true)));
    else if (result->outcome == OBJECTIVE_ALL_FAILED)
        print_failed(sweep, out);
    else
        print_found(result, out);
    fprintf(out, ", by %s of %" PRIu64 " calls or more", counted(result->probes, "probe").text,
            sweep->probes.calls_least);
    if (sweep->probes.calls_least < sweep->probes.calls_wanted)
        fprintf(out, " (%" PRIu64 " %s)", sweep->probes.calls_wanted,
                sweep->trial_calls ? "are needed" : "would take too long at some rates");
    fputc('\n', out);
    if (sweep->probes.repeated > 0)
        fprintf(out, "  %s got no answer and %s made again; %zu got none in the end\n",
                counted(sweep->probes.repeated, "probe").text,
                sweep->probes.repeated == 1 ? "was" : "were", sweep->probes.without_answer);
    if (sweep->point_count > 0)
        fprintf(out, "  rates below %.0f calls/s were not tried\n", extreme_rate(sweep, false));
}

void sweep_print(const struct sweep *sweep, FILE *out)
{
    print_heading(sweep, out);
    if (!sweep->objective_text || sweep->verbose)
        sweep_print_points(sweep, out);
    for (size_t i = 0; i < sweep->scaling_count; i++)
        print_scaling(sweep, &sweep->scaling[i], out);
    for (size_t i = 0; i < sweep->sizes_count; i++)
        print_sizes(sweep, &sweep->sizes[i], out);
    if (sweep->objective_text)
        print_objective(sweep, out);
    fputc('\n', out);
    text_print_verdict(&sweep->validity, out);
}
