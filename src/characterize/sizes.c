/* Experiment: the cost of READ and WRITE by size and alignment. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "characterize/experiment.h"
#include "characterize/judgement.h"
#include "experiment/laws/piecewise.h"
#include "nfs/status.h"

enum { TRANSFER_SIZES = 11, TRANSFER_MOST = 1 << 20 };
/* TRANSFER_PIECE: length, in bytes, of the calls that compare offset 0 with the unaligned offset
 * TRANSFER_ODD. */
enum { TRANSFER_PIECE = 4096, TRANSFER_ODD = 513 };
enum transfer_kind { TRANSFER_READ, TRANSFER_WRITE, TRANSFER_KINDS };

struct transfers {
    struct channel *channel;
    struct nfs_handle file; /* file of 2 x TRANSFER_MOST bytes */
    uint8_t *data;          /* 2 x TRANSFER_MOST bytes */
    uint32_t limits[TRANSFER_KINDS], preferred[TRANSFER_KINDS]; /* rtmax, wtmax; rtpref, wtpref */
    size_t counts[TRANSFER_KINDS];                              /* number of sizes to try */
    uint32_t sizes[TRANSFER_KINDS][TRANSFER_SIZES];             /* ascending */
    struct channel_message messages[TRANSFER_KINDS][TRANSFER_SIZES];
    /* transfers of TRANSFER_PIECE bytes at offset TRANSFER_ODD */
    struct channel_message odd[TRANSFER_KINDS];
};

enum { DATAGRAM_MOST = 16 << 10, SIZES_LEAST = 3, OWN_SIZES = 2 /* sizes from FSINFO */ };

static const char *const transfer_names[TRANSFER_KINDS] = {"READ", "WRITE"};

static const char *const ops[TRANSFER_KINDS] = {"read", "write"};
static const uint32_t usual_sizes[TRANSFER_SIZES - OWN_SIZES] = {
    512,       TRANSFER_PIECE, 16 << 10,  32 << 10,     64 << 10,
    128 << 10, 256 << 10,      512 << 10, TRANSFER_MOST};

static void ask_limits(struct testbed *testbed, struct transfers *transfers)
{
    FSINFO3resok said;

    if (!testbed_ask_limits(testbed, &said))
        return;
    transfers->limits[TRANSFER_READ] = said.rtmax;
    transfers->limits[TRANSFER_WRITE] = said.wtmax;
    transfers->preferred[TRANSFER_READ] = said.rtpref;
    transfers->preferred[TRANSFER_WRITE] = said.wtpref;
}

/* Insert SIZE into the ascending sizes of KIND, unless it is there already, 0 or above MOST. */
static void add_size(struct transfers *transfers, enum transfer_kind kind, uint32_t size,
                     uint32_t most)
{
    uint32_t *sizes = transfers->sizes[kind];
    size_t place = transfers->counts[kind];

    while (place > 0 && sizes[place - 1] > size)
        place--;
    if (size == 0 || size > most || (place > 0 && sizes[place - 1] == size))
        return;
    memmove(&sizes[place + 1], &sizes[place], (transfers->counts[kind] - place) * sizeof *sizes);
    sizes[place] = size;
    transfers->counts[kind]++;
}

static void choose_sizes(struct testbed *testbed, struct transfers *transfers,
                         enum transfer_kind kind)
{
    const uint32_t transport_most = testbed_is_over_udp(testbed) ? DATAGRAM_MOST : TRANSFER_MOST;
    const uint32_t limit = transfers->limits[kind];
    const uint32_t most = limit < transport_most ? limit : transport_most;

    for (size_t i = 0; i < sizeof usual_sizes / sizeof usual_sizes[0]; i++)
        add_size(transfers, kind, usual_sizes[i], most);
    add_size(transfers, kind, transfers->preferred[kind], most);
    add_size(transfers, kind, most, most);
    if ((transfers->counts[kind] < SIZES_LEAST || most < TRANSFER_PIECE) && testbed->code == 0)
        testbed->code = error_set(&testbed->error, ERROR_FAILED, -ENOTSUP,
                                  "the server accepts too few sizes of %s for an experiment",
                                  transfer_names[kind]);
}

static struct channel_message make_message(struct testbed *testbed, struct transfers *transfers,
                                           enum transfer_kind kind, uint64_t offset, uint32_t bytes)
{
    const nfs_fh3 file = nfs_handle_argument(&transfers->file);
    union nfs_arguments arguments;

