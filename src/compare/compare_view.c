/* A comparison, as it is written and seen. */
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "compare/compare.h"
#include "output/result/json.h"
#include "output/result/result_fields.h"
#include "output/view/difference.h"
#include "output/view/number.h"
#include "output/view/view.h"

#define SIGNIFICANT 0.05 /* p */

/* What was found of an op, or of one of its quantities */

#define ROW(member) FIELD_AT(struct compare_row, member)

static bool is_comparable(const void *object, const void *root)
{
    return ((const struct compare_row *)object)->word != COMPARISON_NOT_COMPARABLE;
}

static bool is_not_comparable(const void *object, const void *root)
{
    return !is_comparable(object, root);
}

static const char *row_p(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_row *row = object;

    return row->key && isnan(row->comparison.difference.low)
               ? NULL
               : number_p(row->comparison.adjusted_p, room);
}

/* Where no difference was seen: the least that would have been. */
static double row_below(const void *object, const void *root)
{
    const struct compare_row *row = object;
    const struct interval *difference = &row->comparison.difference;

    return row->word == COMPARISON_SAME
               ? fmax(row->floor, fmax(fabs(difference->low), fabs(difference->high)))
               : NAN;
}

/* Is the difference significant, but less than the noise floor? */
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
    {"shown_p", FIELD_WORD, .flags = FIELD_SHOWN, .text = row_p},
    FIELD_END,
};

static const struct field judged_fields[] = {
    {"word", FIELD_CHOICE, ROW(word), .names = comparison_verdict_names},
    {"regression", FIELD_FLAG, ROW(regression)},
    {"reason", FIELD_BUFFER, ROW(reason), .known = is_not_comparable},
    {"below_ns", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = row_below},
    {"below_floor", FIELD_COUNT, .flags = FIELD_SHOWN, .number = row_below_floor},
    {NULL, FIELD_OBJECT, .fields = found_fields, .known = is_comparable},
    FIELD_END,
};

/* What each side has of its local directory's rate */

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

/* What is counted per call, where that changed */

static void append_change(char text[FIELD_ROOM], const char *name, double first, double second)
{
    if (!isnan(first) && !isnan(second) && fabs(second - first) >= 0.01)
        field_append(text, "%s%s %.2f -> %.2f", *text ? "  " : "", name, first, second);
}

static double value_of(const struct ledger_entry *entry, enum counter counter)
{
    return entry ? entry->values[counter] : NAN;
}

static void append_ledger(char text[FIELD_ROOM], const struct result_op *a,
                          const struct result_op *b)
{
    static const struct {
        enum counter counter;
        bool server;
        const char *name;
        double unit;
    } figures[] = {{COUNTER_CPU_NS, false, "client CPU us", 1000},
                   {COUNTER_CPU_NS, true, "server CPU us", 1000},
                   {COUNTER_VOLUNTARY, false, "client switches", 1},
                   {COUNTER_VOLUNTARY, true, "server switches", 1},
                   {COUNTER_INTERRUPTS, false, "interrupts", 1},
                   {COUNTER_NET_RX, false, "NET_RX", 1}};

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        append_change(text, figures[i].name,
                      value_of(figures[i].server ? a->server : a->client, figures[i].counter) /
                          figures[i].unit,
                      value_of(figures[i].server ? b->server : b->client, figures[i].counter) /
                          figures[i].unit);
}

static double per_call(const struct result_op *op, uint64_t count)
{
    return op->calls ? (double)count / (double)op->calls : 0;
}

