/* A sweep as JSON: doc/FORMAT.md describes it. */
#include <errno.h>
#include <jansson.h>
#include <math.h>

#include "output/sweep.h"
#include "version.h"

/* null for what is unknown, or has no end. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *estimate(const struct interval *interval)
{
    if (isnan(interval->estimate))
        return json_null();
    return json_pack("{s:o, s:[o, o]}", "estimate", number(interval->estimate), "ci95",
                     number(interval->low), number(interval->high));
}

static json_t *figure_object(const struct sweep_point *point, enum sweep_figure figure)
{
    json_t *visits = json_array();

    for (size_t i = 0; i < point->repeats; i++)
        json_array_append_new(visits, number(point->figures[figure][i]));
    return json_pack("{s:o, s:o}", "level", estimate(&point->intervals[figure]), "visits", visits);
}

static json_t *point_object(const struct sweep *sweep, const struct sweep_point *point)
{
    const struct sweep_setting *setting = &point->setting;
    json_t *object =
        json_pack("{s:i, s:i, s:i, s:I, s:o, s:i, s:i, s:b, s:s}", "clients", (int)setting->clients,
                  "connections", (int)setting->connections, "depth", (int)setting->depth, "size",
                  (json_int_t)setting->size, "rate_per_s",
                  setting->rate > 0 ? number(setting->rate) : json_null(), "visits",
                  (int)point->repeats, "invalid_visits", (int)point->invalid, "out_of_reach",
                  point->out_of_reach, "limited_by", bottleneck_name(point->bottleneck));

    for (unsigned i = 0; i < SWEEP_FIGURES; i++)
        json_object_set_new(object, sweep_figure_names[i], figure_object(point, i));
    if (point->has_little)
        json_object_set_new(object, "little",
                            json_pack("{s:o, s:s}", "discrepancy",
                                      estimate(&point->little.discrepancy), "verdict",
                                      little_verdict_name(point->little.verdict)));
    if (sweep->objective_text)
        json_object_set_new(object, "held", json_boolean(point->held));
    return object;
}

static json_t *law_object(const struct scalability *law)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "lambda", estimate(&law->lambda),
                     "sigma", estimate(&law->sigma), "kappa", estimate(&law->kappa),
                     "peak_concurrency", estimate(&law->peak_concurrency), "peak_throughput",
                     estimate(&law->peak_throughput), "peak_beyond", law->peak_beyond, "r_squared",
                     number(law->r_squared), "residual_largest", number(law->residual_largest));
}

static json_t *scaling_object(const struct sweep_scaling *scaling)
{
    json_t *object = json_pack("{s:I}", "size", (json_int_t)scaling->size);

    json_object_set_new(object, "law", scaling->has_law ? law_object(&scaling->law) : json_null());
    if (!scaling->has_law)
        json_object_set_new(object, "law_lacking", json_string(scaling->lacking));
    if (scaling->has_knee)
        json_object_set_new(
            object, "knee",
            json_pack("{s:o, s:o, s:o, s:b}", "concurrency", estimate(&scaling->knee.concurrency),
                      "throughput_maximum", estimate(&scaling->knee.throughput_maximum),
                      "response_minimum_ns", estimate(&scaling->knee.response_minimum),
                      "lower_bound", scaling->knee.lower_bound));
    return object;
}

static json_t *sizes_object(const struct sweep_sizes *sizes)
{
    json_t *object =
        json_pack("{s:i, s:i}", "clients", (int)sizes->clients, "depth", (int)sizes->depth);
    json_t *pieces = json_array(), *breaks = json_array();

    for (size_t i = 0; sizes->has_cost && i <= sizes->cost.breaks; i++) {
        const struct piecewise_piece *piece = &sizes->cost.piece[i];

        json_array_append_new(pieces,
                              json_pack("{s:f, s:f, s:o, s:o}", "first", piece->first, "last",
                                        piece->last, "fixed_ns", estimate(&piece->fixed_ns),
                                        "ns_per_byte", estimate(&piece->ns_per_byte)));
    }
    for (size_t i = 0; sizes->has_cost && i < sizes->cost.breaks; i++)
        json_array_append_new(breaks, json_pack("{s:o, s:f, s:o}", "size",
                                                estimate(&sizes->cost.at[i].size), "next",
                                                sizes->cost.at[i].next, "jump_ns",
                                                estimate(&sizes->cost.at[i].jump_ns)));
    json_object_set_new(object, "pieces", pieces);
    json_object_set_new(object, "breaks", breaks);
    if (!sizes->has_cost)
        json_object_set_new(object, "lacking", json_string(sizes->lacking));
    return object;
}

static json_t *objective_object(const struct sweep *sweep)
{
    return json_pack("{s:s, s:s, s:o, s:i}", "objective", sweep->objective_text, "outcome",
                     objective_outcome_name(sweep->objective.outcome), "rate_per_s",
                     estimate(&sweep->objective.rate), "probes", (int)sweep->objective.probes);
}

static json_t *sweep_object(const struct sweep *sweep)
{
    json_t *points = json_array(), *scaling = json_array(), *sizes = json_array();
    json_t *object;

    for (size_t i = 0; i < sweep->point_count; i++)
        json_array_append_new(points, point_object(sweep, &sweep->points[i]));
    for (size_t i = 0; i < sweep->scaling_count; i++)
        json_array_append_new(scaling, scaling_object(&sweep->scaling[i]));
    for (size_t i = 0; i < sweep->sizes_count; i++)
        json_array_append_new(sizes, sizes_object(&sweep->sizes[i]));
    object = json_pack("{s:s, s:{s:s, s:s}, s:s, s:I, s:{s:s, s:s}, s:s, s:s, s:s, s:s, s:s, s:o}",
                       "schema", "nfsbench-sweep/1", "tool", "name", "nfsbench", "version",
                       NFSBENCH_VERSION, "start", sweep->start, "seed", (json_int_t)sweep->seed,
                       "host", "kernel", sweep->kernel, "cpu", sweep->cpu, "target", sweep->target,
                       "proto", sweep->transport, "op", sweep->op, "engine", sweep->engine,
                       "client_cpus", sweep->client_cpus, "points", points);
    json_object_set_new(object, "visit_seconds",
                        sweep->visit_calls ? json_null() : json_real(sweep->visit_seconds));
    json_object_set_new(object, "visit_calls",
                        sweep->visit_calls ? json_integer((json_int_t)sweep->visit_calls)
                                           : json_null());
    json_object_set_new(object, "full_rate_per_s",
                        sweep->full_rate > 0 ? json_real(sweep->full_rate) : json_null());
    json_object_set_new(object, "scaling", scaling);
    json_object_set_new(object, "sizes", sizes);
    if (sweep->objective_text)
        json_object_set_new(object, "find_max", objective_object(sweep));
    if (sweep->cut_short_by)
        json_object_set_new(object, "cut_short_by", json_string(sweep->cut_short_by));
    return object;
}

int sweep_write_json(const void *data, FILE *out)
{
    json_t *object = sweep_object(data);
    int code;

    if (!object)
        return -ENOMEM;
    errno = EIO; /* jansson's own failures set none */
    code = json_dumpf(object, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0 &&
                   fputc('\n', out) != EOF
               ? 0
               : -errno;
    json_decref(object);
    return code;
}
