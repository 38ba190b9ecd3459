#include "job/plan.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/random.h"
#include "common/units.h"
#include "engine/engines.h"
#include "job/command.h"
#include "job/console.h"
#include "job/launch_schedule.h"

#define OP_USUAL "getattr" /* GETATTR: supported by every server, read-only, and needs no file */

/* Parse TEXT, the number of calls. OPS, the text of the ops, is for a message. */
static int parse_calls(struct run_plan *plan, const char *ops, const char *text,
                       struct error *error)
{
    if (nfs_procedure_find(text))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "'%s' is an op, not COUNT: join several ops by commas, as in %.60s,%s",
                         text, ops, text);
    if (units_parse_count(text, &plan->calls) != 0 || plan->calls == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "COUNT '%.60s': expected a whole number of calls, 1 or more, such as "
                         "1000, 100k or 1M",
                         text);
    return 0;
}

/* Parse TEXT as the target. Refuse a command's name, which should have been the first word. */
static int parse_target(struct run_plan *plan, const char *text, struct error *error)
{
    if (command_find(text))
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "'%s' is a command, not a target; give the command first: 'nfsbench %s ...'", text,
            text);
    plan->target_text = text;
    return target_parse(text, &plan->target, error);
}

static int parse_words(struct run_plan *plan, const struct options *options, struct error *error)
{
    char **words = options->words;
    size_t count = options->word_count;
    bool has_op = count > 1 && !isdigit((unsigned char)words[1][0]); /* no op begins with a digit */
    size_t before_calls = has_op ? 2 : 1;
    int code;

    if (count == 0 || count > before_calls + 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected TARGET [OP] [COUNT], such as 'host:/export getattr 1M'; see "
                         "--help");
    code = parse_target(plan, words[0], error);
    if (code == 0)
        code = ops_parse(plan, has_op ? words[1] : OP_USUAL, error);
    if (code || count == before_calls)
        return code;
    return parse_calls(plan, has_op ? words[1] : OP_USUAL, words[before_calls], error);
}

/* Return the engine for mounts, or USUAL if the program was built without one. */
static const struct engine_type *usual_on_mount(const struct engine_type *usual)
{
    const struct engine_type *const *type = engine_types;

    while (*type && !(*type)->mount)
        type++;
    return *type ? *type : usual;
}

/* Apply --proto, --port and --mount-port to PLAN's target. If the target is on a mount and --engine
 * is not given, choose the engine for mounts. */
static void set_target(struct run_plan *plan, const struct options *options)
{
    struct target *target = &plan->target;

    if (target->mounted && !options_given(options, plan.engine))
        plan->engine = usual_on_mount(plan->engine);
    if (options_given(options, proto))
        target->transport = (enum transport)options->proto;
    if (options->port)
        target->nfs_port = options->port;
    if (options->mount_port)
        target->mount_port = options->mount_port;
}

uint64_t plan_timeout_ns(const struct options *options, enum transport transport)
{
    if (options->plan.timeout_ns)
        return options->plan.timeout_ns;
    return transport == TRANSPORT_TCP ? options->tcp_timeout_ns : UINT64_C(1000000000);
}

static int complete_plan(struct run_plan *plan, const struct options *options, struct error *error)
{
    int code = rules_check_plan(options, plan, error);

    plan->timeout_ns = plan_timeout_ns(options, plan->target.transport);
    return code ? code : run_plan_complete(plan, error);
}

void plan_offer_kerberos(struct run_plan *plan)
{
    static const char flavors[] = " --sec sys,none,krb5,krb5i,krb5p";

    if (!strstr(plan->server_arguments, flavors))
        strcat(plan->server_arguments, flavors);
}

uint64_t plan_time_ns(const struct options *options, uint64_t usual_ns)
{
    const uint64_t most_ns = options->plan.over_ns / LAUNCH_SCHEDULE_IDLE_PARTS;

    if (options_given(options, plan.maximum_ns))
        return options->plan.maximum_ns;
    return most_ns && most_ns < usual_ns ? most_ns : usual_ns;
}

/* Set PLAN's deadline, seeds, time limit (without COUNT), and members that depend on which options
 * were given. On a mount, if the command's clients are processes, set mount_others instead of the
 * number of clients. */
