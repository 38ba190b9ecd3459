#include "profile/workload_fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/distribution.h"
#include "profile/objects.h"
#include "profile/stamp_clock.h"

#define FIRST_INTERVAL_NS UINT64_C(1000000)

struct client_use {
    uint32_t in_flight;
    uint64_t latest; /* key of the client's latest call */
    /* op of the client's latest call; NULL if not known, or there was no call */
    const struct nfs_procedure *op;
    /* Think times, ns. NULL if there are none. For clients beyond WORKLOAD_OWN_CLIENTS_MAXIMUM:
     * always NULL. */
    struct distribution *think;
};

/* Counts of calls in successive windows of equal length. */
struct window {
    uint64_t number; /* number of the last window, from 0 */
    double calls;    /* number of calls in the last window so far */
    /* COUNT: number of complete windows; SUM: their calls; SQUARES: sum of the windows' calls^2 */
    double count, sum, squares;
};

static const uint64_t window_ns[WORKLOAD_DISPERSIONS] = {10000000, 100000000, 1000000000};

struct workload_fill {
    struct workload *workload;
    struct distribution latencies[NFS_MIX_OPS_MAXIMUM]; /* latencies by op */
    struct table objects;
    struct client_use clients[WORKLOAD_CLIENTS_MAXIMUM];
    /* number of calls that a client has in flight when it sends a call, with that call */
    struct distribution flight;
    struct histogram gaps;     /* times between successive calls of all clients, ns */
    struct distribution think; /* ns */
    uint64_t first_call, last_call, interval_ns;
    struct window windows[WORKLOAD_DISPERSIONS];
    uint64_t transfers[WORKLOAD_TRANSFERS];
    /* each complete listing of a directory adds its number of entries */
    struct distribution listings;
};

struct workload_fill *workload_fill_open(struct workload *workload, size_t objects, bool keep_names)
{
    struct workload_fill *fill = calloc(1, sizeof *fill);

    if (!fill)
        return NULL;
    *workload = (struct workload){.names_kept = keep_names};
    fill->workload = workload;
    fill->interval_ns = FIRST_INTERVAL_NS;
    if (table_open(&fill->objects, objects, sizeof(struct object)))
        return fill;
    workload_fill_close(fill);
    return NULL;
}

void workload_fill_close(struct workload_fill *fill)
{
    if (!fill)
        return;
    for (size_t i = 0; i < WORKLOAD_OWN_CLIENTS_MAXIMUM; i++)
        free(fill->clients[i].think);
    for (size_t i = 0; i < fill->objects.added; i++)
        free(((struct object *)table_at(&fill->objects, i))->name);
    table_close(&fill->objects);
    free(fill);
}

/* Return PROCEDURE's op, added if new; NULL if there are too many ops, or PROCEDURE is NULL. */
static struct workload_op *find_op(struct workload *workload, const struct nfs_procedure *procedure)
{
    size_t i = 0;

    while (i < workload->op_count && workload->ops[i].procedure != procedure)
        i++;
    if (i == NFS_MIX_OPS_MAXIMUM || !procedure)
        return NULL;
    if (i == workload->op_count)
        workload->ops[workload->op_count++].procedure = procedure;
    return &workload->ops[i];
}

/* Arrivals */

/* Count a call, AFTER ns after the first call, in its interval. If the call is beyond the last
 * interval, double the length of each interval. */
static void add_arrival(struct workload_fill *fill, uint64_t after)
{
    double *arrivals = fill->workload->arrivals;

    for (; after / fill->interval_ns >= WORKLOAD_INTERVALS_MAXIMUM; fill->interval_ns *= 2)
        for (size_t i = 0; i < WORKLOAD_INTERVALS_MAXIMUM; i++)
            arrivals[i] =
                i < WORKLOAD_INTERVALS_MAXIMUM / 2 ? arrivals[2 * i] + arrivals[2 * i + 1] : 0;
    arrivals[after / fill->interval_ns]++;
}

static void end_window(struct window *window)
{
    window->count++;
    window->sum += window->calls;
    window->squares += window->calls * window->calls;
    window->calls = 0;
}

static void add_to_windows(struct workload_fill *fill, uint64_t after)
{
    for (size_t i = 0; i < WORKLOAD_DISPERSIONS; i++) {
        struct window *window = &fill->windows[i];
        uint64_t number = after / window_ns[i];

        if (number > window->number) {
            end_window(window);
            window->count += (double)(number - window->number - 1); /* windows without calls */
            window->number = number;
        }
        window->calls++;
    }
}

