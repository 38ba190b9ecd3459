#include "mpi/ranks_merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/merge/result_merge.h"
#include "output/result/json.h"
#include "output/result/result_json.h"
#include "run/load_run.h"

/* Header of a partial result. After it come, for each series, the data that a result in JSON lacks:
 * all statistics of the blocks and the histograms of service times and lateness. The rank's result
 * as JSON comes last. Binary data are as in memory, because all ranks run the same build. */
struct head {
    uint64_t series, rounds;
};

static size_t series_size(size_t rounds)
{
    return BLOCK_STATISTICS * rounds * sizeof(double) + 2 * sizeof(struct histogram);
}

static void write_series(const struct measured *measured, FILE *out)
{
    for (size_t i = 0; i < measured->count; i++) {
        const struct measured_series *series = &measured->series[i];
        const struct load_series *load = series->load;

        for (size_t s = 0; s < BLOCK_STATISTICS; s++)
            fwrite(series->samples->blocks[s], sizeof(double), measured->rounds->done, out);
        fwrite(&load->service, sizeof load->service, 1, out);
        fwrite(&load->lateness, sizeof load->lateness, 1, out);
    }
}

struct ranks_message rank_part_write(const struct measured *measured, const struct result *result)
{
    const struct head head = {measured->count, measured->rounds->done};
    struct ranks_message part = {.data = NULL};
    FILE *out = open_memstream(&part.data, &part.size);
    int code = -ENOMEM;

    if (!out)
        return part;
    fwrite(&head, sizeof head, 1, out);
    write_series(measured, out);
    code = json_write_object(json_result(result), out);
    if (fclose(out) == 0 && code == 0)
        return part;
    free(part.data);
    return (struct ranks_message){.data = NULL};
}

struct ranks_sum {
    struct series samples;
    struct load_series load;
};

/* Copy rank 0's OWN data to MERGED, with empty series. Returns 0 or -ENOMEM. */
static int make_sums(struct ranks_merged *merged, const struct measured *own)
{
    struct measured *all = &merged->measured;
    const size_t rounds = own->rounds->done;
    double *blocks;

    *all = *own;
    all->arena = (struct arena){.last = NULL};
    all->series = arena_alloc(&all->arena, own->count, sizeof *all->series);
    merged->sums = arena_alloc(&all->arena, own->count, sizeof *merged->sums);
    blocks = arena_alloc(&all->arena, own->count * BLOCK_STATISTICS * rounds, sizeof *blocks);
    if (!all->series || !merged->sums || !blocks)
        return -ENOMEM;
    for (size_t i = 0; i < own->count; i++) {
        const struct measured_series *series = &own->series[i];

        all->series[i] = *series;
        all->series[i].samples = &merged->sums[i].samples;
        all->series[i].load = &merged->sums[i].load;
        if (series->baseline)
            all->series[i].baseline = &all->series[series->baseline - own->series];
        for (size_t s = 0; s < BLOCK_STATISTICS; s++, blocks += rounds)
            merged->sums[i].samples.blocks[s] = blocks;
    }
    return 0;
}

/* Add a rank's data of a series to SUM. VALUES has the block statistics of ROUNDS rounds, then two
 * histograms; OP has a third one. Rounds above DONE, the number in SUM, are left out. */
static void add_series(struct ranks_sum *sum, size_t done, const double *values, size_t rounds,
                       const struct result_op *op)
{
    const struct histogram *of_load =
        (const struct histogram *)(const void *)(values + BLOCK_STATISTICS * rounds);

    for (size_t s = 0; s < BLOCK_STATISTICS; s++, values += rounds)
        for (size_t round = 0; round < rounds && round < done; round++)
            sum->samples.blocks[s][round] += values[round];
    if (op->histogram)
        histogram_add(&sum->samples.histogram, op->histogram);
    histogram_add(&sum->load.service, &of_load[0]);
    histogram_add(&sum->load.lateness, &of_load[1]);
}

