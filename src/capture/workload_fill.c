#include "capture/workload_fill.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/objects.h"
#include "measure/histogram.h"

enum { SIZES = 64, FIRST_INTERVAL_NS = 1000000 };

/* The calls of an op, and the captured server's answers. */
struct op_use {
    const struct nfs_procedure *op;
    uint64_t calls;
    struct engine_tally tally;
    struct histogram latency;
};

/* The numbers of calls in one window after the other, which are equally long. */
struct window {
    uint64_t number;            /* of the last one */
    double calls;               /* in it, so far */
    double count, sum, squares; /* of those before it */
};

static const uint64_t window_ns[WORKLOAD_DISPERSIONS] = {10000000, 100000000, 1000000000};

struct workload_fill {
    struct hash_key key; /* of the handles' hashes: nobody can find the handles by trying */
    bool keep_names;
    struct op_use ops[NFS_MIX_OPS_MAXIMUM];
    size_t op_count;
    struct objects *objects;
    uint32_t in_flight[WORKLOAD_CLIENTS_MAXIMUM]; /* calls, by client */
    uint64_t connections, clients;
    struct histogram flight; /* calls of a client, when it sends one */
    struct histogram gaps;   /* ns between calls */
    struct histogram think;  /* ns */
    uint64_t first_call, last_call;
    uint64_t interval_ns, arrivals[WORKLOAD_INTERVALS_MAXIMUM];
    struct window windows[WORKLOAD_DISPERSIONS];
    struct workload_size sizes[WORKLOAD_TRANSFERS][SIZES];
    size_t size_count[WORKLOAD_TRANSFERS];
    uint64_t transfers[WORKLOAD_TRANSFERS], sequential[WORKLOAD_TRANSFERS];
    uint64_t listings, listed, most_listed; /* directories, as a whole, and their entries */
};

struct workload_fill *workload_fill_open(size_t objects, bool keep_names)
{
    struct workload_fill *fill = calloc(1, sizeof *fill);

    if (!fill)
        return NULL;
    fill->key = hash_new_key();
    fill->keep_names = keep_names;
    fill->interval_ns = FIRST_INTERVAL_NS;
    fill->objects = objects_open(objects);
    if (fill->objects)
        return fill;
    free(fill);
    return NULL;
}

void workload_fill_close(struct workload_fill *fill)
{
    if (fill)
        objects_close(fill->objects);
    free(fill);
}

void workload_fill_details(const struct workload_fill *fill, struct captured_call *call,
                           struct wire_reader *reader)
{
    details_read_call(&call->details, call->procedure, reader, &fill->key);
}

static struct op_use *use_of(struct workload_fill *fill, const struct nfs_procedure *op)
{
    size_t i = 0;

    while (i < fill->op_count && fill->ops[i].op != op)
        i++;
    if (i == NFS_MIX_OPS_MAXIMUM)
        return NULL;
    if (i == fill->op_count)
        fill->ops[fill->op_count++].op = op;
    return &fill->ops[i];
}

/* Arrivals */

/* Count a call in its interval; where the intervals are too few, each becomes twice as long. */
static void add_arrival(struct workload_fill *fill, uint64_t time)
{
    uint64_t after = time > fill->first_call ? time - fill->first_call : 0;

    while (after / fill->interval_ns >= WORKLOAD_INTERVALS_MAXIMUM) {
        for (size_t i = 0; i < WORKLOAD_INTERVALS_MAXIMUM; i++)
            fill->arrivals[i] = i < WORKLOAD_INTERVALS_MAXIMUM / 2
                                    ? fill->arrivals[2 * i] + fill->arrivals[2 * i + 1]
                                    : 0;
        fill->interval_ns *= 2;
    }
    fill->arrivals[after / fill->interval_ns]++;
}

static void end_window(struct window *window)
{
    window->count++;
    window->sum += window->calls;
    window->squares += window->calls * window->calls;
    window->calls = 0;
}

static void add_to_windows(struct workload_fill *fill, uint64_t time)
{
    uint64_t after = time > fill->first_call ? time - fill->first_call : 0;

    for (size_t i = 0; i < WORKLOAD_DISPERSIONS; i++) {
        struct window *window = &fill->windows[i];
        uint64_t number = after / window_ns[i];

        if (number > window->number) {
            end_window(window);
            window->count += (double)(number - window->number - 1); /* without calls */
            window->number = number;
        }
        window->calls++;
    }
}

static void add_time(struct workload_fill *fill, uint64_t time)
{
    if (fill->first_call == 0)
        fill->first_call = time;
    else
        histogram_record(&fill->gaps,
                         time > fill->last_call ? (double)(time - fill->last_call) : 0);
    if (time > fill->last_call)
        fill->last_call = time;
    add_arrival(fill, time);
    add_to_windows(fill, time);
}

