/* The one table of options, in the order of the help: what a line says here is what is parsed,
 * refused, explained and completed. An option that means something else in another command has an
 * entry of its own for that. */
#include <stddef.h>

#include "cli/options.h"
#include "explain/explain.h"
#include "measure/changes.h"
#include "output/sweep.h"
#include "server/server.h"

const char *const option_section_titles[SECTIONS] = {
    [SECTION_SWEEP] = "what is swept",
    [SECTION_EXPLAIN] = "what is explained",
    [SECTION_CALLS] = "what is called",
    [SECTION_COUNT] = "how many calls, and in which order",
    [SECTION_LOAD] = "load",
    [SECTION_METHOD] = "how calls are made",
    [SECTION_BESIDE] = "what is measured beside the ops",
    [SECTION_SIDES] = "two sides",
    [SECTION_TRANSPORT] = "transport and identity",
    [SECTION_SCRATCH] = "scratch directory",
    [SECTION_CLEAN] = "what is removed",
    [SECTION_AGENT] = "what is answered",
    [SECTION_COMPARE] = "comparison",
    [SECTION_HISTORY] = "results over time",
    [SECTION_PICTURE] = "pictures",
    [SECTION_SERVER] = "server",
    [SECTION_INJECTION] = "what the embedded server injects",
    [SECTION_OUTPUT] = "output",
    [SECTION_GENERAL] = "general",
};

static const struct option_choice
    protocols[] = {{"tcp", TRANSPORT_TCP}, {"udp", TRANSPORT_UDP}, {0}},
    flavors[] = {{"sys", RPC_FLAVOR_SYS}, {"none", RPC_FLAVOR_NONE}, {0}},
    arrivals[] = {{"poisson", ARRIVALS_POISSON}, {"constant", ARRIVALS_CONSTANT}, {0}},
    clocks[] = {{"tsc", 0}, {"monotonic", 0}, {"monotonic-raw", 0}, {0}},
    shells[] = {{"bash", 0}, {"zsh", 0}, {"fish", 0}, {0}};

#define HOUR_NS      UINT64_C(3600000000000)
#define TO(field)    .offset = offsetof(struct options, field)
#define OF(set)      .commands = (set)
#define TABLE_LENGTH (sizeof table / sizeof table[0])

/* A form's two entries: a measuring command writes it to a file, compare and history print it.
 * Those whose results have no such form take it in silence, and refuse it by what they have
 * instead. */