    memset(&arguments, 0, sizeof arguments);
    if (kind == TRANSFER_READ)
        arguments.read = (READ3args){.file = file, .offset = offset, .count = bytes};
    else
        arguments.write = (WRITE3args){.file = file,
                                       .offset = offset,
                                       .count = bytes,
                                       .data = {bytes, (char *)transfers->data}};
    return testbed_message(testbed, ops[kind], &arguments);
}

static void make_messages(struct testbed *testbed, struct transfers *transfers,
                          enum transfer_kind kind)
{
    choose_sizes(testbed, transfers, kind);
    for (size_t i = 0; i < transfers->counts[kind]; i++)
        transfers->messages[kind][i] =
            make_message(testbed, transfers, kind, 0, transfers->sizes[kind][i]);
    transfers->odd[kind] = make_message(testbed, transfers, kind, TRANSFER_ODD, TRANSFER_PIECE);
}

static void prepare_sizes(struct testbed *testbed, void *state)
{
    struct transfers *transfers = state;

    transfers->data = calloc(2, TRANSFER_MOST);
    testbed_keep_until_end(testbed, transfers->data, free);
    transfers->channel = testbed_connect(testbed, NULL);
    ask_limits(testbed, transfers);
    testbed_make_file(testbed, NULL, &transfers->file);
    testbed_write(testbed, &transfers->file, 0, (uint64_t)2 * TRANSFER_MOST);
    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS; kind++) {
        make_messages(testbed, transfers, kind);
        testbed->timing.plan.series += transfers->counts[kind] + 1;
    }
}

/* Order of the series: one for each size of READ, READ at the odd offset, one for each size of
 * WRITE, WRITE at the odd offset. */

static size_t series_of(const struct transfers *transfers, enum transfer_kind kind, size_t index)
{
    return (kind == TRANSFER_READ ? 0 : transfers->counts[TRANSFER_READ] + 1) + index;
}

static uint64_t transfer_once(struct testbed *testbed, void *state, size_t series)
{
    struct transfers *transfers = state;
    const enum transfer_kind kind =
        series <= transfers->counts[TRANSFER_READ] ? TRANSFER_READ : TRANSFER_WRITE;
    const size_t index = series - series_of(transfers, kind, 0);

    return testbed_transact_ok(testbed, transfers->channel, ops[kind],
                               index == transfers->counts[kind]
                                   ? &transfers->odd[kind]
                                   : &transfers->messages[kind][index]);
}

/* Beyond the limit */

static void describe_reply(enum transfer_kind kind, const struct channel_reply *reply,
                           char text[64])
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);
    struct rpc_reply_header header;
    union nfs_result result;
    char name[NFS_STATUS_NAME_SIZE];

    if (testbed_status_of(reply) != NFS3_OK) {
        snprintf(text, 64, "is answered by %s", nfs_status_name(testbed_status_of(reply), name));
    } else if (rpc_reply_decode(&reader, &header) != 0 ||
               rpc_result_decode(&nfs_procedure_find(ops[kind])->rpc, &reader, &result) != 0) {
        snprintf(text, 64, "has a reply that can't be decoded");
    } else if (kind == TRANSFER_READ) {
        snprintf(text, 64, "brings %u", result.read.READ3res_u.resok.count);
        nfs_free_result("read", &result);
    } else {
        snprintf(text, 64, "writes %u", result.write.WRITE3res_u.resok.count);
        nfs_free_result("write", &result);
    }
}

/* Over TCP, try a call of twice the server's maximum size, unless that is too long for this client.
 * The server may close the connection. */
static void try_beyond(struct testbed *testbed, struct transfers *transfers,
                       enum transfer_kind kind)
{
    const uint32_t limit = transfers->limits[kind];
    struct channel_message message;
    struct channel_reply reply;
    char text[64];
    bool answered;

    if (limit > TRANSFER_MOST || testbed_is_over_udp(testbed))
        return;
    message = make_message(testbed, transfers, kind, 0, 2 * limit);
    answered = testbed_transact(testbed, transfers->channel, &message, &reply);
    if (answered)
        describe_reply(kind, &reply, text);
    testbed_clear_failure(testbed, false);
    if (testbed->code == 0)
        answer_detail(testbed->answer,
                      answer_named("%s beyond %ctmax", transfer_names[kind], ops[kind][0]).text,
                      "of %u bytes: %s", 2 * limit, answered ? text : testbed->error.text);
}

