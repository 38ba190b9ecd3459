/* A server that the user's command starts, for launches or for a variant of an experiment
 * (--server-start, --versus server-start). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/mount.h"

struct server_command {
    const char *option; /* option that gave the command, for messages */
    /* The guard: starts the server, reads its output, and ends it when this process ends; or 0. */
    pid_t guard;
    int alive;     /* pipe that stays open while this process lives and wants the server */
    int reports;   /* pipe from the guard, whose reports set the members below */
    bool ready;    /* the server has printed its ready line */
    uint16_t port; /* port in the ready line; 0: none */
    bool ended;    /* the command has ended; STATUS is from waitpid() */
    int status;
};

/* Run COMMAND, the value of OPTION, with sh in a new process group, and wait at most 30 seconds
 * until the server is ready. It is ready when it prints a line with "ready" on standard output
 * (optionally with "port=N" after it), or when TARGET can be mounted with OPTIONS, whose stop flag
 * ends the wait. It is an error if a server answers at TARGET before, because it would be measured
 * instead. Returns 0, or a negative errno with ERROR set; then there is nothing to stop. */
int server_command_start(struct server_command *server, const char *option, const char *command,
                         const struct target *target, const struct mount_options *options,
                         struct error *error);

/* If the command has ended by itself, add to ERROR's text how it ended, such as "exit status 1". */
void server_command_note_end(struct server_command *server, struct error *error);

/* Return the time that a server may take to end after SIGTERM, ns: a tenth of the time until
 * DEADLINE, but at least one second and at most five. */
uint64_t server_command_stop_ns(const struct deadline *deadline);

/* End the server's process group and all processes that it left running, such as a daemon: with
 * SIGTERM, and after server_command_stop_ns() with SIGKILL. If this process ends without the call,
 * the guard does the same after five seconds. May be called twice. */
void server_command_stop(struct server_command *server, const struct deadline *deadline);