static void add_time(struct workload_fill *fill, uint64_t time)
{
    uint64_t after;

    if (fill->first_call == 0)
        fill->first_call = time;
    else
        histogram_record(&fill->gaps,
                         time > fill->last_call ? (double)(time - fill->last_call) : 0);
    if (time > fill->last_call)
        fill->last_call = time;
    after = time > fill->first_call ? time - fill->first_call : 0;
    add_arrival(fill, after);
    add_to_windows(fill, after);
}

/* Objects */

/* Return the index of the size with the fewest calls. If there are too many sizes, a new size
 * replaces that size and takes over its calls, so that frequent sizes are found whenever they occur
 * (Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data
 * Streams", ICDT 2005). */
static size_t rarest(const struct workload_size *sizes)
{
    size_t found = 0;

    for (size_t i = 1; i < WORKLOAD_SIZES_COUNTED; i++)
        if (sizes[i].calls < sizes[found].calls)
            found = i;
    return found;
}

static void add_size(struct workload *workload, size_t transfer, uint32_t bytes)
{
    struct workload_size *sizes = workload->sizes[transfer];
    size_t i = 0;

    while (i < workload->size_count[transfer] && sizes[i].bytes != bytes)
        i++;
    if (i == WORKLOAD_SIZES_COUNTED)
        i = rarest(sizes);
    else if (i == workload->size_count[transfer])
        workload->size_count[transfer]++;
    sizes[i].bytes = bytes;
    sizes[i].calls++;
}

/* Return the object with HASH, added if new; NULL if HASH is 0 or there are too many objects. */
static struct object *find_object(struct workload_fill *fill, uint64_t hash)
{
    struct object *object = hash ? table_find(&fill->objects, hash) : NULL;

    if (object || !hash || fill->objects.added == fill->objects.count)
        return object;
    return table_add(&fill->objects, hash);
}

static void add_range(struct workload_fill *fill, struct object *object, const struct message *call)
{
    size_t transfer = call->op->rpc.number == NFSPROC3_READ ? WORKLOAD_READ : WORKLOAD_WRITE;
    uint64_t end = call->offset + call->count;

    add_size(fill->workload, transfer, call->count);
    if (!object || end < call->offset || end > (uint64_t)WORKLOAD_NUMBER_MAXIMUM)
        return;
    fill->transfers[transfer]++;
    fill->workload->sequential[transfer] += call->offset == object->next[transfer];
    object->next[transfer] = end;
    if (end > object->end)
        object->end = end;
}

static void add_object(struct workload_fill *fill, const struct message *call)
{
    enum nfs_places_kind places = call->op->places;
    struct object *object = find_object(fill, call->object);

    if (call->has_range)
        add_range(fill, object, call);
    if (object && (places == NFS_PLACES_FILES || places == NFS_PLACES_RANGES))
        object->uses++;
}

/* Add the entries in REPLY to those of CALL's directory. Cookie 0 begins a new listing. At the
 * directory's end, record the listing's number of entries. */
static void add_listing(struct workload_fill *fill, const struct message *call,
                        const struct message *reply)
{
    struct object *directory = find_object(fill, call->object);

    if (!directory)
        return;
    directory->entries = (call->cookie ? directory->entries : 0) + reply->entries;
    if (reply->to_end)
        distribution_add(&fill->listings, (double)directory->entries);
}

static void add_name(struct workload_fill *fill, const char *name, uint64_t handle)
{
    struct object *object = find_object(fill, handle);

    if (object && !object->name)
        object->name = strdup(name);
}

/* Clients */

static struct client_use *client_of(struct workload_fill *fill, const struct captured_call *call)
{
    return &fill->clients[call->client % WORKLOAD_CLIENTS_MAXIMUM];
}

static void add_think(struct workload_fill *fill, struct client_use *client, double ns)
{
    distribution_add(&fill->think, ns);
    if (!client->think && client < fill->clients + WORKLOAD_OWN_CLIENTS_MAXIMUM)
        client->think = calloc(1, sizeof *client->think);
    if (client->think)
        distribution_add(client->think, ns);
}

static void add_client(struct workload_fill *fill, const struct captured_call *call,
                       struct workload_connection *connection)
{
    struct workload *workload = fill->workload;
    struct client_use *client = client_of(fill, call);
    struct workload_client *own =
        &workload->own[call->client < WORKLOAD_OWN_CLIENTS_MAXIMUM ? call->client
                                                                   : WORKLOAD_OWN_CLIENTS_MAXIMUM];

    workload->connections += !connection->counted;
    own->connections += !connection->counted;
    connection->counted = true;
    workload->clients = fmax(workload->clients, call->client + 1.0);
    if (connection->in_flight++ == 0 && connection->idle_since &&
        call->time > connection->idle_since)
        add_think(fill, client, (double)(call->time - connection->idle_since));
    distribution_add(&fill->flight, ++client->in_flight);
    own->in_flight += client->in_flight;
    own->calls++;
    client->latest = call->key;
    client->op = call->message.op;
}