struct figures {
    struct piecewise cost;
    struct interval odd; /* time of a transfer at the odd offset, divided by that at offset 0 */
    enum gain unaligned;
};

static void fit_cost(struct testbed *testbed, const struct transfers *transfers,
                     enum transfer_kind kind, struct piecewise *cost)
{
    const struct rounds *rounds = &testbed->timing.rounds;
    struct piecewise_point points[TRANSFER_SIZES] = {0};
    double batches[TRANSFER_SIZES][JACKKNIFE_BATCHES];

    for (size_t i = 0; i < transfers->counts[kind] && testbed->code == 0; i++) {
        points[i].size = transfers->sizes[kind][i];
        points[i].cost.values = batches[i];
        points[i].cost.count = jackknife_batch(
            rounds->series[series_of(transfers, kind, i)].blocks[BLOCK_TRIMMED_MEAN], rounds->done,
            batches[i]);
    }
    if (testbed->code == 0)
        testbed->code = piecewise_fit(points, transfers->counts[kind], cost, &testbed->error);
}

static void compare_places(struct testbed *testbed, const struct transfers *transfers,
                           enum transfer_kind kind, struct figures *figures)
{
    const size_t odd = series_of(transfers, kind, transfers->counts[kind]);
    size_t aligned = 0;

    while (transfers->sizes[kind][aligned] != TRANSFER_PIECE)
        aligned++;
    figures->odd = timing_ratio(testbed, odd, series_of(transfers, kind, aligned));
    figures->unaligned = gain_classify(&figures->odd);
    answer_figure(testbed->answer, answer_named("%s at an odd place", transfer_names[kind]).text,
                  timing_level(testbed, odd), "us",
                  "of %d bytes: takes %.2f times [%.2f, %.2f] as long as at offset 0",
                  TRANSFER_PIECE, figures->odd.estimate, figures->odd.low, figures->odd.high);
}

static void find_figures(struct testbed *testbed, const struct transfers *transfers,
                         enum transfer_kind kind, struct figures *figures)
{
    for (size_t i = 0; i < transfers->counts[kind]; i++) {
        const struct interval level = timing_level(testbed, series_of(transfers, kind, i));
        const uint32_t bytes = transfers->sizes[kind][i];

        answer_figure(testbed->answer,
                      answer_named("%s of %u bytes", transfer_names[kind], bytes).text, level, "us",
                      "%.0f MB/s", bytes / level.estimate);
    }
    compare_places(testbed, transfers, kind, figures);
    fit_cost(testbed, transfers, kind, &figures->cost);
}

/* If any time deviates from the line of its piece by more than this share of the time, no piece is
 * described by a line. */
#define OFF_MOST 0.25

static bool is_line(const struct piecewise *cost, size_t piece)
{
    return cost->piece[piece].fixed_known && cost->piece[piece].slope_known &&
           cost->residual_largest <= OFF_MOST;
}

/* Describe piece NUMBER of COST in TEXT: "55.1 us and 0.796 us per KiB", or that no line fits. */
static void describe_piece(const struct piecewise *cost, size_t number, char text[64])
{
    const struct piecewise_piece *piece = &cost->piece[number];

    if (!is_line(cost, number)) {
        snprintf(text, 64, "times that no line fits");
        return;
    }
    snprintf(text, 64, "%.1f us and %.3f us per KiB", piece->fixed_ns.estimate / 1000,
             piece->ns_per_byte.estimate * 1024 / 1000);
}

static bool is_at(const struct piecewise_break *at, uint32_t size)
{
    return size >= at->size.estimate && size < at->next;
}

static void report_cost(const struct transfers *transfers, enum transfer_kind kind,
                        const struct piecewise *cost, struct character_answer *answer)
{
    const char letter = kind == TRANSFER_READ ? 'r' : 'w';
    char text[64];

    describe_piece(cost, 0, text);
    answer_detail(answer, answer_named("sizes of %s", transfer_names[kind]).text,
                  "%ctmax %u, %ctpref %u; up to %.0f bytes %s (misfit %.0f %%)", letter,
                  transfers->limits[kind], letter, transfers->preferred[kind], cost->piece[0].last,
                  text, 100 * cost->residual_largest);
    for (size_t i = 0; i < cost->breaks; i++) {
        const struct piecewise_break *at = &cost->at[i];
        const struct interval jump = {at->jump_ns.estimate / 1000, at->jump_ns.low / 1000,
                                      at->jump_ns.high / 1000};

        describe_piece(cost, i + 1, text);
        answer_figure(
            answer, answer_named("break of %s%s", transfer_names[kind], i ? ", second" : "").text,
            jump, "us", "more between %.0f and %.0f bytes%s; above it %s", at->size.estimate,
            at->next, is_at(at, transfers->preferred[kind]) ? ", at the preferred size" : "", text);
    }
}

