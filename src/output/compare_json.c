/* A comparison as JSON. */
#include "common/printable.h"
#include "output/compare.h"
#include "output/json.h"

/* Text that is not UTF-8 is written as it is shown elsewhere. */
static json_t *path(const struct result *result)
{
    json_t *text = json_string(result->path);

    return text ? text : json_string(printable(result->path).text);
}

/* What was found of ROW's quantity. */
static void add_figures(json_t *object, const struct compare_row *row)
{
    const struct comparison *comparison = &row->comparison;

    json_object_set_new(object, "word", json_string(comparison_verdict_name(row->word)));
    json_object_set_new(object, "regression", json_boolean(row->regression));
    if (row->word == COMPARISON_NOT_COMPARABLE) {
        json_object_set_new(object, "reason", json_text(row->reason));
        return;
    }
    json_object_set_new(object, "first_ns", json_real(comparison->first.estimate));
    json_object_set_new(object, "second_ns", json_real(comparison->second.estimate));
    json_object_set_new(object, "difference_ns", json_interval(&comparison->difference));
    json_object_set_new(object, "ratio", json_interval(&row->ratio));
    json_object_set_new(
        object, "launches",
        json_pack("[o, o]", json_count(row->first_launches), json_count(row->second_launches)));
    json_object_set_new(object, "share",
                        compare_share_is_known(row) ? json_known(row->share) : json_null());
    json_object_set_new(object, "noise_floor_ns", json_real(row->floor));
    json_object_set_new(object, "p", json_real(comparison->p));
    json_object_set_new(object, "adjusted_p", json_real(comparison->adjusted_p));
}

static json_t *row_object(const struct compare_row *row)
{
    json_t *object = json_pack("{s:s, s:s}", "op", row->first->op, "compared",
                               compare_quantity_keys[row->compared]);

    add_figures(object, row);
    if (row->first->has_of_local && row->second->has_of_local)
        json_object_set_new(object, "of_local",
                            json_pack("[o, o]", json_interval(&row->first->of_local),
                                      json_interval(&row->second->of_local)));
    for (size_t i = 0; i < COMPARE_FURTHER; i++) {
        const struct compare_row *further = row->further[i];
        json_t *figures = further ? json_object() : NULL;

        if (!figures)
            continue;
        add_figures(figures, further);
        json_object_set_new(object, compare_quantity_keys[further->compared], figures);
    }
    return object;
}

static json_t *figure_object(const struct compare_figure *figure)
{
    const struct comparison *comparison = &figure->comparison;
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "of", json_text(figure->of), "figure",
                  json_text(figure->key), "first", json_known(comparison->first.estimate), "second",
                  json_known(comparison->second.estimate), "difference",
                  json_interval(&comparison->difference), "ratio", json_interval(&figure->ratio));

    json_object_set_new(object, "word", json_string(comparison_verdict_name(figure->word)));
    json_object_set_new(object, "regression", json_boolean(figure->regression));
    if (figure->reason) {
        json_object_set_new(object, "reason", json_text(figure->reason));
        return object;
    }
    json_object_set_new(object, "floor", json_known(figure->floor));
    json_object_set_new(object, "p", json_known(comparison->p));
    json_object_set_new(object, "adjusted_p", json_known(comparison->adjusted_p));
    return object;
}

static json_t *files_array(const struct result *results, size_t count)
{
    json_t *files = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(files, json_pack("{s:o, s:s, s:b}", "path", path(&results[i]),
                                               "verdict", verdict_name(results[i].validity.verdict),
                                               "cut_short", results[i].cut_short));
    return files;
}

static void add_speed(json_t *object, const struct compare_speed *speed)
{
    if (speed->known)
        json_object_set_new(object, "core_speed",
                            json_pack("{s:o, s:o, s:o, s:o, s:b}", "first_ns",
                                      json_known(speed->comparison.first.estimate), "second_ns",
                                      json_known(speed->comparison.second.estimate), "share",
                                      json_known(speed->share), "p",
                                      json_known(speed->comparison.p), "differs", speed->differs));
}

static json_t *pair_object(const struct compare_pair *pair)
{
    json_t *rows = json_array(), *notes = json_array(), *figures = json_array(), *object;

    for (size_t i = 0; i < pair->count; i++)
        json_array_append_new(rows, row_object(&pair->rows[i]));
    for (size_t i = 0; i < pair->note_count; i++)
        json_array_append_new(notes, json_text(pair->notes[i]));
    for (size_t i = 0; i < pair->figure_count; i++)
        json_array_append_new(figures, figure_object(&pair->figures[i]));
    object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "first", path(pair->first), "second", path(pair->second),
        "first_files", files_array(pair->first, compare_first_count(pair)), "second_files",
        files_array(pair->second, compare_second_count(pair)), "notes", notes, "ops", rows);
    add_speed(object, &pair->speed);
    if (pair->kind != RESULT_MEASUREMENT) {
        json_object_set_new(object, "kind", json_string(result_kind_key(pair->kind)));
        json_object_set(object, "figures", figures);
    }
    json_decref(figures);
    return object;
}

int compare_write_json(const void *data, FILE *out)
{
    const struct compare_result *result = data;
    json_t *object = json_begin(RESULT_COMPARISON), *pairs = json_array();

    for (size_t i = 0; i < result->count; i++)
        json_array_append_new(pairs, pair_object(&result->pairs[i]));
    json_object_set_new(object, "threshold", json_known(result->threshold.share));
    json_object_set_new(object, "threshold_ns", json_known(result->threshold.ns));
    if (result->gate.asked)
        json_object_set_new(object, "gate",
                            json_pack("{s:b, s:b, s:o}", "passed", result->gate.passed, "doubtful",
                                      compare_is_doubtful(result), "ops",
                                      json_count(result->gate.judged)));
    json_object_set_new(object, "pairs", pairs);
    return json_write_object(object, out);
}
