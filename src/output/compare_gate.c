/* A comparison as text for people: what its gate says. */
#include <math.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/compare.h"

static bool any_doubtful(const struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].validity.verdict != VERDICT_OK || results[i].cut_short)
            return true;
    return false;
}

const char *compare_doubtful_sides(const struct compare_pair *pair)
{
    bool first = any_doubtful(pair->first, compare_first_count(pair));
    bool second = any_doubtful(pair->second, compare_second_count(pair));

    return first && second ? "A and B are" : first ? "A is" : second ? "B is" : NULL;
}

bool compare_is_doubtful(const struct compare_result *result)
{
    for (size_t i = 0; i < result->count; i++)
        if (compare_doubtful_sides(&result->pairs[i]))
            return true;
    return false;
}

static void print_threshold(const struct compare_threshold *threshold, FILE *out)
{
    if (!isnan(threshold->share))
        fprintf(out, "%.4g %%", 100 * threshold->share);
    if (!isnan(threshold->share) && !isnan(threshold->ns))
        fputs(" and ", out);
    if (!isnan(threshold->ns))
        fprintf(out, "%.4g ns", threshold->ns);
}

static void print_failure(const struct compare_result *result, const struct compare_pair *pair,
                          const struct compare_row *row, const char *prefix, FILE *out)
{
    const struct comparison *comparison = &row->comparison;
    const char *phrase = compare_quantity_phrase(row->compared);

    fprintf(out, "%sthe gate failed: %s in %s is %s%sslower by %.0f ns [%.0f, %.0f]", prefix,
            printable(row->first->op).text, printable(pair->second->path).text,
            phrase ? phrase : "", phrase ? " " : "", comparison->difference.estimate,
            comparison->difference.low, comparison->difference.high);
    if (!isnan(row->share))
        fprintf(out, ", %.1f %%", 100 * row->share);
    fprintf(out, comparison->adjusted_p < 0.001 ? " (p < 0.001)" : " (p %.3f)",
            comparison->adjusted_p);
    fputs("; the threshold is ", out);
    print_threshold(&result->threshold, out);
    if (compare_doubtful_sides(pair))
        fprintf(out, "; %s doubtful, so measure again", compare_doubtful_sides(pair));
    fputc('\n', out);
}

static void print_failures(const struct compare_result *result, const struct compare_pair *pair,
                           const struct compare_row *row, const char *prefix, FILE *out)
{
    if (row->regression)
        print_failure(result, pair, row, prefix, out);
    for (size_t i = 0; i < COMPARE_FURTHER; i++)
        if (row->further[i] && row->further[i]->regression)
            print_failure(result, pair, row->further[i], prefix, out);
}

static void print_figure_failures(const struct compare_result *result,
                                  const struct compare_pair *pair, const char *prefix, FILE *out)
{
    for (size_t i = 0; i < pair->figure_count; i++) {
        const struct compare_figure *figure = &pair->figures[i];

        if (!figure->regression)
            continue;
        fprintf(out, "%sthe gate failed: %s, %s, is worse in %s: %.6g instead of %.6g", prefix,
                printable(figure->of).text, printable(figure->name).text,
                printable(pair->second->path).text,
                figure->comparison.second.estimate / figure->unit,
                figure->comparison.first.estimate / figure->unit);
        fputs("; the threshold is ", out);
        print_threshold(&result->threshold, out);
        fputc('\n', out);
    }
}

void compare_print_gate(const struct compare_result *result, const char *prefix, FILE *out)
{
    if (!result->gate.asked)
        return;
    for (size_t i = 0; i < result->count; i++) {
        for (size_t j = 0; j < result->pairs[i].count; j++)
            print_failures(result, &result->pairs[i], &result->pairs[i].rows[j], prefix, out);
        print_figure_failures(result, &result->pairs[i], prefix, out);
    }
    if (result->gate.judged == 0)
        fprintf(out, "%sthe gate failed: there was no op that it could compare\n", prefix);
    else if (result->gate.passed) {
        fprintf(out, "%sthe gate passed: %s compared, none slower by more than ", prefix,
                counted(result->gate.judged, "op").text);
        print_threshold(&result->threshold, out);
        fprintf(out, ", as far as is known%s\n",
                compare_is_doubtful(result) ? "; but not all results are ok" : "");
    }
}
