/* Options with several values, and the variants of a plan that these make. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "common/units.h"
#include "job/command.h"
#include "job/plan.h"

enum { VALUE_SIZE = 256, VALUE_NAMED = 100 /* characters of it, in results */ };

/* Values */

static int set_value(const struct option_entry *entry, const char *text, void *values,
                     struct error *error)
{
    bool *flag = (bool *)(void *)((char *)values + entry->offset);

    if (entry->kind != OPTION_FLAG)
        return options_store(entry, text, values, error);
    *flag = strcmp(text, "yes") == 0;
    return *flag || strcmp(text, "no") == 0 ? 0 : option_refuse(entry, text, "yes or no", error);
}

static bool is_number(const struct option_entry *entry)
{
    return entry->kind == OPTION_NUMBER || entry->kind == OPTION_RATE ||
           entry->kind == OPTION_SIZE || entry->kind == OPTION_OFFSET;
}

/* Add TEXT, unless it is there or can't be a value. */
static int add_text(struct varied *varied, const char *text, struct error *error)
{
    static struct options scratch; /* what values are tried on */
    const struct option_entry *entry = varied->entry;
    char *room = varied->room;
    int code = varied->percent ? 0 : set_value(entry, text, &scratch, error);

    for (size_t i = 0; i < varied->count && code == 0; i++, room += strlen(room) + 1)
        if (strcmp(varied->values[i], text) == 0)
            return 0;
        else if (strncmp(varied->values[i], text, VALUE_NAMED) == 0)
            code = error_set(error, ERROR_USAGE, -EINVAL,
                             "--%s: two values have the same first %d characters, by which results "
                             "name them; give them shorter names",
                             entry->name, VALUE_NAMED);
    if (code)
        return code;
    if (varied->count == VARIED_MAXIMUM ||
        (size_t)(room - varied->room) + strlen(text) + 1 > VARIED_ROOM)
        return error_set(error, ERROR_USAGE, -EINVAL, "--%s: more than %d values, or too long ones",
                         entry->name, VARIED_MAXIMUM);
    varied->values[varied->count++] = strcpy(room, text);
    return 0;
}

/* Parse "64k" or "50%". */
static bool parse_number(const struct option_entry *entry, const char *word, double *value,
                         bool *percent)
{
    const bool is_size = entry->kind == OPTION_SIZE || entry->kind == OPTION_OFFSET;
    const size_t length = strlen(word);
    uint64_t number = 0;
    char *end;
    int code;

    *percent = length > 0 && word[length - 1] == '%' && entry->kind == OPTION_RATE;
    if (*percent) {
        *value = strtod(word, &end);
        return end == word + length - 1 && *value > 0 && *value <= 1000;
    }
    code = is_size ? units_parse_size(word, &number) : units_parse_count(word, &number);
    *value = (double)number;
    return code == 0 && number < UINT32_MAX;
}

static int add_number(struct varied *varied, double value, struct error *error)
{
    char text[32];

    snprintf(text, sizeof text, varied->percent ? "%.6g%%" : "%.0f", value);
    return add_text(varied, text, error);
}

/* Add the values from FIRST to LAST: doublings or, for percentages, multiples of the first. */
static int add_range(struct varied *varied, double first, double last, struct error *error)
{
    double value = first;
    int code = 0;

    for (size_t i = 2; value < last * (1 - 1e-9) && code == 0; i++) {
        code = add_number(varied, value, error);
        value = varied->percent ? first * (double)i : value * 2;
    }
    return code ? code : add_number(varied, last, error);
}

/* "8", or "1..64". */
static int add_numbers(struct varied *varied, char *word, struct error *error)
{
    const struct option_entry *entry = varied->entry;
    char *dots = strstr(word, "..");
    bool percent, last_percent, good;
    double first, last;

    if (dots)
        *dots = '\0';
    good = parse_number(entry, word, &first, &percent);
    last = first;
    last_percent = percent;
    if (dots)
        good = good && parse_number(entry, dots + 2, &last, &last_percent) && first >= 1e-9 &&
               first <= last;
    if (!good || percent != last_percent || (varied->count > 0 && percent != varied->percent))
        return option_refuse(entry, word,
                             entry->kind == OPTION_RATE
                                 ? "values such as 1k,2k or 1k..64k (doublings), or percentages "
                                   "such as 10%..100%"
                                 : "values such as 1,2,4 or 1..64 (doublings)",
                             error);
    varied->percent = percent;
    return add_range(varied, first, last, error);
}

