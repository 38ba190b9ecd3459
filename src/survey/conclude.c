/* From the parts of a survey to the figures that matter most. */
#include <math.h>
#include <string.h>

#include "survey/survey.h"

static const struct interval unknown = {NAN, NAN, NAN};

/* Costs */

static void take_op(struct survey *survey, const struct result_op *op)
{
    if (survey->cost_count == SURVEY_OPS)
        return;
    survey->costs[survey->cost_count++] =
        (struct survey_cost){.op = op->op,
                             .bytes = op->data_bytes > 0 ? (uint64_t)op->data_bytes : 0,
                             .calls = op->calls,
                             .failed = op->failed,
                             .p50 = op->latency.p50,
                             .p99 = op->latency.p99,
                             .above_null = op->has_above_null ? op->above_null.cost : unknown,
                             .server = result_has_parts(op) ? op->split.server : unknown,
                             .rare = op->has_mean_cost ? op->mean_cost.rare : unknown,
                             .megabytes_per_s = result_megabytes_per_s(op)};
}

/* How steady OP was. */
static void take_tail(struct survey_steadiness *steadiness, const struct result_op *op)
{
    const double tail = op->latency.p999 / op->latency.p50;

    steadiness->sent_again += op->retransmissions;
    steadiness->reconnections += op->reconnections;
    if (tail > steadiness->tail || !steadiness->tail_op) {
        steadiness->tail = tail;
        steadiness->tail_op = op->op;
    }
}

/* Only the first of the measurements has a row for NULL. */
static void take_measurement(struct survey *survey, const struct result *result)
{
    struct survey_steadiness *steadiness = &survey->steadiness;

    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        if (op->role != RESULT_NULL_CONTROL)
            take_tail(steadiness, op);
        if (op->role == RESULT_OP || (op->role == RESULT_NULL && survey->cost_count == 0))
            take_op(survey, op);
    }
    for (size_t i = 0; i < result->skipped_count && survey->lacking_count < SURVEY_OPS; i++)
        survey->lacking[survey->lacking_count++] =
            (struct survey_lacking){result->skipped[i].op, result->skipped[i].reason};
    steadiness->stalls += result->stall_count;
    for (size_t i = 0; i < result->stall_count; i++)
        steadiness->longest_stall_s = fmax(steadiness->longest_stall_s, result->stalls[i].length_s);
    for (size_t i = 0; i < result->validity.count; i++)
        if (strcmp(result->validity.reasons[i].name, "drift") == 0)
            steadiness->drift = result->validity.reasons[i].text;
}

/* Loads */

static void take_experiment(struct survey *survey, const struct experiment_result *experiment)
{
    struct survey_load *load = &survey->loads[survey->load_count++];
    const struct experiment_diagnosis *diagnosis = experiment->diagnoses;

    *load = (struct survey_load){.op = experiment->ops,
                                 .knee = unknown,
                                 .rate = unknown,
                                 .alone = unknown,
                                 .limit_rate = unknown,
                                 .megabytes_per_s = NAN};
    for (size_t i = 0; i < experiment->cell_count; i++) {
        const struct experiment_cell *cell = &experiment->cells[i];
        const struct interval *rate = &cell->intervals[CELL_RATE];

        load->bytes = cell->setting.size;
        if (cell->setting.depth == 1)
            load->alone = cell->intervals[CELL_TYPICAL];
        if (experiment->diagnosis_count > 0 && cell->setting.depth == diagnosis->at.depth)
            load->limit_rate = *rate;
        if (rate->estimate > load->rate.estimate || isnan(load->rate.estimate)) {
            load->rate = *rate;
            load->megabytes_per_s = cell->intervals[CELL_MEGABYTES].estimate;
        }
    }
    if (experiment->scaling_count > 0 && experiment->scaling[0].has_knee) {
        load->knee = experiment->scaling[0].knee.concurrency;
        load->grows = experiment->scaling[0].knee.lower_bound;
    }
    if (experiment->diagnosis_count > 0) {
        load->limit = diagnosis->answer.limit;
        load->sureness = diagnosis->answer.sureness;
        load->evidence = diagnosis->answer.evidence;
    }
}

/* Times */

static void take_breakdown(struct survey *survey, const struct survey_part *part)
{
    const struct breakdown *breakdown = part->file.breakdowns;
    struct survey_time *time = &survey->times[survey->time_count++];

    *time = (struct survey_time){
        .depth = part->file.result.config.load.depth,
        .whole = breakdown->whole.estimate,
        .server_missing = json_string_value(json_object_get(part->json, "server_missing"))};
    for (size_t i = 0; i < breakdown->part_count; i++) {
        const struct breakdown_part *phase = &breakdown->parts[i];
        double *sum = strcmp(phase->kind, "client") == 0     ? &time->client
                      : strcmp(phase->kind, "network") == 0  ? &time->network
                      : strcmp(phase->kind, "server") == 0   ? &time->server
                      : strcmp(phase->kind, "queueing") == 0 ? &time->queueing
                                                             : &time->together;

        if (!isnan(phase->ns.estimate))
            *sum += phase->ns.estimate;
    }
}

/* The whole */

void survey_conclude(struct survey *survey)
{
    survey->cost_count = survey->lacking_count = survey->load_count = survey->time_count = 0;
    survey->steadiness = (struct survey_steadiness){.tail = NAN};
    for (size_t step = 0; step < SURVEY_STEPS; step++) {
        const struct survey_part *part = &survey->parts[step];
        const struct experiment_result *experiment = experiment_of(&part->file);

        if (!part->file.reading)
            continue;
        if (part->file.kind == RESULT_MEASUREMENT)
            take_measurement(survey, &part->file.result);
        else if (experiment)
            take_experiment(survey, experiment);
        else if (part->file.breakdown_count > 0)
            take_breakdown(survey, part);
    }
    survey_find(survey);
}

void survey_free(struct survey *survey)
{
    for (size_t step = 0; step < SURVEY_STEPS; step++) {
        if (survey->parts[step].file.reading)
            result_file_free(&survey->parts[step].file);
        json_decref(survey->parts[step].json);
        survey->parts[step].json = NULL;
    }
}
