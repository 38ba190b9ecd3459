/* Checks which options can be combined, for all commands: first the relations in the options'
 * entries, then rules about values and words. */
#include "common/append.h"
#include "common/receive_window.h"
#include "job/plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/channel/protection.h"
#include "engine/engines.h"
#include "job/command.h"
#include "job/launch_schedule.h"
#include "measure/process.h"
#include "target/self.h"

enum {
    CHANGING_BLOCK_MAXIMUM = 10000, /* limit of --block with a scratch directory */
};

enum { NAMES_SIZE = 200 };

/* The options of a command, and their values if they are given. */
struct line {
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    const char *const *given;
};

static bool is_among(const char *name, const char *names)
{
    size_t length = strlen(name);

    for (const char *at = names; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, name, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    }
    return false;
}

static int check_needs(const struct line *line, const struct option_entry *entry,
                       struct error *error)
{
    const struct option_relation *needs = &entry->needs;
    char names[NAMES_SIZE] = "";

    for (size_t i = 0; line->entries[i]; i++) {
        if (!is_among(line->entries[i]->name, needs->names))
            continue;
        if (line->given[i])
            return 0;
        append(names, sizeof names, "%s--%s", *names ? " or " : "", line->entries[i]->name);
    }
    return !*names ? 0
                   : error_set(error, ERROR_USAGE, -EINVAL, "--%s needs %s%s%s", entry->name, names,
                               needs->reason ? ": " : "", needs->reason ? needs->reason : "");
}

static int check_excludes(const struct line *line, const struct option_entry *entry,
                          const struct option_relation *excludes, struct error *error)
{
    size_t i = 0;

    while (line->entries[i] &&
           !(line->given[i] && is_among(line->entries[i]->name, excludes->names)))
        i++;
    if (!line->entries[i])
        return 0;
    if (excludes->reason)
        return error_set(error, ERROR_USAGE, -EINVAL, "--%s %s; leave out --%s or --%s",
                         entry->name, excludes->reason, entry->name, line->entries[i]->name);
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--%s and --%s exclude each other; leave out one of them", entry->name,
                     line->entries[i]->name);
}

int rules_check_pairs(const struct options *options, struct error *error)
{
    struct line line = {.given = options->given};
    size_t count = options_of(options->command, line.entries);
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++) {
        const struct option_entry *entry = line.entries[i];

        if (!options->given[i])
            continue;
        if (entry->needs.names)
            code = check_needs(&line, entry, error);
        for (size_t j = 0; j < OPTION_EXCLUSIONS_MAXIMUM && entry->excludes[j].names && !code; j++)
            code = check_excludes(&line, entry, &entry->excludes[j], error);
    }
    return code;
}

#define GIVEN(member) options_given(options, member)
#define CHECK(rules)  rules_apply(rules, sizeof(rules) / sizeof(rules)[0], options, error)

/* Write to NAMES the engines for which IS returns true, as "--engine wire or tirpc", or a text that
 * says that there are none. */
static void name_engines(bool (*is)(const struct engine_type *type), char names[NAMES_SIZE])
{
    size_t used = 0;

    snprintf(names, NAMES_SIZE, "an engine that this nfsbench was built without");
    for (const struct engine_type *const *type = engine_types; *type && used < NAMES_SIZE; type++)
        if (is(*type))
            used += (size_t)snprintf(names + used, NAMES_SIZE - used, "%s%s",
                                     used ? " or " : "--engine ", (*type)->name);
}

int rules_apply(const struct rule *rules, size_t count, const struct options *options,
                struct error *error)
{
    const unsigned groups = options->command->groups | GROUP_ALL;
    char engines[NAMES_SIZE] = "";
    size_t i = 0;

    while (i < count && !(rules[i].when && (rules[i].groups & groups)))
        i++;
    if (i == count)
        return 0;
    if (rules[i].engines)
        name_engines(rules[i].engines, engines);
    return error_set(error, ERROR_USAGE, -EINVAL, "%s%s%s", rules[i].message,
                     rules[i].engines ? " " : "", engines);
}

