#include "cli/server_watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "common/address.h"

struct server_watch {
    struct remote_command command;
    struct watch_answer answer;
    char line[WATCH_ANSWER_SIZE];
};

/* Whatever else comes than an answer that is expected. An interrupt ends the command, too, which
 * is no fault of its. */
static int refuse(struct server_watch *watch, bool understood, struct error *error)
{
    if (interrupt_flag)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    if (understood && watch->answer.kind == WATCH_LACKING)
        return error_set(error, ERROR_FAILED, -ENOTSUP, "%s", watch->answer.lacking);
    return remote_command_give_up(&watch->command, watch->line, -EBADMSG, error);
}

static int ask(struct server_watch *watch, const char *question, unsigned seconds,
               enum watch_answer_kind expected, struct error *error)
{
    int code;

    if (watch->command.pid == 0)
        return error_set(error, ERROR_FAILED, -EPIPE, "--server-cmd ended before");
    code = remote_command_ask(&watch->command, question, watch->line, sizeof watch->line, seconds);
    if (code == 0)
        code = watch_answer_from_json(&watch->answer, watch->line);
    return code == 0 && watch->answer.kind == expected ? 0 : refuse(watch, code == 0, error);
}

int server_watch_open(struct server_watch **watch, const struct server_watch_request *request,
                      struct error *error)
{
    char arguments[96];
    int code;

    *watch = calloc(1, sizeof **watch);
    if (!*watch)
        return error_set(error, ERROR_FAILED, -ENOMEM, "there is no memory for its answers");
    snprintf(arguments, sizeof arguments, "--port %u --proto %s --client-port %u",
             address_port(&request->endpoint->address),
             request->endpoint->transport == TRANSPORT_UDP ? "udp" : "tcp", request->client_port);
    code = remote_command_start(&(*watch)->command, request->prefix, "watch", arguments);
    if (code)
        error_set(error, ERROR_FAILED, code, "--server-cmd could not be started");
    else
        code = ask(*watch, "", REMOTE_COMMAND_FIRST_SECONDS, WATCH_READY, error);
    if (code == 0)
        return 0;
    server_watch_close(*watch);
    *watch = NULL;
    return code;
}

int server_watch_begin(struct server_watch *watch, struct error *error)
{
    return ask(watch, "begin\n", REMOTE_COMMAND_ANSWER_SECONDS, WATCH_READY, error);
}

int server_watch_end(struct server_watch *watch, struct watch_answer **answer, struct error *error)
{
    *answer = &watch->answer;
    return ask(watch, "end\n", REMOTE_COMMAND_ANSWER_SECONDS, WATCH_HALVES, error);
}

void server_watch_close(struct server_watch *watch)
{
    if (!watch)
        return;
    remote_command_end(&watch->command);
    free(watch);
}
