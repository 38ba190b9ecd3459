/* The shared options, in the order of the help. If an option has another meaning in a command, the
 * command has its own option of this name. Each entry here begins with name, letter, kind, section,
 * groups, member, value's name (or NULL), and help. */
#include "job/option_table.h"

#include <stddef.h>

#include "common/receive_window.h"
#include "engine_list.h"
#include "job/command.h"
#include "output/view/terminal.h"

const struct option_choice
    option_protocols[] = {{"tcp", TRANSPORT_TCP}, {"udp", TRANSPORT_UDP}, {0}},
    option_flavors[] = {{"sys", RPC_FLAVOR_SYS},     {"none", RPC_FLAVOR_NONE},
                        {"krb5", RPC_FLAVOR_KRB5},   {"krb5i", RPC_FLAVOR_KRB5I},
                        {"krb5p", RPC_FLAVOR_KRB5P}, {0}},
    option_transports_security[] = {
        {"none", RPC_XPRTSEC_NONE}, {"tls", RPC_XPRTSEC_TLS}, {"mtls", RPC_XPRTSEC_MTLS}, {0}};

static const struct option_choice arrivals[] = {{"poisson", ARRIVALS_POISSON},
                                                {"constant", ARRIVALS_CONSTANT},
                                                {0}},
                                  clocks[] = {{"tsc", 0},
                                              {"monotonic", 0},
                                              {"monotonic-raw", 0},
                                              {0}},
                                  colours[] = {{"auto", TERMINAL_COLOURS_AUTO},
                                               {"always", TERMINAL_COLOURS_ALWAYS},
                                               {"never", TERMINAL_COLOURS_NEVER},
                                               {0}},
                                  shells[] = {{"bash", 0}, {0}};

#define HOUR_NS   UINT64_C(3600000000000)
#define TO(field) offsetof(struct options, field), sizeof(((const struct options *)NULL)->field)

/* The option that writes a result in form NAME_. A command with GROUP_FORMS that does not write the
 * form leaves the option out of its help, but parses it, and then refuses it with a message that
 * names the forms of the command's results. */
