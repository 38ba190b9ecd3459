/* How calls on a directory become slower as it grows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/growing.h"
#include "character/growth.h"
#include "character/judgement.h"

enum { LEVELS_SIZE = 192 };

static const char *const names[GROWING_OPERATIONS] = {[GROWING_LOOKUP] = "LOOKUP",
                                                      [GROWING_CREATE] = "CREATE",
                                                      [GROWING_REMOVE] = "REMOVE",
                                                      [GROWING_READDIR] = "READDIR, all",
                                                      [GROWING_READDIRPLUS] = "READDIRPLUS, all"};

/* Sizes of replies in which one directory is listed, by READDIR and READDIRPLUS. */
enum { WALKS = 3, WALKED_MOST = 1000 };
static const uint32_t walk_bytes[WALKS] = {1 << 10, 8 << 10, 32 << 10};
static const char *const walk_names[2] = {"READDIR", "READDIRPLUS"};

/* Arms are the operations on each of the directories, and then the walks. */

static size_t first_walk(const struct growing *growing, bool plus)
{
    return GROWING_OPERATIONS * growing->count + (plus ? WALKS : 0);
}

/* The largest directory of WALKED_MOST entries at most. */
static size_t walked(const struct growing *growing)
{
    size_t size = growing->count - 1;

    while (size > 0 && growing->sizes[size] > WALKED_MOST)
        size--;
    return size;
}

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct growing *growing = context;
    const size_t walks = first_walk(growing, false);

    if (arm < walks)
        return growing_call(growing, (enum growing_operation)(arm / growing->count),
                            arm % growing->count, ticks, error);
    arm -= walks;
    return growing_walk(growing, arm / WALKS, walk_bytes[arm % WALKS], walked(growing), ticks,
                        error);
}

/* The answer */

/* "12.1 us at 10, 13 us at 100". */
static void list_levels(const struct growing *growing, const double *costs, char text[LEVELS_SIZE])
{
    size_t used = 0;

    for (size_t i = 0; i < growing->count; i++)
        used += (size_t)snprintf(text + used, LEVELS_SIZE - used, "%s%.3g at %u", i ? ", " : "",
                                 costs[i], growing->sizes[i]);
}

/* That a call becomes slower must be certain, not only the form that fits best. */
static int find_form(const struct growing *growing, const struct arms *arms,
                     enum growing_operation operation, const double *costs, struct growth_fit *fit,
                     struct error *error)
{
    const size_t first = (size_t)operation * growing->count, last = growing->count - 1;
    double numbers[GROWING_SIZES];
    struct interval ratio;
    int code = arms_ratio(arms, first + last, first, &ratio, error);

    if (code)
        return code;
    for (size_t i = 0; i < growing->count; i++)
        numbers[i] = growing->sizes[i];
    if (operation >= GROWING_READDIR) {
        growth_fit_total(fit, numbers, costs, growing->count);
        return 0;
    }
    growth_fit(fit, numbers, costs, growing->count);
    if (fit->growth != GROWTH_CONSTANT && gain_classify(&ratio) != GAIN_SOME)
        fit->growth = GROWTH_UNCLEAR;
    return 0;
}

static int fit(const struct growing *growing, const struct arms *arms,
               enum growing_operation operation, struct character_answer *answer,
               struct growth_fit *fit, struct error *error)
{
    const double largest = growing->sizes[growing->count - 1];
    double costs[GROWING_SIZES];
    struct interval level = {0, 0, 0};
    char text[LEVELS_SIZE], entry[48] = "";
    int code = 0;

    for (size_t i = 0; i < growing->count && code == 0; i++) {
        code = arms_level(arms, (size_t)operation * growing->count + i, &level, error);
        costs[i] = level.estimate;
    }
    if (code == 0)
        code = find_form(growing, arms, operation, costs, fit, error);
    if (code)
        return code;
    list_levels(growing, costs, text);
    if (operation >= GROWING_READDIR)
        snprintf(entry, sizeof entry, ", %.2f us an entry", level.estimate / largest);
    answer_figure(answer, names[operation], &level, "us",
                  "at %.0f entries%s; %s (misfit %.0f %%): %s us", largest, entry,
                  growth_names[fit->growth], 100 * fit->misfit, text);
    return 0;
}

