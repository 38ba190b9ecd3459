#include "measure/phases.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The client's phases, from its own timestamps. */

static const struct phase_type encode = {.key = "encode",
                                         .name = "client encodes",
                                         .meaning = "The RPC header and the arguments are encoded.",
                                         .kind = PHASE_CLIENT,
                                         .ends = TIMESTAMP_SEND_ENTERED,
                                         .required = true};
static const struct phase_type send = {
    .key = "send",
    .name = "client sends",
    .meaning = "From send() through TCP or UDP and IP, until the last packet is ready.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_SCHEDULED,
    .required = true};
static const struct phase_type queue = {
    .key = "queue",
    .name = "packet queues",
    .meaning = "In the queueing discipline, until the device takes the packet.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_TRANSMITTED,
    .required = true};
static const struct phase_type network_and_server = {
    .key = "network-and-server",
    .name = "network and server",
    .meaning = "Everything outside the client: the network in both directions, and the server.",
    .kind = PHASE_NETWORK_AND_SERVER,
    .ends = TIMESTAMP_REPLY_RECEIVED,
    .required = true};
static const struct phase_type receive = {
    .key = "receive",
    .name = "client receives",
    .meaning = "From the reply's arrival in the kernel until recv() returns with it: delivery, "
               "wake-up, the wait for a processor, the copy.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_REPLY_READ,
    .required = true};
static const struct phase_type decode = {.key = "decode",
                                         .name = "client decodes",
                                         .meaning = "The reply is decoded and checked.",
                                         .kind = PHASE_CLIENT,
                                         .ends = TIMESTAMP_DECODED,
                                         .required = true};

/* Phases from the kernel's tracepoints. */

static const struct phase_type request_travels = {
    .key = "request-travels",
    .name = "request travels",
    .meaning =
        "From the client's device into the server's socket: the wire, the soft interrupt, IP "
        "and TCP or UDP.",
    .kind = PHASE_NETWORK,
    .ends = TIMESTAMP_REQUEST_ARRIVED,
    .required = true};
