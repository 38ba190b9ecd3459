#include "measure/rounds_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/counted.h"

enum {
    /* number of rounds with memory at first, if the plan has no number of calls */
    FIRST_CAPACITY = 1024,
};

/* Touch the pages of MEMORY, so that the run causes no page faults. */
static void touch_pages(void *memory, size_t size)
{
    memset(memory, 0, size);
    __asm__ volatile(""
                     :
                     : "r"(memory)
                     : "memory"); /* keeps the compiler from removing the memset() */
}

static void *allocate_touched(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (memory)
        touch_pages(memory, count * size);
    return memory;
}

static int reserve_rounds(struct rounds *rounds, size_t capacity)
{
    for (size_t i = 0; i < rounds->series_count; i++)
        for (size_t s = 0; s < BLOCK_STATISTICS; s++) {
            double **blocks = &rounds->series[i].blocks[s];
            double *larger = realloc(*blocks, capacity * sizeof **blocks);

            if (!larger)
                return -ENOMEM;
            *blocks = larger;
            touch_pages(larger + rounds->capacity, (capacity - rounds->capacity) * sizeof *larger);
        }
    rounds->capacity = capacity;
    return 0;
}

/* Return the number of rounds that fit into half of the machine's memory. The kernel would
 * overcommit more memory, and later kill a process. */
static uint64_t rounds_most(size_t series)
{
    double round = (double)(series * BLOCK_STATISTICS * sizeof(double));
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    return (uint64_t)fmin(memory / 2 / round, UINT32_MAX);
}

int rounds_open(struct rounds *rounds, const struct rounds_plan *plan, struct error *error)
{
    uint64_t planned = plan->calls ? (plan->calls - 1) / plan->block + 1 : UINT32_MAX;
    uint64_t capacity = plan->calls ? planned : FIRST_CAPACITY, most = rounds_most(plan->series);

    memset(rounds, 0, sizeof *rounds);
    if (capacity > most)
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "%llu rounds of %s do not fit into memory; lower COUNT to %llu, or raise --block",
            (unsigned long long)planned, counted(plan->block, "call").text,
            (unsigned long long)most * plan->block);
    rounds->planned = (size_t)planned;
    rounds->series_count = plan->series;
    rounds->series = allocate_touched(plan->series, sizeof *rounds->series);
    if (!rounds->series || reserve_rounds(rounds, (size_t)capacity) != 0) {
        rounds_close(rounds);
        return error_set(error, ERROR_FAILED, -ENOMEM,
                         "out of memory for %llu rounds; use a smaller COUNT or a larger --block",
                         (unsigned long long)capacity);
    }
    return 0;
}

static void free_blocks(struct series *series)
{
    for (size_t s = 0; s < BLOCK_STATISTICS; s++)
        free(series->blocks[s]);
}

void rounds_remove(struct rounds *rounds, size_t index)
{
    struct series *removed = &rounds->series[index];

    free_blocks(removed);
    rounds->series_count--;
    memmove(removed, removed + 1, (rounds->series_count - index) * sizeof *removed);
}

void rounds_close(struct rounds *rounds)
{
    for (size_t i = 0; rounds->series && i < rounds->series_count; i++)
        free_blocks(&rounds->series[i]);
    free(rounds->series);
    memset(rounds, 0, sizeof *rounds);
}

int rounds_run_reserve(struct rounds_run *run)
{
    struct rounds *rounds = run->rounds;
    size_t capacity = 2 * rounds->capacity;

    if (rounds->done < rounds->capacity)
        return 0;
    if (capacity > rounds_most(rounds->series_count) || reserve_rounds(rounds, capacity) != 0)
        return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory after %zu rounds",
                         rounds->done);
    return 0;
}

void rounds_run_close(struct rounds_run *run)
{
    free(run->order);
    free(run->ticks);
    free(run->room);
    free(run->current);
    free(run->samples);
    free(run->spare);
    free(run->ahead.blocks);
    free(run->ahead.calls);
}

int rounds_run_open(struct rounds_run *run)
{
    size_t series = run->plan->series, block = run->plan->block, calls = 0;

    for (size_t i = 0; i < series; i++)
        calls += rounds_run_calls_in_block(run, i, block);
    run->order = allocate_touched(series, sizeof *run->order);
    run->ticks = allocate_touched(series, sizeof *run->ticks);
    run->room = allocate_touched(calls, sizeof *run->room);
    run->current = allocate_touched(series, sizeof *run->current);
    run->ahead.calls = allocate_touched(series, sizeof *run->ahead.calls);
    run->samples = allocate_touched(block, sizeof *run->samples);
    run->spare = allocate_touched(block, sizeof *run->spare);
    if (!run->order || !run->ticks || !run->room || !run->current || !run->ahead.calls ||
        !run->samples || !run->spare)
        return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory for a round");
    for (size_t i = series; i-- > 0;) {
        run->order[i] = i;
        calls -= rounds_run_calls_in_block(run, i, block);
        run->ticks[i] = run->room + calls;
    }
    run->planned = run->rounds->planned;
    random_seed(&run->random, run->plan->seed);
    return 0;
}

size_t rounds_run_calls_in_block(const struct rounds_run *run, size_t series, size_t count)
{
    const struct rounds_plan *plan = run->plan;
    size_t calls = plan->blocks ? count * plan->blocks[series] / plan->block : count;

    return calls ? calls : 1;
}

void rounds_run_order(struct rounds_run *run)
{
    const bool *follows = run->plan->follows;
    size_t leading = 0, n = run->plan->series;

    for (size_t i = 0; i < n; i++)
        if (!follows || !follows[i])
            run->order[leading++] = i;
    random_shuffle(&run->random, run->order, leading);
    for (size_t i = 0; i < n && follows; i++)
        if (follows[i])
            run->order[leading++] = i;
}

size_t rounds_run_calls_in_round(const struct rounds_run *run, size_t round)
{
    const size_t planned = run->planned;

    if (run->plan->calls == 0)
        return run->plan->block;
    return (size_t)(run->plan->calls / planned + (round < run->plan->calls % planned));
}

int rounds_run_give_up(struct rounds_run *run, size_t index, int code)
{
    struct series *measured = &run->rounds->series[index];

    if (code != -ECANCELED)
        return code;
    measured->given_up = true;
    measured->kept_to = run->rounds->done;
    return 0;
}