/* "LOOKUP constant; CREATE linear". */
static void list_forms(const struct growth_fit fits[GROWING_OPERATIONS], char text[256])
{
    size_t used = 0;

    for (enum growing_operation operation = 0; operation < GROWING_OPERATIONS; operation++)
        used += (size_t)snprintf(text + used, 256 - used, "%s%s %s", operation ? "; " : "",
                                 names[operation], growth_names[fits[operation].growth]);
}

/* One of no simple form, or not clear, is not known to grow so. */
static bool is_at_least(const struct growth_fit *fit, enum growth growth)
{
    return fit->growth >= growth && fit->growth < GROWTH_OTHER;
}

static void conclude(struct character_answer *answer, const struct growing *growing,
                     const struct growth_fit fits[GROWING_OPERATIONS], enum gain large)
{
    const bool calls = is_at_least(&fits[GROWING_LOOKUP], GROWTH_LINEAR) ||
                       is_at_least(&fits[GROWING_CREATE], GROWTH_LINEAR) ||
                       is_at_least(&fits[GROWING_REMOVE], GROWTH_LINEAR);
    const bool lists = is_at_least(&fits[GROWING_READDIR], GROWTH_MORE) ||
                       is_at_least(&fits[GROWING_READDIRPLUS], GROWTH_MORE);
    char forms[256];

    list_forms(fits, forms);
    answer_say(answer, "Costs over directories of %u to %u entries: %s%s.", growing->sizes[0],
               growing->sizes[growing->count - 1], forms,
               growing->count == 2 ? " (of two sizes, which show only whether a cost grows)" : "");
    if (calls)
        answer_mean(answer, "Large directories are slow: spread files over several.");
    if (lists)
        answer_mean(answer,
                    "An entry of a list costs more in a large directory: ls takes more than "
                    "in proportion to its size.");
    if (large == GAIN_SOME)
        answer_mean(answer, "Lists are faster in large replies: a client should ask for %d KiB.",
                    walk_bytes[WALKS - 1] >> 10);
    if (!calls && !lists)
        answer_mean(answer, "Up to this size a directory may hold as many files as suits.");
}

/* *LARGE is whether large replies are faster. */
static int compare_walks(const struct growing *growing, const struct arms *arms, bool plus,
                         struct character_answer *answer, enum gain *large, struct error *error)
{
    const size_t first = first_walk(growing, plus);
    const uint32_t entries = growing->sizes[walked(growing)];
    struct interval level, ratio;
    char name[64];
    int code = 0;

    for (size_t i = 0; i < WALKS && code == 0; i++) {
        code = arms_level(arms, first + i, &level, error);
        snprintf(name, sizeof name, "%s in %u KiB", walk_names[plus], walk_bytes[i] >> 10);
        if (code == 0)
            answer_figure(answer, name, &level, "us", "%.2f us an entry, of %u",
                          level.estimate / entries, entries);
    }
    if (code == 0)
        code = arms_ratio(arms, first, first + WALKS - 1, &ratio, error);
    *large = code ? GAIN_UNKNOWN : gain_classify(&ratio);
    return code;
}

static int measure(struct growing *growing, struct character_answer *answer, struct error *error)
{
    struct arms arms = {.lab = growing->lab,
                        .count = first_walk(growing, true) + WALKS,
                        .calls = 1,
                        .call = call,
                        .context = growing,
                        .time_ns = lab_rounds_ns(growing->lab)};
    struct growth_fit fits[GROWING_OPERATIONS];
    enum gain large[2];
    int code = arms_run(&arms, lab_scaled(growing->lab, 60, 10), error);

    for (enum growing_operation operation = 0; operation < GROWING_OPERATIONS && code == 0;
         operation++)
        code = fit(growing, &arms, operation, answer, &fits[operation], error);
    for (size_t plus = 0; plus < 2 && code == 0; plus++)
        code = compare_walks(growing, &arms, plus, answer, &large[plus], error);
    arms_close(&arms);
    if (code == 0)
        conclude(answer, growing, fits, large[false]);
    return code;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct growing *growing = calloc(1, sizeof *growing);
    int code;

    if (!growing)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for directories");
    code = growing_open(growing, lab, error);
    if (code == 0)
        code = measure(growing, answer, error);
    growing_close(growing);
    free(growing);
    return code;
}

const struct experiment experiment_directories = {
    .name = "directories",
    .question = "How do calls on a directory become slower as it grows?",
    .unknown = "Larger directories (--entries); other names, and how they were made; directories "
               "that the server does not have in memory.",
    .works_in_directory = true,
    .run = run,
};
