/* The series for the cost model: calls and replies of given lengths, and pauses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "measure/statistics/cost_model.h"
#include "run/series/series.h"
#include "run/setup/setup_parts.h"

/* Minimum size of the file data in the model's longest reply, bytes; a shorter file limits it. It
 * exceeds the size of replies with attributes, names and small reads. */
enum { MODEL_REPLY_SIZE = 4096 };

/* Add the series of REQUEST and call it once. If its call fails, remove the series. */
static int add_model_series(struct series_set *set, const struct series_request *request,
                            struct error *error)
{
    int status = 0, code = series_set_add(set, request, error);
    bool broken;

    if (code)
        return code;
    code =
        nfs_call_try(&series_set_last(set)->call, set->setup->clients[SERVICE_NFS], &status, error);
    /* The user did not request this series, so a failed or invalid result is no error. A call
     * without a result is an error only if series_set_can_skip() is false, such as with --strict.
     */
    broken = code == -EBADMSG || (code && series_set_can_skip(set, false, code, error));
    if (broken || (code == 0 && status != 0))
        series_set_drop_last(set);
    return broken ? 0 : code;
}

/* Add AUTH_SYS NULL calls. Their machine name is LENGTH bytes longer than the plan's, but at most
 * RPC_AUTH_SYS_NAME_MAXIMUM bytes long. */
static int add_longer_call(struct series_set *set, size_t length, struct error *error)
{
    struct identity *identity = malloc(sizeof *identity);
    struct series_request request = {SERIES_CALL_LENGTH, "null",
                                     .procedure = nfs_procedure_find("null"), .identity = identity};
    size_t used;

    if (!identity)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a series");
    *identity = set->plan->identity;
    identity->flavor = RPC_FLAVOR_SYS;
    used = strlen(identity->machine);
    if (used + length > RPC_AUTH_SYS_NAME_MAXIMUM)
        length = RPC_AUTH_SYS_NAME_MAXIMUM - used;
    memset(identity->machine + used, '-', length);
    identity->machine[used + length] = '\0';
    return add_model_series(set, &request, error);
}

static int add_longer_calls(struct series_set *set, struct error *error)
{
    static const size_t lengths[] = {0, RPC_AUTH_SYS_NAME_MAXIMUM / 2, RPC_AUTH_SYS_NAME_MAXIMUM};
    int code = 0;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && code == 0; i++)
        code = add_longer_call(set, lengths[i], error);
    return code;
}

/* Return a copy of SET's objects in which all calls access the same place of a file, because the
 * cost of a byte does not depend on the offset. Returns NULL with ERROR set on failure. */
static struct nfs_objects *objects_in_one_place(const struct series_set *set, struct error *error)
{
    struct nfs_objects *objects = series_set_copy_objects(set, error);

    if (!objects)
        return NULL;
    objects->files = NULL;
    objects->working_set.pattern.kind = PATTERN_SAME;
    objects->read.to_end = false;
    return objects;
}

static int add_longer_write(struct series_set *set, uint32_t count, struct error *error)
{
    struct nfs_objects *objects = objects_in_one_place(set, error);
    struct series_request request = {SERIES_CALL_LENGTH, "write",
                                     .procedure = nfs_procedure_find("write"), .objects = objects};

    if (!objects)
        return -ENOMEM;
    objects->write.count = count;
    if (objects->write.expected > count)
        objects->write.expected = count;
    return add_model_series(set, &request, error);
}

/* Add WRITEs of several sizes, for the cost per byte of WRITEs. NULL calls can't be that long. */
static int add_longer_writes(struct series_set *set, struct error *error)
{
    const uint32_t top = set->plan->read_size, sizes[] = {1, top / 8, top / 2, top};
    bool measured = series_set_find_op(set, "write");
    uint32_t previous = 0;
    int code = 0;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && code == 0; i++) {
        if (sizes[i] > previous && !(measured && sizes[i] == top))
            code = add_longer_write(set, sizes[i], error);
        previous = sizes[i];
    }
    return code;
}