/* Objects */

/* Where there are too many, a new size takes the place, and the calls, of the rarest: so those that
 * are frequent are found whenever they come (Metwally, Agrawal and El Abbadi, "Efficient
 * Computation of Frequent and Top-k Elements in Data Streams", ICDT 2005). */
static size_t rarest(const struct workload_size *sizes)
{
    size_t found = 0;

    for (size_t i = 1; i < SIZES; i++)
        if (sizes[i].calls < sizes[found].calls)
            found = i;
    return found;
}

static void add_size(struct workload_fill *fill, size_t transfer, uint32_t bytes)
{
    struct workload_size *sizes = fill->sizes[transfer];
    size_t i = 0;

    while (i < fill->size_count[transfer] && sizes[i].bytes != bytes)
        i++;
    if (i == SIZES)
        i = rarest(sizes);
    else if (i == fill->size_count[transfer])
        fill->size_count[transfer]++;
    sizes[i].bytes = bytes;
    sizes[i].calls++;
}

static void add_range(struct workload_fill *fill, struct object *object,
                      const struct call_details *details)
{
    size_t transfer = details->op->rpc.number == NFSPROC3_READ ? WORKLOAD_READ : WORKLOAD_WRITE;
    uint64_t end = details->offset + details->count;

    add_size(fill, transfer, details->count);
    if (!object || end < details->offset || end > (uint64_t)WORKLOAD_NUMBER_MAXIMUM)
        return;
    fill->transfers[transfer]++;
    fill->sequential[transfer] += details->offset == object->next[transfer];
    object->next[transfer] = end;
    if (end > object->end)
        object->end = end;
}

static void add_object(struct workload_fill *fill, const struct call_details *details)
{
    enum nfs_places_kind places = details->op->places;
    struct object *object = details->object ? objects_find(fill->objects, details->object) : NULL;

    if (details->has_range)
        add_range(fill, object, details);
    if (object && (places == NFS_PLACES_FILES || places == NFS_PLACES_RANGES))
        object->uses++;
}

/* A listing from its beginning to its end counts. */
static void add_listing(struct workload_fill *fill, const struct captured_call *call,
                        struct wire_reader *reader)
{
    struct object *directory =
        call->details.object ? objects_find(fill->objects, call->details.object) : NULL;
    struct listed listed;

    if (!directory || !details_read_listing(&listed, call->procedure, reader))
        return;
    directory->entries = (call->details.cookie ? directory->entries : 0) + listed.entries;
    if (!listed.to_end)
        return;
    fill->listings++;
    fill->listed += directory->entries;
    if (directory->entries > fill->most_listed)
        fill->most_listed = directory->entries;
}

static void add_name(struct workload_fill *fill, const struct captured_call *call,
                     struct wire_reader *reader)
{
    uint64_t hash = details_read_handle(call->procedure, reader, &fill->key);
    struct object *object = hash ? objects_find(fill->objects, hash) : NULL;

    if (object)
        objects_keep_name(object, call->details.name);
}

/* Calls and replies */

void workload_fill_call(struct workload_fill *fill, const struct captured_call *call,
                        struct workload_connection *connection)
{
    uint32_t client = call->client % WORKLOAD_CLIENTS_MAXIMUM;
    struct op_use *use;

    if (call->procedure == NFSPROC3_NULL)
        return;
    use = call->details.op ? use_of(fill, call->details.op) : NULL;
    fill->connections += connection->idle_since == 0 && connection->in_flight == 0;
    if (call->client >= fill->clients)
        fill->clients = call->client + 1;
    if (connection->in_flight++ == 0 && connection->idle_since &&
        call->time > connection->idle_since)
        histogram_record(&fill->think, (double)(call->time - connection->idle_since));
    histogram_record(&fill->flight, ++fill->in_flight[client]);
    add_time(fill, call->time);
    if (!use)
        return;
    use->calls++;
    add_object(fill, &call->details);
}

void workload_fill_reply(struct workload_fill *fill, const struct captured_call *call,
                         struct workload_connection *connection, uint64_t time, int status,
                         struct wire_reader *reader)
{
    uint32_t *in_flight = &fill->in_flight[call->client % WORKLOAD_CLIENTS_MAXIMUM];
    struct op_use *use;

    if (call->procedure == NFSPROC3_NULL)
        return;
    use = call->details.op ? use_of(fill, call->details.op) : NULL;
    *in_flight -= *in_flight > 0;
    connection->in_flight -= connection->in_flight > 0;
    connection->idle_since = time;
    if (!use)
        return;
    histogram_record(&use->latency, time > call->time ? (double)(time - call->time) : 0);
    if (status != 0 && call_status_is_known(status))
        engine_count_error(&use->tally, status);
    if (status != 0)
        return;
    if (call->details.name[0] && fill->keep_names)
        add_name(fill, call, reader);
    if (call->procedure == NFSPROC3_READDIR || call->procedure == NFSPROC3_READDIRPLUS)
        add_listing(fill, call, reader);
}

