/* A server that the user's command starts, for launches or for a variant of an experiment
 * (--server-start, --versus server-start). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/mount.h"

struct server_command {
    const char *option; /* option that gives the command, for messages */
    /* Guard process: starts the server, reads its output, ends it if this process ends; 0: none. */
    pid_t guard;
    int alive;     /* pipe whose closing tells the guard to end the server */
    int reports;   /* pipe of the guard's reports, which set the members below */
    bool ready;    /* true: the server has printed its ready line */
    uint16_t port; /* port in the ready line; 0: none */
    bool ended;    /* true: the command has ended; STATUS is from waitpid() */
    int status;
};

/* Run COMMAND, the value of OPTION, with sh in a new process group, and wait until the server is
 * ready: when it prints a line with "ready" (and perhaps "port=N" after that) on standard output,
 * or when TARGET can be mounted with OPTIONS. The wait ends after 30 seconds, or at the deadline or
 * stop flag of OPTIONS' channel. A server that already answers at TARGET is an error (-EADDRINUSE),
 * because it would be measured instead. Returns 0, or a negative errno with ERROR set and no
 * process left: -ECHILD if the command failed. */
int server_command_start(struct server_command *server, const char *option, const char *command,
                         const struct target *target, const struct mount_options *options,
                         struct error *error);

/* If the command has ended by itself, add to ERROR's text how it ended, such as "exit status 1". */
void server_command_note_end(struct server_command *server, struct error *error);

/* Return the time that a server may take to end after SIGTERM, in ns: a tenth of the time until
 * DEADLINE, limited to the range from one to five seconds; five without a limit. */
uint64_t server_command_stop_ns(const struct deadline *deadline);

/* End the command's process group and all processes that it left running, such as a daemon: by
 * SIGTERM and, after server_command_stop_ns(), by SIGKILL. If this process ends without this call,
 * the guard does the same, with five seconds between the signals. May be called twice. */
void server_command_stop(struct server_command *server, const struct deadline *deadline);
