/* Fields of a measurement's cost model, and of its ledger of the kernel's counters. */
#include <errno.h>

#include "output/result/json.h"
#include "output/result/result_fields.h"

enum { POINTS_MAXIMUM = 1024 };

#define MODEL(member) FIELD_AT(struct result_model, member)
#define RATE(rate)                                                                                 \
    MODEL(rate.ns), FIELD_OR_NULL | FIELD_SETS_IF, FIELD_IF(struct result_model, rate.known),      \
        .merge = MERGE_ESTIMATE

const struct field rates_fields[] = {
    {"call_ns_per_byte", FIELD_INTERVAL, RATE(call)},
    {"reply_ns_per_byte", FIELD_INTERVAL, RATE(reply)},
    {"rx_ns_per_packet", FIELD_INTERVAL, RATE(packet)},
    {"pause_ns_per_ns", FIELD_INTERVAL, RATE(pause)},
    FIELD_END,
};

#define POINT(member) FIELD_AT(struct result_point, member)

static const struct field point_fields[] = {
    {"op", FIELD_WORD, POINT(op)},
    {"call", FIELD_QUANTITY, POINT(call)},
    {"reply", FIELD_QUANTITY, POINT(reply)},
    {"reply_packets", FIELD_QUANTITY, POINT(reply_packets)},
    {"pause_ns", FIELD_QUANTITY, POINT(pause_ns)},
    {"calls", FIELD_COUNT, POINT(calls), .merge = MERGE_SUM},
    {"p50", FIELD_QUANTITY, POINT(p50), .merge = MERGE_MEAN},
    FIELD_END,
};

const struct field model_fields[] = {
    {NULL, FIELD_OBJECT, .fields = rates_fields, .merge = MERGE_PARTS},
    {"call_misfit_ns", FIELD_NUMBER, MODEL(call_misfit_ns), .merge = MERGE_MOST},
    {"reply_misfit_ns", FIELD_NUMBER, MODEL(reply_misfit_ns), .merge = MERGE_MOST},
    {"pause_misfit_ns", FIELD_NUMBER, MODEL(pause_misfit_ns), .merge = MERGE_MOST},
    {"points", FIELD_LIST, FIELD_ITEMS(struct result_model, points, point_count, point_fields),
     .maximum = POINTS_MAXIMUM, .merge = MERGE_PARTS},
    FIELD_END,
};

