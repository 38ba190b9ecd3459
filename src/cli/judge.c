#include "cli/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cpu.h"

/* By what share the level of SERIES moved from the first third of its N rounds to the last. */
static double level_change(const struct series *series, size_t n)
{
    double *blocks = malloc(n * sizeof *blocks), first, last;
    size_t third = n / 3;

    if (!blocks || third < VALIDITY_ROUNDS_SUSPECT / 2) {
        free(blocks);
        return 0;
    }
    memcpy(blocks, series->blocks[BLOCK_TRIMMED_MEAN], n * sizeof *blocks);
    first = estimate_median(blocks, third);
    last = estimate_median(blocks + n - third, third);
    free(blocks);
    return first > 0 ? last / first - 1 : 0;
}

/* The largest of any op's; costs of few rounds are not looked at. */
static double cost_autocorrelation(const struct result *result)
{
    size_t n = result->rounds->done;
    double *differences = malloc(n * sizeof *differences), largest = 0;

    for (size_t i = 2; differences && i < result->op_count && n >= VALIDITY_ROUNDS_SUSPECT; i++) {
        for (size_t round = 0; round < n; round++)
            differences[round] = result->ops[i].series->blocks[BLOCK_TRIMMED_MEAN][round] -
                                 result->ops[0].series->blocks[BLOCK_TRIMMED_MEAN][round];
        largest = fmax(largest, estimate_autocorrelation(differences, n));
    }
    free(differences);
    return largest;
}

/* Are client and server each bound to one processor, and these to one core? */
static bool share_core(const char *client_cpus, const char *server_cpus)
{
    char *client_end, *server_end;
    unsigned long client = strtoul(client_cpus, &client_end, 10);
    unsigned long server = strtoul(server_cpus, &server_end, 10);

    return client_end != client_cpus && !*client_end && server_end != server_cpus && !*server_end &&
           cpu_share_core((unsigned)client, (unsigned)server);
}

static void observe_op_sender(struct validity_evidence *evidence, const struct result_op *op,
                              const struct load *load)
{
    double response = histogram_quantile(&op->series->histogram, 0.99);
    double late = histogram_quantile(op->load.lateness, 0.99);
    double reached =
        arrivals_share_reached(load->arrival, load->rate, op->rate_per_s, op->series->calls);

    if (evidence->rate_reached == 0 || reached < evidence->rate_reached)
        evidence->rate_reached = reached;
    if (late * evidence->response_p99_ns < evidence->sender_late_ns * response)
        return;
    evidence->sender_late_ns = late;
    evidence->response_p99_ns = response;
}

/* Of an open loop, the op whose sender did worst; those of a mix have none of their own. */
static void observe_sender(struct validity_evidence *evidence, const struct result *result)
{
    for (size_t i = 0; i < result->op_count && result->config.load.rate > 0; i++)
        if (result->ops[i].has_load)
            observe_op_sender(evidence, &result->ops[i], &result->config.load);
}

void judge_result(struct result *result, const struct session *session, uint64_t calls)
{
    const struct settings *settings = session->settings;
    double before = session->frequency_before, after = session->frequency_after;
    struct validity_evidence evidence = {
        .calls = calls,
        .rounds = result->rounds->done,
        .warmed_up_steady = settings->no_warmup || result->rounds->steady,
        .level_change = level_change(result->ops[0].series, result->rounds->done),
        .clock_ppm = result->clock_ppm,
        .clock_step_ns = result->clock_step_ns,
        .steal_share = isnan(result->steal_share) ? 0 : result->steal_share,
        .involuntary_switches = result->usage.values[COUNTER_INVOLUNTARY],
        .client_cpu_share =
            settings->spin ? 0 : result->client_cpu_share / fmax(1, settings->load.threads),
        .frequency_change = before > 0 && after > 0 ? after / before - 1 : 0,
        .shares_core = share_core(result->config.client_cpus, session->ledger.server_cpus),
        .has_control = result->config.baseline,
        .null_ns = result->ops[0].series->histogram.mean,
        .autocorrelation = result->config.baseline ? cost_autocorrelation(result) : 0,
        .ranks_evenness = session->ranks_evenness,
    };

    observe_sender(&evidence, result);
    for (size_t i = 0; i < result->op_count; i++) {
        evidence.failed += result->ops[i].failed;
        evidence.retransmissions += result->ops[i].retransmissions;
        evidence.reconnections += result->ops[i].reconnections;
    }
    if (evidence.has_control) {
        evidence.control_ns = result->ops[1].above_null.cost.estimate;
        evidence.control_low_ns = result->ops[1].above_null.cost.low;
        evidence.control_high_ns = result->ops[1].above_null.cost.high;
    }
    validity_judge(&result->validity, &evidence);
}
