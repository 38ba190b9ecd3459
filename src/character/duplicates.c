/* Whether a request that comes a second time is carried out again, or answered by the first reply:
 * the duplicate request cache. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "character/experiment.h"
#include "character/judgement.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    /* A server may drop a repetition that comes before it has filed the first reply; clients wait
     * for much longer. */
    PAUSE_NS = 20 * 1000 * 1000,
    DISTANCE_FULL = 8192, /* the most calls between a request and its repetition */
    DISTANCE_QUICK = 512,
    IN_FLIGHT = 32,
};

/* Requests that must not be carried out twice */

enum { REQUEST_REMOVE, REQUEST_KINDS = 4 };

struct request_kind {
    const char *op;
    bool takes_file;    /* there must be one */
    bool of_directory;  /* the name is one of a directory */
    nfsstat3 when_done; /* the status of a second one that is carried out */
    void (*arguments)(const struct lab *lab, const char *name, const char *new_name,
                      union nfs_arguments *arguments);
};

static void remove_arguments(const struct lab *lab, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->remove.object = lab_place(lab, name);
}

static void rename_arguments(const struct lab *lab, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->rename.from = lab_place(lab, name);
    arguments->rename.to = lab_place(lab, new_name);
}

static void create_arguments(const struct lab *lab, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->create.where = lab_place(lab, name);
    arguments->create.how.mode = GUARDED;
}

static void mkdir_arguments(const struct lab *lab, const char *name, const char *new_name,
                            union nfs_arguments *arguments)
{
    arguments->mkdir.where = lab_place(lab, name);
    arguments->mkdir.attributes.mode = (set_mode3){.set_it = TRUE, .set_mode3_u.mode = 0700};
}

static const struct request_kind request_kinds[REQUEST_KINDS] = {
    [REQUEST_REMOVE] = {"remove", true, false, NFS3ERR_NOENT, remove_arguments},
    {"rename", true, false, NFS3ERR_NOENT, rename_arguments},
    {"create", false, false, NFS3ERR_EXIST, create_arguments},
    {"mkdir", false, true, NFS3ERR_EXIST, mkdir_arguments},
};

/* Make what a request of KIND needs, and its MESSAGE. */
static int make_request(struct lab *lab, const struct request_kind *kind,
                        struct channel_message *message, struct error *error)
{
    char name[NFS_VARIANT_NAME_SIZE], new_name[NFS_VARIANT_NAME_SIZE];
    union nfs_arguments arguments;
    int code = 0;

    memset(&arguments, 0, sizeof arguments);
    lab_file_name(lab, new_name);
    if (kind->takes_file)
        code = lab_make_file(lab, name, NULL, error);
    else if (kind->of_directory)
        lab_directory_name(lab, name);
    else
        lab_file_name(lab, name);
    if (code)
        return code;
    kind->arguments(lab, name, new_name, &arguments);
    return lab_message(lab, kind->op, &arguments, message, error);
}

/* How the repetition comes */

enum way { SAME_CONNECTION, SAME_PORT, OTHER_PORT, OVER_UDP, WAYS };

static const char *const way_names[WAYS] = {"on the same connection", "from the same port",
                                            "from another port", "over UDP"};

/* From the same port, or from another: the system may choose the one that it has just freed. */
static int connect_again(struct channel *channel, enum way way, struct error *error)
{
    const uint16_t port = channel_source_port(channel);

    for (int tries = 0; tries < 16; tries++) {
        const int code = channel_reconnect(channel, way == SAME_PORT ? port : 0, error);

        if (code || (channel_source_port(channel) == port) == (way == SAME_PORT))
            return code;
    }
    return error_set(error, ERROR_FAILED, -EADDRINUSE, "there was no connection %s",
                     way_names[way]);
}

static enum duplicate_fate fate_of(int code, const struct channel_reply *reply,
                                   const struct request_kind *kind)
{
    return code == 0 ? DUPLICATE_UNANSWERED
                     : duplicate_classify(lab_status_of(reply), (int)kind->when_done);
}

/* Send the request, which must be carried out, and again in that WAY. *FATE is what became of the
 * second. */
static int repeat(struct lab *lab, struct channel *channel, const struct request_kind *kind,
                  enum way way, const struct channel_message *message, enum duplicate_fate *fate,
                  struct error *error)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    struct channel_reply reply;
    int code = lab_transact(lab, channel, message, &reply, error);

    if (code)
        return code;
    if (lab_status_of(&reply) != NFS3_OK)
        return lab_status_of(&reply) > 0
                   ? lab_refuse(kind->op, (nfsstat3)lab_status_of(&reply), error)
                   : error_set(error, ERROR_FAILED, -EPROTO, "RPC refused it");
    nanosleep(&pause, NULL);
    code = way == SAME_PORT || way == OTHER_PORT ? connect_again(channel, way, error) : 0;
    if (code == 0)
        code = lab_exchange(lab, channel, message, lab->xid, SECOND_NS, &reply, error);
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
    const size_t owned = lab->owned_count;
    struct channel_message message;
    struct channel *channel;
    int code = make_request(lab, kind, &message, error);

    if (code == 0)
        code = lab_connect(lab, endpoint, &channel, error);
    if (code == 0)
        code = repeat(lab, channel, kind, way, &message, fate, error);
    lab_release(lab, owned);
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

enum { LOOKUPS, REMOVES, SERIES };

/* A name that no file has. */
#define NOWHERE "filler-0"

