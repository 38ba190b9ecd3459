/* The lines above the table: what was measured, and how. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/number.h"
#include "output/origin.h"
#include "output/terminal.h"
#include "output/text.h"

static double ms(uint64_t nanoseconds)
{
    return (double)nanoseconds / 1e6;
}

static void print_identity(const struct result *result, FILE *out)
{
    const struct result_config *config = &result->config;

    fprintf(out, "nfsbench %s  %s  NFSv3 over %s  ", result->tool.version,
            printable(result->target.text).text, result->target.transport);
    origin_print_security(result->target.auth, result->target.xprtsec, out);
    fprintf(out, "\n%s, depth %u     engine %s, %s     ",
            counted(config->load.clients, "client").text, config->load.depth, config->engine,
            config->spin ? "spinning" : "blocking");
    if (result->target.mount_point) {
        fprintf(out, "mounted on %s\n", printable(result->target.mount_point).text);
        return;
    }
    fprintf(out, "mount %.1f ms, ", ms(result->target.mount_ns));
    if (result->target.unmount_ns)
        fprintf(out, "unmount %.1f ms\n", ms(result->target.unmount_ns));
    else
        fputs("not unmounted\n", out);
}

/* "INIT 0.71 ms [0.70, 0.73]" */
static void append_median(char *line, size_t size, const char *before,
                          const struct interval *median)
{
    size_t used = strlen(line);

    if (isfinite(median->estimate))
        snprintf(line + used, size - used, "%s %.3f ms [%.3f, %.3f]", before,
                 median->estimate / 1e6, median->low / 1e6, median->high / 1e6);
}

/* What is timed of a protected call, and what a context costs once. */
static void print_security(const struct result *result, FILE *out)
{
    const struct result_contexts *contexts = result->target.contexts;
    char line[300];

    if (!contexts)
        return;
    if (!load_is_single(&result->config.load) && !result->config.check_in_time)
        fputs("protecting calls and verifying replies is in the rates, not in the latencies\n",
              out);
    else
        fprintf(out, "protecting a call is in its time, verifying its reply %s\n",
                result->config.check_in_time ? "as well" : "is not");
    snprintf(line, sizeof line, "security contexts (%" PRIu64 " for this alone): creation",
             contexts->made);
    append_median(line, sizeof line, "", &contexts->creation);
    append_median(line, sizeof line, ", of which INIT", &contexts->init);
    append_median(line, sizeof line, ", CONTINUE", &contexts->continued);
    append_median(line, sizeof line, ", DESTROY", &contexts->destroy);
    terminal_print_wrapped(line, 4, out);
}

/* COUNT beginnings of TLS, a line: "    full handshake (20): 1.416 ms [1.295, 1.450]" */
static void print_handshake(const char *what, uint64_t count, const struct interval *median,
                            FILE *out)
{
    char line[120];

    snprintf(line, sizeof line, "    %s (%" PRIu64 ")%s", what, count, count ? ":" : "");
    append_median(line, sizeof line, "", median);
    fprintf(out, "%s\n", line);
}

/* Who encrypts, and what the beginning of TLS costs once. */
static void print_tls(const struct result *result, FILE *out)
{
    const struct result_handshakes *made = result->target.handshakes;

    if (!result->target.tls)
        return;
    fprintf(out, "%s: encryption and decryption are in a call's time\n",
            printable(result->target.tls).text);
    if (!made)
        return;
    fputs("beginnings of TLS, for this alone:\n", out);
    print_handshake("probe", made->full + made->resumed, &made->probe, out);
    print_handshake("full handshake", made->full, &made->full_ns, out);
    print_handshake("resumed handshake", made->resumed, &made->resumed_ns, out);
    fprintf(out, "connections of the run: %" PRIu64 ", of which %" PRIu64 " resumed a session\n",
            made->run_connections, made->run_resumed);
}

/* The bytes in a READ and a WRITE, in full: what a suffix means differs between programs. */
static void print_sizes(const struct result_config *config, FILE *out)
{
    char read[NUMBER_SIZE], write[NUMBER_SIZE];

    if (config->read_size)
        fprintf(out, "READ of %s bytes", number_grouped(config->read_size, read));
    if (config->write_size)
        fprintf(out, "%sWRITE of %s bytes", config->read_size ? ", " : "",
                number_grouped(config->write_size, write));
    if (config->read_size || config->write_size)
        fputc('\n', out);
}

static void print_mix(const struct result_mix *mix, FILE *out)
{
    char line[PRINTABLE_SIZE + 64 * RESULT_MIX_MAXIMUM], op[41];
    int length;

    if (!mix)
        return;
    length = snprintf(line, sizeof line, "mix %s:", printable(mix->name).text);
    for (size_t i = 0; i < mix->count; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, "%s %s %u", i ? "," : "",
                           printable_copy(op, sizeof op, mix->ops[i].op), mix->ops[i].weight);
    terminal_print_wrapped(line, 4, out);
}

