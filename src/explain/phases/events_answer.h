/* What the server did for a client's calls, by eBPF, as answers of 'nfsbench agent --events' to an
 * explanation that is made on another machine (explain/kernel/server_watch.h). */
#pragma once

#include "run/setup/remote_command.h"

/* Answer each pair of objects with 'begin' and 'end' with what SERVER did between them, until
 * standard input ends. 0, or a negative errno with ERROR set. */
int events_answer(const struct agent_server *server, struct error *error);
