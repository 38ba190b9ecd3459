/* Experiment: whether a request that is sent twice is executed again, or answered from the server's
 * duplicate request cache. */
#include <errno.h>
#include <string.h>

#include "characterize/experiment.h"
#include "characterize/judgement.h"
#include "common/deadline.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    /* A server may drop a repetition that comes before it has stored the first reply. Clients wait
     * much longer than this. */
    PAUSE_NS = 20 * 1000 * 1000,
    DISTANCE_FULL = 8192, /* maximum number of calls between a request and its repetition */
    DISTANCE_QUICK = 512,
    IN_FLIGHT = 32,
};

/* Requests that must not be executed twice */

enum { REQUEST_REMOVE, REQUEST_KINDS = 4 };

struct request_kind {
    const char *op;
    bool takes_file;    /* needs an existing file */
    bool of_directory;  /* the name is that of a directory */
    nfsstat3 when_done; /* status of a second request that is executed */
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

/* Make the objects that a request of KIND needs, and return its message. */
static struct channel_message make_request(struct lab *lab, const struct request_kind *kind)
{
    char name[NFS_VARIANT_NAME_SIZE], new_name[NFS_VARIANT_NAME_SIZE];
    union nfs_arguments arguments;

    memset(&arguments, 0, sizeof arguments);
    lab_file_name(lab, new_name);
    if (kind->takes_file)
        lab_make_file(lab, name, NULL);
    else if (kind->of_directory)
        lab_directory_name(lab, name);
    else
        lab_file_name(lab, name);
    kind->arguments(lab, name, new_name, &arguments);
    return lab_message(lab, kind->op, &arguments);
}

/* Ways of repeating a request */

enum way { SAME_CONNECTION, SAME_PORT, OTHER_PORT, OVER_UDP, WAYS };

static const char *const way_names[WAYS] = {"on the same connection", "from the same port",
                                            "from another port", "over UDP"};

/* Reconnect CHANNEL from the same port, or from another one. The system may choose the port that
 * was just closed, so it is tried several times. */
static int connect_again(struct channel *channel, enum way way, struct error *error)
{
    const uint16_t port = channel_source_port(channel);

    for (int tries = 0; tries < 16; tries++) {
        const int code = channel_reconnect(channel, way == SAME_PORT ? port : 0, error);

        if (code || (channel_source_port(channel) == port) == (way == SAME_PORT))
            return code;
    }
    return error_set(error, ERROR_FAILED, -EADDRINUSE, "the second connection %s could not be made",
                     way_names[way]);
}

/* Send the request, which must succeed, and repeat it in the given WAY. Returns what happened to
 * the repetition. */
static enum duplicate_fate send_twice(struct lab *lab, struct channel *channel,
                                      const struct request_kind *kind, enum way way,
                                      const struct channel_message *message)
{
    struct channel_reply reply;

    if (!lab_transact(lab, channel, message, &reply))
        return DUPLICATE_OTHER;
    if (lab_status_of(&reply) != NFS3_OK) {
        lab->code = lab_status_of(&reply) > 0
                        ? lab_refuse(kind->op, (nfsstat3)lab_status_of(&reply), &lab->error)
                        : error_set(&lab->error, ERROR_FAILED, -EPROTO,
                                    "the second request was answered by an RPC error");
        return DUPLICATE_OTHER;
    }
    deadline_pause(PAUSE_NS);
    if (way == SAME_PORT || way == OTHER_PORT)
        lab->code = connect_again(channel, way, &lab->error);
    if (lab_exchange(lab, channel, message, lab->xid, SECOND_NS, &reply))
        return duplicate_classify(lab_status_of(&reply), (int)kind->when_done);
    return DUPLICATE_UNANSWERED;
}

/* Return the server's endpoint. For UDP, use the target's port, or ask the port mapper if the
 * target has none. */
static struct endpoint find_endpoint(struct lab *lab, enum way way)
{
    const struct channel_options options = lab_channel_options(lab);
    struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);