/* Count that CALL, whose op is OP according to its reply, followed its client's previous call, if
 * the previous op is known. If no later call was sent, OP becomes the client's latest op. */
static void add_order(struct workload_fill *fill, const struct captured_call *call,
                      const struct workload_op *op)
{
    struct workload *workload = fill->workload;
    struct client_use *client = client_of(fill, call);
    const struct workload_op *before = find_op(workload, call->after);

    if (before)
        workload->mix.after[before - workload->ops][op - workload->ops]++;
    if (client->latest == call->key)
        client->op = op->procedure;
}

/* Calls and replies */

/* Return the op of a call of PROCEDURE that was answered with STATUS; NULL if there is none. If
 * there is a separate op for calls refused with STATUS, move the call to that op. */
static struct workload_op *answered(struct workload *workload,
                                    const struct nfs_procedure *procedure, int status)
{
    struct workload_op *sent = find_op(workload, procedure), *op = sent;

    if (sent)
        op = find_op(workload, nfs_procedure_refused(procedure, status));
    if (!op)
        return sent;
    sent->calls--;
    op->calls++;
    return op;
}

static void leave_out(struct workload_left_out *left_out, const struct message *call)
{
    if (call->encrypted)
        left_out->encrypted++;
    else if (call->is_cut)
        left_out->cut++;
    else
        left_out->unknown++;
}

void workload_fill_call(struct workload_fill *fill, struct captured_call *call,
                        struct workload_connection *connection)
{
    struct workload_op *op;

    if (call->message.procedure == NFSPROC3_NULL)
        return;
    op = find_op(fill->workload, call->message.op);
    call->after = client_of(fill, call)->op;
    add_client(fill, call, connection);
    add_time(fill, call->time);
    if (!op) {
        leave_out(&fill->workload->left_out, &call->message);
        return;
    }
    op->calls++;
    add_object(fill, &call->message);
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
    if (call->message.procedure != NFSPROC3_NULL)
        end_flight(client_of(fill, call), connection);
}

void workload_fill_reply(struct workload_fill *fill, const struct captured_call *call,
                         struct workload_connection *connection, uint64_t time,
                         const struct message *reply)
{
    struct workload *workload = fill->workload;
    struct workload_op *op;

    if (call->message.procedure == NFSPROC3_NULL)
        return;
    op = answered(workload, call->message.op, reply->status);
    if (!call->given_up)
        end_flight(client_of(fill, call), connection);
    connection->idle_since = time;
    if (!op)
        return;
    add_order(fill, call, op);
    distribution_add(&fill->latencies[op - workload->ops],
                     time > call->time ? (double)(time - call->time) : 0);
    if (reply->status != op->procedure->refusal && call_status_is_known(reply->status))
        engine_count_error(&op->tally, reply->status);
    if (call->message.name[0] && workload->names_kept)
        add_name(fill, call->message.name, reply->handle);
    if (reply->is_listing)
        add_listing(fill, &call->message, reply);
}

/* The result */

/* Remove ops without calls: all their calls were moved to the ops of refused calls. */
static void leave_out_unused(struct workload *workload)
{
    for (size_t i = workload->op_count; i-- > 0;) {
        struct workload_op *op = &workload->ops[i];

        if (op->calls > 0)
            continue;
        nfs_mix_remove(&workload->mix, op->procedure->op);
        memmove(op, op + 1, (--workload->op_count - i) * sizeof *op);
    }
    workload->mix.missing[0] = '\0';
}

/* Return the time NS in us, rounded to ticks of the capture's clock. */
static double in_us(const struct workload *workload, double ns)
{
    return stamp_clock_round(ns / 1e3, workload->clock_tick);
}

static void finish_ops(const struct workload_fill *fill, struct workload *workload)
{
    double most = NFS_MIX_WEIGHT_MAXIMUM;

    for (size_t i = 0; i < workload->op_count; i++)
        most = fmax(most, workload->ops[i].calls);
    for (size_t i = 0; i < workload->op_count; i++) {
        struct workload_op *op = &workload->ops[i];

        op->weight = (uint32_t)ceil(fmax(op->calls, 1) * NFS_MIX_WEIGHT_MAXIMUM / most);
        op->p50 = in_us(workload, distribution_quantile(&fill->latencies[i], 0.5));
        op->p99 = in_us(workload, distribution_quantile(&fill->latencies[i], 0.99));
        op->mean = in_us(workload, fill->latencies[i].histogram.mean);
    }
    workload_make_mix(workload);
    leave_out_unused(workload);
    for (size_t i = 0; i < workload->op_count; i++)
        for (size_t j = 0; j < workload->op_count; j++)
            workload->mix.ordered |= workload->mix.after[i][j] > 0;
}

