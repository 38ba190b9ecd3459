/* The target self:, the embedded server in a separate process that is started for one run; and the
 * bare echo, a process on the server's machine that only returns messages. */
#pragma once

#include <sys/types.h>

#include "target/target.h"

struct self_server {
    pid_t pid;      /* process id of the server; 0: no server */
    int pinned_cpu; /* processor of the server; -1: not pinned */
};

/* Use COMMAND of nfsbench, such as "serve", as the embedded server. Without this call, or if
 * COMMAND is NULL, there is no embedded server. COMMAND must print a line with "port=N" when it is
 * ready, be a bare echo if --echo and --bind ADDRESS are given, and end by SIGTERM. */
void self_use(const char *command);

/* Return 0 if there is an embedded server, otherwise -EINVAL with ERROR set (ERROR_USAGE). */
int self_check(struct error *error);

/* Start PROGRAM (nfsbench; NULL: this program) as the embedded server with ARGUMENTS (separated by
 * blanks, such as "--cost getattr=2us"; may be NULL). Wait until it is ready, but at most 10 s and
 * not beyond DEADLINE (NULL: none). If this thread may use several processors, the server is pinned
 * to the last one and this thread to the first one. TARGET (self:) becomes the server's address and
 * export. The server ends with the calling thread. Returns 0, or a negative errno with ERROR set,
 * such as that of self_check(), -EINTR after a signal, -ETIMEDOUT if the server was not ready. */
int self_start(struct self_server *server, struct target *target, const char *program,
               const char *arguments, const struct deadline *deadline, struct error *error);

/* Start and use a server in two steps. self_start_only() starts this program as a server for later
 * processes, and sets *PORT to the server's port. It pins the server, waits and returns as
 * self_start(), but does not pin this thread. self_join() sets SERVER, and TARGET to the server at
 * PORT. PINNED_CPU is the server's processor. If it is not negative, self_join() pins the calling
 * thread to the first processor. self_stop() does not stop a server that was joined. */
int self_start_only(struct self_server *server, const char *arguments,
                    const struct deadline *deadline, uint16_t *port, struct error *error);
void self_join(struct self_server *server, struct target *target, uint16_t port, int pinned_cpu);

/* Start PROGRAM (NULL: this program) as a bare echo at ADDRESS, an address of this machine, and set
 * *PORT. The echo is pinned to processor CPU (negative: not pinned). Waits and returns as
 * self_start(). */
int self_start_echo(struct self_server *server, const char *address, int cpu, const char *program,
                    const struct deadline *deadline, uint16_t *port, struct error *error);

/* Stop SERVER by SIGTERM and, if it has not ended after two seconds, by SIGKILL. May be called
 * twice. */
void self_stop(struct self_server *server);
