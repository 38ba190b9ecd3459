/* Whether calls of one connection are answered in order, and whether a quick call waits for a slow
 * one: on the same connection, and on another. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "character/experiment.h"
#include "character/judgement.h"
#include "common/counted.h"

enum { QUICK, SLOW, BEHIND, BESIDE, SERIES };
enum { TRIALS = 5, READ_MAXIMUM = 1 << 20, WRITE_BYTES = 4096, USUAL_BYTES = 64 << 10 };

/* The calls that may be slow. */
enum candidate { BIG_READ, SYNC_WRITE, CANDIDATES };

static const struct {
    const char *op, *name;
} candidates[CANDIDATES] = {{"read", "READ"}, {"write", "WRITE with FILE_SYNC"}};

struct order {
    struct channel *first, *second;
    struct nfs_handle file;
    uint32_t bytes[CANDIDATES];
    struct channel_message candidates[CANDIDATES], quick;
    enum candidate slow;
    unsigned pairs, overtaken; /* of a slow and a quick call on one connection; the quick one was
                                * answered first */
    uint8_t both[2 * WRITE_BYTES], data[WRITE_BYTES];
};

/* The file, and the messages */

static uint32_t choose_read_size(struct lab *lab)
{
    union nfs_arguments arguments = {.fsinfo.fsroot = nfs_handle_argument(&lab->setup.mount.root)};
    union nfs_result result;
    struct error ignored;
    uint32_t size = USUAL_BYTES;

    if (lab_call_well(lab, "fsinfo", &arguments, &result, &ignored) == 0) {
        size = result.fsinfo.FSINFO3res_u.resok.rtmax;
        nfs_free_result("fsinfo", &result);
    }
    return size == 0 || size > READ_MAXIMUM ? READ_MAXIMUM : size;
}

static bool is_stream(const struct lab *lab)
{
    return setup_endpoint(&lab->setup, SERVICE_NFS).transport == TRANSPORT_TCP;
}

static int make_file(struct lab *lab, struct order *order, struct error *error)
{
    int code = lab_make_file(lab, NULL, &order->file, error);

    order->bytes[SYNC_WRITE] = WRITE_BYTES;
    order->bytes[BIG_READ] = is_stream(lab) ? choose_read_size(lab) : USUAL_BYTES / 4;
    return code ? code : lab_write(lab, &order->file, 0, order->bytes[BIG_READ], error);
}

static int make_messages(struct lab *lab, struct order *order, struct error *error)
{
    union nfs_arguments reads, writes, quick;
    int code;

    memset(&quick, 0, sizeof quick);
    memset(&reads, 0, sizeof reads);
    memset(&writes, 0, sizeof writes);
    quick.getattr.object = nfs_handle_argument(&lab->setup.mount.root);
    reads.read =
        (READ3args){.file = nfs_handle_argument(&order->file), .count = order->bytes[BIG_READ]};
    writes.write = (WRITE3args){.file = nfs_handle_argument(&order->file),
                                .count = WRITE_BYTES,
                                .stable = FILE_SYNC,
                                .data = {WRITE_BYTES, (char *)order->data}};
    code = lab_message(lab, "getattr", &quick, &order->quick, error);
    if (code == 0)
        code = lab_message(lab, "read", &reads, &order->candidates[BIG_READ], error);
    return code ? code : lab_message(lab, "write", &writes, &order->candidates[SYNC_WRITE], error);
}

/* Calls */

/* The slow call, and the quick one with the next xid; over TCP by one system call, so that nothing
 * comes between them. */
static int send_pair(struct lab *lab, struct order *order, uint32_t xid, struct error *error)
{
    const struct channel_message *slow = &order->candidates[order->slow], *quick = &order->quick;
    const size_t length = RPC_RECORD_MARK_SIZE + slow->length;
    const size_t more = RPC_RECORD_MARK_SIZE + quick->length;
    int code;

    if (!is_stream(lab) || length + more > sizeof order->both) {
        code = lab_send(lab, order->first, slow, xid, error);
        return code ? code : lab_send(lab, order->first, quick, xid + 1, error);
    }
    channel_message_stamp(slow, xid);
    channel_message_stamp(quick, xid + 1);
    memcpy(order->both, slow->bytes, length);
    memcpy(order->both + length, quick->bytes, more);
    return lab_send_bytes(lab, order->first, order->both, length + more, 2, error);
}

