/* Experiment: whether a request that is sent twice is executed again, or answered from the server's
 * duplicate request cache. */
#include <errno.h>
#include <string.h>

#include "characterize/experiment.h"
#include "characterize/judgement.h"
#include "common/deadline.h"
#include "nfs/status.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    /* Pause before a repetition, ns, because a server may drop a repetition that comes before the
     * first reply is stored. Real clients wait much longer. */
    PAUSE_NS = 20 * 1000 * 1000,
    DISTANCE_FULL = 8192, /* maximum number of calls between a request and its repetition */
    DISTANCE_QUICK = 512,
    IN_FLIGHT = 32,
};

/* Requests that must not be executed twice */

enum { REQUEST_REMOVE, REQUEST_KINDS = 4 };

struct request_kind {
    const char *op;
    bool takes_file;    /* the request needs an existing file */
    bool of_directory;  /* the request creates a directory */
    nfsstat3 when_done; /* status if the request is executed a second time */
    void (*arguments)(const struct testbed *testbed, const char *name, const char *new_name,
                      union nfs_arguments *arguments);
};

static void remove_arguments(const struct testbed *testbed, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->remove.object = testbed_place(testbed, name);
}

static void rename_arguments(const struct testbed *testbed, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->rename.from = testbed_place(testbed, name);
    arguments->rename.to = testbed_place(testbed, new_name);
}

static void create_arguments(const struct testbed *testbed, const char *name, const char *new_name,
                             union nfs_arguments *arguments)
{
    arguments->create.where = testbed_place(testbed, name);
    arguments->create.how.mode = GUARDED;
}

static void mkdir_arguments(const struct testbed *testbed, const char *name, const char *new_name,
                            union nfs_arguments *arguments)
{
    arguments->mkdir.where = testbed_place(testbed, name);
    arguments->mkdir.attributes.mode = (set_mode3){.set_it = TRUE, .set_mode3_u.mode = 0700};
}

static const struct request_kind request_kinds[REQUEST_KINDS] = {
    [REQUEST_REMOVE] = {"remove", true, false, NFS3ERR_NOENT, remove_arguments},
    {"rename", true, false, NFS3ERR_NOENT, rename_arguments},
    {"create", false, false, NFS3ERR_EXIST, create_arguments},
    {"mkdir", false, true, NFS3ERR_EXIST, mkdir_arguments},
};

/* Make the objects that a request of KIND needs, and return its message. */
static struct channel_message make_request(struct testbed *testbed, const struct request_kind *kind)
{
    char name[NFS_VARIANT_NAME_SIZE], new_name[NFS_VARIANT_NAME_SIZE];
    union nfs_arguments arguments;

    memset(&arguments, 0, sizeof arguments);
    testbed_file_name(testbed, new_name);
    if (kind->takes_file)
        testbed_make_file(testbed, name, NULL);
    else if (kind->of_directory)
        testbed_directory_name(testbed, name);
    else
        testbed_file_name(testbed, name);
    kind->arguments(testbed, name, new_name, &arguments);
    return testbed_message(testbed, kind->op, &arguments);
}

/* The connection on which a request is repeated */

enum way { SAME_CONNECTION, SAME_PORT, OTHER_PORT, OVER_UDP, WAYS };

static const char *const way_names[WAYS] = {"on the same connection", "from the same port",
                                            "from another port", "over UDP"};

/* Reconnect CHANNEL from the same port if WAY is SAME_PORT, else from another port. Several
 * attempts are made, because the system may choose the port that was just closed. */
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

/* Send MESSAGE, a request that must succeed, and repeat it in the given WAY. Returns the
 * repetition's fate. */
static enum duplicate_fate send_twice(struct testbed *testbed, struct channel *channel,
                                      const struct request_kind *kind, enum way way,
                                      const struct channel_message *message)
{
    struct channel_reply reply;

    if (!testbed_transact(testbed, channel, message, &reply))
        return DUPLICATE_OTHER;
    if (testbed_status_of(&reply) != NFS3_OK) {
        testbed->code =
            testbed_status_of(&reply) > 0
                ? testbed_refuse(kind->op, (nfsstat3)testbed_status_of(&reply), &testbed->error)
                : error_set(&testbed->error, ERROR_FAILED, -EPROTO,
                            "the first request was answered by an RPC error");
        return DUPLICATE_OTHER;
    }
    deadline_pause(PAUSE_NS);
    if (way == SAME_PORT || way == OTHER_PORT)
        testbed->code = connect_again(channel, way, &testbed->error);
    if (testbed_exchange(testbed, channel, message, testbed->xid, SECOND_NS, &reply))
        return duplicate_classify(testbed_status_of(&reply), (int)kind->when_done);
    return DUPLICATE_UNANSWERED;
}

