/* nfsbench profile: what NFS traffic a capture holds. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture_file.h"
#include "cli/command.h"
#include "output/terminal.h"

static int print(const struct options *options, const struct profile *profile, struct error *error)
{
    FILE *text = terminal_begin_text(stdout);

    if (!forms_on_stdout(options->forms))
        profile_print(profile, text);
    terminal_end_text(text);
    if (fflush(stdout) != 0)
        return error_set(error, ERROR_FAILED, -EIO, "writing the profile: %s", strerror(errno));
    return forms_write(options->forms, RESULT_PROFILE, profile, error);
}

static int run(const struct options *options, int *status, struct error *error)
{
    struct profile *profile;
    int code;

    if (options->word_count != 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected one capture, such as 'traffic.pcap'; see 'nfsbench profile "
                         "--help'");
    code = forms_check(options->forms, &(struct existing_run){.kind = RESULT_PROFILE}, error);
    if (code)
        return code;
    profile = calloc(1, sizeof *profile);
    if (!profile)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a profile");
    code = capture_file_profile(profile, options->words[0], error);
    if (code == 0)
        code = print(options, profile, error);
    free(profile);
    return code;
}

const struct command command_profile = {
    .bit = COMMAND_PROFILE,
    .name = "profile",
    .usage = "nfsbench profile [options] CAPTURE",
    .summary = "show the NFS traffic of a capture by procedure, with latencies",
    .about =
        "Reads a capture by tcpdump or Wireshark (pcap or pcapng; - is standard input) and prints, "
        "for each procedure of NFSv3, calls, replies, errors, latencies and bytes. Calls and "
        "replies are matched by connection and xid. TCP streams are put together as their "
        "receivers did; where the capture lacks packets, begins inside a connection, or has cut "
        "packets, it is read as far as possible, and what is missing is counted. Other programs "
        "and "
        "versions, such as MOUNT or NFSv4, are counted only.",
    .status = "0, 1 no call of NFSv3 in the capture, 2 usage, or no capture that can be read.",
    .examples = "  tcpdump -i eth0 -s 256 -w nfs.pcap port 2049    (as root)\n"
                "  nfsbench profile nfs.pcap\n"
                "  nfsbench profile nfs.pcap --json profile.json\n",
    .run = run,
};
