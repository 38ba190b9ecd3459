#include "cli/launch_servers.h"

enum { FIRST, SECOND, SIDES };

void launch_servers_stop(struct launch_servers *servers)
{
    self_stop(&servers->self);
    for (size_t i = 0; i < SIDES; i++)
        server_command_stop(&servers->commands[i]);
}

static int start_command(struct server_command *server, const struct run_plan *plan,
                         const char *option, const char *command, struct error *error)
{
    struct mount_options options = {
        .identity = plan->identity,
        .channel = {.reply_maximum = RPC_REPLY_USUAL, .stop = plan->stop},
        .reserved_port = !plan->no_reserved_port};

    return server_command_start(server, option, command, &plan->target, &options, error);
}

int launch_servers_start(struct launch_servers *servers, const struct run_plan *const plans[2],
                         const struct options *options, struct error *error)
{
    struct server_command *commands = servers->commands;
    int code = 0;

    launch_servers_stop(servers);
    if (plans[FIRST]->target.self && !plans[SECOND])
        return self_start_only(&servers->self, plans[FIRST]->server_arguments, &servers->self_port,
                               error);
    if (options->server_start)
        code = start_command(&commands[FIRST], plans[FIRST], "--server-start",
                             options->server_start, error);
    if (code == 0 && options->versus_server_start)
        code = start_command(&commands[SECOND], plans[SECOND], "--versus-server-start",
                             options->versus_server_start, error);
    return code;
}

uint16_t launch_servers_port(const struct launch_servers *servers, const struct run_plan *plan,
                             size_t side)
{
    return plan && !plan->target.nfs_port ? servers->commands[side].port : 0;
}

void launch_servers_describe_end(struct launch_servers *servers, char *text, size_t size)
{
    char how[40];

    *text = '\0';
    for (size_t i = 0; i < SIDES && !*text; i++)
        if (server_command_has_ended(&servers->commands[i], how, sizeof how))
            snprintf(text, size, "; the command of %s ended, %s", servers->commands[i].option, how);
}
