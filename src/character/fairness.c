/* What a client with one call at a time waits for one that keeps the server busy. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "character/arms.h"
#include "character/crowd.h"
#include "character/experiment.h"
#include "character/judgement.h"
#include "character/link.h"

enum { DEPTH = 64, WRITES = 8, BYTES = 64 << 10, DATAGRAM_BYTES = 8 << 10, CALLS = 8 };
enum { ARM_ALONE, ARM_CALLS, ARM_WRITES, ARMS };

struct fairness {
    struct lab *lab;
    struct link link; /* of the client with one call at a time */
    struct channel_message small;
    uint32_t xid, bytes;
    struct nfs_handle file;
    struct crowd crowd; /* the other client */
    struct crowd_calls calls[ARMS];
    uint8_t *data;
    double busy_us[ARMS]; /* what its calls took, the sum over */
    unsigned turns[ARMS]; /* so many turns in which that is known */
};

static const unsigned depths[ARMS] = {[ARM_CALLS] = DEPTH, [ARM_WRITES] = WRITES};

static void fill_getattr(const void *context, size_t number, union nfs_arguments *arguments)
{
    const struct fairness *fairness = context;

    (void)number;
    arguments->getattr.object = nfs_handle_argument(&fairness->file);
}

static void fill_write(const void *context, size_t number, union nfs_arguments *arguments)
{
    const struct fairness *fairness = context;

    arguments->write = (WRITE3args){.file = nfs_handle_argument(&fairness->file),
                                    .offset = (uint64_t)number * fairness->bytes,
                                    .count = fairness->bytes,
                                    .data = {fairness->bytes, (char *)fairness->data}};
}

/* The small calls are to the root, so that no lock of a file matters. */
static int prepare(struct fairness *fairness, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&fairness->lab->setup, SERVICE_NFS);
    union nfs_arguments root;
    int code = link_open(&fairness->link, fairness->lab, &endpoint, error);

    memset(&root, 0, sizeof root);
    root.getattr.object = nfs_handle_argument(&fairness->lab->setup.mount.root);
    fairness->bytes = endpoint.transport == TRANSPORT_UDP ? DATAGRAM_BYTES : BYTES;
    if (code == 0)
        code = lab_make_file(fairness->lab, NULL, &fairness->file, error);
    if (code == 0)
        code = link_message(&fairness->small, fairness->lab, "getattr", &root, error);
    if (code == 0)
        code = crowd_calls_make(&fairness->calls[ARM_CALLS], fairness->lab, "getattr", 1,
                                fill_getattr, fairness, error);
    return code ? code
                : crowd_calls_make(&fairness->calls[ARM_WRITES], fairness->lab, "write", WRITES,
                                   fill_write, fairness, error);
}

/* One call, which is not timed, meets what an earlier turn left in the server's queues, or lets the
 * other client begin; what the others take is their mean. */
static int call_small(struct fairness *fairness, uint64_t *ticks, struct error *error)
{
    uint64_t sum = 0;
    int code = 0;

    for (unsigned i = 0; i <= CALLS && code == 0; i++) {
        const uint64_t started = fairness->lab->clock.start();
        struct link_reply reply;

        code = link_call(&fairness->link, &fairness->small, ++fairness->xid, &reply, error);
        if (code == 0 && link_status(&reply) != NFS3_OK)
            code = lab_refuse("getattr", (nfsstat3)link_status(&reply), error);
        if (code == 0 && i > 0)
            sum += reply.ticks - started;
    }
    *ticks = sum / CALLS;
    return code;
}

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct fairness *fairness = context;
    struct error crowd_error;
    double us;
    int code, crowd_code;

    if (arm == ARM_ALONE)
        return call_small(fairness, ticks, error);
    code = crowd_begin(&fairness->crowd, fairness->lab, depths[arm], &fairness->calls[arm], error);
    if (code)
        return code;
    code = call_small(fairness, ticks, error);
    crowd_code = crowd_end(&fairness->crowd, &us, &crowd_error);
    if (!isnan(us)) {
        fairness->busy_us[arm] += us;
        fairness->turns[arm]++;
    }
    if (code == 0 && crowd_code)
        *error = crowd_error;
    return code ? code : crowd_code;
}

static const char *const waiting_words[] = {
    [WAITING_NOT] = "has its turn soon",
    [WAITING_PARTLY] = "waits for a part of its queue",
    [WAITING_WHOLLY] = "waits for most of its queue",
    [WAITING_UNKNOWN] = "meets no long queue",
};

