/* What the server closes, forgets or drops from its memory while it has no calls. One pause is
 * enough for all. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "character/experiment.h"
#include "character/requests.h"
#include "character/touches.h"

#define SECOND_NS UINT64_C(1000000000)

enum { AGES_MAXIMUM = 16, TRIALS = 3, LOOK_NS = 10 * 1000 * 1000 };

/* A request that is repeated once, at an age of its own. */
struct aged {
    struct channel_message message;
    uint32_t xid;
    uint64_t age_ns;
};

struct idle {
    struct lab *lab;
    struct touches touches;
    struct link quiet; /* has no calls in the pause */
    uint64_t began_ns;
    uint64_t closed_ns; /* after the begin; 0: it is open */
    struct link busy;
    struct aged aged[AGES_MAXIMUM];
    size_t age_count, repeated;
    uint64_t known_ns, forgotten_ns; /* the largest age with the first reply, the least without */
};

/* Before the pause */

/* Ages of a quarter of a second, half a second, and so on to the idle time. */
static void choose_ages(struct idle *idle)
{
    const uint64_t last = idle->lab->plan->idle_ns;
    uint64_t age = SECOND_NS / 4;

    for (; age < last && idle->age_count + 1 < AGES_MAXIMUM; age *= 2)
        idle->aged[idle->age_count++].age_ns = age;
    idle->aged[idle->age_count++].age_ns = last;
}

static bool was_closed(int code)
{
    return code == -ECONNRESET || code == -EPIPE;
}

/* Make a call, over a new connection from the same port where the server has closed the last. */
static int call(struct idle *idle, const struct aged *aged, struct link_reply *reply,
                struct error *error)
{
    const struct endpoint endpoint = idle->busy.endpoint;
    int code = link_call(&idle->busy, &aged->message, aged->xid, reply, error);

    if (!was_closed(code))
        return code;
    link_close(&idle->busy);
    code = link_open(&idle->busy, idle->lab, &endpoint, error);
    return code ? code : link_call(&idle->busy, &aged->message, aged->xid, reply, error);
}

static int make_requests(struct idle *idle, struct error *error)
{
    const struct request_kind *kind = &request_kinds[REQUEST_REMOVE];
    struct link_reply reply;
    int code = 0;

    choose_ages(idle);
    for (size_t i = 0; i < idle->age_count && code == 0; i++) {
        struct aged *aged = &idle->aged[i];

        aged->xid = request_xid();
        code = request_make(idle->lab, kind, &aged->message, error);
        if (code == 0)
            code = call(idle, aged, &reply, error);
        if (code == 0 && link_status(&reply) != NFS3_OK)
            code = lab_refuse(kind->op, (nfsstat3)link_status(&reply), error);
    }
    return code;
}

/* A connection with one call before the pause, and none in it. A server that closes idle ones may
 * do so before the call. */
static int open_quiet(struct idle *idle, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&idle->lab->setup, SERVICE_NFS);
    struct channel_message message = {.bytes = NULL};
    union nfs_arguments nothing;
    struct link_reply reply;
    bool again = true;
    int code;

    memset(&nothing, 0, sizeof nothing);
    code = link_message(&message, idle->lab, "null", &nothing, error);
    for (unsigned i = 0; i < TRIALS && message.bytes && again; i++) {
        link_close(&idle->quiet);
        code = link_open(&idle->quiet, idle->lab, &endpoint, error);
        if (code == 0)
            code = link_call(&idle->quiet, &message, request_xid(), &reply, error);
        again = was_closed(code);
    }
    free(message.bytes);
    idle->began_ns = clock_raw_ns();
    return code;
}

static int prepare(struct idle *idle, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&idle->lab->setup, SERVICE_NFS);
    struct character_answer ignored = {.detail_count = 0};
    bool cold;
    int code = link_open(&idle->busy, idle->lab, &endpoint, error);

    if (code == 0)
        code = touches_make(&idle->touches, idle->lab, error);
    if (code == 0)
        code = touches_compare(&idle->touches, "before", &ignored, &cold, error);
    if (code == 0)
        code = make_requests(idle, error);
    return code ? code : open_quiet(idle, error);
}

/* The pause */

static bool is_closed(const struct link *link)
{
    struct pollfd poller = {.fd = link->fd, .events = POLLIN | POLLRDHUP};

    return poll(&poller, 1, 0) > 0;
}

