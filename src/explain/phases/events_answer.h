/* The server's end of an explanation that runs on another machine: 'nfsbench agent --events'
 * answers with what eBPF observed of the client's calls (explain/kernel/server_watch.h). */
#pragma once

#include "run/setup/remote_command.h"

/* Answer each 'begin' and 'end' on standard input with what SERVER did between the two, until the
 * end of input. Returns 0, or a negative errno with ERROR set. */
int events_answer(const struct agent_server *server, struct error *error);
