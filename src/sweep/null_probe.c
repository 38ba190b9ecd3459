#include "sweep/null_probe.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common/thread.h"
#include "measure/statistics/estimate.h"

enum {
    ROUND_TRIPS_MAXIMUM = 4096,
    ROUND_TRIPS_LEAST = 3,
    PAUSE_NS = 1000000, /* pause between two calls, ns */
    /* usual duration of the calls before the load begins, ns; the maximum is ten times as long */
    ALONE_NS = 100000000,
    TIMEOUT_NS = 500000000,
};

struct null_probe {
    struct channel *channel;
    struct channel_message message;
    struct clock clock;
    struct deadline deadline;
    double ns[ROUND_TRIPS_MAXIMUM]; /* round trips */
    size_t count;
    pthread_t thread;
    cpu_set_t cpus;          /* processors for the thread: all that were allowed before the load */
    struct session *session; /* session that makes the load */
    struct block_watch watch;
    atomic_bool in_block, ends;
};

/* Make a call. If KEPT, store its round trip, unless it was sent again. Returns 0 or -errno. */
static int call_once(struct null_probe *probe, bool kept)
{
    struct channel_reply reply;
    struct error ignored;
    int code = channel_exchange(probe->channel, &probe->message, &probe->clock, &reply, &ignored);

    if (code == 0 && kept && reply.first_try)
        probe->ns[probe->count++] = clock_sample_ns(&probe->clock, reply.ticks);
    return code;
}

static double take_median(struct null_probe *probe)
{
    const size_t count = probe->count;

    probe->count = 0;
    return count < ROUND_TRIPS_LEAST ? NAN : estimate_median(probe->ns, count);
}

static void call_alone(struct null_probe *probe)
{
    const struct deadline usual = deadline_within(&probe->deadline, ALONE_NS);
    const struct deadline most = deadline_within(&probe->deadline, 10 * ALONE_NS);
    int code = 0;

    while (code == 0 && !deadline_is_over(&most) &&
           (probe->count < ROUND_TRIPS_LEAST || !deadline_is_over(&usual))) {
        code = call_once(probe, true);
        deadline_pause(PAUSE_NS);
    }
}

int null_probe_open(struct null_probe **result, const struct session *session, struct error *error)
{
    const struct setup *setup = &session->setup;
    struct channel_options options =
        setup_secure(setup, SERVICE_NFS, &setup->mount.options.channel);
    const struct endpoint endpoint = setup_endpoint(setup, SERVICE_NFS);
    struct null_probe *probe = calloc(1, sizeof *probe);
    int code;

    *result = probe;
    if (!probe)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a probe");
    probe->clock = session->clock;
    probe->cpus = session->unbound;
    probe->deadline = session->plan->deadline;
    options.deadline = probe->deadline;
    options.retransmissions = 1;
    if (options.timeout_ns > TIMEOUT_NS)
        options.timeout_ns = TIMEOUT_NS;
    code = rpc_message_make(&probe->message, &nfs_procedure_find("null")->rpc,
                            &setup->mount.options.identity, NULL, error);
    if (code == 0)
        code = channel_open(&probe->channel, &endpoint, &options, error);
    if (code == 0)
        call_alone(probe);
    return code;
}

double null_probe_alone_ns(struct null_probe *probe)
{
    return take_median(probe);
}

/* Calls while the load runs */

static void block_begins(void *context)
{
    atomic_store(&((struct null_probe *)context)->in_block, true);
}

static void block_ended(void *context, size_t calls)
{
    atomic_store(&((struct null_probe *)context)->in_block, false);
}

static void *call_under_load(void *argument)
{
    struct null_probe *probe = argument;
    int code = 0;

    cpu_allow_set(&probe->cpus);
    while (code == 0 && !atomic_load(&probe->ends) && probe->count < ROUND_TRIPS_MAXIMUM) {
        code = call_once(probe, atomic_load(&probe->in_block));
        deadline_pause(PAUSE_NS);
    }
    return NULL;
}

int null_probe_begin(struct null_probe *probe, struct session *session)
{
    int code = thread_start_without_signals(&probe->thread, call_under_load, probe);

    if (code)
        return code;
    probe->watch = (struct block_watch){.series = 0,
                                        .begins = block_begins,
                                        .ended = block_ended,
                                        .context = probe,
                                        .next = session->watch};
    probe->session = session;
    session->watch = &probe->watch;
    return 0;
}

double null_probe_end(struct null_probe *probe)
{
    atomic_store(&probe->ends, true);
    pthread_join(probe->thread, NULL);
    probe->session->watch = probe->watch.next;
    return take_median(probe);
}

void null_probe_close(struct null_probe *probe)
{
    if (!probe)
        return;
    channel_close(probe->channel);
    free(probe->message.bytes);
    free(probe);
}
