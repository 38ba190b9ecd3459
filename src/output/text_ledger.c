#include "output/text_ledger.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { CELL_SIZE = 24 };

/* VALUE, or a dash where it is not known; noise about 0 has no sign. */
static const char *cell(double value, int decimals, char out[CELL_SIZE])
{
    if (isnan(value))
        snprintf(out, CELL_SIZE, "-");
    else
        snprintf(out, CELL_SIZE, "%.*f", decimals,
                 fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value);
    return out;
}

/* Take the interface that carries most packets of ENTRY's; NULL where there is none. */
static const struct interface_counters *busiest(const struct ledger_entry *entry)
{
    const struct interface_counters *found = NULL;
    double most = 0;

    for (size_t i = 0; i < entry->interface_count; i++) {
        const double *values = entry->interfaces[i].values;
        double packets = values[INTERFACE_RX_PACKETS] + values[INTERFACE_TX_PACKETS];

        if (packets > most) {
            most = packets;
            found = &entry->interfaces[i];
        }
    }
    return found;
}

static double interface_value(const struct interface_counters *interface,
                              enum interface_counter counter)
{
    return interface ? interface->values[counter] : NAN;
}

/* A count per call that is 0 but for the noise of what was taken off for the idle machine: what a
 * few calls in a thousand would do. */
static double without_noise(double per_call)
{
    return fabs(per_call) < 0.005 ? 0 : per_call;
}

/* Per call */

static void print_ledger_row(const struct result_op *op, FILE *out)
{
    const double *client = op->client->values, *server = op->server->values;
    const struct interface_counters *interface = busiest(op->client);
    const struct {
        double value;
        int width, decimals;
    } columns[] = {{client[COUNTER_USER_NS] / 1000, 14, 2},
                   {client[COUNTER_SYSTEM_NS] / 1000, 7, 2},
                   {client[COUNTER_VOLUNTARY] + client[COUNTER_INVOLUNTARY], 9, 2},
                   {server[COUNTER_CPU_NS] / 1000, 15, 2},
                   {server[COUNTER_VOLUNTARY] + server[COUNTER_INVOLUNTARY], 9, 2},
                   {client[COUNTER_INTERRUPTS], 12, 2},
                   {client[COUNTER_NET_RX], 8, 2},
                   {interface_value(interface, INTERFACE_TX_PACKETS), 14, 2},
                   {interface_value(interface, INTERFACE_RX_PACKETS), 9, 2}};
    char text[CELL_SIZE];

    fprintf(out, "  %-16s", op->op);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        fprintf(out, " %*s", columns[i].width, cell(columns[i].value, columns[i].decimals, text));
    fprintf(out, "  %s\n", interface ? interface->name : "");
}

static bool is_disturbed(const struct result *result)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].client &&
            (result->ops[i].client->disturbed || result->ops[i].server->disturbed))
            return true;
    return false;
}

void text_print_ledger(const struct result *result, FILE *out)
{
    const struct result_ledger *ledger = &result->ledger;

    if (!ledger->done)
        return;
    fprintf(out, "\n  %-16s %14s %7s %9s %15s %9s %12s %8s %14s %9s\n", "per call",
            "client us user", "system", "switches", "server CPU us", "switches", "interrupts",
            "NET_RX", "packets sent", "received");
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].client)
            print_ledger_row(&result->ops[i], out);
    if (is_disturbed(result))
        fputs("  other work on the machine counts too much to tell what the calls did: -\n", out);
    if (ledger->server_lacking[0])
        fprintf(out, "  not all of the server's side is known: %s\n", ledger->server_lacking);
}

/* Per second */

/* Both directions of a link have its whole speed: what counts is the busier one. */
static double link_share(const struct interface_counters *interface, double rate)
{
    if (!interface)
        return NAN;
    return 8 * rate *
           fmax(interface->values[INTERFACE_TX_BYTES], interface->values[INTERFACE_RX_BYTES]) /
           counters_interface_speed(interface->name);
}

static void print_rates_row(const struct result_op *op, FILE *out)
{
    const double *client = op->client->values, *server = op->server->values;
    const struct interface_counters *interface = busiest(op->client);
    double rate = op->rate_per_s;
    const struct {
        double value;
        int width, decimals;
    } columns[] = {{rate, 10, 0},
                   {rate * interface_value(interface, INTERFACE_TX_BYTES) / 1000, 11, 0},
                   {rate * interface_value(interface, INTERFACE_RX_BYTES) / 1000, 11, 0},
                   {100 * link_share(interface, rate), 7, 1},
                   {100 * rate * client[COUNTER_CPU_NS] / 1e9, 9, 1},
                   {100 * rate * server[COUNTER_CPU_NS] / 1e9, 9, 1},
                   {rate * without_noise(client[COUNTER_INTERRUPTS]), 12, 0},
                   {rate * client[COUNTER_MACHINE_SWITCHES], 10, 0},
                   {client[COUNTER_INTERRUPTS], 11, 2},
                   {client[COUNTER_MACHINE_SWITCHES], 9, 2}};
    char text[CELL_SIZE];

    fprintf(out, "  %-16s", op->op);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        fprintf(out, " %*s", columns[i].width, cell(columns[i].value, columns[i].decimals, text));
    fputc('\n', out);
}

void text_print_rates(const struct result *result, FILE *out)
{
    if (!result->ledger.done)
        return;
    fprintf(out, "\n  %-16s %10s %11s %11s %7s %9s %9s %12s %10s %11s %9s\n", "rates", "calls/s",
            "sent kB/s", "recv kB/s", "link %", "client %", "server %", "interrupts/s",
            "switches/s", "interrupts", "switches");
    fprintf(out, "  %-16s %10s %11s %11s %7s %9s %9s %12s %10s %11s %9s\n", "", "", "", "", "",
            "CPU", "CPU", "this machine", "", "per call", "per call");
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].client)
            print_rates_row(&result->ops[i], out);
}

/* The slowest calls */

static void print_slow_call(const struct result *result, const char *op,
                            const struct slow_call *call, FILE *out)
{
    struct machine_change change = {.values = {NAN, NAN, NAN, NAN, NAN}};
    char span[CELL_SIZE], interrupts[CELL_SIZE], switches[CELL_SIZE], steal[CELL_SIZE];
    bool known = call->rank == 0 && /* whose machine is watched */
                 machine_log_around(result->machine_log, call->block_began_ns, &change);

    fprintf(out, "  %-16s %10.1f %9.3f %8zu %6zu %10" PRIu64 " %13s %11s %9s %10s\n", op,
            call->ns / 1000, (double)(call->block_began_ns - result->began_ns) / 1e9, call->round,
            call->position, call->involuntary_switches,
            cell(known ? (double)change.span_ns / 1e6 : NAN, 0, span),
            cell(change.values[COUNTER_INTERRUPTS], 0, interrupts),
            cell(change.values[COUNTER_MACHINE_SWITCHES], 0, switches),
            cell(change.values[COUNTER_STEAL_NS] / 1e6, 0, steal));
}

void text_print_slowest(const struct result *result, FILE *out)
{
    fprintf(out, "\n  %-16s %10s %9s %8s %6s %10s %13s %11s %9s %10s\n", "slowest", "us", "at s",
            "round", "call", "preempted", "around it: ms", "interrupts", "switches", "stolen ms");
    for (size_t i = 0; i < result->op_count; i++) {
        const struct series *series = result->ops[i].series;

        for (size_t j = 0; j < series->slowest_count; j++)
            print_slow_call(result, j == 0 ? result->ops[i].op : "", &series->slowest[j], out);
    }
}