#define FORM_TO_FILE(name_, letter_, commands_, value_, help_)                                     \
    {#name_,                                                                                       \
     letter_,                                                                                      \
     OPTION_FILE,                                                                                  \
     SECTION_OUTPUT,                                                                               \
     OF((commands_)&COMMANDS_MEASURING),                                                           \
     .silent = COMMANDS_MEASURING & ~(commands_),                                                  \
     TO(forms[FORM_##name_]),                                                                      \
     .value = value_,                                                                              \
     .help = "write " help_ "; - stands for standard output"},
#define FORM_TO_STANDARD_OUTPUT(name_, letter_, commands_, value_, help_)                          \
    {#name_,                                                                                       \
     letter_,                                                                                      \
     OPTION_FLAG,                                                                                  \
     SECTION_OUTPUT,                                                                               \
     OF((commands_)&COMMANDS_PRINTING),                                                            \
     .silent = COMMANDS_PRINTING & ~(commands_),                                                   \
     TO(printed[FORM_##name_]),                                                                    \
     .help = "print " help_},

static const struct option_entry table[] = {
    /* A sweep's lists */
    {"clients", 'c', OPTION_OTHER, SECTION_SWEEP, OF(COMMAND_SWEEP),
     TO(sweep.ranges[SWEEP_CLIENTS]), .value = "LIST",
     .help = "clients at once: values such as 1,2,4,8,12, or a range such as 1..16, by doublings",
     .parse = option_parse_range},
    {"depth", 'd', OPTION_OTHER, SECTION_SWEEP, OF(COMMAND_SWEEP), TO(sweep.ranges[SWEEP_DEPTH]),
     .value = "LIST", .help = "calls in flight on each connection, such as 1..64",
     .parse = option_parse_range},
    {"size", 's', OPTION_OTHER, SECTION_SWEEP, OF(COMMAND_SWEEP), TO(sweep.ranges[SWEEP_SIZE]),
     .value = "LIST", .help = "bytes in a READ or WRITE, such as 512..1M",
     .parse = option_parse_range},
    {"rate", 'r', OPTION_OTHER, SECTION_SWEEP, OF(COMMAND_SWEEP), TO(sweep.ranges[SWEEP_RATE]),
     .value = "LIST",
     .help = "calls per second, such as 1k..64k, or shares of what a closed loop reaches, such as "
             "10%..100%",
     .parse = option_parse_shares},
    {"find-max", 0, OPTION_OTHER, SECTION_SWEEP, OF(COMMAND_SWEEP), TO(sweep.find_max),
     .value = "OBJECTIVE",
     .help = "instead: find the highest rate that holds OBJECTIVE, such as p99<1ms; the figure is "
             "p50, p90, p99, p999, p9999, mean or max",
     .parse = option_parse_objective},
    {"repeat", 0, OPTION_NUMBER, SECTION_SWEEP, OF(COMMAND_SWEEP), TO(sweep.repeats), .value = "N",
     .help = "trials of each point, in random order (default 5)", .minimum = 1,
     .maximum = SWEEP_REPEATS_MAXIMUM},
    {"max-time", 0, OPTION_TIME, SECTION_SWEEP, OF(COMMAND_SWEEP), TO(sweep.trial_ns),
     .value = "TIME", .help = "how long a trial takes without COUNT (default 500ms)"},

    /* What explain explains */
    {"ladder", 0, OPTION_FLAG, SECTION_EXPLAIN, OF(COMMAND_EXPLAIN), TO(explain.ladder),
     .help = "instead of the phases: timer, XDR, bare echo, NULL and OP one above the other, and "
             "what each step adds"},
    {"echo", 0, OPTION_OTHER, SECTION_EXPLAIN, OF(COMMAND_EXPLAIN), TO(explain.echo),
     .value = "HOST:PORT", .parse = option_parse_echo,
     .help = "for the ladder, an 'nfsbench serve --echo' beside the server; without it, one is "
             "started here"},
    {"xdr", 0, OPTION_FLAG, SECTION_EXPLAIN, OF(COMMAND_EXPLAIN), TO(explain.xdr),
     .help = "instead of the phases: encoding and decoding alone, for each OP"},
    {"slowest", 0, OPTION_NUMBER, SECTION_EXPLAIN, OF(COMMAND_EXPLAIN), TO(explain.slowest),
     .value = "N", .help = "what the scheduler did to the N slowest calls (default: none)",
     .minimum = 1, .maximum = EXPLAIN_SLOW_MAXIMUM},
    {"predict", 0, OPTION_FILE, SECTION_EXPLAIN, OF(COMMAND_EXPLAIN), TO(explain.predict),
     .value = "FILE",
     .help = "compare with the ranges that FILE expects of phases, one on a line, such as "
             "'server-work 1us-3us'"},
    {"no-server", 0, OPTION_FLAG, SECTION_EXPLAIN, OF(COMMAND_EXPLAIN), TO(explain.no_server),
     .help = "the client's phases alone, without eBPF"},

    /* What is called */
    {"size", 's', OPTION_SIZE, SECTION_CALLS, OF(COMMANDS_RUN | COMMAND_EXPLAIN), TO(read_size),
     .value = "BYTES", .help = "bytes in a READ or WRITE (default 4096)", .minimum = 1,
     .maximum = 16 << 20},
    {"offset", 0, OPTION_OFFSET, SECTION_CALLS, OF(COMMANDS_MEASURING), TO(read_offset),
     .value = "BYTES", .help = "where a READ starts (default 0)"},
    {"verify", 0, OPTION_FLAG, SECTION_CALLS, OF(COMMANDS_MEASURING), TO(verify),
     .help = "compare the data of every READ with the first one's, and read back what was written"},
    {"file", 'f', OPTION_TEXT, SECTION_CALLS, OF(COMMANDS_MEASURING), TO(file), .value = "PATH",
     .help = "the file to use, below TARGET (default: the first one found)"},

    /* How many, in which order */
    {"precision", 0, OPTION_OTHER, SECTION_COUNT, OF(COMMANDS_RUN | COMMAND_EXPLAIN), TO(precision),
     .value = "P",
     .help = "without COUNT: go on until the intervals are as narrow as P, such as 0.5% or 5ns "
             "(default 1%,20ns: one of the two)",
     .parse = option_parse_precision},
    {"max-time", 0, OPTION_TIME, SECTION_COUNT, OF(COMMANDS_RUN | COMMAND_EXPLAIN), TO(maximum_ns),
     .value = "TIME", .help = "without COUNT: go on for TIME at most (default 10s)"},
    {"block", 0, OPTION_NUMBER, SECTION_COUNT, OF(COMMANDS_MEASURING), TO(block), .value = "N",
     .help = "calls in a block (default 100, and fewer where the server is slow)", .minimum = 1},
    {"no-warmup", 0, OPTION_FLAG, SECTION_COUNT, OF(COMMANDS_MEASURING), TO(no_warmup),
     .help = "count the calls from the first on (default: rounds are dropped until their level is "
             "steady)"},
    {"seed", 0, OPTION_COUNT, SECTION_COUNT, OF(COMMANDS_MEASURING), TO(seed), .value = "N",
     .help = "draw the order of the blocks from N, to repeat a run; each result names its seed"},
    {"launches", 0, OPTION_OTHER, SECTION_COUNT, OF(COMMAND_RUN), TO(launches), .value = "N|SxC",
     .help = "share the calls, or the time, between N launches: fresh processes of the client, and "
             "of the server where it is started here; SxC: C of the client with each of S of the "
             "server (default 5 where a result is written and 5 get 20 rounds or 1s each, else 1)",
     .parse = option_parse_launches},
    {"server-start", 0, OPTION_TEXT, SECTION_COUNT, OF(COMMAND_RUN), TO(server_start),
     .value = "COMMAND",
     .help = "start the server by COMMAND for each launch, and end it afterwards; it is waited for "
             "until it prints a line with 'ready', or TARGET can be mounted"},
    {"launch", 0, OPTION_OTHER, SECTION_HIDDEN, OF(COMMAND_RUN), TO(launch), .value = "ORDER",
     .help = "for the program itself: be one of its launches", .parse = option_parse_launch},

    /* Load */
    {"clients", 'c', OPTION_NUMBER, SECTION_LOAD, OF(COMMANDS_RUN), TO(load.clients), .value = "N",
     .help = "clients at once, each with connections of its own (default 1)", .minimum = 1},
    {"connections", 0, OPTION_NUMBER, SECTION_LOAD, OF(COMMANDS_RUN | COMMAND_SWEEP),
     TO(load.connections), .value = "N",
     .help = "connections of each client, as with nconnect (default 1)", .minimum = 1},
    {"depth", 'd', OPTION_NUMBER, SECTION_LOAD, OF(COMMANDS_RUN), TO(load.depth), .value = "N",
     .help = "calls in flight on each connection (default 1; with --rate: up to 1024)",
     .minimum = 1},
    {"batch", 0, OPTION_NUMBER, SECTION_LOAD, OF(COMMANDS_RUN | COMMAND_SWEEP), TO(load.batch),
     .value = "N",
     .help = "over TCP, sleep until N replies are there (default 1): takes less CPU time, and each "
             "time includes the wait for the other replies",
     .minimum = 1},
    {"rate", 'r', OPTION_RATE, SECTION_LOAD, OF(COMMANDS_RUN), TO(load.rate), .value = "N",
     .help = "open loop: send N calls per second in all, whether or not earlier ones were "
             "answered; times count from when a call was due",
     .minimum = 1, .maximum = 100 * 1000 * 1000},
    {"arrival", 0, OPTION_CHOICE, SECTION_LOAD, OF(COMMANDS_RUN | COMMAND_SWEEP), TO(load.arrival),
     .value = "NAME", .help = "when these calls are due: poisson (default) or constant",
     .choices = arrivals},
    {"threads", 0, OPTION_NUMBER, SECTION_LOAD, OF(COMMANDS_RUN | COMMAND_SWEEP), TO(load.threads),
     .value = "N", .help = "threads that share the clients (default: one for each processor)",
     .minimum = 1, .maximum = 4096},
    {"pin", 0, OPTION_OTHER, SECTION_LOAD, OF(COMMANDS_RUN | COMMAND_SWEEP), TO(load.cpus),
     .value = "CPUS",
     .help = "bind the threads to these processors in turn, such as 0-3,6 (default: none; with "
             "self: all but the server's)",
     .parse = option_parse_cpus},

    /* How calls are made */
    {"engine", 'e', OPTION_OTHER, SECTION_METHOD, OF(COMMANDS_RUN | COMMAND_SWEEP),
     .silent = COMMAND_EXPLAIN, TO(engine), .value = "NAME",
     .help = "what makes the calls: wire (default), tirpc or libnfs", .parse = option_parse_engine},
    {"spin", 0, OPTION_FLAG, SECTION_METHOD, OF(COMMANDS_MEASURING), TO(spin),
     .help = "poll the socket for replies instead of sleeping"},
    {"let-sleep", 0, OPTION_FLAG, SECTION_METHOD, OF(COMMANDS_MEASURING), TO(let_sleep),
     .help = "let idle processors sleep (default: /dev/cpu_dma_latency keeps this machine's "
             "awake)"},
    {"clock", 0, OPTION_NAME, SECTION_METHOD, OF(COMMANDS_MEASURING), TO(clock), .value = "NAME",
     .help = "tsc (default where it can be trusted), monotonic or monotonic-raw",
     .choices = clocks},

    /* What is measured beside the ops */
    {"no-baseline", 0, OPTION_FLAG, SECTION_BESIDE, OF(COMMANDS_RUN),
     .silent = COMMAND_SWEEP | COMMAND_EXPLAIN, TO(no_baseline),
     .help = "measure the ops alone, without null calls to compare with"},
    {"no-model", 0, OPTION_FLAG, SECTION_BESIDE, OF(COMMAND_RUN),
     .silent = COMMAND_MPI | COMMAND_SWEEP | COMMAND_EXPLAIN, TO(no_model),
     .help = "leave out the calls of chosen length that separate the cost of bytes from the "
             "server's work"},
    {"no-ledger", 0, OPTION_FLAG, SECTION_BESIDE, OF(COMMAND_RUN),
     .silent = COMMAND_MPI | COMMAND_SWEEP | COMMAND_EXPLAIN, TO(no_ledger),
     .help = "leave out the count of interrupts, context switches and packets after the rounds"},
    {"server-pid", 0, OPTION_NUMBER, SECTION_BESIDE,
     OF(COMMAND_RUN | COMMAND_SWEEP | COMMAND_EXPLAIN), TO(server_pid), .value = "N",
     .help = "the server's process on this machine, where its port does not find it"},
    {"server-cmd", 0, OPTION_TEXT, SECTION_BESIDE,
     OF(COMMAND_RUN | COMMAND_SWEEP | COMMAND_EXPLAIN), TO(server_command), .value = "COMMAND",
     .help = "what runs a command on the server's machine, such as 'ssh server', to measure there, "
             "too"},

    /* Two sides */
    {"versus", 0, OPTION_OTHER, SECTION_SIDES, OF(COMMAND_RUN), TO(versus), .value = "TARGET2",
     .help = "measure TARGET2, too, in the same rounds, and what differs: network or server",
     .parse = option_parse_target},
    {"versus-proto", 0, OPTION_CHOICE, SECTION_SIDES, OF(COMMAND_RUN), TO(versus_proto),
     .value = "NAME", .help = "the second side's transport; without --versus, of the same target",
     .choices = protocols},
    {"versus-engine", 0, OPTION_OTHER, SECTION_SIDES, OF(COMMAND_RUN), TO(versus_engine),
     .value = "NAME", .help = "the second side's engine, likewise", .parse = option_parse_engine},

    /* Transport and identity */
    {"proto", 'p', OPTION_CHOICE, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(proto),
     .value = "NAME", .help = "tcp (default) or udp", .choices = protocols},
    {"port", 0, OPTION_PORT, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(port), .value = "N",
     .help = "the NFS port (default: the port mapper is asked)"},
    {"mount-port", 0, OPTION_PORT, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(mount_port),
     .value = "N", .help = "the MOUNT port (default: the port mapper is asked)"},
    {"auth", 0, OPTION_CHOICE, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(auth), .value = "NAME",
     .help = "sys (default) or none", .choices = flavors},
    {"uid", 0, OPTION_NUMBER, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(uid), .value = "N",
     .help = "user in AUTH_SYS (default: your own)"},
    {"gid", 0, OPTION_NUMBER, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(gid), .value = "N",
     .help = "group in AUTH_SYS, without supplementary groups (default: your own)"},
    {"no-resvport", 0, OPTION_FLAG, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(no_reserved_port),
     .help = "don't use a source port below 1024, even where privileged to"},
    {"timeout", 't', OPTION_TIME, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(timeout_ns),
     .value = "TIME",
     .help = "how long to wait for a reply (default 10s over TCP; 1s over UDP, and twice as long "
             "each time a call is sent again)",
     .maximum = HOUR_NS},
    {"retrans", 0, OPTION_NUMBER, SECTION_TRANSPORT, OF(COMMANDS_MEASURING), TO(retransmissions),
     .value = "N", .help = "over UDP, how often a call is sent again (default 3)", .maximum = 16},

    /* The scratch directory */
    {"scratch", 0, OPTION_TEXT, SECTION_SCRATCH, OF(COMMANDS_MEASURING), TO(scratch),
     .value = "NAME", .help = "its name, which must be new (default .nfsbench-HOST-PID-RANDOM)"},
    {"keep-scratch", 0, OPTION_FLAG, SECTION_SCRATCH, OF(COMMANDS_MEASURING), TO(keep_scratch),
     .help = "leave it there when the run ends"},
    {"cleanup-timeout", 0, OPTION_TIME, SECTION_SCRATCH, OF(COMMANDS_MEASURING),
     TO(cleanup_timeout_ns), .value = "TIME",
     .help = "how long removing it may take (default 10s; at a run's own end, twice as long as "
             "filling it took if that is more)"},
    {"files", 0, OPTION_NUMBER, SECTION_SCRATCH, OF(COMMANDS_MEASURING), TO(files), .value = "N",
     .help = "make N files in it, and spread getattr, setattr, lookup, access, read, write and "
             "pathconf over them"},
    {"file-size", 0, OPTION_OFFSET, SECTION_SCRATCH, OF(COMMANDS_MEASURING), TO(file_size),
     .value = "BYTES", .help = "bytes in each of them (default 64KiB, or --size if that is more)"},
    {"dir-size", 0, OPTION_NUMBER, SECTION_SCRATCH, OF(COMMANDS_MEASURING), TO(directory_size),
     .value = "N",
     .help = "entries in it while calls are timed (default 4); lookup, readdir and readdirplus are "
             "applied to it, too"},

    {"yes", 'y', OPTION_FLAG, SECTION_CLEAN, OF(COMMAND_CLEAN), TO(clean.yes),
     .help = "don't ask; needed where there is no terminal"},
    {"scratch", 0, OPTION_TEXT, SECTION_CLEAN, OF(COMMAND_CLEAN), TO(scratch), .value = "NAME",
     .help = "the directory that a run with --scratch NAME left, and no other"},
    {"cleanup-timeout", 0, OPTION_TIME, SECTION_CLEAN, OF(COMMAND_CLEAN), TO(cleanup_timeout_ns),
     .value = "TIME", .help = "how long looking, and then removing, may take (default 10min)"},

    /* The helper of a run on another machine */
    {"counters", 0, OPTION_FLAG, SECTION_AGENT, OF(COMMAND_AGENT), TO(agent.counters),
     .help = "for each line on standard input, one line of JSON with the counters of this machine, "
             "its network interfaces and the server's process"},
    {"events", 0, OPTION_FLAG, SECTION_AGENT, OF(COMMAND_AGENT), TO(agent.events),
     .help = "by eBPF, what the server does for one client's calls between the lines 'begin' and "
             "'end' on standard input; each is answered by one line of JSON"},
    {"client-port", 0, OPTION_PORT, SECTION_AGENT, OF(COMMAND_AGENT), TO(agent.client_port),
     .value = "N", .help = "with --events, the port that the calls come from"},
    {"port", 0, OPTION_PORT, SECTION_AGENT, OF(COMMAND_AGENT), TO(port), .value = "N",
     .help = "the port that the server listens on (default 2049)"},
    {"proto", 'p', OPTION_CHOICE, SECTION_AGENT, OF(COMMAND_AGENT), TO(proto), .value = "NAME",
     .help = "tcp (default) or udp", .choices = protocols},
    {"pid", 0, OPTION_NUMBER, SECTION_AGENT, OF(COMMAND_AGENT), TO(agent.pid), .value = "N",
     .help = "the server's process (default: found by its port)"},

    {"threshold", 0, OPTION_TEXT, SECTION_COMPARE, OF(COMMAND_COMPARE), TO(compare.threshold),
     .value = "SIZE",
     .help = "exit with 1 where an op other than null is slower by more than SIZE, such as 5%, "
             "100ns, or 5%,100ns (both), and the difference is significant"},
    {"op", 0, OPTION_TEXT, SECTION_COMPARE, OF(COMMAND_COMPARE), TO(compare.ops),
     .value = "OP[,...]", .help = "compare only these ops; --threshold is then for null, too"},

    {"last", 0, OPTION_NUMBER, SECTION_HISTORY, OF(COMMAND_HISTORY), TO(history.last), .value = "N",
     .help = "exit with 1 where an op changed, either way, within its last N results (3 or more: "
             "a change has three after it at least)",
     .minimum = CHANGES_LEAST, .maximum = CHANGES_VALUES},
    {"op", 0, OPTION_TEXT, SECTION_HISTORY, OF(COMMAND_HISTORY), TO(history.op),
     .value = "OP[,...]", .help = "only these ops"},

    {"kind", 'k', OPTION_TEXT, SECTION_PICTURE, OF(COMMAND_PLOT), TO(picture.kind),
     .value = "KIND[,...]", .help = "what to draw, or all"},
    {"op", 0, OPTION_TEXT, SECTION_PICTURE, OF(COMMAND_PLOT | COMMAND_REPORT), TO(picture.op),
     .value = "OP[,...]", .help = "only these ops"},

    /* The embedded server */
    {"port", 0, OPTION_PORT, SECTION_SERVER, OF(COMMAND_SERVE), TO(port), .value = "N",
     .help = "the port for NFS and MOUNT, TCP and UDP (default: one that is free)"},
    {"bind", 'b', OPTION_LIST, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.addresses),
     .value = "ADDRESS",
     .help = "listen there instead of on 127.0.0.1 and ::1; may be given several times"},
    {"user", 0, OPTION_TEXT, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.user), .value = "NAME",
     .help = "started by the superuser: go on as that user when the port is bound, without any "
             "privilege"},
    {"register", 0, OPTION_FLAG, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.registers),
     .help = "tell this machine's rpcbind of it while it serves, so that clients find its port"},
    {"threads", 't', OPTION_NUMBER, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.threads),
     .value = "N", .help = "threads that serve (default: one for each processor)",
     .maximum = SERVER_THREADS_MAXIMUM},
    {"files", 0, OPTION_COUNT, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.files), .value = "N",
     .help = "export N files instead, file0 and so on"},
    {"size", 's', OPTION_OFFSET, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.file_size),
     .value = "BYTES", .help = "bytes in each of them (default 4096)"},
    {"dirs", 0, OPTION_COUNT, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.directories),
     .value = "N",
     .help = "spread them over N directories, dir0 and so on (default: all in the root)"},
    {"memory", 0, OPTION_OFFSET, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.memory),
     .value = "BYTES",
     .help = "what all files, names and data may take (default 1GiB); beyond it: NFS3ERR_NOSPC"},
    {"held", 0, OPTION_OFFSET, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.held), .value = "BYTES",
     .help = "what unfinished requests and replies of all connections may take (default 512MiB); "
             "beyond it, connections are not read from"},
    {"stall", 0, OPTION_TIME, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.stall_ns),
     .value = "TIME",
     .help = "close a connection that owes the rest of a request, or leaves its replies unread, "
             "for so long (default 30s)"},
    {"read-only", 0, OPTION_FLAG, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.read_only),
     .help = "refuse changes (NFS3ERR_ROFS)"},
    {"root-squash", 0, OPTION_FLAG, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.root_squash),
     .help = "take the superuser for nobody"},
    {"all-squash", 0, OPTION_FLAG, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.all_squash),
     .help = "take everybody for nobody"},
    {"service-times", 0, OPTION_FLAG, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.service_times),
     .help = "measure how long each procedure takes here; printed at the end, on SIGUSR1 and on "
             "SIGUSR2"},
    {"echo", 0, OPTION_FLAG, SECTION_SERVER, OF(COMMAND_SERVE), TO(serve.echo),
     .help = "serve no NFS but a bare echo, for 'nfsbench explain --ladder'; only --port, "
             "--bind and --user go with it"},

    /* What the embedded server injects */
    {"cost", 0, OPTION_LIST, SECTION_INJECTION, OF(COMMANDS_MEASURING | COMMAND_SERVE),
     TO(injection.costs), .value = "OP=TIME[:P]",
     .help = "the server spends TIME in OP on top of its own, such as getattr=2us, with "
             "probability P; may be given several times"},
    {"delay", 0, OPTION_LIST, SECTION_INJECTION, OF(COMMANDS_MEASURING | COMMAND_SERVE),
     TO(injection.delays), .value = "OP=TIME[:P]",
     .help = "it keeps OP's replies back, as if it waited for a disk; may be given several times"},
    {"error", 0, OPTION_LIST, SECTION_INJECTION, OF(COMMANDS_MEASURING | COMMAND_SERVE),
     TO(injection.errors), .value = "OP=NFS3ERR_x[:P]",
     .help = "it answers OP with that error, with probability P; may be given several times"},
    {"drop", 0, OPTION_TEXT, SECTION_INJECTION, OF(COMMANDS_MEASURING | COMMAND_SERVE),
     TO(injection.drop), .value = "P",
     .help = "over UDP, it loses each request and each reply with probability P, such as 0.01 or "
             "1%"},
    {"dup", 0, OPTION_TEXT, SECTION_INJECTION, OF(COMMANDS_MEASURING | COMMAND_SERVE),
     TO(injection.duplicate), .value = "P",
     .help = "over UDP, it gets each request twice with probability P"},
    {"reset-after", 0, OPTION_TEXT, SECTION_INJECTION, OF(COMMANDS_MEASURING | COMMAND_SERVE),
     TO(injection.reset_after), .value = "N",
     .help = "over TCP, it carries out the N-th call of each connection and resets the connection "
             "instead of answering"},

    /* Output: the forms first */
    FORMS(FORM_TO_FILE) FORMS(FORM_TO_STANDARD_OUTPUT){
        "output", 'o', OPTION_FILE, SECTION_OUTPUT, OF(COMMAND_PLOT), TO(picture.output),
        .value = "FILE",
        .help =
            "draw to FILE, whose name ends in .svg, .png or .pdf (default: draw on the terminal)"},
    {"output", 'o', OPTION_FILE, SECTION_OUTPUT, OF(COMMAND_HISTORY), TO(history.output),
     .value = "FILE",
     .help = "draw the series and their changes, too, to FILE, whose name ends in .svg, .png or "
             ".pdf"},
    {"output", 'o', OPTION_FILE, SECTION_OUTPUT, OF(COMMAND_REPORT), TO(picture.output),
     .value = "FILE",
     .help = "where the page goes; its name ends in .html, or is - for standard output"},
    {"hist", 0, OPTION_FLAG, SECTION_OUTPUT, OF(COMMANDS_RUN), TO(histograms),
     .help = "print each op's latencies by powers of two below the table"},
    {"histograms", 0, OPTION_FLAG, SECTION_OUTPUT, OF(COMMAND_COMPARE), TO(compare.histograms),
     .help = "print both files' latencies by powers of two, side by side"},
    {"quiet", 'q', OPTION_FLAG, SECTION_OUTPUT, OF(COMMANDS_MEASURING), TO(quiet),
     .help = "print no table and no progress"},
    {"verbose", 'v', OPTION_FLAG, SECTION_OUTPUT, OF(COMMANDS_RUN | COMMAND_SWEEP),
     .silent = COMMAND_EXPLAIN, TO(verbose), .help = "print more about the run"},
    {"allow-suspect", 0, OPTION_FLAG, SECTION_OUTPUT,
     OF(COMMANDS_RUN | COMMAND_EXPLAIN | COMMAND_SWEEP), TO(allow_suspect),
     .help = "exit with 0 when the verdict is suspect, too"},

    {"strict", 0, OPTION_FLAG, SECTION_OUTPUT, OF(COMMANDS_MEASURING), TO(strict),
     .help = "end the run where the server lacks an op of the mix, or sends bytes after the end of "
             "a result"},

    {"help", 'h', OPTION_FLAG, SECTION_GENERAL, OF(COMMAND_ALL), TO(help),
     .help = "print this text"},
    {"version", 'V', OPTION_FLAG, SECTION_GENERAL, OF(COMMANDS_RUN), TO(version),
     .help = "print the version and what was built in"},
    {"completion", 0, OPTION_NAME, SECTION_HIDDEN, OF(COMMAND_RUN), TO(completion),
     .value = "SHELL", .help = "print what completes nfsbench's command lines", .choices = shells},
};

_Static_assert(TABLE_LENGTH <= OPTIONS_MAXIMUM, "options.given has a place for each option");

const struct option_entry *option_at(size_t index)
{
    return index < TABLE_LENGTH ? &table[index] : NULL;
}

size_t options_of(enum command_bit command, const struct option_entry *entries[OPTIONS_MAXIMUM + 1])
{
    const struct option_entry *entry;
    size_t count = 0;

    for (size_t i = 0; (entry = option_at(i)); i++)
        if ((entry->commands | entry->silent) & command)
            entries[count++] = entry;
    entries[count] = NULL;
    return count;
}
