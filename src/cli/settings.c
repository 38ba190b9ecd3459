#include "cli/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ops.h"
#include "cli/settings_check.h"
#include "common/random.h"
#include "common/units.h"

enum { NOT_GIVEN = SETTINGS_NOT_GIVEN };

#define MEMBER(member) offsetof(struct settings, member)

static const struct option_entry table[] = {
    {"engine", 'e', OPTION_TEXT, MEMBER(engine_name), "NAME",
     "how calls reach the wire: wire (default), tirpc or libnfs"},
    LOAD_OPTIONS(struct settings),
    {"spin", 0, OPTION_FLAG, MEMBER(spin), NULL, "poll the socket for replies instead of sleeping"},
    {"let-sleep", 0, OPTION_FLAG, MEMBER(let_sleep), NULL,
     "let idle processors sleep; else /dev/cpu_dma_latency keeps this machine's awake"},
    {"clock", 0, OPTION_TEXT, MEMBER(clock_name), "NAME",
     "tsc (default where it can be trusted), monotonic, monotonic-raw"},
    {"no-baseline", 0, OPTION_FLAG, MEMBER(no_baseline), NULL,
     "the ops alone, without null calls to compare with"},
    {"no-model", 0, OPTION_FLAG, MEMBER(no_model), NULL,
     "without the calls of chosen length that tell bytes from the server's work"},
    {"no-ledger", 0, OPTION_FLAG, MEMBER(no_ledger), NULL,
     "without counting interrupts, switches and packets afterwards"},
    {"precision", 0, OPTION_TEXT, MEMBER(precision_text), "P",
     "without COUNT, how narrow the intervals are to be: 1%,20ns (default), 0.5%, 5ns"},
    {"max-time", 0, OPTION_TIME, MEMBER(maximum_ns), "TIME",
     "without COUNT, how long to go on at most (default 10s)"},
    {"block", 0, OPTION_NUMBER, MEMBER(block), "N",
     "calls in a block (default 100, and fewer where the server is slow)"},
    {"no-warmup", 0, OPTION_FLAG, MEMBER(no_warmup), NULL,
     "keep the calls from the first on; else rounds are dropped until it is steady"},
    {"seed", 0, OPTION_COUNT, MEMBER(seed), "N",
     "the order of the blocks, to repeat a run; printed with each result"},
    {"size", 's', OPTION_SIZE, MEMBER(read_size), "BYTES",
     "bytes in a READ or WRITE (default 4096)"},
    {"offset", 0, OPTION_OFFSET, MEMBER(read_offset), "BYTES", "where a READ starts (default 0)"},
    {"verify", 0, OPTION_FLAG, MEMBER(verify), NULL,
     "compare every READ's data with the first one's, and read back what was written"},
    {"file", 'f', OPTION_TEXT, MEMBER(file), "PATH",
     "the file to use, below the target; else the first one found"},
    {"scratch", 0, OPTION_TEXT, MEMBER(scratch), "NAME",
     "the directory to make for ops that change something (default .nfsbench-HOST-PID-RANDOM)"},
    {"keep-scratch", 0, OPTION_FLAG, MEMBER(keep_scratch), NULL, "leave it when the run ends"},
    {"files", 0, OPTION_NUMBER, MEMBER(files), "N",
     "make N files there, and spread getattr, setattr, lookup, access, read, write and pathconf "
     "over them"},
    {"file-size", 0, OPTION_OFFSET, MEMBER(file_size), "BYTES",
     "in each of them (default 64KiB, or --size if that is more)"},
    {"dir-size", 0, OPTION_NUMBER, MEMBER(directory_size), "N",
     "entries in it while calls are timed (default 3); lookup, readdir and readdirplus go there, "
     "too"},
    {"proto", 'p', OPTION_TEXT, MEMBER(proto), "NAME", "tcp (default) or udp"},
    {"port", 0, OPTION_PORT, MEMBER(port), "N", "the NFS port; else the port mapper is asked"},
    {"mount-port", 0, OPTION_PORT, MEMBER(mount_port), "N",
     "the MOUNT port; else the port mapper is asked"},
    {"auth", 0, OPTION_TEXT, MEMBER(auth), "NAME", "sys (default) or none"},
    {"uid", 0, OPTION_NUMBER, MEMBER(uid), "N", "user of AUTH_SYS (default: own)"},
    {"gid", 0, OPTION_NUMBER, MEMBER(gid), "N",
     "group of AUTH_SYS, without supplementary ones (default: own)"},
    {"no-resvport", 0, OPTION_FLAG, MEMBER(no_reserved_port), NULL,
     "don't use a source port below 1024, even if privileged"},
    {"timeout", 't', OPTION_TIME, MEMBER(timeout_ns), "TIME",
     "wait for a reply (default 10s over TCP, 1s over UDP, then doubled)"},
    {"retrans", 0, OPTION_NUMBER, MEMBER(retransmissions), "N",
     "over UDP, how often a call is sent again (default 3)"},
    {"versus", 0, OPTION_TEXT, MEMBER(versus), "TARGET2",
     "measure TARGET2, too, in the same rounds, and what differs: network or server"},
    {"versus-proto", 0, OPTION_TEXT, MEMBER(versus_proto), "NAME",
     "the second side's transport; without --versus, of the same target"},
    {"versus-engine", 0, OPTION_TEXT, MEMBER(versus_engine), "NAME",
     "the second side's engine, likewise"},
    {"server-pid", 0, OPTION_NUMBER, MEMBER(server_pid), "N",
     "the server's process, where it is on this machine and is not found by its port"},
    {"server-cmd", 0, OPTION_TEXT, MEMBER(server_command), "COMMAND",
     "what runs a command on the server's machine, such as 'ssh server', for its side of the "
     "ledger"},
    {"allow-suspect", 0, OPTION_FLAG, MEMBER(allow_suspect), NULL,
     "exit with 0 when the verdict is suspect, too"},
    {"json", 'j', OPTION_TEXT, MEMBER(json), "FILE",
     "write the result there, too; - for standard output"},
    {"csv", 0, OPTION_TEXT, MEMBER(csv), "FILE", "the ops as CSV, likewise"},
    {"openmetrics", 0, OPTION_TEXT, MEMBER(openmetrics), "FILE",
     "as OpenMetrics, for the node exporter's textfile collector, likewise"},
    {"hdr", 0, OPTION_TEXT, MEMBER(hdr), "PREFIX",
     "for HdrHistogram's tools: PREFIX.hlog, and PREFIX-OP.hgrm for each op"},
    {"hist", 0, OPTION_FLAG, MEMBER(histograms), NULL,
     "each op's latencies by powers of two, below the table"},
    {"quiet", 'q', OPTION_FLAG, MEMBER(quiet), NULL, "no table, no progress"},
    {"verbose", 'v', OPTION_FLAG, MEMBER(verbose), NULL, "more about the run"},
    INJECTION_OPTIONS(struct settings),
    {"help", 'h', OPTION_FLAG, MEMBER(help), NULL, "this text"},
    {"version", 'V', OPTION_FLAG, MEMBER(version), NULL, "the version"},
    {0},
};

