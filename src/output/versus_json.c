/* Two sides of the same rounds as JSON. */
#include "output/json.h"
#include "output/versus.h"

static json_t *comparison_object(const struct comparison *comparison)
{
    return json_pack("{s:f, s:f, s:{s:f, s:[f, f]}}", "first_ns", comparison->first.estimate,
                     "second_ns", comparison->second.estimate, "difference_ns", "estimate",
                     comparison->difference.estimate, "ci95", comparison->difference.low,
                     comparison->difference.high);
}

static json_t *part_object(const struct versus_part *part)
{
    json_t *object = comparison_object(&part->comparison);

    if (!part->judged)
        return object;
    json_object_set_new(object, "p", json_real(part->comparison.p));
    json_object_set_new(object, "adjusted_p", json_real(part->comparison.adjusted_p));
    json_object_set_new(object, "floor_ns", json_real(part->floor));
    json_object_set_new(object, "word", json_string(compare_word_name(part->word)));
    return object;
}

static json_t *row_object(const struct versus_row *row, const struct result *result)
{
    json_t *object =
        json_pack("{s:s, s:o}", "op", row->first->op, "round_trip", part_object(&row->round_trip));

    if (!row->has_cost)
        return object;
    json_object_set_new(object, "baseline", json_string(result->ops[row->first->baseline].op));
    json_object_set_new(object, "network", part_object(&row->network));
    json_object_set_new(object, "above_null", part_object(&row->above_null));
    if (!row->has_parts)
        return object;
    json_object_set_new(object, "bytes", part_object(&row->bytes));
    json_object_set_new(object, "pace", part_object(&row->pace));
    json_object_set_new(object, "server", part_object(&row->server));
    return object;
}

int versus_write_json(const struct versus_result *versus, FILE *out)
{
    json_t *rows = json_array(), *object;

    for (size_t i = 0; i < versus->count; i++)
        json_array_append_new(rows, row_object(&versus->rows[i], versus->first));
    object = json_pack("{s:s, s:o, s:o, s:o}", "schema", "nfsbench-versus/1", "differences", rows,
                       "first", json_result(versus->first), "second", json_result(versus->second));
    if (object && versus->has_control)
        json_object_set_new(object, "control", comparison_object(&versus->control));
    return json_write_object(object, out);
}
