/* Watches a server on another machine, where a command prefix runs `nfsbench agent --events`. */
#pragma once

#include "engine/endpoint.h"
#include "explain/server_residence.h"
#include "run/remote_command.h"

/* An answer, as a line of JSON: that the agent is ready, or why it can't watch; and, after a block,
 * the residence times of its calls. */

enum { WATCH_ANSWER_SIZE = 4 << 20 }; /* of a line: about 200 bytes per residence time */

enum watch_answer_kind { WATCH_READY, WATCH_MISSING, WATCH_RESIDENCES };

struct watch_answer {
    enum watch_answer_kind kind;
    char missing[400]; /* of WATCH_MISSING */
    uint64_t events_lost;
    size_t count; /* of WATCH_RESIDENCES */
    struct server_residence residences[RESIDENCES_MAXIMUM];
};

/* ANSWER as one line without a newline, for the caller to free; NULL if memory runs out. */
char *watch_answer_to_json(const struct watch_answer *answer);

/* Parse an answer. Returns 0, or -EBADMSG for anything else, including numbers out of range and
 * more than RESIDENCES_MAXIMUM residence times. */
int watch_answer_from_json(struct watch_answer *answer, const char *line);

/* A question, as a line: a word and numbers. */

/* A call under load, by its place in the streams of its connection (struct load_call). */
struct watch_call {
    uint16_t port; /* the client's */
    uint32_t request_end, reply_begin, reply_end;
};

/* Parse the decimal numbers of TEXT, each after a space, until the end of the line into LIST, which
 * has ROOM. Returns their number, or -EBADMSG. */
long watch_numbers(const char *text, uint32_t *list, size_t room);

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
