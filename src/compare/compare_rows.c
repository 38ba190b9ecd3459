/* Fields of a compared op or other figure. */
#include <math.h>
#include <string.h>

#include "compare/compare_fields.h"
#include "output/result/json.h"
#include "output/view/number.h"

#define SIGNIFICANT 0.05 /* a smaller p is significant */

/* Fields of the comparison of an op, or of one of its quantities */

#define ROW(member) FIELD_AT(struct compare_row, member)

static bool is_comparable(const void *object, const void *root)
{
    return ((const struct compare_row *)object)->word != COMPARISON_NOT_COMPARABLE;
}

static bool has_reason(const void *object, const void *root)
{
    return *((const struct compare_row *)object)->reason;
}

static bool is_widened(const void *object, const void *root)
{
    return ((const struct compare_row *)object)->path_error > 0;
}

static const char *row_p(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_row *row = object;

    return row->left_open || (row->key && isnan(row->comparison.difference.low))
               ? NULL
               : number_p(row->comparison.adjusted_p, room);
}

/* Return an upper bound of the difference, in the values' unit, if none was seen; else NAN. */
static double row_below(const void *object, const void *root)
{
    const struct compare_row *row = object;
    const struct interval *difference = &row->comparison.difference;

    return row->word == COMPARISON_SAME
               ? fmax(row->floor, fmax(fabs(difference->low), fabs(difference->high)))
               : NAN;
}

/* Return 1 if the difference is significant but below the noise floor, else 0. */
static double row_below_floor(const void *object, const void *root)
{
    const struct compare_row *row = object;

    return row->word == COMPARISON_SAME && row->comparison.adjusted_p < SIGNIFICANT &&
           fabs(row->comparison.difference.estimate) <= row->floor;
}

static const char *const sides[] = {"A", "B", NULL};

static const struct field launch_fields[] = {
    {NULL, FIELD_COUNT, .size = sizeof(size_t)},
    FIELD_END,
};

static const struct field found_fields[] = {
    {"first_ns", FIELD_NUMBER, ROW(comparison.first.estimate)},
    {"second_ns", FIELD_NUMBER, ROW(comparison.second.estimate)},
    {"difference_ns", FIELD_INTERVAL, ROW(comparison.difference)},
    {"ratio", FIELD_INTERVAL, ROW(ratio)},
    {"launches", FIELD_ARRAY, ROW(launches), FIELD_PLAIN, .item = sizeof(size_t),
     .fields = launch_fields, .names = sides},
    {"share", FIELD_NUMBER, ROW(share)},
    {"noise_floor_ns", FIELD_QUANTITY, ROW(floor)},
    {"p", FIELD_QUANTITY, ROW(comparison.p)},
    {"adjusted_p", FIELD_QUANTITY, ROW(comparison.adjusted_p)},
    {"path_error_ns", FIELD_QUANTITY, ROW(path_error), .known = is_widened},
    {"shown_p", FIELD_WORD, .flags = FIELD_SHOWN, .text = row_p},
    FIELD_END,
};

static const struct field judged_fields[] = {
    {"word", FIELD_CHOICE, ROW(word), .names = comparison_verdict_names},
    {"regression", FIELD_FLAG, ROW(regression)},
    {"reason", FIELD_BUFFER, ROW(reason), .known = has_reason},
    {"below_ns", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = row_below},
    {"below_floor", FIELD_COUNT, .flags = FIELD_SHOWN, .number = row_below_floor},
    {NULL, FIELD_OBJECT, .fields = found_fields, .known = is_comparable},
    FIELD_END,
};

/* Return whether both sides have their rate as a share of the rate in their local directory. */
static bool has_local(const void *object, const void *root)
{
    const struct compare_row *row = object;

    return row->first && row->first->has_of_local && row->second->has_of_local;
}

static json_t *local_write(const void *object, const void *root)
{
    const struct compare_row *row = object;

    return json_pack("[o, o]", json_interval(&row->first->of_local),
                     json_interval(&row->second->of_local));
}

/* Return 1 if the row is shown, else 0. Rows of ops and of the server's part of their typical cost
 * are always shown. The row of any other figure is shown if it is slower or faster, and neither of
 * these two rows has the same verdict. */
static double is_shown(const void *object, const void *root)
{
    const struct compare_row *row = object, *part;

    if (!row->typical || row->compared == RESULT_SERVER_PART)
        return row->first != NULL;
    part = row->typical->further[RESULT_SERVER_PART - RESULT_MEAN_COST];
    return (row->word == COMPARISON_SLOWER || row->word == COMPARISON_FASTER) &&
           row->word != row->typical->word && !(part && row->word == part->word);
}

/* Return the row's label: "read", "read in the mean", "read (server)"; NULL if it has no op. */
static const char *row_label(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_row *row = object;

    return row->first
               ? field_print(room, "%s%s", row->first->op, compare_quantity_of[row->compared])
               : NULL;
}

/* Return 1 if the difference is a regression, or exceeds the threshold given as a share, else 0. */
static double is_large(const void *object, const void *root)
{
    const struct compare_row *row = object;

    return row->regression ||
           fabs(row->share) > ((const struct compare_result *)root)->threshold.share;
}

static const struct field name_fields[] = {
    {"op", FIELD_TEXT, FIELD_AT(struct result_op, op), FIELD_KEY},
    FIELD_END,
};

static const struct field side_fields[] = {
    {"mean_ns", FIELD_NUMBER, FIELD_AT(struct result_op, latency.mean)},
    {"of_local", FIELD_INTERVAL, FIELD_AT(struct result_op, of_local)},
    FIELD_END,
};

