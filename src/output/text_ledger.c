/* The ledger as text: per call, per second, and the slowest calls. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "output/text.h"

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

static const struct table_column ledger_columns[] = {
    {"per call", 16, true, 0},    {"user us", 8, false, 1},   {"system us", 9, false, 1},
    {"switches", 8, false, 0},    {"server us", 9, false, 0}, {"server switches", 15, false, 2},
    {"interrupts", 10, false, 4}, {"NET_RX", 6, false, 5},    {"packets tx", 10, false, 0},
    {"rx", 6, false, 0},          {"", 9, true, 3},
};

static void print_ledger_row(const struct result_op *op, struct table *table)
{
    const double *client = op->client->values, *server = op->server->values;
    const struct interface_counters *interface = result_busiest_interface(op->client);
    const double values[] = {client[COUNTER_USER_NS] / 1000,
                             client[COUNTER_SYSTEM_NS] / 1000,
                             client[COUNTER_VOLUNTARY] + client[COUNTER_INVOLUNTARY],
                             server[COUNTER_CPU_NS] / 1000,
                             server[COUNTER_VOLUNTARY] + server[COUNTER_INVOLUNTARY],
                             client[COUNTER_INTERRUPTS],
                             client[COUNTER_NET_RX],
                             interface_value(interface, INTERFACE_TX_PACKETS),
                             interface_value(interface, INTERFACE_RX_PACKETS)};
    char text[CELL_SIZE];

    table_cell(table, "%s", op->op);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        table_cell(table, "%s", cell(values[i], 2, text));
    table_cell(table, "%s", printable(interface ? interface->name : "").text);
    table_end_row(table, "");
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
    struct table table;

    if (!ledger->counted)
        return;
    fputc('\n', out);
    table_begin(&table, ledger_columns, sizeof ledger_columns / sizeof ledger_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].client)
            print_ledger_row(&result->ops[i], &table);
    if (is_disturbed(result))
        fputs("  -: not known, because of other load on the machine\n", out);
    if (ledger->server_missing)
        fprintf(out, "  not all of the server's side is known: %s\n",
                printable(ledger->server_missing).text);
}

/* Per second */

/* Both directions of a link have its whole speed: what counts is the busier one. */
static double link_share(const struct result_ledger *ledger,
                         const struct interface_counters *interface, double rate)
{
    for (size_t i = 0; interface && i < ledger->link_count; i++)
        if (strcmp(ledger->links[i].name, interface->name) == 0)
            return 8 * rate *
                   fmax(interface->values[INTERFACE_TX_BYTES],
                        interface->values[INTERFACE_RX_BYTES]) /
                   ledger->links[i].bits_per_s;
    return NAN;
}

static const struct table_column rates_columns[] = {
    {"rates", 16, true, 0},         {"calls/s", 9, false, 0},       {"tx kB/s", 9, false, 0},
    {"rx kB/s", 9, false, 0},       {"link %", 6, false, 3},        {"client CPU %", 12, false, 0},
    {"server CPU %", 12, false, 0}, {"interrupts/s", 12, false, 1}, {"switches/s", 10, false, 2},
};

static void print_rates_row(const struct result_ledger *ledger, const struct result_op *op,
                            struct table *table)
{
    const double *client = op->client->values, *server = op->server->values;
    const struct interface_counters *interface = result_busiest_interface(op->client);
    const double rate = op->rate_per_s;
    const struct {
        double value;
        int decimals;
    } cells[] = {{rate, 0},
                 {rate * interface_value(interface, INTERFACE_TX_BYTES) / 1000, 0},
                 {rate * interface_value(interface, INTERFACE_RX_BYTES) / 1000, 0},
                 {100 * link_share(ledger, interface, rate), 1},
                 {100 * rate * client[COUNTER_CPU_NS] / 1e9, 1},
                 {100 * rate * server[COUNTER_CPU_NS] / 1e9, 1},
                 {rate * without_noise(client[COUNTER_INTERRUPTS]), 0},
                 {rate * client[COUNTER_MACHINE_SWITCHES], 0}};
    char text[CELL_SIZE];

    table_cell(table, "%s", op->op);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        table_cell(table, "%s", cell(cells[i].value, cells[i].decimals, text));
    table_end_row(table, "");
}

void text_print_rates(const struct result *result, FILE *out)
{
    struct table table;

    if (!result->ledger.counted)
        return;
    fputc('\n', out);
    table_begin(&table, rates_columns, sizeof rates_columns / sizeof rates_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].client)
            print_rates_row(&result->ledger, &result->ops[i], &table);
}

/* The slowest calls */

static const struct table_column slowest_columns[] = {
    {"slowest", 16, true, 0},        {"us", 9, false, 0},          {"at s", 7, false, 0},
    {"round", 7, false, 3},          {"call", 6, false, 3},        {"preempted", 9, false, 0},
    {"around it: ms", 13, false, 0}, {"interrupts", 10, false, 1}, {"switches", 8, false, 2},
    {"stolen ms", 9, false, 0},
};

static void print_slow_call(const struct result_slow_call *call, const char *op,
                            struct table *table)
{
    const double *around = call->around.values;
    const bool known = call->has_around;
    char text[CELL_SIZE];

    table_cell(table, "%s", op);
    table_cell(table, "%.1f", us(call->ns));
    table_cell(table, "%.3f", call->at_s);
    table_cell(table, "%" PRIu64, call->round);
    table_cell(table, "%" PRIu64, call->call);
    table_cell(table, "%" PRIu64, call->involuntary_switches);
    table_cell(table, "%s", cell(known ? (double)call->around.span_ns / 1e6 : NAN, 0, text));
    table_cell(table, "%s", cell(known ? around[COUNTER_INTERRUPTS] : NAN, 0, text));
    table_cell(table, "%s", cell(known ? around[COUNTER_MACHINE_SWITCHES] : NAN, 0, text));
    table_cell(table, "%s", cell(known ? around[COUNTER_STEAL_NS] / 1e6 : NAN, 0, text));
    table_end_row(table, "");
}

void text_print_slowest(const struct result *result, FILE *out)
{
    struct table table;

    fputc('\n', out);
    table_begin(&table, slowest_columns, sizeof slowest_columns / sizeof slowest_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < result->op_count; i++)
        for (size_t j = 0; j < result->ops[i].slowest_count; j++)
            print_slow_call(&result->ops[i].slowest[j], j == 0 ? result->ops[i].op : "", &table);
}
