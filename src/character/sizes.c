/* What READ and WRITE cost over sizes and alignments. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/gain.h"
#include "character/growth.h"
#include "character/link.h"
#include "nfs/change.h"

enum { SIZES = 7, MOST = 1 << 20, DATAGRAM_MOST = 16 << 10, FILE_BYTES = 2 << 20 };
enum { PIECE = 4096, ODD = 513 }; /* of calls that are aligned, or not */
enum kind { READS, WRITES, KINDS };

static const char *const kind_names[KINDS] = {"READ", "WRITE"};
static const char *const kind_ops[KINDS] = {"read", "write"};
static const uint32_t all_sizes[SIZES] = {512,       4096,      16 << 10, 64 << 10,
                                          256 << 10, 512 << 10, MOST};

/* Of each kind: the sizes, and then the odd place. */
struct sizes {
    struct lab *lab;
    struct link link;
    struct nfs_handle file;
    uint8_t *data;
    FSINFO3resok limits;
    size_t counts[KINDS]; /* of sizes that the server takes */
    struct channel_message messages[KINDS][SIZES + 1];
    uint32_t xid;
};

static uint32_t limit_of(const struct sizes *sizes, enum kind kind)
{
    return kind == READS ? sizes->limits.rtmax : sizes->limits.wtmax;
}

static uint32_t preferred(const struct sizes *sizes, enum kind kind)
{
    return kind == READS ? sizes->limits.rtpref : sizes->limits.wtpref;
}

static int ask_limits(struct sizes *sizes, struct error *error)
{
    union nfs_arguments arguments = {.fsinfo.fsroot =
                                         nfs_handle_argument(&sizes->lab->setup.mount.root)};
    union nfs_result result;
    int code = lab_call_well(sizes->lab, "fsinfo", &arguments, &result, error);

    if (code)
        return code;
    sizes->limits = result.fsinfo.FSINFO3res_u.resok;
    nfs_free_result("fsinfo", &result);
    return 0;
}

static int make_message(struct sizes *sizes, enum kind kind, uint64_t offset, uint32_t bytes,
                        struct channel_message *message, struct error *error)
{
    const nfs_fh3 file = nfs_handle_argument(&sizes->file);
    union nfs_arguments arguments;

    memset(&arguments, 0, sizeof arguments);
    if (kind == READS)
        arguments.read = (READ3args){.file = file, .offset = offset, .count = bytes};
    else
        arguments.write = (WRITE3args){
            .file = file, .offset = offset, .count = bytes, .data = {bytes, (char *)sizes->data}};
    return link_message(message, sizes->lab, kind_ops[kind], &arguments, error);
}

static int make_messages(struct sizes *sizes, enum kind kind, struct error *error)
{
    const bool datagrams = sizes->link.endpoint.transport == TRANSPORT_UDP;
    const uint32_t transport_most = datagrams ? DATAGRAM_MOST : MOST;
    int code = 0;

    for (size_t i = 0; i < SIZES && code == 0; i++)
        if (all_sizes[i] <= limit_of(sizes, kind) && all_sizes[i] <= transport_most)
            code = make_message(sizes, kind, 0, all_sizes[i],
                                &sizes->messages[kind][sizes->counts[kind]++], error);
    if (code == 0 && sizes->counts[kind] < 2)
        code = error_set(error, ERROR_FAILED, -ENOTSUP, "the server takes too few sizes of %s",
                         kind_names[kind]);
    return code ? code
                : make_message(sizes, kind, ODD, PIECE, &sizes->messages[kind][SIZES], error);
}

static int prepare(struct sizes *sizes, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&sizes->lab->setup, SERVICE_NFS);
    int code = link_open(&sizes->link, sizes->lab, &endpoint, error);

    if (code == 0)
        code = ask_limits(sizes, error);
    if (code == 0)
        code = lab_make_file(sizes->lab, NULL, &sizes->file, error);
    for (uint32_t at = 0; at < FILE_BYTES && code == 0; at += DATAGRAM_MOST)
        code = nfs_write(sizes->lab->client, &sizes->file, "the file to read", at, sizes->data,
                         DATAGRAM_MOST, error);
    for (enum kind kind = 0; kind < KINDS && code == 0; kind++)
        code = make_messages(sizes, kind, error);
    return code;
}

/* Arms are the sizes of READ, its odd place, and the same of WRITE. */
static size_t arm_of(const struct sizes *sizes, enum kind kind, size_t index)
{
    return (kind == READS ? 0 : sizes->counts[READS] + 1) + index;
}

static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct sizes *sizes = context;
    const enum kind kind = arm <= sizes->counts[READS] ? READS : WRITES;
    const size_t index = arm - arm_of(sizes, kind, 0);
    const size_t at = index == sizes->counts[kind] ? SIZES : index;
    const uint64_t started = sizes->lab->clock.start();
    struct link_reply reply;
    int code = link_call(&sizes->link, &sizes->messages[kind][at], ++sizes->xid, &reply, error);

    if (code == 0 && link_status(&reply) != NFS3_OK)
        return lab_refuse(kind_ops[kind], (nfsstat3)link_status(&reply), error);
    *ticks = reply.ticks - started;
    return code;
}