static int read_part(struct ranks_merged *merged, size_t rank, const struct ranks_message *message,
                     struct error *error)
{
    const size_t count = merged->measured.count;
    struct result *result = &merged->results[rank];
    struct head head = {.series = 0};
    char name[40];
    size_t size;
    json_t *root;
    int code;

    snprintf(name, sizeof name, "the part of rank %zu", rank);
    if (message->size >= sizeof head)
        memcpy(&head, message->data, sizeof head);
    if (head.series != count)
        return error_set(error, ERROR_FAILED, -EBADMSG, "%s: series are missing", name);
    size = head.rounds < message->size ? sizeof head + count * series_size(head.rounds) : SIZE_MAX;
    if (size > message->size)
        return error_set(error, ERROR_FAILED, -EBADMSG, "%s: rounds are missing", name);
    code = result_load(message->data + size, message->size - size, name, &root, error);
    if (code == 0)
        code = result_read_root(result, root, name, "nfsbench-mpi", error);
    result->path = NULL;
    json_decref(root);
    if (code == 0 && (result->op_count != count || result->rounds.done != head.rounds))
        return error_set(error, ERROR_FAILED, -EBADMSG, "%s: series or rounds are missing", name);
    for (size_t i = 0; i < count && code == 0; i++)
        add_series(&merged->sums[i], merged->measured.rounds->done,
                   (const double *)(const void *)(message->data + sizeof head +
                                                  i * series_size(head.rounds)),
                   head.rounds, &result->ops[i]);
    return code;
}

/* Set the merged result's ops from sums over COUNT ranks. Block statistics are divided by COUNT. */
static int set_op_statistics(struct ranks_merged *merged, size_t count)
{
    struct outcome *outcome = &merged->outcome;
    struct result *result = &outcome->result;
    struct op_costs *costs = arena_alloc(&result->arena, result->op_count, sizeof *costs);

    outcome->costs = (struct costs){.ops = costs, .count = result->op_count};
    for (size_t i = 0; costs && i < result->op_count; i++) {
        const struct ranks_sum *sum = &merged->sums[i];
        const struct series *series = costs[i].series = &sum->samples;
        struct result_op *op = &result->ops[i];

        for (size_t s = 0; s < BLOCK_STATISTICS; s++)
            for (size_t round = 0; round < result->rounds.done; round++)
                series->blocks[s][round] /= (double)count;
        op->blocks = series->blocks[BLOCK_TRIMMED_MEAN];
        op->block_means = series->blocks[BLOCK_MEAN];
        op->load->service = result_latency_of(&sum->load.service);
        op->load->lateness = result_latency_of(&sum->load.lateness);
    }
    return costs ? 0 : -ENOMEM;
}

static int no_memory(size_t count, struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM,
                     "out of memory for merging the results of %zu ranks", count);
}

int ranks_merge(struct ranks_merged *merged, const struct measured *own,
                const struct ranks_message *messages, size_t count, struct error *error)
{
    struct outcome *outcome = &merged->outcome;
    int code = 0;

    *merged = (struct ranks_merged){.results = calloc(count, sizeof *merged->results)};
    if (!merged->results || make_sums(merged, own) != 0)
        return no_memory(count, error);
    merged->count = count;
    for (size_t i = 0; i < merged->count && code == 0; i++)
        code = read_part(merged, i, &messages[i], error);
    if (code == 0)
        code = result_merge_ranks(&outcome->result, merged->results, count, error);
    if (code) {
        error->kind = ERROR_FAILED; /* the part is no file that the user named */
        return code;
    }
    if (set_op_statistics(merged, count) != 0)
        return no_memory(count, error);
    code = outcome_estimate(outcome, &merged->measured, 0, error);
    if (code == 0)
        result_merge_reasons(&outcome->result, merged->results, count);
    return code;
}

void ranks_merged_free(struct ranks_merged *merged)
{
    outcome_free(&merged->outcome);
    measured_free(&merged->measured);
    for (size_t i = 0; i < merged->count; i++)
        result_free(&merged->results[i]);
    free(merged->results);
}
