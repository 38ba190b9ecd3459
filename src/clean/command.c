/* nfsbench clean: remove the scratch directories that killed runs left on an export. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/printable.h"
#include "job/command.h"
#include "job/console.h"
#include "job/plan.h"
#include "nfs/objects/leftover.h"
#include "run/setup/setup.h"

enum { FOUND_MAXIMUM = 100000 /* number of directories, in case a server never stops listing */ };

/* TIMEOUT_NS: time limit for a reply over TCP; over UDP, a tenth of it is the first wait.
 * BUDGET_NS: default time limit for the search, and again for the removal. */
#define TIMEOUT_NS UINT64_C(10000000000)
#define BUDGET_NS  UINT64_C(600000000000)

static bool yes; /* true: remove without asking */

static void set_defaults(struct options *options)
{
    yes = false;
}

static const struct option_entry own_options[] = {
    {"yes", 'y', OPTION_FLAG, SECTION_OWN, OPTION_SETS(yes),
     .help = "remove directories without asking for confirmation; required without a terminal"},
    {"scratch", 0, OPTION_TEXT, SECTION_OWN, OPTION_SHARES(plan.scratch), .value = "NAME",
     .help = "remove only the directory of a run with --scratch NAME (default: all that killed "
             "runs left)"},
    {"cleanup-timeout", 0, OPTION_TIME, SECTION_OWN, OPTION_SHARES(plan.cleanup_timeout_ns),
     .value = "TIME",
     .help = "time limit for the search, and again for the removal (default 10min)"},
    {NULL},
};

static int check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    if (!rules_is_bad_name(options->plan.scratch))
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--scratch: expected the name of a directory in the target, without a slash");
}

/* Directories */

struct clean {
    const struct options *options;
    struct run_plan plan; /* plan for the set-up only: nothing is measured */
    struct setup setup;
    /* The directory that --scratch names; without --scratch, all directories with names such as
     * runs choose. After judge_all(), only those of them that may be removed. */
    struct nfs_leftover *found;
    size_t count, capacity;
    struct arena names;
    size_t staying;
};

