/* Samples for the tests of all forms of output: a comparison of a measurement with a suspect one,
 * and of two experiments. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "figures.h"
#include "unit_sample.h"

static struct compare_result comparison;
static struct compare_pair pairs[2];
static struct compare_row rows[10], figures[2];
static struct result other;

static void fill_comparison(void)
{
    const struct result *run = sample_bare_run();

    rows[0] = (struct compare_row){.first = &run->ops[2], .second = &run->ops[2], .share = NAN};
    pairs[0] = (struct compare_pair){.first = run,
                                     .second = run,
                                     .first_count = 1,
                                     .second_count = 1,
                                     .rows = rows,
                                     .count = 1,
                                     .row_count = 1};
    comparison = (struct compare_result){.pairs = pairs, .count = 1};
}

static struct compare_row row_of(enum result_quantity compared, enum comparison_verdict word)
{
    return (struct compare_row){.first = &sample_bare_run()->ops[2],
                                .second = &sample_bare_run()->ops[1],
                                .compared = compared,
                                .comparison = {.p = 0.011, .adjusted_p = 0.033},
                                .launches = {3, 1},
                                .share = 0.25,
                                .floor = 12,
                                .word = word,
                                .regression = word == COMPARISON_SLOWER};
}

static void fill_rows(void)
{
    memset(rows, 0, sizeof rows);
    rows[0] = row_of(RESULT_COST, COMPARISON_SAME);
    rows[1] = row_of(RESULT_COST, COMPARISON_NOT_COMPARABLE);
    rows[1].first = &sample_bare_run()->ops[0];
    strcpy(rows[1].reason, "depth 1 against 8");
    rows[2] = row_of(RESULT_MEAN_COST, COMPARISON_SLOWER);
    rows[3] = row_of(RESULT_P99_COST, COMPARISON_FASTER);
    rows[3].comparison.adjusted_p = 0.0001;
    rows[4] = row_of(RESULT_SERVER_PART, COMPARISON_SLOWER);
    rows[5] = row_of(RESULT_MEAN_SERVER_PART, COMPARISON_UNKNOWN);
    rows[5].left_open = true;
    strcpy(rows[5].reason, "not judged, because the path changed");
    for (size_t i = 0; i < COMPARE_FURTHER; i++) {
        rows[0].further[i] = &rows[2 + i];
        rows[2 + i].typical = rows;
    }
}

static void fill_path(struct compare_path *path)
{
    path->word = COMPARE_PATH_CHANGED;
    path->rows[COMPARE_PATH_NULL] = row_of(RESULT_ROUND_TRIP, COMPARISON_SLOWER);
    path->rows[COMPARE_PATH_LONGEST] = row_of(RESULT_BYTES_PART, COMPARISON_SAME);
}

static void fill_figures(void)
{
    figures[0] = (struct compare_row){.of = "1 client, depth 8",
                                      .figure = {.name = "mean, us", .unit = 1000},
                                      .key = "mean_ns",
                                      .comparison = {.p = 0.011, .adjusted_p = 0.033},
                                      .floor = 20,
                                      .judged = true,
                                      .word = COMPARISON_SLOWER,
                                      .regression = true};
    figures[1] = (struct compare_row){
        .of = "1 client, depth 8",
        .figure = {.name = "throughput, calls/s", .unit = 1},
        .key = "throughput_per_s",
        .comparison = {.difference = {1.5, NAN, NAN}, .p = 0.011, .adjusted_p = 0.033},
        .ratio = {NAN, NAN, NAN},
        .word = COMPARISON_UNKNOWN,
        .reason = "a figure for information only"};
}

static void fill_more(void)
{
    const struct result *run = sample_bare_run();

    fill_rows();
    fill_figures();
    other = *run;
    other.path = "b.json";
    other.cut_short = true;
    other.cut_short_by = "interrupted";
    other.validity.verdict = VERDICT_SUSPECT;
    pairs[0] = (struct compare_pair){
        .first = run,
        .second = &other,
        .first_count = 1,
        .second_count = 1,
        .rows = rows,
        .count = 2,
        .row_count = 10,
        .notes = {"the client's kernel Linux 5 against Linux 6"},
        .note_count = 1,
        .speed = {.known = true, .comparison = {.p = 0.5}, .share = 0.01, .differs = true}};
    fill_path(&pairs[0].path);
    pairs[0].speed.comparison.first.estimate = 2000;
    pairs[0].speed.comparison.second.estimate = 2020;
    pairs[1] = (struct compare_pair){.kind = RESULT_EXPERIMENT,
                                     .first = run,
                                     .second = &other,
                                     .first_count = 1,
                                     .second_count = 1,
                                     .figures = figures,
                                     .figure_count = 2};
    comparison = (struct compare_result){.pairs = pairs,
                                         .count = 2,
                                         .threshold = {0.05, 100},
                                         .gate = {.asked = true, .doubtful = true, .judged = 2}};
}

const void *sample_COMPARISON(bool full)
{
    if (full) {
        fill_more();
        figures_set_missing(view_comparison.fields, &comparison);
    } else {
        fill_comparison();
    }
    return &comparison;
}

void print_below_COMPARISON(const void *result, FILE *out)
{
    compare_print_histograms(result, out);
}
