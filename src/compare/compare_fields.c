/* Fields of a comparison: its files, their pairs, and the gate. */
#include <math.h>

#include "common/counted.h"
#include "common/printable.h"
#include "compare/compare_fields.h"
#include "output/result/result_fields.h"

static const char *file_path(const void *object, const void *root, char room[FIELD_ROOM])
{
    return field_utf8(((const struct result *)object)->path, room);
}

/* Return a file's description: "a.json: self: over TCP, engine wire, tsc, 3 launches, ...". */
static const char *description(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result *result = object;
    const enum result_kind kind = ((const struct compare_result *)root)->pairs[0].kind;
    const bool has_ops =
        kind == RESULT_MEASUREMENT || (kind == RESULT_EXPERIMENT && result->op_count > 0);

    field_print(room, "%.400s: ", result->path);
    if (!has_ops)
        field_append(room, "%s on ", result_kind_name(kind));
    field_append(room, "%.200s over %s, ", result->target.text ? result->target.text : "?",
                 printable(result->target.transport).text);
    if (has_ops)
        field_append(room, "engine %.40s, %.40s, %s, %s, ", printable(result->config.engine).text,
                     printable(result->clock.name).text,
                     counted(result->launch_count ? result->launch_count : 1, "launch").text,
                     counted(result->rounds.done, "round").text);
    return field_append(room, "%.60s, verdict %s", printable(result->start).text,
                        verdict_name(result->validity.verdict));
}

/* Return the doubts about a file, "a.json is suspect: it moved"; NULL if there are none. */
static const char *doubt(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result *result = object;
    const struct validity *validity = &result->validity;
    const bool is_ok = validity->verdict == VERDICT_OK;

    if (is_ok && !result->cut_short)
        return NULL;
    field_print(room, "%.400s is %s%s%s", result->path, result->cut_short ? "cut short" : "",
                result->cut_short && !is_ok ? " and " : "",
                is_ok ? "" : verdict_name(validity->verdict));
    if (!is_ok && validity->count > 0)
        field_append(room, ": %s", validity->reasons[0].text);
    else if (result->cut_short_by)
        field_append(room, ": %s", result->cut_short_by);
    return room;
}

static const struct field file_fields[] = {
    {"path", FIELD_TEXT, .flags = FIELD_KEY, .text = file_path},
    {"verdict", FIELD_CHOICE, FIELD_AT(struct result, validity.verdict), .names = verdict_names},
    {"cut_short", FIELD_FLAG, FIELD_AT(struct result, cut_short)},
    {"description", FIELD_TEXT, .flags = FIELD_SHOWN, .text = description},
    {"doubt", FIELD_TEXT, .flags = FIELD_SHOWN, .text = doubt},
    FIELD_END,
};

/* Pairs */

#define PAIR(member) FIELD_AT(struct compare_pair, member)

static const char *first_path(const void *object, const void *root, char room[FIELD_ROOM])
{
    return field_utf8(((const struct compare_pair *)object)->first->path, room);
}

static const char *second_path(const void *object, const void *root, char room[FIELD_ROOM])
{
    return field_utf8(((const struct compare_pair *)object)->second->path, room);
}

static bool is_no_measurement(const void *object, const void *root)
{
    return ((const struct compare_pair *)object)->kind != RESULT_MEASUREMENT;
}

static const char *kind_key(const void *object, const void *root, char room[FIELD_ROOM])
{
    return result_kind_key(((const struct compare_pair *)object)->kind);
}

/* Return the title of a pair; NULL if there is only one pair. */
static const char *pair_title(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_pair *pair = object;

    if (((const struct compare_result *)root)->count < 2)
        return NULL;
    return field_print(room, "%.400s against %.400s", pair->second->path, pair->first->path);
}

static double has_same_first(const void *object, const void *root)
{
    const struct compare_pair *pair = object;

    return pair > ((const struct compare_result *)root)->pairs && pair->first == pair[-1].first;
}

static const char *doubtful(const void *object, const void *root, char room[FIELD_ROOM])
{
    return compare_doubtful_sides(object);
}

/* Return the row of an op of PAIR that could be compared, or NULL. */
static const struct compare_row *any_judged(const struct compare_pair *pair)
{
    for (size_t i = 0; i < pair->count; i++)
        if (pair->rows[i].word != COMPARISON_NOT_COMPARABLE)
            return &pair->rows[i];
    return NULL;
}

static bool has_units(const void *object, const void *root)
{
    return any_judged(object) != NULL;
}

