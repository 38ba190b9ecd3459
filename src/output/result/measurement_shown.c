/* Values and sentences that a measurement's view shows and that follow from several members. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/append.h"
#include "common/counted.h"
#include "common/printable.h"
#include "output/result/result_fields.h"
#include "output/view/number.h"

static double clock_error(const void *object, const void *root)
{
    return fabs(((const struct result *)object)->clock.disagreement_ppm);
}

static double whole_launches(const void *object, const void *root)
{
    const struct result *result = object;
    size_t whole = 0;

    for (size_t i = 0; i < result->launch_count; i++)
        whole += !result->launches[i].cut_short;
    return (double)whole;
}

/* Return the number of servers if several launches shared one; NAN if each launch had its own. */
static double shared_servers(const void *object, const void *root)
{
    const struct result *result = object;
    size_t servers = 0;

    for (size_t i = 0; i < result->launch_count; i++)
        if (result->launches[i].server + (size_t)1 > servers)
            servers = result->launches[i].server + (size_t)1;
    return servers == result->launch_count ? (double)NAN : (double)servers;
}

static const char *null_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result *result = object;

    return result->null_calls ? result->null_calls->op : NULL;
}

/* Return a sentence with the number of the mount's connections (nconnect) and the largest number of
 * calls in flight on one connection; NULL if not known. */
static const char *mount_connections(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result *result = object;
    const struct result_mounted *mounted = NULL;

    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].mounted && result->ops[i].mounted->connections)
            mounted = result->ops[i].mounted;
    return mounted ? field_print(room,
                                 "the mount has %s; at most %" PRIu64
                                 " calls were in flight on one of them "
                                 "since the mount was made",
                                 counted(mounted->connections, "connection").text, mounted->slots)
                   : NULL;
}

/* Return "reduced to end in 10 s: 3 launches instead of 10, ..."; NULL if nothing was reduced. */
static const char *given_up(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result *result = object;
    const struct result_given_up *gave = &result->config.given_up;
    char list[240] = "";

    if (!(gave->usual_seconds > 0))
        return NULL;
    if (gave->launches < gave->launches_usual)
        append_item(list, sizeof list, "%s instead of %u", counted(gave->launches, "launch").text,
                    gave->launches_usual);
    if (gave->block < gave->block_usual)
        append_item(list, sizeof list, "blocks of %s", counted(gave->block, "call").text);
    if (gave->model)
        append_item(list, sizeof list, "no cost model");
    if (gave->control)
        append_item(list, sizeof list, "no null control");
    if (gave->ledger)
        append_item(list, sizeof list, "no ledger");
    if (gave->warmup)
        append_item(list, sizeof list, "a short warm-up");
    return field_print(room, "reduced to end in %g s: %s; --max-time %.0fs is long enough for all",
                       (double)result->config.maximum_ns / 1e9, list, ceil(gave->usual_seconds));
}

static double is_disturbed(const void *object, const void *root)
{
    const struct result *result = object;

    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].client &&
            (result->ops[i].client->disturbed || result->ops[i].server->disturbed))
            return true;
    return false;
}

static double has_plan(const void *object, const void *root)
{
    return result_longest_plan(object) != NULL;
}

#define SHOWN_TEXT(name)                                                                           \
    {                                                                                              \
#name, FIELD_TEXT, .text = name                                                            \
    }

const struct field result_shown_fields[] = {
    {"clock_error_ppm", FIELD_QUANTITY, .number = clock_error},
    {"whole_launches", FIELD_COUNT, .number = whole_launches},
    {"shared_servers", FIELD_COUNT, .number = shared_servers},
    SHOWN_TEXT(null_name),
    SHOWN_TEXT(mount_connections),
    SHOWN_TEXT(given_up),
    {"counted", FIELD_FLAG, FIELD_AT(struct result, ledger.counted)},
    {"disturbed", FIELD_COUNT, .number = is_disturbed},
    {"has_plan", FIELD_COUNT, .number = has_plan},
    FIELD_END,
};

/* Return a text: how many of the op's places were accessed. NULL without --cold, or if the op has
 * only one place or none. */
static const char *cold_accesses(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result *result = root;
    const struct result_op *op = object;
    const bool all = op->calls + 1 >= op->places; /* the op's trial call used one place, too */

    if (!result->config.cold || op->places <= 1)
        return NULL;
    return field_print(room, "%s %" PRIu64 " of %" PRIu64 " places accessed, each once (--cold)",
                       all ? "ended when none was left:" : "as many as requested:", op->calls,
                       op->places);
}

