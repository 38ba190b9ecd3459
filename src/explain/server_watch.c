#include "explain/server_watch.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/address.h"

/* An answer, written */

/* An array of the xid and, for each timestamp, the time since the arrival, or null. */
static json_t *residence_to_json(const struct server_residence *residence)
{
    json_t *array = json_array();

    json_array_append_new(array, json_integer(residence->xid));
    for (size_t i = 0; i < RESIDENCE_TIMESTAMPS; i++)
        json_array_append_new(array, residence->after_ns[i] == RESIDENCE_NONE
                                         ? json_null()
                                         : json_integer((json_int_t)residence->after_ns[i]));
    return array;
}

json_t *watch_answer_to_json(const struct watch_answer *answer)
{
    json_t *residences = json_array();

    for (size_t i = 0; i < answer->count; i++)
        json_array_append_new(residences, residence_to_json(&answer->residences[i]));
    return json_pack("{s:I, s:o}", "events_lost", (json_int_t)answer->events_lost, "residences",
                     residences);
}

/* An answer, read */

/* Returns false if VALUE is not an integer from 0 to MOST. */
static bool read_integer(const json_t *value, uint64_t most, uint64_t *number)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *number = (uint64_t)json_integer_value(value);
    return *number <= most;
}

static bool read_residence(const json_t *array, struct server_residence *residence)
{
    uint64_t xid;

    if (json_array_size(array) != 1 + RESIDENCE_TIMESTAMPS ||
        !read_integer(json_array_get(array, 0), UINT32_MAX, &xid))
        return false;
    residence->xid = (uint32_t)xid;
    for (size_t i = 0; i < RESIDENCE_TIMESTAMPS; i++) {
        const json_t *value = json_array_get(array, 1 + i);

        residence->after_ns[i] = RESIDENCE_NONE;
        if (!json_is_null(value) &&
            !read_integer(value, RESIDENCE_LONGEST_NS, &residence->after_ns[i]))
            return false;
    }
    return residence->after_ns[RESIDENCE_SENT] != RESIDENCE_NONE;
}

static bool read_residences(const json_t *object, struct watch_answer *answer)
{
    const json_t *residences = json_object_get(object, "residences");

    answer->count = json_array_size(residences);
    if (!json_is_array(residences) || answer->count > RESIDENCES_MAXIMUM ||
        !read_integer(json_object_get(object, "events_lost"), INT64_MAX, &answer->events_lost))
        return false;
    for (size_t i = 0; i < answer->count; i++)
        if (!read_residence(json_array_get(residences, i), &answer->residences[i]))
            return false;
    return true;
}

int watch_answer_from_json(void *into, const json_t *object)
{
    struct watch_answer *answer = into;

    answer->events_lost = 0;
    if (read_residences(object, answer))
        return 0;
    answer->count = 0;
    return -EBADMSG;
}

/* A question */

long watch_numbers(const json_t *array, uint32_t *list, size_t room)
{
    size_t count = json_array_size(array);
    uint64_t number;

    if (!json_is_array(array) || count > room)
        return -EBADMSG;
    for (size_t i = 0; i < count; i++) {
        if (!read_integer(json_array_get(array, i), UINT32_MAX, &number))
            return -EBADMSG;
        list[i] = (uint32_t)number;
    }
    return (long)count;
}

/* The watch */

struct server_watch {
    struct remote_command command;
    struct watch_answer answer;
};

static int take_ready(void *unused, const json_t *answer)
{
    return json_is_true(json_object_get(answer, "ready")) ? 0 : -EBADMSG;
}

int server_watch_open(struct server_watch **watch, const struct server_watch_request *request,
                      struct error *error)
{
    char arguments[96];
    int length, code;

    *watch = calloc(1, sizeof **watch);
    if (!*watch)
        return error_set(error, ERROR_FAILED, -ENOMEM,
                         "out of memory for the answers of --server-cmd");
    (*watch)->command.stop = request->stop;
    length = snprintf(arguments, sizeof arguments, "--port %u --proto %s",
                      address_port(&request->endpoint->address),
                      request->endpoint->transport == TRANSPORT_UDP ? "udp" : "tcp");
    if (request->client_port)
        snprintf(arguments + length, sizeof arguments - (size_t)length, " --client-port %u",
                 request->client_port);
    code = remote_command_start(&(*watch)->command, request->prefix, "agent --events", arguments);
    if (code)
        error_set(error, ERROR_FAILED, code, "--server-cmd could not be started");
    else
        code = remote_command_ask(&(*watch)->command, NULL, REMOTE_COMMAND_FIRST_SECONDS,
                                  take_ready, NULL, error);
    if (code == 0)
        return 0;
    server_watch_close(*watch);
    *watch = NULL;
    return code;
}

int server_watch_begin(struct server_watch *watch, const uint16_t *ports, size_t count,
                       struct error *error)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(ports[i]));
    return remote_command_ask(&watch->command, json_pack("{s:o}", "begin", list),
                              REMOTE_COMMAND_ANSWER_SECONDS, take_ready, NULL, error);
}

int server_watch_end(struct server_watch *watch, const struct watch_call *calls, size_t count,
                     struct watch_answer **answer, struct error *error)
{
    json_t *list = json_array();

    *answer = &watch->answer;
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, json_integer(calls[i].port));
        json_array_append_new(list, json_integer(calls[i].request_end));
        json_array_append_new(list, json_integer(calls[i].reply_begin));
        json_array_append_new(list, json_integer(calls[i].reply_end));
    }
    return remote_command_ask(&watch->command, json_pack("{s:o}", "end", list),
                              REMOTE_COMMAND_ANSWER_SECONDS, watch_answer_from_json, &watch->answer,
                              error);
}

void server_watch_close(struct server_watch *watch)
{
    if (!watch)
        return;
    remote_command_end(&watch->command);
    free(watch);
}
