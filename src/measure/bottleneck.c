#include "measure/bottleneck.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

const char *const bottleneck_names[] = {"unknown", "client-cpu", "server-cpu", "link",
                                        "latency", "none",       "lockstep",   NULL};

const char *bottleneck_name(enum bottleneck bottleneck)
{
    return bottleneck_names[bottleneck];
}

/* A side's processor time, relative to its threshold; NAN if unknown. */
static double cpu_use(double cpu, double thread_cpu)
{
    return fmax(cpu / BOTTLENECK_CPU_BUSY, thread_cpu / BOTTLENECK_THREAD_BUSY);
}

static enum bottleneck find_busy(double client, double server, double link)
{
    enum bottleneck busiest = BOTTLENECK_UNKNOWN;
    double most = 1;

    if (client >= most) {
        busiest = BOTTLENECK_CLIENT_CPU;
        most = client;
    }
    if (server >= 1 && (server > most || busiest == BOTTLENECK_UNKNOWN)) {
        busiest = BOTTLENECK_SERVER_CPU;
        most = server;
    }
    if (link >= 1 && (link > most || busiest == BOTTLENECK_UNKNOWN))
        busiest = BOTTLENECK_LINK;
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
        return BOTTLENECK_LATENCY;
    if (isnan(evidence->gain) && isnan(evidence->reached) && client < 1 && server < 1)
        return BOTTLENECK_LATENCY;
    return BOTTLENECK_UNKNOWN;
}

double bottleneck_gain(double load_before, double throughput_before, double load, double throughput)
{
    bool follows = load_before > 0 && load > load_before && throughput_before > 0 && throughput > 0;

    return follows ? log(throughput / throughput_before) / log(load / load_before) : NAN;
}
