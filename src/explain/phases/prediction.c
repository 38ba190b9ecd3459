#include "explain/phases/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/input.h"
#include "common/units.h"

enum { ROOM = 480 };

/* The first of COUNT TYPES with KEY, or that of the whole call; NULL: none. */
static const struct phase_type *find_type(const struct phase_type *types, size_t count,
                                          const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(types[i].key, key) == 0)
            return &types[i];
    return strcmp(phase_life.key, key) == 0 ? &phase_life : NULL;
}

static const char *list_keys(const struct phase_type *types, size_t count, char room[ROOM])
{
    snprintf(room, ROOM, "no such phase; the phases are %s", phase_life.key);
    for (size_t i = 0; i < count; i++)
        if (find_type(types, count, types[i].key) == &types[i]) /* each once */
            append_item(room, ROOM, "%s", types[i].key);
    return room;
}

/* The prediction of the phase that has KEY; NULL: there is none. */
static struct prediction *find(struct predictions *predictions, const char *key)
{
    for (size_t i = 0; i < predictions->count; i++)
        if (strcmp(predictions->list[i].type->key, key) == 0)
            return &predictions->list[i];
    return NULL;
}

/* "LOW-HIGH" or "LOW..HIGH", each with its unit; false for anything else. */
static bool parse_range(char *text, struct prediction *range)
{
    char *dots = strstr(text, ".."), *gap = dots ? dots : strchr(text, '-');
    uint64_t low, high;

    if (!gap)
        return false;
    *gap = '\0';
    if (units_parse_time(text, &low) != 0 || units_parse_time(gap + (dots ? 2 : 1), &high) != 0)
        return false;
    range->low = (double)low;
    range->high = (double)high;
    return low <= high;
}

/* What is wrong with LINE, which loses its comment; NULL: nothing. */
static const char *parse_line(char *line, const struct phase_type *types, size_t count,
                              struct predictions *predictions, char room[ROOM])
{
    char key[256], range[64], more[2];
    struct prediction *added = &predictions->list[predictions->count];
    int words;

    if (strlen(line) >= sizeof key)
        return "the line is too long";
    line[strcspn(line, "#")] = '\0';
    words = sscanf(line, "%255s %63s %1s", key, range, more);
    if (words <= 0)
        return NULL;
    if (words != 2)
        return "expected a phase and a range, such as server-work 0.5us-2us";
    *added = (struct prediction){.type = find_type(types, count, key), .mean = NAN};
    if (!added->type)
        return list_keys(types, count, room);
    if (find(predictions, key))
        return "that phase has a prediction already";
    if (!parse_range(range, added))
        return "expected a range from low to high with units, such as 0.5us-2us";
    predictions->count++;
    return NULL;
}

int predictions_read(const char *path, const struct phase_type *types, size_t count,
                     struct predictions *predictions, struct error *error)
{
    char name[320], room[ROOM], *line, *rest;
    const char *wrong = NULL;
    struct input input;
    int code;

    predictions->count = predictions->measured = predictions->held = 0;
    snprintf(name, sizeof name, "--predict %.300s", path);
    code = input_read(&input, path, name, INPUT_LINES_MAXIMUM, error);
    rest = input.text;
    for (unsigned number = 1; !wrong && (line = strsep(&rest, "\n")); number++) {
        wrong = parse_line(line, types, count, predictions, room);
        if (wrong)
            code = error_set(error, ERROR_USAGE, -EINVAL, "%.80s:%u: '%.40s': %s", path, number,
                             line, wrong);
    }
    if (code == 0 && predictions->count == 0)
        code = error_set(error, ERROR_USAGE, -EINVAL, "%s has no predictions", name);
    free(input.text);
    return code;
}

/* The phase TYPE was entered, for MEAN ns. Its prediction, or NULL. */
static const struct prediction *compare(struct predictions *predictions,
                                        const struct phase_type *type, double mean)
{
    struct prediction *prediction = type->key ? find(predictions, type->key) : NULL;

    if (!prediction)
        return NULL;
    prediction->type = type;
    prediction->mean = mean;
    prediction->holds = prediction->low <= mean && mean <= prediction->high;
    prediction->found = mean < prediction->low ? "BELOW" : "ABOVE";
    predictions->measured++;
    predictions->held += prediction->holds;
    return prediction;
}

void predictions_compare(struct predictions *predictions, struct phase_row *rows, size_t count,
                         double lifetime_ns)
{
    const struct prediction *life = compare(predictions, &phase_life, lifetime_ns);

    if (life)
        predictions->life = *life;
    for (size_t i = 0; i < count; i++)
        rows[i].predicted = compare(predictions, rows[i].type, rows[i].mean);
}

/* As data */

#define AT(member) FIELD_AT(struct predictions, member)
#define OF(member) FIELD_AT(struct prediction, member)

const struct field prediction_fields[] = {
    {"low_ns", FIELD_QUANTITY, OF(low)},
    {"high_ns", FIELD_QUANTITY, OF(high)},
    {"holds", FIELD_FLAG, OF(holds)},
    FIELD_END,
};

const struct field phase_type_fields[] = {
    {"key", FIELD_WORD, FIELD_AT(struct phase_type, key), FIELD_KEY},
    {"name", FIELD_WORD, FIELD_AT(struct phase_type, name)},
    {"meaning", FIELD_WORD, FIELD_AT(struct phase_type, meaning)},
    {"kind", FIELD_CHOICE, FIELD_AT(struct phase_type, kind), .names = explain_kind_keys},
    FIELD_END,
};

static const struct field list_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct prediction, type, phase_type_fields)},
    {NULL, FIELD_OBJECT, .fields = prediction_fields},
    {"mean_ns", FIELD_QUANTITY, OF(mean)},
    {"found", FIELD_WORD, OF(found), FIELD_SHOWN},
    FIELD_END,
};

static json_t *unmeasured(const void *object, const void *root)
{
    const struct predictions *predictions = object;
    json_t *keys = json_array();

    for (size_t i = 0; i < predictions->count; i++)
        if (isnan(predictions->list[i].mean))
            json_array_append_new(keys, json_string(predictions->list[i].type->key));
    return keys;
}

const struct field predictions_fields[] = {
    {"lifetime_predicted", FIELD_OBJECT, AT(life), FIELD_IF(struct predictions, life.type),
     .fields = prediction_fields},
    {"predicted_unmeasured", FIELD_OWN, FIELD_IF(struct predictions, count), .write = unmeasured,
     .schema = "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}"},
    {"predictions", FIELD_ARRAY, FIELD_ITEMS(struct predictions, list, count, list_fields),
     FIELD_SHOWN},
    {"predictions_measured", FIELD_COUNT, AT(measured), FIELD_SHOWN},
    {"predictions_held", FIELD_COUNT, AT(held), FIELD_SHOWN},
    FIELD_END,
};

const struct view_column prediction_columns[] = {
    {"name", "predicted us", .width = 21},
    {"low_ns", "from", 0, VIEW_FIT, VIEW_US, .width = 9},
    {"high_ns", "to", 0, VIEW_FIT, VIEW_US, .width = 9},
    {"mean_ns", "mean us", 0, VIEW_FIT, VIEW_US, .width = 9},
    {NULL},
};

const struct view_line prediction_remarks[] = {
    {"not measured", .when = "!found"},
    {"within", .when = "holds", .tone = TERMINAL_BETTER},
    {"{found}", .tone = TERMINAL_MUCH_WORSE},
    {NULL},
};
