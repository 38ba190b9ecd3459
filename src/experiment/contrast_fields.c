/* Fields of a contrast, the difference between two cells, and of an experiment's two sides. */
#include <math.h>
#include <string.h>

#include "experiment/experiment_parts.h"
#include "output/view/number.h"

/* Two sides, one of which may be on a mount */

static bool is_on_mount(const struct result *result)
{
    return result->target.mount_point != NULL;
}

/* Return whether exactly one of EXPERIMENT's sides is on a mount. */
static bool is_beside_mount(const struct experiment_result *experiment)
{
    return experiment->first && is_on_mount(experiment->first) != is_on_mount(experiment->second);
}

/* Return text on the time that the kernel's client adds to the round trip of an op; NULL if both
 * sides or no side is on a mount, or if the quantity is not the round trip. */
static const char *mount_adds(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const struct experiment_contrast *contrast = object;
    const struct comparison *comparison = &contrast->comparison;
    struct interval added = comparison->difference;
    char bracket[NUMBER_INTERVAL_SIZE];
    double wire = us(comparison->first.estimate), mount = us(comparison->second.estimate);

    if (!is_beside_mount(experiment) || contrast->quantity != QUANTITY_ROUND_TRIP)
        return NULL;
    if (is_on_mount(experiment->first)) {
        added = (struct interval){-added.estimate, -added.high, -added.low};
        wire = us(comparison->second.estimate);
        mount = us(comparison->first.estimate);
    }
    return field_print(
        room, "%.3f us on the wire, %.3f us through the mount; the kernel's client adds %.3f us %s",
        wire, mount, us(added.estimate), number_interval(&added, 1000, 3, false, bracket));
}

/* If exactly one side is on a mount, return the mount's largest number of connections; NAN if it
 * has only one. Otherwise return NAN. Because calls are made one at a time, the mount uses its
 * connections in turn. */
static double mount_connections(const void *object, const void *root)
{
    const struct experiment_result *experiment = object;
    const struct result *mount;
    uint64_t most = 0;

    if (!is_beside_mount(experiment))
        return NAN;
    mount = is_on_mount(experiment->first) ? experiment->first : experiment->second;
    for (size_t i = 0; i < mount->op_count; i++)
        if (mount->ops[i].mounted && mount->ops[i].mounted->connections > most)
            most = mount->ops[i].mounted->connections;
    return most > 1 ? (double)most : NAN;
}

static const char *transports(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const char *first, *second;

    if (!is_beside_mount(experiment))
        return NULL;
    first = experiment->first->target.transport;
    second = experiment->second->target.transport;
    return strcmp(first, second) == 0
               ? NULL
               : field_print(
                     room,
                     "A uses %s and B uses %s, so their difference includes that of the transports",
                     first, second);
}

const struct field sides_fields[] = {
    {"transports", FIELD_TEXT, .flags = FIELD_SHOWN, .text = transports},
    {"mount_connections", FIELD_COUNT, .flags = FIELD_SHOWN, .number = mount_connections},
    FIELD_END,
};

const struct field unit_fields[] = {{NULL, FIELD_NUMBER, .size = sizeof(double)}, FIELD_END};

const char *const quantity_keys[] = {"round_trip", "network", "above_null",      "bytes",
                                     "pause",      "server",  "mean_above_null", NULL};
static const char *const quantities[] = {"round trip", "network", "above null",  "bytes",
                                         "pause",      "server",  "in the mean", NULL};
static const char *const words[] = {"same",  "faster",    "slower", "not comparable",
                                    "equal", "not known", NULL};

static const char *label_of(const struct experiment_result *experiment, size_t cell,
                            char room[FIELD_ROOM])
{
    return cell_label(experiment, &experiment->cells[cell], true, room);
}

static const char *first_label(const void *object, const void *root, char room[FIELD_ROOM])
{
    return label_of(root, ((const struct experiment_contrast *)object)->first, room);
}

static const char *second_label(const void *object, const void *root, char room[FIELD_ROOM])
{
    return label_of(root, ((const struct experiment_contrast *)object)->second, room);
}

/* Return an upper bound of the absolute difference, ns, if no difference was seen; else NAN. */
static double difference_bound(const void *object, const void *root)
{
    const struct experiment_contrast *contrast = object;
    const struct interval *difference = &contrast->comparison.difference;

    return contrast->judged && contrast->word == COMPARISON_SAME
               ? fmax(contrast->floor, fmax(fabs(difference->low), fabs(difference->high)))
               : NAN;
}

