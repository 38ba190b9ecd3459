/* Fields of an experiment, and reading it. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "experiment/experiment_parts.h"
#include "output/result/result_fields.h"

/* Variants that were left out */

/* OBJECT is a variant that was left out. Return NULL if the variant before it was left out for the
 * same reason. Otherwise return the names of OBJECT and of the variants directly after it with the
 * same reason: "krb5; none with read, depth 64". */
static const char *names_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct experiment_result *experiment = root;
    const struct experiment_left_out *first = object;
    const struct experiment_left_out *end = experiment->left_out + experiment->left_out_count;

    if (first > experiment->left_out && same_text(first[-1].reason, first->reason))
        return NULL;
    room[0] = '\0';
    for (const struct experiment_left_out *each = first;
         each < end && (each == first || same_text(each->reason, first->reason)); each++) {
        field_append(room, "%s%.40s", *room ? "; " : "", each->variant ? each->variant : "");
        if (each->op)
            field_append(room, "%s%.20s", each->variant ? " with " : "", each->op);
        if (each->depth > 0)
            field_append(room, ", depth %" PRIu32, each->depth);
    }
    return room;
}

#define LEFT(member) FIELD_AT(struct experiment_left_out, member)

static const struct field left_out_fields[] = {
    {"variant", FIELD_TEXT, LEFT(variant), FIELD_OR_NULL | FIELD_KEY},
    {"op", FIELD_WORD, LEFT(op), FIELD_OR_NULL | FIELD_KEY},
    {"depth", FIELD_COUNT, LEFT(depth), FIELD_OR_NULL | FIELD_KEY},
    {"reason", FIELD_TEXT, LEFT(reason)},
    {"names", FIELD_WORD, .flags = FIELD_SHOWN, .text = names_of},
    FIELD_END,
};

static double rate_of(const struct experiment_result *experiment, double (*of)(double, double))
{
    double rate = NAN;

    for (size_t i = 0; i < experiment->cell_count; i++)
        rate = of(rate, experiment->cells[i].setting.rate);
    return rate;
}

static double lowest_rate(const void *object, const void *root)
{
    return rate_of(object, fmin);
}

static double highest_rate(const void *object, const void *root)
{
    return rate_of(object, fmax);
}

static double held_at_times(const void *object, const void *root)
{
    const struct experiment_result *experiment = object;
    size_t held = 0;

    for (size_t i = 0; i < experiment->cell_count; i++)
        held += experiment->cells[i].answer == OBJECTIVE_HELD;
    return (double)held;
}

static double lacks_calls(const void *object, const void *root)
{
    const struct experiment_probes *probes = &((const struct experiment_result *)object)->probes;

    return probes->calls_least < probes->calls_wanted;
}

#define AT(member) FIELD_AT(struct experiment_result, member)

static const struct field find_fields[] = {
    {"objective", FIELD_TEXT, AT(objective_text)},
    {"outcome", FIELD_CHOICE, AT(objective.outcome), .names = objective_outcome_names},
    {"rate_per_s", FIELD_INTERVAL, AT(objective.rate)},
    {"highest_rate", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = highest_rate},
    {"held_at_times", FIELD_COUNT, .flags = FIELD_SHOWN, .number = held_at_times},
    {"probes", FIELD_COUNT, AT(objective.probes)},
    {"probes_repeated", FIELD_COUNT, AT(probes.repeated)},
    {"probes_without_answer", FIELD_COUNT, AT(probes.without_answer)},
    {"calls_wanted", FIELD_COUNT, AT(probes.calls_wanted)},
    {"calls_least", FIELD_COUNT, AT(probes.calls_least)},
    {"lacks_calls", FIELD_COUNT, .flags = FIELD_SHOWN, .number = lacks_calls},
    {"lowest_rate", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = lowest_rate},
    FIELD_END,
};

const char *const experiment_preset_names[] = {"sweep", "sec-ladder", "vary", "versus", NULL};

