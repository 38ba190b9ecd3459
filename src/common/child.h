/* Child processes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Start the program ARGUMENTS[0], which is searched for in PATH. NULL ends ARGUMENTS. The program's
 * descriptors 0, 1 and 2 are STREAMS; a negative stream is inherited. In the program, SIGPIPE and
 * SIGXFSZ have their default actions. Sets *PID. Returns 0 or a negative errno. */
int child_start(pid_t *pid, const char *const *arguments, const int streams[3]);

/* Fork a process that receives signal SIGN when the calling thread ends. Returns as fork(). */
pid_t child_fork(int sign);

/* Wait until child PID ends, and return true. After LIMIT_NS, kill it and return false. *STATUS is
 * set as by waitpid(). */
bool child_await(pid_t pid, uint64_t limit_ns, int *status);
