/* The target self: - the embedded server, started for one run in a process of its own; and the bare
 * echo beside a server, started likewise. */
#ifndef NFSBENCH_TARGET_SELF_H
#define NFSBENCH_TARGET_SELF_H

#include <sys/types.h>

#include "target/target.h"

struct self_server {
    pid_t pid;      /* 0: none */
    int pinned_cpu; /* of the server; -1 where there is one processor only */
};

/* Start PROGRAM (nfsbench; NULL: this very program) with the words "serve" and ARGUMENTS
 * (NULL-terminated, such as "--cost", "getattr=2us"; may be NULL) and wait until it is ready. Where
 * there are two processors or more, the server is pinned to the last and the calling thread to the
 * first. TARGET, which is self:, is changed to name it. The server ends with the calling thread,
 * whatever becomes of that. 0, or a negative errno with ERROR set. */
int self_start(struct self_server *server, struct target *target, const char *program,
               const char *const *arguments, struct error *error);

/* In two steps: start this very program likewise for whoever runs later on, whose server it then is
 * (*PORT is its), and join it from there. The calling thread is bound when it joins. A server that
 * was joined is not stopped by those who joined it. 0, or a negative errno with ERROR set. */
int self_start_only(struct self_server *server, const char *const *arguments, uint16_t *port,
                    struct error *error);
void self_join(struct self_server *server, struct target *target, uint16_t port, int pinned_cpu);

/* Start PROGRAM likewise as a bare echo at ADDRESS, one of this machine's, bound to processor CPU
 * (negative: to those of the caller). *PORT is its. 0, or a negative errno with ERROR set. */
int self_start_echo(struct self_server *server, const char *address, int cpu, const char *program,
                    uint16_t *port, struct error *error);

/* Stop it and wait for its end; it may be stopped twice. */
void self_stop(struct self_server *server);

#endif
