/* Whether calls of one connection are answered in order, and whether a quick call waits for a slow
 * one: on the same connection, and on another. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/judgement.h"
#include "character/link.h"
#include "common/counted.h"

enum { ARM_QUICK, ARM_SLOW, ARM_BEHIND, ARM_BESIDE, ARMS };
enum { TRIALS = 5, READ_MAXIMUM = 1 << 20, WRITE_BYTES = 64 << 10 };

/* The calls that may be slow. */
enum candidate { BIG_READ, SYNC_WRITE, CANDIDATES };

static const char *const candidate_names[CANDIDATES] = {"READ", "WRITE with FILE_SYNC"};

struct order {
    struct lab *lab;
    struct link first, second;
    struct nfs_handle file;
    uint32_t bytes[CANDIDATES];
    struct channel_message candidates[CANDIDATES], quick;
    enum candidate slow;
    uint32_t xid;
    unsigned pairs, overtaken; /* of a slow and a quick call on one connection; the quick one was
                                * answered first */
};

/* The file, and the messages */

static uint32_t choose_read_size(struct lab *lab)
{
    union nfs_arguments arguments = {.fsinfo.fsroot = nfs_handle_argument(&lab->setup.mount.root)};
    union nfs_result result;
    struct error ignored;
    uint32_t size = WRITE_BYTES;

    if (lab_call_well(lab, "fsinfo", &arguments, &result, &ignored) == 0) {
        size = result.fsinfo.FSINFO3res_u.resok.rtmax;
        nfs_free_result("fsinfo", &result);
    }
    return size == 0 || size > READ_MAXIMUM ? READ_MAXIMUM : size;
}

static int make_file(struct order *order, struct error *error)
{
    struct lab *lab = order->lab;
    int code = lab_make_file(lab, NULL, &order->file, error);

    order->bytes[SYNC_WRITE] = 4096;
    order->bytes[BIG_READ] =
        order->first.endpoint.transport == TRANSPORT_UDP ? WRITE_BYTES / 4 : choose_read_size(lab);
    return code ? code : lab_write(lab, &order->file, 0, order->bytes[BIG_READ], error);
}

static int make_messages(struct order *order, uint8_t *data, struct error *error)
{
    union nfs_arguments reads, writes, quick;
    int code;

    memset(&quick, 0, sizeof quick);
    memset(&reads, 0, sizeof reads);
    memset(&writes, 0, sizeof writes);
    quick.getattr.object = nfs_handle_argument(&order->lab->setup.mount.root);
    reads.read =
        (READ3args){.file = nfs_handle_argument(&order->file), .count = order->bytes[BIG_READ]};
    writes.write = (WRITE3args){.file = nfs_handle_argument(&order->file),
                                .count = order->bytes[SYNC_WRITE],
                                .stable = FILE_SYNC,
                                .data = {order->bytes[SYNC_WRITE], (char *)data}};
    code = link_message(&order->quick, order->lab, "getattr", &quick, error);
    if (code == 0)
        code = link_message(&order->candidates[BIG_READ], order->lab, "read", &reads, error);
    return code ? code
                : link_message(&order->candidates[SYNC_WRITE], order->lab, "write", &writes, error);
}

/* Calls */

static int exchange(struct order *order, const struct channel_message *message, uint64_t *ticks,
                    struct error *error)
{
    const uint64_t started = order->lab->clock.start();
    struct link_reply reply;
    int code = link_call(&order->first, message, ++order->xid, &reply, error);

    if (code == 0 && link_status(&reply) > 0)
        return lab_refuse(message == &order->quick                  ? "getattr"
                          : message == &order->candidates[BIG_READ] ? "read"
                                                                    : "write",
                          (nfsstat3)link_status(&reply), error);
    *ticks = reply.ticks - started;
    return code;
}

/* The quick call right behind the slow one. */
static int call_behind(struct order *order, uint64_t *ticks, struct error *error)
{
    const uint32_t quick = order->xid + 2;
    const uint64_t started = order->lab->clock.start();
    struct link_reply reply;
    int code = link_send_two(&order->first, &order->candidates[order->slow], &order->quick,
                             quick - 1, error);

    order->xid = quick;
    for (unsigned i = 0; i < 2 && code == 0; i++) {
        code = link_must_receive(&order->first, &reply, error);
        if (code == 0 && reply.xid == quick) {
            *ticks = reply.ticks - started;
            order->overtaken += i == 0;
        }
    }
    order->pairs++;
    return code;
}

/* The quick call on another connection. */
static int call_beside(struct order *order, uint64_t *ticks, struct error *error)
{
    struct link_reply reply;
    uint64_t started = 0;
    int code = link_send(&order->first, &order->candidates[order->slow], ++order->xid, error);

    started = order->lab->clock.start();
    if (code == 0)
        code = link_send(&order->second, &order->quick, ++order->xid, error);
    if (code == 0)
        code = link_must_receive(&order->second, &reply, error);
    *ticks = code == 0 ? reply.ticks - started : 0;
    return code ? code : link_must_receive(&order->first, &reply, error);
}

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct order *order = context;

    if (arm == ARM_BEHIND)
        return call_behind(order, ticks, error);
    if (arm == ARM_BESIDE)
        return call_beside(order, ticks, error);
    return exchange(order, arm == ARM_QUICK ? &order->quick : &order->candidates[order->slow],
                    ticks, error);
}