static int more_calls_first(const void *a, const void *b)
{
    const struct workload_size *x = a, *y = b;

    return (x->calls < y->calls) - (x->calls > y->calls);
}

static void finish_transfers(const struct workload_fill *fill, struct workload *workload)
{
    for (size_t i = 0; i < WORKLOAD_TRANSFERS; i++) {
        qsort(workload->sizes[i], workload->size_count[i], sizeof workload->sizes[i][0],
              more_calls_first);
        if (workload->size_count[i] > WORKLOAD_SIZES_MAXIMUM)
            workload->size_count[i] = WORKLOAD_SIZES_MAXIMUM;
        if (fill->transfers[i])
            workload->sequential[i] /= (double)fill->transfers[i];
    }
}

/* Return the dispersion in windows of LENGTH_NS; 0 if there are fewer than ENOUGH windows, or a
 * window is shorter than TICKS ticks of the capture's clock. */
static double dispersion(const struct workload *workload, const struct window *window,
                         uint64_t length_ns)
{
    enum { ENOUGH = 10, TICKS = 3 };
    double mean = window->count > 0 ? window->sum / window->count : 0;

    if (window->count < ENOUGH || mean <= 0 ||
        (double)length_ns < TICKS * workload->clock_tick * 1e3)
        return 0;
    return (window->squares - window->count * mean * mean) / (window->count - 1) / mean;
}

static void finish_arrivals(const struct workload_fill *fill, struct workload *workload)
{
    double seconds = (double)(fill->last_call - fill->first_call) / 1e9;

    workload->interval = (double)fill->interval_ns / 1e9;
    for (size_t i = 0; i < WORKLOAD_INTERVALS_MAXIMUM; i++)
        if (workload->arrivals[i] > 0)
            workload->arrival_count = i + 1;
    workload->rate = seconds > 0 ? (double)fill->gaps.count / seconds : 0;
    if (fill->gaps.mean > 0)
        workload->burstiness = histogram_stddev(&fill->gaps) / fill->gaps.mean;
    for (size_t i = 0; i < WORKLOAD_DISPERSIONS; i++)
        workload->dispersion[i] = dispersion(workload, &fill->windows[i], window_ns[i]);
}

static void describe(const struct distribution *distribution, double quantiles[THINK_QUANTILES])
{
    for (size_t i = 0; i < THINK_QUANTILES; i++)
        quantiles[i] = distribution_quantile(distribution, think_probabilities[i]);
}

static void describe_think(const struct workload *workload, const struct distribution *think,
                           double quantiles[THINK_QUANTILES])
{
    describe(think, quantiles);
    for (size_t i = 0; i < THINK_QUANTILES; i++)
        quantiles[i] = in_us(workload, quantiles[i]);
}

/* Return the mean number of CALLS between two think times. A think time is assumed before the first
 * call of each of CONNECTIONS. */
static double between_waits(double calls, const struct distribution *think, double connections)
{
    double waits = connections + (think ? (double)think->histogram.count : 0);

    return waits > 0 ? calls / waits : 0;
}

/* Set WORKLOAD's calls in flight and think times: of all clients, and in OWN of each client that
 * made calls other than NULL. */
static void finish_clients(const struct workload_fill *fill, struct workload *workload)
{
    workload->in_flight[0] = fill->flight.histogram.mean;
    workload->in_flight[1] = distribution_quantile(&fill->flight, 0.99);
    describe_think(workload, &fill->think, workload->think);
    workload->think_calls =
        between_waits((double)fill->flight.histogram.count, &fill->think, workload->connections);
    for (size_t i = 0; i < WORKLOAD_OWN_CLIENTS_MAXIMUM; i++) {
        const struct distribution *think = fill->clients[i].think;
        struct workload_client client = workload->own[i];

        if (client.calls <= 0)
            continue;
        client.in_flight /= client.calls;
        client.think_calls = between_waits(client.calls, think, client.connections);
        if (think)
            describe_think(workload, think, client.think);
        workload->own[workload->own_count++] = client;
    }
}

void workload_fill_finish(struct workload_fill *fill, double seconds, double clock_tick)
{
    struct workload *workload = fill->workload;

    workload->seconds = seconds;
    workload->clock_tick = clock_tick / 1e3;
    finish_ops(fill, workload);
    finish_transfers(fill, workload);
    finish_arrivals(fill, workload);
    finish_clients(fill, workload);
    objects_describe(&fill->objects, workload);
    workload->directory[0] = fill->listings.histogram.mean;
    workload->directory[1] = fill->listings.histogram.maximum;
    describe(&fill->listings, workload->directories);
}
