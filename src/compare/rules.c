/* Decides which figures of two results show a change of the server even if the path changed. The
 * state of the path changes from minute to minute: if a host moves a virtual processor, calls and
 * bytes take another time although the server is the same (doc/METHOD.md). */
#include <math.h>

#include "compare/compare.h"

enum judged { NEVER, ON_THE_SAME_PATH, ALWAYS };

/* JUDGED: when a figure is judged. ELASTICITY: if null calls take x times as long, the figure may
 * become x^ELASTICITY times as large. */
struct rule {
    enum judged judged;
    double elasticity;
};

/* Rules by quantity: [1] if the parts of the op's cost are known on both sides, else [0]. */
static const struct rule rules[RESULT_QUANTITIES][2] = {
    [RESULT_ROUND_TRIP] = {{ON_THE_SAME_PATH, 1}, {ON_THE_SAME_PATH, 1}},
    [RESULT_COST] = {{ALWAYS, 2}, {ON_THE_SAME_PATH, 2}},
    [RESULT_MEAN_COST] = {{ALWAYS, 2}, {ON_THE_SAME_PATH, 2}},
    [RESULT_P99_COST] = {{ALWAYS, 1}, {ALWAYS, 1}},
    [RESULT_SERVER_PART] = {{NEVER, 0}, {ALWAYS, 1}},
    [RESULT_MEAN_SERVER_PART] = {{NEVER, 0}, {ALWAYS, 1}},
    [RESULT_BYTES_PART] = {{NEVER, 0}, {NEVER, 0}},
    [RESULT_ECHO] = {{NEVER, 0}, {NEVER, 0}},
};

static const char *reason_of(const struct compare_path *path, enum judged judged)
{
    if (judged == NEVER)
        return "not judged between two runs at different times";
    switch (path->word) {
    case COMPARE_PATH_CHANGED:
        return "not judged, because the path changed";
    case COMPARE_PATH_BYTES:
        return "not judged, because the part of bytes changed";
    default:
        return "not judged, because without null calls it is unknown whether the path changed";
    }
}

static bool is_judged(const struct compare_path *path, enum judged judged)
{
    return (judged == ALWAYS && path->word != COMPARE_PATH_UNKNOWN) ||
           (judged == ON_THE_SAME_PATH && path->word == COMPARE_PATH_SAME);
}

/* Return the logarithmic mean of both sides' values: their difference / the logarithm of their
 * ratio. A change of the path adds to this logarithm. Returns 0 if a value is not above 0, because
 * no change of the path makes such a value larger. */
static double mean_size(const struct comparison *comparison)
{
    const double first = comparison->first.estimate, second = comparison->second.estimate;

    if (first <= 0 || second <= 0)
        return 0;
    return first == second ? first : (second - first) / log(second / first);
}

static void apply_rule(const struct compare_path *path, struct compare_row *row)
{
    const struct compare_row *op = row->typical ? row->typical : row;
    const bool has_parts = op->further[RESULT_SERVER_PART - RESULT_MEAN_COST];
    const struct rule *rule = &rules[row->compared][has_parts];

    if (is_judged(path, rule->judged)) {
        row->own_p = row->comparison.p;
        row->path_error = rule->elasticity * path->error * mean_size(&row->comparison);
        comparison_widen(&row->comparison, row->path_error);
        return;
    }
    row->judged = false;
    row->left_open = true;
    /* if null calls changed, the row of the server's part decides for the op */
    row->open_to_gate = !has_parts || path->word != COMPARE_PATH_CHANGED;
    compare_leave_open(row, reason_of(path, rule->judged));
}

/* Ops on local files are exempt, because they do not use the path. */
void pair_apply_rules(struct compare_pair *pair)
{
    for (size_t i = 0; i < pair->row_count && !compare_includes_changes(pair); i++) {
        struct compare_row *row = &pair->rows[i];

        if (row->judged && !row->is_path && row->first->role != RESULT_LOCAL)
            apply_rule(&pair->path, row);
    }
}
