#include "cli/load_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cpu.h"
#include "engine/connection.h"
#include "engine/share.h"
#include "measure/rounds.h"

enum {
    OPEN_LOOP_DEPTH = 1024,
    CONNECTIONS_MAXIMUM = 100000,
    THREADS_MAXIMUM = 4096,
    RATE_MAXIMUM = 100 * 1000 * 1000,
    BLOCK_MAXIMUM = 1 << 20,
};

/* Calls in flight that a block has, at least and usually; and a part of a second, in an open loop.
 */
enum { BLOCK_FILLINGS_MINIMUM = 4, BLOCK_FILLINGS = 32, BLOCKS_PER_SECOND = 20 };

/* And where several ranks are to make a block at the same time: some begin 0.1 ms after others. */
enum { BLOCK_OF_RANKS = 5000 };

static bool is_given(uint64_t option)
{
    return option != LOAD_NOT_GIVEN;
}

static unsigned or_one(uint32_t option)
{
    return is_given(option) ? option : 1;
}

static int refuse_zeros(const struct load_options *options, struct error *error)
{
    const char *zero = options->clients == 0       ? "clients"
                       : options->connections == 0 ? "connections"
                       : options->depth == 0       ? "depth"
                       : options->threads == 0     ? "threads"
                       : options->batch == 0       ? "batch"
                       : options->rate == 0        ? "rate"
                                                   : NULL;

    return zero ? error_set(error, ERROR_USAGE, -EINVAL, "--%s must be 1 or more", zero) : 0;
}

/* "0-3,6" */
static int parse_cpus(const char *text, struct load *load, struct error *error)
{
    const char *at = text;

    while (load->cpu_count < LOAD_CPUS_MAXIMUM) {
        char *end;
        unsigned long first = strtoul(at, &end, 10), last = first;

        if (end == at || *at == '-')
            break;
        if (*end == '-') {
            at = end + 1;
            last = strtoul(at, &end, 10);
        }
        if (end == at || last < first || last > UINT16_MAX)
            break;
        for (; first <= last && load->cpu_count < LOAD_CPUS_MAXIMUM; first++)
            load->cpus[load->cpu_count++] = (uint16_t)first;
        at = end + 1;
        if (!*end)
            return 0;
        if (*end != ',')
            break;
    }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--pin '%.60s': expected processors' numbers, such as 0 or 0-3,6", text);
}

/* All that this process may use; on self: but the one that its server takes. */
static void take_allowed_cpus(struct load *load, bool self)
{
    unsigned last = cpu_allowed_edge(1);

    for (unsigned cpu = 0; cpu <= last && load->cpu_count < LOAD_CPUS_MAXIMUM; cpu++)
        if (cpu_is_allowed(cpu) && (cpu != last || !self || last == cpu_allowed_edge(0)))
            load->cpus[load->cpu_count++] = (uint16_t)cpu;
}

static int choose_cpus(const struct load_options *options, bool self, struct load *load,
                       struct error *error)
{
    int code = 0;

    if (options->pin)
        code = parse_cpus(options->pin, load, error);
    for (unsigned i = 0; options->pin && i < load->cpu_count && code == 0; i++)
        if (!cpu_is_allowed(load->cpus[i]))
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "--pin: processor %u is not one that this process may use",
                             load->cpus[i]);
    if (!options->pin)
        take_allowed_cpus(load, self);
    return code;
}

static int choose_threads(const struct load_options *options, const struct share_type *share,
                          struct load *load, struct error *error)
{
    unsigned connections = load->clients * load->connections;

    load->threads = load->cpu_count < load->clients ? load->cpu_count : load->clients;
    if (is_given(options->threads))
        load->threads = options->threads;
    if (share->one_connection && is_given(options->threads) && options->threads != connections)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--threads: this engine takes one for each connection");
    if (share->one_connection)
        load->threads = connections;
    if (load->threads > load->clients && !share->one_connection)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--threads %u: %u client%s can't use more than %u", load->threads,
                         load->clients, load->clients == 1 ? "" : "s", load->clients);
    if (load->threads > THREADS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "%u threads are too many; %d at most",
                         load->threads, THREADS_MAXIMUM);
    return 0;
}

