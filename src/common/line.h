/* Reading a line from a pipe, with a timeout. */
#ifndef NFSBENCH_COMMON_LINE_H
#define NFSBENCH_COMMON_LINE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* Read from FD until a newline, which is kept; LINE holds SIZE bytes and is terminated. 0;
 * -ETIMEDOUT after TIMEOUT_NS; -EINTR when *STOP is set (NULL: never); -EPIPE when the other end
 * was closed before; -EMSGSIZE when the line does not fit. LINE then has what was read so far. */
int line_read(int fd, char *line, size_t size, uint64_t timeout_ns,
              const volatile sig_atomic_t *stop);

#endif