/* Return the name of the op's baseline; NULL if the baseline is the op null, as usual. */
static const char *other_baseline(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_op *op = object;

    return op->baseline != ((const struct result *)root)->null_calls ? op->baseline->op : NULL;
}

/* Return by how much the op's messages exceed null's: "call +40 B, reply +128 B, +1 packets".
 * Leaves out the reply's packets if the model has no time per packet. */
static const char *longer_by(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_op *op = object, *null_calls = ((const struct result *)root)->null_calls;
    const struct result *result = root;

    field_print(room, "call %+.0f B, reply %+.0f B", op->call_bytes - null_calls->call_bytes,
                op->reply_bytes - null_calls->reply_bytes);
    if (result->model->packet.known)
        field_append(room, ", %+.0f packets", op->reply_packets - null_calls->reply_packets);
    return room;
}

static const char *failed_part(const void *object, const void *root, char room[FIELD_ROOM])
{
    return result_impossible_part(object, NULL);
}

/* Compare the op with the local op: return "read of 1,048,576 bytes: 812 MB/s, 2.33 times slower
 * [2.23, 2.43] than the 1,890 MB/s of the local directory"; NULL if the ratio is not known. */
static const char *against_local(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_op *op = object, *local = result_local_of(root, op);
    const bool moves = op->megabytes_per_s > 0 && local && local->megabytes_per_s > 0;
    const bool slower = op->of_local.estimate <= 1;
    const char *unit = moves ? "MB/s" : "calls/s";
    struct interval times = op->of_local;
    char number[NUMBER_SIZE], bracket[NUMBER_INTERVAL_SIZE];
    int decimals;

    if (!op->has_of_local || !local)
        return NULL;
    if (slower)
        times = (struct interval){1 / times.estimate, 1 / times.high, 1 / times.low};
    decimals = times.estimate < 10 ? 2 : times.estimate < 100 ? 1 : 0;
    field_print(room, "%s", printable(op->op).text);
    if (moves)
        field_append(room, " of %s bytes", number_grouped(op->data_bytes, number));
    field_append(room, ": %s %s, ",
                 number_grouped(moves ? op->megabytes_per_s : op->rate_per_s, number), unit);
    field_append(room, "%s times %s", number_print(times.estimate, decimals, false, number),
                 slower ? "slower" : "faster");
    if (!isnan(times.low))
        field_append(room, " %s", number_interval(&times, 1, decimals, false, bracket));
    field_append(room, " than the %s %s of the local directory",
                 number_grouped(moves ? local->megabytes_per_s : local->rate_per_s, number), unit);
    return room;
}

static double us_per_call(const void *object, const void *root)
{
    const struct result_op *op = object;

    return op->rate_per_s > 0 ? 1e6 / op->rate_per_s : 0;
}

static const char *calls_of_clients(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_load *load = ((const struct result_op *)object)->load;
    uint64_t least = load && load->client_count ? UINT64_MAX : 0, most = 0;

    for (size_t i = 0; load && i < load->client_count; i++) {
        least = load->clients[i].calls < least ? load->clients[i].calls : least;
        most = load->clients[i].calls > most ? load->clients[i].calls : most;
    }
    return field_print(room, "%" PRIu64 "-%" PRIu64, least, most);
}

/* Return the mean time for which due calls could not be sent, ns: the response time minus the
 * service time and the sender's lateness. NAN without an open loop, for the null control, or if it
 * is not above a hundredth of the response time. */
static double held_mean(const void *object, const void *root)
{
    enum { SHOWN_FROM = 100 };
    const struct result_op *op = object;
    double waited;

    if (!op->load || !op->load->open_loop || op->role == RESULT_NULL_CONTROL)
        return NAN;
    waited = op->latency.mean - op->load->service.mean - op->load->lateness.mean;
    return SHOWN_FROM * waited > op->latency.mean ? waited : NAN;
}

static const char *held_by(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_load *load = ((const struct result_op *)object)->load;

    const enum load_hold longest = load ? load_longest_hold(load->held_ns) : HOLD_DEPTH;

    return load && load->held_ns[longest] > 0 ? load_hold_texts[longest]
                                              : "the reason is not known";
}

