/* A sweep as JSON: doc/FORMAT.md describes it. */
#include <math.h>

#include "output/json.h"
#include "output/result_json.h"
#include "output/sweep.h"

const char *const sweep_figure_names[SWEEP_FIGURES] = {
    [SWEEP_THROUGHPUT] = "throughput_per_s",
    [SWEEP_MEAN] = "mean_ns",
    [SWEEP_TYPICAL] = "typical_ns",
    [SWEEP_NULL] = "null_ns",
    [SWEEP_COST] = "above_null_ns",
    [SWEEP_TURN_AROUND] = "turn_around_ns",
    [SWEEP_P50] = "p50_ns",
    [SWEEP_P90] = "p90_ns",
    [SWEEP_P99] = "p99_ns",
    [SWEEP_P999] = "p999_ns",
    [SWEEP_MAXIMUM] = "max_ns",
    [SWEEP_CLIENT_CPU] = "client_cpu_share",
    [SWEEP_CLIENT_THREAD] = "client_thread_share",
    [SWEEP_SERVER_CPU] = "server_cpus",
    [SWEEP_SERVER_SHARE] = "server_cpu_share",
    [SWEEP_SERVER_THREAD] = "server_thread_share",
    [SWEEP_BOTH_CPUS] = "both_cpus",
    [SWEEP_LINK] = "link_share",
    [SWEEP_CLIENT_CALL] = "client_cpu_ns_per_call",
    [SWEEP_LATE] = "lateness_p99_ns",
    [SWEEP_MEGABYTES] = "mb_per_s",
    [SWEEP_PACKETS] = "rx_packets_per_call",
    [SWEEP_BYTES] = "rx_bytes_per_call",
    [SWEEP_INTERRUPTS] = "interrupts_per_call",
    [SWEEP_NET_RX] = "net_rx_per_call",
};

static json_t *figure_object(const struct sweep_point *point, enum sweep_figure figure)
{
    json_t *trials = json_array();

    for (size_t i = 0; i < point->repeats; i++)
        json_array_append_new(trials, json_known(point->figures[figure][i]));
    return json_pack("{s:o, s:o}", "level", json_interval(&point->intervals[figure]), "trials",
                     trials);
}

static json_t *point_object(const struct sweep *sweep, const struct sweep_point *point)
{
    const struct sweep_setting *setting = &point->setting;
    json_t *object =
        json_pack("{s:i, s:i, s:i, s:I, s:o, s:i, s:i, s:b, s:s}", "clients", (int)setting->clients,
                  "connections", (int)setting->connections, "depth", (int)setting->depth, "size",
                  (json_int_t)setting->size, "rate_per_s",
                  setting->rate > 0 ? json_known(setting->rate) : json_null(), "trials",
                  (int)point->repeats, "invalid_trials", (int)point->invalid, "out_of_reach",
                  point->out_of_reach, "limited_by", bottleneck_name(point->bottleneck));

    for (unsigned i = 0; i < SWEEP_FIGURES; i++)
        json_object_set_new(object, sweep_figure_names[i], figure_object(point, i));
    if (point->has_little)
        json_object_set_new(object, "little",
                            json_pack("{s:o, s:s}", "discrepancy",
                                      json_interval(&point->little.discrepancy), "verdict",
                                      little_verdict_name(point->little.verdict)));
    if (sweep->objective_text)
        json_object_set_new(object, "held",
                            point->answer == OBJECTIVE_NO_ANSWER
                                ? json_null()
                                : json_boolean(point->answer == OBJECTIVE_HELD));
    return object;
}

static json_t *law_object(const struct scalability *law)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "lambda", json_interval(&law->lambda), "sigma",
        json_interval(&law->sigma), "kappa", json_interval(&law->kappa), "peak_concurrency",
        json_interval(&law->peak_concurrency), "peak_throughput",
        json_interval(&law->peak_throughput), "peak_beyond", law->peak_beyond, "r_squared",
        json_known(law->r_squared), "residual_largest", json_known(law->residual_largest));
}

static json_t *scaling_object(const struct sweep_scaling *scaling)
{
    json_t *object = json_pack("{s:I}", "size", (json_int_t)scaling->size);

    json_object_set_new(object, "law", scaling->has_law ? law_object(&scaling->law) : json_null());
    if (!scaling->has_law)
        json_object_set_new(object, "law_missing", json_string(scaling->missing));
    if (scaling->has_knee)
        json_object_set_new(
            object, "knee",
            json_pack("{s:o, s:o, s:o, s:b}", "concurrency",
                      json_interval(&scaling->knee.concurrency), "throughput_maximum",
                      json_interval(&scaling->knee.throughput_maximum), "response_minimum_ns",
                      json_interval(&scaling->knee.response_minimum), "lower_bound",
                      scaling->knee.lower_bound));
    return object;
}

