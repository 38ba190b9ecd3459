/* Counters per call, such as processor time or (on a mount) RPCs, in which two results differ. */
#include <math.h>

#include "compare/compare_fields.h"

static void append_change(char text[FIELD_ROOM], const char *name, double first, double second)
{
    if (!isnan(first) && !isnan(second) && fabs(second - first) >= 0.01)
        field_append(text, "%s%s %.2f -> %.2f", *text ? "  " : "", name, first, second);
}

static double value_of(const struct ledger_entry *entry, enum counter counter)
{
    return entry ? entry->values[counter] : NAN;
}

static void append_ledger(char text[FIELD_ROOM], const struct result_op *a,
                          const struct result_op *b)
{
    static const struct {
        enum counter counter;
        bool server;
        const char *name;
        double unit;
    } figures[] = {{COUNTER_CPU_NS, false, "client CPU us", 1000},
                   {COUNTER_CPU_NS, true, "server CPU us", 1000},
                   {COUNTER_VOLUNTARY, false, "client switches", 1},
                   {COUNTER_VOLUNTARY, true, "server switches", 1},
                   {COUNTER_INTERRUPTS, false, "interrupts", 1},
                   {COUNTER_NET_RX, false, "NET_RX", 1}};

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        append_change(text, figures[i].name,
                      value_of(figures[i].server ? a->server : a->client, figures[i].counter) /
                          figures[i].unit,
                      value_of(figures[i].server ? b->server : b->client, figures[i].counter) /
                          figures[i].unit);
}

static double per_call(const struct result_op *op, uint64_t count)
{
    return op->calls ? (double)count / (double)op->calls : 0;
}

static void append_mounted(char text[FIELD_ROOM], const struct result_op *a,
                           const struct result_op *b)
{
    append_change(text, "RPCs", a->mounted->rpcs, b->mounted->rpcs);
    append_change(text, "queue us", us(a->mounted->queue_ns), us(b->mounted->queue_ns));
    append_change(text, "RTT us", us(a->mounted->rtt_ns), us(b->mounted->rtt_ns));
    append_change(text, "execute us", us(a->mounted->execute_ns), us(b->mounted->execute_ns));
    append_change(text, "sent again", per_call(a, a->retransmissions),
                  per_call(b, b->retransmissions));
    append_change(text, "timeouts", per_call(a, a->mounted->timeouts),
                  per_call(b, b->mounted->timeouts));
    append_change(text, "bytes", a->call_bytes + a->reply_bytes, b->call_bytes + b->reply_bytes);
    append_change(text, "backlog", a->mounted->backlog, b->mounted->backlog);
}

const char *compare_changed(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_op *a = ((const struct compare_row *)object)->first;
    const struct result_op *b = ((const struct compare_row *)object)->second;

    room[0] = '\0';
    append_ledger(room, a, b);
    if (a->mounted && b->mounted)
        append_mounted(room, a, b);
    return *room ? room : NULL;
}

/* Return the changes of the mounts' connections and slots; "" if none, NULL without two mounts. */
const char *compare_mount_changed(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_pair *pair = object;
    const struct result_mounted *a = pair->count ? pair->rows[0].first->mounted : NULL;
    const struct result_mounted *b = pair->count ? pair->rows[0].second->mounted : NULL;

    if (!a || !b)
        return NULL;
    room[0] = '\0';
    append_change(room, "connections", (double)a->connections, (double)b->connections);
    append_change(room, "slots", (double)a->slots, (double)b->slots);
    return room;
}