static int add_values(struct varied *varied, const char *text, struct error *error)
{
    char word[VALUE_SIZE];
    int code = 0;

    for (const char *at = text; code == 0 && at;) {
        option_word(&at, word, sizeof word);
        code = is_number(varied->entry) ? add_numbers(varied, word, error)
                                        : add_text(varied, word, error);
    }
    return code;
}

int option_parse_values(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    struct varied *varied = member;

    *varied = (struct varied){.entry = options_find(GROUPS_RUN, entry->name)};
    return add_values(varied, text, error);
}

/* Append WORD to TEXT, with BETWEEN before it unless it is the first. */
static void append(char *text, size_t size, const char *between, const char *word)
{
    const size_t used = strlen(text);

    snprintf(text + used, size - used, "%s%s", used ? between : "", word);
}

static int refuse_name(const char *name, struct error *error)
{
    const struct option_entry *entry;
    char names[400] = "", hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    nearest_begin(&nearest, name);
    for (size_t i = 0; (entry = option_at(i)); i++)
        if (entry->varies) {
            append(names, sizeof names, ", ", entry->name);
            nearest_offer(&nearest, entry->name);
        }
    return error_set(error, ERROR_USAGE, -EINVAL, "--vary '%.40s': expected one of %s%s", name,
                     names, nearest_hint(&nearest, hint));
}

int option_parse_vary(const struct option_entry *entry, const char *text, void *member,
                      struct error *error)
{
    const size_t length = strcspn(text, "=");
    struct varied *varied = member;
    const struct option_entry *named;
    char name[48];

    snprintf(name, sizeof name, "%.*s", (int)length, text);
    named = options_find(GROUPS_RUN, name);
    if (!text[length] || !named || !named->varies)
        return refuse_name(name, error);
    if (varied->entry == named || (varied[0].entry && varied[1].entry))
        return error_set(error, ERROR_USAGE, -EINVAL, "--vary %s: %s", name,
                         varied->entry == named ? "it is varied already"
                                                : "two options can be varied at most");
    varied += varied->entry != NULL;
    varied->entry = named;
    return add_values(varied, text + length + 1, error);
}

size_t vary_count(const struct options *options)
{
    size_t several = 0;

    for (size_t i = 0; i < VARIES; i++)
        several += options->varied[i].count > 1;
    return several;
}

bool vary_shares(const struct options *options)
{
    bool shares = false;

    for (size_t i = 0; i < VARIES; i++)
        shares |= options->varied[i].percent;
    return shares;
}

/* Variants */

/* What is varied, for all commands alike. */
static bool is_load_or_size(const struct option_entry *entry)
{
    static const char *const names[] = {"rate", "depth", "clients", "connections", "size"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(entry->name, names[i]) == 0)
            return true;
    return false;
}

/* Set the option of VARIED to its value AT in OPTIONS, and name it in VARIANT. */
static int apply(const struct varied *varied, size_t at, struct options *options,
                 struct variant *variant, struct error *error)
{
    const struct option_entry *entry = varied->entry;
    const char *value = varied->values[at];
    char setting[160];
    int code;

    snprintf(setting, sizeof setting, "%s=%.*s", entry->name, VALUE_NAMED, value);
    if (varied->count > 1)
        append(variant->name, sizeof variant->name, ", ", setting);
    if (varied->count > 1 && !is_load_or_size(entry))
        append(variant->room, sizeof variant->room, ", ", setting);
    if (varied->percent) {
        variant->share = strtod(value, NULL) / 100;
        options->plan.load_request.rate = 1; /* until it is known */
        return 0;
    }
    code = set_value(entry, value, options, error);
    options_give_at(options, entry->offset);
    if (options->vary_target && at > 0) { /* these belong to the first */
        options->plan.server_pid = 0;
        options->plan.server_command = NULL;
    }
    return code;
}

/* The words of OPTIONS, with the target in front if that is varied. */
static int set_words(struct options *options, char *words[4], struct error *error)
{
    const char *first = options->word_count > 0 ? options->words[0] : "";

    if (!options->vary_target)
        return 0;
    if (options->word_count > 2 || (strpbrk(first, ":/") && strncmp(first, "mix:", 4) != 0))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--vary target= names every target; leave the word '%.60s' out", first);
    words[0] = (char *)options->vary_target;
    for (size_t i = 0; i < options->word_count; i++)
        words[i + 1] = options->words[i];
    options->words = words;
    options->word_count++;
    return 0;
}

/* Make VARIANT number INDEX of all combinations of values. */
static int make_variant(const struct options *options, size_t index, struct variant *variant,
                        struct error *error)
{
    static struct options own;
    char *words[4];
    size_t left = index;
    bool several = false;
    int code = 0;

