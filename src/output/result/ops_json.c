/* Reads the ops of a measurement from JSON, with their roles and baselines. */
#include <stdio.h>
#include <string.h>

#include "output/result/result_fields.h"

static enum result_role read_role(struct json_reader *reader, const json_t *from)
{
    const char *role = json_take_word(reader, from, "role");

    for (enum result_role i = RESULT_NULL; i <= RESULT_OP; i++)
        if (role && strcmp(role, result_role_keys[i]) == 0)
            return i;
    json_refuse(reader, ".role is not known");
    return RESULT_OP;
}

/* Record op N (from 0) if it is null or the null control. Refuse a name that occurs twice, and a
 * second null or null control. */
static void find_place(struct json_reader *reader, struct result *result, size_t n)
{
    const struct result_op *op = &result->ops[n];

    for (size_t i = 0; i < n; i++)
        if (strcmp(result->ops[i].op, op->op) == 0)
            json_refuse(reader, " is there twice");
    if ((op->role == RESULT_NULL && result->null_calls) ||
        (op->role == RESULT_NULL_CONTROL && result->null_control))
        json_refuse(reader, ".role is there twice");
    if (op->role == RESULT_NULL)
        result->null_calls = op;
    if (op->role == RESULT_NULL_CONTROL)
        result->null_control = op;
}

static void find_baseline(struct json_reader *reader, const json_t *from, struct result *result,
                          struct result_op *op)
{
    const char *name = json_take_word(reader, from, "above_null_ns.baseline");

    if (op != result->null_calls && op->role != RESULT_LOCAL)
        op->baseline = name ? result_find(result, name) : result->null_calls;
    if (!op->baseline && op->has_above_null)
        json_refuse(reader, ".above_null_ns has a baseline that is not there");
}

/* Read op N (from 0). If the ledger entry of client or server is missing, drop the other entry. */
static void read_op(struct json_reader *reader, const json_t *from, struct result *result, size_t n)
{
    struct result_op *op = &result->ops[n];

    if (!json_is_object(from))
        json_refuse(reader, " is not an object");
    fields_read(reader, from, op_fields, op);
    if (!op->op)
        return;
    op->role = read_role(reader, from);
    blocks_read(reader, from, result, op);
    if (!op->client || !op->server)
        op->client = op->server = NULL;
    for (size_t i = 0; i < op->error_count; i++)
        op->failed += op->errors[i].count;
    find_place(reader, result, n);
}

void ops_read(struct json_reader *reader, const json_t *root, void *object)
{
    const size_t many = json_array_size(json_find(root, "ops"));
    struct result *result = object;
    size_t count = 0;
    const json_t *ops = many > RESULT_OPS_MAXIMUM
                            ? NULL
                            : json_take_array(reader, root, "ops", RESULT_OPS_MAXIMUM, &count);

    if (count == 0)
        json_refuse(reader,
                    many > RESULT_OPS_MAXIMUM ? "it has more ops than there are" : "it has no ops");
    result->ops = json_room(reader, count, sizeof *result->ops);
    for (size_t i = 0; i < count && reader->code == 0; i++) {
        snprintf(reader->where, sizeof reader->where, "ops[%zu].", i);
        result->op_count++;
        read_op(reader, json_array_get(ops, i), result, i);
    }
    for (size_t i = 0; i < count && reader->code == 0; i++) {
        snprintf(reader->where, sizeof reader->where, "ops[%zu].", i);
        find_baseline(reader, json_array_get(ops, i), result, &result->ops[i]);
    }
    reader->where[0] = '\0';
}