/* The means per call that /proc/self/mountstats says. */
static void append_mounted(char text[FIELD_ROOM], const struct result_op *a,
                           const struct result_op *b)
{
    append_change(text, "RPCs", a->mounted->rpcs, b->mounted->rpcs);
    append_change(text, "queue us", us(a->mounted->queue_ns), us(b->mounted->queue_ns));
    append_change(text, "RTT us", us(a->mounted->rtt_ns), us(b->mounted->rtt_ns));
    append_change(text, "execute us", us(a->mounted->execute_ns), us(b->mounted->execute_ns));
    append_change(text, "sent again", per_call(a, a->retransmissions),
                  per_call(b, b->retransmissions));
    append_change(text, "timeouts", per_call(a, a->mounted->timeouts),
                  per_call(b, b->mounted->timeouts));
    append_change(text, "bytes", a->call_bytes + a->reply_bytes, b->call_bytes + b->reply_bytes);
    append_change(text, "backlog", a->mounted->backlog, b->mounted->backlog);
}

static const char *changed(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_op *a = ((const struct compare_row *)object)->first;
    const struct result_op *b = ((const struct compare_row *)object)->second;

    room[0] = '\0';
    append_ledger(room, a, b);
    if (a->mounted && b->mounted)
        append_mounted(room, a, b);
    return *room ? room : NULL;
}

/* Ops */

/* A further comparison is shown if it finds a difference that the typical costs don't have. */
static double is_shown(const void *object, const void *root)
{
    const struct compare_row *row = object;

    if (!row->typical)
        return row->first != NULL;
    return (row->word == COMPARISON_SLOWER || row->word == COMPARISON_FASTER) &&
           row->word != row->typical->word;
}

/* Is the difference above the threshold? */
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

static const struct field row_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct compare_row, first, name_fields)},
    {"compared", FIELD_CHOICE, ROW(compared), .names = result_quantity_keys},
    {NULL, FIELD_OBJECT, .fields = judged_fields},
    {"of_local", FIELD_OWN, .known = has_local, .write = local_write,
     .schema = "{\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": "
               "{\"estimate\": {\"type\": \"number\"}, \"ci95\": {\"anyOf\": [{\"type\": "
               "\"null\"}, " FIELD_NUMBERS_SCHEMA "]}"
               "}, \"required\": [\"estimate\", \"ci95\"], \"additionalProperties\": false}}"},
    {"mean_above_null", FIELD_POINTER, FIELD_TO(struct compare_row, further[0], judged_fields)},
    {"p99_above_null", FIELD_POINTER, FIELD_TO(struct compare_row, further[1], judged_fields)},
    {"quantity", FIELD_CHOICE, ROW(compared), FIELD_SHOWN, .names = compare_quantity_names,
     .known = is_comparable},
    {"changed", FIELD_WORD, .flags = FIELD_SHOWN, .text = changed},
    {"shown", FIELD_COUNT, .flags = FIELD_SHOWN, .number = is_shown},
    {"large", FIELD_COUNT, .flags = FIELD_SHOWN, .number = is_large},
    {"a", FIELD_POINTER, FIELD_TO(struct compare_row, first, side_fields), FIELD_SHOWN},
    {"b", FIELD_POINTER, FIELD_TO(struct compare_row, second, side_fields), FIELD_SHOWN},
    FIELD_END,
};

/* Figures of results that are no measurements */

static bool has_word(const void *object, const void *root)
{
    return !*((const struct compare_row *)object)->reason;
}

/* In the unit that the figure is shown in. */
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

/* "24 without a verdict: shown, not judged", at the first of these. */
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
    return count ? field_print(room, "%zu without a verdict: %s", count, first->reason) : NULL;
}

static const struct field tested_fields[] = {
    {"floor", FIELD_QUANTITY, ROW(floor)},
    {"p", FIELD_QUANTITY, ROW(comparison.p)},
    {"adjusted_p", FIELD_QUANTITY, ROW(comparison.adjusted_p)},
    FIELD_END,
};

