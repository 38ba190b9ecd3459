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

/* A client, and its latest call. */
struct client_use {
    uint32_t in_flight;
    struct call_name latest;
    const struct nfs_procedure *op;      /* of that; NULL: there was none, or it is not known */
    uint64_t calls, flight, connections; /* FLIGHT: the sum of calls in flight when one was sent */
    struct histogram *think;             /* ns; NULL: only those of all clients are kept */
};

/* The numbers of calls in one window after the other, which are equally long. */
struct window {
    uint64_t number;            /* of the last one */
    double calls;               /* in it, so far */
    double count, sum, squares; /* of those before it */
};

static const uint64_t window_ns[WORKLOAD_DISPERSIONS] = {10000000, 100000000, 1000000000};

struct workload_fill {
    bool keep_names;
    struct op_use ops[NFS_MIX_OPS_MAXIMUM];
    size_t op_count;
    struct objects *objects;
    struct client_use clients[WORKLOAD_CLIENTS_MAXIMUM];
    op_order_counts after; /* by the ops' places in OPS */
    uint64_t connections, client_count;
    struct histogram flight; /* calls of a client, when it sends one */
    struct histogram gaps;   /* ns between calls */
    struct histogram think;  /* ns */
    uint64_t first_call, last_call;
    uint64_t interval_ns, arrivals[WORKLOAD_INTERVALS_MAXIMUM];
    struct window windows[WORKLOAD_DISPERSIONS];
    struct workload_size sizes[WORKLOAD_TRANSFERS][SIZES];
    size_t size_count[WORKLOAD_TRANSFERS];
    uint64_t transfers[WORKLOAD_TRANSFERS], sequential[WORKLOAD_TRANSFERS];
    struct histogram listings; /* entries of directories, each listed as a whole */
};

struct workload_fill *workload_fill_open(size_t objects, bool keep_names)
{
    struct workload_fill *fill = calloc(1, sizeof *fill);

    if (!fill)
        return NULL;
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
    for (size_t i = 0; fill && i < WORKLOAD_OWN_CLIENTS_MAXIMUM; i++)
        free(fill->clients[i].think);
    if (fill)
        objects_close(fill->objects);
    free(fill);
}

void workload_fill_details(const struct workload_fill *fill, struct captured_call *call)
{
    call->details.after = fill->clients[call->client % WORKLOAD_CLIENTS_MAXIMUM].op;
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
                        const struct message *reply)
{
    struct object *directory =
        call->details.object ? objects_find(fill->objects, call->details.object) : NULL;

    if (!directory)
        return;
    directory->entries = (call->details.cookie ? directory->entries : 0) + reply->entries;
    if (reply->to_end)
        histogram_record(&fill->listings, (double)directory->entries);
}

static void add_name(struct workload_fill *fill, const char *name, uint64_t handle)
{
    struct object *object = handle ? objects_find(fill->objects, handle) : NULL;

    if (object)
        objects_keep_name(object, name);
}

/* Clients */

static struct client_use *client_of(struct workload_fill *fill, const struct captured_call *call)
{
    return &fill->clients[call->client % WORKLOAD_CLIENTS_MAXIMUM];
}

static void add_think(struct workload_fill *fill, struct client_use *client, double ns)
{
    histogram_record(&fill->think, ns);
    if (!client->think && client < fill->clients + WORKLOAD_OWN_CLIENTS_MAXIMUM)
        client->think = calloc(1, sizeof *client->think);
    if (client->think)
        histogram_record(client->think, ns);
}

static void add_client(struct workload_fill *fill, const struct captured_call *call,
                       struct workload_connection *connection)
{
    struct client_use *client = client_of(fill, call);

    fill->connections += !connection->counted;
    client->connections += !connection->counted;
    connection->counted = true;
    if (call->client >= fill->client_count)
        fill->client_count = call->client + 1;
    if (connection->in_flight++ == 0 && connection->idle_since &&
        call->time > connection->idle_since)
        add_think(fill, client, (double)(call->time - connection->idle_since));
    histogram_record(&fill->flight, ++client->in_flight);
    client->flight += client->in_flight;
    client->calls++;
    client->latest = call->name;
    client->op = call->details.op;
}

/* CALL is of the op that USE has: what followed its client's last one. */
static void add_order(struct workload_fill *fill, const struct captured_call *call,
                      const struct op_use *use)
{
    struct client_use *client = client_of(fill, call);
    const struct op_use *before = call->details.after ? use_of(fill, call->details.after) : NULL;

    if (before)
        fill->after[before - fill->ops][use - fill->ops]++;
    if (client->latest.flow == call->name.flow && client->latest.xid == call->name.xid &&
        client->latest.side == call->name.side)
        client->op = use->op;
}

/* Calls and replies */

/* What the op is of a call that was answered with STATUS: those that were refused are an op of
 * their own where a replay can have calls refused so. */
static struct op_use *answered(struct workload_fill *fill, const struct captured_call *call,
                               int status)
{
    struct op_use *sent = use_of(fill, call->details.op);
    struct op_use *use = use_of(fill, nfs_procedure_refused(call->details.op, status));

    if (!sent || !use)
        return sent;
    sent->calls--;
    use->calls++;
    return use;
}

void workload_fill_call(struct workload_fill *fill, const struct captured_call *call,
                        struct workload_connection *connection)
{
    struct op_use *use;

