/* The command 'nfsbench profile': the NFS traffic in a capture. */
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
     .help = "also write what is needed to make such calls, without data, to the file of JSON "
             "WORKLOAD; - means standard output",
     .acts = true},
    {"keep-names", 0, OPTION_FLAG, SECTION_OUTPUT, OPTION_SETS(own.keep_names),
     .help = "write the names of the most used files to WORKLOAD, and print them with -v"},
    {"filter", 0, OPTION_TEXT, SECTION_OUTPUT, OPTION_SETS(own.filter), .value = "FILTER",
     .help =
         "leave out packets that FILTER does not match, such as 'ip.addr == 10.0.0.7' (as tshark)"},
    {NULL},
};

/* A capture with only NULL calls has no workload. */
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
        "Has tshark read a capture (pcap, pcapng and others; - is standard input) and prints, "
        "for each procedure of NFSv3, calls, replies, errors, latencies and bytes. Calls and "
        "replies are matched by connection and xid. Where the capture lacks packets, begins inside "
        "a connection, or has cut packets, it is read as far as possible, and what is missing is "
        "counted. Other programs and versions, such as MOUNT or NFSv4, are counted only. Whole "
        "packets (tcpdump -s 0) show all calls. A snap length such as 256 makes smaller files, but "
        "loses calls and replies that begin later in a packet: most of them where several are in "
        "flight on a connection, or where WRITEs or READs of many packets follow each other.\n\n"
        "With --verbose it also says how the calls came, what they were applied to, and how many "
        "bytes they moved. A workload (-o) has that for 'nfsbench TARGET mix:WORKLOAD'; in it "
        "nothing says whose the calls were, unless --keep-names is given.",
    .status = "0, 1 no call of NFSv3 in the capture (-o: none but NULL), 2 usage, no capture that "
              "can be read, or no tshark.",
    .examples = "  tcpdump -i eth0 -s 0 -w nfs.pcap port 2049    (as root)\n"
                "  nfsbench profile nfs.pcap\n"
                "  nfsbench profile nfs.pcap -o workload.json\n",
    .plan_file = workload_plan,
    .run = run_profile,
};
