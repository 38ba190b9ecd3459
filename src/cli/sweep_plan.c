#include "cli/sweep_plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"

enum {
    REPEATS = 5,
    EXTRA_WORDS = SWEEP_DIMENSIONS, /* that a visit's command line has beside what is left */
    WORD_SIZE = 48,
};

#define DURATION_NS UINT64_C(500000000)

/* Those of the measuring run that may be lists are taken from it, and given back to it one value at
 * a time. */
#define MEMBER(member) offsetof(struct sweep_plan, member)

static const struct own_option own_options[] = {
    {"clients", 'c', MEMBER(texts[SWEEP_CLIENTS]), "LIST",
     "such as 1,2,4,8,12 or 1..16 (doublings)"},
    {"depth", 'd', MEMBER(texts[SWEEP_DEPTH]), "LIST", "calls in flight on each connection: 1..64"},
    {"size", 's', MEMBER(texts[SWEEP_SIZE]), "LIST", "bytes in a READ or WRITE: 512..1M"},
    {"rate", 'r', MEMBER(texts[SWEEP_RATE]), "LIST",
     "calls a second: 1k..64k, or 10%..100% of what a closed loop reaches"},
    {"repeat", 0, MEMBER(repeat_text), "N", "visits of each point, in random order (default 5)"},
    {"max-time", 0, MEMBER(duration_text), "TIME",
     "how long a visit takes, where COUNT is not given (default 500ms)"},
    {"find-max", 0, MEMBER(objective_text), "OBJECTIVE",
     "the highest rate that holds it: p99<1ms; p50, p90, p99, p999, p9999, mean or max"},
    {"json", 'j', MEMBER(json), "FILE", "write the sweep there, too; - for standard output"},
    {"csv", 0, MEMBER(csv), "FILE", "its points as CSV, likewise"},
    {0},
};

static const char *const dimension_names[SWEEP_DIMENSIONS] = {"clients", "depth", "size", "rate"};

void sweep_plan_help(FILE *out)
{
    own_options_help(own_options, out);
}

/* What is asked for */

bool sweep_plan_sweeps(const struct sweep_plan *plan, enum sweep_dimension dimension)
{
    return plan->ranges[dimension].count > 1;
}

static int parse_ranges(struct sweep_plan *plan, struct error *error)
{
    unsigned swept = 0;

    for (int i = 0; i < SWEEP_DIMENSIONS; i++) {
        int code = plan->texts[i] ? sweep_range_parse(dimension_names[i], plan->texts[i],
                                                      i == SWEEP_RATE, &plan->ranges[i], error)
                                  : 0;

        if (code)
            return code;
        swept += plan->ranges[i].count > 1;
    }
    if (swept > 2)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "of --clients, --depth, --size and --rate two at once may have several "
                         "values");
    if (plan->objective_text && (swept > 0 || plan->texts[SWEEP_RATE]))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--find-max chooses the rates itself; --clients, --depth and --size have "
                         "one value then");
    if (swept == 0 && !plan->objective_text)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "nothing to sweep; give several values to --clients, --depth, --size or "
                         "--rate, or an objective to --find-max");
    return 0;
}

static int parse_numbers(struct sweep_plan *plan, struct error *error)
{
    uint64_t repeats = REPEATS;

    plan->duration_ns = DURATION_NS;
    if (plan->repeat_text && (units_parse_count(plan->repeat_text, &repeats) != 0 || repeats < 1 ||
                              repeats > SWEEP_REPEATS_MAXIMUM))
        return error_set(error, ERROR_USAGE, -EINVAL, "--repeat '%.60s': expected 1 to %d",
                         plan->repeat_text, SWEEP_REPEATS_MAXIMUM);
    plan->repeats = (unsigned)repeats;
    if (plan->duration_text &&
        (units_parse_time(plan->duration_text, &plan->duration_ns) != 0 || plan->duration_ns == 0))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--max-time '%.60s': expected a time such as 500ms or 2s",
                         plan->duration_text);
    return plan->objective_text ? objective_parse(plan->objective_text, &plan->objective, error)
                                : 0;
}