    if (call->procedure == NFSPROC3_NULL)
        return;
    use = call->details.op ? use_of(fill, call->details.op) : NULL;
    add_client(fill, call, connection);
    add_time(fill, call->time);
    if (!use)
        return;
    use->calls++;
    add_object(fill, &call->details);
}

static void end_flight(struct client_use *client, struct workload_connection *connection)
{
    client->in_flight -= client->in_flight > 0;
    if (connection)
        connection->in_flight -= connection->in_flight > 0;
}

void workload_fill_give_up(struct workload_fill *fill, const struct captured_call *call,
                           struct workload_connection *connection)
{
    if (call->procedure != NFSPROC3_NULL)
        end_flight(client_of(fill, call), connection);
}

void workload_fill_reply(struct workload_fill *fill, const struct captured_call *call,
                         struct workload_connection *connection, uint64_t time,
                         const struct message *reply)
{
    struct client_use *client = client_of(fill, call);
    struct op_use *use;

    if (call->procedure == NFSPROC3_NULL)
        return;
    use = call->details.op ? answered(fill, call, reply->status) : NULL;
    if (!call->given_up)
        end_flight(client, connection);
    connection->idle_since = time;
    if (!use)
        return;
    add_order(fill, call, use);
    histogram_record(&use->latency, time > call->time ? (double)(time - call->time) : 0);
    if (reply->status != use->op->refusal && call_status_is_known(reply->status))
        engine_count_error(&use->tally, reply->status);
    if (call->details.name[0] && fill->keep_names)
        add_name(fill, call->details.name, reply->handle);
    if (reply->is_listing)
        add_listing(fill, call, reply);
}

/* The result */

static double weight_scale(const struct workload_fill *fill)
{
    double most = 0;

    for (size_t i = 0; i < fill->op_count; i++)
        most = fmax(most, (double)fill->ops[i].calls);
    return most > NFS_MIX_WEIGHT_MAXIMUM ? NFS_MIX_WEIGHT_MAXIMUM / most : 1;
}

static void finish_op(const struct op_use *use, double scale, struct workload *workload)
{
    size_t to = workload->mix.count++;

    workload->mix.ops[to].procedure = use->op;
    workload->mix.ops[to].weight = (uint32_t)ceil((double)use->calls * scale);
    workload->ops[to] = (struct workload_op){.calls = (double)use->calls,
                                             .p50 = histogram_quantile(&use->latency, 0.5) / 1e3,
                                             .p99 = histogram_quantile(&use->latency, 0.99) / 1e3,
                                             .mean = use->latency.mean / 1e3,
                                             .tally = use->tally};
}

/* All calls of an op may have been refused, and so be another's. */
static void finish_ops(const struct workload_fill *fill, struct workload *workload)
{
    double scale = weight_scale(fill);
    size_t from[NFS_MIX_OPS_MAXIMUM]; /* their places in FILL */
    struct nfs_mix *mix = &workload->mix;

    for (size_t i = 0; i < fill->op_count; i++) {
        if (fill->ops[i].calls == 0)
            continue;
        from[mix->count] = i;
        finish_op(&fill->ops[i], scale, workload);
    }
    for (size_t i = 0; i < mix->count; i++)
        for (size_t j = 0; j < mix->count; j++) {
            mix->after[i][j] = fill->after[from[i]][from[j]];
            mix->ordered |= mix->after[i][j] > 0;
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

static void describe(const struct histogram *histogram, double unit,
                     double quantiles[THINK_QUANTILES])
{
    for (size_t i = 0; i < THINK_QUANTILES && histogram->count; i++)
        quantiles[i] = histogram_quantile(histogram, think_probabilities[i]) / unit;
}

/* Of COUNT calls, on CONNECTIONS: each of these begins by a wait, too. */
static double between_waits(uint64_t count, const struct histogram *think, uint64_t connections)
{
    uint64_t waits = (think ? think->count : 0) + connections;

    return waits ? (double)count / (double)waits : 0;
}

static void finish_clients(const struct workload_fill *fill, struct workload *workload)
{
    describe(&fill->think, 1e3, workload->think);
    workload->think_calls = between_waits(fill->flight.count, &fill->think, fill->connections);
    for (size_t i = 0; i < fill->client_count && i < WORKLOAD_OWN_CLIENTS_MAXIMUM; i++) {
        const struct client_use *use = &fill->clients[i];
        struct workload_client *client = &workload->own[workload->own_count];

        if (use->calls == 0)
            continue;
        *client = (struct workload_client){
            .calls = (double)use->calls,
            .connections = (double)use->connections,
            .in_flight = (double)use->flight / (double)use->calls,
            .think_calls = between_waits(use->calls, use->think, use->connections)};
        if (use->think)
            describe(use->think, 1e3, client->think);
        workload->own_count++;
    }
}

int workload_fill_finish(struct workload_fill *fill, double seconds, struct workload *workload)
{
    *workload = (struct workload){
        .seconds = seconds,
        .clients = (double)fill->client_count,
        .connections = (double)fill->connections,
        .in_flight = {fill->flight.mean, histogram_quantile(&fill->flight, 0.99)}};
    finish_ops(fill, workload);
    finish_transfers(fill, workload);
    finish_arrivals(fill, workload);
    finish_clients(fill, workload);
    workload->names_kept = fill->keep_names;
    objects_describe(fill->objects, workload);
    workload->directory[0] = fill->listings.mean;
    workload->directory[1] = fill->listings.maximum;
    describe(&fill->listings, 1, workload->directories);
    return workload->mix.count ? 0 : -ENODATA;
}
