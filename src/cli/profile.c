/* nfsbench profile: what NFS traffic a capture holds. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/traffic.h"
#include "cli/command.h"
#include "output/file.h"
#include "output/terminal.h"

enum { OBJECTS = 1 << 17 /* that a workload tells apart */ };

static bool is_on_stdout(const struct options *options)
{
    const char *workload = options->profile.workload;

    return forms_on_stdout(options->forms) || (workload && strcmp(workload, "-") == 0);
}

static void print_workload(const struct workload *workload)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return;
    workload_print(workload, out);
    if (fclose(out) == 0)
        terminal_print_text(text, stdout);
    free(text);
}

/* A capture may have nothing but NULLs, of which no workload is made. */
static void print_all(const struct options *options, const struct profile *profile,
                      const struct workload *workload)
{
    view_write_text(&view_profile, profile, options->verbose, stdout);
    if (!options->profile.summary && workload->mix.count)
        print_workload(workload);
}

static int print(const struct options *options, const struct profile *profile,
                 const struct workload *workload, struct error *error)
{
    if (!is_on_stdout(options))
        print_all(options, profile, workload);
    return forms_write(options->forms, RESULT_PROFILE, profile, error);
}

static int write_workload(const char *path, const struct profile *profile,
                          const struct workload *workload, struct error *error)
{
    if (!path)
        return 0;
    if (workload->mix.count == 0)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "%.200s: a workload needs calls other than NULL", profile->path);
    return file_write(workload_write, workload, "--output", path, error);
}

static int show(const struct options *options, struct profile *profile, struct workload_fill *fill,
                struct error *error)
{
    static struct workload workload;
    struct error next;
    int code = profile && fill
                   ? 0
                   : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a profile");

    if (code == 0)
        code = traffic_read(profile, fill, options->words[0], options->profile.filter, error);
    if (code)
        return code;
    profile_finish(profile);
    workload_fill_finish(fill, profile_seconds(profile), &workload);
    code = print(options, profile, &workload, error);
    return forms_next_error(
        code, error, write_workload(options->profile.workload, profile, &workload, &next), &next);
}

static int run(const struct options *options, int *status, struct error *error)
{
    const char *workload = options->profile.workload;
    struct workload_fill *fill;
    struct profile *profile;
    int code;

    if (options->word_count != 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected one capture, such as 'traffic.pcap'; see 'nfsbench profile "
                         "--help'");
    code = forms_check(options, RESULT_PROFILE, NULL, error);
    if (code == 0 && workload)
        code = file_check("--output", workload, error);
    if (code)
        return code;
    profile = calloc(1, sizeof *profile);
    fill = workload_fill_open(OBJECTS, options->profile.keep_names);
    code = show(options, profile, fill, error);
    workload_fill_close(fill);
    free(profile);
    return code;
}

const struct command command_profile = {
    .bit = COMMAND_PROFILE,
    .name = "profile",
    .usage = "nfsbench profile [options] CAPTURE",
    .summary = "show the NFS traffic of a capture by procedure, with latencies",
    .about =
        "Has tshark read a capture (pcap, pcapng and others; - is standard input) and prints, "
        "for each procedure of NFSv3, calls, replies, errors, latencies and bytes. Calls and "
        "replies are matched by connection and xid. Where the capture lacks packets, begins inside "
        "a connection, or has cut packets, it is read as far as possible, and what is missing is "
        "counted. Other programs and versions, such as MOUNT or NFSv4, are counted only.\n\n"
        "Below that it says how the calls came, what they were applied to, and how many bytes they "
        "moved (not with --summary). A workload (-o) has that for 'nfsbench TARGET mix:WORKLOAD'; "
        "in it nothing "
        "says whose the calls were, unless --keep-names is given.",
    .status =
        "0, 1 no call of NFSv3 in the capture, 2 usage, no capture that can be read, or no tshark.",
    .examples = "  tcpdump -i eth0 -s 256 -w nfs.pcap port 2049    (as root)\n"
                "  nfsbench profile nfs.pcap\n"
                "  nfsbench profile nfs.pcap -o workload.json\n",
    .run = run,
};