/* The result */

static void finish_ops(const struct workload_fill *fill, struct workload *workload)
{
    double most = 0;

    for (size_t i = 0; i < fill->op_count; i++)
        most = fmax(most, (double)fill->ops[i].calls);
    for (size_t i = 0; i < fill->op_count; i++) {
        const struct op_use *use = &fill->ops[i];
        double scale = most > NFS_MIX_WEIGHT_MAXIMUM ? NFS_MIX_WEIGHT_MAXIMUM / most : 1;
        uint32_t weight = (uint32_t)ceil((double)use->calls * scale);
        size_t to = workload->mix.count;

        workload->mix.ops[to].procedure = use->op;
        workload->mix.ops[to].weight = weight;
        workload->ops[to] =
            (struct workload_op){.calls = (double)use->calls,
                                 .p50 = histogram_quantile(&use->latency, 0.5) / 1e3,
                                 .p99 = histogram_quantile(&use->latency, 0.99) / 1e3,
                                 .mean = use->latency.mean / 1e3,
                                 .tally = use->tally};
        workload->mix.count++;
    }
}

static int more_calls_first(const void *a, const void *b)
{
    const struct workload_size *x = a, *y = b;

    return (x->calls < y->calls) - (x->calls > y->calls);
}

static void finish_transfers(struct workload_fill *fill, struct workload *workload)
{
    for (size_t i = 0; i < WORKLOAD_TRANSFERS; i++) {
        size_t count = fill->size_count[i];

        qsort(fill->sizes[i], count, sizeof fill->sizes[i][0], more_calls_first);
        count = count < WORKLOAD_SIZES_MAXIMUM ? count : WORKLOAD_SIZES_MAXIMUM;
        memcpy(workload->sizes[i], fill->sizes[i], count * sizeof fill->sizes[i][0]);
        workload->size_count[i] = count;
        if (fill->transfers[i])
            workload->sequential[i] = (double)fill->sequential[i] / (double)fill->transfers[i];
    }
}

/* Of whole windows, if there are enough for a variance. */
static double dispersion(const struct window *window)
{
    enum { ENOUGH = 10 };
    double mean = window->count > 0 ? window->sum / window->count : 0;

    if (window->count < ENOUGH || mean <= 0)
        return 0;
    return (window->squares - window->count * mean * mean) / (window->count - 1) / mean;
}

static void finish_arrivals(const struct workload_fill *fill, struct workload *workload)
{
    double seconds = (double)(fill->last_call - fill->first_call) / 1e9;

    workload->interval = (double)fill->interval_ns / 1e9;
    for (size_t i = 0; i < WORKLOAD_INTERVALS_MAXIMUM; i++) {
        workload->arrivals[i] = (double)fill->arrivals[i];
        if (fill->arrivals[i])
            workload->arrival_count = i + 1;
    }
    workload->rate = seconds > 0 ? (double)fill->gaps.count / seconds : 0;
    if (fill->gaps.mean > 0)
        workload->burstiness = histogram_stddev(&fill->gaps) / fill->gaps.mean;
    for (size_t i = 0; i < WORKLOAD_DISPERSIONS; i++)
        workload->dispersion[i] = dispersion(&fill->windows[i]);
}

static void finish_thinking(const struct workload_fill *fill, struct workload *workload)
{
    uint64_t waits = fill->think.count + fill->connections; /* each begins by one */

    for (size_t i = 0; i < THINK_QUANTILES && fill->think.count; i++)
        workload->think[i] = histogram_quantile(&fill->think, think_probabilities[i]) / 1e3;
    workload->think_calls = waits ? (double)fill->flight.count / (double)waits : 0;
}

int workload_fill_finish(struct workload_fill *fill, double seconds, struct workload *workload)
{
    *workload = (struct workload){
        .seconds = seconds,
        .clients = (double)fill->clients,
        .connections = (double)fill->connections,
        .in_flight = {fill->flight.mean, histogram_quantile(&fill->flight, 0.99)}};
    finish_ops(fill, workload);
    finish_transfers(fill, workload);
    finish_arrivals(fill, workload);
    finish_thinking(fill, workload);
    workload->names_kept = fill->keep_names;
    objects_describe(fill->objects, workload);
    workload->directory[0] = fill->listings ? (double)fill->listed / (double)fill->listings : 0;
    workload->directory[1] = (double)fill->most_listed;
    return workload->mix.count ? 0 : -ENODATA;
}
