/* The bare echo that a ladder stands on: the one that --echo names, or one that is started beside a
 * server of this machine. */
#ifndef NFSBENCH_CLI_EXPLAIN_ECHO_H
#define NFSBENCH_CLI_EXPLAIN_ECHO_H

#include "cli/session.h"

struct explain_echo {
    char host[TARGET_HOST_SIZE]; /* that --echo names; "" for one that is to be started */
    char port[8];
    struct self_server process; /* that was started */
    struct endpoint endpoint;
};

/* Take TEXT, as --echo has it: HOST:PORT or [ADDRESS]:PORT; NULL where it was not given. 0, or
 * -EINVAL with ERROR set (ERROR_USAGE). */
int explain_echo_parse(struct explain_echo *echo, const char *text, struct error *error);

/* Find it, or start it where SERVER is: on a processor that SESSION's own server is bound to. 0, or
 * a negative errno with ERROR set. */
int explain_echo_open(struct explain_echo *echo, const struct session *session,
                      const struct endpoint *server, struct error *error);

/* End what was started; it may be closed twice. */
void explain_echo_close(struct explain_echo *echo);

#endif