static int add_longer_reply(struct series_set *set, uint32_t count, struct error *error)
{
    struct nfs_objects *objects = objects_in_one_place(set, error);
    struct series_request request = {SERIES_REPLY_LENGTH, "read",
                                     .procedure = nfs_procedure_find("read"), .objects = objects};

    if (!objects)
        return -ENOMEM;
    objects->read.offset = set->plan->read_offset;
    objects->read.count = objects->read.expected = count;
    objects->read.data = NULL;
    return add_model_series(set, &request, error);
}

/* Return the size in bytes of the largest READ, up to TOP, whose reply fits into PACKETS packets.
 * OVERHEAD is the size of a reply without file data. */
static uint32_t last_size_in(const struct rpc_client *client, unsigned packets, size_t overhead,
                             uint32_t top)
{
    uint32_t low = 1, high = top + 1; /* a READ of LOW bytes fits, a READ of HIGH bytes does not */

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (channel_packets(rpc_client_channel(client), overhead + middle) <= packets)
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

/* Set SIZES to the sizes of the model's READs, ascending: one byte, the largest READ, and two sizes
 * between. If replies take several packets, add the sizes on both sides of the first two packet
 * boundaries, to separate a packet's cost from its bytes' cost. Returns the number of SIZES. */
static size_t choose_read_sizes(const struct setup *setup, uint32_t sizes[])
{
    enum { READ_REPLY_OVERHEAD = 132, STEPS = 2, PADDING = 4 };
    const struct run_plan *plan = setup->plan;
    uint64_t left = setup->objects.file_size - plan->read_offset;
    uint32_t top = plan->read_size > MODEL_REPLY_SIZE ? plan->read_size : MODEL_REPLY_SIZE;
    size_t count = 4;

    if (top > left)
        top = (uint32_t)left;
    sizes[0] = 1;
    sizes[1] = top / 8;
    sizes[2] = top / 2;
    sizes[3] = top;
    for (unsigned packets = 1; packets <= STEPS; packets++) {
        uint32_t last =
            last_size_in(setup->clients[SERVICE_NFS], packets, READ_REPLY_OVERHEAD, top) &
            ~(PADDING - 1u);

        if (last + PADDING > top)
            break;
        sizes[count++] = last;
        sizes[count++] = last + PADDING;
    }
    qsort(sizes, count, sizeof sizes[0], compare_sizes);
    return count;
}

static int add_longer_replies(struct series_set *set, struct error *error)
{
    const struct nfs_objects *objects = &set->setup->objects;
    uint32_t sizes[COST_MODEL_POINTS_MAXIMUM], previous = 0;
    /* bytes in each of the run's READs, which are already a point of the model; 0: no READs */
    uint32_t measured = objects->read.expected;
    size_t count;
    int code = 0;

    if (!objects->has_file || objects->file_size <= set->plan->read_offset)
        return 0;
    count = choose_read_sizes(set->setup, sizes);
    for (size_t i = 0; i < count && code == 0; i++) {
        if (sizes[i] > previous && sizes[i] != measured)
            code = add_longer_reply(set, sizes[i], error);
        previous = sizes[i];
    }
    return code;
}

/* Add series of NULL calls after a pause. series_set_choose_blocks() sets the pause's length. */
static int add_pauses(struct series_set *set, struct error *error)
{
    const struct series_request request = {SERIES_PAUSE, "null",
                                           .procedure = nfs_procedure_find("null")};
    int code = 0;

    for (size_t i = 0; i < MODEL_PAUSES && code == 0; i++)
        code = add_model_series(set, &request, error);
    return code;
}

static bool can_write(const struct series_set *set)
{
    return run_plan_transfers(set->plan, NFS_TRANSFER_WRITE) &&
           !setup_failure_of(set->setup, nfs_procedure_find("write"));
}

int series_add_model(struct series_set *set, struct error *error)
{
    const struct run_plan *plan = set->plan;
    int code;

    if (plan->no_baseline || plan->no_model ||
        set->count == (set->control ? set->control : set->baseline)->index + 1) /* no ops */
        return 0;
    code = can_write(set) ? add_longer_writes(set, error) : add_longer_calls(set, error);
    if (code == 0)
        code = add_longer_replies(set, error);
    return code ? code : add_pauses(set, error);
}