/* None is repeated after the first that was forgotten. */
static int repeat_due(struct idle *idle, struct error *error)
{
    int code = 0;

    while (idle->repeated < idle->age_count && idle->forgotten_ns == 0 && code == 0) {
        const struct aged *aged = &idle->aged[idle->repeated];
        struct link_reply reply;

        if (clock_raw_ns() < idle->began_ns + aged->age_ns)
            break;
        code = call(idle, aged, &reply, error);
        if (code == 0)
            *(link_status(&reply) == NFS3_OK ? &idle->known_ns : &idle->forgotten_ns) =
                aged->age_ns;
        idle->repeated++;
    }
    return code;
}

static int pause_for(struct idle *idle, struct error *error)
{
    const struct timespec look = {.tv_nsec = LOOK_NS};
    const uint64_t end_ns = idle->began_ns + idle->lab->plan->idle_ns;
    bool over = false;
    int code = 0;

    while (code == 0 && !over) {
        over = clock_raw_ns() >= end_ns;
        if (idle->closed_ns == 0 && is_closed(&idle->quiet))
            idle->closed_ns = clock_raw_ns() - idle->began_ns;
        code = repeat_due(idle, error);
        if (code == 0)
            code = lab_goes_on(idle->lab, error);
        nanosleep(&look, NULL);
    }
    return code;
}

/* The answer */

static bool has_connections(const struct idle *idle)
{
    return idle->quiet.endpoint.transport == TRANSPORT_TCP;
}

static void report(struct character_answer *answer, const struct idle *idle)
{
    const uint64_t idle_ns = idle->lab->plan->idle_ns;
    const bool closed = idle->closed_ns > 0;
    const struct interval after =
        answer_exactly((double)(closed ? idle->closed_ns : idle_ns) / 1e9);
    const struct interval known = answer_exactly((double)idle->known_ns / 1e9);

    if (has_connections(idle))
        answer_figure(answer, "idle connection", &after, "s",
                      closed ? "then the server closed it"
                             : "it stayed open; longer was not tried (--idle)");
    if (idle->forgotten_ns)
        answer_figure(answer, "repeated request", &known, "s",
                      "recognised so long after the first; forgotten after %.3g s",
                      (double)idle->forgotten_ns / 1e9);
    else
        answer_figure(answer, "repeated request", &known, "s",
                      "recognised so long after the first; longer was not tried (--idle)");
}

static void conclude(struct character_answer *answer, const struct idle *idle, bool cold)
{
    char known[48] = "is still recognised";

    if (idle->forgotten_ns)
        snprintf(known, sizeof known, "is not recognised after %.3g s",
                 (double)idle->forgotten_ns / 1e9);
    answer_say(answer,
               "In a pause of %.3g s %sa request that is sent again %s; first touches of files "
               "after it %s.",
               (double)idle->lab->plan->idle_ns / 1e9,
               !has_connections(idle) ? ""
               : idle->closed_ns      ? "connections are closed; "
                                      : "connections stay open; ",
               known, cold ? "take longer" : "are as fast as later ones");
    if (idle->closed_ns)
        answer_mean(answer, "The first call after a pause takes longer by a new connection.");
    if (idle->forgotten_ns)
        answer_mean(answer, "A client whose connection breaks for longer sends requests again that "
                            "are carried out a second time.");
    if (cold)
        answer_mean(answer, "What was not used for a while is slow at first: a measurement that "
                            "warms up does not show it.");
    if (!idle->closed_ns && !idle->forgotten_ns && !cold)
        answer_mean(answer, "A short pause changes nothing for a client.");
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct idle idle = {.lab = lab, .quiet.fd = -1, .busy.fd = -1};
    bool cold = false;
    int code = prepare(&idle, error);

    if (code == 0)
        code = pause_for(&idle, error);
    if (code == 0)
        report(answer, &idle);
    if (code == 0)
        code = touches_compare(&idle.touches, "after a pause", answer, &cold, error);
    if (code == 0)
        conclude(answer, &idle, cold);
    for (size_t i = 0; i < idle.age_count; i++)
        free(idle.aged[i].message.bytes);
    link_close(&idle.quiet);
    link_close(&idle.busy);
    return code;
}

const struct experiment experiment_idle = {
    .name = "idle",
    .question = "What does the server close, forget or drop from memory in a pause?",
    .unknown = "Longer pauses than --idle; a server that other clients use meanwhile.",
    .works_in_directory = true,
    .waits = true,
    .run = run,
};