static const struct field figure_fields[] = {
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

/* Files */

static const char *file_path(const void *object, const void *root, char room[FIELD_ROOM])
{
    return field_utf8(((const struct result *)object)->path, room);
}

/* "a.json: self: over TCP, engine wire, tsc, 3 launches, ..." */
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

/* What a gate must not pass in silence: "a.json is suspect: it moved" */
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

/* Which of several pairs it is. */
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

/* What differences speak of, and what of that is not known. */
static const char *basis(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_pair *pair = object;
    const struct compare_row *judged = NULL;

    for (size_t i = 0; i < pair->count && !judged; i++)
        if (pair->rows[i].word != COMPARISON_NOT_COMPARABLE)
            judged = &pair->rows[i];
    if (!judged)
        return NULL;
    if (judged->one_launch)
        return "one launch a side: what differs from launch to launch is not known. A word is said "
               "only of what is beyond 60 % of a cost and 200 ns, or 20 % of a round trip; measure "
               "each side with --launches";
    if (judged->launches[0] == 1 || judged->launches[1] == 1)
        return field_print(room,
                           "one launch of %s: its launches are taken to differ as those of the "
                           "other side do (%zu of A, %zu of B)",
                           sides[judged->launches[0] != 1], judged->launches[0],
                           judged->launches[1]);
    return field_print(room, "by Welch's test on the launches, %zu of A and %zu of B%s",
                       judged->launches[0], judged->launches[1],
                       pair->first_count > 1 && pair->second_count > 1
                           ? "; by files where these differ by more than their launches"
                           : "; one measurement does not show what changes from minute to minute: "
                             "repeat both in turn, or use --versus");
}

/* What is not an op's own, but the mount's. */
static const char *mount_changed(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_pair *pair = object;
    const struct result_mounted *a = pair->count ? pair->rows[0].first->mounted : NULL;
    const struct result_mounted *b = pair->count ? pair->rows[0].second->mounted : NULL;

    if (!a || !b)
        return NULL;
    room[0] = '\0';
    append_change(room, "connections", (double)a->connections, (double)b->connections);
    append_change(room, "slots", (double)a->slots, (double)b->slots);
    return room;
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

static const struct field pair_fields[] = {
    {"first", FIELD_TEXT, .flags = FIELD_KEY, .text = first_path},
    {"second", FIELD_TEXT, .flags = FIELD_KEY, .text = second_path},
    {"first_files", FIELD_LIST, FIELD_ITEMS(struct compare_pair, first, first_count, file_fields)},
    {"second_files", FIELD_LIST,
     FIELD_ITEMS(struct compare_pair, second, second_count, file_fields)},
    {"notes", FIELD_ARRAY, FIELD_VALUES(struct compare_pair, notes, note_count, note_fields)},
    {"ops", FIELD_LIST, FIELD_ITEMS(struct compare_pair, rows, count, row_fields)},
    {"core_speed", FIELD_OBJECT, PAIR(speed), FIELD_IF(struct compare_pair, speed.known),
     .fields = speed_fields},
    {"kind", FIELD_WORD, .known = is_no_measurement, .text = kind_key},
    {"figures", FIELD_LIST, FIELD_ITEMS(struct compare_pair, figures, figure_count, figure_fields),
     .known = is_no_measurement},
    {"rows", FIELD_LIST, FIELD_ITEMS(struct compare_pair, rows, row_count, row_fields),
     FIELD_SHOWN},
    {"title", FIELD_TEXT, .flags = FIELD_SHOWN, .text = pair_title},
    {"has_same_first", FIELD_COUNT, .flags = FIELD_SHOWN, .number = has_same_first},
    {"doubtful", FIELD_WORD, .flags = FIELD_SHOWN, .text = doubtful},
    {"basis", FIELD_WORD, .flags = FIELD_SHOWN, .text = basis},
    {"mount_changed", FIELD_WORD, .flags = FIELD_SHOWN, .text = mount_changed},
    FIELD_END,
};

/* The comparison */

#define AT(member) FIELD_AT(struct compare_result, member)

/* "5 % and 100 ns" */
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

/* Add those of ROWS of which the gate can't tell; after the first few, NAMED counts only. */
static void name_undecided(const struct compare_row *rows, size_t count, size_t *named, char *room)
{
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].undecided || (*named)++ >= NAMED)
            continue;
        field_append(room, "%s%s%s", *room ? ", " : "",
                     rows[i].key ? rows[i].of : rows[i].first->op,
                     rows[i].typical ? " in the mean" : "");
        if (rows[i].key)
            field_append(room, " (%s)", rows[i].figure.name);
    }
}

