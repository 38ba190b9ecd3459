/* The part of a run that counts: stretches of each op between readings of the kernel's counters
 * (measure/ledger.h), the client's and the server's, wherever these come from. */
#ifndef NFSBENCH_RUN_LEDGER_RUN_H
#define NFSBENCH_RUN_LEDGER_RUN_H

#include "engine/endpoint.h"
#include "measure/ledger.h"
#include "run/remote_command.h"

struct rounds;
struct series_set;
struct setup;

/* The server's counters */

struct server_counters {
    pid_t pid; /* the server's process, on this machine; 0: not known */
    struct remote_command
        command; /* `nfsbench agent --counters` on the server's machine, where it runs */
    /* Why some are not known, or none any more; "" when all are. */
    char missing[512];
};

struct server_counters_request {
    const struct endpoint *endpoint;
    const char *command; /* prefix of a command line, such as "ssh server"; NULL: none */
    pid_t pid;           /* known beforehand; 0: to be found by its port */
    const volatile sig_atomic_t *stop; /* as a remote command has it */
};

/* Find the server's counters. Where there are none, MISSING says why. */
void server_counters_open(struct server_counters *server,
                          const struct server_counters_request *request);

/* Read them: those of its process alone where it is on this machine, else its machine's, too.
 * Without, all are unknown. */
void server_counters_read(struct server_counters *server, struct counters *counters);

void server_counters_close(struct server_counters *server);

/* The ledger */

enum { LEDGER_RUN_CALLS_MAXIMUM = 500 }; /* in a stretch */

struct ledger_run {
    bool opened, done;
    uint64_t calls;                       /* in a stretch */
    struct ledger_entry *client, *server; /* by series; those of the cost model are empty */
    struct ledger_entry client_idle, server_idle;
    struct server_counters counters;
    pid_t server_pid;      /* on this machine; 0: none, or not known */
    char server_cpus[128]; /* that its process may run on; "" where not known */
    char cut_short[512];   /* why it was not done to its end; else "" */
};

/* Find the counters of the server of SETUP, to be closed by server_counters_close(). */
void ledger_run_find_server(const struct setup *setup, struct server_counters *server);

/* Find the server's side. To be called before the run, so that what is wrong is known early. */
void ledger_run_open(struct ledger_run *ledger, const struct setup *setup);

/* Count calls of SET, whose ROUNDS say how long they take. What goes wrong is noted in LEDGER,
 * whose entries are then unknown. */
void ledger_run_count(struct ledger_run *ledger, struct series_set *set,
                      const struct rounds *rounds);

/* Let go of the server's side. */
void ledger_run_close(struct ledger_run *ledger);
void ledger_run_free(struct ledger_run *ledger);

#endif
