#include "experiment/laws/bottleneck.h"

#include <math.h>
#include <stddef.h>

const char *const bottleneck_names[] = {
    [BOTTLENECK_UNKNOWN] = "unknown",
    [BOTTLENECK_NONE] = "none",
    [BOTTLENECK_ROUND_TRIP] = "round-trip",
    [BOTTLENECK_CLIENT_CPU] = "client-cpu",
    [BOTTLENECK_SERVER_CPU] = "server-cpu",
    [BOTTLENECK_LOCKSTEP] = "lockstep",
    [BOTTLENECK_SERVER_THREADS] = "server-threads",
    [BOTTLENECK_SERVER_LOCK] = "server-lock",
    [BOTTLENECK_SERVER_DEVICE] = "server-device",
    [BOTTLENECK_LOCK_OR_DEVICE] = "lock-or-device",
    [BOTTLENECK_CONNECTION] = "connection",
    [BOTTLENECK_CALL_RATE] = "call-rate",
    [BOTTLENECK_BYTE_RATE] = "byte-rate",
    [BOTTLENECK_LINK] = "link",
    [BOTTLENECK_LOSS] = "loss",
    [BOTTLENECK_REORDERING] = "reordering",
    [BOTTLENECK_JITTER] = "jitter",
    [BOTTLENECK_RECEIVE_WINDOW] = "receive-window",
    [BOTTLENECK_SEND_BUFFER] = "send-buffer",
    [BOTTLENECK_SLOTS] = "slots",
    NULL,
};

const char *const bottleneck_sureness_names[] = {
    [BOTTLENECK_GUESS] = "guess",
    [BOTTLENECK_LIKELY] = "likely",
    [BOTTLENECK_SURE] = "sure",
    NULL,
};

/* A side's processor time, relative to its threshold; NAN if unknown. */
static double cpu_use(double cpu, double thread_cpu)
{
    return fmax(cpu / BOTTLENECK_CPU_BUSY, thread_cpu / BOTTLENECK_THREAD_BUSY);
}

static enum bottleneck find_busy(double client, double server, double link)
{
    const struct {
        enum bottleneck resource;
        double use;
    } all[] = {
        {BOTTLENECK_CLIENT_CPU, client}, {BOTTLENECK_SERVER_CPU, server}, {BOTTLENECK_LINK, link}};
    enum bottleneck busiest = BOTTLENECK_UNKNOWN;
    double most = 0;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].use >= 1 && all[i].use > most) {
            busiest = all[i].resource;
            most = all[i].use;
        }
    return busiest;
}

static bool take_turns(const struct bottleneck_evidence *evidence)
{
    return evidence->in_flight > 1 && fabs(evidence->both_cpus - 1) <= BOTTLENECK_TURNS;
}

enum bottleneck bottleneck_find(const struct bottleneck_evidence *evidence)
{
    double client = cpu_use(evidence->client_cpu, evidence->client_thread_cpu);
    double server = cpu_use(evidence->server_cpu, evidence->server_thread_cpu);
    double link = evidence->link / BOTTLENECK_LINK_BUSY;
    enum bottleneck busy = find_busy(client, server, link);

    if (busy != BOTTLENECK_UNKNOWN)
        return busy;
    if (evidence->reached >= BOTTLENECK_RATE_REACHED)
        return BOTTLENECK_NONE;
    if (take_turns(evidence))
        return BOTTLENECK_LOCKSTEP;
    if (evidence->gain >= BOTTLENECK_GAIN)
        return BOTTLENECK_ROUND_TRIP;
    if (isnan(evidence->gain) && isnan(evidence->reached) && client < 1 && server < 1)
        return BOTTLENECK_ROUND_TRIP;
    return BOTTLENECK_UNKNOWN;
}

double bottleneck_gain(double load_before, double throughput_before, double load, double throughput)
{
    bool follows = load_before > 0 && load > load_before && throughput_before > 0 && throughput > 0;

    return follows ? log(throughput / throughput_before) / log(load / load_before) : NAN;
}
