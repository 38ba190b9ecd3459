#include "mpi/ranks_merge.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/json.h"
#include "output/result_fields.h"
#include "output/result_json.h"
#include "output/result_merge.h"
#include "run/load_run.h"

/* A part is a rank's result and, in it, of each series what a result does not have: all statistics
 * of its blocks, and the histograms of its load. */

static const struct field histogram_fields[] = {
    {"latency_ns", FIELD_OBJECT, FIELD_AT(struct result_op, latency), .fields = latency_fields},
    {"histogram", FIELD_OWN, .write = histogram_write, .read = histogram_read},
    FIELD_END,
};

/* Writing */

static json_t *write_histogram(const struct histogram *histogram)
{
    const struct result_op op = {.latency = result_latency_of(histogram), .histogram = histogram};

    return fields_write(histogram_fields, &op, NULL);
}

static json_t *write_series(const struct session *session, size_t index)
{
    const struct load_series *load = session->set.series[index]->load;
    json_t *blocks = json_array();

    for (size_t s = 0; s < BLOCK_STATISTICS; s++) {
        const double *values = session->measuring.rounds.series[index].blocks[s];
        json_t *array = json_array();

        for (size_t round = 0; round < session->measuring.rounds.done; round++)
            json_array_append_new(array, json_known(values[round]));
        json_array_append_new(blocks, array);
    }
    return json_pack("{s:o, s:o, s:o}", "blocks", blocks, "service",
                     write_histogram(&load->service), "lateness", write_histogram(&load->lateness));
}

struct ranks_message rank_part_write(const struct session *session, const struct result *result)
{
    json_t *part = json_result(result), *series = json_array();
    char *text;

    for (size_t i = 0; i < session->set.count; i++)
        json_array_append_new(series, write_series(session, i));
    json_object_set_new(part, "series", series);
    text = json_dumps(part, JSON_COMPACT);
    json_decref(part);
    return (struct ranks_message){text, text ? strlen(text) : 0};
}

/* Reading; what is added up here is rank 0's already. */

static void add_blocks(struct json_reader *reader, const json_t *from, struct series *sum,
                       size_t rounds)
{
    size_t count;
    const json_t *blocks = json_take_array(reader, from, "blocks", BLOCK_STATISTICS, &count);

    for (size_t s = 0; s < BLOCK_STATISTICS; s++) {
        const json_t *values = json_array_get(blocks, s);

        if (json_array_size(values) < rounds)
            json_refuse(reader, ": rounds are missing");
        for (size_t round = 0; round < rounds; round++) {
            const json_t *value = json_array_get(values, round);

            sum->blocks[s][round] += json_is_number(value) ? json_number_value(value) : NAN;
        }
    }
}

static void add_histogram(struct json_reader *reader, const json_t *from, const char *key,
                          struct histogram *sum)
{
    struct result_op op = {.op = NULL};

    fields_read(reader, json_take_object(reader, from, key), histogram_fields, &op);
    if (op.histogram)
        histogram_add(sum, op.histogram);
}

static void add_series(struct json_reader *reader, const json_t *from, struct session *session,
                       size_t index, const struct result *result)
{
    struct series *sum = &session->measuring.rounds.series[index];
    struct load_series *load = session->set.series[index]->load;
    const size_t own = session->measuring.rounds.done;

    add_blocks(reader, from, sum, result->rounds.done < own ? result->rounds.done : own);
    if (result->ops[index].histogram)
        histogram_add(&sum->histogram, result->ops[index].histogram);
    add_histogram(reader, from, "service", &load->service);
    add_histogram(reader, from, "lateness", &load->lateness);
}

static int read_part(struct session *session, struct result *result, size_t rank,
                     const struct ranks_message *message, struct error *error)
{
    char name[40];
    struct json_reader reader = {.arena = &result->arena, .path = name, .error = error};
    json_t *root;
    size_t count;

    snprintf(name, sizeof name, "the part of rank %zu", rank);
    reader.code = result_load(message->data, message->size, name, &root, error);
    if (reader.code)
        return reader.code;
    reader.code = result_read_root(result, root, name, "nfsbench-mpi", error);
    result->path = NULL;
    if (reader.code == 0) {
        const json_t *series = json_take_array(&reader, root, "series", session->set.count, &count);

        if (count != session->set.count || result->op_count != count)
            json_refuse(&reader, ": series are missing");
        for (size_t i = 0; i < count && rank > 0 && reader.code == 0; i++)
            add_series(&reader, json_array_get(series, i), session, i, result);
    }
    json_decref(root);
    return reader.code;
}