void settings_help(FILE *out)
{
    options_help(table, out);
}

static int refuse(struct error *error, const char *option, const char *value, const char *expected)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "%s '%.100s' is not known; expected %s", option,
                     value, expected);
}

static int parse_calls(struct settings *settings, const char *text, struct error *error)
{
    if (units_parse_count(text, &settings->calls) != 0 || settings->calls == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "COUNT '%.60s': expected a whole number of calls, 1 or more, such as "
                         "1000, 100k or 1M",
                         text);
    return 0;
}

static int parse_words(struct settings *settings, int count, char **words, struct error *error)
{
    int code;

    if (count < 2 || count > 3)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected TARGET OP [COUNT], such as 'host:/export getattr 1M'%s; see "
                         "--help",
                         count == 1 ? "; OP is missing" : "");
    settings->target_text = words[0];
    code = target_parse(words[0], &settings->target, error);
    if (code == 0)
        code = ops_parse(settings, words[1], error);
    if (code == 0 && count == 3)
        code = parse_calls(settings, words[2], error);
    return code;
}

/* Options */

static int apply_transport(struct target *target, const char *option, const char *name,
                           struct error *error)
{
    if (name && strcmp(name, "udp") == 0)
        target->transport = TRANSPORT_UDP;
    else if (name && strcmp(name, "tcp") == 0)
        target->transport = TRANSPORT_TCP;
    else if (name)
        return refuse(error, option, name, "tcp or udp");
    return 0;
}