/* Return the endpoint of the NFS server. For UDP, its port is the target's, or the port mapper's
 * answer if the target has none. */
static struct endpoint find_endpoint(struct testbed *testbed, enum way way)
{
    const struct channel_options options = testbed_channel_options(testbed);
    struct endpoint endpoint = setup_endpoint(&testbed->setup, SERVICE_NFS);

    if (way != OVER_UDP || endpoint.transport == TRANSPORT_UDP)
        return endpoint;
    endpoint.transport = TRANSPORT_UDP;
    if (!testbed->setup.target.nfs_port && testbed->code == 0)
        testbed->code =
            portmap_lookup(&endpoint, NFS_PROGRAM, NFS_V3, "NFS", &options, &testbed->error);
    return endpoint;
}

static enum duplicate_fate try_once(struct testbed *testbed, const struct request_kind *kind,
                                    enum way way, const struct endpoint *endpoint)
{
    const size_t owned = testbed->owned_count;
    const struct channel_message message = make_request(testbed, kind);
    struct channel *channel = testbed_connect(testbed, endpoint);
    const enum duplicate_fate fate = send_twice(testbed, channel, kind, way, &message);

    testbed_release(testbed, owned);
    return fate;
}

/* Try all kinds of requests in one WAY, and add the result to the details of the answer. Returns
 * the requests' common fate (or DUPLICATE_MIXED), and DUPLICATE_OTHER on failure. */
static enum duplicate_fate try_way(struct testbed *testbed, enum way way)
{
    enum duplicate_fate fates[REQUEST_KINDS];
    const char *ops[REQUEST_KINDS];
    const struct endpoint endpoint = find_endpoint(testbed, way);
    char text[DUPLICATES_TEXT_SIZE];

    for (size_t i = 0; i < REQUEST_KINDS; i++) {
        ops[i] = request_kinds[i].op;
        fates[i] = try_once(testbed, &request_kinds[i], way, &endpoint);
    }
    if (testbed_clear_failure(testbed, false)) {
        answer_detail(testbed->answer, way_names[way], "not known: %s", testbed->error.text);
        return DUPLICATE_OTHER;
    }
    answer_detail(testbed->answer, way_names[way], "%s",
                  duplicates_describe(fates, ops, REQUEST_KINDS, text));
    return duplicates_common(fates, REQUEST_KINDS);
}

/* The cost of storing a reply in the cache. Servers store the reply of REMOVE, but not that of
 * LOOKUP. */

enum { LOOKUPS, REMOVES, SERIES };

/* A name that no file has. */
#define NOWHERE "filler-0"

struct keeping {
    struct channel *channel;
    struct channel_message messages[SERIES]; /* calls with the name NOWHERE */
};

static uint64_t call_nowhere(struct testbed *testbed, void *state, size_t series)
{
    struct keeping *keeping = state;
    char name[NFS_STATUS_NAME_SIZE];
    struct channel_reply reply;

    if (!testbed_transact(testbed, keeping->channel, &keeping->messages[series], &reply))
        return 0;
    if (testbed_status_of(&reply) != NFS3ERR_NOENT)
        testbed->code = error_set(&testbed->error, ERROR_FAILED, -EPROTO,
                                  "%s of a name that does not exist was answered by %s",
                                  series == LOOKUPS ? "LOOKUP" : "REMOVE",
                                  nfs_status_name(testbed_status_of(&reply), name));
    return reply.ticks;
}

static void make_keeping(struct testbed *testbed, struct keeping *keeping)
{
    union nfs_arguments look_up = {.lookup.what = testbed_place(testbed, NOWHERE)};
    union nfs_arguments take_away = {.remove.object = testbed_place(testbed, NOWHERE)};

    keeping->channel = testbed_connect(testbed, NULL);
    keeping->messages[LOOKUPS] = testbed_message(testbed, "lookup", &look_up);
    keeping->messages[REMOVES] = testbed_message(testbed, "remove", &take_away);
}

static void find_cost(struct testbed *testbed, struct keeping *keeping)
{
    static const char name[] = "REMOVE above LOOKUP";

    make_keeping(testbed, keeping);
    testbed->timing.plan = (struct timing_plan){
        .series = SERIES, .calls = 4, .full = 60, .quick = 12, .part = 4, .call = call_nowhere};
    timing_run(testbed, keeping);
    if (testbed->code == 0)
        answer_figure(testbed->answer, name, timing_difference(testbed, LOOKUPS, REMOVES), "us",
                      "of a name that does not exist; includes the cost of keeping the reply");
    else if (testbed_clear_failure(testbed, true) && testbed->code == 0)
        answer_detail(testbed->answer, name, "not known: %s", testbed->error.text);
}

