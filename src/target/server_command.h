/* A server that the user's command starts, for launches or for a visit of an experiment
 * (--server-start, --versus server-start). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/mount.h"

struct server_command {
    const char *option; /* that names the command, for messages */
    pid_t guard;        /* the process that started it, reads its standard output, and ends it when
                           this one has gone, however that ended; 0: none */
    int alive;          /* open as long as this process lives, and the server is wanted */
    int reports;        /* where the guard says what has become of it: */
    bool ready;         /* it has printed its ready line */
    uint16_t port;      /* which that line names; 0: none */
    bool ended;         /* the command has ended; STATUS is from waitpid() */
    int status;
};

/* Run COMMAND, the value of OPTION, by sh, in a new process group, and wait for at most 30 seconds
 * until the server is ready: until it prints a line with "ready" on standard output (and perhaps
 * "port=N" after that), or until TARGET can be mounted with OPTIONS, whose stop flag is observed.
 * If a server answers at TARGET beforehand, that is an error, as it would be measured instead. 0,
 * or a negative errno with ERROR set; there is then nothing to stop. */
int server_command_start(struct server_command *server, const char *option, const char *command,
                         const struct target *target, const struct mount_options *options,
                         struct error *error);

/* If the command has ended by itself, add that to ERROR's text, and how: "exit status 1". */
void server_command_note_end(struct server_command *server, struct error *error);

/* How long a server may take to end by SIGTERM, ns: a tenth of what is left until DEADLINE, but one
 * second at least, and five at most. */
uint64_t server_command_stop_ns(const struct deadline *deadline);

/* End its process group, and all processes that it left running (a daemon, say): by SIGTERM, and
 * after server_command_stop_ns() by SIGKILL. The same happens, after five seconds, when this
 * process ends without it. May be called twice. */
void server_command_stop(struct server_command *server, const struct deadline *deadline);
