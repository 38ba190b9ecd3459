/* A command of nfsbench's that a prefix such as "ssh server" runs on the server's machine. It reads
 * lines on its standard input and answers each by one; it ends with its input. */
#ifndef NFSBENCH_RUN_REMOTE_COMMAND_H
#define NFSBENCH_RUN_REMOTE_COMMAND_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

struct remote_command {
    pid_t pid;                         /* of PREFIX; 0: none, or it was ended */
    int to, from;                      /* its standard input and output */
    const char *name;                  /* "agent --counters" */
    const volatile sig_atomic_t *stop; /* not 0: wait for no answer; NULL: never */
};

enum {
    REMOTE_COMMAND_ANSWER_SECONDS = 5, /* what answers outside of measured time may take */
    REMOTE_COMMAND_FIRST_SECONDS = 20, /* ssh may have to ask for a password */
};

/* Run "PREFIX nfsbench NAME ARGUMENTS"; the command's STOP stays as it is. 0 or a negative errno;
 * that PREFIX is no command at all shows when it is asked. */
int remote_command_start(struct remote_command *command, const char *prefix, const char *name,
                         const char *arguments);

/* Write QUESTION ("": none is needed), and read the line that answers it to ANSWER, as
 * line_read() does within SECONDS. */
int remote_command_ask(struct remote_command *command, const char *question, char *answer,
                       size_t size, unsigned seconds);

/* Close its input and give it a second to end; then it is killed. Returns its wait status. Nothing
 * happens where it was ended before. */
int remote_command_end(struct remote_command *command);

/* The same, when it is of no use: ERROR says why, by how it ended or by ANSWER, what it printed
 * instead ("": nothing). Returns CODE. */
int remote_command_give_up(struct remote_command *command, const char *answer, int code,
                           struct error *error);

#endif
