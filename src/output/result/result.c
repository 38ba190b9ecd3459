#include "output/result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const result_role_keys[] = {
    [RESULT_NULL] = "null",   [RESULT_NULL_CONTROL] = "null_control",
    [RESULT_LOCAL] = "local", [RESULT_MIX] = "mix",
    [RESULT_OP] = "op",       NULL,
};

const char *const result_quantity_keys[] = {"round_trip",     "above_null",  "mean_above_null",
                                            "p99_above_null", "server_part", "mean_server_part",
                                            "bytes_part",     "echo",        NULL};

const char *result_proto(const char *transport)
{
    if (!transport)
        return NULL;
    return strcmp(transport, "TCP") == 0 ? "tcp" : "udp";
}

const struct result_op *result_find(const struct result *result, const char *name)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (strcmp(result->ops[i].op, name) == 0)
            return &result->ops[i];
    return NULL;
}

double result_share_reached(const struct result_op *op, const struct load *load)
{
    const double sent =
        arrivals_share_reached(load->arrival, load->rate, op->rate_per_s, op->calls);
    const double answered =
        arrivals_share_answered(load->rate, (double)load_in_flight(load), op->latency.p50);

    return load->ranks == 0 && answered < sent ? answered : sent;
}

const struct result_op *result_local_of(const struct result *result, const struct result_op *op)
{
    size_t length = strlen(op->op);

    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *local = &result->ops[i];

        if (local->role == RESULT_LOCAL && strncmp(local->op, op->op, length) == 0 &&
            strcmp(local->op + length, RESULT_LOCAL_END) == 0)
            return local;
    }
    return NULL;
}

double result_megabytes_per_s(const struct result_op *op)
{
    return op->rate_per_s > 0 && op->data_bytes > 0 ? op->rate_per_s * op->data_bytes / 1e6 : NAN;
}

void result_set_entry_rates(struct result_op *op)
{
    op->entry_ns = op->entries_per_s = NAN;
    if (!(op->entries_each > 0))
        return;
    op->entry_ns = op->latency.mean / op->entries_each;
    if (op->rate_per_s > 0)
        op->entries_per_s = op->rate_per_s * op->entries_each;
}

/* Return the mean cost minus the parts for bytes and pause. The errors are taken as independent. */
static struct interval mean_server_part(const struct result_op *op)
{
    const struct interval *mean = &op->mean_cost.cost;
    const struct interval *less[] = {&op->split.bytes, &op->split.pause};
    struct interval part = *mean;

    for (size_t i = 0; i < sizeof less / sizeof less[0]; i++) {
        const double estimate = part.estimate - less[i]->estimate;

        part = (struct interval){
            estimate, estimate - hypot(part.estimate - part.low, less[i]->high - less[i]->estimate),
            estimate + hypot(part.high - part.estimate, less[i]->estimate - less[i]->low)};
    }
    return part;
}

struct interval result_figure_of(const struct result_op *op, enum result_quantity quantity)
{
    const struct interval unknown = {NAN, NAN, NAN};

    switch (quantity) {
    case RESULT_ROUND_TRIP:
        return op->round_trip;
    case RESULT_MEAN_COST:
        return op->has_mean_cost ? op->mean_cost.cost : unknown;
    case RESULT_P99_COST:
        return op->has_p99_cost ? op->p99_cost : unknown;
    case RESULT_SERVER_PART:
        return op->has_split ? op->split.server : unknown;
    case RESULT_MEAN_SERVER_PART:
        return op->has_split && op->has_mean_cost ? mean_server_part(op) : unknown;
    case RESULT_BYTES_PART:
        return op->has_split ? op->split.bytes : unknown;
    case RESULT_ECHO:
        return op->has_echo ? op->echo : unknown;
    default:
        return op->has_above_null ? op->above_null.cost : unknown;
    }
}

const char *result_impossible_part(const struct result_op *op, struct interval *part)
{
    const struct {
        const char *name;
        const struct interval *part;
    } parts[] = {
        {"bytes", &op->split.bytes}, {"pause", &op->split.pause}, {"server", &op->split.server}};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && op->has_split; i++) {
        if (!(parts[i].part->high < 0))
            continue;
        if (part)
            *part = *parts[i].part;
        return parts[i].name;
    }
    return NULL;
}

bool result_has_parts(const struct result_op *op)
{
    return op->has_split && !result_impossible_part(op, NULL);
}

void result_observe_model(const struct result *result, struct validity_evidence *evidence)
{
    const double noise = result_noise(result, RESULT_COST);

    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];
        struct interval part;
        const char *name = result_impossible_part(op, &part);

        if (!name || !op->above_null.distinguishable || -part.estimate <= noise ||
            part.estimate >= evidence->impossible_ns)
            continue;
        evidence->impossible_of = op->op;
        evidence->impossible_part = name;
        evidence->impossible_ns = part.estimate;
    }
}

