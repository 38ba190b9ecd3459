/* A comparison as Markdown, CSV and JSON. */
#include <errno.h>
#include <math.h>

#include "output/compare.h"
#include "output/counters_json.h"

/* Markdown */

void compare_print_markdown(const struct compare_result *result, FILE *out)
{
    for (size_t i = 0; i < result->count; i++) {
        const struct compare_pair *pair = &result->pairs[i];

        fprintf(out, "%s`%s` against `%s`\n\n", i ? "\n" : "", pair->second->path,
                pair->first->path);
        fputs("| op | compared | before us | after us | difference us | 95 % | | p |\n"
              "|---|---|---:|---:|---:|---|---|---:|\n",
              out);
        for (size_t j = 0; j < pair->count; j++) {
            const struct compare_row *row = &pair->rows[j];
            const struct comparison *comparison = &row->comparison;

            if (row->word == COMPARE_NOT_COMPARABLE)
                fprintf(out, "| %s | | | | | | not comparable: %s | |\n", row->first->op,
                        row->reason);
            else
                fprintf(out, "| %s | %s | %.3f | %.3f | %+.3f | %+.3f to %+.3f | %s%s%s | %.3f |\n",
                        row->first->op, row->above_null ? "cost above null" : "round trip",
                        comparison->first.estimate / 1000, comparison->second.estimate / 1000,
                        comparison->difference.estimate / 1000, comparison->difference.low / 1000,
                        comparison->difference.high / 1000, row->regression ? "**" : "",
                        compare_word_name(row->word), row->regression ? "**" : "",
                        comparison->adjusted_p);
        }
    }
}

/* CSV (RFC 4180) */

static void print_quoted(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void compare_print_csv(const struct compare_result *result, FILE *out)
{
    fputs("first,second,op,compared,first_ns,second_ns,difference_ns,low_ns,high_ns,share,p,"
          "adjusted_p,word,reason,regression\r\n",
          out);
    for (size_t i = 0; i < result->count; i++)
        for (size_t j = 0; j < result->pairs[i].count; j++) {
            const struct compare_row *row = &result->pairs[i].rows[j];
            const struct comparison *comparison = &row->comparison;

            print_quoted(result->pairs[i].first->path, out);
            fputc(',', out);
            print_quoted(result->pairs[i].second->path, out);
            fprintf(out, ",%s,%s,", row->first->op, row->above_null ? "above_null" : "round_trip");
            if (row->word == COMPARE_NOT_COMPARABLE)
                fputs(",,,,,,,", out);
            else
                fprintf(out, "%.3f,%.3f,%.3f,%.3f,%.3f,%.6f,%.6g,%.6g", comparison->first.estimate,
                        comparison->second.estimate, comparison->difference.estimate,
                        comparison->difference.low, comparison->difference.high, row->share,
                        comparison->p, comparison->adjusted_p);
            fprintf(out, ",%s,%s,%d\r\n", compare_word_name(row->word),
                    row->reason ? row->reason : "", row->regression);
        }
}

/* JSON */

static json_t *row_object(const struct compare_row *row)
{
    const struct comparison *comparison = &row->comparison;
    json_t *object = json_pack("{s:s, s:s, s:s, s:b}", "op", row->first->op, "compared",
                               row->above_null ? "above_null" : "round_trip", "word",
                               compare_word_name(row->word), "regression", row->regression);

    if (row->word == COMPARE_NOT_COMPARABLE) {
        json_object_set_new(object, "reason", json_string(row->reason));
        return object;
    }
    json_object_set_new(object, "first_ns", json_real(comparison->first.estimate));
    json_object_set_new(object, "second_ns", json_real(comparison->second.estimate));
    json_object_set_new(object, "difference_ns",
                        json_pack("{s:f, s:[f, f]}", "estimate", comparison->difference.estimate,
                                  "ci95", comparison->difference.low, comparison->difference.high));
    json_object_set_new(object, "share", json_known(row->share));
    json_object_set_new(object, "noise_floor_ns", json_real(row->floor));
    json_object_set_new(object, "p", json_real(comparison->p));
    json_object_set_new(object, "adjusted_p", json_real(comparison->adjusted_p));
    return object;
}

int compare_print_json(const struct compare_result *result, FILE *out)
{
    json_t *pairs = json_array(), *root;
    int code;

    for (size_t i = 0; i < result->count; i++) {
        const struct compare_pair *pair = &result->pairs[i];
        json_t *rows = json_array();

        for (size_t j = 0; j < pair->count; j++)
            json_array_append_new(rows, row_object(&pair->rows[j]));
        json_array_append_new(pairs, json_pack("{s:s, s:s, s:o}", "first", pair->first->path,
                                               "second", pair->second->path, "ops", rows));
    }
    root = json_pack("{s:s, s:o, s:o}", "schema", "nfsbench-comparison/1", "threshold",
                     json_known(result->threshold), "pairs", pairs);
    if (!root)
        return -ENOMEM;
    code = json_dumpf(root, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
    json_decref(root);
    return code == 0 && fputc('\n', out) != EOF ? 0 : -EIO;
}
