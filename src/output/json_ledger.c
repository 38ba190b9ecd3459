#include "output/json_ledger.h"

#include "output/counters_json.h"

static json_t *entry_object(const struct ledger_entry *entry)
{
    json_t *object = json_counters(entry->values);

    json_object_set_new(object, "interfaces",
                        json_interfaces(entry->interfaces, entry->interface_count));
    json_object_set_new(object, "disturbed", json_boolean(entry->disturbed));
    return object;
}

json_t *json_ledger(const struct result *result)
{
    const double *usage = result->usage.values;
    const struct result_ledger *ledger = &result->ledger;
    json_t *object = json_pack(
        "{s:{s:o, s:o, s:o, s:o, s:o}}", "client_per_call", "user_ns",
        json_known(usage[COUNTER_USER_NS]), "system_ns", json_known(usage[COUNTER_SYSTEM_NS]),
        "voluntary_switches", json_known(usage[COUNTER_VOLUNTARY]), "involuntary_switches",
        json_known(usage[COUNTER_INVOLUNTARY]), "cpu_share", json_known(result->client_cpu_share));

    if (ledger->done) {
        json_object_set_new(object, "passes", json_integer(LEDGER_PASSES));
        json_object_set_new(object, "calls_per_pass", json_integer((json_int_t)ledger->calls));
        json_object_set_new(object, "client_idle_per_ns", entry_object(ledger->client_idle));
        json_object_set_new(object, "server_idle_per_ns", entry_object(ledger->server_idle));
    }
    json_object_set_new(object, "server_pid",
                        ledger->server_pid ? json_integer(ledger->server_pid) : json_null());
    if (ledger->server_lacking[0])
        json_object_set_new(object, "server_lacking", json_string(ledger->server_lacking));
    if (ledger->cut_short[0])
        json_object_set_new(object, "cut_short_by", json_string(ledger->cut_short));
    return object;
}

json_t *json_op_ledger(const struct result_op *op)
{
    return json_pack("{s:o, s:o}", "client", entry_object(op->client), "server",
                     entry_object(op->server));
}

static json_t *slow_call_object(const struct result *result, const struct slow_call *call)
{
    json_t *object = json_pack("{s:f, s:I, s:I, s:f, s:I}", "ns", call->ns, "round",
                               (json_int_t)call->round, "call", (json_int_t)call->position, "at_s",
                               (double)(call->block_began_ns - result->began_ns) / 1e9,
                               "involuntary_switches", (json_int_t)call->involuntary_switches);
    struct machine_change change;
    json_t *around;

    if (result->rank_count > 0)
        json_object_set_new(object, "rank", json_integer(call->rank));
    if (call->rank > 0 || !machine_log_around(result->machine_log, call->block_began_ns, &change))
        return object;
    around = json_pack("{s:I}", "span_ns", (json_int_t)change.span_ns);
    for (size_t i = 0; i < COUNTERS_FIRST_OF_PROCESS; i++)
        json_object_set_new(around, counter_names[i], json_known(change.values[i]));
    json_object_set_new(object, "around", around);
    return object;
}

json_t *json_slowest(const struct result *result, const struct series *series)
{
    json_t *array = json_array();

    for (size_t i = 0; i < series->slowest_count; i++)
        json_array_append_new(array, slow_call_object(result, &series->slowest[i]));
    return array;
}
