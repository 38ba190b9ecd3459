#include "cli/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calls.h"
#include "cli/model_series.h"
#include "cli/session.h"
#include "nfs/scratch.h"
#include "nfs/status.h"

/* Calls on a file set are spread over it at random: as many of them are made ready as a reasonable
 * amount of memory holds. */
static size_t variants_over_files(const struct settings *settings)
{
    enum { MEMORY = 64 << 20, MAXIMUM = 8192, OVERHEAD = 1024 };
    size_t fit = MEMORY / (settings->read_size + OVERHEAD);

    return fit < 1 ? 1 : fit > MAXIMUM ? MAXIMUM : fit;
}

/* As many calls as come in a row: in a block, in a stretch of the ledger, or in the trial. */
static size_t variants_needed(const struct settings *settings,
                              const struct nfs_procedure *procedure)
{
    size_t block = settings->block                ? settings->block
                   : settings_make_load(settings) ? load_block(&settings->load, settings->calls)
                                                  : ROUNDS_BLOCK;

    if (procedure->spreads)
        return variants_over_files(settings);
    return block > LEDGER_RUN_CALLS_MAXIMUM ? block : LEDGER_RUN_CALLS_MAXIMUM;
}

static enum service_kind service_of(const struct nfs_procedure *procedure)
{
    if (procedure->rpc.program == NFS_PROGRAM)
        return SERVICE_NFS;
    return procedure->rpc.program == MOUNT_PROGRAM ? SERVICE_MOUNT : SERVICE_PORTMAP;
}

int series_add(struct session *session, enum series_role role, const char *name,
               const struct nfs_procedure *procedure, const struct nfs_subject *subject,
               const struct identity *identity, struct error *error)
{
    struct session_series *series = &session->series[session->series_count];
    int code = nfs_call_make(&series->call, procedure, subject, identity,
                             variants_needed(session->settings, procedure), error);

    if (code)
        return code;
    series->role = role;
    series->name = name;
    series->service = service_of(procedure);
    series->baseline = 0;
    session->series_count++;
    return 0;
}

void series_drop_last(struct session *session)
{
    nfs_call_free(&session->series[--session->series_count].call);
}

static int add_op_series(struct session *session, enum series_role role, const char *name,
                         const struct nfs_procedure *procedure, struct error *error)
{
    return series_add(session, role, name, procedure, &session->subject,
                      &session->settings->identity, error);
}

/* Ops */

static int skip_op(struct session *session, const char *op, const char *reason)
{
    struct session_skip *skip = &session->skipped[session->skipped_count++];

    skip->op = op;
    snprintf(skip->reason, sizeof skip->reason, "%s", reason);
    return 0;
}

/* What PROCEDURE needs and the export lacks; NULL for nothing. */
static const char *missing_object(const struct session *session,
                                  const struct nfs_procedure *procedure)
{
    if (procedure->object == NFS_OBJECT_FILE && !session->subject.has_file)
        return "no regular file was found at or below the target";
    if (procedure->object == NFS_OBJECT_SYMLINK && !session->subject.has_symlink)
        return "no symbolic link was found at or below the target";
    return NULL;
}

/* Call the op once. One that a group named is skipped where the server won't have it. */
static int try_op(struct session *session, bool from_group, struct error *error)
{
    struct session_series *series = &session->series[session->series_count - 1];
    char name[NFS_STATUS_NAME_SIZE];
    const char *answer;
    int status, code = calls_connect(session, series->service, error);

    if (code == 0)
        code = nfs_call_try(&series->call, session->clients[series->service], &status, error);
    if (code == -EBADMSG && from_group) {
        skip_op(session, series->name, "its result can't be decoded (RPC_CANTDECODERES)");
        series_drop_last(session);
        return 0;
    }
    if (code && series->service == SERVICE_PORTMAP && from_group && code != -EINTR) {
        skip_op(session, series->name, "the port mapper can't be reached");
        series_drop_last(session);
        return 0;
    }
    if (code || status == 0)
        return code;
    answer = nfs_status_name(status, name);
    if (!from_group)
        return error_set(error, ERROR_FAILED, -EIO, "%s was answered by %s%s",
                         series->call.procedure->rpc.name, answer,
                         status == NFS_SHORT_WRITE
                             ? ": more than this server takes at once (wtmax); see --size"
                             : "");
    skip_op(session, series->name, answer);
    series_drop_last(session);
    return 0;
}

bool series_has_op(const struct session *session, const char *op)
{
    for (size_t i = 0; i < session->series_count; i++)
        if (session->series[i].role == SERIES_OP && strcmp(session->series[i].name, op) == 0)
            return true;
    return false;
}

