#include "cli/explain_server.h"

#include <stdio.h>
#include <string.h>

void explain_server_open(struct explain_server *server, const struct explain_plan *plan,
                         const struct session *session, uint16_t port)
{
    memset(server, 0, sizeof *server);
    server->view = &phase_view_client;
    if (plan->no_server)
        snprintf(server->lacking, sizeof server->lacking, "not asked for (--no-server)");
}

void explain_server_begin(struct explain_server *server, uint16_t port)
{
}

int explain_server_end(struct explain_server *server, struct call_times *calls, size_t count,
                       struct error *error)
{
    return 0;
}

void explain_server_note(const struct explain_server *server, struct explain_slow_call *call)
{
}

void explain_server_close(struct explain_server *server)
{
}
