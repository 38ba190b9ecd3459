/* Watches a server on another machine, where a command prefix runs `nfsbench agent --events`. */
#pragma once

#include "engine/endpoint.h"
#include "explain/server_residence.h"
#include "run/remote_command.h"

/* What the agent answers after a block: the residence times of its calls. */
struct watch_answer {
    uint64_t events_lost;
    size_t count;
    struct server_residence residences[RESIDENCES_MAXIMUM];
};

json_t *watch_answer_to_json(const struct watch_answer *answer);

/* Parse one into ANSWER, a struct watch_answer. Returns 0, or -EBADMSG for anything else, including
 * numbers out of range and more than RESIDENCES_MAXIMUM residence times. */
int watch_answer_from_json(void *answer, const json_t *object);

/* A call under load, by its place in the streams of its connection (struct load_call). */
struct watch_call {
    uint16_t port; /* the client's */
    uint32_t request_end, reply_begin, reply_end;
};

/* Parse the numbers of a question into LIST, which has ROOM. Returns how many they are, or
 * -EBADMSG.
 */
long watch_numbers(const json_t *array, uint32_t *list, size_t room);

/* The watch */

struct server_watch;

struct server_watch_request {
    const char *prefix; /* such as "ssh server" */
    const struct endpoint *endpoint;
    uint16_t client_port;              /* 0: under load, when each block has ports of its own */
    const volatile sig_atomic_t *stop; /* not 0: the user wants the run to end; NULL: never */
};

/* Start a watch. Returns, like the functions below, 0 or a negative errno with ERROR set: -EINTR
 * after an interrupt, otherwise the reason why the watch does not work. */
int server_watch_open(struct server_watch **watch, const struct server_watch_request *request,
                      struct error *error);

/* Begin to watch a block of calls; under load from the COUNT PORTS, too. */
int server_watch_begin(struct server_watch *watch, const uint16_t *ports, size_t count,
                       struct error *error);
/* End the block; under load ask for COUNT CALLS, RESIDENCES_MAXIMUM at most. *ANSWER is of kind
 * WATCH_RESIDENCES, and valid until the next call. */
int server_watch_end(struct server_watch *watch, const struct watch_call *calls, size_t count,
                     struct watch_answer **answer, struct error *error);

/* End the watch; NULL is allowed. */
void server_watch_close(struct server_watch *watch);
