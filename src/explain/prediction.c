#include "explain/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"
#include "common/units.h"
#include "explain/explain.h"

enum { LINE_SIZE = 256, RANGE_SIZE = 64 };

static const struct phase_type *find_in(const struct phase_view *view, const char *key)
{
    for (size_t i = 0; i < view->count; i++)
        if (strcmp(view->phases[i]->key, key) == 0)
            return view->phases[i];
    return NULL;
}

/* The first phase type called KEY in the first COUNT views; NULL: none. */
static const struct phase_type *find_type(const char *key, size_t count)
{
    const struct phase_type *found = strcmp(key, phase_life.key) == 0 ? &phase_life : NULL;

    for (size_t i = 0; i < count && phase_views[i] && !found; i++)
        found = find_in(phase_views[i], key);
    return found;
}

/* List all keys, each once, separated by commas. */
static void list_keys(char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s", phase_life.key);

    for (size_t i = 0; phase_views[i]; i++)
        for (size_t j = 0; j < phase_views[i]->count && used < size; j++) {
            const struct phase_type *type = phase_views[i]->phases[j];

            if (!type->joined && !find_type(type->key, i))
                used +=
                    (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", type->key);
        }
}

/* Parse "LOW-HIGH" or "LOW..HIGH", each with its unit. Returns false for anything else. */
static bool parse_range(char *text, struct prediction *range)
{
    char *dots = strstr(text, ".."), *dash = dots ? dots : strchr(text, '-');
    uint64_t low, high;

    if (!dash)
        return false;
    *dash = '\0';
    dash += dots ? 2 : 1;
    if (units_parse_time(text, &low) != 0 || units_parse_time(dash, &high) != 0 || low > high)
        return false;
    *range = (struct prediction){(double)low, (double)high};
    return true;
}

static bool is_known(const struct predictions *predictions, const struct phase_type *type)
{
    for (size_t i = 0; i < predictions->count; i++)
        if (predictions->list[i].type == type)
            return true;
    return false;
}

/* Parse LINE. Returns NULL, or what is wrong with it. */
static const char *parse_line(char *line, struct predictions *predictions, char *keys, size_t size)
{
    char key[LINE_SIZE], range[RANGE_SIZE], more[2];
    const struct phase_type *type;
    int words;

    if (strlen(line) >= LINE_SIZE)
        return "the line is too long";
    line[strcspn(line, "#")] = '\0';
    words = sscanf(line, "%255s %63s %1s", key, range, more);
    if (words <= 0)
        return NULL;
    if (words != 2)
        return "expected a phase and a range, such as server-work 0.5us-2us";
    type = find_type(key, SIZE_MAX);
    if (!type) {
        list_keys(keys, size);
        return keys;
    }
    if (is_known(predictions, type))
        return "that phase has a prediction already";
    if (!parse_range(range, &predictions->list[predictions->count].range))
        return "expected a range from low to high with units, such as 0.5us-2us";
    predictions->list[predictions->count++].type = type;
    return NULL;
}

static int parse(char *text, const char *path, struct predictions *predictions, struct error *error)
{
    char *line, shown[LINE_SIZE], keys[480] = "";

    for (unsigned number = 1; (line = strsep(&text, "\n")); number++) {
        const char *wrong;

        snprintf(shown, sizeof shown, "%s", line);
        wrong = parse_line(line, predictions, keys, sizeof keys);
        if (wrong)
            return error_set(error, ERROR_USAGE, -EINVAL, "%.80s:%u: '%.40s': %s%s", path, number,
                             shown, wrong == keys ? "no such phase; the phases are " : "", wrong);
    }
    if (predictions->count == 0)
        return error_set(error, ERROR_USAGE, -EINVAL, "--predict %.300s has no predictions", path);
    return 0;
}

int predictions_read(const char *path, struct predictions *predictions, struct error *error)
{
    struct input input;
    char name[320];
    int code;

    predictions->count = 0;
    snprintf(name, sizeof name, "--predict %.300s", path);
    code = input_read(&input, path, name, INPUT_LINES_MAXIMUM, error);
    if (code == 0)
        code = parse(input.text, path, predictions, error);
    free(input.text);
    return code;
}

void explain_predict(struct explanation *explanation, const struct predictions *predictions)
{
    explanation->has_predictions = true;
    explanation->unmeasured_count = 0;
    for (size_t i = 0; i < predictions->count; i++) {
        const struct phase_type *type = predictions->list[i].type;
        size_t row = 0;

        if (type == &phase_life) {
            explanation->life_prediction = predictions->list[i].range;
            continue;
        }
        while (row < explanation->row_count &&
               strcmp(explanation->rows[row].type->key, type->key) != 0)
            row++;
        if (row < explanation->row_count)
            explanation->rows[row].prediction = predictions->list[i].range;
        else
            explanation->unmeasured[explanation->unmeasured_count++] = type;
    }
}