#define ITEMS(member, number, list) FIELD_ITEMS(struct experiment_result, member, number, list)

static bool gave_up(const void *object, const void *root)
{
    return ((const struct experiment_result *)object)->repeats > 0;
}

static const struct field given_up_fields[] = {
    {"repeats", FIELD_COUNT, AT(repeats)},
    {"repeats_usual", FIELD_COUNT, AT(repeats_usual)},
    {"usual_seconds", FIELD_QUANTITY, AT(usual_seconds)},
    FIELD_END,
};

static const struct field own_fields[] = {
    {NULL, FIELD_OBJECT, AT(origin), FIELD_UNREAD, .fields = origin_members},
    {"preset", FIELD_CHOICE, AT(preset), .names = experiment_preset_names},
    {"ops", FIELD_WORD, AT(ops), FIELD_NAME},
    {"engine", FIELD_WORD, AT(engine)},
    {"client_cpus", FIELD_WORD, AT(client_cpus)},
    {"varied", FIELD_WORD, AT(varied), FIELD_OR_NULL},
    {"reference", FIELD_TEXT, AT(reference), FIELD_OR_NULL},
    {"check_in_time", FIELD_FLAG, AT(check_in_time)},
    {"interleaved", FIELD_FLAG, AT(interleaved)},
    {"units_done", FIELD_COUNT, AT(units_done)},
    {"units_planned", FIELD_COUNT, AT(units_planned)},
    {"launches", FIELD_COUNT, AT(launches), FIELD_OR_NULL},
    {"over_ns", FIELD_COUNT, AT(over_ns), FIELD_OR_NONE},
    {"unit_seconds", FIELD_QUANTITY, AT(unit_seconds), FIELD_OR_NULL},
    {"given_up", FIELD_OBJECT, .fields = given_up_fields, .known = gave_up},
    {"unit_calls", FIELD_COUNT, AT(unit_calls), FIELD_OR_NULL},
    {"full_rate_per_s", FIELD_QUANTITY, AT(full_rate), FIELD_OR_NULL},
    {"cells", FIELD_LIST, ITEMS(cells, cell_count, cell_fields), .maximum = CELLS_MAXIMUM},
    {"contrasts", FIELD_LIST, ITEMS(contrasts, contrast_count, contrast_fields),
     .maximum = CONTRASTS_MAXIMUM},
    {"varies_clients", FIELD_FLAG, AT(varies_clients), FIELD_SHOWN},
    {"varies_depth", FIELD_FLAG, AT(varies_depth), FIELD_SHOWN},
    {"varies_size", FIELD_FLAG, AT(varies_size), FIELD_SHOWN},
    {"varies_rate", FIELD_FLAG, AT(varies_rate), FIELD_SHOWN},
    {"varies_op", FIELD_FLAG, AT(varies_op), FIELD_SHOWN},
    {"varies_link", FIELD_FLAG, AT(varies_link), FIELD_SHOWN},
    {"line", FIELD_POINTER, FIELD_TO(struct experiment_result, line, link_fields), FIELD_SHOWN},
    {"most_depth", FIELD_COUNT, AT(most_depth), FIELD_SHOWN},
    {"scaling", FIELD_ARRAY, ITEMS(scaling, scaling_count, scaling_fields),
     .maximum = EXPERIMENT_GROUPS_MAXIMUM},
    {"sizes", FIELD_ARRAY, ITEMS(sizes, sizes_count, sizes_fields),
     .maximum = EXPERIMENT_GROUPS_MAXIMUM},
    {"delays", FIELD_ARRAY, ITEMS(delays, delay_count, delay_fields),
     .maximum = EXPERIMENT_GROUPS_MAXIMUM},
    {"diagnoses", FIELD_ARRAY, ITEMS(diagnoses, diagnosis_count, diagnosis_fields),
     .maximum = EXPERIMENT_GROUPS_MAXIMUM, FIELD_IF(struct experiment_result, diagnosis_count)},
    {"no_diagnosis", FIELD_FLAG, AT(no_diagnosis), FIELD_OR_NONE},
    {"left_out", FIELD_LIST, ITEMS(left_out, left_out_count, left_out_fields),
     .maximum = LEFT_OUT_MAXIMUM},
    {"find_max", FIELD_OBJECT, FIELD_IF(struct experiment_result, objective_text),
     .fields = find_fields},
    {"validity", FIELD_OBJECT, AT(validity), .fields = verdict_fields},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};