/* With a directory of a chosen size, ops on a directory's entries go there, too. */
static bool reads_scratch(const struct session *session, const struct nfs_procedure *procedure)
{
    return session->settings->directory_size > 0 &&
           (procedure->object == NFS_OBJECT_NAME || procedure->object == NFS_OBJECT_DIRECTORY);
}

static int add_scratch_series(struct session *session, const struct nfs_procedure *procedure,
                              struct error *error)
{
    struct session_series *series = &session->series[session->series_count];
    struct nfs_subject *subject = malloc(sizeof *subject);

    if (!subject)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    *subject = session->subject;
    subject->directory = subject->scratch;
    subject->has_file = false;
    strcpy(subject->name, NFS_SCRATCH_FILE);
    strcpy(subject->directory_path, subject->scratch_path);
    strcpy(subject->file_path, subject->scratch_file_path);
    free(series->own_subject);
    series->own_subject = subject;
    return series_add(session, SERIES_OP, procedure->op, procedure, subject,
                      &session->settings->identity, error);
}

static int add_op(struct session *session, const struct nfs_procedure *procedure, bool from_group,
                  struct error *error);

/* MOUNT is a service of its own: what its procedures cost is above its own NULL. */
static int find_mount_baseline(struct session *session, const struct nfs_procedure *procedure,
                               bool from_group, size_t *baseline, struct error *error)
{
    const struct nfs_procedure *null_procedure = nfs_procedure_find("mount-null");
    int code = 0;

    if (procedure == null_procedure || session->settings->no_baseline)
        return 0;
    if (!series_has_op(session, null_procedure->op))
        code = add_op(session, null_procedure, from_group, error);
    for (size_t i = 0; i < session->series_count; i++)
        if (session->series[i].call.procedure == null_procedure)
            *baseline = i;
    return code;
}

static int add_op(struct session *session, const struct nfs_procedure *procedure, bool from_group,
                  struct error *error)
{
    const char *missing = missing_object(session, procedure);
    size_t baseline = 0;
    int code = 0;

    if (series_has_op(session, procedure->op)) /* as another's baseline */
        return 0;
    if (service_of(procedure) == SERVICE_MOUNT)
        code = find_mount_baseline(session, procedure, from_group, &baseline, error);
    if (code)
        return code;
    if (missing && from_group)
        return skip_op(session, procedure->op, missing);
    if (missing)
        return error_set(error, ERROR_FAILED, -ENOENT, "%s: %s; see --file", procedure->rpc.name,
                         missing);
    code = reads_scratch(session, procedure)
               ? add_scratch_series(session, procedure, error)
               : add_op_series(session, SERIES_OP, procedure->op, procedure, error);
    if (code)
        return code;
    session->series[session->series_count - 1].baseline = baseline;
    return try_op(session, from_group, error);
}

/* The baseline is a series named null, whether or not the user asked for null as well. */
static int add_baseline(struct session *session, const struct nfs_procedure *null_procedure,
                        struct error *error)
{
    int code = add_op_series(session, SERIES_NULL, "null", null_procedure, error);

    if (code == 0)
        code = try_op(session, false, error);
    if (code == 0)
        code = add_op_series(session, SERIES_CONTROL, "null_control", null_procedure, error);
    return code ? code : try_op(session, false, error);
}

enum { TRIAL_CALLS = 30, BLOCK_MINIMUM = 5 };

/* The median of a few calls of series INDEX, in ns; of fewer where they take long. */
static int find_level(struct session *session, size_t index, double *level, struct error *error)
{
    enum { SLOW_CALLS = 3, SLOW_NS = 10 * 1000 * 1000 };
    uint64_t ticks[TRIAL_CALLS];
    double samples[TRIAL_CALLS];
    size_t recorded;
    struct engine_tally unused = {.failed = 0};
    int code = calls_run(session, index, SLOW_CALLS, ticks, &recorded, &unused, error);

    if (code == 0 && recorded > 0 && clock_sample_ns(&session->clock, ticks[0]) < SLOW_NS)
        code = calls_run(session, index, TRIAL_CALLS, ticks, &recorded, &unused, error);
    for (size_t i = 0; i < recorded; i++)
        samples[i] = clock_sample_ns(&session->clock, ticks[i]);
    *level = recorded ? estimate_median(samples, recorded) : 0;
    return code;
}

/* A block is short enough that a round of all series takes no longer than this, as far as it can
 * be: of USUAL calls at most, and LEAST at least. */
static uint32_t choose_block(double round_of_one_ns, uint32_t usual, uint32_t least)
{
    enum { ROUND_NS = 200 * 1000 * 1000 };
    double calls = round_of_one_ns > 0 ? ROUND_NS / round_of_one_ns : usual;

    return calls >= usual ? usual : (uint32_t)(calls > least ? calls : least);
}

