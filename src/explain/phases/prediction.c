#include "explain/phases/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/input.h"
#include "common/units.h"
#include "explain/kernel/rpc_states.h"

enum { ROOM = 480 };

#define BLANKS " \t\r"

/* Return the first of COUNT TYPES with KEY. If there is none, return phase_life if KEY is its key,
 * else NULL. */
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
    snprintf(room, ROOM, "there is no such phase; the phases are %s", phase_life.key);
    for (size_t i = 0; i < count; i++)
        if (find_type(types, count, types[i].key) == &types[i]) /* list a repeated key once */
            append_item(room, ROOM, "%s", types[i].key);
    return room;
}

static bool is_phase(const char *key)
{
    return strcmp(key, phase_life.key) != 0 && (find_type(phase_types, PHASE_TYPES, key) ||
                                                find_type(rpc_phase_types, RPC_PHASES, key));
}

/* Return true if each of KEYS, such as "encode+send", is a phase of nfsbench's calls or of calls on
 * a mount. phase_life is no phase here. */
static bool are_phases(const char *keys)
{
    char copy[PREDICTION_PHASES], *rest = copy, *key;

    snprintf(copy, sizeof copy, "%s", keys);
    while ((key = strsep(&rest, "+")))
        if (!is_phase(key))
            return false;
    return true;
}

/* Parse "LOW-HIGH" or "LOW..HIGH", both with units, into RANGE. Returns false if TEXT has another
 * form, or LOW exceeds HIGH. */
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

/* Set the times of ADDED from RANGE, "73us-180us", and EARLIER, "126us" or "". Returns what is
 * wrong, or NULL. */
static const char *parse_times(char *range, const char *earlier, struct prediction *added)
{
    uint64_t ns;

    if (!parse_range(range, added))
        return "expected a range from low to high with units, such as 0.5us-2us";
    if (earlier[0] && units_parse_time(earlier, &ns) != 0)
        return "expected the earlier measurement's time with its unit, such as 1.5us";
    added->earlier = earlier[0] ? (double)ns : (double)NAN;
    return NULL;
}

/* Set ADDED's name to NAME without blanks around it. Returns false if it is empty or too long. */
static bool set_name(struct prediction *added, const char *name)
{
    size_t length;

    name += strspn(name, BLANKS);
    length = strlen(name);
    while (length > 0 && strchr(BLANKS, name[length - 1]))
        length--;
    snprintf(added->name, sizeof added->name, "%.*s", (int)length, name);
    return length > 0 && length < sizeof added->name;
}

/* Set the phases of ADDED to KEYS, and its name to NAME. If NAME is NULL, KEYS must be a single
 * key, of one of the COUNT TYPES or of phase_life; ADDED gets the name of that phase. Returns what
 * is wrong, or NULL. */
static const char *set_phases(struct prediction *added, const char *name, const char *keys,
                              const struct phase_type *types, size_t count, char room[ROOM])
{
    const struct phase_type *type = find_type(types, count, keys);

    if (!type && !(name && are_phases(keys)))
        return list_keys(types, count, room);
    if (!set_name(added, name ? name : type->name))
        return "expected a name of up to 39 bytes before '='";
    snprintf(added->phases, sizeof added->phases, "%s", keys);
    return NULL;
}

static bool has_name(const struct predictions *predictions, const char *name)
{
    for (size_t i = 0; i < predictions->count; i++)
        if (strcmp(predictions->list[i].name, name) == 0)
            return true;
    return false;
}

/* Add the prediction in LINE, if any, and remove LINE's comment. Returns what is wrong, or NULL. */
static const char *parse_line(char *line, const struct phase_type *types, size_t count,
                              struct predictions *predictions, char room[ROOM])
{
    char keys[PREDICTION_PHASES], range[64], earlier[64] = "", more[2];
    struct prediction added = {.mean = NAN};
    char *rest = line;
    const char *name, *wrong;
    int words;