/* What was found beside one kind of busy client. */
struct figures {
    struct interval wait;
    enum waiting kind;
};

/* A call of the busy client waits for its own queue: that is the queue's length in time. */
static int judge(const struct fairness *fairness, const struct arms *arms, size_t arm,
                 const struct interval *alone, struct figures *figures, struct error *error)
{
    double queue_us = fairness->turns[arm] ? fairness->busy_us[arm] / fairness->turns[arm] : NAN;
    int code = arms_difference(arms, ARM_ALONE, arm, &figures->wait, error);

    figures->kind = waiting_classify(&figures->wait, queue_us, alone->estimate);
    return code;
}

static void report(struct character_answer *answer, const struct fairness *fairness,
                   const struct interval *alone, const struct figures figures[ARMS])
{
    const struct interval queues[] = {
        answer_exactly(fairness->busy_us[ARM_CALLS] / fmax(1, fairness->turns[ARM_CALLS])),
        answer_exactly(fairness->busy_us[ARM_WRITES] / fmax(1, fairness->turns[ARM_WRITES]))};

    answer_figure(answer, "alone", alone, "us", "GETATTR");
    answer_figure(answer, "wait beside GETATTRs", &figures[ARM_CALLS].wait, "us", "%s",
                  waiting_words[figures[ARM_CALLS].kind]);
    answer_figure(answer, "wait beside WRITEs", &figures[ARM_WRITES].wait, "us", "%s",
                  waiting_words[figures[ARM_WRITES].kind]);
    answer_figure(answer, "the busy client's GETATTRs", &queues[0], "us",
                  "a call with %d in flight, in the mean", DEPTH);
    answer_figure(answer, "the busy client's WRITEs", &queues[1], "us",
                  "of %u bytes, with %d in flight, in the mean", fairness->bytes, WRITES);
}

static void conclude(struct character_answer *answer, const struct figures figures[ARMS])
{
    const enum waiting calls = figures[ARM_CALLS].kind, writes = figures[ARM_WRITES].kind;

    answer_say(answer,
               "A client with one call at a time %s beside one with %d GETATTRs in flight (%+.1f "
               "us), and beside a stream of WRITEs it %s (%+.1f us).",
               waiting_words[calls], DEPTH, figures[ARM_CALLS].wait.estimate, waiting_words[writes],
               figures[ARM_WRITES].wait.estimate);
    if (calls == WAITING_WHOLLY || writes == WAITING_WHOLLY)
        answer_mean(answer, "All clients stand in one queue: one that keeps many calls in flight "
                            "makes the others wait as long as its own calls do.");
    else if (calls != WAITING_PARTLY && writes != WAITING_PARTLY)
        answer_mean(answer, "One busy client does not make the others wait in a long queue.");
}

static int measure(struct fairness *fairness, struct character_answer *answer, struct error *error)
{
    struct arms arms = {.lab = fairness->lab,
                        .count = ARMS,
                        .calls = 1,
                        .call = call,
                        .context = fairness,
                        .time_ns = lab_rounds_ns(fairness->lab)};
    struct figures figures[ARMS];
    struct interval alone;
    int code = arms_run(&arms, lab_scaled(fairness->lab, 60, 12), error);

    if (code == 0)
        code = arms_level(&arms, ARM_ALONE, &alone, error);
    for (size_t arm = ARM_CALLS; arm < ARMS && code == 0; arm++)
        code = judge(fairness, &arms, arm, &alone, &figures[arm], error);
    arms_close(&arms);
    if (code)
        return code;
    report(answer, fairness, &alone, figures);
    conclude(answer, figures);
    return 0;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct fairness fairness = {
        .lab = lab, .link.fd = -1, .data = calloc(1, BYTES), .xid = (uint32_t)lab->plan->run.seed};
    int code = fairness.data ? prepare(&fairness, error)
                             : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for data");

    if (code == 0)
        code = measure(&fairness, answer, error);
    link_close(&fairness.link);
    crowd_calls_free(&fairness.calls[ARM_CALLS]);
    crowd_calls_free(&fairness.calls[ARM_WRITES]);
    free(fairness.small.bytes);
    free(fairness.data);
    return code;
}

const struct experiment experiment_fairness = {
    .name = "fairness",
    .question = "Does a client with few calls wait for one that keeps the server busy?",
    .unknown = "How much of a wait arises in this client, which makes both clients' calls; clients "
               "on several machines; more clients.",
    .works_in_directory = true,
    .run = run,
};
