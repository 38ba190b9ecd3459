#include "cli/local_server.h"

#include <errno.h>
#include <string.h>

#include "measure/process.h"

int local_server_check(struct local_server *server, struct error *error)
{
    enum { NFS_PORT = 2049 };

    if (server->proto && strcmp(server->proto, "tcp") != 0 && strcmp(server->proto, "udp") != 0)
        return error_set(error, ERROR_USAGE, -EINVAL, "--proto '%.60s': expected tcp or udp",
                         server->proto);
    if (server->pid && !process_exists((pid_t)server->pid))
        return error_set(error, ERROR_USAGE, -ESRCH, "--pid %u: there is no such process",
                         server->pid);
    if (server->port == 0)
        server->port = NFS_PORT;
    return 0;
}

bool local_server_is_udp(const struct local_server *server)
{
    return server->proto && strcmp(server->proto, "udp") == 0;
}

pid_t local_server_process(const struct local_server *server)
{
    return server->pid ? (pid_t)server->pid
                       : process_of_port(server->port, local_server_is_udp(server));
}