static bool spins(const struct engine_type *engine)
{
    return engine->spins;
}

static bool sets_receive_window(const struct engine_type *engine)
{
    return engine->sets_receive_window;
}

static bool takes_udp(const struct engine_type *engine)
{
    return !engine->tcp_only && !engine->mount;
}

static bool is_on_mount(const struct engine_type *engine)
{
    return engine->mount != NULL;
}

bool rules_is_bad_name(const char *name)
{
    return name && (strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
                    strlen(name) >= NFS_NAME_SIZE);
}

bool rules_has_kerberos(const struct options *options)
{
    return options->plan.identity.flavor >= RPC_FLAVOR_KRB5 ||
           options->versus.security >= RPC_FLAVOR_KRB5;
}

static int check_working_set(const struct options *options, const struct run_plan *plan,
                             struct error *error)
{
    bool cold = options->plan.working_set.once;
    bool visits = cold || (GIVEN(plan.working_set.pattern) &&
                           options->plan.working_set.pattern.kind != PATTERN_SAME);
    const struct rule rules[] = {
        {GROUP_MEASURING, plan->tree && run_plan_needs_scratch(plan),
         "--tree only reads files; leave out ops that change something, --files and --dir-size"},
        {GROUP_MEASURING, GIVEN(plan.working_set.extent) && !plan->files && !plan->tree && !visits,
         "--working-set limits the files that a pattern accesses; give --pattern, --files or "
         "--tree, too"},
        {COMMAND_RUN, cold && (plan->op_count != 1 || plan->mix_name),
         "--cold is for one op, because the first of several would warm the caches for the next; "
         "name one op"},
        {COMMAND_RUN,
         cold && GIVEN(plan.working_set.pattern) &&
             !pattern_can_use_places_once(&options->plan.working_set.pattern),
         "--cold accesses each file or block once, and this --pattern repeats some; give random, "
         "sequential or stride:N"},
    };

    return CHECK(rules);
}

static int check_security(const struct options *options, const struct run_plan *plan,
                          struct error *error)
{
    const char *missing = protection_missing(plan->identity.flavor, plan->tls.how);
    const struct rule rules[] = {
        {GROUP_SECURITY, missing != NULL, missing},
    };

    return CHECK(rules);
}

static int check_target(const struct run_plan *plan, struct error *error)
{
    if (!plan->engine->mount || plan->target.mounted)
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--engine %s needs a directory or a file on an NFS mount as target",
                     plan->engine->name);
}

static int check_one_processor(const struct options *options, const struct run_plan *plan,
                               struct error *error)
{
    const struct rule rules[] = {
        {COMMAND_RUN, options->one_processor && plan->target.mounted,
         "--one-processor: the threads of a mount's kernel client can't be bound to a processor; "
         "name the server as host:/export"},
        {COMMAND_RUN, options->one_processor && !plan->target.self && !plan->server_start,
         "--one-processor: a server that runs already is not moved to another processor; use "
         "self:, or have nfsbench start the server (--server-start, --versus server-start=)"},
    };

    return CHECK(rules);
}

static int check_receive_window(const struct options *options, const struct run_plan *plan,
                                struct error *error)
{
    const struct rule rules[] = {
        {GROUP_MEASURING, plan->receive_window && !plan->engine->sets_receive_window,
         "--receive-window: this engine leaves the window to its library or to the kernel; use",
         sets_receive_window},
        {GROUP_MEASURING, plan->receive_window && plan->target.transport != TRANSPORT_TCP,
         "--receive-window is for TCP; leave out --receive-window or --proto udp"},
    };
    int code = CHECK(rules);

    return code ? code : receive_window_check(plan->receive_window, error);
}

