/* The target self: - the embedded server, started for one run in a separate process; and the bare
 * echo next to a server, started likewise. */
#pragma once

#include <sys/types.h>

#include "target/target.h"

struct self_server {
    pid_t pid;      /* 0: none */
    int pinned_cpu; /* of the server; -1 if there is only one processor */
};

/* Let COMMAND, such as "serve", be the command of nfsbench that is the embedded server. When it is
 * ready, it prints a line with "port=N"; with --echo and --bind ADDRESS it is a bare echo; SIGTERM
 * ends it. Before this call there is none, and no server can be started. */
void self_use(const char *command);

/* 0, or -EINVAL with ERROR set (ERROR_USAGE) where there is no embedded server. */
int self_check(struct error *error);

/* Start PROGRAM (nfsbench; NULL: this very program) with that command and ARGUMENTS
 * (with blanks between, such as "--cost getattr=2us"; may be NULL) and wait until it is ready, for
 * 10 s at most and until the DEADLINE (NULL: none). With two processors or more, the server is
 * pinned to the last and the calling thread to the first. TARGET, which is self:, is changed to the
 * server's address. The server ends with the calling thread, however that ends. Returns 0, or a
 * negative errno with ERROR set: that of self_check(), -EINTR if a signal ended the wait,
 * -ETIMEDOUT if the server was not ready in time. */
int self_start(struct self_server *server, struct target *target, const char *program,
               const char *arguments, const struct deadline *deadline, struct error *error);

/* The same in two steps: start this program as a server for processes that run later, at *PORT; and
 * join it from one of them. The calling thread is pinned when it joins. A process that joined a
 * server does not stop it. 0, or a negative errno with ERROR set. */
int self_start_only(struct self_server *server, const char *arguments,
                    const struct deadline *deadline, uint16_t *port, struct error *error);
void self_join(struct self_server *server, struct target *target, uint16_t port, int pinned_cpu);

/* Start PROGRAM likewise as a bare echo at ADDRESS, one of this machine's, and at *PORT, pinned to
 * processor CPU (negative: to the caller's processors). Waits and returns as self_start() does. */
int self_start_echo(struct self_server *server, const char *address, int cpu, const char *program,
                    const struct deadline *deadline, uint16_t *port, struct error *error);

/* Stop it and wait until it has ended; may be called twice. */
void self_stop(struct self_server *server);
