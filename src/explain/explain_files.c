/* An explanation as JSON (doc/FORMAT.md), and its table as CSV (RFC 4180). Times are in ns; unknown
 * values are empty in CSV. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "explain/explain.h"
#include "output/csv.h"
#include "output/json.h"
#include "output/result_json.h"

/* JSON */

static json_t *phase_object(const struct explanation *explanation, const struct explain_row *row)
{
    const struct prediction *prediction;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:f, s:o, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "key",
        row->type->key, "name", row->type->name, "meaning", row->type->meaning, "kind",
        explain_kind_keys[row->type->kind], "calls", json_count(row->count), "share", row->share,
        "share_without_queueing", json_known(row->share_without_queueing), "share_of_client",
        json_known(row->share_of_client), "mean_ns", row->mean, "adjusted_ns", row->adjusted,
        "min_ns", row->low, "p50_ns", row->p50, "p99_ns", row->p99, "max_ns", row->high,
        "begins_ns", row->begins);

    json_object_set_new(object, "added_ns", json_interval(&row->added));
    if (row->second_ns > 0)
        json_object_set_new(
            object, "second",
            json_pack("{s:f, s:f}", "begins_ns", row->second_begins, "mean_ns", row->second_ns));
    prediction = predictions_find(&explanation->predictions, row->type->key);
    if (prediction)
        json_object_set_new(object, "predicted", fields_write(prediction_fields, prediction, NULL));
    return object;
}

static json_t *phases_array(const struct explanation *explanation)
{
    json_t *phases = json_array();

    for (size_t i = 0; i < explanation->row_count; i++)
        json_array_append_new(phases, phase_object(explanation, &explanation->rows[i]));
    return phases;
}

static json_t *overlap_object(const struct explanation *explanation)
{
    double begins, length;
    struct result_latency latency;

    if (!explain_overlap(explanation, &begins, &length))
        return json_null();
    latency = result_latency_of(&explanation->phases->overlap);
    return json_pack("{s:o, s:f, s:o}", "calls", json_count(explanation->phases->overlap.count),
                     "begins_ns", begins, "latency_ns", json_latency(&latency));
}

static json_t *left_out_object(const struct phases *phases)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "incomplete", json_count(phases->incomplete),
                     "out_of_order", json_count(phases->out_of_order), "retransmitted",
                     json_count(phases->retransmitted), "failed", json_count(phases->failed));
}

static json_t *stamps_object(const struct explanation *explanation)
{
    return json_pack(
        "{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "sample", (int)explanation->sample, "lost",
        json_count(explanation->stamps_lost), "unmatched",
        json_count(explanation->stamps_unmatched), "dropped_calls",
        json_count(explanation->dropped), "events_lost", json_count(explanation->events_lost),
        "cost_ns", explanation->has_stamping ? json_interval(&explanation->stamping) : json_null(),
        "unstamped_mean_ns", json_known(explanation->unstamped_mean));
}

/* The time of a call in each phase, by key; joined phases are added up. */
static json_t *times_object(const struct explanation *explanation, const struct call_times *call)
{
    json_t *object = json_object();
    double ns[PHASES_MAXIMUM];

    if (phases_of_call(explanation->view, call, ns) != PHASE_EXPLAINED)
        return object;
    for (size_t i = 0; i < explanation->view->count; i++) {
        const char *key = explanation->view->phases[i]->key;
        double before = json_real_value(json_object_get(object, key)); /* 0 if there is none */

        if (!isnan(ns[i]))
            json_object_set_new(object, key, json_real(before + ns[i]));
    }
    return object;
}

static json_t *call_object(const struct explanation *explanation, const struct call_times *call)
{
    return json_pack("{s:o, s:o, s:o}", "call", json_count(call->number), "lifetime_ns",
                     json_count(call->lifetime_ns), "phases_ns", times_object(explanation, call));
}

static json_t *examples_array(const struct explanation *explanation)
{
    json_t *examples = json_array();

    for (size_t i = 0; i < explanation->example_count; i++) {
        const struct explain_example *example = &explanation->examples[i];
        json_t *object = call_object(explanation, &example->times);

        json_object_set_new(object, "which", json_string(example->which));
        json_array_append_new(examples, object);
    }
    return examples;
}

static json_t *slow_object(const struct explanation *explanation)
{
    json_t *calls = json_array();

    for (size_t i = 0; i < explanation->slow_count; i++) {
        const struct explain_slow_call *slow = &explanation->slow[i];
        json_t *object = call_object(explanation, &slow->times);
        json_t *notes = json_array();

        for (size_t j = 0; j < slow->note_count; j++)
            json_array_append_new(notes, json_text(slow->notes[j]));
        json_object_set_new(object, "longest",
                            json_string(explanation->rows[slow->longest].type->key));
        json_object_set_new(object, "notes", notes);
        json_array_append_new(calls, object);
    }
    return json_pack("{s:o, s:o, s:o}", "beyond_ns", json_known(explanation->slow_beyond), "total",
                     json_count(explanation->slow_total), "calls", calls);
}

