/* Compares the speed of the client's core in two measurements. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"

/* Largest difference of the loop's times that is ignored, as a share: with several launches
 * (LEAST), and with one launch on each side (LEAST_OF_ONE). With several launches, a difference
 * that is not significant is ignored, too. */
#define LEAST        0.02
#define LEAST_OF_ONE 0.1
#define SIGNIFICANT  0.05

/* Store the loop's times in all launches of FILES results in LAUNCHES, which has space for them.
 * The units are launches if FILES is 1, else results. Returns the number of times. */
static size_t take_speeds(const struct result *results, size_t files, struct launch *launches)
{
    size_t count = 0;

    for (size_t i = 0; i < files; i++)
        for (size_t j = 0; j < results[i].launch_count; j++) {
            double additions = results[i].launches[j].speed.additions;

            if (additions > 0)
                launches[count] = (struct launch){.server = (unsigned)(files > 1 ? i : count),
                                                  .estimate = additions};
            count += additions > 0;
        }
    return count;
}

static size_t count_launches(const struct result *results, size_t files)
{
    size_t count = 0;

    for (size_t i = 0; i < files; i++)
        count += results[i].launch_count;
    return count;
}

/* Return the share of ROW's difference, 0 to 1, that is explained if the first side's time grew by
 * SHARE; 0 if ROW is neither slower nor faster, or the difference has the opposite sign. */
static double explained_part(const struct compare_row *row, double share)
{
    double difference = row->comparison.difference.estimate;
    double part = share * row->comparison.first.estimate / difference;

    if ((row->word != COMPARISON_SLOWER && row->word != COMPARISON_FASTER) || !(part > 0))
        return 0;
    return fmin(part, 1);
}

/* Append to TEXT, of SIZE bytes, the share of each op's difference that the speed explains. */
static void add_explained(const struct compare_pair *pair, char *text, size_t size)
{
    const char *before = "; in proportion, this explains ";

    for (size_t i = 0; i < pair->count; i++) {
        double part = explained_part(&pair->rows[i], pair->speed.share);
        size_t used = strlen(text);

        if (part <= 0 || used + 60 > size)
            continue;
        snprintf(text + used, size - used, "%s%.0f %% of %.20s's difference", before, 100 * part,
                 pair->rows[i].first->op);
        before = ", ";
    }
}

static void note_speed(struct compare_pair *pair)
{
    const struct compare_speed *speed = &pair->speed;
    char text[COMPARE_TEXT_SIZE];

    if (!speed->differs)
        return;
    snprintf(text, sizeof text,
             "the client's core took %.1f %% %s for a fixed number of additions in B",
             100 * fabs(speed->share), speed->share > 0 ? "longer" : "less");
    add_explained(pair, text, sizeof text);
    compare_note(pair, "%s", text);
}

static void judge(struct compare_speed *speed, bool tested)
{
    speed->share = speed->comparison.second.estimate / speed->comparison.first.estimate - 1;
    if (!tested)
        speed->comparison.p = NAN;
    speed->differs = tested ? fabs(speed->share) > LEAST && speed->comparison.p < SIGNIFICANT
                            : fabs(speed->share) > LEAST_OF_ONE;
}

int pair_compare_speed(struct compare_pair *pair, struct error *error)
{
    size_t first_most = count_launches(pair->first, pair->first_count), first, second;
    struct launch *launches =
        calloc(first_most + count_launches(pair->second, pair->second_count) + 1, sizeof *launches);

    if (!launches)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    first = take_speeds(pair->first, pair->first_count, launches);
    second = take_speeds(pair->second, pair->second_count, launches + first_most);
    pair->speed.known = first > 0 && second > 0;
    if (pair->speed.known)
        judge(&pair->speed, comparison_of_launches(&pair->speed.comparison, launches, first,
                                                   launches + first_most, second));
    note_speed(pair);
    free(launches);
    return 0;
}