/* Print a line that contains names from the server, which are made safe for a terminal. */
__attribute__((format(printf, 1, 2))) static void print_line(const char *format, ...)
{
    char line[PRINTABLE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printf("%s\n", printable(line).text);
}

static struct rpc_client *client_of(const struct clean *clean)
{
    return clean->setup.clients[SERVICE_NFS];
}

/* Return the base directory's path as it is printed before a slash and a name. */
static const char *base_path(const struct clean *clean)
{
    return strcmp(clean->setup.objects.base_path, "/") == 0 ? "" : clean->setup.objects.base_path;
}

static void report_staying(struct clean *clean, const char *name, const char *reason)
{
    clean->staying++;
    print_line("%s/%s stays: %s", base_path(clean), name, reason);
}

/* Finding */

static int add_name(struct clean *clean, const char *name)
{
    const struct nfs_leftover found = {.scratch = {.base = clean->setup.objects.base,
                                                   .base_path = clean->setup.objects.base_path,
                                                   .name = arena_copy(&clean->names, name)}};

    if (!found.scratch.name)
        return -ENOMEM;
    return array_add(&clean->found, &clean->count, &clean->capacity, &found, sizeof found);
}

static int take_name(void *context, const char *name)
{
    struct clean *clean = context;

    if (!nfs_scratch_is_chosen_name(name))
        return 0;
    return clean->count < FOUND_MAXIMUM ? add_name(clean, name) : -E2BIG;
}

static int find_names(struct clean *clean, struct error *error)
{
    int code;

    if (clean->options->plan.scratch)
        code = add_name(clean, clean->options->plan.scratch);
    else
        code = nfs_list(client_of(clean), &clean->setup.objects.base,
                        clean->setup.objects.base_path, UINT32_MAX, take_name, clean, error);
    if (code == -ENOMEM)
        return error_set(error, ERROR_FAILED, code, "out of memory for a list of names");
    if (code != -E2BIG)
        return code;
    clean->staying++; /* for all directories beyond the maximum; their number is unknown */
    print_line(
        "%s has more than %d directories of killed runs; run this command again for the rest",
        clean->setup.objects.base_path, FOUND_MAXIMUM);
    return 0;
}

/* Keep in FOUND only the directories that may be removed. Report why the others stay. Returns 0, or
 * a negative errno with ERROR set if the server can't be reached. */
static int judge_all(struct clean *clean, struct error *error)
{
    size_t dead = 0;

    for (size_t i = 0; i < clean->count; i++) {
        struct nfs_leftover *leftover = &clean->found[i];
        int code = nfs_leftover_check(client_of(clean), leftover, error);

        if (code == 0)
            clean->found[dead++] = *leftover;
        else if (error->kind == ERROR_UNREACHABLE)
            return code;
        else if (code != -ENOENT) /* -ENOENT: it does not exist */
            report_staying(clean, leftover->scratch.name, error->text);
    }
    clean->count = dead;
    return 0;
}

/* List the directories, and return whether the user agrees to remove them, or gave --yes. */
static bool is_agreed(const struct clean *clean)
{
    char answer[8] = "";

    for (size_t i = 0; i < clean->count; i++)
        print_line("%s/%s", base_path(clean), clean->found[i].scratch.name);
    if (yes)
        return true;
    if (!isatty(STDIN_FILENO)) {
        printf("nothing removed; use --yes to remove directories without asking\n");
        return false;
    }
    printf("remove %s? [y/N] ", clean->count == 1 ? "this directory" : "these directories");
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* Removing */

/* If the run of any directory may be alive after all, wait for as long as a live run takes to renew
 * its lease. Returns 0, or -EINTR with ERROR set. */
static int await_renewals(const struct clean *clean, struct error *error)
{
    bool waits = false;

    for (size_t i = 0; i < clean->count; i++)
        waits |= nfs_leftover_needs_another_look(&clean->found[i]);
    if (!waits)
        return 0;
    fprintf(stderr,
            "nfsbench: waiting %d s to see whether a run renews its lease; Ctrl-C ends the wait, "
            "and nothing is removed\n",
            NFS_LEASE_CHECK_INTERVAL_S);
    return deadline_sleep(&clean->plan.deadline,
                          NFS_LEASE_CHECK_INTERVAL_S * UINT64_C(1000000000)) != 0
               ? error_set(error, ERROR_FAILED, -EINTR, "interrupted; nothing was removed")
               : 0;
}

/* Remove all directories that can be removed. Returns 0, or a negative errno with ERROR set if the
 * server can't be reached. */
static int remove_dead(struct clean *clean, struct error *error)
{
    int gone = 0;

    for (size_t i = 0; i < clean->count; i++) {
        const char *name = clean->found[i].scratch.name;
        int code = gone ? gone : nfs_leftover_remove(client_of(clean), &clean->found[i], error);

        if (code == 0)
            print_line("%s/%s removed", base_path(clean), name);
        else if (code != -ENOENT) /* -ENOENT: the run has removed it */
            report_staying(clean, name, error->text);
        if (code && error->kind == ERROR_UNREACHABLE)
            gone = code;
    }
    return gone;
}

/* The target */

/* Connect again, with a new time limit. */
static int connect_client(struct clean *clean, struct error *error)
{
    struct setup *setup = &clean->setup;

    rpc_client_close(client_of(clean));
    setup->clients[SERVICE_NFS] = NULL;
    setup->mount.options.channel.deadline = deadline_within(
        &clean->plan.deadline,
        clean->plan.cleanup_timeout_ns ? clean->plan.cleanup_timeout_ns : BUDGET_NS);
    return setup_connect(setup, SERVICE_NFS, error);
}

static int open_target(struct clean *clean, const char *text, struct error *error)
{
    struct run_plan *plan = &clean->plan;
    int code;

    *plan = clean->options->plan;
    code = target_parse(text, &plan->target, error);
    if (code == 0 && plan->target.self)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "self: leaves nothing to clean, because its server ends with the run");
    if (code == 0 && plan->target.mounted)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "clean works on a server, not on a mount; name the server as "
                         "host:/export, or use rm -r on the mount");
    if (code)
        return code;
    plan->timeout_ns = plan->target.transport == TRANSPORT_UDP ? TIMEOUT_NS / 10 : TIMEOUT_NS;
    plan->no_model = true;
    plan->deadline.stop = &interrupt_flag;
    code = setup_open(&clean->setup, plan, NULL, error);
    return code ? code : connect_client(clean, error);
}