/* Is the embedded server on one side, or on both? */
static bool has_embedded_server(const struct settings *settings)
{
    struct target second;
    struct error ignored;

    return settings->target.self ||
           (settings->versus && target_parse(settings->versus, &second, &ignored) == 0 &&
            second.self);
}

static int apply_target_options(struct settings *settings, struct error *error)
{
    struct target *target = &settings->target;
    int code = apply_transport(target, "--proto", settings->proto, error);

    if (code)
        return code;
    if (target->self && (settings->port || settings->mount_port))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--port and --mount-port don't go with self:, whose ports are its own");
    if (!has_embedded_server(settings) && injection_is_given(&settings->injection))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--cost, --delay, --error, --drop, --dup and --reset-after go with the "
                         "target self: only; another server's behaviour is its own");
    if (settings->port)
        target->nfs_port = settings->port;
    if (settings->mount_port)
        target->mount_port = settings->mount_port;
    return 0;
}

static int apply_identity(struct settings *settings, struct error *error)
{
    identity_own(&settings->identity);
    if (settings->auth && strcmp(settings->auth, "none") == 0)
        settings->identity.flavor = RPC_FLAVOR_NONE;
    else if (settings->auth && strcmp(settings->auth, "sys") != 0)
        return refuse(error, "--auth", settings->auth, "sys or none");
    if (settings->uid != NOT_GIVEN)
        settings->identity.uid = settings->uid;
    if (settings->gid != NOT_GIVEN) {
        settings->identity.gid = settings->gid;
        settings->identity.gid_count = 0;
    }
    return 0;
}

static int apply_engine(struct settings *settings, struct error *error)
{
    const char *package = engine_missing_package(settings->engine_name);

    if (package)
        return error_set(error, ERROR_USAGE, -ENOTSUP,
                         "--engine %s: this nfsbench was built without it; install %s and build "
                         "again",
                         settings->engine_name, package);
    settings->engine = engine_find(settings->engine_name);
    if (!settings->engine)
        return refuse(error,
                      settings->versus_engine == settings->engine_name ? "--versus-engine"
                                                                       : "--engine",
                      settings->engine_name, "wire, tirpc or libnfs");
    if (settings->engine->tcp_only && settings->target.transport != TRANSPORT_TCP)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--proto udp: engine %s makes calls over TCP only; use --engine wire or "
                         "tirpc",
                         settings->engine->name);
    if (settings->spin && !settings->engine->spins)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--spin: engine %s always sleeps; use --engine wire",
                         settings->engine->name);
    return 0;
}

bool settings_make_load(const struct settings *settings)
{
    return !load_is_single(&settings->load);
}

static int apply_load(struct settings *settings, struct error *error)
{
    int code = load_options_apply(&settings->load_options, settings->engine, settings->target.self,
                                  &settings->load, error);

    if (code || !settings_make_load(settings))
        return code;
    if (settings->load.batch > 1 && (settings->spin || settings->target.transport != TRANSPORT_TCP))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--batch is for sleeping over TCP; leave %s out",
                         settings->spin ? "--spin" : "UDP");
    if (settings->mix_name && !load_takes_mixes(settings->engine))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "engine %s makes calls of one procedure at a time; a mix under load goes "
                         "with --engine wire",
                         settings->engine->name);
    settings->no_model = true; /* which takes calls one by one apart */
    return 0;
}

/* "1%", "20ns", or both with a comma between. */
static int parse_precision(struct settings *settings, struct error *error)
{
    const char *at = settings->precision_text;
    struct precision precision = {0};
    bool good = true;

    while (good) {
        size_t length = strcspn(at, ",");
        uint64_t ns = 0;
        char word[32], *end;

        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), at);
        if (length > 0 && at[length - 1] == '%') {
            precision.share = strtod(word, &end) / 100;
            good =
                end != word && strcmp(end, "%") == 0 && precision.share > 0 && precision.share < 1;
        } else {
            good = units_parse_time(word, &ns) == 0 && ns > 0;
            precision.ns = (double)ns;
        }
        if (!at[length])
            break;
        at += length + 1;
    }
    if (!good)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--precision '%.60s': expected a share of the cost above 0 %% and below "
                         "100 %%, a time above 0, or both, such as 1%% or 20ns or 1%%,20ns",
                         settings->precision_text);
    settings->precision = precision;
    return 0;
}