int rules_check_plan(const struct options *options, const struct run_plan *plan,
                     struct error *error)
{
    static int (*const checks[])(const struct options *, const struct run_plan *,
                                 struct error *) = {check_working_set, check_security,
                                                    check_one_processor, check_receive_window};
    bool scratch = run_plan_needs_scratch(plan);
    const struct rule rules[] = {
        {COMMAND_MPI, plan->target.mounted,
         "a directory on a mount can only be measured and explained; name the server as "
         "host:/export"},
        {GROUP_CALLING, plan->target.self && (GIVEN(port) || GIVEN(mount_port)),
         "self: chooses its ports itself; leave --port and --mount-port out"},
        {GROUP_CALLING,
         !plan->target.self && !options->versus.target.self && options->plan.server_arguments[0],
         "--self-args is for the embedded server; give self: as the target"},
        {GROUP_MEASURING, plan->engine->tcp_only && plan->target.transport != TRANSPORT_TCP,
         "--proto udp: this engine makes calls over TCP only; use", takes_udp},
        {GROUP_MEASURING, plan->spin && !plan->engine->spins,
         "--spin: this engine always sleeps; use", spins},
        {GROUP_POINT, plan->calls && GIVEN(plan.precision),
         "--precision is for runs without COUNT; leave out --precision or COUNT"},
        {GROUP_POINT, plan->calls && GIVEN(plan.maximum_ns),
         "--max-time is for runs without COUNT; leave out --max-time or COUNT"},
        {GROUP_LAUNCHES,
         GIVEN(plan.maximum_ns) && plan->over_ns &&
             plan->over_ns / LAUNCH_SCHEDULE_IDLE_PARTS < options->plan.maximum_ns,
         "--over must be at least twice --max-time, so that launches have idle time between them; "
         "raise --over, or lower --max-time"},
        {GROUP_MEASURING, plan->mix_name && plan->no_baseline && !GIVEN(plan.no_baseline),
         "a captured workload is measured on one side; leave out --versus"},
        {GROUP_MEASURING, plan->mix_name && plan->no_baseline,
         "--no-baseline can't be used with a mix"},
        {GROUP_MEASURING, plan->server_start && plan->target.self,
         "--server-start is for your own server, and self: starts one itself; leave out "
         "--server-start"},
        {GROUP_MEASURING, plan->server_pid && !process_exists((pid_t)plan->server_pid),
         "--server-pid: no process has this ID"},
        {GROUP_MEASURING, !scratch && (plan->scratch || plan->keep_scratch),
         "--scratch and --keep-scratch are for ops that change something; leave them out, or add "
         "an op such as write"},
        {GROUP_SCRATCH, rules_is_bad_name(plan->scratch),
         "--scratch: expected the name of a new directory in the target, without a slash"},
        {GROUP_MEASURING, scratch && plan->block > CHANGING_BLOCK_MAXIMUM,
         "--block must be at most 10000 for ops that change something"},
        {GROUP_ALL, plan->target.mounted && !plan->engine->mount,
         "a directory or a file on a mount as target needs", is_on_mount},
    };
    int code = plan->target.self ? self_check(error) : 0;

    if (code == 0)
        code = rules_check_pairs(options, error);
    if (code == 0)
        code = commands_check(options, plan, error);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && code == 0; i++)
        code = checks[i](options, plan, error);
    for (size_t i = 0; part_at(i) && code == 0; i++)
        code = part_at(i)->check(options, plan, error);
    if (code == 0)
        code = CHECK(rules);
    return code ? code : check_target(plan, error);
}

/* Count the given options whose names are among NAMES. If AMONG is false, count all other given
 * options instead. */
static size_t count_given(const struct options *options, const char *names, bool among)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    size_t count = options_of(options->command, entries), given = 0;

    for (size_t i = 0; i < count; i++)
        given += options->given[i] && is_among(entries[i]->name, names) == among;
    return given;
}

bool rules_are_given(const struct options *options, const char *names)
{
    return count_given(options, names, true) > 0;
}

bool rules_others_given(const struct options *options, const char *names)
{
    return count_given(options, names, false) > 0;
}

int rules_check(const struct options *options, struct error *error)
{
    const int code = rules_check_pairs(options, error);

    return code ? code : commands_check(options, NULL, error);
}