static const struct phase_type server_wake = {
    .key = "server-wake",
    .name = "server is woken",
    .meaning = "A server thread that slept is notified of the data and made ready to run.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_SERVER_WOKEN};
static const struct phase_type server_run = {
    .key = "server-run",
    .name = "server gets processor",
    .meaning = "The processor wakes up or is preempted, and switches to the thread.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_SERVER_RUNS};
static const struct phase_type server_reader = {
    .key = "server-reader",
    .name = "server wakes reader",
    .meaning = "The notified thread wakes another one to read the data, and that one gets a "
               "processor.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_READER_RUNS};
static const struct phase_type server_read = {
    .key = "server-read",
    .name = "server reads",
    .meaning = "Until the system call that receives the request returns.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_REQUEST_READ,
    .required = true};
static const struct phase_type server_worker = {
    .key = "server-worker",
    .name = "server hands over",
    .meaning =
        "The thread that read the request wakes another one to process it, which gets a processor.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_WORKER_RUNS};
static const struct phase_type server_work = {
    .key = "server-work",
    .name = "server works",
    .meaning = "The request is decoded, the procedure executed, the reply encoded.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_REPLY_ENTERED,
    .required = true};
static const struct phase_type server_send = {
    .key = "server-send",
    .name = "server sends",
    .meaning = "From its send() through TCP or UDP and IP, until the device takes the last packet.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_REPLY_SENT};
static const struct phase_type reply_travels = {
    .key = "reply-travels",
    .name = "reply travels",
    .meaning = "From the server's device until the client's kernel has the reply's last packet.",
    .kind = PHASE_NETWORK,
    .ends = TIMESTAMP_REPLY_RECEIVED,
    .required = true};
static const struct phase_type reply_delivered = {
    .key = "reply-delivered",
    .name = "reply is delivered",
    .meaning = "Through IP and TCP or UDP into the client's socket.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_REPLY_ARRIVED};
static const struct phase_type client_wake = {
    .key = "client-wake",
    .name = "client is woken",
    .meaning = "The client's thread, which slept, is made ready to run.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_CLIENT_WOKEN};
static const struct phase_type client_run = {
    .key = "client-run",
    .name = "client gets processor",
    .meaning = "The processor wakes up or is preempted, and switches to the client.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_CLIENT_RUNS};
static const struct phase_type client_read = {.key = "client-read",
                                              .name = "client reads",
                                              .meaning = "Until recv() returns with the reply.",
                                              .kind = PHASE_CLIENT,
                                              .ends = TIMESTAMP_REPLY_READ,
                                              .required = true};

/* If the server's timestamps come from another machine's clock, it is unknown how the network time
 * divides between the two directions. */
static const struct phase_type network = {
    .key = "network",
    .name = "network, both ways",
    .meaning =
        "The time from the request's departure to the reply's arrival, less the server's own "
        "time.",
    .kind = PHASE_NETWORK,
    .ends = TIMESTAMP_REQUEST_ARRIVED,
    .required = true};
static const struct phase_type network_back = {.key = "network",
                                               .name = "network, both ways",
                                               .meaning = "The reply's half of that time.",
                                               .kind = PHASE_NETWORK,
                                               .ends = TIMESTAMP_REPLY_RECEIVED,
                                               .required = true,
                                               .joined = true};

static const struct phase_type *const client_phases[] = {
    &encode, &send, &queue, &network_and_server, &receive, &decode,
};

static const struct phase_type *const both_phases[] = {
    &encode,          &send,        &queue,         &request_travels, &server_wake, &server_run,
    &server_reader,   &server_read, &server_worker, &server_work,     &server_send, &reply_travels,
    &reply_delivered, &client_wake, &client_run,    &client_read,     &decode,
};

static const struct phase_type *const joined_phases[] = {
    &encode,      &send,          &queue,       &network,       &server_wake,
    &server_run,  &server_reader, &server_read, &server_worker, &server_work,
    &server_send, &network_back,  &receive,     &decode,
};

#define VIEW(text, list)                                                                           \
    {                                                                                              \
        .name = text, .phases = list, .count = sizeof(list) / sizeof((list)[0])                    \
    }

const struct phase_view phase_view_client = VIEW("client", client_phases);
const struct phase_view phase_view_both = VIEW("both", both_phases);
const struct phase_view phase_view_joined = VIEW("joined", joined_phases);

enum phase_finding phases_of_call(const struct phase_view *view, const struct call_times *call,
                                  double ns[PHASES_MAXIMUM])
{
    uint64_t before = call->at[TIMESTAMP_BEGUN];

    if (call->retransmitted)
        return PHASE_RETRANSMITTED;
    if (call->failed)
        return PHASE_FAILED;
    for (size_t i = 0; i < view->count; i++) {
        uint64_t at = call->at[view->phases[i]->ends];

        ns[i] = NAN;
        if (at == 0 && view->phases[i]->required)
            return PHASE_INCOMPLETE;
        if (at == 0)
            continue;
        if (at < before)
            return PHASE_OUT_OF_ORDER;
        ns[i] = (double)(at - before);
        before = at;
    }
    return PHASE_EXPLAINED;
}

int phases_open(struct phases *phases, const struct phase_view *view)
{
    memset(phases, 0, sizeof *phases);
    phases->view = view;
    phases->totals = calloc(PHASES_MAXIMUM, sizeof *phases->totals);
    return phases->totals ? 0 : -ENOMEM;
}

void phases_close(struct phases *phases)
{
    free(phases->totals);
    phases->totals = NULL;
}

void phases_clear(struct phases *phases, const struct phase_view *view)
{
    struct phase_total *totals = phases->totals;

    memset(totals, 0, PHASES_MAXIMUM * sizeof *totals);
    memset(phases, 0, sizeof *phases);
    phases->view = view;
    phases->totals = totals;
}

/* The time of a joined phase is added to the first phase with its key. */
static size_t row_of(const struct phase_view *view, size_t index)
{
    size_t first = 0;

    if (!view->phases[index]->joined)
        return index;
    while (strcmp(view->phases[first]->key, view->phases[index]->key) != 0)
        first++;
    return first;
}

static void record_phases(struct phases *phases, const double *ns)
{
    const struct phase_view *view = phases->view;
    double row_ns[PHASES_MAXIMUM];

    for (size_t i = 0; i < view->count; i++) {
        row_ns[i] = ns[i];
        if (isnan(ns[i]))
            continue;
        phases->totals[i].sum_ns += ns[i];
        if (view->phases[i]->joined) {
            row_ns[row_of(view, i)] += ns[i];
            row_ns[i] = NAN;
        }
    }
    for (size_t i = 0; i < view->count; i++)
        if (!isnan(row_ns[i]))
            histogram_record(&phases->totals[i].histogram, row_ns[i]);
}

static void record_overlap(struct phases *phases, const struct call_times *call)
{
    uint64_t from = call->at[TIMESTAMP_TRANSMITTED];

    if (call->send_returned < from)
        return;
    histogram_record(&phases->overlap, (double)(call->send_returned - from));
    phases->overlap_begin_ns += (double)(from - call->at[TIMESTAMP_BEGUN]);
}

enum phase_finding phases_add(struct phases *phases, const struct call_times *call)
{
    double ns[PHASES_MAXIMUM];
    enum phase_finding finding = phases_of_call(phases->view, call, ns);

    phases->retransmitted += finding == PHASE_RETRANSMITTED;
    phases->failed += finding == PHASE_FAILED;
    phases->incomplete += finding == PHASE_INCOMPLETE;
    phases->out_of_order += finding == PHASE_OUT_OF_ORDER;
    if (finding != PHASE_EXPLAINED)
        return finding;
    record_phases(phases, ns);
    record_overlap(phases, call);
    histogram_record(&phases->lifetime, (double)call->lifetime_ns);
    return finding;
}

double phases_sum(const struct phases *phases)
{
    double sum = 0;

    for (size_t i = 0; i < phases->view->count; i++)
        sum += phases->totals[i].sum_ns;
    return phases->lifetime.count ? sum / (double)phases->lifetime.count : 0;
}