    if (way != OVER_UDP || endpoint.transport == TRANSPORT_UDP)
        return endpoint;
    endpoint.transport = TRANSPORT_UDP;
    if (!lab->setup.target.nfs_port && lab->code == 0)
        lab->code = portmap_lookup(&endpoint, NFS_PROGRAM, NFS_V3, "NFS", &options, &lab->error);
    return endpoint;
}

static enum duplicate_fate try_once(struct lab *lab, const struct request_kind *kind, enum way way,
                                    const struct endpoint *endpoint)
{
    const size_t owned = lab->owned_count;
    const struct channel_message message = make_request(lab, kind);
    struct channel *channel = lab_connect(lab, endpoint);
    const enum duplicate_fate fate = send_twice(lab, channel, kind, way, &message);

    lab_release(lab, owned);
    return fate;
}

/* Try all kinds of requests in one WAY. Returns their common fate. */
static enum duplicate_fate try_way(struct lab *lab, enum way way)
{
    enum duplicate_fate fates[REQUEST_KINDS];
    const char *ops[REQUEST_KINDS];
    const struct endpoint endpoint = find_endpoint(lab, way);
    char text[DUPLICATES_TEXT_SIZE];

    for (size_t i = 0; i < REQUEST_KINDS; i++) {
        ops[i] = request_kinds[i].op;
        fates[i] = try_once(lab, &request_kinds[i], way, &endpoint);
    }
    if (lab_forgive(lab, false)) {
        answer_detail(lab->answer, way_names[way], "not known: %s", lab->error.text);
        return DUPLICATE_OTHER;
    }
    answer_detail(lab->answer, way_names[way], "%s",
                  duplicates_describe(fates, ops, REQUEST_KINDS, text));
    return duplicates_common(fates, REQUEST_KINDS);
}

/* The cost of keeping a reply in the cache. Servers keep the reply of REMOVE, but not of LOOKUP. */

enum { LOOKUPS, REMOVES, SERIES };

/* The name of no file. */
#define NOWHERE "filler-0"

struct keeping {
    struct channel *channel;
    struct channel_message messages[SERIES]; /* calls with the name NOWHERE */
};

static uint64_t call_nowhere(struct lab *lab, void *state, size_t series)
{
    struct keeping *keeping = state;
    struct channel_reply reply;

    if (!lab_transact(lab, keeping->channel, &keeping->messages[series], &reply))
        return 0;
    if (lab_status_of(&reply) != NFS3ERR_NOENT)
        lab->code = error_set(&lab->error, ERROR_FAILED, -EPROTO,
                              "%s of a name that does not exist succeeded",
                              series == LOOKUPS ? "LOOKUP" : "REMOVE");
    return reply.ticks;
}

static void make_keeping(struct lab *lab, struct keeping *keeping)
{
    union nfs_arguments look_up = {.lookup.what = lab_place(lab, NOWHERE)};
    union nfs_arguments take_away = {.remove.object = lab_place(lab, NOWHERE)};

    keeping->channel = lab_connect(lab, NULL);
    keeping->messages[LOOKUPS] = lab_message(lab, "lookup", &look_up);
    keeping->messages[REMOVES] = lab_message(lab, "remove", &take_away);
}

static void find_cost(struct lab *lab, struct keeping *keeping)
{
    static const char name[] = "REMOVE above LOOKUP";

    make_keeping(lab, keeping);
    lab->timing.plan = (struct timing_plan){
        .series = SERIES, .calls = 4, .full = 60, .quick = 12, .part = 4, .call = call_nowhere};
    timing_run(lab, keeping);
    if (lab->code == 0)
        answer_figure(lab->answer, name, timing_difference(lab, LOOKUPS, REMOVES), "us",
                      "of a name that does not exist; includes the cost of keeping the reply");
    else if (lab_forgive(lab, true) && lab->code == 0)
        answer_detail(lab->answer, name, "not known: %s", lab->error.text);
}

/* Number of other calls after which a request is forgotten */

/* Make COUNT other calls whose replies the server must keep, too; several are in flight. */
static void make_other_calls(struct lab *lab, struct channel *channel,
                             const struct channel_message *other, uint64_t count)
{
    uint64_t sent = 0;
    struct channel_reply reply;

    for (uint64_t answered = 0; answered < count && lab->code == 0; answered++) {
        for (; sent < count && sent - answered < IN_FLIGHT; sent++)
            lab_send(lab, channel, other, ++lab->xid);
        lab_receive(lab, channel, &reply);
    }
}

