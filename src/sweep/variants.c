#include "sweep/variants.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/plan.h"
#include "sweep/diagnosis.h"
#include "sweep/options.h"

/* Return true if ENTRY varies load or size, which struct cell_setting contains as numbers. */
static bool is_load_or_size(const struct option_entry *entry)
{
    static const char *const names[] = {"rate", "depth", "clients", "connections", "size"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(entry->name, names[i]) == 0)
            return true;
    return false;
}

/* Set VARIED's option in OPTIONS to value number AT. If VARIED has several values, also append this
 * value to VARIANT's NAME and, unless the option is load or size, to the text in VARIANT's ROOM. A
 * percentage sets VARIANT's SHARE, and the option to a placeholder. Returns 0 or a negative errno
 * with ERROR set. */
static int apply_value(const struct varied *varied, size_t at, struct options *options,
                       struct variant *variant, struct error *error)
{
    const struct option_entry *entry = varied->entry;
    const char *value = varied->values[at];
    char setting[160];
    int code;

    snprintf(setting, sizeof setting, "%s=%.*s", entry->name, VARY_NAMED, value);
    if (varied->count > 1)
        vary_append(variant->name, sizeof variant->name, ", ", setting);
    if (varied->count > 1 && !is_load_or_size(entry))
        vary_append(variant->room, sizeof variant->room, ", ", setting);
    if (varied->percent) {
        variant->share = strtod(value, NULL) / 100;
        options->plan.load_request.rate = 1; /* a placeholder until the rate is known */
        return 0;
    }
    code = vary_set_value(entry, value, options, error);
    options_give_at(options, entry->offset);
    if (sweep_own.target && at > 0) { /* SERVER_PID and SERVER_COMMAND describe the first target */
        options->plan.server_pid = 0;
        options->plan.server_command = NULL;
    }
    return code;
}

/* If the target is varied, make WORDS the words of OPTIONS: the target, then the words so far. */
static int set_words(struct options *options, char *words[4], struct error *error)
{
    const char *first = options->word_count > 0 ? options->words[0] : "";

    if (!sweep_own.target)
        return 0;
    if (options->word_count > 2 || (strpbrk(first, ":/") && strncmp(first, "mix:", 4) != 0))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--vary target= names every target; leave out the word '%.60s'", first);
    words[0] = (char *)(uintptr_t)sweep_own.target;
    for (size_t i = 0; i < options->word_count; i++)
        words[i + 1] = options->words[i];
    options->words = words;
    options->word_count++;
    return 0;
}

/* Make VARIANT from combination number INDEX of the options' values. */
static int make_variant(const struct options *options, size_t index, struct variant *variant,
                        struct error *error)
{
    static struct options own;
    char *words[4];
    size_t left = index;
    bool several = false;
    int code = 0;

    own = *options;
    sweep_own.target = NULL;
    for (size_t i = 0; i < VARIES && code == 0; i++) {
        const struct varied *varied = &sweep_own.varied[i];

        if (varied->count == 0)
            continue;
        code = apply_value(varied, left % varied->count, &own, variant, error);
        left /= varied->count;
        /* the variants of a family differ only in the first option with several values */
        if (varied->count > 1 && !several)
            variant->family = left;
        several |= varied->count > 1;
    }
    if (sweep_own.experiment.objective_text)
        own.plan.load_request.rate = 1;
    if (code == 0)
        code = set_words(&own, words, error);
    if (code == 0)
        code = plan_make(&variant->plan, &own, error);
    variant->other = variant->room[0] ? variant->room : NULL;
    return code;
}

static int check_size(const struct run_plan *plan, struct error *error)
{
    const bool moves_data =
        run_plan_transfers(plan, NFS_TRANSFER_READ) || run_plan_transfers(plan, NFS_TRANSFER_WRITE);

    for (size_t i = 0; i < VARIES && !moves_data; i++) {
        const struct varied *varied = &sweep_own.varied[i];

        if (varied->count > 0 && strcmp(varied->entry->name, "size") == 0)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "--size is the size of a READ or WRITE; %s has none",
                             plan->ops[0]->op);
    }
    return 0;
}