static const char *op_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;

    return experiment->cells[((const struct experiment_contrast *)object)->second].op;
}

/* Return the name of side A's baseline for the contrast's op; NULL if there are no sides or no
 * baseline, or if the baseline is the null call. */
static const char *other_baseline(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const struct result *first = experiment->first;
    const struct result_op *op = first ? result_find(first, op_of(object, root, room)) : NULL;

    return op && op->baseline && op->baseline != first->null_calls ? op->baseline->op : NULL;
}

/* Return 1 if the second cell has a contrast of QUANTITY_SERVER (its cost is split), else 0. */
static double is_split(const void *object, const void *root)
{
    const struct experiment_result *experiment = root;
    const struct experiment_contrast *contrast = object;
    bool split = false;

    for (size_t i = 0; i < experiment->contrast_count; i++)
        split |= experiment->contrasts[i].second == contrast->second &&
                 experiment->contrasts[i].quantity == QUANTITY_SERVER;
    return split;
}

static const char *p_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_contrast *contrast = object;

    return contrast->judged ? number_p(contrast->comparison.adjusted_p, room) : NULL;
}

/* Return the differences of the units in us, as "+0.215 +0.198". */
static const char *units_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_contrast *contrast = object;
    char text[NUMBER_SIZE];

    room[0] = '\0';
    for (size_t i = 0; i < contrast->units; i++)
        if (!isnan(contrast->differences[i]))
            field_append(room, "%s%s", *room ? " " : "",
                         number_print(contrast->differences[i] / 1000, 3, true, text));
    return room;
}

#define CONTRAST(member) FIELD_AT(struct experiment_contrast, member)
#define UNITS(type, member)                                                                        \
    FIELD_ARRAY, .maximum = UNITS_MAXIMUM, FIELD_VALUES(type, member, units, unit_fields)

const struct field contrast_fields[] = {
    {"first", FIELD_COUNT, CONTRAST(first), FIELD_NAME},
    {"second", FIELD_COUNT, CONTRAST(second), FIELD_NAME},
    {"of", FIELD_TEXT, .flags = FIELD_KEY, .text = second_label},
    {"against", FIELD_TEXT, .flags = FIELD_KEY, .text = first_label},
    {"quantity", FIELD_CHOICE, CONTRAST(quantity), FIELD_KEY, .names = quantity_keys},
    {"what", FIELD_CHOICE, CONTRAST(quantity), FIELD_SHOWN, .names = quantities},
    {"difference_ns", FIELD_INTERVAL, CONTRAST(comparison.difference)},
    {"first_ns", FIELD_INTERVAL, CONTRAST(comparison.first), FIELD_OR_NAN},
    {"second_ns", FIELD_INTERVAL, CONTRAST(comparison.second), FIELD_OR_NAN},
    {"ratio", FIELD_INTERVAL, CONTRAST(ratio), FIELD_OR_NAN},
    {"floor_ns", FIELD_QUANTITY, CONTRAST(floor), FIELD_OR_NAN},
    {"p", FIELD_QUANTITY, CONTRAST(comparison.p), FIELD_OR_NAN},
    {"adjusted_p", FIELD_QUANTITY, CONTRAST(comparison.adjusted_p), FIELD_OR_NAN},
    {"word", FIELD_CHOICE, CONTRAST(word), FIELD_OR_LAST | FIELD_SETS_IF,
     FIELD_IF(struct experiment_contrast, judged), .names = words},
    {"below_ns", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = difference_bound},
    {"op", FIELD_WORD, .flags = FIELD_SHOWN, .text = op_of},
    {"other_baseline", FIELD_WORD, .flags = FIELD_SHOWN, .text = other_baseline},
    {"is_split", FIELD_COUNT, .flags = FIELD_SHOWN, .number = is_split},
    {"p_text", FIELD_WORD, .flags = FIELD_SHOWN, .text = p_text},
    {"mount_adds", FIELD_TEXT, .flags = FIELD_SHOWN, .text = mount_adds},
    {"units", UNITS(struct experiment_contrast, differences)},
    {"units_text", FIELD_WORD, .flags = FIELD_SHOWN, .text = units_text},
    {"errors_ns", UNITS(struct experiment_contrast, errors) | FIELD_COUNTED | FIELD_OR_NAN},
    FIELD_END,
};
