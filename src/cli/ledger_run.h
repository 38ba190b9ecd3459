/* The part of a run that counts: stretches of each op between readings of the kernel's counters
 * (measure/ledger.h). */
#ifndef NFSBENCH_CLI_LEDGER_RUN_H
#define NFSBENCH_CLI_LEDGER_RUN_H

#include "cli/server_counters.h"
#include "measure/ledger.h"

struct session;

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

/* Find the counters of SESSION's server, to be closed by server_counters_close(). */
void ledger_run_find_server(const struct session *session, struct server_counters *server);

/* Find the server's side. To be called before the run, so that what is wrong is known early. */
void ledger_run_open(struct session *session);

/* Count. What goes wrong is told in SESSION's ledger, whose entries are then unknown. */
void ledger_run_count(struct session *session);

/* Let go of the server's side. */
void ledger_run_close(struct ledger_run *ledger);
void ledger_run_free(struct ledger_run *ledger);

#endif
