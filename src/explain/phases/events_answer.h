/* The server's end of an explanation that runs on another machine: 'nfsbench agent --events'
 * answers with what eBPF observed of the client's calls (explain/kernel/server_watch.h). */
#pragma once

#include "run/setup/remote_command.h"

/* Answer first whether SERVER can be observed; if so, then each line 'begin' and 'end' on standard
 * input, until its end: 'end' with what SERVER did since 'begin'. Returns 0, even if SERVER can't
 * be observed, or a negative errno with ERROR set. */
int events_answer(const struct agent_server *server, struct error *error);