static json_t *sizes_object(const struct sweep_sizes *sizes)
{
    json_t *object =
        json_pack("{s:i, s:i}", "clients", (int)sizes->clients, "depth", (int)sizes->depth);
    json_t *pieces = json_array(), *breaks = json_array();

    for (size_t i = 0; sizes->has_cost && i <= sizes->cost.breaks; i++) {
        const struct piecewise_piece *piece = &sizes->cost.piece[i];

        json_array_append_new(
            pieces, json_pack("{s:f, s:f, s:o, s:o, s:f}", "first", piece->first, "last",
                              piece->last, "fixed_ns",
                              piece->fixed_known ? json_interval(&piece->fixed_ns) : json_null(),
                              "ns_per_byte",
                              piece->slope_known ? json_interval(&piece->ns_per_byte) : json_null(),
                              "misfit_ns", piece->misfit_ns));
    }
    for (size_t i = 0; sizes->has_cost && i < sizes->cost.breaks; i++)
        json_array_append_new(breaks, json_pack("{s:o, s:f, s:o}", "size",
                                                json_interval(&sizes->cost.at[i].size), "next",
                                                sizes->cost.at[i].next, "jump_ns",
                                                json_interval(&sizes->cost.at[i].jump_ns)));
    json_object_set_new(object, "above_null", json_boolean(sizes->above_null));
    json_object_set_new(object, "pieces", pieces);
    json_object_set_new(object, "breaks", breaks);
    if (!sizes->has_cost)
        json_object_set_new(object, "missing", json_string(sizes->missing));
    return object;
}

static json_t *objective_object(const struct sweep *sweep)
{
    const struct sweep_probes *probes = &sweep->probes;

    return json_pack(
        "{s:s, s:s, s:o, s:I, s:I, s:I, s:o, s:o}", "objective", sweep->objective_text, "outcome",
        objective_outcome_name(sweep->objective.outcome), "rate_per_s",
        json_interval(&sweep->objective.rate), "probes", (json_int_t)sweep->objective.probes,
        "probes_repeated", (json_int_t)probes->repeated, "probes_without_answer",
        (json_int_t)probes->without_answer, "calls_wanted", json_count(probes->calls_wanted),
        "calls_least", json_count(probes->calls_least));
}

static json_t *sweep_object(const struct sweep *sweep)
{
    json_t *points = json_array(), *scaling = json_array(), *sizes = json_array();
    json_t *object = json_begin(RESULT_SWEEP);

    for (size_t i = 0; i < sweep->point_count; i++)
        json_array_append_new(points, point_object(sweep, &sweep->points[i]));
    for (size_t i = 0; i < sweep->scaling_count; i++)
        json_array_append_new(scaling, scaling_object(&sweep->scaling[i]));
    for (size_t i = 0; i < sweep->sizes_count; i++)
        json_array_append_new(sizes, sizes_object(&sweep->sizes[i]));
    origin_add_json(object, &sweep->origin);
    json_object_set_new(object, "op", json_text(sweep->op));
    json_object_set_new(object, "engine", json_text(sweep->engine));
    json_object_set_new(object, "client_cpus", json_text(sweep->client_cpus));
    json_object_set_new(object, "points", points);
    json_object_set_new(object, "trial_seconds",
                        sweep->trial_calls ? json_null() : json_real(sweep->trial_seconds));
    json_object_set_new(object, "trial_calls",
                        sweep->trial_calls ? json_integer((json_int_t)sweep->trial_calls)
                                           : json_null());
    json_object_set_new(object, "full_rate_per_s",
                        sweep->full_rate > 0 ? json_real(sweep->full_rate) : json_null());
    json_object_set_new(object, "scaling", scaling);
    json_object_set_new(object, "sizes", sizes);
    if (sweep->objective_text)
        json_object_set_new(object, "find_max", objective_object(sweep));
    json_object_set_new(object, "validity", json_validity(&sweep->validity));
    if (sweep->cut_short_by)
        json_object_set_new(object, "cut_short_by", json_text(sweep->cut_short_by));
    return object;
}

int sweep_write_json(const void *data, FILE *out)
{
    return json_write_object(sweep_object(data), out);
}
