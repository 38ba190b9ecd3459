/* Results of each side as replicates, the independent units of a comparison. */
#include <errno.h>
#include <string.h>

#include "compare/compare.h"
#include "output/result/settings.h"

bool compare_has_replicates(const struct compare_pair *pair)
{
    return pair->first_count > 1;
}

/* Return whether RESULT's launches were spread over a time, and all planned launches were made. */
static bool is_spread(const struct result *result)
{
    return result->config.over_ns && !result->cut_short;
}

bool compare_is_spread(const struct compare_pair *pair)
{
    return !compare_has_replicates(pair) && is_spread(pair->first) && is_spread(pair->second);
}

bool compare_includes_changes(const struct compare_pair *pair)
{
    return compare_has_replicates(pair) || compare_is_spread(pair);
}

int replicates_check(size_t first, size_t second, struct error *error)
{
    if (first >= COMPARE_REPLICATES_LEAST && second >= COMPARE_REPLICATES_LEAST)
        return 0;
    return error_set(
        error, ERROR_USAGE, -EINVAL,
        "a group needs %d results or more, whose variation is the noise; A has %zu and B has %zu: "
        "measure both sides in turn until each has enough, or compare two results without --",
        COMPARE_REPLICATES_LEAST, first, second);
}

size_t replicates_get_estimates(const struct result *results, size_t count, const char *op,
                                enum result_quantity quantity, struct launch *launches)
{
    size_t taken = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t own = result_launches_of(&results[i], op, quantity, launches + taken);

        if (own == 0)
            return 0;
        for (size_t j = 0; j < own && count > 1; j++)
            launches[taken + j].server = (unsigned)i;
        taken += own;
    }
    return taken;
}

static bool is_noted(const struct compare_pair *pair, const char *text)
{
    for (size_t i = 0; i < pair->note_count; i++)
        if (strstr(pair->notes[i], text))
            return true;
    return false;
}

static void note_within(struct compare_pair *pair, const char *side, const struct result *results,
                        size_t count)
{
    char text[COMPARE_TEXT_SIZE];

    for (size_t i = 1; i < count; i++)
        for (size_t at = 0; settings_next_note(results, &results[i], &at, text, sizeof text);)
            if (!is_noted(pair, text))
                compare_note(pair, "within %s: %.200s", side, text);
}

void replicates_note_settings(struct compare_pair *pair)
{
    note_within(pair, "A", pair->first, pair->first_count);
    note_within(pair, "B", pair->second, pair->second_count);
}
