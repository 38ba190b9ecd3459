#include "explain/kernel/server_watch.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

/* Residence times */

const enum timestamp residence_timestamps[RESIDENCE_TIMESTAMPS] = {
    TIMESTAMP_SERVER_WOKEN, TIMESTAMP_SERVER_RUNS,   TIMESTAMP_READER_RUNS,
    TIMESTAMP_READ_ENTERED, TIMESTAMP_REQUEST_READ,  TIMESTAMP_WORKER_RUNS,
    TIMESTAMP_REPLY_READY,  TIMESTAMP_REPLY_ENTERED, TIMESTAMP_REPLY_SENT,
};

/* Return when the events of the reply at INDEX end: at the next request or the next reply. (A
 * client that makes one call at a time gets another reply without a request only if its call was
 * retransmitted.) */
static uint64_t end_of_reply_ns(const struct server_events *events, size_t index)
{
    for (size_t i = index + 1; i < events->count; i++)
        if (events->list[i].type == KERNEL_REQUEST_ARRIVED ||
            events->list[i].type == KERNEL_SEND_ENTERED)
            return events->list[i].at_ns - 1;
    return events->list[events->count - 1].at_ns;
}

bool server_residence_of(const struct call_times *call, struct server_residence *residence)
{
    uint64_t arrived = call->at[TIMESTAMP_REQUEST_ARRIVED];

    residence->xid = call->xid;
    for (size_t i = 0; i < RESIDENCE_TIMESTAMPS; i++) {
        uint64_t at = call->at[residence_timestamps[i]];

        residence->after_ns[i] = at >= arrived && at > 0 ? at - arrived : RESIDENCE_NONE;
    }
    return arrived && call->at[TIMESTAMP_REPLY_SENT];
}

/* Set RESIDENCE for the call with XID between FROM and UNTIL. Returns false if arrival or departure
 * is unknown. */
static bool find_residence(const struct server_events *events, uint32_t xid, uint64_t from,
                           uint64_t until, struct server_residence *residence)
{
    struct call_times call = {
        .xid = xid, .at[TIMESTAMP_SEND_ENTERED] = from, .at[TIMESTAMP_REPLY_READ] = until};

    server_timestamps(events, &call);
    return server_residence_of(&call, residence);
}

size_t server_residence_find(const struct server_events *events,
                             struct server_residence *residences, size_t room)
{
    uint64_t from = 0; /* the events of the next reply's call come at or after FROM */
    size_t found = 0;

    for (size_t i = 0; i < events->count; i++) {
        const struct kernel_event *event = &events->list[i];
        struct server_residence residence;

        if (event->type != KERNEL_SEND_ENTERED)
            continue;
        if (event->xid &&
            find_residence(events, event->xid, from, end_of_reply_ns(events, i), &residence)) {
            if (found < room)
                residences[found] = residence;
            found++;
        }
        from = event->at_ns + 1;
    }
    return found;
}

/* Joining residence times with calls */

static int by_xid(const void *a, const void *b)
{
    const struct server_residence *x = a, *y = b;

    return (x->xid > y->xid) - (x->xid < y->xid);
}

/* Return the residence time with XID; NULL if there is none or more than one. */
static const struct server_residence *residence_of(const struct server_residence *residences,
                                                   size_t count, uint32_t xid)
{
    const struct server_residence wanted = {.xid = xid}, *end = residences + count, *found;

    found = count ? bsearch(&wanted, residences, count, sizeof wanted, by_xid) : NULL;
    if (!found || (found > residences && found[-1].xid == xid) ||
        (found + 1 < end && found[1].xid == xid))
        return NULL;
    return found;
}

/* Set CALL's timestamps from RESIDENCE. Returns false if the residence time is longer than the
 * client's wait; the timestamps are then out of order. */
static bool place_residence(const struct server_residence *residence, struct call_times *call)
{
    uint64_t transmitted = call->at[TIMESTAMP_TRANSMITTED];
    uint64_t wait = call->at[TIMESTAMP_REPLY_RECEIVED] - transmitted;
    uint64_t whole = residence->after_ns[RESIDENCE_SENT];
    uint64_t network = wait > whole ? wait - whole : 0;
    uint64_t arrived = transmitted + network / 2;

    call->at[TIMESTAMP_REQUEST_ARRIVED] = arrived;
    for (size_t i = 0; i < RESIDENCE_TIMESTAMPS; i++)
        if (residence->after_ns[i] != RESIDENCE_NONE)
            call->at[residence_timestamps[i]] = arrived + residence->after_ns[i];
    return whole <= wait;
}

static bool can_be_joined(const struct call_times *call)
{
    return !call->retransmitted && !call->failed && call->at[TIMESTAMP_TRANSMITTED] > 0 &&
           call->at[TIMESTAMP_REPLY_RECEIVED] >= call->at[TIMESTAMP_TRANSMITTED];
}

void server_residence_sort(struct server_residence *residences, size_t count)
{
    if (count > 0)
        qsort(residences, count, sizeof *residences, by_xid);
}

void server_residence_join(const struct server_residence *residences, size_t count,
                           struct call_times *call, struct residences_joined *joined)
{
    const struct server_residence *residence = residence_of(residences, count, call->xid);

    if (!can_be_joined(call))
        return;
    joined->calls++;
    joined->fitting += residence && place_residence(residence, call);
}

/* Writing an answer */

/* Return an array: xid, then each timestamp as time since the arrival (null: unknown). */
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

/* Reading an answer */

/* Set *NUMBER to VALUE. Returns false if VALUE is not an integer from 0 to MOST. */
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
    int code;

    *watch = calloc(1, sizeof **watch);
    if (!*watch)
        return error_set(error, ERROR_FAILED, -ENOMEM,
                         "out of memory for the answers of --server-cmd");
    (*watch)->command.deadline = request->deadline;
    code = remote_command_start(&(*watch)->command, request->prefix, "agent --events",
                                request->endpoint, request->client_port);
    if (code)
        error_set(error, ERROR_FAILED, code, "--server-cmd: starting the command failed");
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
