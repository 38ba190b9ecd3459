/* Experiment: what stable WRITEs and COMMITs cost; whether replies report the requested stability,
 * and the same write verifier; and whether a stable WRITE takes long enough to reach a non-volatile
 * medium. */
#include <errno.h>
#include <string.h>

#include "characterize/experiment.h"
#include "characterize/judgement.h"
#include "common/append.h"

enum { NULL_CALLS, UNSTABLE_WRITES, DATA_SYNC_WRITES, FILE_SYNC_WRITES, COMMITS, SERIES };
enum { BYTES = 4096, LEVELS = FILE_SYNC + 1 };

static const struct {
    const char *name, *op;
    stable_how stable;
} series_types[SERIES] = {
    [NULL_CALLS] = {"NULL", "null", 0},
    [UNSTABLE_WRITES] = {"WRITE, UNSTABLE", "write", UNSTABLE},
    [DATA_SYNC_WRITES] = {"WRITE, DATA_SYNC", "write", DATA_SYNC},
    [FILE_SYNC_WRITES] = {"WRITE, FILE_SYNC", "write", FILE_SYNC},
    [COMMITS] = {"COMMIT of 4096 bytes", "commit", 0},
};

struct stability {
    struct channel *channel;
    struct channel_message messages[SERIES];
    char data[BYTES];
    /* numbers of replies, by requested (SERIES) and returned stability */
    unsigned committed[SERIES][LEVELS];
    bool has_verifier;
    uint64_t verifier, verifier_changes;
};

/* Opening */

static void make_messages(struct testbed *testbed, struct stability *stability,
                          const struct nfs_handle *file)
{
    for (size_t series = 0; series < SERIES; series++) {
        union nfs_arguments arguments;

        memset(&arguments, 0, sizeof arguments);
        if (series == COMMITS)
            arguments.commit = (COMMIT3args){.file = nfs_handle_argument(file), .count = BYTES};
        else if (series != NULL_CALLS)
            arguments.write = (WRITE3args){.file = nfs_handle_argument(file),
                                           .count = BYTES,
                                           .stable = series_types[series].stable,
                                           .data = {BYTES, stability->data}};
        stability->messages[series] = testbed_message(testbed, series_types[series].op, &arguments);
    }
}

static void note_verifier(struct stability *stability, const char bytes[NFS3_WRITEVERFSIZE])
{
    uint64_t verifier;

    memcpy(&verifier, bytes, sizeof verifier);
    if (stability->has_verifier && stability->verifier != verifier)
        stability->verifier_changes++;
    stability->verifier = verifier;
    stability->has_verifier = true;
}

static void note_result(struct stability *stability, size_t series, const union nfs_result *result)
{
    const WRITE3resok *written = &result->write.WRITE3res_u.resok;

    if (series == COMMITS) {
        note_verifier(stability, result->commit.COMMIT3res_u.resok.verf);
    } else if (series != NULL_CALLS) {
        note_verifier(stability, written->verf);
        if ((unsigned)written->committed < LEVELS)
            stability->committed[series][written->committed]++;
    }
}

/* Check the reply to a call of SERIES, and note its stability and its write verifier. Returns 0, or
 * a negative errno with ERROR set. */
static int check_reply(struct stability *stability, size_t series,
                       const struct channel_reply *reply, struct error *error)
{
    const struct rpc_procedure *procedure = &nfs_procedure_find(series_types[series].op)->rpc;
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);
    struct rpc_reply_header header;
    union nfs_result result;

    if (rpc_reply_decode(&reader, &header) != 0 || header.outcome != RPC_OUTCOME_SUCCESS)
        return error_set(error, ERROR_FAILED, -EPROTO, "%s was answered by an RPC error",
                         procedure->name);
    if (series == NULL_CALLS)
        return 0;
    if (rpc_result_decode(procedure, &reader, &result) != 0)
        return error_set(error, ERROR_FAILED, -EBADMSG, "the result of %s can't be decoded",
                         procedure->name);
    if (result.status != NFS3_OK) {
        nfsstat3 status = result.status;

        nfs_free_result(series_types[series].op, &result);
        return testbed_refuse(series_types[series].op, status, error);
    }
    note_result(stability, series, &result);
    nfs_free_result(series_types[series].op, &result);
    return 0;
}

static uint64_t exchange_series(struct testbed *testbed, struct stability *stability, size_t series)
{
    struct channel_reply reply;

    if (!testbed_transact(testbed, stability->channel, &stability->messages[series], &reply))
        return 0;
    testbed->code = check_reply(stability, series, &reply, &testbed->error);
    return reply.ticks;
}

/* Make a call of SERIES, and before a COMMIT an unstable WRITE. Returns the time of the call
 * without that WRITE, ticks. */
static uint64_t call_of_series(struct testbed *testbed, void *state, size_t series)
{
    struct stability *stability = state;

    if (series == COMMITS)
        exchange_series(testbed, stability, UNSTABLE_WRITES);
    return exchange_series(testbed, stability, series);
}

static const char *const level_names[LEVELS] = {"UNSTABLE", "DATA_SYNC", "FILE_SYNC"};