/* If any variant needs Kerberos, let the servers of all variants offer it. */
static void offer_kerberos(struct experiment_plan *plan)
{
    bool any = false;

    for (size_t i = 0; i < plan->count; i++)
        any |= plan->variants[i].plan.identity.flavor >= RPC_FLAVOR_KRB5;
    for (size_t i = 0; i < plan->count && any; i++)
        if (plan->variants[i].plan.identity.flavor < RPC_FLAVOR_KRB5)
            plan_offer_kerberos(&plan->variants[i].plan);
}

void variants_describe(struct experiment_plan *plan)
{
    static char ops[1024], names[64];
    const struct run_plan *first = &plan->variants[0].plan;

    ops[0] = names[0] = '\0';
    for (size_t i = 0; i < first->op_count; i++)
        vary_append(ops, sizeof ops, ",", first->ops[i]->op);
    for (size_t i = 0; i < VARIES; i++)
        if (sweep_own.varied[i].count > 1 && !is_load_or_size(sweep_own.varied[i].entry))
            vary_append(names, sizeof names, ",", sweep_own.varied[i].entry->name);
    plan->margin =
        (struct contrast_margin){.ns = sweep_own.equal.ns, .share = sweep_own.equal.share};
    plan->ops = ops;
    plan->varied = names[0] ? names : NULL;
}

#define TRIALS_SHARE 0.4 /* largest share of the user's time limit for trials at the limits */

/* Limit the command to TIME_NS. The deadline of visits to VARIANT is KEPT_NS before this limit. */
static void set_end(struct run_plan *variant, uint64_t time_ns, uint64_t kept_ns)
{
    run_plan_set_time(variant, time_ns);
    variant->deadline.at_ns -= kept_ns;
}

/* Return true if PLAN has trials at the limits: it is a sweep in one process, no security ladder,
 * and the user has not refused trials. Trials of several launches could not be merged. */
static bool is_diagnosed(const struct experiment_plan *plan, const struct options *options)
{
    return !plan->no_diagnosis && !(options->command->groups & COMMAND_RUN) &&
           !options->any_flavor && options->launches.servers <= 1 && !options->launch.launch.of;
}

void variants_set_time(struct experiment_plan *plan, const struct options *options)
{
    const unsigned launches = options->launches.servers ? options->launches.servers : 1;
    const uint64_t units = (uint64_t)plan->count * plan->repeats * launches;
    /* a security ladder has one variant until its variants are known */
    const bool is_unknown = options->any_flavor && plan->count == 1;
    const uint64_t trials_ns = is_diagnosed(plan, options) ? diagnosis_time(plan) : 0;
    const bool is_search = plan->objective_text;
    const uint64_t usual = is_search || is_unknown ? launches * EXPERIMENT_LONG_NS
                                                   : units * EXPERIMENT_UNIT_NS + trials_ns;
    const uint64_t time_ns = plan_time_ns(options, usual),
                   most_ns = (uint64_t)(TRIALS_SHARE * (double)time_ns);

    plan->diagnosis_ns =
        (is_search || time_ns != usual) && trials_ns > most_ns ? most_ns : trials_ns;
    plan->unit_ns = is_search ? EXPERIMENT_UNIT_NS : (time_ns - plan->diagnosis_ns) / units;
    for (size_t i = 0; i < plan->count; i++) {
        struct run_plan *variant = &plan->variants[i].plan;

        variant->maximum_ns = time_ns;
        if (variant->calls == 0 || is_search)
            set_end(variant, time_ns, plan->diagnosis_ns);
    }
}

int variants_make_plan(struct experiment_plan *plan, const struct options *options,
                       struct error *error)
{
    int code = 0;

    *plan = sweep_own.experiment;
    plan->repeats_fixed = rules_are_given(options, "repeat");
    plan->count = 1;
    for (size_t i = 0; i < VARIES; i++)
        plan->count *= sweep_own.varied[i].count ? sweep_own.varied[i].count : 1;
    if (plan->count > CELLS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "%zu points are too many; the maximum is %d",
                         plan->count, CELLS_MAXIMUM);
    plan->variants = calloc(plan->count, sizeof *plan->variants);
    if (!plan->variants)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < plan->count && code == 0; i++)
        code = make_variant(options, i, &plan->variants[i], error);
    if (code == 0)
        code = check_size(&plan->variants[0].plan, error);
    if (code)
        return code;
    offer_kerberos(plan);
    variants_describe(plan);
    variants_set_time(plan, options);
    return 0;
}
