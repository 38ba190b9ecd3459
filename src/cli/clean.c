/* nfsbench clean: remove the scratch directories that killed runs left on an export. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/options.h"
#include "nfs/scratch.h"
#include "nfs/subject.h"
#include "target/mount.h"

enum { FOUND_MAXIMUM = 256, HOST_SIZE = 65 };

#define TIMEOUT_NS UINT64_C(10000000000)

struct clean_settings {
    bool yes, all, help;
};

#define MEMBER(member) offsetof(struct clean_settings, member)

static const struct option_entry table[] = {
    {"yes", 'y', OPTION_FLAG, MEMBER(yes), NULL, "don't ask; needed where there is no terminal"},
    {"all", 'a', OPTION_FLAG, MEMBER(all), NULL,
     "those of runs on other machines, too, which may still be going on"},
    {"help", 'h', OPTION_FLAG, MEMBER(help), NULL, "this text"},
    {0},
};

struct clean {
    struct clean_settings settings;
    struct target target;
    struct mount mount;
    struct rpc_client *client;
    struct nfs_subject subject;
    char found[FOUND_MAXIMUM][NFS_NAME_SIZE];
    unsigned count;
};

static void print_help(void)
{
    printf("usage: nfsbench clean [options] TARGET\n\n"
           "Finds the scratch directories (" NFS_SCRATCH_PREFIX
           "HOST-PID-RANDOM) of runs on TARGET that were killed before\nthey could remove them, "
           "asks, and removes them. Those of runs that are still going on stay.\n\noptions\n");
    options_help(table, stdout);
    printf("\nexit status: 0 nothing is left, 1 something is, 2 usage, 3 the server could not be "
           "reached or refused\n\nexample\n"
           "  nfsbench clean server:/export\n");
}

/* Is NAME that of a run on this machine that has ended? The name says host and process. */
static bool is_of_ended_run(const char *name)
{
    const char *rest = name + strlen(NFS_SCRATCH_PREFIX), *random = strrchr(rest, '-'), *process;
    char host[HOST_SIZE] = "";
    long pid;

    gethostname(host, sizeof host - 1);
    if (!random || random == rest)
        return false;
    for (process = random - 1; process > rest && *process != '-'; process--)
        ;
    if ((size_t)(process - rest) != strlen(host) || strncmp(rest, host, strlen(host)) != 0)
        return false;
    pid = strtol(process + 1, NULL, 10);
    return pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

static int take_found(void *context, const char *name)
{
    struct clean *clean = context;

    if (!clean->settings.all && !is_of_ended_run(name)) {
        printf("%s/%s stays: its run may be going on; see --all\n", clean->subject.base_path, name);
        return 0;
    }
    snprintf(clean->found[clean->count++], NFS_NAME_SIZE, "%s", name);
    return clean->count == FOUND_MAXIMUM;
}

/* True when the user, or --yes, says so. */
static bool is_agreed(const struct clean *clean)
{
    char answer[8] = "";

    for (unsigned i = 0; i < clean->count; i++)
        printf("%s/%s\n", clean->subject.base_path, clean->found[i]);
    if (clean->settings.yes)
        return true;
    if (!isatty(STDIN_FILENO)) {
        printf("left as they are; --yes removes them\n");
        return false;
    }
    printf("remove %s? [y/N] ", clean->count == 1 ? "it" : "them");
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* All that can be, and the first error. */
static int remove_found(struct clean *clean, struct error *error)
{
    struct error later;
    int code = 0;

    for (unsigned i = 0; i < clean->count; i++) {
        int next = nfs_scratch_remove(clean->client, &clean->subject.base, clean->subject.base_path,
                                      clean->found[i], code ? &later : error);

        if (next == 0)
            printf("%s/%s removed\n", clean->subject.base_path, clean->found[i]);
        else if (code == 0)
            code = next;
    }
    return code;
}

static int open_target(struct clean *clean, const char *text, struct error *error)
{
    struct mount_options options = {
        .channel = {.timeout_ns = TIMEOUT_NS, .retransmissions = 3, .reply_maximum = 64 << 10},
        .reserved_port = true};
    struct nfs_subject_request request = {.want_file = false};
    int code = target_parse(text, &clean->target, error);

    if (code == 0 && clean->target.self)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "self: is gone with its run, and nothing stays of it");
    identity_own(&options.identity);
    if (clean->target.transport == TRANSPORT_UDP)
        options.channel.timeout_ns /= 10;
    if (code == 0)
        code = mount_export(&clean->mount, &clean->target, &options, error);
    if (code)
        return code;
    code = rpc_client_open(&clean->client, &clean->mount.nfs, &options.identity, &options.channel,
                           error);
    request.root = clean->mount.root;
    request.export = clean->mount.export;
    request.path = clean->mount.path;
    return code ? code : nfs_subject_find(&clean->subject, clean->client, &request, error);
}

static int clean_target(struct clean *clean, struct error *error)
{
    int code = nfs_scratch_list(clean->client, &clean->subject.base, clean->subject.base_path,
                                take_found, clean, error);

    if (code < 0)
        return code;
    if (clean->count == 0) {
        printf("%s: nothing to remove\n", clean->subject.base_path);
        return 0;
    }
    if (!is_agreed(clean))
        return error_set(error, ERROR_FAILED, -ECANCELED, "nothing was removed");
    return remove_found(clean, error);
}

static int run(struct clean *clean, const char *target, struct error *error)
{
    struct error ignored;
    int code = open_target(clean, target, error);

    if (code == 0)
        code = clean_target(clean, error);
    nfs_subject_free(&clean->subject);
    rpc_client_close(clean->client);
    if (clean->mount.export[0] && clean->mount.root.length > 0)
        mount_unmount(&clean->mount, &ignored);
    return code;
}

int command_clean(int argc, char **argv)
{
    struct clean *clean = calloc(1, sizeof *clean);
    struct error error = {.kind = ERROR_FAILED, .text = "out of memory"};
    int first, code = clean ? 0 : -ENOMEM;

    if (code == 0)
        code = options_parse(table, argc, argv, &clean->settings, &first, &error);
    if (code == 0 && clean->settings.help) {
        print_help();
        free(clean);
        return 0;
    }
    if (code == 0 && argc - first != 1)
        code = error_set(&error, ERROR_USAGE, -EINVAL,
                         "clean: expected one TARGET, such as host:/export; see --help");
    if (code == 0)
        code = run(clean, argv[first], &error);
    free(clean);
    if (code)
        error_print(&error);
    return code ? (int)error.kind : 0;
}
