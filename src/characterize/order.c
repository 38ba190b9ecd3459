/* Experiment: whether calls on one connection are answered in order, and whether a quick call waits
 * for a slow one on the same connection or on another. */
#include <string.h>

#include "characterize/experiment.h"
#include "characterize/judgement.h"
#include "common/counted.h"

enum { QUICK, SLOW, BEHIND, BESIDE, SERIES };
enum { TRIALS = 5, READ_MAXIMUM = 1 << 20, WRITE_BYTES = 4096, USUAL_BYTES = 64 << 10 };

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
    /* PAIRS: number of pairs of a slow and a quick call on one connection. OVERTAKEN: number of
     * pairs whose quick call was answered first. */
    unsigned pairs, overtaken;
    uint8_t both[2 * WRITE_BYTES], data[WRITE_BYTES];
};

static uint32_t choose_read_size(struct testbed *testbed)
{
    FSINFO3resok limits = {.rtmax = USUAL_BYTES};

    testbed_ask_limits(testbed, &limits);
    testbed_clear_failure(testbed, true);
    return limits.rtmax == 0 || limits.rtmax > READ_MAXIMUM ? READ_MAXIMUM : limits.rtmax;
}

static void make_file(struct testbed *testbed, struct order *order)
{
    testbed_make_file(testbed, NULL, &order->file);
    order->bytes[SYNC_WRITE] = WRITE_BYTES;
    order->bytes[BIG_READ] =
        testbed_is_over_udp(testbed) ? USUAL_BYTES / 4 : choose_read_size(testbed);
    testbed_write(testbed, &order->file, 0, order->bytes[BIG_READ]);
}

static void make_messages(struct testbed *testbed, struct order *order)
{
    const nfs_fh3 file = nfs_handle_argument(&order->file);
    union nfs_arguments quick = {.getattr.object = nfs_handle_argument(&testbed->setup.mount.root)};
    union nfs_arguments reads = {.read = {.file = file, .count = order->bytes[BIG_READ]}};
    union nfs_arguments writes = {.write = {.file = file,
                                            .count = WRITE_BYTES,
                                            .stable = FILE_SYNC,
                                            .data = {WRITE_BYTES, (char *)order->data}}};

    order->quick = testbed_message(testbed, "getattr", &quick);
    order->candidates[BIG_READ] = testbed_message(testbed, "read", &reads);
    order->candidates[SYNC_WRITE] = testbed_message(testbed, "write", &writes);
}

/* Send the slow call with XID and the quick call with XID + 1. Over TCP, one system call sends both
 * (unless they are too long for BOTH), so that no time passes between them. */
static void send_pair(struct testbed *testbed, struct order *order, uint32_t xid)
{
    const struct channel_message *slow = &order->candidates[order->slow], *quick = &order->quick;
    const size_t length = RPC_RECORD_MARK_SIZE + slow->length;
    const size_t more = RPC_RECORD_MARK_SIZE + quick->length;

    if (testbed_is_over_udp(testbed) || length + more > sizeof order->both) {
        testbed_send(testbed, order->first, slow, xid);
        testbed_send(testbed, order->first, quick, xid + 1);
        return;
    }
    channel_message_stamp(slow, xid);
    channel_message_stamp(quick, xid + 1);
    memcpy(order->both, slow->bytes, length);
    memcpy(order->both + length, quick->bytes, more);
    testbed_send_bytes(testbed, order->first, order->both, length + more, 2);
}

/* Send the quick call right behind the slow one on the same connection. Returns the quick call's
 * time, ticks; 0 if it had no reply. */
static uint64_t call_behind(struct testbed *testbed, struct order *order)
{
    const uint32_t quick = testbed->xid + 2;
    const uint64_t started = testbed->clock.start();
    struct channel_reply reply;
    uint64_t ticks = 0;

    send_pair(testbed, order, quick - 1);
    testbed->xid = quick;
    for (unsigned i = 0; i < 2 && testbed_receive(testbed, order->first, &reply); i++)
        if (testbed_xid_of(&reply) == quick) {
            ticks = reply.ticks - started;
            order->overtaken += i == 0;
        }
    order->pairs++;
    return ticks;
}

/* Make the quick call on another connection during the slow one. Returns the quick call's time,
 * ticks. */
static uint64_t call_beside(struct testbed *testbed, struct order *order)
{
    struct channel_reply quick = {.ticks = 0}, slow;

    testbed_send(testbed, order->first, &order->candidates[order->slow], ++testbed->xid);
    testbed_transact(testbed, order->second, &order->quick, &quick);
    testbed_receive(testbed, order->first, &slow);
    return quick.ticks;
}

static uint64_t call_slow(struct testbed *testbed, struct order *order, enum candidate candidate)
{
    return testbed_transact_ok(testbed, order->first, candidates[candidate].op,
                               &order->candidates[candidate]);
}

static uint64_t call_of_series(struct testbed *testbed, void *state, size_t series)
{
    struct order *order = state;

    switch (series) {
    case QUICK:
        return testbed_transact_ok(testbed, order->first, "getattr", &order->quick);
    case SLOW:
        return call_slow(testbed, order, order->slow);
    case BEHIND:
        return call_behind(testbed, order);
    default:
        return call_beside(testbed, order);
    }
}

/* Choose the candidate with the longest median time in a few trials as the slow call. */
static void choose_slow(struct testbed *testbed, struct order *order)
{
    double slowest = 0;

    for (enum candidate candidate = 0; candidate < CANDIDATES; candidate++) {
        double trials[TRIALS], median;

        for (size_t i = 0; i < TRIALS; i++)
            trials[i] = (double)call_slow(testbed, order, candidate);
        median = estimate_median(trials, TRIALS);
        if (median > slowest) {
            slowest = median;
            order->slow = candidate;
        }
    }
}

