/* Whether a request that comes a second time is carried out again, or answered by the first reply:
 * the duplicate request cache. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "character/arms.h"
#include "character/distance.h"
#include "character/duplicate.h"
#include "character/experiment.h"
#include "character/requests.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    /* A server may drop a repetition that comes before it has filed the first reply; clients wait
     * for much longer. */
    PAUSE_NS = 20 * 1000 * 1000,
};

/* How the repetition comes */

enum way { SAME_CONNECTION, SAME_PORT, OTHER_PORT, OVER_UDP, WAYS };

static const char *const way_names[WAYS] = {"on the same connection", "from the same port",
                                            "from another port", "over UDP"};

static int connect_again(struct link *link, struct lab *lab, enum way way, struct error *error)
{
    struct endpoint endpoint = link->endpoint;
    const uint16_t port = endpoint.source_port;
    int code;

    if (way == OTHER_PORT)
        endpoint.source_port = 0;
    link_close(link);
    code = link_open(link, lab, &endpoint, error);
    if (code == 0 && way == SAME_PORT && link->endpoint.source_port != port)
        return error_set(error, ERROR_FAILED, -EADDRINUSE, "the port was not free any more");
    return code;
}

static enum duplicate_fate fate_of(int code, const struct link_reply *reply,
                                   const struct request_kind *kind)
{
    return code == 0 ? DUPLICATE_UNANSWERED
                     : duplicate_classify(link_status(reply), (int)kind->when_done);
}

/* Send the request, which must be carried out, and again in that WAY. *FATE is what became of the
 * second. */
static int repeat(struct link *link, struct lab *lab, const struct request_kind *kind, enum way way,
                  const struct channel_message *message, enum duplicate_fate *fate,
                  struct error *error)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    const uint32_t xid = request_xid();
    struct link_reply reply;
    int code = link_call(link, message, xid, &reply, error);

    if (code)
        return code;
    if (link_status(&reply) != NFS3_OK)
        return link_status(&reply) > 0 ? lab_refuse(kind->op, (nfsstat3)link_status(&reply), error)
                                       : error_set(error, ERROR_FAILED, -EPROTO, "RPC refused it");
    nanosleep(&pause, NULL);
    code = way == SAME_PORT || way == OTHER_PORT ? connect_again(link, lab, way, error) : 0;
    if (code == 0)
        code = link_exchange(link, message, xid, SECOND_NS, &reply, error);
    if (code < 0)
        return code;
    *fate = fate_of(code, &reply, kind);
    return 0;
}

/* UDP's port is the target's, or the one that the port mapper knows. */
static int find_endpoint(struct lab *lab, enum way way, struct endpoint *endpoint,
                         struct error *error)
{
    const struct channel_options options = lab_channel_options(lab);

    *endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    if (way != OVER_UDP || endpoint->transport == TRANSPORT_UDP)
        return 0;
    endpoint->transport = TRANSPORT_UDP;
    if (lab->setup.target.nfs_port)
        return 0;
    return portmap_lookup(endpoint, NFS_PROGRAM, NFS_V3, "NFS", &options, error);
}

static int try_once(struct lab *lab, const struct request_kind *kind, enum way way,
                    const struct endpoint *endpoint, enum duplicate_fate *fate, struct error *error)
{
    struct channel_message message;
    struct link link;
    int code = request_make(lab, kind, &message, error);

    if (code)
        return code;
    code = link_open(&link, lab, endpoint, error);
    if (code == 0)
        code = repeat(&link, lab, kind, way, &message, fate, error);
    link_close(&link);
    free(message.bytes);
    return code;
}

/* Try all kinds in one WAY. *FATE is theirs where all are alike. */
static int try_way(struct lab *lab, struct character_answer *answer, enum way way,
                   enum duplicate_fate *fate, struct error *error)
{
    enum duplicate_fate fates[REQUEST_KINDS];
    const char *ops[REQUEST_KINDS];
    struct endpoint endpoint;
    char text[DUPLICATES_TEXT_SIZE];
    int code = find_endpoint(lab, way, &endpoint, error);

    *fate = DUPLICATE_OTHER;
    for (size_t i = 0; i < REQUEST_KINDS && code == 0; i++) {
        ops[i] = request_kinds[i].op;
        code = try_once(lab, &request_kinds[i], way, &endpoint, &fates[i], error);
    }
    if (code) {
        answer_detail(answer, way_names[way], "not known: %s", error->text);
        return code == -EINTR || code == -ETIME || code == -E2BIG ? code : 0;
    }
    *fate = duplicates_common(fates, REQUEST_KINDS);
    answer_detail(answer, way_names[way], "%s",
                  duplicates_describe(fates, ops, REQUEST_KINDS, text));
    return 0;
}