/* The same under load, where calls were tried several at a time; but a rate takes its time. */
static uint32_t choose_load_block(const struct settings *settings, double round_of_one_ns)
{
    const struct load *load = &settings->load;
    uint32_t usual = load_block(load, settings->calls);
    double at_once = fmin((double)load_in_flight(load), TRIAL_CALLS);

    return load->rate > 0
               ? usual
               : choose_block(round_of_one_ns / at_once, usual, load_block_minimum(load));
}

static uint32_t wanted_block(const struct settings *settings, double round_of_one_ns)
{
    if (settings->block)
        return settings->block;
    return settings_make_load(settings)
               ? choose_load_block(settings, round_of_one_ns)
               : choose_block(round_of_one_ns, ROUNDS_BLOCK, BLOCK_MINIMUM);
}

/* What part of a round's calls at one for each series this one's are. */
static double weight_in_round(const struct session *session, size_t index)
{
    const struct nfs_mix *mix = &session->settings->mix;
    uint32_t shares[NFS_MIX_OPS_MAXIMUM];

    if (session->series[index].role >= SERIES_CALL_LENGTH)
        return 1.0 / MODEL_DIVISOR;
    if (!series_is_in_mix(session, index))
        return 1;
    return 1.0 / nfs_mix_divide(mix, ROUNDS_BLOCK, shares) * shares[index - session->mix.first];
}

int series_set_block(struct session *session, uint32_t block, struct error *error)
{
    size_t first = session->mix.first;
    int code = 0;

    if (session->settings->mix_name) {
        mix_run_close(&session->mix);
        code = mix_run_open(session, first, block, error);
        block = session->mix.length;
    }
    session->block = block;
    return code;
}

int series_settle(struct session *session, struct error *error)
{
    double null_level = 0, longest = MODEL_PAUSE_MINIMUM_NS, round_of_one_ns = 0;
    size_t pauses = 0;
    int code = 0;

    for (size_t i = 0; i < session->series_count && code == 0; i++) {
        struct session_series *series = &session->series[i];
        double level = null_level;

        if (series->role == SERIES_NULL || series->role == SERIES_OP)
            code = find_level(session, i, &level, error);
        if (series->role == SERIES_NULL)
            null_level = level;
        longest = fmax(longest, level - null_level);
        if (series->role == SERIES_PAUSE)
            series->call.engine.pause_ns = (uint64_t)(longest * (double)++pauses / MODEL_PAUSES);
        round_of_one_ns +=
            (level + (double)series->call.engine.pause_ns) * weight_in_round(session, i);
    }
    return code
               ? code
               : series_set_block(session, wanted_block(session->settings, round_of_one_ns), error);
}

bool series_is_in_mix(const struct session *session, size_t index)
{
    return session->settings->mix_name && session->series[index].role == SERIES_OP;
}

uint32_t series_block(const struct session *session, size_t index)
{
    uint32_t block = session->block;

    if (series_is_in_mix(session, index))
        return mix_run_share(&session->mix, index - session->mix.first, block);
    if (session->series[index].role >= SERIES_CALL_LENGTH)
        return block / MODEL_DIVISOR ? block / MODEL_DIVISOR : 1;
    return block;
}

/* The mix itself has no call of its own. */
static void add_mix(struct session *session)
{
    struct session_series *series = &session->series[session->series_count++];

    series->role = SERIES_MIX;
    series->name = "mix";
    series->service = SERVICE_NFS;
    series->baseline = 0;
    series->call.procedure = nfs_procedure_find("null");
    series->call.subject = &session->subject;
    session->mix.first = session->series_count;
}

int series_make(struct session *session, struct error *error)
{
    const struct settings *settings = session->settings;
    const struct nfs_procedure *null_procedure = nfs_procedure_find("null");
    bool baseline = !settings->no_baseline;
    int code = baseline ? add_baseline(session, null_procedure, error) : 0;

    if (code == 0 && settings->mix_name)
        add_mix(session);
    for (size_t i = 0; i < settings->op_count && code == 0; i++)
        if (settings->ops[i] != null_procedure || !baseline)
            code = add_op(session, settings->ops[i], settings->from_group[i], error);
    if (code == 0 && session->series_count == 0)
        return error_set(error, ERROR_FAILED, -ENOENT, "none of the ops can be measured here");
    return code;
}

void series_free(struct session *session)
{
    while (session->series_count > 0)
        series_drop_last(session);
    for (size_t i = 0; i < SESSION_SERIES_MAXIMUM; i++)
        free(session->series[i].own_subject);
}
