/* What it costs to have data stable, and whether they can be. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "character/arms.h"
#include "character/experiment.h"
#include "character/judgement.h"
#include "character/link.h"

enum { ARM_NULL, ARM_UNSTABLE, ARM_DATA_SYNC, ARM_FILE_SYNC, ARM_COMMIT, ARMS };
enum { BYTES = 4096, LEVELS = FILE_SYNC + 1 };

static const struct {
    const char *name, *op;
    stable_how stable;
} arm_types[ARMS] = {
    [ARM_NULL] = {"NULL", "null", 0},
    [ARM_UNSTABLE] = {"WRITE, UNSTABLE", "write", UNSTABLE},
    [ARM_DATA_SYNC] = {"WRITE, DATA_SYNC", "write", DATA_SYNC},
    [ARM_FILE_SYNC] = {"WRITE, FILE_SYNC", "write", FILE_SYNC},
    [ARM_COMMIT] = {"COMMIT of 4096 bytes", "commit", 0},
};

struct stability {
    struct lab *lab;
    struct link link;
    struct channel_message messages[ARMS];
    uint32_t xid;
    unsigned committed[ARMS][LEVELS]; /* by what was asked for, and what the reply said */
    bool has_verifier;
    uint64_t verifier, verifier_changes;
};

/* Opening */

static int make_messages(struct stability *stability, const struct nfs_handle *file,
                         struct error *error)
{
    static char data[BYTES];
    int code = 0;

    for (size_t arm = 0; arm < ARMS && code == 0; arm++) {
        union nfs_arguments arguments;

        memset(&arguments, 0, sizeof arguments);
        if (arm == ARM_COMMIT)
            arguments.commit = (COMMIT3args){.file = nfs_handle_argument(file), .count = BYTES};
        else if (arm != ARM_NULL)
            arguments.write = (WRITE3args){.file = nfs_handle_argument(file),
                                           .count = BYTES,
                                           .stable = arm_types[arm].stable,
                                           .data = {BYTES, data}};
        code = link_message(&stability->messages[arm], stability->lab, arm_types[arm].op,
                            &arguments, error);
    }
    return code;
}

/* Replies */

static void note_verifier(struct stability *stability, const char bytes[NFS3_WRITEVERFSIZE])
{
    uint64_t verifier;

    memcpy(&verifier, bytes, sizeof verifier);
    if (stability->has_verifier && stability->verifier != verifier)
        stability->verifier_changes++;
    stability->verifier = verifier;
    stability->has_verifier = true;
}

static void note_result(struct stability *stability, size_t arm, const union nfs_result *result)
{
    const WRITE3resok *written = &result->write.WRITE3res_u.resok;

    if (arm == ARM_COMMIT) {
        note_verifier(stability, result->commit.COMMIT3res_u.resok.verf);
    } else if (arm != ARM_NULL) {
        note_verifier(stability, written->verf);
        if ((unsigned)written->committed < LEVELS)
            stability->committed[arm][written->committed]++;
    }
}

/* Check the reply to a call of ARM. */
static int take_reply(struct stability *stability, size_t arm, const struct link_reply *reply,
                      struct error *error)
{
    const struct rpc_procedure *procedure = &nfs_procedure_find(arm_types[arm].op)->rpc;
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);
    struct rpc_reply_header header;
    union nfs_result result;

    if (rpc_reply_decode(&reader, &header) != 0 || header.outcome != RPC_OUTCOME_SUCCESS)
        return error_set(error, ERROR_FAILED, -EPROTO, "%s was refused by RPC", procedure->name);
    if (arm == ARM_NULL)
        return 0;
    if (rpc_result_decode(procedure, &reader, &result) != 0)
        return error_set(error, ERROR_FAILED, -EBADMSG, "the result of %s can't be decoded",
                         procedure->name);
    if (result.status != NFS3_OK) {
        nfsstat3 status = result.status;

        nfs_free_result(arm_types[arm].op, &result);
        return lab_refuse(arm_types[arm].op, status, error);
    }
    note_result(stability, arm, &result);
    nfs_free_result(arm_types[arm].op, &result);
    return 0;
}

/* Calls */

static int exchange(struct stability *stability, size_t arm, uint64_t *ticks, struct error *error)
{
    const struct clock *clock = &stability->lab->clock;
    const uint64_t started = clock->start();
    struct link_reply reply;
    int code =
        link_call(&stability->link, &stability->messages[arm], ++stability->xid, &reply, error);

    if (code)
        return code;
    *ticks = reply.ticks - started;
    return take_reply(stability, arm, &reply, error);
}

/* A COMMIT finds something to do. */
static int call(void *context, size_t arm, uint64_t *ticks, struct error *error)
{
    struct stability *stability = context;
    int code = 0;

    if (arm == ARM_COMMIT)
        code = exchange(stability, ARM_UNSTABLE, ticks, error);
    return code ? code : exchange(stability, arm, ticks, error);
}

/* The answer */

static const char *const level_names[LEVELS] = {"UNSTABLE", "DATA_SYNC", "FILE_SYNC"};