static int check_rate(const struct load_options *options, const struct share_type *share,
                      struct load *load, struct error *error)
{
    if (options->arrival && !is_given(options->rate))
        return error_set(error, ERROR_USAGE, -EINVAL, "--arrival goes with --rate");
    if (is_given(options->rate) && options->rate > RATE_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "--rate must be %d a second at most",
                         RATE_MAXIMUM);
    if (is_given(options->rate) && !share->open_loop)
        return error_set(error, ERROR_USAGE, -EINVAL, "--rate: only engine wire sends at a rate");
    if (!options->arrival || strcmp(options->arrival, "poisson") == 0)
        load->arrival = ARRIVALS_POISSON;
    else if (strcmp(options->arrival, "constant") == 0)
        load->arrival = ARRIVALS_CONSTANT;
    else
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--arrival '%.60s' is not known; expected poisson or constant",
                         options->arrival);
    load->rate = is_given(options->rate) ? (double)options->rate : 0;
    return 0;
}

static int check_batch(const struct load_options *options, const struct engine_type *engine,
                       struct load *load, struct error *error)
{
    load->batch = or_one(options->batch);
    if (load->batch == 1)
        return 0;
    if (load->batch > load->depth / 2 || load->rate > 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--batch %u goes with a closed loop of twice as many calls in flight: "
                         "--depth %u or more",
                         load->batch, 2 * load->batch);
    if (!engine->share || !engine->share->takes_batches)
        return error_set(error, ERROR_USAGE, -EINVAL, "--batch goes with --engine wire");
    return 0;
}

static int check_depth(const struct load_options *options, const struct share_type *share,
                       struct load *load, struct error *error)
{
    load->depth = is_given(options->depth) ? options->depth : load->rate > 0 ? OPEN_LOOP_DEPTH : 1;
    if (load->depth > share->depth_maximum)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--depth %u: this engine has %u call%s in flight on a connection, at most",
                         load->depth, share->depth_maximum, share->depth_maximum == 1 ? "" : "s");
    return 0;
}

int load_options_apply(const struct load_options *options, const struct engine_type *engine,
                       bool self, struct load *load, struct error *error)
{
    const struct share_type *share = engine->share ? engine->share : &share_solo;
    int code;

    *load = (struct load){.clients = or_one(options->clients),
                          .connections = or_one(options->connections)};
    if ((uint64_t)load->clients * load->connections > CONNECTIONS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "more than %d connections are too many",
                         CONNECTIONS_MAXIMUM);
    code = refuse_zeros(options, error);
    if (code == 0)
        code = check_rate(options, share, load, error);
    if (code == 0)
        code = check_depth(options, share, load, error);
    if (code == 0)
        code = check_batch(options, engine, load, error);
    if (code == 0)
        code = choose_cpus(options, self, load, error);
    if (code == 0)
        code = choose_threads(options, share, load, error);
    if (code == 0 && !options->pin && !self)
        load->cpu_count = 0; /* not bound: the machine may have other work for some */
    return code;
}

bool load_takes_mixes(const struct engine_type *engine)
{
    return !engine->share || engine->share->takes_steps;
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
    return value < low ? low : value > high ? high : value;
}

uint32_t load_block_minimum(const struct load *load)
{
    uint64_t least = load->rate > 0 ? 1 : BLOCK_FILLINGS_MINIMUM * load_in_flight(load);

    return (uint32_t)clamp(least, ROUNDS_BLOCK, BLOCK_MAXIMUM);
}

uint32_t load_block(const struct load *load, uint64_t calls)
{
    enum { ROUNDS = 20 };
    uint64_t usual = load->rate > 0 ? (uint64_t)load->rate / BLOCKS_PER_SECOND
                                    : BLOCK_FILLINGS * load_in_flight(load);

    if (load->ranks > 0 && usual < BLOCK_OF_RANKS)
        usual = BLOCK_OF_RANKS;
    if (calls && usual > calls / ROUNDS)
        usual = calls / ROUNDS;
    return (uint32_t)clamp(usual, load_block_minimum(load), BLOCK_MAXIMUM);
}