/* Describe in TEXT the stability in replies to SERIES: "committed as FILE_SYNC". */
static void describe_committed(const struct stability *stability, size_t series, char text[96])
{
    text[0] = '\0';
    for (size_t level = 0; level < LEVELS; level++)
        if (stability->committed[series][level] > 0)
            append(text, 96, "%s%s", *text ? " or " : "committed as ", level_names[level]);
}

static void report_series(struct testbed *testbed, const struct stability *stability)
{
    for (size_t series = 0; series < SERIES; series++) {
        char text[96];

        describe_committed(stability, series, text);
        answer_figure(testbed->answer, series_types[series].name, timing_level(testbed, series),
                      "us", "%s", text);
    }
}

/* Return true if any reply reported less stability than requested. */
static bool breaks_promise(const struct stability *stability)
{
    return stability->committed[FILE_SYNC_WRITES][UNSTABLE] > 0 ||
           stability->committed[FILE_SYNC_WRITES][DATA_SYNC] > 0 ||
           stability->committed[DATA_SYNC_WRITES][UNSTABLE] > 0;
}

static void judge_stability(struct character_answer *answer, const struct stability *stability,
                            const struct interval *sync)
{
    const enum sync_cost cost = sync_cost_classify(sync);

    if (breaks_promise(stability))
        answer_add_meaning(answer,
                           "Replies report less stability than was requested, which RFC 1813 "
                           "forbids: programs that write with O_SYNC may lose data.");
    if (stability->verifier_changes > 0)
        answer_add_meaning(answer,
                           "The write verifier changes without a restart: clients repeatedly "
                           "write all unstable data again.");
    if (cost == SYNC_COST_TOO_SMALL)
        answer_add_meaning(
            answer,
            "Suspicion: the time is too short to reach a non-volatile medium; unless the server "
            "has battery-backed memory, a power failure loses data that it reported as stable.");
    if (cost == SYNC_COST_PLAUSIBLE)
        answer_add_meaning(
            answer,
            "Programs that sync after each write (databases, mail) wait %.0f us for each sync.",
            sync->estimate);
    if (cost == SYNC_COST_UNCLEAR)
        answer_add_meaning(answer,
                           "Whether data reach a non-volatile medium in this time is unknown.");
    if (stability->committed[UNSTABLE_WRITES][FILE_SYNC] > 0)
        answer_add_meaning(answer,
                           "UNSTABLE WRITEs are answered as FILE_SYNC, so clients need no COMMIT.");
}

static void describe_sync(const struct interval *us, char text[200])
{
    const enum sync_cost cost = sync_cost_classify(us);

    if (cost == SYNC_COST_UNCLEAR)
        snprintf(text, 200,
                 "The cost of FILE_SYNC is not known, because the interval of the difference is "
                 "[%.1f, %.1f] us",
                 us->low, us->high);
    else
        snprintf(text, 200, "A WRITE with FILE_SYNC costs %+.1f us above an unstable one%s",
                 us->estimate,
                 cost == SYNC_COST_TOO_SMALL ? ", which is less than a sync can take" : "");
}

static void conclude_stability(struct testbed *testbed, void *state)
{
    char text[200];
    const struct stability *stability = state;
    struct character_answer *answer = testbed->answer;
    const struct interval sync = timing_difference(testbed, UNSTABLE_WRITES, FILE_SYNC_WRITES);

    report_series(testbed, stability);
    answer_figure(answer, "FILE_SYNC above UNSTABLE", sync, "us", "in the same rounds");
    answer_figure(answer, "DATA_SYNC above UNSTABLE",
                  timing_difference(testbed, UNSTABLE_WRITES, DATA_SYNC_WRITES), "us",
                  "in the same rounds");
    if (stability->verifier_changes > 0)
        answer_detail(answer, "write verifier", "changed %llu times",
                      (unsigned long long)stability->verifier_changes);
    else
        answer_detail(answer, "write verifier", "stayed the same");
    describe_sync(&sync, text);
    answer_set(answer, "%s; the write verifier %s.", text,
               stability->verifier_changes ? "changes" : "stays");
    judge_stability(answer, stability, &sync);
}

static void prepare_stability(struct testbed *testbed, void *state)
{
    struct stability *stability = state;
    struct nfs_handle file;

    testbed_make_file(testbed, NULL, &file);
    stability->channel = testbed_connect(testbed, NULL);
    make_messages(testbed, stability, &file);
}

const struct experiment experiment_stability = {
    .name = "stability",
    .question = "What do stable WRITEs cost, and is their time long enough to make data stable?",
    .unknown = "Whether stable data survive a power failure, which only a real one shows (see also "
               "nfsbench outage); larger WRITEs, and several at once.",
    .need = {.full = 150, .quick = 130},
    .works_in_directory = true,
    .state_size = sizeof(struct stability),
    .prepare = prepare_stability,
    .timing = {.series = SERIES, .calls = 4, .full = 60, .quick = 12, .call = call_of_series},
    .conclude = conclude_stability,
};
