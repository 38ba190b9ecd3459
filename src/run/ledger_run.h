/* The ledger of a run (measure/ledger.h): stretches of calls of each op are made, with readings of
 * the client's and the server's kernel counters before and after each. */
#pragma once

#include "engine/channel/endpoint.h"
#include "measure/ledger.h"
#include "run/setup/remote_command.h"

struct rounds;
struct series_set;
struct setup;

struct server_counters {
    pid_t pid; /* the server's process on this machine; 0: unknown, ended, or COMMAND is used */
    /* runs `nfsbench agent --counters` on the server's machine, if the user gave a prefix */
    struct remote_command command;
    char missing[512]; /* why all counters, or the process's, are unknown; "": the source works */
};

struct server_counters_request {
    const struct endpoint *endpoint;
    /* prefix of a command on the server's machine, such as "ssh server"; NULL: none */
    const char *command;
    pid_t pid;                /* the server's process; 0: find it by its port */
    struct deadline deadline; /* limit for the first answer of COMMAND */
};

/* Find a source of the server's counters. If there is none, SERVER's MISSING says why. */
void server_counters_open(struct server_counters *server,
                          const struct server_counters_request *request);

/* Set COUNTERS to those of the server's process and, if SERVER has a COMMAND, of its machine.
 * Without a source, all counters are unknown. If the source fails, MISSING says why. */
void server_counters_read(struct server_counters *server, struct counters *counters);

void server_counters_close(struct server_counters *server);

/* Maximum calls in a stretch: successive calls of one op between two readings of the counters. */
enum { LEDGER_RUN_CALLS_MAXIMUM = 500 };

struct ledger_run {
    bool opened, done;
    size_t passes;  /* number of stretches of each op, at most LEDGER_PASSES */
    uint64_t calls; /* number of calls in a stretch */
    /* counters per call, one entry for each series; not set for series that aren't counted */
    struct ledger_entry *client, *server;
    struct ledger_entry client_idle, server_idle;
    struct server_counters counters;
    const struct setup *setup; /* the set-up whose client makes the calls */
    pid_t server_pid;          /* COUNTERS' PID when it was opened; kept if the process ends */
    char server_cpus[128];     /* processors that the server may run on; "": unknown */
    char cut_short[512]; /* why counting ended early, or why an op was not counted; "": neither */
};

/* Open SERVER for the counters of SETUP's server. Release it with server_counters_close(). */
void ledger_run_find_server(const struct setup *setup, struct server_counters *server);

/* Open the counters of SETUP's server. Call this before the rounds. */
void ledger_run_open(struct ledger_run *ledger, const struct setup *setup);

/* Durations of a run's ledger, ns: with the usual and with the smallest number of calls. */
struct ledger_time {
    double usual_ns, least_ns;
};

struct ledger_time ledger_run_time_of(const struct series_set *set);

/* Make and count calls of SET's series within about TIME_NS (0: no limit). The number of calls is
 * chosen by the durations of calls in ROUNDS or, under load, in trials. An error is noted in
 * CUT_SHORT; DONE is then false, unless the error concerned only single ops. */
void ledger_run_count(struct ledger_run *ledger, struct series_set *set,
                      const struct rounds *rounds, double time_ns);

void ledger_run_close(struct ledger_run *ledger);
void ledger_run_free(struct ledger_run *ledger);
