/* Writes a few calls in the trace event format of Chrome's tracing, which Perfetto can open: an
 * object with an array of events. Times ("ts", "dur") are in us, with decimals. Each call is a
 * process that begins at 0, so that calls are shown one above the other. Its tracks are threads. */
#include <inttypes.h>
#include <math.h>

#include "explain/phases/explain.h"
#include "output/form/form.h"
#include "output/result/json.h"

enum track { TRACK_CLIENT = 1, TRACK_KERNEL, TRACK_SERVER, TRACK_SEND };

static const struct {
    enum track track;
    const char *name;
} tracks[] = {
    {TRACK_CLIENT, "client"},
    {TRACK_KERNEL, "client's kernel and network"},
    {TRACK_SERVER, "server"},
    {TRACK_SEND, "client's send() system call"},
};

struct trace {
    const struct explanation *explanation;
    const struct explain_single_call *example;
    json_t *events;
    int process; /* number of the example, from 1 */
};

static enum track track_of(const struct phase_type *type)
{
    switch (type->kind) {
    case PHASE_CLIENT:
        return TRACK_CLIENT;
    case PHASE_SERVER:
        return TRACK_SERVER;
    default:
        return TRACK_KERNEL;
    }
}

/* Name the example (WHAT "process") or its track THREAD (WHAT "thread"). PLACE is its place on the
 * screen, from the top. */
static void add_name(const struct trace *trace, const char *what, int thread, const char *name,
                     int place)
{
    const char *const keys[] = {"name", "sort_index"};
    json_t *values[] = {json_text(name), json_integer(place)};

    for (size_t i = 0; i < 2; i++) {
        char event[32];

        snprintf(event, sizeof event, "%s_%s", what, keys[i]);
        json_array_append_new(trace->events, json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "name",
                                                       event, "ph", "M", "pid", trace->process,
                                                       "tid", thread, "args", keys[i], values[i]));
    }
}

static void add_names(const struct trace *trace)
{
    char name[160];

    snprintf(name, sizeof name, "%.40s, %s call: number %" PRIu64 ", %.3f us",
             trace->explanation->op, trace->example->which, trace->example->times.number,
             (double)trace->example->times.lifetime_ns / 1000);
    add_name(trace, "process", 0, name, trace->process);
    for (size_t i = 0; i < sizeof tracks / sizeof tracks[0]; i++)
        add_name(trace, "thread", (int)tracks[i].track, tracks[i].name, (int)tracks[i].track);
}

/* Add an event of phase "X" ("complete"). BEGINS (since the call's begin) and LENGTH are in ns. */
static void add_slice(const struct trace *trace, enum track track, const char *name,
                      const char *category, const char *meaning, double begins, double length)
{
    json_array_append_new(trace->events,
                          json_pack("{s:s, s:s, s:s, s:f, s:f, s:i, s:i, s:{s:f, s:s}}", "name",
                                    name, "cat", category, "ph", "X", "ts", begins / 1000, "dur",
                                    length / 1000, "pid", trace->process, "tid", (int)track, "args",
                                    "us", length / 1000, "meaning", meaning));
}

/* Add the complete call, which encloses the client's phases. */
static void add_call(const struct trace *trace)
{
    const uint64_t *at = trace->example->times.at;

    add_slice(trace, TRACK_CLIENT, trace->explanation->op, "call",
              "From the encoding of the call to the decoding of its reply.", 0,
              (double)(at[TIMESTAMP_DECODED] - at[TIMESTAMP_BEGUN]));
}

/* Add send() as a track of its own, because it continues during later phases. */
static void add_send(const struct trace *trace)
{
    const struct call_times *times = &trace->example->times;
    uint64_t entered = times->at[TIMESTAMP_SEND_ENTERED];

    if (times->send_returned >= entered && entered > 0)
        add_slice(trace, TRACK_SEND, "send()", "client",
                  "From the system call's entry to its return, including receive work that the "
                  "kernel does in it.",
                  (double)(entered - times->at[TIMESTAMP_BEGUN]),
                  (double)(times->send_returned - entered));
}

/* Add the head (TO is true) or the tail (TO is false) of arrow ID to TRACK's slice at NS. */
static void add_arrow_end(const struct trace *trace, bool to, int id, enum track track, double ns)
{
    json_t *event = json_pack("{s:s, s:s, s:s, s:i, s:f, s:i, s:i}", "name", "call", "cat", "call",
                              "ph", to ? "f" : "s", "id", id, "ts", ns / 1000, "pid",
                              trace->process, "tid", (int)track);

    if (to)
        json_object_set_new(event, "bp", json_string("e")); /* bind to the enclosing slice */
    json_array_append_new(trace->events, event);
}

/* Add an arrow where the call moves, at NS, from track FROM to track TO. The arrow starts 1 ns
 * before NS, because its start must be inside the slice in FROM. */
static void add_arrow(const struct trace *trace, int id, enum track from, enum track to, double ns)
{
    add_arrow_end(trace, false, id, from, ns - 1);
    add_arrow_end(trace, true, id, to, ns);
}

static void add_phases(const struct trace *trace, const double *ns)
{
    enum track last = TRACK_CLIENT;
    double passed = 0, last_ns = 0;

    for (size_t i = 0; i < PHASE_TYPES; i++) {
        const struct phase_type *type = &phase_types[i];
        enum track track = track_of(type);

        if (isnan(ns[i]))
            continue;
        add_slice(trace, track, type->name, explain_kind_keys[type->kind], type->meaning, passed,
                  ns[i]);
        if (track != last && last_ns >= 1) /* an empty slice can't have an arrow */
            add_arrow(trace, trace->process * PHASE_TYPES + (int)i, last, track, passed);
        passed += ns[i];
        last = track;
        last_ns = ns[i];
    }
}

static void add_example(const struct trace *trace)
{
    double ns[PHASE_TYPES];

    if (phases_of_call(trace->explanation->view, &trace->example->times, ns) != PHASE_EXPLAINED)
        return;
    add_names(trace);
    add_call(trace);
    add_phases(trace, ns);
    add_send(trace);
}

static int write_trace(const void *data, FILE *out)
{
    const struct explanation *explanation = data;
    struct trace trace = {.explanation = explanation, .events = json_array()};

    for (size_t i = 0; i < explanation->example_count; i++) {
        trace.example = &explanation->examples[i];
        trace.process = (int)i + 1;
        add_example(&trace);
    }
    return json_write_object(json_pack("{s:s, s:o, s:{s:o, s:o, s:o, s:o}}", "displayTimeUnit",
                                       "ns", "traceEvents", trace.events, "otherData", "tool",
                                       json_tool(), "start", json_text(explanation->origin.start),
                                       "target", json_text(explanation->origin.target), "op",
                                       json_text(explanation->op)),
                             out);
}

const struct form form_trace = {
    .writers = {[RESULT_EXPLANATION] = write_trace},
};
