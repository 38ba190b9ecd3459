/* Sets the series of struct measured, with the objects and lengths of their calls. */

#include "run/outcome/measured_parts.h"
#include "run/setup/setup.h"

static const char *object_path(const struct taking *taking, const struct run_series *series)
{
    const struct setup *setup = taking->setup;
    const struct nfs_objects *objects = series->call.objects;

    if (series->role == SERIES_LOCAL)
        return setup->plan->baseline_directory;
    if (series->mounted)
        return mount_counts_of(taking->set, series).in_scratch ? objects->scratch_path
                                                               : objects->directory_path;
    switch (series->call.procedure->object) {
    case NFS_OBJECT_NONE:
        return NULL;
    case NFS_OBJECT_ROOT:
        return setup->mount.export;
    case NFS_OBJECT_DIRECTORY:
        return objects->directory_path;
    case NFS_OBJECT_TARGET:
        return objects->base_path;
    case NFS_OBJECT_SYMLINK:
        return objects->symlink_path;
    case NFS_OBJECT_NAME:
        return objects->file_path[0] ? objects->file_path : objects->directory_path;
    case NFS_OBJECT_SCRATCH:
        return objects->scratch_path;
    case NFS_OBJECT_SCRATCH_FILE:
        return objects->scratch_file_path;
    default:
        return objects->has_file ? objects->file_path : objects->directory_path;
    }
}

static struct cost_lengths lengths_of(const struct taking *taking, const struct run_series *series);

static struct cost_lengths mix_lengths(const struct taking *taking)
{
    const struct mix_run *mix = taking->mix;
    struct cost_lengths mean = {.call = 0};

    for (size_t i = 0; i < mix->mix->count; i++) {
        struct cost_lengths op = lengths_of(taking, mix->ops[i]);
        double share = (double)mix->shares[i] / mix->length;

        mean.call += share * op.call;
        mean.reply += share * op.reply;
        mean.packets += share * op.packets;
    }
    return mean;
}

/* Return the lengths of an op of several calls. Each length is a sum over the op's calls, averaged
 * over the ops. MARK is the size of a record mark, bytes. Kerberos is assumed to lengthen each call
 * as it lengthened the first call. The bytes that TLS adds are not included. */
static struct cost_lengths sequence_lengths(const struct setup *setup,
                                            const struct run_series *series, size_t mark)
{
    const struct engine_tally *tally = &series->tally;
    const struct nfs_call_lengths *sealing = &series->call.sealing;
    double ops = (double)tally->sequences, calls = (double)tally->sequence_calls;
    double each = (double)mark + sealing->reply;
    double reply = calls > 0 ? (double)tally->sequence_reply_bytes / calls + each : 0;
    const struct rpc_client *client = setup->clients[SERVICE_NFS];

    if (ops == 0)
        return (struct cost_lengths){.call = 0};
    return (struct cost_lengths){
        .call = ((double)tally->sequence_call_bytes + calls * ((double)mark + sealing->call)) / ops,
        .reply = calls * reply / ops,
        .packets = calls / ops * channel_packets(rpc_client_channel(client), (size_t)reply)};
}

static struct cost_lengths lengths_of(const struct taking *taking, const struct run_series *series)
{
    const struct setup *setup = taking->setup;
    size_t mark = setup->mount.nfs.transport == TRANSPORT_TCP ? (size_t)RPC_RECORD_MARK_SIZE : 0;
    struct nfs_call_lengths lengths;

    if (series == taking->set->mix)
        return mix_lengths(taking);
    if (series->mounted)
        return mount_counts_of(taking->set, series).lengths;
    if (series->call.engine.sequence)
        return sequence_lengths(setup, series, mark);
    if (series->role == SERIES_LOCAL) /* nothing is sent */
        return (struct cost_lengths){.call = 0};
    if (series->role == SERIES_ECHO)
        return (struct cost_lengths){.call = (double)series->echo.length,
                                     .reply = (double)series->echo.answer};
    lengths = nfs_call_lengths(&series->call);
    return (struct cost_lengths){
        .call = lengths.call + (double)mark,
        .reply = lengths.reply + (double)mark,
        .packets = channel_packets(rpc_client_channel(setup->clients[SERVICE_NFS]),
                                   (size_t)(lengths.reply + series->call.records.reply) + mark),
        .pause = (double)series->call.engine.pause_ns};
}

/* Return the bytes of file data in a call of SERIES; for a mix, the mean of its calls. */
static double data_bytes(const struct taking *taking, const struct run_series *series)
{
    const struct mix_run *mix = taking->mix;
    double mean = 0;

    if (series != taking->set->mix)
        return nfs_call_data_bytes(&series->call);
    for (size_t i = 0; i < mix->mix->count; i++)
        mean += data_bytes(taking, mix->ops[i]) * mix->shares[i] / mix->length;
    return mean;
}

static void take_counters(const struct ledger_run *ledger, size_t index,
                          struct measured_series *series)
{
    if (!ledger->done || !series_roles[series->role].counted)
        return;
    series->client = &ledger->client[index];
    series->server = &ledger->server[index];
}

static const struct mount_counts *take_mounted(struct taking *taking,
                                               const struct run_series *series)
{
    struct mount_counts *counts = filling_alloc(&taking->filling, 1, sizeof *counts);

    if (!counts)
        return NULL;
    *counts = mount_counts_of(taking->set, series);
    return counts;
}

static struct measured_series take_series(struct taking *taking, size_t index)
{
    const struct run_series *series = taking->set->series[index];
    const bool is_load = series->load && !series_role(series)->in_mix;
    struct measured_series taken = {
        .role = series->role,
        .name = series->name,
        .object = object_path(taking, series),
        .procedure = series->call.procedure,
        .samples = &taking->measured->rounds->series[index],
        .tally = &series->tally,
        .load = is_load ? series->load : NULL,
        .map = intervals_map(taking->intervals, index),
        .lengths = lengths_of(taking, series),
        .data_bytes = data_bytes(taking, series),
        .places = series == taking->set->mix ? 0 : series->call.places.places.count,
        .trailing = series->call.trailing > 0,
        .is_sequence = series->call.engine.sequence,
    };

    if (!taken.is_sequence)
        taken.records = series->call.records;
    if (series->mounted)
        taken.mounted = take_mounted(taking, series);
    take_counters(taking->measured->ledger, index, &taken);
    return taken;
}

void measured_take_series(struct taking *taking)
{
    const struct series_set *set = taking->set;
    const size_t count = set->count;
    struct measured_series *all = filling_alloc(&taking->filling, count, sizeof *all);

    for (size_t i = 0; all && i < count; i++) {
        const struct run_series *baseline = set->series[i]->baseline;

        all[i] = take_series(taking, i);
        all[i].baseline = baseline ? &all[baseline->index] : NULL;
    }
    taking->measured->series = all;
    taking->measured->count = all ? count : 0;
}