/* The quick call right behind the slow one. */
static int call_behind(struct lab *lab, struct order *order, uint64_t *ticks, struct error *error)
{
    const uint32_t quick = lab->xid + 2;
    const uint64_t started = lab->clock.start();
    struct channel_reply reply;
    int code = send_pair(lab, order, quick - 1, error);

    lab->xid = quick;
    for (unsigned i = 0; i < 2 && code == 0; i++) {
        code = lab_receive(lab, order->first, &reply, error);
        if (code == 0 && lab_xid_of(&reply) == quick) {
            *ticks = reply.ticks - started;
            order->overtaken += i == 0;
        }
    }
    order->pairs++;
    return code;
}

/* The quick call on another connection. */
static int call_beside(struct lab *lab, struct order *order, uint64_t *ticks, struct error *error)
{
    struct channel_reply reply;
    int code = lab_send(lab, order->first, &order->candidates[order->slow], ++lab->xid, error);

    if (code == 0)
        code = lab_transact(lab, order->second, &order->quick, &reply, error);
    *ticks = code == 0 ? reply.ticks : 0;
    return code ? code : lab_receive(lab, order->first, &reply, error);
}

static int call_slow(struct lab *lab, struct order *order, enum candidate candidate,
                     uint64_t *ticks, struct error *error)
{
    return lab_transact_well(lab, order->first, candidates[candidate].op,
                             &order->candidates[candidate], ticks, error);
}

static int call(struct lab *lab, void *state, size_t series, uint64_t *ticks, struct error *error)
{
    struct order *order = state;

    switch (series) {
    case QUICK:
        return lab_transact_well(lab, order->first, "getattr", &order->quick, ticks, error);
    case SLOW:
        return call_slow(lab, order, order->slow, ticks, error);
    case BEHIND:
        return call_behind(lab, order, ticks, error);
    default:
        return call_beside(lab, order, ticks, error);
    }
}

/* The slowest candidate, by the median of a few trials. */
static int choose_slow(struct lab *lab, struct order *order, struct error *error)
{
    double slowest = 0;
    int code = 0;

    for (enum candidate candidate = 0; candidate < CANDIDATES && code == 0; candidate++) {
        double trials[TRIALS], median;

        for (size_t i = 0; i < TRIALS && code == 0; i++) {
            uint64_t ticks = 0;

            code = call_slow(lab, order, candidate, &ticks, error);
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

static struct figures estimate(struct timing *timing)
{
    struct figures figures = {.quick = timing_level(timing, QUICK),
                              .slow = timing_level(timing, SLOW),
                              .behind = timing_difference(timing, QUICK, BEHIND),
                              .beside = timing_difference(timing, QUICK, BESIDE)};
    const double slow = figures.slow.estimate, quick = figures.quick.estimate;

    figures.same = waiting_classify(&figures.behind, slow, quick);
    figures.other = waiting_classify(&figures.beside, slow, quick);
    return figures;
}

static void report(struct character_answer *answer, const struct order *order,
                   const struct figures *figures)
{
    const struct interval overtaken = answer_exactly(100.0 * order->overtaken / order->pairs);

    answer_figure(answer, "the quick call alone", &figures->quick, "us", "GETATTR");
    answer_figure(answer, "the slow call alone", &figures->slow, "us", "%s of %u bytes",
                  candidates[order->slow].name, order->bytes[order->slow]);
    answer_figure(answer, "wait on the same connection", &figures->behind, "us", "%s",
                  waiting_words[figures->same]);
    answer_figure(answer, "wait on another connection", &figures->beside, "us", "%s",
                  waiting_words[figures->other]);
    answer_figure(answer, "answered out of order", &overtaken, "%", "of %s on one connection",
                  counted(order->pairs, "pair").text);
}

static void say(struct character_answer *answer, const struct order *order,
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

static int conclude(struct lab *lab, void *state, struct character_answer *answer,
                    struct error *error)
{
    const struct figures figures = estimate(&lab->timing);

    report(answer, state, &figures);
    say(answer, state, &figures);
    return 0;
}

static int prepare(struct lab *lab, void *state, struct character_answer *answer,
                   struct error *error)
{
    struct order *order = state;
    int code = lab_connect(lab, NULL, &order->first, error);

    if (code == 0)
        code = lab_connect(lab, NULL, &order->second, error);
    if (code == 0)
        code = make_file(lab, order, error);
    if (code == 0)
        code = make_messages(lab, order, error);
    return code ? code : choose_slow(lab, order, error);
}

const struct experiment experiment_order = {
    .name = "order",
    .question = "Are calls of one connection answered in order, and does a quick call wait for a "
                "slow one?",
    .unknown = "How much of a wait is the time that the slow call's data need on the network; more "
               "calls at once; other slow calls, such as those that wait for a disk.",
    .works_in_directory = true,
    .state_size = sizeof(struct order),
    .prepare = prepare,
    .timing = {.series = SERIES, .calls = 1, .full = 100, .quick = 10, .call = call},
    .conclude = conclude,
};