/* The slowest candidate, by the median of a few trials. */
static int choose_slow(struct order *order, struct error *error)
{
    double slowest = 0;
    int code = 0;

    for (enum candidate candidate = 0; candidate < CANDIDATES && code == 0; candidate++) {
        double trials[TRIALS], median;

        for (size_t i = 0; i < TRIALS && code == 0; i++) {
            uint64_t ticks = 0;

            code = exchange(order, &order->candidates[candidate], &ticks, error);
            trials[i] = (double)ticks;
        }
        median = code ? 0 : estimate_median(trials, TRIALS);
        if (median > slowest) {
            slowest = median;
            order->slow = candidate;
        }
    }
    return code;
}

/* The answer */

static const char *const waiting_words[] = {
    [WAITING_NOT] = "does not wait for it",
    [WAITING_PARTLY] = "waits for a part of its time",
    [WAITING_WHOLLY] = "waits for most of its time",
    [WAITING_UNKNOWN] = "not known: no call was slow enough to tell",
};

struct figures {
    struct interval quick, slow, behind, beside; /* us; the last two: what the quick call waits */
    enum waiting same, other;
};

static int estimate(const struct arms *arms, struct figures *figures, struct error *error)
{
    int code = arms_level(arms, ARM_QUICK, &figures->quick, error);

    if (code == 0)
        code = arms_level(arms, ARM_SLOW, &figures->slow, error);
    if (code == 0)
        code = arms_difference(arms, ARM_QUICK, ARM_BEHIND, &figures->behind, error);
    if (code == 0)
        code = arms_difference(arms, ARM_QUICK, ARM_BESIDE, &figures->beside, error);
    figures->same =
        waiting_classify(&figures->behind, figures->slow.estimate, figures->quick.estimate);
    figures->other =
        waiting_classify(&figures->beside, figures->slow.estimate, figures->quick.estimate);
    return code;
}

static void report(struct character_answer *answer, const struct order *order,
                   const struct figures *figures)
{
    const struct interval overtaken = answer_exactly(100.0 * order->overtaken / order->pairs);

    answer_figure(answer, "the quick call alone", &figures->quick, "us", "GETATTR");
    answer_figure(answer, "the slow call alone", &figures->slow, "us", "%s of %u bytes",
                  candidate_names[order->slow], order->bytes[order->slow]);
    answer_figure(answer, "wait on the same connection", &figures->behind, "us", "%s",
                  waiting_words[figures->same]);
    answer_figure(answer, "wait on another connection", &figures->beside, "us", "%s",
                  waiting_words[figures->other]);
    answer_figure(answer, "answered out of order", &overtaken, "%", "of %s on one connection",
                  counted(order->pairs, "pair").text);
}

static void conclude(struct character_answer *answer, const struct order *order,
                     const struct figures *figures)
{
    const char *kept = order->overtaken == 0              ? "In order"
                       : order->overtaken == order->pairs ? "Out of order"
                                                          : "Sometimes out of order";

    if (figures->same == WAITING_UNKNOWN)
        answer_say(answer, "%s; whether quick calls wait was not seen: no call was slow enough.",
                   kept);
    else
        answer_say(answer, "%s: a quick call behind a slow one %s; on another connection it %s.",
                   kept, waiting_words[figures->same], waiting_words[figures->other]);
    if (figures->same == WAITING_WHOLLY && figures->other == WAITING_NOT)
        answer_mean(answer, "On one mount, ls waits while a large file is read or written; more "
                            "connections (mount option nconnect) help.");
    if (figures->same == WAITING_NOT)
        answer_mean(answer, "One connection is enough for many users of one client: slow calls "
                            "don't hold up quick ones.");
    if (figures->other == WAITING_WHOLLY)
        answer_mean(answer, "The server does one call at a time, whatever connection it comes "
                            "over: more connections don't help, and one client's slow calls hold "
                            "up all clients.");
    if (figures->same == WAITING_UNKNOWN)
        answer_mean(answer,
                    "With data that are not in the server's memory, or under load, this may "
                    "differ.");
}

/* Running */

static int measure(struct order *order, struct character_answer *answer, struct error *error)
{
    struct arms arms = {.lab = order->lab,
                        .count = ARMS,
                        .calls = 1,
                        .call = call,
                        .context = order,
                        .time_ns = lab_rounds_ns(order->lab)};
    struct figures figures;
    int code = choose_slow(order, error);

    if (code == 0)
        code = arms_run(&arms, lab_scaled(order->lab, 100, 10), error);
    if (code == 0)
        code = estimate(&arms, &figures, error);
    arms_close(&arms);
    if (code)
        return code;
    report(answer, order, &figures);
    conclude(answer, order, &figures);
    return 0;
}

static int prepare(struct order *order, uint8_t *data, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&order->lab->setup, SERVICE_NFS);
    int code = link_open(&order->first, order->lab, &endpoint, error);

    if (code == 0)
        code = link_open(&order->second, order->lab, &endpoint, error);
    if (code == 0)
        code = make_file(order, error);
    return code ? code : make_messages(order, data, error);
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct order order = {
        .lab = lab, .first.fd = -1, .second.fd = -1, .xid = (uint32_t)lab->plan->run.seed};
    uint8_t *data = calloc(1, WRITE_BYTES);
    int code = data ? prepare(&order, data, error)
                    : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a file's data");

    if (code == 0)
        code = measure(&order, answer, error);
    link_close(&order.first);
    link_close(&order.second);
    for (size_t i = 0; i < CANDIDATES; i++)
        free(order.candidates[i].bytes);
    free(order.quick.bytes);
    free(data);
    return code;
}

const struct experiment experiment_order = {
    .name = "order",
    .question = "Are calls of one connection answered in order, and does a quick call wait for a "
                "slow one?",
    .unknown = "How much of a wait is the time that the slow call's data need on the network; more "
               "calls at once; other slow calls, such as those that wait for a disk.",
    .works_in_directory = true,
    .run = run,
};