/* Return the Mbit/s of the op's calls and replies in sum, with record marks, or of their TLS
 * records if known; NAN without a rate, or for a local op. */
static double wire_megabits(const void *object, const void *root)
{
    const struct result_op *op = object;
    const double bytes = op->tls_call_bytes > 0 ? op->tls_call_bytes + op->tls_reply_bytes
                                                : op->call_bytes + op->reply_bytes;

    return op->rate_per_s > 0 && op->role != RESULT_LOCAL ? op->rate_per_s * 8 * bytes / 1e6 : NAN;
}

static double gaps_left_out(const void *object, const void *root)
{
    const struct result_op *op = object;

    return op->gaps_in_all > op->gap_count ? (double)(op->gaps_in_all - op->gap_count) : NAN;
}

/* Return OP's value in launch INDEX: its cost or, without a cost, its round trip; NAN if none. */
static double estimate_of(const struct result *result, const struct result_op *op, size_t index)
{
    const struct result_op *own = result_launch_find(&result->launches[index], op->op);

    if (!own)
        return NAN;
    return op->has_above_null ? own->above_null.cost.estimate : own->round_trip.estimate;
}

/* Processors on which client and server ran in each of two groups of launches, the group on the
 * lower level first. -1: several or unknown processors; -2: none counted yet. */
struct processors {
    int client[2], server[2];
};

static int join_processors(int known, int other)
{
    const int none_yet = -2;

    return known == none_yet || known == other ? other : -1;
}

static struct processors find_processors(const struct result *result, const struct result_op *op)
{
    const double middle = (op->levels.level[0] + op->levels.level[1]) / 2;
    struct processors found = {{-2, -2}, {-2, -2}};

    for (size_t i = 0; i < result->launch_count; i++) {
        const struct result_launch *launch = &result->launches[i];
        const double estimate = estimate_of(result, op, i);
        const size_t group = estimate > middle;

        if (isnan(estimate))
            continue;
        found.client[group] = join_processors(found.client[group], launch->client_cpu);
        found.server[group] = join_processors(found.server[group], launch->server_cpu);
    }
    return found;
}

static bool differ(const int cpus[2])
{
    return cpus[0] >= 0 && cpus[1] >= 0 && cpus[0] != cpus[1];
}

static const char *two_levels(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result *result = root;
    const struct result_op *op = object;
    const struct launches_levels *levels = &op->levels;
    const size_t units = levels->members[0] + levels->members[1];
    struct processors found;

    if (!op->has_spread || levels->groups != 2)
        return NULL;
    found = find_processors(result, op);
    field_print(room, "two levels: %.3f us in %zu of %zu %s, %.3f us in %zu", us(levels->level[0]),
                levels->members[0], units, units == result->launch_count ? "launches" : "servers",
                us(levels->level[1]), levels->members[1]);
    if (differ(found.client))
        field_append(room, "; the client ran on CPU %d at the lower level, on CPU %d at the upper",
                     found.client[0], found.client[1]);
    if (differ(found.server))
        field_append(room,
                     "; the server's busiest thread ran on CPU %d at the lower level, on CPU %d at "
                     "the upper",
                     found.server[0], found.server[1]);
    if (!differ(found.client) && !differ(found.server))
        field_append(room, "; the processors on which client and server ran do not explain them");
    return room;
}

/* Return the op's plan, "for getattr to +-0.010 us: 12 launches of 0.8 s (410 rounds), 9.6 s in
 * total"; NULL if the op has none. */
static const char *plan_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_op *op = object;
    const struct launches_plan *plan = &op->plan.launches;
    const size_t launches = plan->servers * plan->clients;

    if (!op->has_plan)
        return NULL;
    field_print(room, "for %s to +-%.3f us: %zu launches", op->op, us(op->plan.half_width_ns),
                launches);
    if (plan->servers > 1 && plan->clients > 1)
        field_append(room, " (%zux%zu)", plan->servers, plan->clients);
    field_append(room, " of %.2g s (%s), %.3g s in total", plan->seconds / (double)launches,
                 counted(plan->rounds, "round").text, plan->seconds);
    return room;
}

static double switches_of(const struct ledger_entry *entry)
{
    return entry ? entry->values[COUNTER_VOLUNTARY] + entry->values[COUNTER_INVOLUNTARY] : NAN;
}

static double client_switches(const void *object, const void *root)
{
    return switches_of(((const struct result_op *)object)->client);
}

