/* Programs that run beside this one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Run the program ARGUMENTS[0], which is looked for in the PATH, with ARGUMENTS, which NULL ends.
 * Its first three descriptors are STREAMS; a negative one is this process's. SIGPIPE and SIGXFSZ
 * end it. 0, or a negative errno. */
int child_start(pid_t *pid, const char *const *arguments, const int streams[3]);

/* fork(), of a process that SIGN ends when this one has ended, however it did. */
pid_t child_fork(int sign);

/* Wait until PID has ended, which waitpid() describes in *STATUS. If it has not after LIMIT_NS, it
 * is killed, and the return value is false. */
bool child_await(pid_t pid, uint64_t limit_ns, int *status);
