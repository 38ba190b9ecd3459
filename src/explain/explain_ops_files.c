/* The explanations of several ops as JSON (doc/FORMAT.md), and their tables as CSV (RFC 4180). */
#include <errno.h>

#include "explain/explain.h"
#include "output/json.h"

static json_t *skipped_array(const struct explanations *explanations)
{
    json_t *skipped = json_array();

    for (size_t i = 0; i < explanations->skipped_count; i++)
        json_array_append_new(skipped,
                              json_pack("{s:o, s:o}", "op", json_text(explanations->skipped[i].op),
                                        "reason", json_text(explanations->skipped[i].reason)));
    return skipped;
}

int explain_write_ops_json(const void *data, FILE *out)
{
    const struct explanations *explanations = data;
    json_t *object = json_begin(RESULT_EXPLANATIONS), *ops = json_array();

    explain_add_run(object, &explanations->ops[0]);
    json_object_set_new(object, "mix", json_text(explanations->mix));
    for (size_t i = 0; i < explanations->count; i++) {
        json_t *op = json_object();

        explain_add_op(op, &explanations->ops[i]);
        json_array_append_new(ops, op);
    }
    json_object_set_new(object, "ops", ops);
    json_object_set_new(object, "skipped", skipped_array(explanations));
    return json_write_object(object, out);
}

int explain_write_ops_csv(const void *data, FILE *out)
{
    const struct explanations *explanations = data;

    fputs(EXPLAIN_CSV_HEADINGS, out);
    for (size_t i = 0; i < explanations->count; i++)
        explain_write_csv_rows(&explanations->ops[i], out);
    return ferror(out) ? -EIO : 0;
}