/* Merging */

/* Give the ops of all what is in SESSION's series now: the sums over COUNT ranks, of which those of
 * blocks become means. */
static int fill_ops(struct outcome *outcome, const struct session *session, size_t count)
{
    struct result *result = &outcome->result;
    struct op_costs *costs = arena_alloc(&result->arena, result->op_count, sizeof *costs);

    outcome->costs = (struct costs){.ops = costs, .count = result->op_count};
    for (size_t i = 0; costs && i < result->op_count; i++) {
        const struct load_series *load = session->set.series[i]->load;
        const struct series *series = costs[i].series = &session->measuring.rounds.series[i];
        struct result_op *op = &result->ops[i];

        for (size_t s = 0; s < BLOCK_STATISTICS; s++)
            for (size_t round = 0; round < result->rounds.done; round++)
                series->blocks[s][round] /= (double)count;
        op->blocks = series->blocks[BLOCK_TRIMMED_MEAN];
        op->block_means = series->blocks[BLOCK_MEAN];
        op->load->service = result_latency_of(&load->service);
        op->load->lateness = result_latency_of(&load->lateness);
    }
    return costs ? 0 : -ENOMEM;
}

static double evenness(const struct ranks_merged *merged)
{
    double worst = 1;

    for (size_t i = 0; i < merged->outcome.result.op_count; i++) {
        double least = INFINITY, most = 0;

        for (size_t rank = 0; rank < merged->count; rank++) {
            least = fmin(least, merged->results[rank].ops[i].rate_per_s);
            most = fmax(most, merged->results[rank].ops[i].rate_per_s);
        }
        if (most > 0)
            worst = fmin(worst, least / most);
    }
    return worst;
}

/* Is the reason about a rank's machine or process, and not about the few calls in its part? */
static bool is_of_machine(const char *name)
{
    static const char *const names[] = {"clock-disagreement", "steal",       "preempted",
                                        "client-cpu-bound",   "shared-core", "trailing-bytes",
                                        "rate-not-reached",   "sender-late", "frequency-scaling"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool has_reason(const struct validity *validity, const char *name)
{
    for (size_t i = 0; i < validity->count; i++)
        if (strcmp(validity->reasons[i].name, name) == 0)
            return true;
    return false;
}

/* Only the first rank with a reason is named; the others are in the ranks' parts of the result. */
static void add_reasons(struct result *result)
{
    for (size_t rank = 0; rank < result->rank_count; rank++) {
        const struct result_rank *own = &result->ranks[rank];

        for (size_t i = 0; i < own->validity.count; i++) {
            const struct validity_reason *found = &own->validity.reasons[i];

            if (is_of_machine(found->name) && !has_reason(&result->validity, found->name))
                validity_add_reason(&result->validity, found->verdict, found->name,
                                    "rank %zu (%.40s): %.120s", rank, own->host, found->text);
        }
    }
}

int ranks_merge(struct ranks_merged *merged, struct session *session,
                const struct ranks_message *messages, size_t count, struct error *error)
{
    struct outcome *outcome = &merged->outcome;
    int code = 0;

    *merged = (struct ranks_merged){.results = calloc(count, sizeof *merged->results)};
    if (merged->results)
        merged->count = count;
    for (size_t i = 0; i < merged->count && code == 0; i++)
        code = read_part(session, &merged->results[i], i, &messages[i], error);
    if (code == 0 && merged->results)
        code = result_merge_ranks(&outcome->result, merged->results, count, error);
    if (code) {
        error->kind = ERROR_FAILED; /* and not a file that somebody gave */
        return code;
    }
    if (!merged->results || fill_ops(outcome, session, count) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM,
                         "out of memory for merging the results of %zu ranks", count);
    session->measuring.ranks_evenness = evenness(merged);
    code = outcome_estimate(outcome, session, error);
    if (code == 0)
        add_reasons(&outcome->result);
    return code;
}

void ranks_merged_free(struct ranks_merged *merged)
{
    outcome_free(&merged->outcome);
    for (size_t i = 0; i < merged->count; i++)
        result_free(&merged->results[i]);
    free(merged->results);
}
