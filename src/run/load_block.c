#include "run/load_block.h"

#include <math.h>

#include "measure/rounds.h"

enum { BLOCK_MAXIMUM = 1 << 20 };

/* BLOCK_FILLINGS_MINIMUM: least number of calls in a block for each call in flight or, in an open
 * loop, for each connection. The least block that follows has at least ROUNDS_BLOCK calls in a
 * closed loop, and at most ROUNDS_BLOCK calls in an open loop. BLOCKS_PER_SECOND: usual number of
 * blocks per second in an open loop. */
enum { BLOCK_FILLINGS_MINIMUM = 4, BLOCKS_PER_SECOND = 20 };

/* Least number of calls in a block of an open loop. It is less than ROUNDS_BLOCK, because the
 * warm-up makes several blocks, which would take minutes at a low rate. */
enum { BLOCK_AT_RATE_MINIMUM = 10 };

/* Least number of calls in a usual block of ranks, unless few calls are requested. It is large,
 * because the ranks begin a block up to 0.1 ms apart. */
enum { BLOCK_OF_RANKS = 5000 };

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
    return value < low ? low : value > high ? high : value;
}

uint32_t load_block_minimum(const struct load *load)
{
    uint64_t connections = (uint64_t)load->clients * load->connections;

    if (load->rate > 0)
        return (uint32_t)clamp(BLOCK_FILLINGS_MINIMUM * connections, BLOCK_AT_RATE_MINIMUM,
                               ROUNDS_BLOCK);
    return (uint32_t)clamp(BLOCK_FILLINGS_MINIMUM * load_in_flight(load), ROUNDS_BLOCK,
                           BLOCK_MAXIMUM);
}

uint32_t load_block(const struct load *load, uint64_t calls)
{
    enum { ROUNDS = 20 };
    uint64_t usual = load->rate > 0 ? (uint64_t)load->rate / BLOCKS_PER_SECOND
                                    : LOAD_BLOCK_FILLINGS * load_in_flight(load);

    if (load->ranks > 0 && usual < BLOCK_OF_RANKS)
        usual = BLOCK_OF_RANKS;
    if (calls && usual > calls / ROUNDS)
        usual = calls / ROUNDS;
    return (uint32_t)clamp(usual, load_block_minimum(load), BLOCK_MAXIMUM);
}

struct block_length load_block_of(const struct load *load, double spacing_ns, double run_ns)
{
    enum { MANY_CLIENTS = 32, ROUNDS = 20, SERIES = 4, LEAD_IN_FILLINGS = 4 };
    const double steady_ns = load->clients < MANY_CLIENTS ? 5e6 : 20e6, lead_in_ns = steady_ns / 5;
    const double in_flight = (double)load_in_flight(load);
    double share_ns = run_ns / (ROUNDS * SERIES);
    double steady = fmax(fmin(steady_ns, share_ns) / spacing_ns, LOAD_BLOCK_FILLINGS * in_flight);
    double lead_in = fmax(lead_in_ns / spacing_ns, LEAD_IN_FILLINGS * in_flight);
    double calls = fmin(lead_in + steady + in_flight, BLOCK_MAXIMUM);

    return (struct block_length){(uint32_t)calls, (uint32_t)lead_in};
}
