/* An nfsbench command that a prefix such as "ssh server" runs on the server's machine. The command
 * answers each line of its standard input with one line (some commands print a first line unasked),
 * and ends at the end of its input. Each line is a JSON object. Each answer names the version of
 * the protocol. */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/deadline.h"
#include "engine/channel/endpoint.h"

/* For the command itself: the server on its machine, and the client whose calls are observed. */
struct agent_server {
    pid_t process; /* the server's process; 0: no visible process listens on PORT */
    uint16_t port;
    bool is_udp;
    uint16_t client_port; /* source port; 0: each question contains the port */
};

struct remote_command {
    pid_t pid;        /* process of the prefix; 0: not started, or ended */
    int to, from;     /* descriptors of the command's standard input (TO) and output (FROM) */
    const char *name; /* words after "nfsbench", such as "agent --counters" */
    struct deadline deadline; /* limit for the first answer; its stop flag ends every wait */
};

enum {
    /* time limit for an answer outside of the measured time, s */
    REMOTE_COMMAND_ANSWER_SECONDS = 5,
    /* time limit for the first answer, s: longer, because ssh may ask for a password */
    REMOTE_COMMAND_FIRST_SECONDS = 20,
    REMOTE_COMMAND_ANSWER_SIZE = 4 << 20, /* size of the buffer for an answer, bytes */
};

/* Run "PREFIX nfsbench NAME" with options for the server of ENDPOINT and for the client that sends
 * from CLIENT_PORT (0: no option). The caller has set COMMAND's DEADLINE. Returns 0 or a negative
 * errno; 0 even if PREFIX is not a command: only the first remote_command_ask() detects that. */
int remote_command_start(struct remote_command *command, const char *prefix, const char *name,
                         const struct endpoint *endpoint, uint16_t client_port);

/* Write QUESTION (NULL: nothing), release QUESTION, and wait up to SECONDS for the answer. TAKE
 * stores the answer in INTO; it returns 0, or another value if the answer does not fit the
 * question. Returns 0, or a negative errno with ERROR set: -EPIPE if COMMAND has ended; -EINTR
 * after a signal; -ENOTSUP if the command answered why it can't answer, which is in ERROR; -EBADMSG
 * if the answer was unusable or missing, after which COMMAND is ended. */
int remote_command_ask(struct remote_command *command, json_t *question, unsigned seconds,
                       int (*take)(void *into, const json_t *answer), void *into,
                       struct error *error);

/* Close the command's input, and kill it unless it ends within a second. Returns the command's wait
 * status, or 0 if COMMAND was not started or has ended. */
int remote_command_end(struct remote_command *command);

/* For use in the command itself: pass each line of standard input, of less than SIZE bytes, with
 * CONTEXT to ANSWER. Returns 0, or a negative errno with ERROR set. */
int remote_command_serve(size_t size,
                         int (*answer)(void *context, const char *line, struct error *error),
                         void *context, struct error *error);

/* For the command itself: print and release ANSWER (NULL: out of memory). Returns 0 or -EIO. */
int remote_command_answer(json_t *answer, struct error *error);
