#include "explain/phases/explain_limit.h"

#include <math.h>

#include "explain/phases/explain.h"
#include "run/plan.h"

/* Add the parts of the calls of all OPS to PARTS, as shares of the mean lifetime. Returns the mean
 * lifetime, ns. */
static double sum_parts(const struct explanation *ops, size_t count, struct call_parts *parts)
{
    double life_ns = 0, calls = 0;

    for (size_t i = 0; i < count; i++) {
        calls += (double)ops[i].phases->lifetime.count;
        life_ns += (double)ops[i].phases->lifetime.count * ops[i].phases->lifetime.mean;
    }
    for (size_t i = 0; i < count && life_ns > 0; i++)
        call_parts_add(parts->shares, ops[i].rows, ops[i].row_count,
                       (double)ops[i].phases->lifetime.count * ops[i].phases->lifetime.mean /
                           life_ns);
    return life_ns / calls;
}

/* Return true if both limits can be right: they are equal; or BY_LOAD is unknown; or BY_LOAD is the
 * round trip, so that no resource is busy, and BY_PHASES is a wait that keeps none busy: for server
 * threads, the receive window or slots. */
static bool agrees(enum bottleneck by_phases, enum bottleneck by_load)
{
    const bool is_idle = by_phases == BOTTLENECK_SERVER_THREADS ||
                         by_phases == BOTTLENECK_RECEIVE_WINDOW || by_phases == BOTTLENECK_SLOTS;

    return by_load == by_phases || by_load == BOTTLENECK_UNKNOWN ||
           (by_load == BOTTLENECK_ROUND_TRIP && is_idle);
}

static void combine_limits(struct explain_limit *limit)
{
    const bool by_load_alone =
        limit->by_phases == BOTTLENECK_UNKNOWN || limit->by_load == BOTTLENECK_NONE;

    limit->limit = by_load_alone ? limit->by_load : limit->by_phases;
    limit->disagrees = !by_load_alone && !agrees(limit->by_phases, limit->by_load);
}

/* Return the share of the offered rate that was reached; NAN: unknown, or no rate was set. */
static double share_of_rate_reached(const struct load *load, const struct result_op *found)
{
    return load->rate > 0 && found && found->rate_per_s > 0 ? result_share_reached(found, load)
                                                            : (double)NAN;
}

/* Set FIGURES from USE. Returns the evidence for a limit, which is made from FIGURES. */
static struct bottleneck_evidence
evidence_of(const struct load_use *use, const struct run_plan *plan, double figures[CELL_FIGURES])
{
    for (size_t i = 0; i < CELL_FIGURES; i++)
        figures[i] = NAN;
    load_use_set_figures(use, plan->spin, plan->load.threads, figures);
    return load_evidence(figures);
}

void explain_limit_set(struct explanation *ops, size_t count, const struct load_use *use,
                       const struct run_plan *plan, const struct result_op *found)
{
    const struct load *load = &plan->load;
    const bool is_closed = load->rate == 0;
    double figures[CELL_FIGURES];
    struct bottleneck_evidence evidence = evidence_of(use, plan, figures);
    const double served_ns = figures[CELL_SERVER_CALL], waited_ns = load_use_server_waited_ns(use);
    struct explain_limit limit = {.parts = {.client_thread_cpu = evidence.client_thread_cpu,
                                            .both_cpus = evidence.both_cpus,
                                            .link = evidence.link,
                                            .window_limited = evidence.window_limited,
                                            .rtt_stretch = evidence.rtt_ns / evidence.rtt_least_ns},
                                  .client_cpus = evidence.client_cpu * load->threads,
                                  .server_cpus = evidence.server_cpus,
                                  .server_call_ns = served_ns};
    const double life_ns = sum_parts(ops, count, &limit.parts);

    evidence.in_flight = is_closed ? (double)load_in_flight(load) : (double)NAN;
    evidence.connections = (double)load->clients * load->connections;
    evidence.reached = share_of_rate_reached(load, found);
    limit.by_load = bottleneck_find(&evidence);
    limit.parts.server_cpu = (served_ns + waited_ns) / life_ns;
    limit.parts.server_waited = waited_ns / life_ns;
    limit.parts.round_trip = evidence.rtt_least_ns / life_ns;
    limit.parts.network_stretch =
        limit.parts.shares[PART_NETWORK] > 0
            ? limit.parts.shares[PART_NETWORK] * life_ns / evidence.rtt_least_ns
            : (double)NAN;
    limit.by_phases = limit_of_parts(&limit.parts);
    combine_limits(&limit);
    for (size_t i = 0; i < count; i++)
        ops[i].limit = limit;
}

bool explain_limit_is_processor(const struct explain_limit *limit)
{
    return !limit->disagrees && limit->by_load == limit->by_phases &&
           (limit->limit == BOTTLENECK_CLIENT_CPU || limit->limit == BOTTLENECK_SERVER_CPU);
}

/* How calls spend their time, for each limit that phases can show. */
static const char *const spent_on[] = {
    [BOTTLENECK_ROUND_TRIP] = "not spent waiting for other calls",
    [BOTTLENECK_CLIENT_CPU] = "waiting for a processor, and the client's work",
    [BOTTLENECK_SERVER_CPU] = "waiting for a processor, and the server's work",
    [BOTTLENECK_LOCKSTEP] = "waiting for other calls, on both sides",
    [BOTTLENECK_SERVER_THREADS] = "waiting for a thread, and the server's work",
    [BOTTLENECK_LOCK_OR_DEVICE] = "the server's work, which mostly waits",
    [BOTTLENECK_LINK] = "waiting for the line, and on it",
    [BOTTLENECK_RECEIVE_WINDOW] = "waiting in the client's socket for the window",
    [BOTTLENECK_SLOTS] = "waiting for a slot (--depth)",
};