/* The first point's settings tell whether the rest of the command line is good. */
static int parse_settings(struct sweep_plan *plan, struct error *error)
{
    struct sweep_setting first = {0};
    int code = sweep_plan_settings(plan, &first, 0, &plan->settings, error);

    plan->quiet = plan->settings.quiet;
    plan->settings.quiet = true;
    if (code)
        return code;
    if (plan->settings.calls && plan->duration_text)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--max-time is for visits without COUNT; leave one of the two out");
    if (plan->settings.openmetrics || plan->settings.hdr || plan->settings.histograms)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "a sweep has other forms; leave --openmetrics, --hdr and --hist out");
    if (plan->settings.mix_name || plan->settings.op_count != 1)
        return error_set(error, ERROR_USAGE, -EINVAL, "a sweep is of one op; see --help");
    if (plan->texts[SWEEP_SIZE] && !settings_call(&plan->settings, NFSPROC3_READ) &&
        !settings_call(&plan->settings, NFSPROC3_WRITE))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--size is that of a READ or WRITE; %s has none",
                         plan->settings.ops[0]->op);
    return 0;
}

int sweep_plan_parse(struct sweep_plan *plan, int argc, char **argv, struct error *error)
{
    int code;

    memset(plan, 0, sizeof *plan);
    code = own_options_take(own_options, argc, argv, plan, &plan->words, error);
    if (code || plan->words.help)
        return code;
    code = parse_numbers(plan, error);
    if (code == 0)
        code = parse_ranges(plan, error);
    return code ? code : parse_settings(plan, error);
}

void sweep_plan_free(struct sweep_plan *plan)
{
    own_words_free(&plan->words);
}

/* A visit */

/* A command line that is being put together. */
struct line {
    char **words;
    int count;
    char extra[EXTRA_WORDS][WORD_SIZE];
    int extra_count;
};

static void add_word(struct line *line, const char *option, double value)
{
    char *word = line->extra[line->extra_count++];

    snprintf(word, WORD_SIZE, "--%s=%.0f", option, value);
    line->words[line->count++] = word;
}

/* A value of 0 stands for the first of its range, or for the measuring run's own default. */
static void add_dimensions(const struct sweep_plan *plan, const struct sweep_setting *setting,
                           struct line *line)
{
    const double given[SWEEP_DIMENSIONS] = {setting->clients, setting->depth, setting->size,
                                            setting->rate};

    for (int i = 0; i < SWEEP_DIMENSIONS; i++) {
        const struct sweep_range *range = &plan->ranges[i];

        if (given[i] > 0)
            add_word(line, dimension_names[i], given[i]);
        else if (range->count > 0 && !range->percent && i != SWEEP_RATE)
            add_word(line, dimension_names[i], range->values[0]);
    }
}

/* As long as is asked for. An open loop stands still between its blocks, for a moment that must be
 * short against them. */
static void set_length(const struct sweep_plan *plan, struct settings *settings)
{
    enum { BLOCKS = 20, BLOCK_NS_LEAST = 50 * 1000 * 1000, BLOCK_LEAST = 10 };
    double block_ns = fmax((double)plan->duration_ns / BLOCKS, BLOCK_NS_LEAST);
    double block = settings->load.rate * block_ns / 1e9;

    settings->maximum_ns = plan->duration_ns;
    settings->precision = (struct precision){.share = 0}; /* which no visit reaches */
    if (settings->load.rate > 0 && settings->block == 0)
        settings->block = block < BLOCK_LEAST ? BLOCK_LEAST : (uint32_t)block;
}

int sweep_plan_settings(const struct sweep_plan *plan, const struct sweep_setting *setting,
                        uint64_t seed, struct settings *settings, struct error *error)
{
    struct line line = {
        .words = calloc((size_t)plan->words.count + EXTRA_WORDS + 1, sizeof *line.words)};
    int code;

    if (!line.words)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (; line.count < plan->words.count; line.count++)
        line.words[line.count] = plan->words.words[line.count];
    add_dimensions(plan, setting, &line);
    code = settings_parse(settings, line.count, line.words, error);
    if (code == 0 && settings->calls == 0)
        set_length(plan, settings);
    if (code == 0 && seed)
        settings->seed = settings->load.seed = seed;
    settings->quiet = seed || settings->quiet;
    settings->no_baseline = settings->no_ledger = settings->no_model = true;
    free(line.words);
    return code;
}
