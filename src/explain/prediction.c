#include "explain/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"
#include "common/units.h"
#include "output/number.h"
#include "output/terminal.h"

/* The types of all VIEWS, after that of the whole call, by INDEX; NULL after the last. */
static const struct phase_type *type_at(const struct phase_view *const *views, size_t index)
{
    if (index-- == 0)
        return &phase_life;
    for (; *views; index -= (*views++)->count)
        if (index < (*views)->count)
            return (*views)->phases[index];
    return NULL;
}

/* The first of the first COUNT types with KEY; NULL: none. */
static const struct phase_type *find_type(const struct phase_view *const *views, const char *key,
                                          size_t count)
{
    const struct phase_type *type;

    for (size_t i = 0; i < count && (type = type_at(views, i)); i++)
        if (strcmp(type->key, key) == 0)
            return type;
    return NULL;
}

static int refuse_key(const struct phase_view *const *views, struct error *wrong)
{
    const struct phase_type *type;
    char keys[480];
    size_t used = 0;

    for (size_t i = 0; (type = type_at(views, i)) && used < sizeof keys; i++)
        if (!type->joined && !find_type(views, type->key, i)) /* each once */
            used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", used ? ", " : "",
                                     type->key);
    return error_set(wrong, ERROR_USAGE, -EINVAL, "no such phase; the phases are %s", keys);
}

const struct prediction *predictions_find(const struct predictions *predictions, const char *key)
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
static int parse_line(char *line, const struct phase_view *const *views,
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
    *added = (struct prediction){.type = find_type(views, key, SIZE_MAX), .mean = NAN};
    if (words != 2)
        why = "expected a phase and a range, such as server-work 0.5us-2us";
    else if (!added->type)
        return refuse_key(views, wrong);
    else if (predictions_find(predictions, key))
        why = "that phase has a prediction already";
    else if (!parse_range(range, added))
        why = "expected a range from low to high with units, such as 0.5us-2us";
    predictions->count += !why;
    return why ? error_set(wrong, ERROR_USAGE, -EINVAL, "%s", why) : 0;
}

int predictions_read(const char *path, const struct phase_view *const *views,
                     struct predictions *predictions, struct error *error)
{
    char name[320], shown[41], *line, *rest;
    struct input input;
    struct error wrong;
    int code;

    predictions->count = 0;
    snprintf(name, sizeof name, "--predict %.300s", path);
    code = input_read(&input, path, name, INPUT_LINES_MAXIMUM, error);
    rest = code ? NULL : input.text;
    for (unsigned number = 1; code == 0 && (line = strsep(&rest, "\n")); number++) {
        snprintf(shown, sizeof shown, "%s", line);
        if (parse_line(line, views, predictions, &wrong) != 0)
            code = error_set(error, ERROR_USAGE, -EINVAL, "%.80s:%u: '%s': %s", path, number, shown,
                             wrong.text);
    }
    if (code == 0 && predictions->count == 0)
        code = error_set(error, ERROR_USAGE, -EINVAL, "%s has no predictions", name);
    free(input.text);
    return code;
}

void predictions_measured(struct predictions *predictions, const struct phase_type *type,
                          double mean)
{
    for (size_t i = 0; i < predictions->count; i++)
        if (strcmp(predictions->list[i].type->key, type->key) == 0) {
            predictions->list[i].type = type;
            predictions->list[i].mean = mean;
        }
}

bool prediction_is_measured(const struct prediction *prediction)
{
    return !isnan(prediction->mean);
}

int prediction_misses(const struct prediction *prediction)
{
    return prediction->mean < prediction->low ? -1 : prediction->mean > prediction->high;
}

void predictions_print(const struct predictions *predictions, FILE *out)
{
    static const char *const marks[] = {"BELOW", "within", "ABOVE"};
    enum { NAME_COLUMNS = 21 };
    size_t held = 0;

    if (predictions->count == 0)
        return;
    fprintf(out, "\n  %-*s %9s %9s %9s\n", NAME_COLUMNS, "predicted us", "from", "to", "mean us");
    for (size_t i = 0; i < predictions->count; i++) {
        const struct prediction *prediction = &predictions->list[i];
        char low[NUMBER_SIZE], high[NUMBER_SIZE], mean[NUMBER_SIZE];
        int misses = prediction_misses(prediction);

        fprintf(out, "  %-*s ", NAME_COLUMNS, prediction->type->name);
        if (!prediction_is_measured(prediction)) {
            fprintf(out, "%29s  not measured\n", "-");
            continue;
        }
        fprintf(out, "%9s %9s %9s  %s%s%s\n", number_us(prediction->low, 9, low),
                number_us(prediction->high, 9, high), number_us(prediction->mean, 9, mean),
                terminal_tone(out, misses ? TERMINAL_MUCH_WORSE : TERMINAL_BETTER),
                marks[misses + 1], terminal_tone(out, TERMINAL_PLAIN));
        held += misses == 0;
    }
    fprintf(out, "  %zu of %zu predictions hold\n", held, predictions->count);
}
