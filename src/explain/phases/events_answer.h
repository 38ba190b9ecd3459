/* The server's end of an explanation that runs on another machine: 'nfsbench agent --events'
 * answers with what eBPF observed of the client's calls (explain/kernel/server_watch.h). */
#pragma once

#include "run/setup/remote_command.h"

/* Print whether SERVER can be observed. If so, answer each line on standard input, until its end:
 * 'begin' by observing SERVER, 'end' by printing what SERVER did since 'begin'. Returns 0, even if
 * SERVER can't be observed, or a negative errno with ERROR set. */
int events_answer(const struct agent_server *server, struct error *error);
