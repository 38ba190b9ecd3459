/* Names, notes, doubts and histograms of a comparison. */
#include "compare/compare.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "common/printable.h"
#include "output/result/settings.h"
#include "output/view/text.h"

const char *const comparison_verdict_names[] = {
    "no difference seen", "faster", "slower", "not comparable", "equal", "not known", NULL};

const char *const compare_quantity_names[] = {"round trip",     "above null",  "mean above null",
                                              "p99 above null", "server part", "mean server part",
                                              "bytes part",     NULL};

const char *const compare_quantity_of[] = {
    "", "", " in the mean", " at p99", " (server)", " (server) in the mean", " (bytes)"};

const char *const compare_path_names[] = {"not known", "same", "changed", "bytes changed", NULL};

void compare_note(struct compare_pair *pair, const char *format, ...)
{
    va_list arguments;

    if (pair->note_count == COMPARE_NOTES_MAXIMUM)
        return;
    va_start(arguments, format);
    vsnprintf(pair->notes[pair->note_count++], COMPARE_TEXT_SIZE, format, arguments);
    va_end(arguments);
}

/* Return the ops that the mix of RESULT lacked ("readdirplus, access"), or NULL. */
static const char *missing_from_mix(const struct result *result)
{
    const struct result_mix *mix = result->config.mix;
    const char *less = mix && mix->name ? strstr(mix->name, RESULT_MIX_LESS) : NULL;

    return less ? less + strlen(RESULT_MIX_LESS) : NULL;
}

static void note_mix(struct compare_pair *pair)
{
    const char *first = missing_from_mix(pair->first), *second = missing_from_mix(pair->second);

    if (!first != !second)
        compare_note(
            pair,
            "the mix of %s ran without %.150s, which the server lacks, so the two loads differ",
            first ? "A" : "B", first ? first : second);
}

void compare_note_settings(struct compare_pair *pair)
{
    char text[COMPARE_TEXT_SIZE];

    for (size_t at = 0; settings_next_note(pair->first, pair->second, &at, text, sizeof text);)
        compare_note(pair, "%s", text);
    note_mix(pair);
}

static bool any_doubtful(const struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].validity.verdict != VERDICT_OK || results[i].cut_short)
            return true;
    return false;
}

const char *compare_doubtful_sides(const struct compare_pair *pair)
{
    bool first = any_doubtful(pair->first, pair->first_count);
    bool second = any_doubtful(pair->second, pair->second_count);

    return first && second ? "A and B are" : first ? "A is" : second ? "B is" : NULL;
}

bool compare_is_doubtful(const struct compare_result *result)
{
    for (size_t i = 0; i < result->count; i++)
        if (compare_doubtful_sides(&result->pairs[i]))
            return true;
    return false;
}

static bool print_sides(const struct compare_row *row, FILE *out)
{
    const struct text_histogram sides[] = {{"A", row->first->histogram},
                                           {"B", row->second->histogram}};

    return text_print_side_by_side(printable(row->first->op).text, sides, 2, out);
}

void compare_print_histograms(const struct compare_result *result, FILE *out)
{
    bool any = false;

    for (size_t i = 0; i < result->count; i++)
        for (size_t j = 0; j < result->pairs[i].count; j++)
            any |= print_sides(&result->pairs[i].rows[j], out);
    if (!any)
        fputs("\n  no histograms: only results of measurements in JSON have histograms\n", out);
}
