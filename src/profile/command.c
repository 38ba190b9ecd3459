/* The command 'nfsbench profile', which shows the NFS traffic in a capture. */
#include <errno.h>

#include "job/command.h"
#include "output/form/file.h"
#include "profile/traffic.h"
#include "profile/workload_plan.h"

static struct {
    const char *filter;
    bool keep_names;
} own;

static const struct option_entry own_options[] = {
    {"output", 'o', OPTION_FILE, SECTION_OUTPUT, OPTION_SHARES(output), .value = "WORKLOAD",
     .help = "also write the workload to WORKLOAD as JSON: what 'nfsbench TARGET mix:WORKLOAD' "
             "needs to make similar calls, without data; - means standard output",
     .acts = true},
    {"keep-names", 0, OPTION_FLAG, SECTION_OUTPUT, OPTION_SETS(own.keep_names),
     .help = "include the names of the most used files in WORKLOAD, and print them with -v"},
    {"filter", 0, OPTION_TEXT, SECTION_OUTPUT, OPTION_SETS(own.filter), .value = "FILTER",
     .help =
         "read only packets that match FILTER in tshark's syntax, such as 'ip.addr == 10.0.0.7'"},
    {NULL},
};

/* Print PROFILE, a struct captured. With --verbose, print the workload, too, if it has ops. */
static void print_profile(const struct options *options, const void *profile, FILE *text)
{
    const struct workload *workload = &((const struct captured *)profile)->workload;

    view_write_text(&view_profile, profile, options->verbose, text);
    if (options->verbose && workload->op_count)
        view_print_lines(&view_workload, view_workload.head, workload, true, text);
}

static int write_workload(const char *path, const struct captured *captured, struct error *error)
{
    char lack[FIELD_ROOM];

    if (!path)
        return 0;
    if (captured->workload.op_count == 0)
        return error_set(error, ERROR_FAILED, -ENODATA, "%.200s: %s", captured->profile.path,
                         workload_describe_lack(&captured->workload, lack));
    return file_write(workload_write, &captured->workload, "--output", path, error);
}

static int run_profile(const struct options *options, int *status, struct error *error)
{
    static struct captured captured;
    struct error next;
    int code;

    if (options->word_count != 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected one capture, such as 'traffic.pcap'; see 'nfsbench profile "
                         "--help'");
    code = forms_check(options, RESULT_PROFILE, NULL, error);
    if (code == 0 && options->output)
        code = file_check("--output", options->output, error);
    if (code == 0)
        code = traffic_read(&captured, options->words[0], own.filter, own.keep_names, error);
    if (code)
        return code;
    code = forms_show(options, RESULT_PROFILE, &captured, print_profile, error);
    return forms_next_error(code, error, write_workload(options->output, &captured, &next), &next);
}

static const struct view *const views[] = {&view_profile, &view_workload, NULL};

const struct command command_profile = {
    .purpose = PURPOSE_UNDERSTAND,
    .groups = GROUP_FORMS,
    .words = WORDS_FILE,
    .own = own_options,
    .views = views,
    .name = "profile",
    .usage = "nfsbench profile [options] CAPTURE",
    .summary = "show the NFS traffic of a capture by procedure, with latencies",
    .about =
        "Reads a capture with tshark (pcap, pcapng or another format; - is standard input) and "
        "prints calls, replies, errors, latencies and bytes of each NFSv3 procedure. Calls and "
        "replies are matched by connection and xid. If a capture lacks packets, begins inside a "
        "connection, or has truncated packets, it is read as far as possible, and the missing "
        "parts are counted. Other programs and versions, such as MOUNT or NFSv4, are only counted. "
        "Whole packets (tcpdump -s 0) have all calls. A snap length such as 256 makes smaller "
        "files, but loses calls and replies that begin later in a packet, which are most of them "
        "if several are in flight on a connection, or if WRITEs or READs of many packets follow "
        "each other.\n\nWith --verbose, it also prints the arrival process of the calls, the files "
        "and directories they used, and the bytes they moved. With -o, it writes these as a "
        "workload for 'nfsbench TARGET mix:WORKLOAD'; a workload does not identify users or hosts, "
        "and has no names unless --keep-names is given.",
    .status = "0 printed, 1 no NFSv3 call in the capture (-o: none but NULL), 2 usage, a capture "
              "that can't be read, or no tshark.",
    .examples = "  tcpdump -i eth0 -s 0 -w nfs.pcap port 2049    (as root)\n"
                "  nfsbench profile nfs.pcap\n"
                "  nfsbench profile nfs.pcap -o workload.json\n",
    .plan_file = workload_plan,
    .run = run_profile,
};