#define INTERFACE(member) FIELD_AT(struct interface_counters, member)
#define OF_INTERFACE(counter)                                                                      \
    FIELD_NUMBER, INTERFACE(values[INTERFACE_##counter]), .merge = MERGE_MEAN

static const struct field interface_values[] = {
    {"rx_bytes", OF_INTERFACE(RX_BYTES)},
    {"rx_packets", OF_INTERFACE(RX_PACKETS)},
    {"tx_bytes", OF_INTERFACE(TX_BYTES)},
    {"tx_packets", OF_INTERFACE(TX_PACKETS)},
    FIELD_END,
};

static const struct field interface_fields[] = {
    {"name", FIELD_BUFFER, INTERFACE(name)},
    {NULL, FIELD_OBJECT, .fields = interface_values, .merge = MERGE_PARTS},
    FIELD_END,
};

#define ENTRY(member) FIELD_AT(struct ledger_entry, member)
#define OF_ENTRY(id, name, coarse)                                                                 \
    {name, FIELD_NUMBER, ENTRY(values[COUNTER_##id]), .merge = MERGE_MEAN},

static const struct field entry_values[] = {
    COUNTERS_OF_MACHINE(OF_ENTRY) COUNTERS_OF_PROCESS(OF_ENTRY) FIELD_END,
};

const struct field ledger_entry_fields[] = {
    {NULL, FIELD_OBJECT, .fields = entry_values, .merge = MERGE_PARTS},
    {"interfaces", FIELD_ARRAY,
     FIELD_ITEMS(struct ledger_entry, interfaces, interface_count, interface_fields), FIELD_BY_NAME,
     .maximum = COUNTERS_INTERFACES_MAXIMUM, .merge = MERGE_PARTS},
    {"disturbed", FIELD_FLAG, ENTRY(disturbed), .merge = MERGE_ANY},
    FIELD_END,
};

#define COUNTERS_AT(member)           FIELD_AT(struct counters, member)
#define OF_COUNTERS(id, name, coarse) {name, FIELD_NUMBER, COUNTERS_AT(values[COUNTER_##id])},

static const struct field values_fields[] = {
    COUNTERS_OF_MACHINE(OF_COUNTERS) COUNTERS_OF_PROCESS(OF_COUNTERS) FIELD_END,
};

static const struct field counters_fields[] = {
    {"at_ns", FIELD_COUNT, COUNTERS_AT(at_ns)},
    {"counters", FIELD_OBJECT, .fields = values_fields},
    {"interfaces", FIELD_ARRAY,
     FIELD_ITEMS(struct counters, interfaces, interface_count, interface_fields), FIELD_BY_NAME,
     .maximum = COUNTERS_INTERFACES_MAXIMUM},
    FIELD_END,
};

json_t *counters_to_json(const struct counters *counters)
{
    return fields_write(counters_fields, counters, counters);
}

int counters_from_json(void *counters, const json_t *object)
{
    struct arena arena = {.last = NULL};
    struct error ignored;
    struct json_reader reader = {.arena = &arena, .path = "the answer", .error = &ignored};

    counters_clear(counters);
    fields_read(&reader, object, counters_fields, counters);
    arena_free(&arena);
    return json_is_integer(json_object_get(object, "at_ns")) ? reader.code : -EBADMSG;
}

#define AT(member) FIELD_AT(struct result, member)

static const struct field link_fields[] = {
    {"name", FIELD_BUFFER, FIELD_AT(struct result_link, name)},
    {"bits_per_s", FIELD_NUMBER, FIELD_AT(struct result_link, bits_per_s)},
    FIELD_END,
};

#define OF_USAGE(id, name, coarse)                                                                 \
    {name, FIELD_NUMBER, AT(usage[COUNTER_##id]), .merge = MERGE_MEAN},

/* Only counters of a process, because usage is that of the client process. */
static const struct field usage_values[] = {
    COUNTERS_OF_PROCESS(OF_USAGE) FIELD_END,
};

static const struct field usage_fields[] = {
    {NULL, FIELD_OBJECT, .fields = usage_values, .merge = MERGE_PARTS},
    {"cpu_share", FIELD_NUMBER, AT(client_cpu_share), .merge = MERGE_RATE},
    FIELD_END,
};

#define IDLE(side) FIELD_TO(struct result, ledger.side, ledger_entry_fields)

static const struct field counted_fields[] = {
    {"passes", FIELD_COUNT, AT(ledger.passes), FIELD_PART},
    {"calls_per_pass", FIELD_COUNT, AT(ledger.calls)},
    {"client_idle_per_ns", FIELD_POINTER, IDLE(client_idle), FIELD_PART, .merge = MERGE_PARTS},
    {"server_idle_per_ns", FIELD_POINTER, IDLE(server_idle), FIELD_PART, .merge = MERGE_PARTS},
    {"link_bits_per_s", FIELD_ARRAY,
     FIELD_ITEMS(struct result, ledger.links, ledger.link_count, link_fields), FIELD_BY_NAME,
     .maximum = COUNTERS_INTERFACES_MAXIMUM},
    FIELD_END,
};

const struct field ledger_fields[] = {
    {"client_per_call", FIELD_OBJECT, .fields = usage_fields, .merge = MERGE_PARTS},
    {NULL, FIELD_OBJECT, .flags = FIELD_SETS_IF, FIELD_IF(struct result, ledger.counted),
     .fields = counted_fields, .merge = MERGE_PARTS},
    {"server_pid", FIELD_COUNT, AT(ledger.server_pid), FIELD_OR_NULL, .maximum = INT32_MAX},
    {"server_missing", FIELD_TEXT, AT(ledger.server_missing), FIELD_OR_NONE},
    {"cut_short_by", FIELD_TEXT, AT(ledger.cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};
