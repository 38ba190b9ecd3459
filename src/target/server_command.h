/* A server that a command of the user's starts, for one launch or several (--server-start). */
#ifndef NFSBENCH_TARGET_SERVER_COMMAND_H
#define NFSBENCH_TARGET_SERVER_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/mount.h"

struct server_command {
    pid_t pid;     /* of the shell that runs it, and its process group; 0: none */
    int output;    /* what it prints comes out here; to be read, lest it waits */
    uint16_t port; /* that its ready line named; 0: none */
    bool ended;    /* the command is through; STATUS is as waitpid() has it */
    int status;
};

/* Run COMMAND by sh, in a process group of its own, and wait until the server is ready, 30 seconds
 * at most: until a line on its standard output has the word "ready" in it (a "port=N" behind that
 * is taken), or TARGET lets itself be mounted with OPTIONS, whose stop flag is looked at. A server
 * that answers at TARGET before is refused: it would be measured instead. 0, or a negative errno
 * with ERROR set; there is then nothing to stop. */
int server_command_start(struct server_command *server, const char *command,
                         const struct target *target, const struct mount_options *options,
                         struct error *error);

/* Read away what it prints; never blocks. */
void server_command_drain(struct server_command *server);

/* Has the command ended by itself? Then TEXT says how: "exit status 1". */
bool server_command_has_ended(struct server_command *server, char *text, size_t size);

/* End its process group, and all that it left behind (a daemon, say): SIGTERM, after five seconds
 * SIGKILL. All children of this process are taken for the command's. It may be stopped twice. */
void server_command_stop(struct server_command *server);

#endif
