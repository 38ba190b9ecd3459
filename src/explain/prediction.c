#include "explain/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"
#include "common/units.h"
#include "output/json.h"

/* The first of COUNT TYPES with KEY, or that of the whole call; NULL: none. */
static const struct phase_type *find_type(const struct phase_type *types, size_t count,
                                          const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(types[i].key, key) == 0)
            return &types[i];
    return strcmp(phase_life.key, key) == 0 ? &phase_life : NULL;
}

static int refuse_key(const struct phase_type *types, size_t count, struct error *wrong)
{
    char keys[480];
    size_t used = (size_t)snprintf(keys, sizeof keys, "%s", phase_life.key);

    for (size_t i = 0; i < count && used < sizeof keys; i++)
        if (find_type(types, count, types[i].key) == &types[i]) /* each once */
            used += (size_t)snprintf(keys + used, sizeof keys - used, ", %s", types[i].key);
    return error_set(wrong, ERROR_USAGE, -EINVAL, "no such phase; the phases are %s", keys);
}

struct prediction *predictions_find(struct predictions *predictions, const char *key)
{
    for (size_t i = 0; i < predictions->count; i++)
        if (strcmp(predictions->list[i].type->key, key) == 0)
            return &predictions->list[i];
    return NULL;
}

/* Parse "LOW-HIGH" or "LOW..HIGH", each with its unit. Returns false for anything else. */
static bool parse_range(char *text, struct prediction *range)
{
    char *dots = strstr(text, ".."), *dash = dots ? dots : strchr(text, '-');
    uint64_t low, high;

    if (!dash)
        return false;
    *dash = '\0';
    if (units_parse_time(text, &low) != 0 || units_parse_time(dash + (dots ? 2 : 1), &high) != 0 ||
        low > high)
        return false;
    range->low = (double)low;
    range->high = (double)high;
    return true;
}

/* Parse LINE. Returns 0, or -EINVAL with what is wrong with it. */
static int parse_line(char *line, const struct phase_type *types, size_t count,
                      struct predictions *predictions, struct error *wrong)
{
    char key[256], range[64], more[2];
    struct prediction *added = &predictions->list[predictions->count];
    const char *why = NULL;
    int words;

    if (strlen(line) >= sizeof key)
        return error_set(wrong, ERROR_USAGE, -EINVAL, "the line is too long");
    line[strcspn(line, "#")] = '\0';
    words = sscanf(line, "%255s %63s %1s", key, range, more);
    if (words <= 0)
        return 0;
    *added = (struct prediction){.type = find_type(types, count, key), .mean = NAN};
    if (words != 2)
        why = "expected a phase and a range, such as server-work 0.5us-2us";
    else if (!added->type)
        return refuse_key(types, count, wrong);
    else if (predictions_find(predictions, key))
        why = "that phase has a prediction already";
    else if (!parse_range(range, added))
        why = "expected a range from low to high with units, such as 0.5us-2us";
    predictions->count += !why;
    return why ? error_set(wrong, ERROR_USAGE, -EINVAL, "%s", why) : 0;
}

int predictions_read(const char *path, const struct phase_type *types, size_t count,
                     struct predictions *predictions, struct error *error)
{
    char name[320], shown[41], *line, *rest;
    struct input input;
    struct error wrong;
    int code;

    predictions->count = predictions->held = 0;
    snprintf(name, sizeof name, "--predict %.300s", path);
    code = input_read(&input, path, name, INPUT_LINES_MAXIMUM, error);
    rest = code ? NULL : input.text;
    for (unsigned number = 1; code == 0 && (line = strsep(&rest, "\n")); number++) {
        snprintf(shown, sizeof shown, "%s", line);
        if (parse_line(line, types, count, predictions, &wrong) != 0)
            code = error_set(error, ERROR_USAGE, -EINVAL, "%.80s:%u: '%s': %s", path, number, shown,
                             wrong.text);
    }
    if (code == 0 && predictions->count == 0)
        code = error_set(error, ERROR_USAGE, -EINVAL, "%s has no predictions", name);
    free(input.text);
    return code;
}

const struct prediction *predictions_measured(struct predictions *predictions,
                                              const struct phase_type *type, double mean)
{
    struct prediction *prediction = predictions_find(predictions, type->key);

    if (!prediction)
        return NULL;
    prediction->type = type;
    prediction->mean = mean;
    prediction->holds = prediction->low <= mean && mean <= prediction->high;
    predictions->held += prediction->holds;
    if (type == &phase_life)
        predictions->life = *prediction;
    return prediction;
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

static const char *found(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct prediction *prediction = object;

    return isnan(prediction->mean) ? NULL : prediction->mean < prediction->low ? "BELOW" : "ABOVE";
}

static const struct field list_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct prediction, type, phase_type_fields)},
    {NULL, FIELD_OBJECT, .fields = prediction_fields},
    {"mean_ns", FIELD_QUANTITY, OF(mean)},
    {"found", FIELD_WORD, .flags = FIELD_SHOWN, .text = found},
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