json_t *explain_load_object(const struct load *load)
{
    json_t *object = json_pack("{s:i, s:i, s:i}", "clients", (int)load->clients, "connections",
                               (int)load->connections, "depth", (int)load->depth);

    if (load->rate > 0)
        json_object_set_new(object, "rate_per_s", json_real(load->rate));
    return object;
}

void explain_add_run(json_t *object, const struct explanation *explanation)
{
    origin_add_json(object, &explanation->origin);
    origin_add_security(object, &explanation->origin);
    json_object_set_new(object, "client_cpus", json_text(explanation->client_cpus));
    json_object_set_new(object, "server_cpu",
                        explanation->server_cpu >= 0 ? json_integer(explanation->server_cpu)
                                                     : json_null());
    if (explanation->load)
        json_object_set_new(object, "load", explain_load_object(explanation->load));
    if (explanation->cut_short_by)
        json_object_set_new(object, "cut_short_by", json_text(explanation->cut_short_by));
    if (explanation->validity)
        json_object_set_new(object, "validity", json_validity(explanation->validity));
    json_object_set_new(object, "view", json_string(explanation->view->name));
    json_object_set_new(object, "server_missing", json_text(explanation->server_missing));
}

void explain_add_op(json_t *object, const struct explanation *explanation)
{
    const struct phases *phases = explanation->phases;
    struct result_latency lifetime = result_latency_of(&phases->lifetime);

    json_object_set_new(object, "op", json_text(explanation->op));
    json_object_set_new(object, "bytes",
                        json_pack("{s:o, s:o}", "call", json_count(explanation->call_bytes),
                                  "reply", json_count(explanation->reply_bytes)));
    json_object_set_new(object, "calls", json_count(explanation->calls));
    json_object_set_new(object, "explained", json_count(phases->lifetime.count));
    json_object_set_new(object, "left_out", left_out_object(phases));
    json_object_set_new(object, "stamps", stamps_object(explanation));
    json_object_set_new(object, "lifetime_ns", json_latency(&lifetime));
    json_object_set_new(object, "mean_lifetime_ns", json_interval(&explanation->lifetime));
    json_object_set_new(object, "sum_ns", json_real(explanation->sum));
    json_object_set_new(object, "discrepancy", json_real(explanation->discrepancy));
    json_object_set_new(object, "phases", phases_array(explanation));
    json_object_set_new(object, "overlap", overlap_object(explanation));
    fields_add(object, predictions_fields, &explanation->predictions, explanation);
    json_object_set_new(object, "examples", examples_array(explanation));
    json_object_set_new(object, "slow", slow_object(explanation));
}

int explain_write_json(const void *data, FILE *out)
{
    json_t *object = json_begin(RESULT_EXPLANATION);

    explain_add_run(object, data);
    explain_add_op(object, data);
    return json_write_object(object, out);
}

/* CSV */

static void write_csv_prediction(const struct predictions *predictions, const char *key, FILE *out)
{
    const struct prediction *prediction = predictions_find(predictions, key);

    csv_write_number(prediction ? prediction->low : NAN, CSV_DECIMALS(3), out);
    csv_write_number(prediction ? prediction->high : NAN, CSV_DECIMALS(3), out);
}

static void write_csv_row(const struct explanation *explanation, const struct explain_row *row,
                          FILE *out)
{
    const double times[] = {row->mean,
                            row->adjusted,
                            row->low,
                            row->p50,
                            row->p99,
                            row->high,
                            row->begins,
                            row->second_ns > 0 ? row->second_begins : NAN,
                            row->second_ns > 0 ? row->second_ns : NAN};

    origin_write_csv(&explanation->origin, out);
    fprintf(out, "%s,%s,%s,%" PRIu64, explanation->op, row->type->key,
            explain_kind_keys[row->type->kind], row->count);
    csv_write_number(row->share, CSV_DECIMALS(6), out);
    csv_write_number(row->share_without_queueing, CSV_DECIMALS(6), out);
    csv_write_number(row->share_of_client, CSV_DECIMALS(6), out);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        csv_write_number(times[i], CSV_DECIMALS(3), out);
    write_csv_prediction(&explanation->predictions, row->type->key, out);
    fputs("\r\n", out);
}

void explain_write_csv_rows(const struct explanation *explanation, FILE *out)
{
    for (size_t i = 0; i < explanation->row_count; i++)
        write_csv_row(explanation, &explanation->rows[i], out);
}

int explain_write_csv(const void *data, FILE *out)
{
    fputs(EXPLAIN_CSV_HEADINGS, out);
    explain_write_csv_rows(data, out);
    return ferror(out) ? -EIO : 0;
}