/* Return the independent units of the tests: "results", "launches" or "rounds". */
static const char *units(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_pair *pair = object;

    return compare_has_replicates(pair)   ? "results"
           : any_judged(pair)->one_launch ? "rounds"
                                          : "launches";
}

/* Return the basis of the tests: the units, and the variation that their intervals include. */
static const char *basis(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_pair *pair = object;
    const struct compare_row *judged = any_judged(pair);

    if (!judged)
        return NULL;
    if (compare_has_replicates(pair))
        return field_print(room,
                           "Welch's test on %zu results of A and %zu of B; each result is one "
                           "replicate, so the intervals include the variation between results",
                           pair->first_count, pair->second_count);
    if (judged->one_launch)
        return "one launch on each side, so the variation between launches is unknown: only "
               "differences beyond 60 % of a cost and 200 ns, or 20 % of a round trip, are judged; "
               "measure each side with --launches";
    if (judged->launches[0] == 1 || judged->launches[1] == 1)
        return field_print(room,
                           "%s has one launch; its variation is assumed to be that of the other "
                           "side's launches (%zu of A, %zu of B)",
                           judged->launches[0] == 1 ? "A" : "B", judged->launches[0],
                           judged->launches[1]);
    if (compare_is_spread(pair))
        return field_print(room,
                           "Welch's test on the launches, %zu of A spread over %.4g s and %zu of B "
                           "over %.4g s; the intervals include the variation within these times",
                           judged->launches[0], (double)pair->first->config.over_ns / 1e9,
                           judged->launches[1], (double)pair->second->config.over_ns / 1e9);
    return field_print(room, "Welch's test on the launches, %zu of A and %zu of B",
                       judged->launches[0], judged->launches[1]);
}

static const struct field note_fields[] = {
    {NULL, FIELD_BUFFER, .size = COMPARE_TEXT_SIZE},
    FIELD_END,
};

static const struct field speed_fields[] = {
    {"first_ns", FIELD_NUMBER, FIELD_AT(struct compare_speed, comparison.first.estimate)},
    {"second_ns", FIELD_NUMBER, FIELD_AT(struct compare_speed, comparison.second.estimate)},
    {"share", FIELD_NUMBER, FIELD_AT(struct compare_speed, share)},
    {"p", FIELD_QUANTITY, FIELD_AT(struct compare_speed, comparison.p)},
    {"differs", FIELD_FLAG, FIELD_AT(struct compare_speed, differs)},
    FIELD_END,
};

static bool is_measured(const void *object, const void *root)
{
    return ((const struct compare_pair *)object)->count > 0;
}

static const char *path_said(const void *object, const void *root, char room[FIELD_ROOM])
{
    return compare_path_text(object, room);
}

static const char *path_advice(const void *object, const void *root, char room[FIELD_ROOM])
{
    return compare_path_advice(object);
}

static const struct field pair_fields[] = {
    {"first", FIELD_TEXT, .flags = FIELD_KEY, .text = first_path},
    {"second", FIELD_TEXT, .flags = FIELD_KEY, .text = second_path},
    {"first_files", FIELD_LIST, FIELD_ITEMS(struct compare_pair, first, first_count, file_fields)},
    {"second_files", FIELD_LIST,
     FIELD_ITEMS(struct compare_pair, second, second_count, file_fields)},
    {"units", FIELD_WORD, .known = has_units, .text = units},
    {"notes", FIELD_ARRAY, FIELD_VALUES(struct compare_pair, notes, note_count, note_fields)},
    {"ops", FIELD_LIST, FIELD_ITEMS(struct compare_pair, rows, count, compare_row_fields)},
    {"core_speed", FIELD_OBJECT, PAIR(speed), FIELD_IF(struct compare_pair, speed.known),
     .fields = speed_fields},
    {"path", FIELD_OBJECT, PAIR(path), .known = is_measured, .fields = compare_path_fields},
    {"path_said", FIELD_WORD, .flags = FIELD_SHOWN, .text = path_said},
    {"path_advice", FIELD_WORD, .flags = FIELD_SHOWN, .text = path_advice},
    {"kind", FIELD_WORD, .known = is_no_measurement, .text = kind_key},
    {"figures", FIELD_LIST,
     FIELD_ITEMS(struct compare_pair, figures, figure_count, compare_figure_fields),
     .known = is_no_measurement},
    {"rows", FIELD_LIST, FIELD_ITEMS(struct compare_pair, rows, row_count, compare_row_fields),
     FIELD_SHOWN},
    {"title", FIELD_TEXT, .flags = FIELD_SHOWN, .text = pair_title},
    {"has_same_first", FIELD_COUNT, .flags = FIELD_SHOWN, .number = has_same_first},
    {"doubtful", FIELD_WORD, .flags = FIELD_SHOWN, .text = doubtful},
    {"basis", FIELD_WORD, .flags = FIELD_SHOWN, .text = basis},
    {"mount_changed", FIELD_WORD, .flags = FIELD_SHOWN, .text = compare_mount_changed},
    FIELD_END,
};

