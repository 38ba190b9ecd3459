#include "explain/server_watch.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/address.h"

#define SCHEMA "nfsbench-watch/3"

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

static void add_residences(const struct watch_answer *answer, json_t *object)
{
    json_t *residences = json_array();

    for (size_t i = 0; i < answer->count; i++)
        json_array_append_new(residences, residence_to_json(&answer->residences[i]));
    json_object_set_new(object, "events_lost", json_integer((json_int_t)answer->events_lost));
    json_object_set_new(object, "residences", residences);
}

char *watch_answer_to_json(const struct watch_answer *answer)
{
    json_t *object = json_object();
    char *line;

    json_object_set_new(object, "schema", json_string(SCHEMA));
    if (answer->kind == WATCH_READY)
        json_object_set_new(object, "ready", json_true());
    else if (answer->kind == WATCH_MISSING)
        json_object_set_new(object, "missing", json_string(answer->missing));
    else
        add_residences(answer, object);
    line = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return line;
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

    answer->kind = WATCH_RESIDENCES;
    answer->count = json_array_size(residences);
    if (!json_is_array(residences) || answer->count > RESIDENCES_MAXIMUM ||
        !read_integer(json_object_get(object, "events_lost"), INT64_MAX, &answer->events_lost))
        return false;
    for (size_t i = 0; i < answer->count; i++)
        if (!read_residence(json_array_get(residences, i), &answer->residences[i]))
            return false;
    return true;
}

static bool read_answer(const json_t *object, struct watch_answer *answer)
{
    const char *schema = json_string_value(json_object_get(object, "schema"));
    const char *missing = json_string_value(json_object_get(object, "missing"));

    answer->count = 0;
    answer->events_lost = 0;
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return false;
    if (json_is_true(json_object_get(object, "ready"))) {
        answer->kind = WATCH_READY;
        return true;
    }
    if (!missing)
        return read_residences(object, answer);
    answer->kind = WATCH_MISSING;
    snprintf(answer->missing, sizeof answer->missing, "%s", missing);
    return true;
}

int watch_answer_from_json(struct watch_answer *answer, const char *line)
{
    json_t *object = json_loads(line, 0, NULL);
    bool good = read_answer(object, answer);

    json_decref(object);
    if (!good)
        answer->count = 0;
    return good ? 0 : -EBADMSG;
}

/* A question */

long watch_numbers(const char *text, uint32_t *list, size_t room)
{
    size_t count = 0;
    char *end;

    for (; *text == ' '; text = end) {
        unsigned long number = strtoul(text + 1, &end, 10);

        if (text[1] < '0' || text[1] > '9' || number > UINT32_MAX || count == room)
            return -EBADMSG;
        list[count++] = (uint32_t)number;
    }
    return *text == '\n' || *text == '\0' ? (long)count : -EBADMSG;
}

/* The watch */

struct server_watch {
    struct remote_command command;
    struct watch_answer answer;
    char line[WATCH_ANSWER_SIZE];
};

/* Handle an unexpected answer. An interrupt also ends the command, which is not its error. */
static int refuse(struct server_watch *watch, bool understood, struct error *error)
{
    if (watch->command.stop && *watch->command.stop)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    if (understood && watch->answer.kind == WATCH_MISSING)
        return error_set(error, ERROR_FAILED, -ENOTSUP, "%s", watch->answer.missing);
    return remote_command_give_up(&watch->command, watch->line, -EBADMSG, error);
}

static int ask(struct server_watch *watch, const char *question, unsigned seconds,
               enum watch_answer_kind expected, struct error *error)
{
    int code;

    if (watch->command.pid == 0)
        return error_set(error, ERROR_FAILED, -EPIPE, "--server-cmd has ended");
    code = remote_command_ask(&watch->command, question, watch->line, sizeof watch->line, seconds);
    if (code == 0)
        code = watch_answer_from_json(&watch->answer, watch->line);
    return code == 0 && watch->answer.kind == expected ? 0 : refuse(watch, code == 0, error);
}

int server_watch_open(struct server_watch **watch, const struct server_watch_request *request,
                      struct error *error)
{
    char arguments[96];
    int length;
    int code;

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
        code = ask(*watch, "", REMOTE_COMMAND_FIRST_SECONDS, WATCH_READY, error);
    if (code == 0)
        return 0;
    server_watch_close(*watch);
    *watch = NULL;
    return code;
}

/* Ask what was written to QUESTION (of open_memstream()), and free it. */
static int ask_written(struct server_watch *watch, FILE *stream, char **question,
                       enum watch_answer_kind expected, struct error *error)
{
    int code = stream && fputc('\n', stream) != EOF && fclose(stream) == 0 ? 0 : -ENOMEM;

    if (code)
        error_set(error, ERROR_FAILED, code, "out of memory for a question to --server-cmd");
    else
        code = ask(watch, *question, REMOTE_COMMAND_ANSWER_SECONDS, expected, error);
    free(*question);
    return code;
}

int server_watch_begin(struct server_watch *watch, const uint16_t *ports, size_t count,
                       struct error *error)
{
    char *question = NULL;
    size_t size;
    FILE *stream = open_memstream(&question, &size);

    if (stream)
        fputs("begin", stream);
    for (size_t i = 0; stream && i < count; i++)
        fprintf(stream, " %u", ports[i]);
    return ask_written(watch, stream, &question, WATCH_READY, error);
}

int server_watch_end(struct server_watch *watch, const struct watch_call *calls, size_t count,
                     struct watch_answer **answer, struct error *error)
{
    char *question = NULL;
    size_t size;
    FILE *stream = open_memstream(&question, &size);

    *answer = &watch->answer;
    if (stream)
        fputs("end", stream);
    for (size_t i = 0; stream && i < count; i++)
        fprintf(stream, " %u %u %u %u", calls[i].port, calls[i].request_end, calls[i].reply_begin,
                calls[i].reply_end);
    return ask_written(watch, stream, &question, WATCH_RESIDENCES, error);
}

void server_watch_close(struct server_watch *watch)
{
    if (!watch)
        return;
    remote_command_end(&watch->command);
    free(watch);
}
