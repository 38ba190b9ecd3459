/* The result of --functions as JSON (doc/FORMAT.md) and as CSV, with a line per op and function. */
#include <errno.h>

#include "explain/explain_parts.h"
#include "explain/functions.h"
#include "output/csv.h"
#include "output/json.h"

/* For programs. */
static const char *const side_keys[FUNCTION_SIDES] = {
    [FUNCTION_CLIENT] = "client",
    [FUNCTION_SERVER] = "server",
    [FUNCTION_ELSEWHERE] = "elsewhere",
};

static const char *kind_of(const struct kernel_function *function)
{
    return function->is_tracepoint ? "tracepoint" : "function";
}

/* JSON */

static json_t *row_object(const struct function_row *row)
{
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", row->function->name, "kind",
                               kind_of(row->function), "part", row->function->part);

    for (unsigned side = 0; side < FUNCTION_SIDES; side++)
        json_object_set_new(object, side_keys[side], json_interval(&row->per_call[side]));
    return object;
}

static json_t *op_object(const struct functions_op *op)
{
    json_t *functions = json_array();

    for (size_t i = 0; i < op->row_count; i++)
        json_array_append_new(functions, row_object(&op->rows[i]));
    return json_pack("{s:o, s:o, s:o}", "op", json_text(op->op), "calls", json_count(op->calls),
                     "functions", functions);
}

static json_t *ops_array(const struct functions_result *result)
{
    json_t *ops = json_array();

    for (size_t i = 0; i < result->op_count; i++)
        json_array_append_new(ops, op_object(&result->ops[i]));
    return ops;
}

static json_t *missing_array(const struct functions_result *result)
{
    json_t *missing = json_array();

    for (size_t i = 0; i < result->missing_count; i++)
        json_array_append_new(missing, json_pack("{s:s, s:s}", "name", result->missing[i].name,
                                                 "reason", result->missing[i].reason));
    return missing;
}

int functions_write_json(const void *data, FILE *out)
{
    const struct functions_result *result = data;
    json_t *object = json_begin(RESULT_FUNCTIONS);

    origin_add_json(object, &result->origin);
    json_object_set_new(object, "client_cpus", json_text(result->client_cpus));
    json_object_set_new(object, "server_cpu",
                        result->server_cpu >= 0 ? json_integer(result->server_cpu) : json_null());
    if (result->load)
        json_object_set_new(object, "load", explain_load_object(result->load));
    json_object_set_new(object, "rounds", json_count(result->rounds));
    json_object_set_new(object, "ops", ops_array(result));
    json_object_set_new(object, "missing", missing_array(result));
    json_object_set_new(object, "server_missing", json_text(result->server_missing));
    json_object_set_new(object, "cut_short_by", json_text(result->cut_short_by));
    return json_write_object(object, out);
}

/* CSV */

static void write_row(const struct functions_result *result, const struct functions_op *op,
                      const struct function_row *row, FILE *out)
{
    origin_write_csv(&result->origin, out);
    fprintf(out, "%s,%s,%s,%s", op->op, row->function->name, kind_of(row->function),
            row->function->part);
    for (unsigned side = 0; side < FUNCTION_SIDES; side++)
        csv_write_interval(&row->per_call[side], 6, out);
    fputs("\r\n", out);
}

int functions_write_csv(const void *data, FILE *out)
{
    const struct functions_result *result = data;

    fputs(ORIGIN_CSV_COLUMNS "op,function,kind,part", out);
    for (unsigned side = 0; side < FUNCTION_SIDES; side++)
        fprintf(out, ",%s,%s_low,%s_high", side_keys[side], side_keys[side], side_keys[side]);
    fputs("\r\n", out);
    for (size_t i = 0; i < result->op_count; i++)
        for (size_t j = 0; j < result->ops[i].row_count; j++)
            write_row(result, &result->ops[i], &result->ops[i].rows[j], out);
    return ferror(out) ? -EIO : 0;
}
