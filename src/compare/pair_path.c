/* Finds out whether the path between client and server changed between two measurements. */
#include <math.h>

#include "compare/compare.h"

static double message_bytes(const struct result_op *op)
{
    return op->call_bytes + op->reply_bytes;
}

/* Return the row of the op with the longest messages among the ops whose parts of the cost are
 * known; NULL if there is none. */
static const struct compare_row *find_longest(const struct compare_pair *pair)
{
    const struct compare_row *found = NULL;

    for (size_t i = 0; i < pair->count; i++) {
        const struct compare_row *row = &pair->rows[i];

        if (row->further[RESULT_SERVER_PART - RESULT_MEAN_COST] &&
            (!found || message_bytes(row->first) > message_bytes(found->first)))
            found = row;
    }
    return found;
}

static int estimate_path_row(const struct compare_pair *pair, struct compare_row *row,
                             const struct result_op *first, const struct result_op *second,
                             enum result_quantity quantity, struct error *error)
{
    int code;

    if (!first || !second)
        return 0;
    *row = (struct compare_row){.first = first, .second = second, .compared = quantity};
    code = pair_estimate(pair, row, error);
    if (row->word == COMPARISON_NOT_COMPARABLE)
        row->first = row->second = NULL;
    return code;
}

/* Return the verdict if the part of a cost that bytes cause differs. This part grows if the server
 * or the machine copies more slowly; the time of the echo shows only the machine. */
static enum compare_path_verdict bytes_verdict(const struct compare_path *path)
{
    const struct compare_row *echo = &path->rows[COMPARE_PATH_ECHO];

    return echo->first && echo->word == COMPARISON_SAME ? COMPARE_PATH_SAME : COMPARE_PATH_BYTES;
}

static void set_path_verdict(struct compare_path *path)
{
    const struct compare_row *null_calls = &path->rows[COMPARE_PATH_NULL];
    const struct comparison *comparison = &null_calls->comparison;

    path->error = NAN;
    if (!null_calls->first)
        return;
    path->error = fabs(log(comparison->second.estimate / comparison->first.estimate));
    path->word = compare_differs(null_calls)                          ? COMPARE_PATH_CHANGED
                 : compare_differs(&path->rows[COMPARE_PATH_ECHO])    ? COMPARE_PATH_BYTES
                 : compare_differs(&path->rows[COMPARE_PATH_LONGEST]) ? bytes_verdict(path)
                                                                      : COMPARE_PATH_SAME;
}

/* Replace the row of null in PAIR by the path's row of null, which is judged. */
static void show_path(struct compare_pair *pair)
{
    for (size_t i = 0; i < pair->count; i++)
        if (pair->rows[i].first == pair->path.rows[COMPARE_PATH_NULL].first) {
            pair->rows[i] = pair->path.rows[COMPARE_PATH_NULL];
            pair->rows[i].is_path = true;
        }
}

int pair_find_path(struct compare_pair *pair, struct error *error)
{
    struct compare_path *path = &pair->path;
    const struct compare_row *op = find_longest(pair);
    int code = estimate_path_row(pair, &path->rows[COMPARE_PATH_NULL], pair->first->null_calls,
                                 pair->second->null_calls, RESULT_ROUND_TRIP, error);

    if (code == 0 && op)
        code = estimate_path_row(pair, &path->rows[COMPARE_PATH_LONGEST], op->first, op->second,
                                 RESULT_BYTES_PART, error);
    if (code == 0 && op && op->first->has_echo && op->second->has_echo)
        code = estimate_path_row(pair, &path->rows[COMPARE_PATH_ECHO], op->first, op->second,
                                 RESULT_ECHO, error);
    if (code == 0)
        code = compare_judge(path->rows, COMPARE_PATH_ROWS, NULL, NULL, error);
    set_path_verdict(path);
    show_path(pair);
    return code;
}
