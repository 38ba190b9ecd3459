/* Fields of a pair's path, and texts about it. */
#include <math.h>

#include "common/printable.h"
#include "compare/compare_fields.h"

#define PATH(row, member)                                                                          \
    FIELD_AT(struct compare_path, rows[row].member), FIELD_IF(struct compare_path, rows[row].first)

#define FOUND(row)                                                                                 \
    {"first_ns", FIELD_NUMBER, PATH(row, comparison.first.estimate)},                              \
        {"second_ns", FIELD_NUMBER, PATH(row, comparison.second.estimate)},                        \
        {"difference_ns", FIELD_INTERVAL, PATH(row, comparison.difference)},                       \
        {"share", FIELD_NUMBER, PATH(row, share)},                                                 \
        {"adjusted_p", FIELD_QUANTITY, PATH(row, comparison.adjusted_p)},                          \
    {                                                                                              \
        "word", FIELD_CHOICE, PATH(row, word), .names = comparison_verdict_names                   \
    }

static const char *bytes_op(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct compare_path *path = object;

    return field_utf8(path->rows[COMPARE_PATH_LONGEST].first->op, room);
}

static const struct field null_fields[] = {FOUND(COMPARE_PATH_NULL), FIELD_END};

static const struct field bytes_fields[] = {
    {"op", FIELD_TEXT, .text = bytes_op}, FOUND(COMPARE_PATH_LONGEST), FIELD_END};

static const struct field echo_fields[] = {FOUND(COMPARE_PATH_ECHO), FIELD_END};

const struct field compare_path_fields[] = {
    {"word", FIELD_CHOICE, FIELD_AT(struct compare_path, word), .names = compare_path_names},
    {"null", FIELD_OBJECT, FIELD_IF(struct compare_path, rows[COMPARE_PATH_NULL].first),
     .fields = null_fields},
    {"bytes", FIELD_OBJECT, FIELD_IF(struct compare_path, rows[COMPARE_PATH_LONGEST].first),
     .fields = bytes_fields},
    {"echo", FIELD_OBJECT, FIELD_IF(struct compare_path, rows[COMPARE_PATH_ECHO].first),
     .fields = echo_fields},
    FIELD_END,
};

static const char *conclusion(const struct compare_path *path, bool is_replicated)
{
    if (is_replicated && path->word != COMPARE_PATH_SAME)
        return path->word == COMPARE_PATH_UNKNOWN
                   ? "not known, because there are no null calls"
                   : "changed; the results of each side show how much it varies over time";
    switch (path->word) {
    case COMPARE_PATH_UNKNOWN:
        return "not known, because there are no null calls; round trips are not judged";
    case COMPARE_PATH_SAME:
        return compare_differs(&path->rows[COMPARE_PATH_LONGEST])
                   ? "no change seen: a bare echo of the same bytes took as long, so the server "
                     "copies bytes faster or slower"
                   : "no change seen";
    case COMPARE_PATH_BYTES:
        if (compare_differs(&path->rows[COMPARE_PATH_ECHO]))
            return "the machine changed: a bare echo of the same bytes took another time; totals "
                   "are shown, not judged";
        return "null calls took as long, but the part of bytes changed: the server or the machine "
               "copies bytes faster or slower; totals are shown, not judged";
    default:
        return path->rows[COMPARE_PATH_LONGEST].first
                   ? "changed, so totals are shown, not judged; the server's part is judged"
                   : "changed; without a cost model, the intervals of the costs allow for the "
                     "change";
    }
}

const char *compare_path_text(const struct compare_pair *pair, char room[FIELD_ROOM])
{
    const struct compare_row *null_calls = &pair->path.rows[COMPARE_PATH_NULL];
    const struct compare_row *bytes = &pair->path.rows[COMPARE_PATH_LONGEST];
    const struct compare_row *echo = &pair->path.rows[COMPARE_PATH_ECHO];

    if (pair->count == 0)
        return NULL;
    field_print(room, "%s", conclusion(&pair->path, compare_includes_changes(pair)));
    if (null_calls->first && !isnan(null_calls->share))
        field_append(room, " (null %+.1f %%", 100 * null_calls->share);
    else
        return room;
    if (bytes->first && !isnan(bytes->share))
        field_append(room, ", bytes of %.40s %+.1f %%", printable(bytes->first->op).text,
                     100 * bytes->share);
    if (echo->first && !isnan(echo->share))
        field_append(room, ", a bare echo of %.40s's bytes %+.1f %%",
                     printable(echo->first->op).text, 100 * echo->share);
    return field_append(room, ")");
}

const char *compare_path_advice(const struct compare_pair *pair)
{
    if (pair->count == 0 || pair->path.word == COMPARE_PATH_SAME || compare_includes_changes(pair))
        return NULL;
    return "measure both sides in the same rounds (--versus), or each at three times or more, in "
           "turn (compare A*.json -- B*.json), or over a time (--over)";
}