/* Append to ROOM, if known, how busy the resource LIMIT is. For the link, this is the used share of
 * its speed; for the client's or the server's processors, the number that are busy; for any other
 * limit, the number of busy processors of the client and of the server. */
static void append_busy(char room[FIELD_ROOM], const struct explain_limit *of,
                        enum bottleneck limit)
{
    const bool both = !isnan(of->client_cpus) && !isnan(of->server_cpus);

    if (limit == BOTTLENECK_LINK && !isnan(of->parts.link))
        field_append(room, " (%.0f %% of the line's speed is used)", 100 * of->parts.link);
    else if (limit == BOTTLENECK_SERVER_CPU && !isnan(of->server_cpus))
        field_append(room, " (%.2f processors busy)", of->server_cpus);
    else if (limit == BOTTLENECK_CLIENT_CPU && !isnan(of->client_cpus))
        field_append(room, " (%.2f processors busy)", of->client_cpus);
    else if (both)
        field_append(room, " (processors busy: client %.2f, server %.2f)", of->client_cpus,
                     of->server_cpus);
    else if (!isnan(of->client_cpus))
        field_append(room, " (processors busy: client %.2f)", of->client_cpus);
}

static void append_share(char room[FIELD_ROOM], const struct explain_limit *of)
{
    const double share = call_parts_share(&of->parts, of->by_phases);

    field_append(room, "%s", bottleneck_phrases[of->by_phases]);
    if (!isnan(share))
        field_append(room, ": %.0f %% of a call's time is %s", 100 * share,
                     spent_on[of->by_phases]);
}

/* Append the command of a sweep over several loads, whose curve shows which of the two limits is
 * the right one. */
static void append_sweep(char room[FIELD_ROOM], const struct explanation *explanation,
                         const char *mix)
{
    const struct load *load = explanation->load;
    const unsigned depth = load->depth;

    field_append(room, "'nfsbench sweep");
    if (load->clients > 1)
        field_append(room, " --clients %u", load->clients);
    if (load->connections > 1)
        field_append(room, " --connections %u", load->connections);
    if (load->rate > 0)
        field_append(room, " --depth %u --rate %.12g,%.12g,%.12g", depth, load->rate / 2,
                     load->rate, load->rate * 2);
    else if (depth > 1)
        field_append(room, " --depth %u,%u,%u", depth / 2, depth, depth * 2);
    else
        field_append(room, " --depth 1,2,4");
    field_append(room, " %.200s %s%s'", explanation->origin.target, mix ? "mix:" : "",
                 mix ? mix : explanation->op);
}

const char *explain_limit_text(const struct explanation *explanation, const char *mix,
                               char room[FIELD_ROOM])
{
    const struct explain_limit *limit = &explanation->limit;

    room[0] = '\0';
    if (limit->disagrees) {
        field_append(room, "waits and busy resources point to different limits: ");
        append_share(room, limit);
        field_append(room, "; but ");
        if (limit->by_load == BOTTLENECK_ROUND_TRIP)
            field_append(room, "no resource is busy all the time");
        else
            field_append(room, "%s", bottleneck_phrases[limit->by_load]);
        append_busy(room, limit, limit->by_load);
        field_append(room, "; ");
        append_sweep(room, explanation, mix);
        return field_append(room, " shows which is right");
    }
    if (limit->limit == limit->by_phases)
        append_share(room, limit);
    else
        field_append(room, "%s", bottleneck_phrases[limit->limit]);
    append_busy(room, limit, limit->limit);
    if (limit->by_phases == BOTTLENECK_UNKNOWN && explanation->longest)
        field_append(room, "; %.0f %% of a call's time is '%s'", 100 * explanation->longest->share,
                     explanation->longest->type->name);
    return room;
}

#define AT(member) FIELD_AT(struct explain_limit, member)

static double share_of_time(const void *object, const void *root)
{
    const struct explain_limit *limit = object;

    return call_parts_share(&limit->parts, limit->by_phases);
}

const struct field explain_limit_fields[] = {
    {"by_phases", FIELD_CHOICE, AT(by_phases), .names = bottleneck_names},
    {"by_load", FIELD_CHOICE, AT(by_load), .names = bottleneck_names},
    {"disagrees", FIELD_FLAG, AT(disagrees)},
    {"share", FIELD_NUMBER, .number = share_of_time},
    {"client_cpus", FIELD_NUMBER, AT(client_cpus)},
    {"server_cpus", FIELD_NUMBER, AT(server_cpus)},
    {"server_cpu_ns_per_call", FIELD_NUMBER, AT(server_call_ns)},
    {"link_share", FIELD_NUMBER, AT(parts.link)},
    {"tcp_rwnd_limited_share", FIELD_NUMBER, AT(parts.window_limited)},
    {"rtt_stretch", FIELD_NUMBER, AT(parts.rtt_stretch)},
    {"round_trip_share", FIELD_NUMBER, AT(parts.round_trip)},
    {"network_stretch", FIELD_NUMBER, AT(parts.network_stretch)},
    FIELD_END,
};
