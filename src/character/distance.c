#include "character/distance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "character/bisection.h"
#include "character/requests.h"

enum {
    CALLS_FULL = 8192, /* between a request and its repetition */
    CALLS_QUICK = 512,
    IN_FLIGHT = 32,
};

/* Make COUNT other calls that are not carried out twice either, several at a time. */
static int make_others(struct link *link, const struct channel_message *other, uint64_t count,
                       struct error *error)
{
    uint64_t sent = 0, answered = 0;
    uint32_t xid = request_xid();
    struct link_reply reply;
    int code = 0;

    while (answered < count && code == 0) {
        while (sent < count && sent - answered < IN_FLIGHT && code == 0) {
            code = link_send(link, other, xid++, error);
            sent += code == 0;
        }
        if (code == 0)
            code = link_must_receive(link, &reply, error);
        answered += code == 0;
    }
    return code;
}

/* Is a REMOVE still known after COUNT others? */
static int try_distance(struct lab *lab, uint64_t count, bool *known, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    struct channel_message message = {.bytes = NULL}, other = {.bytes = NULL};
    union nfs_arguments nothing;
    const uint32_t xid = request_xid();
    struct link_reply reply;
    struct link link;
    int code;

    memset(&nothing, 0, sizeof nothing);
    nothing.remove.object = lab_place(lab, REQUEST_NOWHERE);
    code = request_make(lab, &request_kinds[REQUEST_REMOVE], &message, error);
    if (code == 0)
        code = link_message(&other, lab, "remove", &nothing, error);
    if (code) {
        free(message.bytes);
        return code;
    }
    code = link_open(&link, lab, &endpoint, error);
    if (code == 0)
        code = link_call(&link, &message, xid, &reply, error);
    if (code == 0)
        code = make_others(&link, &other, count, error);
    if (code == 0)
        code = link_call(&link, &message, xid, &reply, error);
    *known = code == 0 && link_status(&reply) == NFS3_OK;
    link_close(&link);
    free(message.bytes);
    free(other.bytes);
    return code;
}

int distance_find(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct bisection search;
    struct interval held;
    uint64_t count;
    int code = 0;

    bisection_begin(&search, 8, lab_scaled(lab, CALLS_FULL, CALLS_QUICK), 0.05);
    while (code == 0 && (count = bisection_next(&search)) > 0) {
        bool known = false;

        code = try_distance(lab, count, &known, error);
        if (code == 0)
            bisection_note(&search, count, known);
    }
    if (code == -EINTR)
        return code;
    held = answer_exactly((double)search.holds);
    if (search.fails)
        answer_figure(answer, "how many calls later", &held, "calls", "forgotten %llu calls later",
                      (unsigned long long)search.fails);
    else
        answer_figure(answer, "how many calls later", &held, "calls", "more were not tried%s%s",
                      code ? ": " : "", code ? error->text : "");
    return 0;
}