/* Return true if a REMOVE is still recognised after COUNT other calls. */
static bool try_distance(struct lab *lab, const struct channel_message *other, uint64_t count)
{
    const size_t owned = lab->owned_count;
    const struct channel_message message = make_request(lab, &request_kinds[REQUEST_REMOVE]);
    struct channel *channel = lab_connect(lab, NULL);
    struct channel_reply reply;
    uint32_t xid;
    bool known;

    lab_transact(lab, channel, &message, &reply);
    xid = lab->xid;
    make_other_calls(lab, channel, other, count);
    known =
        lab_transact_as(lab, channel, &message, xid, &reply) && lab_status_of(&reply) == NFS3_OK;
    lab_release(lab, owned);
    return known;
}

/* Find the number of calls. A failure ends only this search, unless it is an interrupt. */
static void find_distance(struct lab *lab, const struct channel_message *other)
{
    static const char name[] = "how many calls later";
    struct bisection search;
    struct interval held;
    uint64_t count;

    bisection_begin(&search, 8, lab_scaled(lab, DISTANCE_FULL, DISTANCE_QUICK), 0.05);
    while (lab->code == 0 && (count = bisection_next(&search)) > 0) {
        const bool known = try_distance(lab, other, count);

        if (lab->code == 0)
            bisection_note(&search, count, known);
    }
    if (lab->code == -EINTR)
        return;
    held = answer_exactly((double)search.holds);
    if (search.fails)
        answer_figure(lab->answer, name, held, "calls", "forgotten after %llu calls",
                      (unsigned long long)search.fails);
    else
        answer_figure(lab->answer, name, held, "calls", "more were not tried%s%s",
                      lab->code ? ": " : "", lab->code ? lab->error.text : "");
    lab->code = 0;
}

/* The answer */

static void answer_duplicates(struct character_answer *answer,
                              const enum duplicate_fate fates[WAYS])
{
    const bool same = fates[SAME_CONNECTION] == DUPLICATE_KNOWN;
    const bool port = fates[SAME_PORT] == DUPLICATE_KNOWN;

    answer_say(answer,
               "%s on the same connection, %s after a reconnection from the same port, %s from "
               "another port.",
               duplicate_names[fates[SAME_CONNECTION]], duplicate_names[fates[SAME_PORT]],
               duplicate_names[fates[OTHER_PORT]]);
    if (same && port)
        answer_mean(answer, "If the reply to a REMOVE or CREATE is lost with its connection, the "
                            "client can send the call again without an error.");
    else
        answer_mean(answer, "After a broken connection, a client sends its unanswered calls again. "
                            "A call that the server had already carried out then fails: rm reports "
                            "'No such file', mkdir 'File exists', though both succeeded.");
    if (port && fates[OTHER_PORT] != DUPLICATE_KNOWN)
        answer_mean(answer, "The server recognises a repeated call only from the same port, which "
                            "clients behind an address translator may lose.");
}

static void conclude_duplicates(struct lab *lab, void *state)
{
    struct keeping *keeping = state;
    enum duplicate_fate fates[WAYS];

    for (enum way way = 0; way < WAYS; way++)
        fates[way] = try_way(lab, way);
    find_cost(lab, keeping);
    if (lab->code == 0 && fates[SAME_CONNECTION] == DUPLICATE_KNOWN)
        find_distance(lab, &keeping->messages[REMOVES]);
    if (lab->code == 0)
        answer_duplicates(lab->answer, fates);
}

const struct experiment experiment_duplicates = {
    .name = "duplicates",
    .question = "Is a request that is sent twice carried out only once, and answered twice by the "
                "same reply?",
    .unknown = "A repetition while the first request is being carried out, or long after it; a "
               "cache whose size depends on load; calls of other clients in between.",
    .need = {.full = 655, .quick = 160},
    .works_in_directory = true,
    .state_size = sizeof(struct keeping),
    .conclude = conclude_duplicates,
};