static int report_end(const struct clean *clean, struct error *error)
{
    if (clean->count == 0 && clean->staying == 0)
        print_line("%s: nothing to remove", clean->setup.objects.base_path);
    if (clean->staying == 0)
        return 0;
    return error_set(error, ERROR_FAILED, -EBUSY, "%zu director%s stay%s", clean->staying,
                     clean->staying == 1 ? "y" : "ies", clean->staying == 1 ? "s" : "");
}

static int clean_target(struct clean *clean, struct error *error)
{
    int code = find_names(clean, error);

    if (code == 0)
        code = judge_all(clean, error);
    if (code == 0 && clean->count > 0) {
        if (!is_agreed(clean))
            return error_set(error, ERROR_FAILED, -ECANCELED, "nothing was removed");
        code = await_renewals(clean, error);
        if (code == 0)
            code = connect_client(clean, error); /* the user may have taken long to answer */
        if (code == 0)
            code = remove_dead(clean, error);
    }
    return code ? code : report_end(clean, error);
}

static int clean_all(struct clean *clean, const char *target, struct error *error)
{
    int code = open_target(clean, target, error);

    if (code == 0)
        code = clean_target(clean, error);
    free(clean->found);
    arena_free(&clean->names);
    if (clean->setup.plan)
        setup_close(&clean->setup);
    return code;
}

static int run_clean(const struct options *options, int *status, struct error *error)
{
    struct clean *clean;
    int code;

    if (options->word_count != 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "clean: expected one TARGET, such as host:/export; see --help");
    code = rules_check(options, error);
    if (code)
        return code;
    clean = calloc(1, sizeof *clean);
    if (!clean)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    clean->options = options;
    interrupt_catch();
    code = clean_all(clean, options->words[0], error);
    free(clean);
    return code;
}

static void print_lease(FILE *out)
{
    char text[512];

    snprintf(
        text, sizeof text,
        "A run renews the lease in its scratch directory every %d s. A run is dead if its lease is "
        "older than %d s by the server's clock and is not renewed within %d s. The directory of a "
        "live run is kept, and so is a directory that contains a file that nfsbench did not make.",
        NFS_LEASE_RENEWAL_S, NFS_LEASE_EXPIRED_S, NFS_LEASE_CHECK_INTERVAL_S);
    help_wrap(text, 0, 0, out);
}

const struct command command_clean = {
    .purpose = PURPOSE_SUPPORT,
    .words = WORDS_TARGET,
    .own = own_options,
    .own_title = "what to remove",
    .set_defaults = set_defaults,
    .check = check,
    .name = "clean",
    .usage = "nfsbench clean [options] TARGET",
    .summary = "remove scratch directories that killed runs left on an export",
    .about = "Finds the scratch directories (" NFS_SCRATCH_PREFIX
             "HOST-PID-RANDOM) that killed runs left on TARGET, asks for confirmation, and removes "
             "them.",
    .help = print_lease,
    .examples = "  nfsbench clean server:/export\n",
    .status = "0 nothing is left, 1 a directory could not be removed, 2 usage, 3 the server could "
              "not be reached or refused access.",
    .run = run_clean,
};
