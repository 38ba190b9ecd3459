#include "explain/phases/limit_of_parts.h"

#include <math.h>
#include <string.h>

/* Queueing phases on the client's side. All other queueing phases are the server's. */
static const struct {
    const char *key;
    enum call_part part;
} client_queues[] = {
    {"backlog", PART_SLOT},
    {"send-wait", PART_CLIENT_WAIT},
    {"client-socket", PART_CLIENT_WAIT},
    {"decode-wait", PART_CLIENT_WAIT},
    {"client-run", PART_CLIENT_PROCESSOR},
    {"send-buffer", PART_SEND_BUFFER},
    {"queue", PART_DEVICE_QUEUE},
};

static enum call_part queue_of(const struct phase_type *phase)
{
    for (size_t i = 0; i < sizeof client_queues / sizeof client_queues[0]; i++)
        if (strcmp(client_queues[i].key, phase->key) == 0)
            return client_queues[i].part;
    return phase->flags & PHASE_PROCESSOR ? PART_SERVER_PROCESSOR : PART_SERVER_WAIT;
}

enum call_part call_part_of(const struct phase_type *phase)
{
    switch (phase->kind) {
    case PHASE_CLIENT:
        return PART_CLIENT_WORK;
    case PHASE_QUEUEING:
        return queue_of(phase);
    case PHASE_NETWORK:
        return PART_NETWORK;
    case PHASE_SERVER:
        return strcmp(phase->key, "server-work") == 0   ? PART_SERVER_WORK
               : strcmp(phase->key, "server-send") == 0 ? PART_SERVER_SEND
                                                        : PART_SERVER_READ;
    default:
        return PART_BEYOND;
    }
}

void call_parts_add(double shares[CALL_PARTS], const struct phase_row *rows, size_t count,
                    double weight)
{
    for (size_t i = 0; i < count; i++)
        shares[call_part_of(rows[i].type)] += weight * rows[i].share;
}

/* Shares of client, line and server, each the sum of its parts' shares */

static double client_share(const double *shares)
{
    return shares[PART_CLIENT_WAIT] + shares[PART_CLIENT_PROCESSOR] + shares[PART_CLIENT_WORK];
}

static double line_share(const double *shares)
{
    return shares[PART_DEVICE_QUEUE] + shares[PART_NETWORK];
}

static double server_share(const double *shares)
{
    return shares[PART_SERVER_WAIT] + shares[PART_SERVER_PROCESSOR] + shares[PART_SERVER_READ] +
           shares[PART_SERVER_WORK] + shares[PART_SERVER_SEND];
}

static double waiting_share(const double *shares)
{
    return shares[PART_CLIENT_WAIT] + shares[PART_SERVER_WAIT];
}

/* Finding the limit. In these functions, SHARES are relative to the time in flight. */

static bool take_turns(const struct call_parts *parts, const double *shares)
{
    return shares[PART_CLIENT_WAIT] >= PARTS_TURNS && shares[PART_SERVER_WAIT] >= PARTS_TURNS &&
           fabs(parts->both_cpus - 1) <= BOTTLENECK_TURNS;
}

/* Return the limit of calls that are mostly in the client: its processors if its threads wait for
 * these; the round trip if few calls wait behind other calls; else its processors if its busiest
 * thread is busy. If not, calls wait only until the socket takes them: the limit is unknown. */
static enum bottleneck limit_in_client(const struct call_parts *parts, const double *shares)
{
    if (shares[PART_CLIENT_PROCESSOR] >= PARTS_MOST)
        return BOTTLENECK_CLIENT_CPU;
    if (shares[PART_CLIENT_WAIT] < PARTS_WAITING)
        return BOTTLENECK_ROUND_TRIP;
    return parts->client_thread_cpu < PARTS_ON_CPU ? BOTTLENECK_UNKNOWN : BOTTLENECK_CLIENT_CPU;
}

/* Return the limit of calls that wait in the client's socket: the receiver's window or the link,
 * because TCP sends no more than both allow; unknown if neither is full. */
static enum bottleneck limit_of_sending(const struct call_parts *parts)
{
    const bool is_full = parts->link >= BOTTLENECK_LINK_BUSY || parts->rtt_stretch >= PARTS_STRETCH;

    if (parts->window_limited >= PARTS_MOST)
        return BOTTLENECK_RECEIVE_WINDOW;
    return is_full ? BOTTLENECK_LINK : BOTTLENECK_UNKNOWN;
}

/* Return the limit of calls that are mostly on the line. It is unknown if the link is not full, but
 * calls spend more time in the device's queue than on the network. The cause is then a busy device,
 * a rate limit or an emulated delay. */