#define FURTHER(number, name)                                                                      \
    {                                                                                              \
        name, FIELD_POINTER, FIELD_TO(struct compare_row, further[number], judged_fields)          \
    }

const struct field compare_row_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct compare_row, first, name_fields)},
    {"compared", FIELD_CHOICE, ROW(compared), .names = result_quantity_keys},
    {NULL, FIELD_OBJECT, .fields = judged_fields},
    {"of_local", FIELD_OWN, .known = has_local, .write = local_write,
     .schema = "{\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": "
               "{\"estimate\": {\"type\": \"number\"}, \"ci95\": {\"anyOf\": [{\"type\": "
               "\"null\"}, " FIELD_NUMBERS_SCHEMA "]}"
               "}, \"required\": [\"estimate\", \"ci95\"], \"additionalProperties\": false}}"},
    FURTHER(0, "mean_above_null"),
    FURTHER(1, "p99_above_null"),
    FURTHER(2, "server_part"),
    FURTHER(3, "mean_server_part"),
    {"label", FIELD_WORD, .flags = FIELD_SHOWN, .text = row_label},
    {"quantity", FIELD_CHOICE, ROW(compared), FIELD_SHOWN, .names = compare_quantity_names,
     .known = is_comparable},
    {"changed", FIELD_WORD, .flags = FIELD_SHOWN, .text = compare_changed},
    {"shown", FIELD_COUNT, .flags = FIELD_SHOWN, .number = is_shown},
    {"large", FIELD_COUNT, .flags = FIELD_SHOWN, .number = is_large},
    {"a", FIELD_POINTER, FIELD_TO(struct compare_row, first, side_fields), FIELD_SHOWN},
    {"b", FIELD_POINTER, FIELD_TO(struct compare_row, second, side_fields), FIELD_SHOWN},
    FIELD_END,
};

/* Fields of figures of results other than measurements */

static bool has_word(const void *object, const void *root)
{
    return !*((const struct compare_row *)object)->reason;
}

/* Return A's value in the unit that the figure's name gives. */
static double figure_a(const void *object, const void *root)
{
    const struct compare_row *figure = object;

    return figure->comparison.first.estimate / figure->figure.unit;
}

static double figure_b(const void *object, const void *root)
{
    const struct compare_row *figure = object;

    return figure->comparison.second.estimate / figure->figure.unit;
}

static double figure_below(const void *object, const void *root)
{
    const struct compare_row *figure = object;

    return row_below(figure, root) / figure->figure.unit;
}

static double figure_difference(const void *object, const void *root)
{
    const struct compare_row *figure = object;

    return figure->comparison.difference.estimate / figure->figure.unit;
}

static const char *figure_range(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_row *figure = object;
    const struct interval *difference = &figure->comparison.difference;

    return isnan(difference->low) ? NULL
                                  : number_interval(difference, figure->figure.unit,
                                                    figure->figure.unit > 1 ? 3 : 1, true, room);
}

static bool is_among(const struct compare_row *row, const struct compare_row *rows, size_t count)
{
    return count > 0 && row >= rows && row < rows + count;
}

static const struct compare_pair *pair_of(const struct compare_result *result,
                                          const struct compare_row *row)
{
    const struct compare_pair *pair = result->pairs;

    while (!is_among(row, pair->rows, pair->row_count) &&
           !is_among(row, pair->figures, pair->figure_count))
        pair++;
    return pair;
}

/* If this figure is the first with its reason for having no verdict, return how many figures have
 * the reason, and the reason: "24 without a judgement: not judged". Else return NULL. */
static const char *open_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_row *first = object, *figures = pair_of(root, first)->figures;
    const size_t end = pair_of(root, first)->figure_count;
    size_t count = 0;

    for (size_t i = 0; *first->reason && i < end; i++) {
        const bool same = strcmp(figures[i].reason, first->reason) == 0;

        if (same && &figures[i] < first)
            return NULL;
        count += same;
    }
    return count ? field_print(room, "%zu without a judgement: %s", count, first->reason) : NULL;
}

static const struct field tested_fields[] = {
    {"floor", FIELD_QUANTITY, ROW(floor)},
    {"p", FIELD_QUANTITY, ROW(comparison.p)},
    {"adjusted_p", FIELD_QUANTITY, ROW(comparison.adjusted_p)},
    FIELD_END,
};

const struct field compare_figure_fields[] = {
    {"of", FIELD_BUFFER, ROW(of), FIELD_KEY},
    {"figure", FIELD_WORD, ROW(key), FIELD_KEY},
    {"first", FIELD_NUMBER, ROW(comparison.first.estimate)},
    {"second", FIELD_NUMBER, ROW(comparison.second.estimate)},
    {"difference", FIELD_INTERVAL, ROW(comparison.difference)},
    {"ratio", FIELD_INTERVAL, ROW(ratio)},
    {"word", FIELD_CHOICE, ROW(word), .names = comparison_verdict_names},
    {"regression", FIELD_FLAG, ROW(regression)},
    {"reason", FIELD_BUFFER, ROW(reason), FIELD_OR_NONE},
    {NULL, FIELD_OBJECT, .fields = tested_fields, .known = has_word},
    {"name", FIELD_TEXT, ROW(figure.name), FIELD_SHOWN},
    {"a", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = figure_a},
    {"b", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = figure_b},
    {"b_less_a", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = figure_difference},
    {"range", FIELD_WORD, .flags = FIELD_SHOWN, .text = figure_range},
    {"below", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = figure_below},
    {"shown_p", FIELD_WORD, .flags = FIELD_SHOWN, .text = row_p},
    {"open", FIELD_WORD, .flags = FIELD_SHOWN, .text = open_text},
    FIELD_END,
};