static const char *const waiting_words[] = {
    [WAITING_NOT] = "does not wait for the slow one",
    [WAITING_PARTLY] = "waits for a part of the slow one's time",
    [WAITING_WHOLLY] = "waits for most of the slow one's time",
    [WAITING_UNCLEAR] =
        "waits for an unknown part of the slow one's time, because the figures vary too much",
    [WAITING_UNKNOWN] = "not known: no call was slow enough to tell",
};

struct figures {
    /* Times in us. BEHIND, BESIDE: additional time of the quick call if it follows the slow call on
     * the same connection, and on another connection. */
    struct interval quick, slow, behind, beside;
    enum waiting same, other;
};

static struct figures estimate_waits(struct testbed *testbed)
{
    struct figures figures = {.quick = timing_level(testbed, QUICK),
                              .slow = timing_level(testbed, SLOW),
                              .behind = timing_difference(testbed, QUICK, BEHIND),
                              .beside = timing_difference(testbed, QUICK, BESIDE)};
    const double slow = figures.slow.estimate, quick = figures.quick.estimate;

    figures.same = waiting_classify(&figures.behind, slow, quick);
    figures.other = waiting_classify(&figures.beside, slow, quick);
    return figures;
}

static void report_waits(struct character_answer *answer, const struct order *order,
                         const struct figures *figures)
{
    answer_figure(answer, "the quick call alone", figures->quick, "us", "GETATTR");
    answer_figure(answer, "the slow call alone", figures->slow, "us", "%s of %u bytes",
                  candidates[order->slow].name, order->bytes[order->slow]);
    answer_figure(answer, "wait on the same connection", figures->behind, "us", "%s",
                  waiting_words[figures->same]);
    answer_figure(answer, "wait on another connection", figures->beside, "us", "%s",
                  waiting_words[figures->other]);
    answer_figure(answer, "answered out of order",
                  figure_without_interval(100.0 * order->overtaken / order->pairs), "%",
                  "of %s on one connection", counted(order->pairs, "pair").text);
}

/* Return true if times and order contradict each other: quick calls waited for most of the slow
 * call's time, but most were answered first; or they did not wait, but none was answered first. */
static bool is_contradiction(const struct order *order, const struct figures *figures)
{
    const bool mostly_first = 2 * order->overtaken > order->pairs;

    return (figures->same == WAITING_WHOLLY && mostly_first) ||
           (figures->same == WAITING_NOT && order->overtaken == 0);
}

static void answer_order(struct character_answer *answer, const struct order *order,
                         const struct figures *figures)
{
    const char *kept = order->overtaken == 0              ? "In order"
                       : order->overtaken == order->pairs ? "Out of order"
                                                          : "Sometimes out of order";

    if (is_contradiction(order, figures)) {
        answer_not_known(answer,
                         "Not known, because times and order contradict each other: %s, and a "
                         "quick call behind a slow one %s.",
                         kept, waiting_words[figures->same]);
        answer->contradicted = true;
        return;
    }
    if (figures->same == WAITING_UNKNOWN)
        answer_set(
            answer,
            "%s; whether quick calls wait is unknown, because no call was slow enough to tell.",
            kept);
    else
        answer_set(answer, "%s: a quick call behind a slow one %s; on another connection it %s.",
                   kept, waiting_words[figures->same], waiting_words[figures->other]);
    if (figures->same == WAITING_WHOLLY && figures->other == WAITING_NOT)
        answer_add_meaning(answer,
                           "On one mount, ls waits while a large file is read or written; more "
                           "connections (mount option nconnect) help.");
    if (figures->same == WAITING_NOT)
        answer_add_meaning(answer,
                           "One connection is enough for many users of one client: slow calls "
                           "don't hold up quick ones.");
    answer->at_once = figures->other == WAITING_WHOLLY ? ONE_AT_A_TIME : AT_ONCE_UNKNOWN;
    if (answer->at_once == ONE_AT_A_TIME)
        answer_add_meaning(
            answer, "The server carries out one call at a time, over any number of connections: "
                    "more connections don't help, and one client's slow calls delay all clients.");
    if (figures->same == WAITING_UNKNOWN)
        answer_add_meaning(
            answer,
            "The answer may differ for data that are not in the server's memory, or under load.");
}

static void conclude_order(struct testbed *testbed, void *state)
{
    const struct figures figures = estimate_waits(testbed);

    report_waits(testbed->answer, state, &figures);
    answer_order(testbed->answer, state, &figures);
}

static void prepare_order(struct testbed *testbed, void *state)
{
    struct order *order = state;

    order->first = testbed_connect(testbed, NULL);
    order->second = testbed_connect(testbed, NULL);
    make_file(testbed, order);
    make_messages(testbed, order);
    choose_slow(testbed, order);
}

const struct experiment experiment_order = {
    .name = "order",
    .question =
        "Are calls of one connection answered in order, and does a quick call wait for a slow one?",
    .unknown = "How much of a wait is the transfer of the slow call's data over the network; more "
               "calls at once; calls that are slow for another reason, such as a wait for a disk.",
    .need = {.full = 95, .quick = 60},
    .works_in_directory = true,
    .state_size = sizeof(struct order),
    .prepare = prepare_order,
    .timing = {.series = SERIES, .calls = 1, .full = 100, .quick = 10, .call = call_of_series},
    .conclude = conclude_order,
};