static enum bottleneck limit_on_line(const struct call_parts *parts, const double *shares)
{
    if (parts->link >= BOTTLENECK_LINK_BUSY || parts->network_stretch >= PARTS_STRETCH)
        return BOTTLENECK_LINK;
    return shares[PART_DEVICE_QUEUE] > shares[PART_NETWORK] ? BOTTLENECK_UNKNOWN
                                                            : BOTTLENECK_ROUND_TRIP;
}

/* Return true if the server uses, or waits for, a processor for at least PARTS_ON_CPU of the time
 * of PART; false if not, or if the processor time is unknown. */
static bool is_on_cpu(const struct call_parts *parts, enum call_part part)
{
    return parts->server_cpu >= PARTS_ON_CPU * parts->shares[part];
}

/* Return the limit of calls that are mostly in the server, by the first true condition:
 * - threads wait for processors: the server's processors;
 * - replies wait to be sent: limit_on_line();
 * - calls wait for one another: the server's threads or, if they work, its processors;
 * - the server's processor time is unknown: unknown;
 * - calls mostly sleep in the server's work: a lock or a device.
 * If none is true, it is the round trip. */
static enum bottleneck limit_in_server(const struct call_parts *parts, const double *shares)
{
    const bool sends = shares[PART_SERVER_SEND] > server_share(shares) / 2;
    const bool works = is_on_cpu(parts, PART_SERVER_WORK);

    if (shares[PART_SERVER_PROCESSOR] >= PARTS_MOST || parts->server_waited >= PARTS_WAITING)
        return BOTTLENECK_SERVER_CPU;
    if (sends && !is_on_cpu(parts, PART_SERVER_SEND))
        return limit_on_line(parts, shares);
    if (shares[PART_SERVER_WAIT] >= PARTS_WAITING)
        return works ? BOTTLENECK_SERVER_CPU : BOTTLENECK_SERVER_THREADS;
    if (isnan(parts->server_cpu))
        return BOTTLENECK_UNKNOWN;
    return !works && shares[PART_SERVER_WORK] >= PARTS_MOST ? BOTTLENECK_LOCK_OR_DEVICE
                                                            : BOTTLENECK_ROUND_TRIP;
}

static enum bottleneck limit_in_flight(const struct call_parts *parts, const double *shares)
{
    if (take_turns(parts, shares))
        return BOTTLENECK_LOCKSTEP;
    if (client_share(shares) >= PARTS_MOST)
        return limit_in_client(parts, shares);
    if (shares[PART_SEND_BUFFER] >= PARTS_MOST)
        return limit_of_sending(parts);
    if (line_share(shares) >= PARTS_MOST)
        return limit_on_line(parts, shares);
    if (server_share(shares) >= PARTS_MOST)
        return limit_in_server(parts, shares);
    if (shares[PART_BEYOND] >= PARTS_MOST && parts->round_trip >= PARTS_MOST)
        return BOTTLENECK_ROUND_TRIP;
    if (shares[PART_BEYOND] > 0 || waiting_share(shares) >= PARTS_WAITING)
        return BOTTLENECK_UNKNOWN;
    return BOTTLENECK_ROUND_TRIP;
}

/* The number of slots is the limit if calls spend most of their lifetime waiting for a slot, and
 * the calls in flight find no resource busy: more slots would then allow more calls. */
enum bottleneck limit_of_parts(const struct call_parts *parts)
{
    const double waits = parts->shares[PART_SLOT];
    double shares[CALL_PARTS];
    enum bottleneck limit;

    for (size_t i = 0; i < CALL_PARTS; i++)
        shares[i] = parts->shares[i] / (1 - waits);
    limit = limit_in_flight(parts, shares);
    return limit == BOTTLENECK_ROUND_TRIP && waits >= PARTS_MOST ? BOTTLENECK_SLOTS : limit;
}

double call_parts_share(const struct call_parts *parts, enum bottleneck limit)
{
    const double *shares = parts->shares;

    switch (limit) {
    case BOTTLENECK_CLIENT_CPU:
        return client_share(shares);
    case BOTTLENECK_SERVER_CPU:
    case BOTTLENECK_SERVER_THREADS:
        return server_share(shares);
    case BOTTLENECK_LOCK_OR_DEVICE:
        return shares[PART_SERVER_WORK];
    case BOTTLENECK_LOCKSTEP:
        return waiting_share(shares);
    case BOTTLENECK_ROUND_TRIP:
        return 1 - waiting_share(shares) - shares[PART_SLOT];
    case BOTTLENECK_LINK:
        return shares[PART_SEND_BUFFER] + line_share(shares) + shares[PART_SERVER_SEND];
    case BOTTLENECK_RECEIVE_WINDOW:
        return shares[PART_SEND_BUFFER];
    case BOTTLENECK_SLOTS:
        return shares[PART_SLOT];
    default:
        return NAN;
    }
}