/* "answered as FILE_SYNC" */
static void describe_committed(const struct stability *stability, size_t arm, char text[96])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t level = 0; level < LEVELS; level++)
        if (stability->committed[arm][level] > 0)
            used += (size_t)snprintf(text + used, 96 - used, "%s%s",
                                     used ? " or " : "committed as ", level_names[level]);
}

static int report_arms(struct character_answer *answer, const struct stability *stability,
                       const struct arms *arms, struct error *error)
{
    int code = 0;

    for (size_t arm = 0; arm < ARMS && code == 0; arm++) {
        struct interval level;
        char text[96];

        code = arms_level(arms, arm, &level, error);
        describe_committed(stability, arm, text);
        answer_figure(answer, arm_types[arm].name, &level, "us", "%s", text);
    }
    return code;
}

/* Data that are less stable than they were asked to be. */
static bool breaks_promise(const struct stability *stability)
{
    return stability->committed[ARM_FILE_SYNC][UNSTABLE] > 0 ||
           stability->committed[ARM_FILE_SYNC][DATA_SYNC] > 0 ||
           stability->committed[ARM_DATA_SYNC][UNSTABLE] > 0;
}

static void judge(struct character_answer *answer, const struct stability *stability,
                  const struct interval *sync)
{
    const enum sync_cost cost = sync_cost_classify(sync);

    if (breaks_promise(stability))
        answer_mean(answer, "Replies say that data are less stable than was asked for, which RFC "
                            "1813 forbids: programs that write with O_SYNC may lose data.");
    if (stability->verifier_changes > 0)
        answer_mean(answer, "The write verifier changes without a restart: clients write all "
                            "unstable data again, over and over.");
    if (cost == SYNC_COST_TOO_SMALL)
        answer_mean(answer, "Suspicion: so little time is not enough to reach a medium that keeps "
                            "data without power; if the server has no memory that is backed up, "
                            "data that it calls stable are lost with it.");
    if (cost == SYNC_COST_PLAUSIBLE)
        answer_mean(answer,
                    "Programs that sync after each write (databases, mail) pay %.0f us for "
                    "each.",
                    sync->estimate);
    if (cost == SYNC_COST_UNCLEAR)
        answer_mean(answer, "The figures vary too much to say whether that is enough for a sync.");
    if (stability->committed[ARM_UNSTABLE][FILE_SYNC] > 0)
        answer_mean(answer, "Unstable data come back as stable, so clients need no COMMIT.");
}

static int conclude(struct character_answer *answer, const struct stability *stability,
                    const struct arms *arms, struct error *error)
{
    struct interval sync, data_sync;
    int code = arms_difference(arms, ARM_UNSTABLE, ARM_FILE_SYNC, &sync, error);

    if (code == 0)
        code = arms_difference(arms, ARM_UNSTABLE, ARM_DATA_SYNC, &data_sync, error);
    if (code)
        return code;
    answer_figure(answer, "FILE_SYNC above UNSTABLE", &sync, "us", "in the same rounds");
    answer_figure(answer, "DATA_SYNC above UNSTABLE", &data_sync, "us", "in the same rounds");
    if (stability->verifier_changes > 0)
        answer_detail(answer, "write verifier", "changed %llu times",
                      (unsigned long long)stability->verifier_changes);
    else
        answer_detail(answer, "write verifier", "stayed the same");
    answer_say(answer,
               "A WRITE with FILE_SYNC costs %+.1f us above an unstable one%s; the write "
               "verifier %s.",
               sync.estimate,
               sync_cost_classify(&sync) == SYNC_COST_TOO_SMALL
                   ? ", which is less than a sync could take"
                   : "",
               stability->verifier_changes ? "changes" : "stays");
    judge(answer, stability, &sync);
    return 0;
}

/* Running */

static int measure(struct stability *stability, struct character_answer *answer,
                   struct error *error)
{
    struct arms arms = {.lab = stability->lab,
                        .count = ARMS,
                        .calls = 4,
                        .call = call,
                        .context = stability,
                        .time_ns = lab_rounds_ns(stability->lab)};
    int code = arms_run(&arms, lab_scaled(stability->lab, 60, 12), error);

    if (code == 0)
        code = report_arms(answer, stability, &arms, error);
    if (code == 0)
        code = conclude(answer, stability, &arms, error);
    arms_close(&arms);
    return code;
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct stability stability = {.lab = lab, .xid = (uint32_t)lab->plan->run.seed};
    const struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    struct nfs_handle file;
    int code = lab_make_file(lab, NULL, &file, error);

    if (code)
        return code;
    code = link_open(&stability.link, lab, &endpoint, error);
    if (code == 0)
        code = make_messages(&stability, &file, error);
    if (code == 0)
        code = measure(&stability, answer, error);
    link_close(&stability.link);
    for (size_t arm = 0; arm < ARMS; arm++)
        free(stability.messages[arm].bytes);
    return code;
}

const struct experiment experiment_stability = {
    .name = "stability",
    .question = "What does it cost to have data stable, and can they be stable at all?",
    .unknown = "Whether stable data survive a loss of power: only pulling the plug shows that. See "
               "also nfsbench outage. Larger writes, and several at once.",
    .works_in_directory = true,
    .run = run,
};