static int apply_length(struct settings *settings, struct error *error)
{
    settings->length_given = settings->precision_text || settings->maximum_ns;
    if (settings->calls && settings->length_given)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--%s is for runs without COUNT; leave one of the two out",
                         settings->precision_text ? "precision" : "max-time");
    if (settings->maximum_ns == 0)
        settings->maximum_ns = UINT64_C(10000000000);
    settings->precision = (struct precision){.share = 0.01, .ns = 20};
    return settings->precision_text ? parse_precision(settings, error) : 0;
}

bool settings_call(const struct settings *settings, uint32_t number)
{
    for (size_t i = 0; i < settings->op_count; i++)
        if (settings->ops[i]->rpc.program == NFS_PROGRAM && settings->ops[i]->rpc.number == number)
            return true;
    return false;
}

bool settings_need_scratch(const struct settings *settings)
{
    for (size_t i = 0; i < settings->op_count; i++)
        if (settings->ops[i]->changes)
            return true;
    return settings->directory_size > 0 || settings->files > 0;
}

/* A whole number of READs. */
static uint64_t default_file_size(const struct settings *settings)
{
    const uint64_t usual = 64 << 10;

    return settings->read_size > usual ? settings->read_size
                                       : usual / settings->read_size * settings->read_size;
}

static void apply_defaults(struct settings *settings)
{
    if (settings->block == NOT_GIVEN)
        settings->block = 0;
    if (settings->timeout_ns == 0)
        settings->timeout_ns = settings->target.transport == TRANSPORT_TCP ? UINT64_C(10000000000)
                                                                           : UINT64_C(1000000000);
    if (settings->files && settings->file_size == 0)
        settings->file_size = default_file_size(settings);
    if (settings->seed == UINT64_MAX)
        settings->seed = random_system_seed();
    settings->load.seed = settings->seed;
}

static int check_all(struct settings *settings, struct error *error)
{
    int code = apply_identity(settings, error);

    if (code == 0)
        code = apply_load(settings, error);
    if (code == 0)
        code = apply_length(settings, error);
    if (code == 0)
        code = settings_check(settings, error);
    apply_defaults(settings);
    return code;
}

static int parse_options(struct settings *settings, int argc, char **argv, int *first,
                         struct error *error)
{
    *settings = (struct settings){.engine_name = "wire",
                                  .uid = NOT_GIVEN,
                                  .gid = NOT_GIVEN,
                                  .retransmissions = 3,
                                  .read_size = 4096,
                                  .block = NOT_GIVEN,
                                  .seed = UINT64_MAX,
                                  .load_options = LOAD_OPTIONS_NONE};
    return options_parse(table, argc, argv, settings, first, error);
}

int settings_parse(struct settings *settings, int argc, char **argv, struct error *error)
{
    int first, code = parse_options(settings, argc, argv, &first, error);

    if (code || settings->help || settings->version)
        return code;
    code = parse_words(settings, argc - first, argv + first, error);
    if (code == 0)
        code = apply_target_options(settings, error);
    if (code == 0)
        code = apply_engine(settings, error);
    return code ? code : check_all(settings, error);
}

bool settings_have_versus(const struct settings *settings)
{
    return settings->versus || settings->versus_proto || settings->versus_engine;
}

int settings_parse_second(struct settings *second, const struct settings *first, int argc,
                          char **argv, struct error *error)
{
    int at, code = parse_options(second, argc, argv, &at, error);

    if (code == 0)
        code = parse_words(second, argc - at, argv + at, error);
    if (code == 0 && second->versus) {
        second->target_text = second->versus;
        second->server_pid = 0; /* TARGET's, as is the command */
        second->server_command = NULL;
        code = target_parse(second->versus, &second->target, error);
    }
    if (code == 0)
        code = apply_target_options(second, error);
    if (code == 0)
        code = apply_transport(&second->target, "--versus-proto", second->versus_proto, error);
    if (second->versus_engine)
        second->engine_name = second->versus_engine;
    if (code == 0)
        code = apply_engine(second, error);
    if (code == 0)
        code = check_all(second, error);
    second->seed = second->load.seed = first->seed;
    second->command = first->command;
    second->command_count = first->command_count;
    return code;
}
