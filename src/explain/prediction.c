#include "explain/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"
#include "common/units.h"
#include "output/number.h"
#include "output/terminal.h"

enum { LINE_SIZE = 256, RANGE_SIZE = 64, NAME_COLUMNS = 21 };

static const struct phase_type *find_in(const struct phase_view *view, const char *key)
{
    for (size_t i = 0; i < view->count; i++)
        if (strcmp(view->phases[i]->key, key) == 0)
            return view->phases[i];
    return NULL;
}

/* The first phase type called KEY in the first COUNT of VIEWS; NULL: none. */
static const struct phase_type *find_type(const struct phase_view *const *views, const char *key,
                                          size_t count)
{
    const struct phase_type *found = strcmp(key, phase_life.key) == 0 ? &phase_life : NULL;

    for (size_t i = 0; i < count && views[i] && !found; i++)
        found = find_in(views[i], key);
    return found;
}

/* List all keys, each once, separated by commas. */
static void list_keys(const struct phase_view *const *views, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s", phase_life.key);

    for (size_t i = 0; views[i]; i++)
        for (size_t j = 0; j < views[i]->count && used < size; j++) {
            const struct phase_type *type = views[i]->phases[j];

            if (!type->joined && !find_type(views, type->key, i))
                used +=
                    (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", type->key);
        }
}

static struct prediction *find(struct predictions *predictions, const char *key)
{
    for (size_t i = 0; i < predictions->count; i++)
        if (strcmp(predictions->list[i].type->key, key) == 0)
            return &predictions->list[i];
    return NULL;
}

const struct prediction *predictions_find(const struct predictions *predictions, const char *key)
{
    return find((struct predictions *)predictions, key);
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
    range->low = (double)low;
    range->high = (double)high;
    return true;
}

/* Parse LINE. Returns NULL, or what is wrong with it. */
static const char *parse_line(char *line, const struct phase_view *const *views,
                              struct predictions *predictions, char *keys, size_t size)
{
    char key[LINE_SIZE], range[RANGE_SIZE], more[2];
    struct prediction *added = &predictions->list[predictions->count];
    int words;

    if (strlen(line) >= LINE_SIZE)
        return "the line is too long";
    line[strcspn(line, "#")] = '\0';
    words = sscanf(line, "%255s %63s %1s", key, range, more);
    if (words <= 0)
        return NULL;
    if (words != 2)
        return "expected a phase and a range, such as server-work 0.5us-2us";
    added->type = find_type(views, key, SIZE_MAX);
    added->mean = NAN;
    if (!added->type) {
        list_keys(views, keys, size);
        return keys;
    }
    if (predictions_find(predictions, key))
        return "that phase has a prediction already";
    if (!parse_range(range, added))
        return "expected a range from low to high with units, such as 0.5us-2us";
    predictions->count++;
    return NULL;
}

static int parse(char *text, const char *path, const struct phase_view *const *views,
                 struct predictions *predictions, struct error *error)
{
    char *line, shown[LINE_SIZE], keys[480] = "";

    for (unsigned number = 1; (line = strsep(&text, "\n")); number++) {
        const char *wrong;

        snprintf(shown, sizeof shown, "%s", line);
        wrong = parse_line(line, views, predictions, keys, sizeof keys);
        if (wrong)
            return error_set(error, ERROR_USAGE, -EINVAL, "%.80s:%u: '%.40s': %s%s", path, number,
                             shown, wrong == keys ? "no such phase; the phases are " : "", wrong);
    }
    if (predictions->count == 0)
        return error_set(error, ERROR_USAGE, -EINVAL, "--predict %.300s has no predictions", path);
    return 0;
}

int predictions_read(const char *path, const struct phase_view *const *views,
                     struct predictions *predictions, struct error *error)
{
    struct input input;
    char name[320];
    int code;

    predictions->count = 0;
    snprintf(name, sizeof name, "--predict %.300s", path);
    code = input_read(&input, path, name, INPUT_LINES_MAXIMUM, error);
    if (code == 0)
        code = parse(input.text, path, views, predictions, error);
    free(input.text);
    return code;
}

void predictions_measured(struct predictions *predictions, const struct phase_type *type,
                          double mean)
{
    struct prediction *prediction = find(predictions, type->key);

    if (!prediction)
        return;
    prediction->type = type;
    prediction->mean = mean;
}

bool prediction_is_measured(const struct prediction *prediction)
{
    return !isnan(prediction->mean);
}

int prediction_misses(const struct prediction *prediction)
{
    return prediction->mean < prediction->low ? -1 : prediction->mean > prediction->high;
}

/* Text */

static void print_measured(const struct prediction *prediction, FILE *out)
{
    static const char *const marks[] = {"BELOW", "within", "ABOVE"};
    int misses = prediction_misses(prediction);
    char low[NUMBER_SIZE], high[NUMBER_SIZE], mean[NUMBER_SIZE];

    fprintf(out, "  %-*s %9s %9s %9s  %s%s%s\n", NAME_COLUMNS, prediction->type->name,
            number_us(prediction->low, 9, low), number_us(prediction->high, 9, high),
            number_us(prediction->mean, 9, mean),
            terminal_tone(out, misses ? TERMINAL_MUCH_WORSE : TERMINAL_BETTER), marks[misses + 1],
            terminal_tone(out, TERMINAL_PLAIN));
}

void predictions_print(const struct predictions *predictions, FILE *out)
{
    size_t held = 0;

    if (predictions->count == 0)
        return;
    fprintf(out, "\n  %-*s %9s %9s %9s\n", NAME_COLUMNS, "predicted us", "from", "to", "mean us");
    for (size_t i = 0; i < predictions->count; i++) {
        const struct prediction *prediction = &predictions->list[i];
        bool measured = prediction_is_measured(prediction);

        if (measured)
            print_measured(prediction, out);
        else
            fprintf(out, "  %-*s %29s  not measured\n", NAME_COLUMNS, prediction->type->name, "-");
        held += measured && prediction_misses(prediction) == 0;
    }
    fprintf(out, "  %zu of %zu predictions hold\n", held, predictions->count);
}
