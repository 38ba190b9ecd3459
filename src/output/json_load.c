#include "output/json_load.h"

json_t *json_latency(const struct histogram *histogram)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "min", histogram->minimum,
                     "mean", histogram->mean, "stddev", histogram_stddev(histogram), "p50",
                     histogram_quantile(histogram, 0.5), "p90", histogram_quantile(histogram, 0.9),
                     "p99", histogram_quantile(histogram, 0.99), "p999",
                     histogram_quantile(histogram, 0.999), "p9999",
                     histogram_quantile(histogram, 0.9999), "max", histogram->maximum);
}

json_t *json_load(const struct load *load)
{
    json_t *object =
        json_pack("{s:i, s:i, s:i, s:i}", "clients", (int)load->clients, "connections",
                  (int)load->connections, "depth", (int)load->depth, "threads", (int)load->threads);

    if (load->batch > 1)
        json_object_set_new(object, "batch", json_integer(load->batch));
    json_object_set_new(object, "rate_per_s", load->rate > 0 ? json_real(load->rate) : json_null());
    if (load->ranks > 0)
        json_object_set_new(object, "ranks", json_integer((json_int_t)load->ranks));
    if (load->rate > 0)
        json_object_set_new(
            object, "arrival",
            json_string(load->arrival == ARRIVALS_POISSON ? "poisson" : "constant"));
    return object;
}

static json_t *clients_array(const struct result *result, const struct result_op *op)
{
    json_t *clients = json_array();

    for (unsigned i = 0; i < result->config.load.clients; i++) {
        const struct load_client *client = &op->load.clients[i];
        double ticks = client->calls ? (double)client->ticks / (double)client->calls : 0;

        json_array_append_new(clients, json_pack("{s:I, s:f}", "calls", (json_int_t)client->calls,
                                                 "mean_ns", ticks * result->clock->ns_per_tick));
    }
    return clients;
}

static json_t *timeline_array(const struct timeline *timeline)
{
    json_t *points = json_array();

    for (size_t i = 0; i < timeline->count; i++) {
        const struct timeline_point *point = &timeline->points[i];
        double rate = point->active_ns ? (double)point->calls * 1e9 / (double)point->active_ns : 0;

        json_array_append_new(points, json_pack("{s:I, s:I, s:I, s:f, s:f, s:f}", "at_ns",
                                                (json_int_t)(point->step * TIMELINE_STEP_NS),
                                                "calls", (json_int_t)point->calls, "active_ns",
                                                (json_int_t)point->active_ns, "rate_per_s", rate,
                                                "p50", point->p50, "p99", point->p99));
    }
    return points;
}

json_t *json_op_load(const struct result *result, const struct result_op *op)
{
    const struct result_load *load = &op->load;
    json_t *object =
        json_pack("{s:f, s:f, s:f, s:o, s:o}", "in_flight", load->in_flight, "client_cpu_ns",
                  load->client_cpu_ns, "fairness", load->fairness, "clients",
                  clients_array(result, op), "timeline", timeline_array(load->timeline));

    if (load->service) {
        json_object_set_new(object, "service_ns", json_latency(load->service));
        json_object_set_new(object, "lateness_ns", json_latency(load->lateness));
    }
    return object;
}
