/* The ledger of a run (measure/ledger.h): makes stretches of each op's calls between readings of
 * the client's and the server's kernel counters. */
#pragma once

#include "engine/channel/endpoint.h"
#include "measure/ledger.h"
#include "run/setup/remote_command.h"

struct rounds;
struct series_set;
struct setup;

/* The server's counters */

struct server_counters {
    pid_t pid; /* the server's process on this machine; 0: unknown */
    /* `nfsbench agent --counters` on the server's machine, if it runs. */
    struct remote_command command;
    /* Why counters are unknown, in part or from some time on; "" if all are known. */
    char missing[512];
};

struct server_counters_request {
    const struct endpoint *endpoint;
    const char *command;      /* prefix of a command line, such as "ssh server"; NULL: none */
    pid_t pid;                /* 0: find it by its port */
    struct deadline deadline; /* as in struct remote_command */
};

/* Find the server's counters. If there are none, MISSING says why. */
void server_counters_open(struct server_counters *server,
                          const struct server_counters_request *request);

/* Read the counters: those of the server's process and, if it is on another machine, of that
 * machine. Without a source all are unknown. */
void server_counters_read(struct server_counters *server, struct counters *counters);

void server_counters_close(struct server_counters *server);

/* The ledger */

enum { LEDGER_RUN_CALLS_MAXIMUM = 500 }; /* in a stretch */

struct ledger_run {
    bool opened, done;
    size_t passes;                        /* LEDGER_PASSES at most */
    uint64_t calls;                       /* in a stretch */
    struct ledger_entry *client, *server; /* by series; empty for those of the cost model */
    struct ledger_entry client_idle, server_idle;
    struct server_counters counters;
    const struct setup *setup; /* whose client makes the calls */
    pid_t server_pid;          /* on this machine; 0: none or unknown */
    char server_cpus[128];     /* processors that the server may run on; "": unknown */
    char cut_short[512];       /* why counting ended early, or "" */
};

/* Find the counters of SETUP's server; release them with server_counters_close(). */
void ledger_run_find_server(const struct setup *setup, struct server_counters *server);

/* Find the server's counters. Call this before the run, so that errors are reported early. */
void ledger_run_open(struct ledger_run *ledger, const struct setup *setup);

/* What counting the calls of SET takes, ns: usually, and at least. */
struct ledger_time {
    double usual_ns, least_ns;
};

struct ledger_time ledger_run_time_of(const struct series_set *set);

/* Count calls of SET, whose durations come from ROUNDS, within TIME_NS if that is not 0. Errors are
 * noted in LEDGER, whose entries are then unknown. */
void ledger_run_count(struct ledger_run *ledger, struct series_set *set,
                      const struct rounds *rounds, double time_ns);

/* Release the server's counters. */
void ledger_run_close(struct ledger_run *ledger);
void ledger_run_free(struct ledger_run *ledger);