/* Of what the gate can't tell: "getattr, read". */
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

static const struct field gate_fields[] = {
    {"passed", FIELD_FLAG, FIELD_AT(struct compare_gate, passed)},
    {"doubtful", FIELD_FLAG, FIELD_AT(struct compare_gate, doubtful)},
    {"ops", FIELD_COUNT, FIELD_AT(struct compare_gate, judged)},
    {"undecided", FIELD_COUNT, FIELD_AT(struct compare_gate, undecided)},
    FIELD_END,
};

static const struct field fields[] = {
    {"threshold", FIELD_QUANTITY, AT(threshold.share)},
    {"threshold_ns", FIELD_QUANTITY, AT(threshold.ns)},
    {"gate", FIELD_OBJECT, AT(gate), FIELD_IF(struct compare_result, gate.asked),
     .fields = gate_fields},
    {"pairs", FIELD_LIST, FIELD_ITEMS(struct compare_result, pairs, count, pair_fields)},
    {"limits", FIELD_WORD, .flags = FIELD_SHOWN, .text = limits},
    {"undecided_ops", FIELD_TEXT, .flags = FIELD_SHOWN, .text = undecided_ops},
    FIELD_END,
};

/* The view */

#define DOUBTS(begin)                                                                              \
    {begin "{doubt}", "pairs/first_files", .when = "!^has_same_first"},                            \
    {                                                                                              \
        begin "{doubt}", "pairs/second_files"                                                      \
    }

/* WHICH is "", or of the further comparison that it is. */
#define FAILED(begin, which, phrase)                                                               \
    {                                                                                              \
        begin "the gate failed: {op} in {^second} is " phrase "slower by {" which                  \
              "difference_ns:0} ns {" which "difference_ns.ci95:0}{?, {" which                     \
              "share/0.01:1} %} (p {" which                                                        \
              "shown_p}); the threshold is {^^limits}{?; {^doubtful} doubtful, so measure again}", \
            "pairs/ops", .when = which "regression"                                                \
    }

#define GATE(begin)                                                                                \
    FAILED(begin, "", ""), FAILED(begin, "mean_above_null.", "in the mean "),                      \
        FAILED(begin, "p99_above_null.", "at p99 "),                                               \
        {begin "the gate failed: {of}, {name}, is worse in {^second}: {b:3} instead of {a:3}; "    \
               "the threshold is {^^limits}",                                                      \
         "pairs/figures", .when = "regression"},                                                   \
        {begin "the gate failed: there was no op that it could compare",                           \
         .when = "gate !gate.ops"},                                                                \
        {begin                                                                                     \
         "the gate can't tell, and did not pass: it is not known whether {undecided_ops} "         \
         "{?(gate.undecided>1)are|is} worse by more than {limits}; measure each side in more "     \
         "launches (--launches), or allow more",                                                   \
         .when = "gate.undecided"},                                                                \
    {                                                                                              \
        begin "the gate passed: {gate.ops#op} compared, none seen to be slower by more than "      \
              "{limits}{?(gate.doubtful); but not all results are ok}",                            \
            .when = "gate.passed gate.ops"                                                         \
    }

const struct view_line compare_doubts_said[] = {DOUBTS("nfsbench: "), {NULL}};
const struct view_line compare_gate_said[] = {GATE("nfsbench: "), {NULL}};

