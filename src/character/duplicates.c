/* Whether a request that comes a second time is carried out again, or answered by the first reply:
 * the duplicate request cache. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "character/bisection.h"
#include "character/duplicate.h"
#include "character/experiment.h"
#include "character/link.h"
#include "common/random.h"
#include "nfs/change.h"
#include "nfs/status.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    CALLS_FULL = 8192, /* between a request and its repetition */
    CALLS_QUICK = 512,
    IN_FLIGHT = 32,
    /* A server may drop a repetition that comes before it has filed the first reply; clients wait
     * for much longer. */
    PAUSE_NS = 20 * 1000 * 1000,
    AGES_MAXIMUM = 16,
};

/* The requests, none of which may be carried out twice */

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

static const struct kind {
    const char *op;
    bool takes_file;    /* there must be one */
    bool of_directory;  /* the name is one of a directory */
    nfsstat3 when_done; /* the status of a second one that is carried out */
    void (*arguments)(const struct lab *lab, const char *name, const char *new_name,
                      union nfs_arguments *arguments);
} kinds[] = {
    {"remove", true, false, NFS3ERR_NOENT, remove_arguments},
    {"rename", true, false, NFS3ERR_NOENT, rename_arguments},
    {"create", false, false, NFS3ERR_EXIST, create_arguments},
    {"mkdir", false, true, NFS3ERR_EXIST, mkdir_arguments},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* What a request needs is made, and its message. */
static int make_request(struct lab *lab, const struct kind *kind, struct channel_message *message,
                        struct error *error)
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
    return link_message(message, lab, kind->op, &arguments, error);
}

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

static uint32_t some_xid(void)
{
    return (uint32_t)random_system_seed();
}

static enum duplicate_fate fate_of(int code, const struct link_reply *reply,
                                   const struct kind *kind)
{
    return code == 0 ? DUPLICATE_UNANSWERED
                     : duplicate_classify(link_status(reply), (int)kind->when_done);
}

/* Send the request, which must be carried out, and again in that WAY. *FATE is what became of the
 * second. */
static int repeat(struct link *link, struct lab *lab, const struct kind *kind, enum way way,
                  const struct channel_message *message, enum duplicate_fate *fate,
                  struct error *error)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    const uint32_t xid = some_xid();
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

static int try_once(struct lab *lab, const struct kind *kind, enum way way,
                    const struct endpoint *endpoint, enum duplicate_fate *fate, struct error *error)
{
    struct channel_message message;
    struct link link;
    int code = make_request(lab, kind, &message, error);

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
    enum duplicate_fate fates[KINDS];
    const char *ops[KINDS];
    struct endpoint endpoint;
    char text[DUPLICATES_TEXT_SIZE];
    int code = find_endpoint(lab, way, &endpoint, error);

    *fate = DUPLICATE_OTHER;
    for (size_t i = 0; i < KINDS && code == 0; i++) {
        ops[i] = kinds[i].op;
        code = try_once(lab, &kinds[i], way, &endpoint, &fates[i], error);
    }
    if (code) {
        answer_detail(answer, way_names[way], "not known: %s", error->text);
        return code == -EINTR || code == -ETIME || code == -E2BIG ? code : 0;
    }
    *fate = duplicates_common(fates, KINDS);
    answer_detail(answer, way_names[way], "%s", duplicates_describe(fates, ops, KINDS, text));
    return 0;
}

/* How many calls later */

/* Make COUNT other calls that are not carried out twice either, several at a time. */
static int make_others(struct link *link, const struct channel_message *other, uint64_t count,
                       struct error *error)
{
    uint64_t sent = 0, answered = 0;
    uint32_t xid = some_xid();
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
    const uint32_t xid = some_xid();
    struct link_reply reply;
    struct link link;
    int code;

    memset(&nothing, 0, sizeof nothing);
    nothing.remove.object = lab_place(lab, "filler-0"); /* no file is called so */
    code = make_request(lab, &kinds[0], &message, error);
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

static int find_distance(struct lab *lab, struct character_answer *answer, struct error *error)
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

/* How long after */

struct aged {
    struct channel_message message;
    uint32_t xid;
    uint64_t age_ns;
};

/* Requests are all made at once, and each is repeated once, at an age of its own. */
static int repeat_at_ages(struct lab *lab, struct link *link, struct aged *aged, size_t count,
                          uint64_t *known_ns, uint64_t *forgotten_ns, struct error *error)
{
    const uint64_t began = clock_raw_ns();
    struct link_reply reply;
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++)
        code = link_call(link, &aged[i].message, aged[i].xid, &reply, error);
    for (size_t i = 0; i < count && code == 0 && *forgotten_ns == 0; i++) {
        while (code == 0 && clock_raw_ns() < began + aged[i].age_ns) {
            const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

            nanosleep(&pause, NULL);
            code = lab_goes_on(lab, error);
        }
        if (code == 0)
            code = link_call(link, &aged[i].message, aged[i].xid, &reply, error);
        if (code == 0)
            *(link_status(&reply) == NFS3_OK ? known_ns : forgotten_ns) = aged[i].age_ns;
    }
    return code;
}

/* Ages of a quarter of a second, half a second, and so on to the idle time. */
static size_t choose_ages(const struct lab *lab, struct aged *aged)
{
    const uint64_t last = lab->plan->idle_ns;
    size_t count = 0;

    for (uint64_t age = SECOND_NS / 4; age < last && count + 1 < AGES_MAXIMUM; age *= 2)
        aged[count++].age_ns = age;
    aged[count++].age_ns = last;
    return count;
}

static void report_age(struct character_answer *answer, uint64_t known_ns, uint64_t forgotten_ns)
{
    const struct interval known = answer_exactly((double)known_ns / 1e9);

    if (forgotten_ns)
        answer_figure(answer, "how long after", &known, "s", "forgotten after %.3g s",
                      (double)forgotten_ns / 1e9);
    else
        answer_figure(answer, "how long after", &known, "s", "longer was not tried (--idle)");
}

static int find_age(struct lab *lab, struct character_answer *answer, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    struct aged aged[AGES_MAXIMUM] = {{.xid = 0}};
    const size_t count = choose_ages(lab, aged);
    uint64_t known_ns = 0, forgotten_ns = 0;
    struct link link;
    int code = link_open(&link, lab, &endpoint, error);

    for (size_t i = 0; i < count && code == 0; i++) {
        aged[i].xid = some_xid();
        code = make_request(lab, &kinds[0], &aged[i].message, error);
    }
    if (code == 0)
        code = repeat_at_ages(lab, &link, aged, count, &known_ns, &forgotten_ns, error);
    for (size_t i = 0; i < count; i++)
        free(aged[i].message.bytes);
    link_close(&link);
    if (code == 0)
        report_age(answer, known_ns, forgotten_ns);
    else if (code != -EINTR)
        answer_detail(answer, "how long after", "not known: %s", error->text);
    return code == -EINTR ? code : 0;
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
    if (code == 0 && fates[SAME_CONNECTION] == DUPLICATE_KNOWN)
        code = find_age(lab, answer, error);
    if (code == 0 && fates[SAME_CONNECTION] == DUPLICATE_KNOWN)
        code = find_distance(lab, answer, error);
    if (code == 0)
        conclude(answer, fates);
    return code;
}

const struct experiment experiment_duplicates = {
    .name = "duplicates",
    .question = "Is a request that is sent twice answered by the first reply, and not carried out "
                "again?",
    .unknown = "Repetitions while the first is still carried out; caches that look at load; other "
               "clients' calls in between.",
    .works_in_directory = true,
    .waits = true,
    .run = run,
};