/* Describe only the first break in TEXT: ", with a break between 64 and 128 KiB". If there are
 * more, TEXT says so. Returns "" if there are none. */
static const char *describe_breaks(const struct piecewise *cost, char text[96])
{
    if (cost->breaks == 0)
        return "";
    snprintf(text, 96, ", with %s between %.4g and %.4g KiB",
             cost->breaks > 1 ? "breaks, the first" : "a break", cost->at[0].size.estimate / 1024,
             cost->at[0].next / 1024);
    return text;
}

static void mean_kind(struct character_answer *answer, const struct transfers *transfers,
                      enum transfer_kind kind, const struct figures *figures)
{
    const struct piecewise_piece *first = &figures->cost.piece[0];
    const double half = first->fixed_ns.estimate / first->ns_per_byte.estimate;

    if (figures->unaligned == GAIN_SOME)
        answer_add_meaning(answer, "%ss at offsets that are not aligned take %.1f times as long.",
                           transfer_names[kind], figures->odd.estimate);
    for (size_t i = 0; i < figures->cost.breaks; i++)
        if (is_at(&figures->cost.at[i], transfers->preferred[kind]))
            answer_add_meaning(
                answer, "%ss above the preferred size cost more: mount with the preferred size.",
                transfer_names[kind]);
    if (is_line(&figures->cost, 0) && first->ns_per_byte.estimate > 0 && half >= 1024 &&
        half <= transfers->limits[kind])
        answer_add_meaning(answer,
                           "%ss of less than %.0f KiB reach less than half of the bandwidth.",
                           transfer_names[kind], half / 1024);
}

static void answer_sizes(struct character_answer *answer, const struct transfers *transfers,
                         const struct figures figures[TRANSFER_KINDS])
{
    const enum gain reads = figures[TRANSFER_READ].unaligned,
                    writes = figures[TRANSFER_WRITE].unaligned;
    char costs[TRANSFER_KINDS][64], breaks[TRANSFER_KINDS][96];

    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS; kind++)
        describe_piece(&figures[kind].cost, 0, costs[kind]);
    answer_set(answer, "READs (of %u bytes at most) take %s%s, WRITEs (%u bytes) %s%s; %s.",
               transfers->limits[TRANSFER_READ], costs[TRANSFER_READ],
               describe_breaks(&figures[TRANSFER_READ].cost, breaks[TRANSFER_READ]),
               transfers->limits[TRANSFER_WRITE], costs[TRANSFER_WRITE],
               describe_breaks(&figures[TRANSFER_WRITE].cost, breaks[TRANSFER_WRITE]),
               reads == GAIN_SOME || writes == GAIN_SOME ? "calls at unaligned offsets take longer"
               : reads == GAIN_NONE && writes == GAIN_NONE
                   ? "calls at unaligned offsets are as fast"
                   : "whether calls at unaligned offsets take longer is unknown");
    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS; kind++)
        mean_kind(answer, transfers, kind, &figures[kind]);
}

static void conclude_sizes(struct testbed *testbed, void *state)
{
    struct transfers *transfers = state;
    struct figures figures[TRANSFER_KINDS];

    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS; kind++) {
        find_figures(testbed, transfers, kind, &figures[kind]);
        if (testbed->code)
            return;
        report_cost(transfers, kind, &figures[kind].cost, testbed->answer);
    }
    answer_sizes(testbed->answer, transfers, figures);
    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS; kind++)
        try_beyond(testbed, transfers, kind);
}

const struct experiment experiment_sizes = {
    .name = "sizes",
    .question = "What do READs and WRITEs of different sizes and alignments cost?",
    .unknown = "Data that are not in the server's memory; stable WRITEs; several calls at once, "
               "which make small calls relatively cheaper.",
    .need = {.full = 255, .quick = 250},
    .works_in_directory = true,
    .state_size = sizeof(struct transfers),
    .prepare = prepare_sizes,
    .timing = {.calls = 2,
               .full = 60,
               .quick = 10,
               .call = transfer_once}, /* prepare() sets series, from the server's limits */
    .conclude = conclude_sizes,
};