void result_add_regime_reason(struct result *result, double least)
{
    const struct regime *regimes = result->regimes;
    const double extent = regimes_extent(regimes, result->regime_count);
    const bool by_echo = result->null_calls && result->null_calls->has_echo;
    char of_launches[80] = "";
    size_t others = 0;

    for (size_t i = 0; i < result->launch_count; i++)
        others += result->launches[i].other_state;
    if (others > 0)
        snprintf(of_launches, sizeof of_launches, ", in the %zu of %zu launches with the usual one",
                 result->launch_count - others, result->launch_count);
    if (result->regime_count < 2 || extent < least)
        return;
    validity_add_reason(&result->validity, VERDICT_SUSPECT, REASON_MACHINE_CHANGED_STATE,
                        "%s had %zu levels in the rounds, which differ by %.0f %%: %s; costs are "
                        "estimated within each level%s",
                        by_echo ? "a bare echo" : "NULL", result->regime_count, 100 * extent,
                        by_echo ? "the machine changed its state"
                                : "the machine, the network or the server changed",
                        of_launches);
}

/* Return the quantity of the null control that is used as the noise of QUANTITY. The control has no
 * parts: the cost is used for a part of the cost, the mean cost for the server's part of the mean
 * cost. The cost is also used for a round trip and an echo. */
static enum result_quantity noise_of(enum result_quantity quantity)
{
    if (quantity == RESULT_MEAN_SERVER_PART)
        return RESULT_MEAN_COST;
    return quantity == RESULT_SERVER_PART || quantity == RESULT_BYTES_PART ||
                   quantity == RESULT_ROUND_TRIP || quantity == RESULT_ECHO
               ? RESULT_COST
               : quantity;
}

double result_noise(const struct result *result, enum result_quantity quantity)
{
    const struct result_op *control = result->null_control;
    struct interval cost;

    if (!control)
        return 0;
    cost = result_figure_of(control, noise_of(quantity));
    if (isnan(cost.estimate))
        return 0;
    /* the p99 of a single launch has no interval, so its estimate counts, too */
    return fmax(quantity == RESULT_P99_COST ? fabs(cost.estimate) : NAN,
                fmax(fabs(cost.low), fabs(cost.high)));
}

struct result_latency result_latency_of(const struct histogram *histogram)
{
    return (struct result_latency){.minimum = histogram->minimum,
                                   .mean = histogram->mean,
                                   .stddev = histogram_stddev(histogram),
                                   .p50 = histogram_quantile(histogram, 0.5),
                                   .p90 = histogram_quantile(histogram, 0.9),
                                   .p99 = histogram_quantile(histogram, 0.99),
                                   .p999 = histogram_quantile(histogram, 0.999),
                                   .p9999 = histogram_quantile(histogram, 0.9999),
                                   .maximum = histogram->maximum};
}

static int longer_first(const void *a, const void *b)
{
    double x = ((const struct result_gap *)a)->length_s,
           y = ((const struct result_gap *)b)->length_s;

    return (x < y) - (x > y);
}

void result_sort_gaps(struct result_op *op)
{
    if (op->gap_count > 0)
        qsort(op->gaps, op->gap_count, sizeof *op->gaps, longer_first);
}

double result_level(const struct result *result, const struct result_op *op)
{
    size_t rounds = result->rounds.done;
    double *copy = malloc(rounds * sizeof *copy), level = NAN;

    for (size_t i = 0; copy && i < rounds; i++)
        /* rounded as in a file, so that the file's level is the same */
        copy[i] = round(op->blocks[i] * 10) / 10;
    if (copy)
        level = estimate_median(copy, rounds);
    free(copy);
    return level;
}

const struct interface_counters *result_busiest_interface(const struct ledger_entry *entry)
{
    const struct interface_counters *found = NULL;
    double most = 0;

    for (size_t i = 0; i < entry->interface_count; i++) {
        const double *values = entry->interfaces[i].values;
        double packets = values[INTERFACE_RX_PACKETS] + values[INTERFACE_TX_PACKETS];

        if (packets > most) {
            most = packets;
            found = &entry->interfaces[i];
        }
    }
    return found;
}

void result_free(struct result *result)
{
    arena_free(&result->arena);
    *result = (struct result){.path = NULL};
}

bool result_names_op(const char *list, const char *op)
{
    const size_t length = strlen(op);

    for (const char *at = list; at && *at; at += strcspn(at, ","), at += strspn(at, ", "))
        if (strncmp(at, op, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}
