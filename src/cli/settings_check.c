#include "cli/settings_check.h"

#include <errno.h>
#include <string.h>

#include "measure/process.h"

static int check_file_set(const struct settings *settings, struct error *error)
{
    if (settings->file_size && !settings->files)
        return error_set(error, ERROR_USAGE, -EINVAL, "--file-size goes with --files");
    if (settings->file_size % settings->read_size != 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--file-size must be a multiple of --size, %u bytes", settings->read_size);
    if (settings->files > 0 && (settings->file || settings->read_offset))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--file and --offset are for one file; leave them or --files out");
    return 0;
}

static int check_scratch(const struct settings *settings, struct error *error)
{
    const char *name = settings->scratch;

    if (!settings_need_scratch(settings) && (name || settings->keep_scratch))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--%s is for ops that change something; none of these does",
                         name ? "scratch" : "keep-scratch");
    if (name && (!*name || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
                 strlen(name) >= NFS_NAME_SIZE))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--scratch '%.100s': expected the name of a directory to make in the "
                         "target, without a slash",
                         name);
    if (settings_need_scratch(settings) && settings->block > SETTINGS_CHANGING_BLOCK_MAXIMUM &&
        settings->block != SETTINGS_NOT_GIVEN)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--block must be %d at most with ops that change something",
                         SETTINGS_CHANGING_BLOCK_MAXIMUM);
    return 0;
}

static int check_injection(const struct settings *settings, struct error *error)
{
    struct policy unused = {0};

    return injection_apply(&settings->injection, &unused, error);
}

static int check_numbers(const struct settings *settings, struct error *error)
{
    if (settings->mix_name && settings->no_baseline)
        return error_set(error, ERROR_USAGE, -EINVAL, "--no-baseline does not go with a mix");
    if (settings->block == 0)
        return error_set(error, ERROR_USAGE, -EINVAL, "--block must be 1 or more");
    if (settings->read_size == 0 || settings->read_size > 16u << 20)
        return error_set(error, ERROR_USAGE, -EINVAL, "--size must be 1 byte to 16 MiB");
    if (settings->retransmissions > 16)
        return error_set(error, ERROR_USAGE, -EINVAL, "--retrans must be 16 at most");
    if (settings->server_pid && settings->server_command)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--server-pid is for a server on this machine, --server-cmd for one on "
                         "another; leave one of the two out");
    if (settings->server_pid && !process_exists((pid_t)settings->server_pid))
        return error_set(error, ERROR_USAGE, -ESRCH, "--server-pid %u: there is no such process",
                         settings->server_pid);
    if (settings->timeout_ns > UINT64_C(3600000000000))
        return error_set(error, ERROR_USAGE, -EINVAL, "--timeout must be an hour at most");
    return 0;
}

/* With two sides there are two results, two servers, and up to two scratch directories. */
static int check_versus(const struct settings *settings, struct error *error)
{
    if (!settings_have_versus(settings))
        return 0;
    if (settings->csv || settings->openmetrics || settings->hdr)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--csv, --openmetrics and --hdr have room for one side; --json has both");
    if (settings->scratch)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--scratch is one name, and two sides need two; leave it out");
    return 0;
}

int settings_check(const struct settings *settings, struct error *error)
{
    int code = check_numbers(settings, error);

    if (code == 0)
        code = check_scratch(settings, error);
    if (code == 0)
        code = check_file_set(settings, error);
    if (code == 0)
        code = check_injection(settings, error);
    return code ? code : check_versus(settings, error);
}
