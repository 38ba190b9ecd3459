/* The cost of a call in a complete process of nfsbench, with recording and statistics. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct batch_whole {
    uint16_t port; /* port of the server on 127.0.0.1 */
    const char *op, *proto;
    uint32_t read_size;
    size_t connections, depth;
    uint64_t calls; /* number of calls in the shorter run; the longer run makes twice as many */
};

struct batch_whole_cost {
    /* difference of the two runs' times, divided by the number of additional calls */
    double elapsed_ns, cpu_ns;
};

/* Run nfsbench twice, the second time with twice as many calls, so that the difference of the runs
 * contains no cost of starting and ending. Ends the program on an error. */
struct batch_whole_cost batch_whole_run(const struct batch_whole *whole);