/* Number of other calls after which a request is forgotten */

/* Make COUNT calls of OTHER, whose replies the server must store. Several are in flight. */
static void make_other_calls(struct testbed *testbed, struct channel *channel,
                             const struct channel_message *other, uint64_t count)
{
    uint64_t sent = 0;
    struct channel_reply reply;

    for (uint64_t answered = 0; answered < count && testbed->code == 0; answered++) {
        for (; sent < count && sent - answered < IN_FLIGHT; sent++)
            testbed_send(testbed, channel, other, ++testbed->xid);
        testbed_receive(testbed, channel, &reply);
    }
}

/* Return true if the server recognises a repeated REMOVE after COUNT other calls. */
static bool try_distance(struct testbed *testbed, const struct channel_message *other,
                         uint64_t count)
{
    const size_t owned = testbed->owned_count;
    const struct channel_message message = make_request(testbed, &request_kinds[REQUEST_REMOVE]);
    struct channel *channel = testbed_connect(testbed, NULL);
    struct channel_reply reply;
    uint32_t xid;
    bool known;

    testbed_transact(testbed, channel, &message, &reply);
    xid = testbed->xid;
    make_other_calls(testbed, channel, other, count);
    known = testbed_transact_as(testbed, channel, &message, xid, &reply) &&
            testbed_status_of(&reply) == NFS3_OK;
    testbed_release(testbed, owned);
    return known;
}

/* Find after how many other calls a request is forgotten. A failure other than an interrupt ends
 * only this search. */
static void find_distance(struct testbed *testbed, const struct channel_message *other)
{
    static const char name[] = "how many calls later";
    struct bisection search;
    struct interval held;
    uint64_t count;

    bisection_begin(&search, 8, testbed_scaled(testbed, DISTANCE_FULL, DISTANCE_QUICK), 0.05);
    while (testbed->code == 0 && (count = bisection_next(&search)) > 0) {
        const bool known = try_distance(testbed, other, count);

        if (testbed->code == 0)
            bisection_note(&search, count, known);
    }
    if (testbed->code == -EINTR)
        return;
    held = figure_without_interval((double)search.holds);
    if (search.fails)
        answer_figure(testbed->answer, name, held, "calls", "forgotten after %llu calls",
                      (unsigned long long)search.fails);
    else
        answer_figure(testbed->answer, name, held, "calls", "more were not tried%s%s",
                      testbed->code ? ": " : "", testbed->code ? testbed->error.text : "");
    testbed->code = 0;
}

static void answer_duplicates(struct character_answer *answer,
                              const enum duplicate_fate fates[WAYS])
{
    const bool same = fates[SAME_CONNECTION] == DUPLICATE_KNOWN;
    const bool port = fates[SAME_PORT] == DUPLICATE_KNOWN;

    answer_set(answer,
               "%s on the same connection, %s after a reconnection from the same port, %s from "
               "another port.",
               duplicate_names[fates[SAME_CONNECTION]], duplicate_names[fates[SAME_PORT]],
               duplicate_names[fates[OTHER_PORT]]);
    if (same && port)
        answer_add_meaning(answer,
                           "If the reply to a REMOVE or CREATE is lost with its connection, the "
                           "client can send the call again without an error.");
    else
        answer_add_meaning(answer,
                           "After a broken connection, a client sends its unanswered calls again. "
                           "A call that the server had already carried out then fails: rm reports "
                           "'No such file', mkdir 'File exists', though both succeeded.");
    if (port && fates[OTHER_PORT] != DUPLICATE_KNOWN)
        answer_add_meaning(answer,
                           "The server recognises a repeated call only from the same port, which "
                           "clients behind an address translator may lose.");
}

static void conclude_duplicates(struct testbed *testbed, void *state)
{
    struct keeping *keeping = state;
    enum duplicate_fate fates[WAYS];

    for (enum way way = 0; way < WAYS; way++)
        fates[way] = try_way(testbed, way);
    find_cost(testbed, keeping);
    if (testbed->code == 0 && fates[SAME_CONNECTION] == DUPLICATE_KNOWN)
        find_distance(testbed, &keeping->messages[REMOVES]);
    if (testbed->code == 0)
        answer_duplicates(testbed->answer, fates);
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
