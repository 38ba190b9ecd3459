/* The states of RPCs as JSON (doc/FORMAT.md), and as CSV with a line for each state. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "explain/explain.h"
#include "explain/states.h"
#include "output/json.h"
#include "output/origin.h"
#include "output/result_json.h"

const char *states_group_name(const struct states_op *op, size_t group)
{
    return states_group_is_call(group) ? op->system_call : op->rpcs.groups[group];
}

/* What its tasks are, for programs. */
static const char *group_of(const struct states_op *op, size_t group)
{
    if (states_group_is_call(group))
        return "system-call";
    return op->rpcs.of_server[group] ? "server-request" : "procedure";
}

bool states_group_is_call(size_t group)
{
    return group == RPC_GROUP_CALLS;
}

size_t states_next_group(const struct states_op *op, size_t from, struct state_table *table)
{
    for (; from < op->rpcs.group_count; from++) {
        if (from == RPC_GROUP_OTHERS)
            continue;
        rpc_states_table(&op->rpcs, from, table);
        if (table->tasks > 0)
            break;
    }
    return from;
}

/* JSON */

/* The key of a system call's phase; of a state of other tasks "", which has no prediction. */
static const char *key_of(size_t group, const struct state_row *row)
{
    return states_group_is_call(group) ? rpc_phase_type((enum rpc_phase)row->state)->key : "";
}

static json_t *row_object(const struct states_op *op, size_t group, const struct state_row *row)
{
    const struct rpc_state *state = &op->rpcs.list[row->state];
    json_t *object = json_pack(
        "{s:o, s:s, s:o, s:f, s:o, s:o, s:f, s:f, s:f, s:f}", "name", json_text(state->name),
        "kind", explain_kind_key(state->kind), "entered", json_count(row->count), "share",
        row->share, "share_without_queueing", json_known(row->share_without_queueing),
        "share_of_client", json_known(row->share_of_client), "mean_ns", row->mean_ns, "adjusted_ns",
        row->adjusted_ns, "min_ns", row->low_ns, "max_ns", row->high_ns);

    explain_add_prediction(object, &op->predictions, key_of(group, row));
    return object;
}

static json_t *group_object(const struct states_op *op, size_t group,
                            const struct state_table *table)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < table->row_count; i++)
        json_array_append_new(rows, row_object(op, group, &table->rows[i]));
    return json_pack("{s:s, s:s, s:o, s:f, s:b, s:f, s:o, s:o}", "of", group_of(op, group), "name",
                     states_group_name(op, group), "tasks", json_count(table->tasks), "lifetime_ns",
                     table->lifetime_ns, "lifetime_measured", table->measured, "sum_ns",
                     table->sum_ns, "discrepancy", json_known(table->discrepancy), "states", rows);
}

static json_t *left_out_object(const struct states_op *op)
{
    const struct states *states = op->rpcs.states;

    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "without_begin",
                     json_count(states->without_begin), "without_end",
                     json_count(states->without_end), "with_loss", json_count(states->with_loss),
                     "other_mounts", json_count(states->groups[RPC_GROUP_OTHERS].lifetime.count),
                     "blocks", json_count(op->blocks_left_out));
}

static json_t *op_object(const struct states_op *op)
{
    json_t *object, *tables = json_array();
    struct state_table table;

    for (size_t group = 0; (group = states_next_group(op, group, &table)) < op->rpcs.group_count;
         group++)
        json_array_append_new(tables, group_object(op, group, &table));
    object =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:f, s:o}", "op", op->op, "system_call",
                  json_text(op->system_call), "calls", json_count(op->calls), "events_lost",
                  json_count(op->events_lost), "left_out", left_out_object(op), "tracing_cost_ns",
                  op->has_cost ? json_interval(&op->tracing_cost) : json_null(), "untraced_mean_ns",
                  op->untraced_ns, "tables", tables);
    explain_add_predictions(object, &op->predictions);
    return object;
}

int states_write_json(const void *data, FILE *out)
{
    const struct states_result *result = data;
    json_t *object = json_begin(RESULT_STATES), *ops = json_array();

    for (size_t i = 0; i < result->op_count; i++)
        json_array_append_new(ops, op_object(&result->ops[i]));
    json_object_set_new(object, "missing", json_text(result->missing));
    json_object_set_new(object, "absent_tracepoints",
                        json_text(result->absent[0] ? result->absent : NULL));
    json_object_set_new(object, "ops", ops);
    json_object_set_new(object, "run", json_result(result->run));
    return json_write_object(object, out);
}

/* CSV */

static void write_known(double value, FILE *out)
{
    fputc(',', out);
    if (!isnan(value))
        fprintf(out, "%.9g", value);
}

static void write_row(const struct states_result *result, const struct states_op *op, size_t group,
                      const struct state_table *table, const struct state_row *row, FILE *out)
{
    const struct rpc_state *state = &op->rpcs.list[row->state];

    origin_write_csv_of(result->run, out);
    fprintf(out, "%s,%s,%s,%s,%" PRIu64 ",%s,%s,%" PRIu64,
            verdict_name(result->run->validity.verdict), op->op, group_of(op, group),
            states_group_name(op, group), table->tasks, state->name, explain_kind_key(state->kind),
            row->count);
    write_known(row->share, out);
    write_known(row->share_without_queueing, out);
    write_known(row->share_of_client, out);
    fprintf(out, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", row->mean_ns, row->adjusted_ns, row->low_ns,
            row->high_ns, table->lifetime_ns, table->discrepancy);
    explain_write_csv_prediction(&op->predictions, key_of(group, row), out);
    fputs("\r\n", out);
}

int states_write_csv(const void *data, FILE *out)
{
    const struct states_result *result = data;
    struct state_table table;

    fputs(ORIGIN_CSV_COLUMNS
          "verdict,op,of,name,tasks,state,kind,entered,share,share_without_queueing,"
          "share_of_client,mean_ns,adjusted_ns,min_ns,max_ns,lifetime_ns,discrepancy,predicted_low_"
          "ns,"
          "predicted_high_ns\r\n",
          out);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct states_op *op = &result->ops[i];

        for (size_t group = 0;
             (group = states_next_group(op, group, &table)) < op->rpcs.group_count; group++)
            for (size_t row = 0; row < table.row_count; row++)
                write_row(result, op, group, &table, &table.rows[row], out);
    }
    return ferror(out) ? -EIO : 0;
}