/* What a reply costs that is kept for a repetition: that of a REMOVE is, that of a LOOKUP is not.
 */

enum { ARM_LOOKUP, ARM_REMOVE, ARMS };

struct keeping {
    struct link link;
    struct channel_message messages[ARMS]; /* for a name that is not there */
};

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct keeping *keeping = context;
    const uint64_t started = keeping->link.lab->clock.start();
    struct link_reply reply;
    int code = link_call(&keeping->link, &keeping->messages[arm], request_xid(), &reply, error);

    if (code == 0 && link_status(&reply) != NFS3ERR_NOENT)
        return error_set(error, ERROR_FAILED, -EPROTO, "%s of a name that is not there found one",
                         arm == ARM_LOOKUP ? "LOOKUP" : "REMOVE");
    *ticks = reply.ticks - started;
    return code;
}

static int make_keeping(struct keeping *keeping, struct lab *lab, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    union nfs_arguments look_up, take_away;
    int code = link_open(&keeping->link, lab, &endpoint, error);

    memset(&look_up, 0, sizeof look_up);
    memset(&take_away, 0, sizeof take_away);
    look_up.lookup.what = lab_place(lab, REQUEST_NOWHERE);
    take_away.remove.object = lab_place(lab, REQUEST_NOWHERE);
    if (code == 0)
        code = link_message(&keeping->messages[ARM_LOOKUP], lab, "lookup", &look_up, error);
    return code ? code
                : link_message(&keeping->messages[ARM_REMOVE], lab, "remove", &take_away, error);
}

static int find_cost(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct keeping keeping = {.link.fd = -1};
    struct arms arms = {.lab = lab,
                        .count = ARMS,
                        .calls = 4,
                        .call = call,
                        .context = &keeping,
                        .time_ns = lab_rounds_ns(lab) / 4};
    struct interval more;
    int code = make_keeping(&keeping, lab, error);

    if (code == 0)
        code = arms_run(&arms, lab_scaled(lab, 60, 12), error);
    if (code == 0)
        code = arms_difference(&arms, ARM_LOOKUP, ARM_REMOVE, &more, error);
    arms_close(&arms);
    link_close(&keeping.link);
    for (size_t arm = 0; arm < ARMS; arm++)
        free(keeping.messages[arm].bytes);
    if (code == 0)
        answer_figure(answer, "REMOVE above LOOKUP", &more, "us",
                      "of a name that is not there: what it costs to keep a reply is part of it");
    else if (!lab_is_over(code, error))
        answer_detail(answer, "REMOVE above LOOKUP", "not known: %s", error->text);
    return lab_is_over(code, error) ? code : 0;
}

/* The answer */

static void conclude(struct character_answer *answer, const enum duplicate_fate fates[WAYS])
{
    const bool same = fates[SAME_CONNECTION] == DUPLICATE_KNOWN;
    const bool port = fates[SAME_PORT] == DUPLICATE_KNOWN;

    answer_say(answer,
               "%s on the same connection, %s after a reconnection from the same port, %s from "
               "another port.",
               duplicate_names[fates[SAME_CONNECTION]], duplicate_names[fates[SAME_PORT]],
               duplicate_names[fates[OTHER_PORT]]);
    if (same && port)
        answer_mean(answer, "A REMOVE or CREATE whose reply is lost with its connection does not "
                            "fail when a client sends it again.");
    else
        answer_mean(answer,
                    "When a connection breaks, a client sends its calls again, and one that "
                    "was carried out already fails: rm says 'No such file', mkdir 'File "
                    "exists', though both did their work.");
    if (port && fates[OTHER_PORT] != DUPLICATE_KNOWN)
        answer_mean(answer, "It must come from the same port: clients behind an address translator "
                            "may lose it.");
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    enum duplicate_fate fates[WAYS];
    int code = 0;

    for (enum way way = 0; way < WAYS && code == 0; way++)
        code = try_way(lab, answer, way, &fates[way], error);
    if (code == 0)
        code = find_cost(lab, answer, error);
    if (code == 0 && fates[SAME_CONNECTION] == DUPLICATE_KNOWN)
        code = distance_find(lab, answer, error);
    if (code == 0)
        conclude(answer, fates);
    return code;
}

const struct experiment experiment_duplicates = {
    .name = "duplicates",
    .question = "Is a request that is sent twice answered by the first reply, and not carried out "
                "again?",
    .unknown = "Repetitions while the first is still carried out, and long after it; caches "
               "that look at load; other clients' calls in between.",
    .works_in_directory = true,
    .run = run,
};