static const struct view_line head[] = {
    {"A  {description}", "pairs/first_files", .when = "!^has_same_first"},
    {"B  {description}", "pairs/second_files"},
    {"   note{? ({^title})}: {}", "pairs/notes"},
    DOUBTS("   doubtful: "),
    {NULL},
};

static const struct view_column row_columns[] = {
    {"{op}{?(compared=mean_above_null) in the mean}{?(compared=p99_above_null) at p99}", "op",
     .width = 16},
    {"a.mean_ns", "A mean us", 4, 2, VIEW_US},
    {"b.mean_ns", "B mean us", 4, 2, VIEW_US},
    {"quantity", "compared", 3},
    {"first_ns", "A us", 0, 3, VIEW_US},
    {"second_ns", "B us", 0, 3, VIEW_US},
    {"difference_ns", "B - A us", 0, 3, VIEW_US, VIEW_SIGNED},
    {"difference_ns", "95 %", 0, 3, VIEW_US, VIEW_RANGE | VIEW_SIGNED, 18},
    {"share", "of A", 2, 1, .flags = VIEW_PERCENT | VIEW_SIGNED},
    {"shown_p", "p"},
    {NULL},
};

#define ROW_REMARK                                                                                 \
    "{?(below_floor)significant, but below the floor of {noise_floor_ns/1000:3} "                  \
    "us|"                                                                                          \
    "{word}{?(word=slower|word=faster), but in doubt, as {^doubtful} doubtful}"                    \
    "{?: {reason}}" DIFFERENCE_BELOW DIFFERENCE_RATIO "}"

static const struct view_line row_remarks[] = {
    {ROW_REMARK, .when = "word=slower large", .tone = TERMINAL_MUCH_WORSE},
    {ROW_REMARK, .when = "word=faster large", .tone = TERMINAL_MUCH_BETTER},
    DIFFERENCE_REMARKS(ROW_REMARK),
};

static const struct view_line row_notes[] = {{"  {?{title}: }{basis}", "pairs"}, {NULL}};

static const struct view_column changed_columns[] = {
    {"op", "", .width = 16},
    {"changed", "per call, what changed"},
    {NULL},
};

static const struct view_column local_columns[] = {
    {"op", "of the local rate", .width = 16},          {"a.of_local", "A", 0, 3},
    {"a.of_local", "95 %", 0, 3, .flags = VIEW_RANGE}, {"b.of_local", "B", 0, 3},
    {"b.of_local", "95 %", 0, 3, .flags = VIEW_RANGE}, {NULL},
};

static const struct view_column figure_columns[] = {
    {"of", "", .width = 16},
    {"name", "figure"},
    {"a", "A", 0, VIEW_FIT, .width = 7},
    {"b", "B", 0, VIEW_FIT, .width = 7},
    {"b_less_a", "B - A", 2, VIEW_FIT, .flags = VIEW_SIGNED, .width = 7},
    {"range", "95 %", 3},
    {"shown_p", "p", 1},
    {NULL},
};

static const struct view_line figure_remarks[] = {DIFFERENCE_REMARKS(
    "{?(!reason){word}{?; one beyond {below:3g} would have been}" DIFFERENCE_RATIO "}")};

static const struct view_line figure_notes[] = {{"  {open}", "pairs/figures"}, {NULL}};

static const struct view_table tables[] = {
    {"pairs/rows", "{title}", row_columns, .remarks = row_remarks, .notes = row_notes,
     .when = "shown"},
    {"pairs/ops", "{title}", changed_columns, .when = "changed"},
    {"pairs/ops", "{title}", local_columns, .when = "a.of_local b.of_local"},
    {"pairs/figures", "{title}", figure_columns, .remarks = figure_remarks, .notes = figure_notes},
    {NULL},
};

static const struct view_line notes[] = {
    {"  the mount{? ({title})}: {mount_changed}", "pairs"},
    {"", .when = "gate"},
    GATE("  "),
    {NULL},
};

const struct view view_comparison = {RESULT_COMPARISON, fields, head, tables, notes};