static void print_clock(const struct result *result, FILE *out)
{
    const struct result_clock *clock = &result->clock;

    fprintf(out, "clock %s", clock->name);
    if (!isnan(result->host.tsc_hz))
        fprintf(out, " %.3f GHz (%.1f ppm from MONOTONIC_RAW)", result->host.tsc_hz / 1e9,
                fabs(clock->disagreement_ppm));
    fprintf(out, ", timer cost %.0f ns taken off\n", clock->cost_ns);
}

static size_t whole_launches(const struct result *result)
{
    size_t whole = 0;

    for (size_t i = 0; i < result->launch_count; i++)
        whole += !result->launches[i].cut_short;
    return whole;
}

/* Where the calls went, unless all went to the same places. */
static void print_pattern(const struct result *result, FILE *out)
{
    char line[PRINTABLE_SIZE], op[41];
    size_t length = (size_t)snprintf(
               line, sizeof line, "pattern %s:",
               printable(result->config.pattern ? result->config.pattern : "not known").text),
           begin = length;

    for (size_t i = 0; i < result->op_count && length < sizeof line; i++)
        if (result->ops[i].places > 1)
            length += (size_t)snprintf(line + length, sizeof line - length,
                                       "%s %s visits %" PRIu64 " places", length > begin ? "," : "",
                                       printable_copy(op, sizeof op, result->ops[i].op),
                                       result->ops[i].places);
    if (length > begin)
        terminal_print_wrapped(line, 4, out);
}

/* What ended it. */
static void print_end(const struct result *result, FILE *out)
{
    const char *why = result->cut_short_by ? result->cut_short_by : "";
    bool narrow = result->config.precision_reached;

    if (result->cut_short && result->launches_planned > 1)
        fprintf(out, "CUT SHORT after %zu of %zu launches", whole_launches(result),
                result->launches_planned);
    else if (result->cut_short)
        fprintf(out, "CUT SHORT after %s", counted(result->rounds.done, "round").text);
    if (result->cut_short)
        fprintf(out, "%s%s\n", *why ? ": " : "", printable(why).text);
    else if (result->config.calls == 0 && result->launch_count > 1)
        fprintf(out, narrow ? "every interval is narrow enough (--precision)\n"
                            : "not every interval is narrow enough (--precision): see -v for what "
                              "the launches differ by\n");
    else if (result->config.calls == 0)
        fprintf(out, narrow ? "ended when every interval was narrow enough (--precision)\n"
                            : "ended by --max-time, before every interval was narrow enough "
                              "(--precision)\n");
}

/* Where each place was visited once. */
static void print_cold(const struct result *result, FILE *out)
{
    for (size_t i = 0; i < result->op_count && result->config.cold; i++) {
        const struct result_op *op = &result->ops[i];
        bool all = op->calls + 1 >= op->places; /* one was for trying the op */

        if (op->places > 1)
            fprintf(out,
                    "%s %" PRIu64 " of %" PRIu64
                    " places visited, each once (--cold)\nwhat the server had in its caches before "
                    "is not known\n",
                    all ? "ended when all were visited:" : "so many as asked for:", op->calls,
                    op->places);
    }
}

static void print_run(const struct result *result, FILE *out)
{
    const struct result_rounds *rounds = &result->rounds;

    fprintf(out, "client on CPU %s", result->config.client_cpus);
    if (result->config.server_cpu >= 0)
        fprintf(out, ", server on CPU %d", result->config.server_cpu);
    fputs(result->config.awake ? ", kept awake\n" : ", may sleep\n", out);
    fprintf(out, "%s of blocks of %" PRIu32 ", %s dropped, seed %" PRIu64 "\n",
            counted(rounds->done, "round").text, result->config.block,
            counted(rounds->warmup, "warm-up round").text, result->seed);
    print_end(result, out);
    print_cold(result, out);
    text_print_scope(result, out);
}

static void print_mount(const struct result_target *target, FILE *out)
{
    char line[2 * PRINTABLE_SIZE + 64];

    fprintf(out, "server %s, NFS port %u, export %s\n", target->address, target->nfs_port,
            printable(target->export).text);
    snprintf(line, sizeof line, "mount options %s", printable(target->mount_options).text);
    terminal_print_wrapped(line, 4, out);
}

static void print_host(const struct result *result, FILE *out)
{
    const struct result_host *host = &result->host;
    const struct result_target *target = &result->target;

    fprintf(out, "host %s, %u CPUs%s, %s %s, clocksource %s\n", printable(host->cpu).text,
            host->cpus, host->virtual ? ", virtual" : "", printable(host->kernel).text,
            printable(host->machine).text, printable(host->clocksource).text);
    if (target->mount_options)
        print_mount(target, out);
    else
        fprintf(out, "server %s, NFS port %u, MOUNT port %u, export %s, offers %s\n",
                target->address, target->nfs_port, target->mount_port,
                printable(target->export).text,
                target->flavors && *target->flavors ? target->flavors : "no flavours");
    fprintf(out, "started %s\n", result->start);
}

void text_print_head(const struct result *result, bool verbose, FILE *out)
{
    print_identity(result, out);
    print_security(result, out);
    print_tls(result, out);
    print_sizes(&result->config, out);
    print_clock(result, out);
    print_run(result, out);
    print_mix(result->config.mix, out);
    text_print_tree(result, out);
    print_pattern(result, out);
    if (verbose)
        print_host(result, out);
}