    own = *options;
    for (size_t i = 0; i < VARIES && code == 0; i++) {
        const struct varied *varied = &options->varied[i];

        if (varied->count == 0)
            continue;
        code = apply(varied, left % varied->count, &own, variant, error);
        left /= varied->count;
        if (varied->count > 1 && !several) /* those that differ in the first option only */
            variant->family = left;
        several |= varied->count > 1;
    }
    if (options->experiment.objective_text)
        own.plan.load_request.rate = 1;
    if (code == 0)
        code = set_words(&own, words, error);
    if (code == 0)
        code = plan_make(&variant->plan, &own, error);
    variant->other = variant->room[0] ? variant->room : NULL;
    return code;
}

static int check_size(const struct options *options, const struct run_plan *plan,
                      struct error *error)
{
    const bool moves_data =
        run_plan_transfers(plan, NFS_TRANSFER_READ) || run_plan_transfers(plan, NFS_TRANSFER_WRITE);

    for (size_t i = 0; i < VARIES && !moves_data; i++) {
        const struct varied *varied = &options->varied[i];

        if (varied->count > 0 && strcmp(varied->entry->name, "size") == 0)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "--size is the size of a READ or WRITE; %s has none",
                             plan->ops[0]->op);
    }
    return 0;
}

/* If any needs it, the server of all offers Kerberos. */
static void offer_kerberos(struct experiment_plan *plan)
{
    bool any = false;

    for (size_t i = 0; i < plan->count; i++)
        any |= plan->variants[i].plan.identity.flavor >= RPC_FLAVOR_KRB5;
    for (size_t i = 0; i < plan->count && any; i++)
        if (plan->variants[i].plan.identity.flavor < RPC_FLAVOR_KRB5)
            plan_offer_kerberos(&plan->variants[i].plan);
}

void vary_describe(struct experiment_plan *plan, const struct options *options)
{
    static char ops[1024], names[64];
    const struct run_plan *first = &plan->variants[0].plan;

    ops[0] = names[0] = '\0';
    for (size_t i = 0; i < first->op_count; i++)
        append(ops, sizeof ops, ",", first->ops[i]->op);
    for (size_t i = 0; i < VARIES; i++)
        if (options->varied[i].count > 1 && !is_load_or_size(options->varied[i].entry))
            append(names, sizeof names, ",", options->varied[i].entry->name);
    plan->margin = (struct contrast_margin){.ns = options->equal.ns, .share = options->equal.share};
    plan->ops = ops;
    plan->varied = names[0] ? names : NULL;
}

void vary_set_time(struct experiment_plan *plan, const struct options *options)
{
    const unsigned launches = options->launches.servers ? options->launches.servers : 1;
    const uint64_t units = (uint64_t)plan->count * plan->repeats * launches;
    const bool is_unknown = options->sec_ladder && plan->count == 1; /* how many there are */
    const uint64_t usual = plan->objective_text || is_unknown ? launches * EXPERIMENT_LONG_NS
                                                              : units * EXPERIMENT_UNIT_NS;
    const uint64_t time_ns =
        options_given(options, plan.maximum_ns) ? options->plan.maximum_ns : usual;

    plan->unit_ns = plan->objective_text ? EXPERIMENT_UNIT_NS : time_ns / units;
    for (size_t i = 0; i < plan->count; i++) {
        struct run_plan *variant = &plan->variants[i].plan;

        variant->maximum_ns = time_ns;
        if (variant->calls == 0 || plan->objective_text)
            variant->deadline.at_ns = options->began_ns + time_ns;
    }
}

int vary_make_plan(struct experiment_plan *plan, const struct options *options, struct error *error)
{
    int code = 0;

    *plan = options->experiment;
    plan->repeats_fixed = options_given(options, experiment.repeats);
    plan->count = 1;
    for (size_t i = 0; i < VARIES; i++)
        plan->count *= options->varied[i].count ? options->varied[i].count : 1;
    if (plan->count > CELLS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "%zu points are too many; the maximum is %d",
                         plan->count, CELLS_MAXIMUM);
    plan->variants = calloc(plan->count, sizeof *plan->variants);
    if (!plan->variants)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < plan->count && code == 0; i++)
        code = make_variant(options, i, &plan->variants[i], error);
    if (code == 0)
        code = check_size(options, &plan->variants[0].plan, error);
    if (code)
        return code;
    offer_kerberos(plan);
    vary_describe(plan, options);
    vary_set_time(plan, options);
    return 0;
}