struct keeping {
    struct channel *channel;
    struct channel_message messages[SERIES]; /* for a name that is not there */
};

static int call(struct lab *lab, void *state, size_t series, uint64_t *ticks, struct error *error)
{
    struct keeping *keeping = state;
    struct channel_reply reply;
    int code = lab_transact(lab, keeping->channel, &keeping->messages[series], &reply, error);

    if (code == 0 && lab_status_of(&reply) != NFS3ERR_NOENT)
        return error_set(error, ERROR_FAILED, -EPROTO, "%s of a name that is not there found one",
                         series == LOOKUPS ? "LOOKUP" : "REMOVE");
    *ticks = reply.ticks;
    return code;
}

static int make_keeping(struct lab *lab, struct keeping *keeping, struct error *error)
{
    union nfs_arguments look_up, take_away;
    int code = lab_connect(lab, NULL, &keeping->channel, error);

    memset(&look_up, 0, sizeof look_up);
    memset(&take_away, 0, sizeof take_away);
    look_up.lookup.what = lab_place(lab, NOWHERE);
    take_away.remove.object = lab_place(lab, NOWHERE);
    if (code == 0)
        code = lab_message(lab, "lookup", &look_up, &keeping->messages[LOOKUPS], error);
    return code ? code : lab_message(lab, "remove", &take_away, &keeping->messages[REMOVES], error);
}

static int find_cost(struct lab *lab, struct keeping *keeping, struct character_answer *answer,
                     struct error *error)
{
    int code = make_keeping(lab, keeping, error);

    lab->timing.plan = (struct timing_plan){
        .series = SERIES, .calls = 4, .full = 60, .quick = 12, .part = 4, .call = call};
    if (code == 0)
        code = timing_run(&lab->timing, lab, keeping, error);
    if (code == 0) {
        const struct interval more = timing_difference(&lab->timing, LOOKUPS, REMOVES);

        answer_figure(answer, "REMOVE above LOOKUP", &more, "us",
                      "of a name that is not there: what it costs to keep a reply is part of it");
    } else if (!lab_is_over(code, error)) {
        answer_detail(answer, "REMOVE above LOOKUP", "not known: %s", error->text);
    }
    return lab_is_over(code, error) ? code : 0;
}

/* After how many other calls a request is no longer recognised */

/* Make COUNT other calls that are not carried out twice either, several at a time. */
static int make_others(struct lab *lab, struct channel *channel,
                       const struct channel_message *other, uint64_t count, struct error *error)
{
    uint64_t sent = 0, answered = 0;
    struct channel_reply reply;
    int code = 0;

    while (answered < count && code == 0) {
        while (sent < count && sent - answered < IN_FLIGHT && code == 0) {
            code = lab_send(lab, channel, other, ++lab->xid, error);
            sent += code == 0;
        }
        if (code == 0)
            code = lab_receive(lab, channel, &reply, error);
        answered += code == 0;
    }
    return code;
}

/* Is a REMOVE still known after COUNT others? */
static int try_distance(struct lab *lab, const struct channel_message *other, uint64_t count,
                        bool *known, struct error *error)
{
    const size_t owned = lab->owned_count;
    struct channel_message message;
    struct channel_reply reply;
    struct channel *channel;
    uint32_t xid;
    int code = make_request(lab, &request_kinds[REQUEST_REMOVE], &message, error);

    if (code == 0)
        code = lab_connect(lab, NULL, &channel, error);
    if (code == 0)
        code = lab_transact(lab, channel, &message, &reply, error);
    xid = lab->xid;
    if (code == 0)
        code = make_others(lab, channel, other, count, error);
    if (code == 0)
        code = lab_transact_as(lab, channel, &message, xid, &reply, error);
    *known = code == 0 && lab_status_of(&reply) == NFS3_OK;
    lab_release(lab, owned);
    return code;
}

static int find_distance(struct lab *lab, const struct channel_message *other,
                         struct character_answer *answer, struct error *error)
{
    struct bisection search;
    struct interval held;
    uint64_t count;
    int code = 0;

    bisection_begin(&search, 8, lab_scaled(lab, DISTANCE_FULL, DISTANCE_QUICK), 0.05);
    while (code == 0 && (count = bisection_next(&search)) > 0) {
        bool known = false;

        code = try_distance(lab, other, count, &known, error);
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

/* The answer */

static void say(struct character_answer *answer, const enum duplicate_fate fates[WAYS])
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

static int conclude(struct lab *lab, void *state, struct character_answer *answer,
                    struct error *error)
{
    struct keeping *keeping = state;
    enum duplicate_fate fates[WAYS];
    int code = 0;

    for (enum way way = 0; way < WAYS && code == 0; way++)
        code = try_way(lab, answer, way, &fates[way], error);
    if (code == 0)
        code = find_cost(lab, keeping, answer, error);
    if (code == 0 && fates[SAME_CONNECTION] == DUPLICATE_KNOWN)
        code = find_distance(lab, &keeping->messages[REMOVES], answer, error);
    if (code == 0)
        say(answer, fates);
    return code;
}

const struct experiment experiment_duplicates = {
    .name = "duplicates",
    .question = "Is a request that is sent twice answered by the first reply, and not carried out "
                "again?",
    .unknown = "Repetitions while the first is still carried out, and long after it; caches "
               "that look at load; other clients' calls in between.",
    .works_in_directory = true,
    .state_size = sizeof(struct keeping),
    .conclude = conclude,
};
