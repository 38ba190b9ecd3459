/* An nfsbench command that a prefix such as "ssh server" runs on the server's machine. It answers
 * each line of its standard input with one line, and ends at the end of its input. A line is an
 * object in JSON, and that of an answer says in which protocol. */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/deadline.h"
#include "engine/channel/endpoint.h"

/* Within the command: a server on this machine, and the client whose calls are observed. */
struct agent_server {
    pid_t process; /* 0: no visible process listens on the port */
    uint16_t port;
    bool is_udp;
    uint16_t client_port; /* source port of the calls; 0: those that the questions name */
};

struct remote_command {
    pid_t pid;                /* of PREFIX; 0: none, or it has ended */
    int to, from;             /* its standard input and output */
    const char *name;         /* "agent --counters" */
    struct deadline deadline; /* by when its first answer must come; a signal ends every wait */
};

enum {
    REMOTE_COMMAND_ANSWER_SECONDS = 5, /* time for an answer outside the measured time */
    REMOTE_COMMAND_FIRST_SECONDS = 20, /* time for the first answer: ssh may ask for a password */
    REMOTE_COMMAND_ANSWER_SIZE = 4 << 20, /* of a line */
};

/* Run "PREFIX nfsbench NAME" for the server of ENDPOINT, and the client that sends from CLIENT_PORT
 * (0: any); COMMAND's DEADLINE is not changed. Returns 0 or a negative errno. A PREFIX that is not
 * a command is detected by the first remote_command_ask(). */
int remote_command_start(struct remote_command *command, const char *prefix, const char *name,
                         const struct endpoint *endpoint, uint16_t client_port);

/* Write QUESTION (NULL: nothing), which is released, and read within SECONDS what answers it, an
 * object that TAKE takes INTO something; it returns 0, or not for one that does not answer that. 0,
 * or a negative errno with ERROR set: -EINTR after a signal; -ENOTSUP with what the command
 * says is missing there; else the command has been ended, since it does not work, and why. */
int remote_command_ask(struct remote_command *command, json_t *question, unsigned seconds,
                       int (*take)(void *into, const json_t *answer), void *into,
                       struct error *error);

/* Close the command's input, and kill it unless it ends within a second. Returns its wait status.
 * Does nothing if it has already ended. */
int remote_command_end(struct remote_command *command);

/* Within the command: have ANSWER answer each line on standard input, which is SIZE bytes long at
 * most. 0, or a negative errno with ERROR set. */
int remote_command_serve(size_t size,
                         int (*answer)(void *context, const char *line, struct error *error),
                         void *context, struct error *error);

/* Within the command: print ANSWER and release it; NULL means that there was no memory for it. 0,
 * or -EIO with ERROR set. */
int remote_command_answer(json_t *answer, struct error *error);
