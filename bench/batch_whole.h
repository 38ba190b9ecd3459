/* The whole program: what a call costs a process of nfsbench, with recording and statistics. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct batch_whole {
    uint16_t port; /* of the server on 127.0.0.1 */
    const char *op, *proto;
    uint32_t read_size;
    size_t connections, depth;
    uint64_t calls; /* between the two runs */
};

struct batch_whole_cost {
    double elapsed_ns, cpu_ns; /* per call: of the longer run less that of the shorter one */
};

/* Run nfsbench twice, the second time with so many calls more; what does not belong to the calls,
 * such as starting and ending, is in both. Ends the program where it fails. */
struct batch_whole_cost batch_whole_run(const struct batch_whole *whole);