#define FORM_ENTRY(name_, letter_, groups_, value_, help_)                                         \
    {#name_,                                                                                       \
     letter_,                                                                                      \
     OPTION_FILE,                                                                                  \
     SECTION_OUTPUT,                                                                               \
     groups_,                                                                                      \
     TO(forms[FORM_##name_]),                                                                      \
     value_,                                                                                       \
     "write " help_ "; - means standard output",                                                   \
     .silent = GROUP_FORMS,                                                                        \
     .acts = true},

const struct option_entry option_table[] = {
    {"size", 's', OPTION_SIZE, SECTION_CALLS, GROUP_POINT, TO(plan.read_size), "BYTES",
     "bytes in a READ or WRITE (default 4096)", .minimum = 1, .maximum = 16 << 20, .varies = true},
    {"offset", 0, OPTION_OFFSET, SECTION_CALLS, GROUP_MEASURING, TO(plan.read_offset), "BYTES",
     "offset at which a READ starts (default 0)", .varies = true},
    {"verify", 0, OPTION_FLAG, SECTION_CALLS, GROUP_MEASURING, TO(plan.verify), NULL,
     "check data and changes: compare each READ's data, read back each WRITE after a COMMIT, look "
     "up each name and time that was changed"},
    {"file", 'f', OPTION_TEXT, SECTION_CALLS, GROUP_MEASURING, TO(plan.file), "PATH",
     "file to use, below TARGET (default: the first one found)"},
    {"pattern", 0, OPTION_OTHER, SECTION_CALLS, GROUP_MEASURING, TO(plan.working_set.pattern),
     "NAME",
     "order in which calls access the files or their blocks: same, sequential, random, zipf:S or "
     "stride:N (default: random with --files, else same)",
     .parse = option_parse_pattern, .varies = true},
    {"working-set", 0, OPTION_OTHER, SECTION_CALLS, GROUP_MEASURING, TO(plan.working_set.extent),
     "BYTES|N",
     "access only the first BYTES (such as 64Mi) or the first N files (such as 100) (default: all)",
     .parse = option_parse_extent, .varies = true},
    {"tree", 0, OPTION_TEXT, SECTION_CALLS, GROUP_MEASURING, TO(plan.tree), "PATH",
     "access the existing files below PATH, a directory below TARGET, instead of test files, and "
     "only read them",
     .excludes = {{"file|offset", "accesses many files"}}},
    {"cold", 0, OPTION_FLAG, SECTION_CALLS, COMMAND_RUN, TO(plan.working_set.once), NULL,
     "access each file or block once at most, without warm-up, cost model and ledger, and end "
     "after the last one",
     .silent = COMMAND_MPI,
     .excludes = {{"versus|launches", "accesses each file or block only once"},
                  {"precision|max-time", "ends after the last file or block, or after COUNT"}}},

    {"precision", 0, OPTION_OTHER, SECTION_COUNT, GROUP_POINT, TO(plan.precision), "P",
     "measure until every confidence interval is as narrow as P, such as 0.5% or 5ns, unless COUNT "
     "is given (default 1%,20ns: the wider of the two; phases and states: 4% of a call's lifetime)",
     .parse = option_parse_precision},
    {"max-time", 0, OPTION_TIME, SECTION_COUNT, COMMANDS_RUN, TO(plan.maximum_ns), "TIME",
     "end after TIME at the latest, from start to exit, unless COUNT is given (default 10s; with "
     "--vary 600ms for each trial of a point)"},
    {"interval", 0, OPTION_TIME, SECTION_COUNT, COMMAND_RUN, TO(plan.interval_ns), "TIME",
     "print rates and latencies of each TIME, such as 1s, during the run; on a terminal only the "
     "latest",
     .minimum = 1000 * 1000,
     .excludes = {{"versus|server-start", "is for one launch and one side"}}},
    {"interval-log", 0, OPTION_FILE, SECTION_COUNT, COMMAND_RUN, TO(interval_log), "FILE",
     "write the lines of --interval to FILE: as CSV if its name ends in .csv, as OpenMetrics (only "
     "the latest interval) if it ends in .prom, else as JSON lines",
     .needs = {"interval"}, .acts = true},
    {"block", 0, OPTION_NUMBER, SECTION_COUNT, GROUP_MEASURING, TO(plan.block), "N",
     "calls per block (default 100, or fewer if the server is slow)", .minimum = 1},
    {"wait-quiet", 0, OPTION_TIME, SECTION_COUNT, GROUP_MEASURING, TO(wait_quiet_ns), "TIME",
     "wait until no processor has been busy for two seconds; fail after TIME, or after --max-time "
     "if that comes first"},
    {"no-warmup", 0, OPTION_FLAG, SECTION_COUNT, GROUP_MEASURING, TO(plan.no_warmup), NULL,
     "count all calls from the first one on (default: drop rounds until their level is steady)"},
    {"seed", 0, OPTION_COUNT, SECTION_COUNT, GROUP_MEASURING, TO(plan.seed), "N",
     "seed for the random order of the blocks, to repeat a run (default: random; recorded in the "
     "result)"},
    {"launches", 0, OPTION_OTHER, SECTION_COUNT, GROUP_LAUNCHES, TO(launches), "N|SxC",
     "divide the calls or the time among N launches, each a new process of the client and, if "
     "nfsbench starts it, of the server; SxC: C client processes for each of S server processes "
     "(default: 5, or 10 of self:, if a result is written and the launches are long enough, else "
     "1)",
     .parse = option_parse_launches},
    {"over", 0, OPTION_TIME, SECTION_COUNT, GROUP_LAUNCHES, TO(plan.over_ns), "TIME",
     "spread the launches evenly over TIME, such as 10min, with idle time between them, so that "
     "the intervals include changes during TIME (default: no idle time)",
     .minimum = 1000 * 1000 * 1000,
     .excludes = {{"interval|cold|find-max", "is for several launches"}}},
    {"server-start", 0, OPTION_TEXT, SECTION_COUNT, GROUP_LAUNCHES, TO(plan.server_start),
     "COMMAND",
     "run COMMAND to start the server for each launch (in an experiment, for each trial), and stop "
     "the server afterwards",
     .excludes = {{"server-pid", "starts a process whose ID is not known yet"}}, .varies = true,
     .acts = true},
    {"launch", 0, OPTION_OTHER, SECTION_HIDDEN, GROUP_LAUNCHES, TO(launch), "ORDER",
     "internal: run as one of the launches", .parse = option_parse_launch, .acts = true},

    {"clients", 'c', OPTION_NUMBER, SECTION_LOAD, GROUP_POINT, TO(plan.load_request.clients), "N",
     "number of concurrent clients, each with its own connections (default 1)", .minimum = 1,
     .varies = true},
    {"connections", 0, OPTION_NUMBER, SECTION_LOAD, GROUP_MEASURING,
     TO(plan.load_request.connections), "N", "connections per client, as with nconnect (default 1)",
     .minimum = 1, .varies = true},
    {"depth", 'd', OPTION_NUMBER, SECTION_LOAD, GROUP_POINT, TO(plan.load_request.depth), "N",
     "calls in flight on each connection (default 1; with --rate: up to 1024)", .minimum = 1,
     .varies = true},
    {"batch", 0, OPTION_NUMBER, SECTION_LOAD, GROUP_ENGINE, TO(plan.load_request.batch), "N",
     "over TCP, sleep until N replies have arrived; saves processor time, but each latency "
     "includes the wait for the last of the N (default 1)",
     .minimum = 1, .varies = true},
    {"rate", 'r', OPTION_RATE, SECTION_LOAD, GROUP_POINT, TO(plan.load_request.rate), "N",
     "open loop: send N calls per second in total without waiting for replies, and count latencies "
     "from the time when a call was due (default: closed loop)",
     .minimum = 1, .maximum = 100 * 1000 * 1000, .varies = true},
    {"arrival", 0, OPTION_CHOICE, SECTION_LOAD, GROUP_MEASURING, TO(plan.load_request.arrival),
     "NAME", "arrival process of the calls of --rate: poisson (default) or constant",
     .choices = arrivals, .needs = {"rate|find-max"}, .varies = true},
    {"threads", 0, OPTION_NUMBER, SECTION_LOAD, GROUP_MEASURING, TO(plan.load_request.threads), "N",
     "number of threads, among which the clients are divided (default: one per processor; one if "
     "calls are traced)",
     .minimum = 1, .maximum = 4096, .varies = true},
    {"pin", 0, OPTION_OTHER, SECTION_LOAD, GROUP_ENGINE, TO(plan.load_request.cpus), "CPUS",
     "bind the threads to these processors in turn, such as 0-3,6 (default: not bound; with self: "
     "to all processors but the server's)",
     .parse = option_parse_cpus, .varies = true},

    {"engine", 'e', OPTION_OTHER, SECTION_METHOD, GROUP_ENGINE, TO(plan.engine), "NAME",
     "RPC implementation that makes the calls: " ENGINE_NAMES, .silent = GROUP_MEASURING,
     .parse = option_parse_engine, .varies = true},
    {"spin", 0, OPTION_FLAG, SECTION_METHOD, GROUP_MEASURING, TO(plan.spin), NULL,
     "poll the socket for replies instead of sleeping", .varies = true},
    {"count-resent", 0, OPTION_FLAG, SECTION_METHOD, GROUP_ENGINE, TO(plan.count_resent), NULL,
     "include calls that were sent again in the latencies, counted from the first transmission "
     "(default: only with --rate; their gaps are listed in either case)"},
    {"let-sleep", 0, OPTION_FLAG, SECTION_METHOD, GROUP_MEASURING, TO(plan.let_sleep), NULL,
     "let idle processors sleep (default: keep them awake by /dev/cpu_dma_latency)",
     .varies = true},
    {"one-processor", 0, OPTION_FLAG, SECTION_METHOD, COMMAND_RUN, TO(one_processor), NULL,
     "bind the client and the server that nfsbench starts to one processor, the least busy one",
     .excludes = {{"spin", "makes the server wait while the client polls"},
                  {"rate", "makes calls wait for the server even when they are due"},
                  {"pin", "binds all threads to one processor"},
                  {"vary", "is for a measurement of one side, or of two by --versus"}}},
    {"clock", 0, OPTION_NAME, SECTION_METHOD, GROUP_MEASURING, TO(plan.clock_name), "NAME",
     "clock for all times: tsc (default if it can be trusted), monotonic or monotonic-raw",
     .choices = clocks},

    {"no-baseline", 0, OPTION_FLAG, SECTION_BESIDE, COMMANDS_RUN, TO(plan.no_baseline), NULL,
     "measure the ops only, without null calls as a baseline", .silent = GROUP_MEASURING},
    {"baseline-dir", 0, OPTION_FILE, SECTION_BESIDE, COMMAND_RUN, TO(plan.baseline_directory),
     "DIR",
     "measure read, write and commit also on files in the local directory DIR, in the same rounds, "
     "and print how many times slower NFS is (with --versus: the first side)",
     .excludes = {{"rate|tree|cold", "is for a closed loop on files that the run makes"}},
     .acts = true},
    {"baseline-direct", 0, OPTION_FLAG, SECTION_BESIDE, COMMAND_RUN, TO(plan.baseline_direct), NULL,
     "bypass this machine's page cache for the files of --baseline-dir (O_DIRECT)",
     .needs = {"baseline-dir"}, .acts = true},
    {"no-model", 0, OPTION_FLAG, SECTION_BESIDE, COMMAND_RUN, TO(plan.no_model), NULL,
     "skip the cost model: the calls of chosen lengths that separate the cost of bytes from the "
     "server's work, and exchanges with a bare echo on the server's processor",
     .silent = GROUP_MEASURING},
    {"no-ledger", 0, OPTION_FLAG, SECTION_BESIDE, COMMAND_RUN, TO(plan.no_ledger), NULL,
     "skip the ledger: the counts of interrupts, context switches and packets after the rounds",
     .silent = GROUP_MEASURING},
    {"server-pid", 0, OPTION_NUMBER, SECTION_BESIDE, GROUP_SERVER, TO(plan.server_pid), "N",
     "process ID of the server on this machine (default: found by its port)",
     .excludes = {{"server-cmd", "is for a server on this machine"}}},
    {"server-cmd", 0, OPTION_TEXT, SECTION_BESIDE, GROUP_SERVER, TO(plan.server_command), "COMMAND",
     "prefix that runs a command on the server's machine, such as 'ssh server', to measure the "
     "server's side there",
     .acts = true},

    {"proto", 'p', OPTION_CHOICE, SECTION_TRANSPORT, GROUP_CALLING, TO(proto), "NAME",
     "transport protocol: tcp (default) or udp", .choices = option_protocols, .varies = true},
    {"port", 0, OPTION_PORT, SECTION_TRANSPORT, GROUP_CALLING, TO(port), "N",
     "NFS port (default: ask the port mapper)"},
    {"mount-port", 0, OPTION_PORT, SECTION_TRANSPORT, GROUP_CALLING, TO(mount_port), "N",
     "MOUNT port (default: ask the port mapper)"},
    {"sec", 0, OPTION_CHOICE, SECTION_TRANSPORT, GROUP_SECURITY, TO(plan.identity.flavor), "FLAVOR",
     "security flavor, as mount's sec=: sys (default), none, krb5, krb5i or krb5p; the last three "
     "need a ticket (kinit)",
     .choices = option_flavors, .varies = true},
    {"xprtsec", 0, OPTION_CHOICE, SECTION_TRANSPORT, GROUP_SECURITY, TO(plan.tls.how), "HOW",
     "transport security, as mount's xprtsec=: none (default), tls, or mtls (with a client "
     "certificate)",
     .choices = option_transports_security, .varies = true},
    {"uid", 0, OPTION_NUMBER, SECTION_TRANSPORT, GROUP_CALLING, TO(plan.identity.uid), "N",
     "user ID in AUTH_SYS (default: your own)", .varies = true},
    {"gid", 0, OPTION_NUMBER, SECTION_TRANSPORT, GROUP_CALLING, TO(plan.identity.gid), "N",
     "group ID in AUTH_SYS, without supplementary groups (default: your own)", .varies = true},
    {"no-resvport", 0, OPTION_FLAG, SECTION_TRANSPORT, GROUP_CALLING, TO(plan.no_reserved_port),
     NULL, "use a source port of 1024 or above (default: below 1024 if allowed)"},
    {"timeout", 't', OPTION_TIME, SECTION_TRANSPORT, GROUP_MEASURING, TO(plan.timeout_ns), "TIME",
     "time to wait for a reply (default 10s over TCP; 1s over UDP, doubled after each "
     "retransmission)",
     .maximum = HOUR_NS},
    {"retrans", 0, OPTION_NUMBER, SECTION_TRANSPORT, GROUP_MEASURING, TO(plan.retransmissions), "N",
     "over UDP, maximum number of retransmissions of a call (default 3)", .maximum = 16},
    {"receive-window", 0, OPTION_SIZE, SECTION_TRANSPORT, GROUP_MEASURING, TO(plan.receive_window),
     "SIZE",
     "over TCP, receive window of each connection, about SIZE bytes (default: the kernel enlarges "
     "it as needed)",
     .minimum = RECEIVE_WINDOW_MINIMUM, .maximum = RECEIVE_WINDOW_MAXIMUM, .varies = true},

    {"scratch", 0, OPTION_TEXT, SECTION_SCRATCH, GROUP_SCRATCH, TO(plan.scratch), "NAME",
     "name of the scratch directory, which must not exist yet (default .nfsbench-HOST-PID-RANDOM)",
     .excludes = {{"versus", "names one directory, and two sides need two"}}},
    {"keep-scratch", 0, OPTION_FLAG, SECTION_SCRATCH, GROUP_SCRATCH, TO(plan.keep_scratch), NULL,
     "keep the scratch directory when the run ends"},
    {"cleanup-timeout", 0, OPTION_TIME, SECTION_SCRATCH, GROUP_SCRATCH, TO(plan.cleanup_timeout_ns),
     "TIME",
     "time limit for removing the scratch directory (default 10s, or twice the time that filling "
     "it took if that is longer and the run was not interrupted)"},
    {"files", 0, OPTION_NUMBER, SECTION_SCRATCH, GROUP_MEASURING, TO(plan.files), "N",
     "make N files in the scratch directory, and spread getattr, setattr, lookup, access, read, "
     "write and pathconf over them",
     .excludes = {{"file|offset", "makes files of its own"}}},
    {"file-size", 0, OPTION_OFFSET, SECTION_SCRATCH, GROUP_MEASURING, TO(plan.file_size), "BYTES",
     "bytes in each file of --files (default 64KiB, or --size if that is more)",
     .needs = {"files"}},
    {"dir-size", 0, OPTION_NUMBER, SECTION_SCRATCH, GROUP_MEASURING, TO(plan.directory_size), "N",
     "entries in the scratch directory while calls are timed; lookup, readdir and readdirplus are "
     "then applied to it, too (default 4)"},

    {"self-args", 0, OPTION_OTHER, SECTION_SERVER, GROUP_CALLING, TO(plan.server_arguments),
     "OPTIONS",
     "options of 'nfsbench serve' for the server of self:, such as '--cost getattr=2us --threads "
     "1'; 'nfsbench help faults' lists the faults that it can inject",
     .parse = option_parse_self_arguments, .varies = true},

    FORMS(FORM_ENTRY){"force", 0, OPTION_FLAG, SECTION_PRINTED, GROUP_FORMS | GROUP_FORCE,
                      TO(force), NULL,
                      "overwrite any file (default: only an earlier JSON result of the same kind, "
                      "target, ops and machine)",
                      .acts = true},
    {"no-hostname", 0, OPTION_FLAG, SECTION_PRINTED, GROUP_MEASURING, TO(plan.no_hostname), NULL,
     "leave this machine's name out of the result"},
    {"hist", 0, OPTION_FLAG, SECTION_PRINTED, COMMANDS_RUN | GROUP_HISTOGRAMS, TO(histograms), NULL,
     "print a histogram of each op's latencies by powers of two below the table; of two files, "
     "side by side"},
    {"quiet", 'q', OPTION_FLAG, SECTION_PRINTED, GROUP_CALLING, TO(plan.quiet), NULL,
     "print no table and no progress"},
    {"verbose", 'v', OPTION_FLAG, SECTION_PRINTED, GROUP_FORMS, TO(verbose), NULL,
     "print more figures, and what the columns mean"},
    {"wide", 0, OPTION_FLAG, SECTION_PRINTED, GROUP_FORMS | GROUP_WIDTH, TO(wide), NULL,
     "print every column of a table and don't break lines, whatever the terminal's width"},
    {"color", 0, OPTION_CHOICE, SECTION_PRINTED, GROUP_FORMS | GROUP_COLOURS, TO(colours), "WHEN",
     "colour verdicts and differences: always, never, or auto (default), which means on a terminal "
     "unless NO_COLOR is set",
     .choices = colours},
    {"allow-suspect", 0, OPTION_FLAG, SECTION_PRINTED, GROUP_JUDGED, TO(allow_suspect), NULL,
     "exit with status 0 even if the verdict is suspect"},

    {"strict", 0, OPTION_FLAG, SECTION_PRINTED, GROUP_MEASURING, TO(plan.strict), NULL,
     "end the run if the server lacks an op of the mix, an op fails during the run, or bytes "
     "follow a result"},

    {"help", 'h', OPTION_FLAG, SECTION_GENERAL, GROUP_ALL, TO(help), NULL, "print this help"},
    {"version", 'V', OPTION_FLAG, SECTION_GENERAL, COMMANDS_RUN, TO(version), NULL,
     "print the version and the optional parts that were built in"},
    {"completion", 0, OPTION_NAME, SECTION_HIDDEN, COMMAND_RUN, TO(completion), "SHELL",
     "print a completion script for the shell", .choices = shells},
    {0},
};

_Static_assert(sizeof option_table / sizeof *option_table <= OPTIONS_MAXIMUM,
               "options.given has a place for each option");
