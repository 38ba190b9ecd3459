/* What the eBPF program that counts functions shares with its reader. Included by the program,
 * which is compiled without libc. */
#ifndef NFSBENCH_EXPLAIN_FUNCTION_SIDE_H
#define NFSBENCH_EXPLAIN_FUNCTION_SIDE_H

#include <linux/types.h>

/* Where a function of the kernel ran: while which process had the processor. */
enum function_side {
    FUNCTION_CLIENT,
    FUNCTION_SERVER,
    FUNCTION_ELSEWHERE, /* another process, a thread of the kernel, or none */
    FUNCTION_SIDES,
};

enum {
    FUNCTIONS_MAXIMUM = 128,
    FUNCTION_NUMBER = 0x5f3a91c7, /* replaced in the program's instructions, where it is once */
};

struct function_count {
    __u64 calls[FUNCTION_SIDES];
};

#endif