/* The comparison */

#define AT(member) FIELD_AT(struct compare_result, member)

/* Return the comparison's threshold as text, such as "5 % and 100 ns", "5 %" or "". */
static const char *limits(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_threshold *threshold = &((const struct compare_result *)object)->threshold;

    room[0] = '\0';
    if (!isnan(threshold->share))
        field_append(room, "%.4g %%", 100 * threshold->share);
    if (!isnan(threshold->ns))
        field_append(room, "%s%.10g ns", *room ? " and " : "", threshold->ns);
    return room;
}

enum { NAMED = 3 };

/* Add the number of undecided rows among the COUNT ROWS to *named, and append their names to ROOM.
 * Once *named has reached the constant NAMED, further rows are counted but not named. */
static void name_undecided(const struct compare_row *rows, size_t count, size_t *named, char *room)
{
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].undecided || (*named)++ >= NAMED)
            continue;
        field_append(room, "%s%s%s", *room ? ", " : "",
                     rows[i].key ? rows[i].of : rows[i].first->op,
                     rows[i].key ? "" : compare_quantity_of[rows[i].compared]);
        if (rows[i].key)
            field_append(room, " (%s)", rows[i].figure.name);
    }
}

/* Return the names of the first NAMED undecided rows, and how many follow: "getattr, read, write
 * and 2 more". */
static const char *undecided_ops(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_result *result = object;
    size_t named = 0;

    room[0] = '\0';
    for (size_t i = 0; i < result->count; i++) {
        name_undecided(result->pairs[i].rows, result->pairs[i].row_count, &named, room);
        name_undecided(result->pairs[i].figures, result->pairs[i].figure_count, &named, room);
    }
    if (named > NAMED)
        field_append(room, " and %zu more", named - NAMED);
    return room;
}

static const char *remedy(const void *object, const void *root, char room[FIELD_ROOM])
{
    return compare_has_replicates(((const struct compare_result *)object)->pairs)
               ? "measure more results of each side"
               : "measure both in the same rounds (--versus) or in more launches (--launches)";
}

static double path_changed(const void *object, const void *root)
{
    const struct compare_result *result = root;

    for (size_t i = 0; i < result->count; i++)
        if (result->pairs[i].count > 0 && result->pairs[i].path.word != COMPARE_PATH_SAME)
            return true;
    return false;
}

static const struct field gate_fields[] = {
    {"passed", FIELD_FLAG, FIELD_AT(struct compare_gate, passed)},
    {"doubtful", FIELD_FLAG, FIELD_AT(struct compare_gate, doubtful)},
    {"ops", FIELD_COUNT, FIELD_AT(struct compare_gate, judged)},
    {"failed", FIELD_FLAG, FIELD_AT(struct compare_gate, failed)},
    {"undecided", FIELD_COUNT, FIELD_AT(struct compare_gate, undecided)},
    {"path_changed", FIELD_COUNT, .flags = FIELD_SHOWN, .number = path_changed},
    FIELD_END,
};

#define FINDING(member) FIELD_AT(struct compare_finding, member)

static const struct field finding_fields[] = {
    {"name", FIELD_WORD, FINDING(name), FIELD_KEY},
    {"text", FIELD_TEXT, FINDING(text)},
    {"is_new", FIELD_FLAG, FINDING(is_new)},
    FIELD_END,
};

const struct field compare_fields[] = {
    {"threshold", FIELD_QUANTITY, AT(threshold.share)},
    {"threshold_ns", FIELD_QUANTITY, AT(threshold.ns)},
    {"gate", FIELD_OBJECT, AT(gate), FIELD_IF(struct compare_result, gate.asked),
     .fields = gate_fields},
    {"pairs", FIELD_LIST, FIELD_ITEMS(struct compare_result, pairs, count, pair_fields)},
    {"findings", FIELD_ARRAY,
     FIELD_ITEMS(struct compare_result, findings, finding_count, finding_fields),
     FIELD_IF(struct compare_result, finding_count)},
    {"limits", FIELD_WORD, .flags = FIELD_SHOWN, .text = limits},
    {"undecided_ops", FIELD_TEXT, .flags = FIELD_SHOWN, .text = undecided_ops},
    {"remedy", FIELD_WORD, .flags = FIELD_SHOWN, .text = remedy},
    FIELD_END,
};