static void set_given(struct run_plan *plan, const struct options *options)
{
    plan->deadline = (struct deadline){.stop = &interrupt_flag};
    if (plan->calls == 0)
        run_plan_set_time(plan, plan_time_ns(options, plan->maximum_ns));
    plan->working_set.chosen = options_given(options, plan.working_set.pattern);
    if (options_given(options, plan.identity.gid))
        plan->identity.gid_count = 0;
    if (!options_given(options, plan.seed))
        plan->seed = random_system_seed();
    plan->load.seed = plan->seed;
    if (!options->command->clients_are_processes || !plan->target.mounted)
        return;
    plan->mount_others = plan->load_request.clients > 1 ? plan->load_request.clients - 1 : 0;
    plan->load_request.clients = 0;
}

int plan_make(struct run_plan *plan, const struct options *options, struct error *error)
{
    int code;

    *plan = options->plan;
    plan->observer = &progress_observer;
    code = parse_words(plan, options, error);
    if (code)
        return code;
    set_target(plan, options);
    set_given(plan, options);
    if (rules_has_kerberos(options))
        plan_offer_kerberos(plan);
    return complete_plan(plan, options, error);
}

int plan_make_set_up(struct run_plan *plan, const struct options *options, char *procedures,
                     struct error *error)
{
    struct options words = *options;
    char *measurement[] = {options->word_count ? options->words[0] : NULL, procedures};
    int code;

    if (options->word_count != 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected TARGET, such as 'host:/export'; see --help");
    words.words = measurement;
    words.word_count = 2;
    code = plan_make(plan, &words, error);
    plan->no_model = plan->only_sets_up = true;
    return code;
}

static void apply_versus(struct run_plan *plan, const struct option_versus *versus)
{
    if (versus->changed & VERSUS_PROTO)
        plan->target.transport = (enum transport)versus->proto;
    if (versus->changed & VERSUS_ENGINE)
        plan->engine = versus->engine;
    if (versus->changed & VERSUS_SECURITY)
        plan->identity.flavor = (uint32_t)versus->security;
    if (versus->changed & VERSUS_TRANSPORT_SECURITY)
        plan->tls.how = (enum rpc_xprtsec)versus->transport_security;
}

int plan_make_second(struct run_plan *second, const struct run_plan *first,
                     const struct options *options, struct error *error)
{
    const struct option_versus *versus = &options->versus;

    if (!versus->text && !versus->changed) {
        *second = (struct run_plan){.target_text = NULL};
        return 0;
    }
    if (versus->server_start && (!versus->text || versus->target.self))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--versus server-start=COMMAND starts the server of TARGET2, which must "
                         "not be self:");
    *second = *first;
    second->baseline_directory = NULL; /* only the first side has local files */
    second->baseline_direct = false;
    second->server_start = versus->server_start;
    if (versus->text) {
        second->target_text = versus->text;
        second->target = versus->target;
        second->server_pid = 0; /* not the process of the first side's server */
        second->server_command = NULL;
        second->engine = options->plan.engine;
        set_target(second, options);
    }
    apply_versus(second, versus);
    if (second->target.mounted && !second->engine->mount && !versus->text) {
        second->target.mounted = false;
        second->through_mount = true;
        second->mounts_flavor =
            !options_given(options, plan.identity.flavor) && !(versus->changed & VERSUS_SECURITY);
    }
    return complete_plan(second, options, error);
}

/* Does the file NAME begin like a JSON object? */
static bool is_json_object(const char *name)
{
    struct stat status;
    FILE *file = stat(name, &status) == 0 && S_ISREG(status.st_mode) ? fopen(name, "re") : NULL;
    char first = 0;
    bool found = file && fscanf(file, " %c", &first) == 1 && first == '{';

    if (file)
        fclose(file);
    return found;
}

static int make_first(struct run_plan *plan, const struct options *options, struct error *error)
{
    const char *op = options->word_count > 1 ? options->words[1] : "";
    const char *file = strncasecmp(op, "mix:", 4) == 0 ? op + 4 : NULL;
    const struct command *command;

    if (!file || !is_json_object(file))
        return plan_make(plan, options, error);
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->plan_file)
            return command->plan_file(plan, options, file, error);
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "mix:%.200s is a captured workload, which this nfsbench was built without; "
                     "give a list of ops",
                     file);
}

int plan_make_any(struct run_plan plans[SIDES], const struct options *options, struct error *error)
{
    int code = make_first(&plans[SIDE_FIRST], options, error);

    return code ? code : plan_make_second(&plans[SIDE_SECOND], &plans[SIDE_FIRST], options, error);
}
