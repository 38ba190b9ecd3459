/* An nfsbench command that a prefix such as "ssh server" runs on the server's machine. It answers
 * each line of its standard input with one line, and ends at the end of its input. */
#pragma once

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

struct remote_command {
    pid_t pid;                         /* of PREFIX; 0: none, or it has ended */
    int to, from;                      /* its standard input and output */
    const char *name;                  /* "agent --counters" */
    const volatile sig_atomic_t *stop; /* not 0: stop waiting for answers; NULL: never */
};

enum {
    REMOTE_COMMAND_ANSWER_SECONDS = 5, /* time for an answer outside the measured time */
    REMOTE_COMMAND_FIRST_SECONDS = 20, /* time for the first answer: ssh may ask for a password */
};

/* Run "PREFIX nfsbench NAME ARGUMENTS"; COMMAND's STOP is not changed. Returns 0 or a negative
 * errno. A PREFIX that is not a command is detected by the first remote_command_ask(). */
int remote_command_start(struct remote_command *command, const char *prefix, const char *name,
                         const char *arguments);

/* Write QUESTION (unless it is ""), and read the answering line into ANSWER, as input_read_line()
 * does within SECONDS. */
int remote_command_ask(struct remote_command *command, const char *question, char *answer,
                       size_t size, unsigned seconds);

/* Close the command's input, and kill it unless it ends within a second. Returns its wait status.
 * Does nothing if it has already ended. */
int remote_command_end(struct remote_command *command);

/* End a command that does not work. ERROR is set to the reason: how it ended, or ANSWER, which it
 * printed instead of an answer ("": nothing). Returns CODE. */
int remote_command_give_up(struct remote_command *command, const char *answer, int code,
                           struct error *error);