#define SIDE(member) FIELD_TO(struct experiment_result, member, result_file_fields), FIELD_ROOT

const struct field experiment_fields[] = {
    {NULL, FIELD_OBJECT, .fields = own_fields},
    {"first", FIELD_POINTER, SIDE(first)},
    {"second", FIELD_POINTER, SIDE(second)},
    {NULL, FIELD_OBJECT, .fields = sides_fields},
    FIELD_END,
};

static bool same_link(const struct experiment_cell *a, const struct experiment_cell *b)
{
    return a->has_link == b->has_link &&
           (!a->has_link ||
            (a->link.latency_ns == b->link.latency_ns && a->link.rate == b->link.rate));
}

/* Set VARIES_LINK, and LINE if all measured cells have the same emulated link. */
static void find_line(struct experiment_result *experiment)
{
    const struct experiment_cell *first = NULL;

    experiment->varies_link = false;
    for (size_t i = 0; i < experiment->cell_count; i++) {
        const struct experiment_cell *cell = &experiment->cells[i];

        if (cell->units == 0)
            continue;
        first = first ? first : cell;
        experiment->varies_link |= !same_link(first, cell);
    }
    experiment->line = first && first->has_link && !experiment->varies_link ? &first->link : NULL;
}

void experiment_complete(struct experiment_result *experiment)
{
    struct experiment_cell *cells = experiment->cells;

    experiment->varies_op = experiment->varies_size = experiment->varies_clients = false;
    experiment->varies_depth = experiment->varies_rate = false;
    experiment->most_depth = 0;
    for (size_t i = 0; i < experiment->cell_count; i++) {
        size_t of_op = 0;

        while (strcmp(cells[of_op].op, cells[i].op) != 0)
            of_op++;
        experiment->varies_op |= of_op > 0;
        if (cells[i].setting.depth > experiment->most_depth)
            experiment->most_depth = cells[i].setting.depth;
        experiment->varies_size |= cells[i].setting.size != cells[of_op].setting.size;
        experiment->varies_clients |= cells[i].setting.clients != cells[0].setting.clients;
        experiment->varies_depth |= cells[i].setting.depth != cells[0].setting.depth;
        experiment->varies_rate |= cells[i].setting.rate != cells[0].setting.rate;
        cells[i].against = NULL;
    }
    find_line(experiment);
    for (size_t i = 0; experiment->reference && i < experiment->contrast_count; i++)
        if (experiment->contrasts[i].quantity == QUANTITY_ROUND_TRIP)
            cells[experiment->contrasts[i].second].against = &experiment->contrasts[i];
}

void experiment_read(struct json_reader *reader, const json_t *root,
                     struct experiment_result *experiment)
{
    const struct experiment_cell *cells;

    fields_read(reader, root, own_fields, experiment);
    cells = experiment->cells;
    for (size_t i = 0; reader->code == 0 && i < experiment->contrast_count; i++) {
        const size_t first = experiment->contrasts[i].first,
                     second = experiment->contrasts[i].second;

        if (first >= experiment->cell_count || second >= experiment->cell_count ||
            strcmp(cells[first].op, cells[second].op) != 0)
            json_refuse(reader, " has contrasts that are not of two cells of an op");
    }
    if (reader->code == 0)
        experiment_complete(experiment);
}