static double server_switches(const void *object, const void *root)
{
    return switches_of(((const struct result_op *)object)->server);
}

static const struct interface_counters *interface_of(const struct result_op *op)
{
    return op->client ? result_busiest_interface(op->client) : NULL;
}

static const char *interface_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct interface_counters *interface = interface_of(object);

    return interface ? interface->name : NULL;
}

static double of_interface(const struct result_op *op, enum interface_counter counter)
{
    const struct interface_counters *interface = interface_of(op);

    return interface ? interface->values[counter] : NAN;
}

static double tx_packets(const void *object, const void *root)
{
    return of_interface(object, INTERFACE_TX_PACKETS);
}

static double rx_packets(const void *object, const void *root)
{
    return of_interface(object, INTERFACE_RX_PACKETS);
}

static double tx_bytes_per_s(const void *object, const void *root)
{
    return ((const struct result_op *)object)->rate_per_s *
           of_interface(object, INTERFACE_TX_BYTES);
}

static double rx_bytes_per_s(const void *object, const void *root)
{
    return ((const struct result_op *)object)->rate_per_s *
           of_interface(object, INTERFACE_RX_BYTES);
}

/* Return the share of the link's speed that the op uses; NAN if the speed is not known. A link has
 * its full speed in each direction, so the busier direction counts. */
static double link_share(const void *object, const void *root)
{
    const struct result_ledger *ledger = &((const struct result *)root)->ledger;
    const struct interface_counters *interface = interface_of(object);

    for (size_t i = 0; interface && i < ledger->link_count; i++)
        if (strcmp(ledger->links[i].name, interface->name) == 0)
            return 8 * fmax(tx_bytes_per_s(object, root), rx_bytes_per_s(object, root)) /
                   ledger->links[i].bits_per_s;
    return NAN;
}

static double per_second(const struct result_op *op, const struct ledger_entry *entry,
                         enum counter counter)
{
    return entry ? op->rate_per_s * entry->values[counter] : NAN;
}

static double client_cpu_share(const void *object, const void *root)
{
    const struct result_op *op = object;

    return per_second(op, op->client, COUNTER_CPU_NS) / 1e9;
}

static double server_cpu_share(const void *object, const void *root)
{
    const struct result_op *op = object;

    return per_second(op, op->server, COUNTER_CPU_NS) / 1e9;
}

/* Return the interrupts per second. Fewer than 0.005 per call count as 0, because they are noise
 * from subtracting the idle machine's interrupts. */
static double interrupts_per_s(const void *object, const void *root)
{
    const struct result_op *op = object;
    const double per_call = op->client ? op->client->values[COUNTER_INTERRUPTS] : NAN;

    return fabs(per_call) < 0.005 ? 0 : op->rate_per_s * per_call;
}

static double switches_per_s(const void *object, const void *root)
{
    const struct result_op *op = object;

    return per_second(op, op->client, COUNTER_MACHINE_SWITCHES);
}

#define SHOWN_NUMBER(name)                                                                         \
    {                                                                                              \
#name, FIELD_NUMBER, .number = name                                                        \
    }

const struct field op_shown_fields[] = {
    SHOWN_TEXT(cold_accesses),
    SHOWN_TEXT(other_baseline),
    SHOWN_TEXT(longer_by),
    SHOWN_TEXT(failed_part),
    SHOWN_TEXT(against_local),
    SHOWN_NUMBER(us_per_call),
    SHOWN_TEXT(calls_of_clients),
    SHOWN_NUMBER(held_mean),
    SHOWN_TEXT(held_by),
    SHOWN_NUMBER(wire_megabits),
    SHOWN_NUMBER(gaps_left_out),
    SHOWN_TEXT(two_levels),
    SHOWN_TEXT(plan_text),
    SHOWN_NUMBER(client_switches),
    SHOWN_NUMBER(server_switches),
    SHOWN_TEXT(interface_name),
    SHOWN_NUMBER(tx_packets),
    SHOWN_NUMBER(rx_packets),
    SHOWN_NUMBER(tx_bytes_per_s),
    SHOWN_NUMBER(rx_bytes_per_s),
    SHOWN_NUMBER(link_share),
    SHOWN_NUMBER(client_cpu_share),
    SHOWN_NUMBER(server_cpu_share),
    SHOWN_NUMBER(interrupts_per_s),
    SHOWN_NUMBER(switches_per_s),
    FIELD_END,
};