    line[strcspn(line, "#")] = '\0';
    name = strchr(line, '=') ? strsep(&rest, "=") : NULL;
    words = sscanf(rest, "%159s %63s %63s %1s", keys, range, earlier, more);
    if (words <= 0 && !name)
        return NULL;
    if (words < 2 || words > 3)
        return "expected a phase and a range, such as server-work 0.5us-2us";
    wrong = set_phases(&added, name, keys, types, count, room);
    if (!wrong && has_name(predictions, added.name))
        wrong = "the phase has a prediction already";
    if (!wrong)
        wrong = parse_times(range, earlier, &added);
    if (!wrong && predictions->count == PREDICTIONS_MAXIMUM)
        wrong = "the file has too many predictions";
    if (!wrong)
        predictions->list[predictions->count++] = added;
    return wrong;
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

/* Return true if KEY is one of KEYS, such as "encode+send". */
static bool has_key(const char *keys, const char *key)
{
    const size_t length = strlen(key);

    for (; keys; keys = strchr(keys, '+') ? strchr(keys, '+') + 1 : NULL)
        if (strcspn(keys, "+") == length && strncmp(keys, key, length) == 0)
            return true;
    return false;
}

/* If KEYS is a single key, return the mean of its phase among ROWS, or LIFETIME_NS for phase_life.
 * If KEYS is several keys, return the phases' contribution to the mean lifetime. Returns NAN if
 * none of the phases was entered. */
static double measured_time(const char *keys, const struct phase_row *rows, size_t count,
                            double lifetime_ns)
{
    const bool several = strchr(keys, '+') != NULL;
    double sum = strcmp(keys, phase_life.key) == 0 ? lifetime_ns : (double)NAN;

    for (size_t i = 0; i < count; i++)
        if (rows[i].type->key && has_key(keys, rows[i].type->key))
            sum = (isnan(sum) ? 0 : sum) + (several ? rows[i].adjusted : rows[i].mean);
    return sum;
}

void predictions_compare(struct predictions *predictions, const struct phase_row *rows,
                         size_t count, double lifetime_ns)
{
    for (size_t i = 0; i < predictions->count; i++) {
        struct prediction *prediction = &predictions->list[i];
        const double mean = measured_time(prediction->phases, rows, count, lifetime_ns);

        prediction->mean = mean;
        if (isnan(mean))
            continue;
        prediction->holds = prediction->low <= mean && mean <= prediction->high;
        prediction->found = mean < prediction->low ? "BELOW" : "ABOVE";
        predictions->measured++;
        predictions->held += prediction->holds;
    }
}

/* Fields and table */

#define AT(member) FIELD_AT(struct predictions, member)
#define OF(member) FIELD_AT(struct prediction, member)

static const struct field list_fields[] = {
    {"name", FIELD_BUFFER, OF(name), FIELD_KEY},
    {"phases", FIELD_BUFFER, OF(phases)},
    {"low_ns", FIELD_QUANTITY, OF(low)},
    {"high_ns", FIELD_QUANTITY, OF(high)},
    {"earlier_ns", FIELD_QUANTITY, OF(earlier), FIELD_OR_NAN},
    {"mean_ns", FIELD_QUANTITY, OF(mean)},
    {"holds", FIELD_FLAG, OF(holds)},
    {"found", FIELD_WORD, OF(found), FIELD_SHOWN},
    FIELD_END,
};

const struct field predictions_fields[] = {
    {"predictions", FIELD_ARRAY, FIELD_ITEMS(struct predictions, list, count, list_fields),
     FIELD_IF(struct predictions, count)},
    {"predictions_measured", FIELD_COUNT, AT(measured), FIELD_SHOWN},
    {"predictions_held", FIELD_COUNT, AT(held), FIELD_SHOWN},
    FIELD_END,
};

const struct view_column prediction_columns[] = {
    {"name", "predicted us", .width = 21},
    {"low_ns", "from", 0, VIEW_FIT, VIEW_US, .width = 9},
    {"high_ns", "to", 0, VIEW_FIT, VIEW_US, .width = 9},
    {"earlier_ns", "earlier us", 0, VIEW_FIT, VIEW_US, .flags = VIEW_IF_ANY, .width = 9},
    {"mean_ns", "mean us", 0, VIEW_FIT, VIEW_US, .width = 9},
    {NULL},
};

const struct view_line prediction_remarks[] = {
    {"not measured", .when = "!found"},
    {"within", .when = "holds", .tone = TERMINAL_BETTER},
    {"{found}", .tone = TERMINAL_MUCH_WORSE},
    {NULL},
};