/* A READ of more than the server gives: how much is it? */
static int read_beyond(struct sizes *sizes, struct character_answer *answer, struct error *error)
{
    union nfs_arguments arguments = {.read = {.file = nfs_handle_argument(&sizes->file)}};
    union nfs_result result;
    int code;

    if (sizes->limits.rtmax > FILE_BYTES / 2 || sizes->link.endpoint.transport == TRANSPORT_UDP)
        return 0;
    arguments.read.count = 2 * sizes->limits.rtmax;
    code = lab_call_well(sizes->lab, "read", &arguments, &result, error);
    if (lab_is_over(code, error))
        return code;
    if (code) {
        answer_detail(answer, "READ beyond rtmax", "%s", error->text);
        return 0;
    }
    answer_detail(answer, "READ beyond rtmax", "of %u bytes brings %u", arguments.read.count,
                  result.read.READ3res_u.resok.count);
    nfs_free_result("read", &result);
    return 0;
}

/* The answer */

struct figures {
    struct growth_fit line;
    struct interval most, odd; /* what the largest takes; an odd place against an aligned one */
    uint32_t bytes;            /* of the largest */
    enum gain unaligned;
};

static int fit(const struct sizes *sizes, const struct arms *arms, enum kind kind,
               struct character_answer *answer, struct figures *figures, struct error *error)
{
    const size_t count = sizes->counts[kind];
    double numbers[SIZES], costs[SIZES];
    struct interval odd = {0, 0, 0};
    char name[64];
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++) {
        code = arms_level(arms, arm_of(sizes, kind, i), &figures->most, error);
        numbers[i] = figures->bytes = all_sizes[i];
        costs[i] = figures->most.estimate;
        snprintf(name, sizeof name, "%s of %u bytes", kind_names[kind], all_sizes[i]);
        answer_figure(answer, name, &figures->most, "us", "%.0f MB/s",
                      all_sizes[i] / figures->most.estimate);
    }
    if (code == 0)
        code = arms_level(arms, arm_of(sizes, kind, count), &odd, error);
    if (code == 0)
        code = arms_ratio(arms, arm_of(sizes, kind, count), arm_of(sizes, kind, 1), &figures->odd,
                          error);
    if (code)
        return code;
    growth_fit_form(&figures->line, GROWTH_LINEAR, numbers, costs, count);
    figures->unaligned = gain_classify(&figures->odd);
    snprintf(name, sizeof name, "%s at an odd place", kind_names[kind]);
    answer_figure(answer, name, &odd, "us",
                  "of %d bytes: %.2f times [%.2f, %.2f] as long as at offset 0", PIECE,
                  figures->odd.estimate, figures->odd.low, figures->odd.high);
    answer_detail(answer, kind == READS ? "sizes of READ" : "sizes of WRITE",
                  "%ctmax %u, %ctpref %u; %.1f us + %.3f us per KiB (misfit %.0f %%)",
                  kind_ops[kind][0], limit_of(sizes, kind), kind_ops[kind][0],
                  preferred(sizes, kind), figures->line.fixed, figures->line.slope * 1024,
                  100 * figures->line.misfit);
    return 0;
}

static void conclude(struct character_answer *answer, const struct sizes *sizes,
                     const struct figures figures[KINDS])
{
    answer_say(answer,
               "READs (of %u bytes at most) take %.1f us and %.3f us per KiB, WRITEs (%u bytes) "
               "%.1f us and %.3f us per KiB; %s.",
               sizes->limits.rtmax, figures[READS].line.fixed, figures[READS].line.slope * 1024,
               sizes->limits.wtmax, figures[WRITES].line.fixed, figures[WRITES].line.slope * 1024,
               figures[READS].unaligned == GAIN_SOME || figures[WRITES].unaligned == GAIN_SOME
                   ? "at odd places calls take longer"
                   : "calls at odd places were not seen to take longer");
    for (enum kind kind = 0; kind < KINDS; kind++) {
        const double half = figures[kind].line.fixed / figures[kind].line.slope;

        if (figures[kind].unaligned == GAIN_SOME)
            answer_mean(answer, "%ss of records that are not aligned are %.1f times as slow.",
                        kind_names[kind], figures[kind].odd.estimate);
        if (figures[kind].line.slope > 0 && half >= 1024)
            answer_mean(answer, "%ss of less than %.0f KiB use less than half of the bandwidth.",
                        kind_names[kind], half / 1024);
    }
}

static int measure(struct sizes *sizes, struct character_answer *answer, struct error *error)
{
    struct arms arms = {.lab = sizes->lab,
                        .count = sizes->counts[READS] + sizes->counts[WRITES] + 2,
                        .calls = 2,
                        .call = call,
                        .context = sizes,
                        .time_ns = lab_rounds_ns(sizes->lab)};
    struct figures figures[KINDS];
    int code = arms_run(&arms, lab_scaled(sizes->lab, 60, 10), error);

    for (enum kind kind = 0; kind < KINDS && code == 0; kind++)
        code = fit(sizes, &arms, kind, answer, &figures[kind], error);
    arms_close(&arms);
    if (code == 0)
        code = read_beyond(sizes, answer, error);
    if (code == 0)
        conclude(answer, sizes, figures);
    return code;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct sizes sizes = {
        .lab = lab, .link.fd = -1, .data = calloc(1, MOST), .xid = (uint32_t)lab->plan->run.seed};
    int code = sizes.data ? prepare(&sizes, error)
                          : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for data");

    if (code == 0)
        code = measure(&sizes, answer, error);
    link_close(&sizes.link);
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i <= SIZES; i++)
            free(sizes.messages[kind][i].bytes);
    free(sizes.data);
    return code;
}

const struct experiment experiment_sizes = {
    .name = "sizes",
    .question = "What do READ and WRITE cost over sizes and alignments?",
    .unknown = "Data that are not in the server's memory; stable WRITEs; several calls at once, "
               "by which small ones gain most.",
    .works_in_directory = true,
    .run = run,
};
