#include "cli/model_series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/series.h"
#include "cli/session.h"

/* Replies are told apart up to this length at least: what attributes, names and small reads take.
 */
enum { MODEL_REPLY_SIZE = 4096 };

static int try_model_series(struct session *session, struct error *error)
{
    struct session_series *series = &session->series[session->series_count - 1];
    int status, code = nfs_call_try(&series->call, session->clients[SERVICE_NFS], &status, error);
    bool broken = code == -EBADMSG; /* of a READ that nobody asked for */

    if (broken || (code == 0 && status != 0))
        series_drop_last(session);
    return broken ? 0 : code;
}

/* Null calls whose credential is longer by LENGTH bytes of machine name: AUTH_SYS, as the name is
 * part of nothing else. */
static int add_longer_call(struct session *session, const struct nfs_procedure *null_procedure,
                           size_t length, struct error *error)
{
    struct session_series *series = &session->series[session->series_count];
    struct identity *identity = &series->own_identity;
    size_t used;
    int code;

    *identity = session->settings->identity;
    identity->flavor = RPC_FLAVOR_SYS;
    used = strlen(identity->machine);
    if (used + length > RPC_AUTH_SYS_NAME_MAXIMUM)
        length = RPC_AUTH_SYS_NAME_MAXIMUM - used;
    memset(identity->machine + used, '-', length);
    identity->machine[used + length] = '\0';
    code = series_add(session, SERIES_CALL_LENGTH, "null", null_procedure, &session->subject,
                      identity, error);
    return code ? code : try_model_series(session, error);
}

static int add_longer_calls(struct session *session, const struct nfs_procedure *null_procedure,
                            struct error *error)
{
    static const size_t lengths[] = {0, RPC_AUTH_SYS_NAME_MAXIMUM / 2, RPC_AUTH_SYS_NAME_MAXIMUM};
    int code = 0;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && code == 0; i++)
        code = add_longer_call(session, null_procedure, lengths[i], error);
    return code;
}

/* WRITEs of COUNT bytes. */
static int add_longer_write(struct session *session, uint32_t count, struct error *error)
{
    struct session_series *series = &session->series[session->series_count];
    struct nfs_subject *subject = malloc(sizeof *subject);
    int code;

    if (!subject)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    *subject = session->subject;
    subject->write.count = count;
    subject->write.verify = false;
    subject->files = NULL;
    free(series->own_subject);
    series->own_subject = subject;
    code = series_add(session, SERIES_CALL_LENGTH, "write", nfs_procedure_find("write"), subject,
                      &session->settings->identity, error);
    return code ? code : try_model_series(session, error);
}

/* In a run that writes, calls are as long as what is written: WRITEs of other sizes tell what a
 * byte costs, and not null calls, which never get that long. */
static int add_longer_writes(struct session *session, struct error *error)
{
    const uint32_t top = session->settings->read_size, sizes[] = {1, top / 8, top / 2, top};
    bool measured = series_has_op(session, "write");
    uint32_t previous = 0;
    int code = 0;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && code == 0; i++) {
        if (sizes[i] > previous && !(measured && sizes[i] == top))
            code = add_longer_write(session, sizes[i], error);
        previous = sizes[i];
    }
    return code;
}

static int add_longer_reply(struct session *session, uint32_t count, struct error *error)
{
    struct session_series *series = &session->series[session->series_count];
    struct nfs_subject *subject = malloc(sizeof *subject);
    int code;

    if (!subject)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    *subject = session->subject;
    subject->read.offset = session->settings->read_offset;
    subject->read.count = subject->read.expected = count;
    subject->read.data = NULL;
    subject->files = NULL;
    free(series->own_subject);
    series->own_subject = subject;
    code = series_add(session, SERIES_REPLY_LENGTH, "read", nfs_procedure_find("read"), subject,
                      &session->settings->identity, error);
    return code ? code : try_model_series(session, error);
}

/* The largest READ whose reply takes PACKETS packets, where one of a byte has OVERHEAD bytes around
 * it; TOP where all up to that do. */
static uint32_t last_size_in(const struct session *session, unsigned packets, size_t overhead,
                             uint32_t top)
{
    uint32_t low = 1, high = top + 1; /* LOW is within, HIGH is beyond */

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (rpc_client_packets(session->clients[SERVICE_NFS], overhead + middle) <= packets)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int compare_sizes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The READ sizes: one byte, up to the largest reply of interest, two between; and where that one
 * takes several packets, both sides of the first two steps, so that a packet's cost can be told
 * from its bytes'. In ascending order; their number. */
static size_t choose_read_sizes(const struct session *session, uint32_t sizes[])
{
    enum { READ_REPLY_OVERHEAD = 132, STEPS = 2, PADDING = 4 };
    const struct settings *settings = session->settings;
    uint64_t left = session->subject.file_size - settings->read_offset;
    uint32_t top = settings->read_size > MODEL_REPLY_SIZE ? settings->read_size : MODEL_REPLY_SIZE;
    size_t count = 4;

    if (top > left)
        top = (uint32_t)left;
    sizes[0] = 1;
    sizes[1] = top / 8;
    sizes[2] = top / 2;
    sizes[3] = top;
    for (unsigned packets = 1; packets <= STEPS; packets++) {
        uint32_t last = last_size_in(session, packets, READ_REPLY_OVERHEAD, top) & ~(PADDING - 1u);

        if (last + PADDING > top)
            break;
        sizes[count++] = last;
        sizes[count++] = last + PADDING;
    }
    qsort(sizes, count, sizeof sizes[0], compare_sizes);
    return count;
}

static int add_longer_replies(struct session *session, struct error *error)
{
    uint32_t sizes[COST_MODEL_POINTS_MAXIMUM], previous = 0;
    uint32_t measured = session->subject.read.expected; /* by the op READ itself, if there is one */
    size_t count;
    int code = 0;

    if (!session->subject.has_file || session->subject.file_size <= session->settings->read_offset)
        return 0;
    count = choose_read_sizes(session, sizes);
    for (size_t i = 0; i < count && code == 0; i++) {
        if (sizes[i] > previous && sizes[i] != measured)
            code = add_longer_reply(session, sizes[i], error);
        previous = sizes[i];
    }
    return code;
}

/* Null calls that come more rarely; how much, series_settle() says. */
static int add_pauses(struct session *session, const struct nfs_procedure *null_procedure,
                      struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < MODEL_PAUSES && code == 0; i++) {
        code = series_add(session, SERIES_PAUSE, "null", null_procedure, &session->subject,
                          &session->settings->identity, error);
        if (code == 0)
            code = try_model_series(session, error);
    }
    return code;
}

int model_series_add(struct session *session, struct error *error)
{
    const struct nfs_procedure *null_procedure = nfs_procedure_find("null");
    const struct settings *settings = session->settings;
    bool only_null = session->series[session->series_count - 1].role == SERIES_CONTROL;
    int code;

    if (settings->no_baseline || settings->no_model || only_null)
        return 0;
    code = settings_call(settings, NFSPROC3_WRITE)
               ? add_longer_writes(session, error)
               : add_longer_calls(session, null_procedure, error);
    if (code == 0)
        code = add_longer_replies(session, error);
    return code ? code : add_pauses(session, null_procedure, error);
}
