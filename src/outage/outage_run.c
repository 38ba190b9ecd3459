#include "outage/outage_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nfs/client.h"
#include "run/outcome.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    LOOK_NS = 20 * 1000 * 1000,
    /* Without a connection for so long, the port may be another one, or the address. */
    SEARCH_S = 5,
    READ_BACK_S = 5,
};

/* What gaps and blocks report */

static const char *why(const struct outage_run *run, const struct outage_line *line)
{
    const struct probe_link *link = &run->probe.links[line->connection - 1];
    const struct gap_line *waiting =
        &run->outage.gaps.lines[(line->connection - 1) * OUTAGE_PROCEDURES + line->procedure];

    if (waiting->errors > 0)
        return waiting->grace_since ? "answered by NFS3ERR_JUKEBOX" : "answered by errors";
    return link->connection.fd < 0 ? strerror(-link->connection.failure) : "no reply";
}

static void note(void *context, enum gap_event event, const struct gap *gap,
                 const struct gap_row *row)
{
    struct outage_run *run = context;

    if (event != GAP_LINE_BACK)
        blocks_check_again(&run->blocks);
    if (run->observer)
        run->observer->changed(&run->outage, event, gap, row, why(run, &row->line));
}

/* Data that were called stable are lost. */
static void count_loss(void *context, const struct block_loss *loss)
{
    struct outage *outage = context;
    struct gap *gap = gaps_after(&outage->gaps, loss->at_ns);

    outage->lost.blocks++;
    outage->lost.sync += loss->state == BLOCK_SYNC;
    outage->lost.committed += loss->state == BLOCK_COMMITTED;
    outage->lost.faults[loss->fault]++;
    if (gap)
        gap->lost++;
}

/* Opening */

static int open_records(struct outage_run *run, struct error *error)
{
    const struct outage_plan *plan = run->plan;
    const size_t lines = (size_t)plan->connections * OUTAGE_PROCEDURES;

    run->outage = (struct outage){.connections = plan->connections,
                                  .block_size = plan->run.read_size,
                                  .rate = plan->rate,
                                  .threshold = (double)plan->threshold_ns / 1e9};
    if (blocks_open(&run->blocks, plan->run.read_size, plan->run.seed, count_loss, &run->outage) !=
            0 ||
        gaps_open(&run->outage.gaps, lines, plan->threshold_ns, note, run) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the probe");
    return 0;
}

/* What the set-up wrote can be read back by one READ. */
static int check_read_size(const struct outage_run *run, struct error *error)
{
    const struct nfs_objects *objects = &run->setup.objects;
    uint8_t *data = NULL;
    uint32_t got = 0;
    int code = nfs_read(run->setup.clients[SERVICE_NFS], &objects->scratch_file, 0,
                        run->blocks.size, objects->scratch_file_path, &data, &got, error);

    free(data);
    if (code == 0 && got < run->blocks.size)
        code = error_set(error, ERROR_USAGE, -E2BIG,
                         "READ of %u bytes returned %u: the size exceeds this server's rtmax; use "
                         "--size %u",
                         run->blocks.size, got, got / 8 * 8);
    return code;
}

static int open_probe(struct outage_run *run, struct error *error)
{
    const struct nfs_objects *objects = &run->setup.objects;
    struct nfs_node node = {.handle = objects->scratch_file};
    struct channel_options options = setup_channel_options(&run->plan->run, SERVICE_NFS);
    int code;

    options = setup_secure(&run->setup, SERVICE_NFS, &options);
    code = nfs_getattr(run->setup.clients[SERVICE_NFS], &node, objects->scratch_file_path, error);

    if (code == 0)
        code = check_read_size(run, error);
    if (code)
        return code;
    run->outage.began_ns = clock_raw_ns();
    outcome_fill_origin(&run->outage.origin, &run->plan->run, time(NULL),
                        transport_name(run->setup.target.transport));
    run->probe = (struct probe){.outage = &run->outage,
                                .blocks = &run->blocks,
                                .identity = run->plan->run.identity,
                                .file = {.handle = node.handle, .id = node.id}};
    return probe_open(&run->probe, &run->setup.mount.nfs, &options, run->plan->connections,
                      run->plan->rate, error);
}

int outage_run_open(struct outage_run *run, const struct outage_plan *plan,
                    const struct outage_observer *observer, struct error *error)
{
    int code;

    memset(run, 0, sizeof *run);
    run->plan = plan;
    run->observer = observer;
    code = setup_open(&run->setup, &plan->run, NULL, error);
    if (code == 0)
        code = open_records(run, error);
    if (code == 0)
        code = open_probe(run, error);
    run->setup.healthy = code == 0 || code == -EINTR;
    return code;
}

/* Probing */

static void take_search(struct outage_run *run, bool wait)
{
    const struct search *search = &run->search;
    const struct nfs_objects *objects = &run->setup.objects;
    struct probe_file file = run->probe.file;
    uint64_t lost = 0;

    if (!search_take(&run->search, &run->setup, wait))
        return;
    if (search->file_is_new) {
        file.generation++;
        lost = blocks_lose_all(&run->blocks);
    }
    file.handle = objects->scratch_file;
    file.id = search->file_id;
    probe_use(&run->probe, &file, &run->setup.mount.nfs);
    run->outage.found_again++;
    run->outage.made_again += search->directory_is_new;
    if (run->observer)
        run->observer->found(search->file_is_new, lost);
}

static void look_around(struct outage_run *run, uint64_t now)
{
    if (now < run->next_look_ns)
        return;
    run->next_look_ns = now + LOOK_NS;
    probe_look(&run->probe);
    gaps_look(&run->outage.gaps, clock_raw_ns());
    if (run->probe.is_stale || probe_lost_for(&run->probe, now) > SEARCH_S * SECOND_NS)
        search_begin(&run->search, &run->setup);
    take_search(run, false);
}

/* This process did not run, or was blocked, from BEGAN on: not the server's fault. */
static void excuse_stall(struct outage_run *run, uint64_t began, uint64_t now)
{
    if (now - began < run->plan->threshold_ns / 2)
        return;
    run->outage.stalls++;
    run->outage.stalled_ns += now - began;
    gaps_excuse(&run->outage.gaps, now);
}

static bool is_over(const struct outage_run *run, uint64_t now)
{
    return run_plan_is_stopped(&run->plan->run) ||
           (run->plan->duration_ns && now - run->outage.began_ns >= run->plan->duration_ns);
}

/* Reading back */

/* A new connection, and not for ever: the server may be away. */
static int open_reader(const struct outage_run *run, struct rpc_client **client)
{
    struct channel_options options =
        setup_secure(&run->setup, SERVICE_NFS, &run->setup.mount.options.channel);
    struct error ignored;

    options.stop = NULL;
    options.timeout_ns = SECOND_NS;
    options.deadline_ns = clock_raw_ns() + READ_BACK_S * SECOND_NS;
    return rpc_client_open(client, &run->setup.mount.nfs, &run->setup.mount.options.identity,
                           &options, &ignored);
}

static int read_back(struct outage_run *run, struct rpc_client *client, size_t index)
{
    const struct nfs_objects *objects = &run->setup.objects;
    struct error ignored;
    uint8_t *data = NULL;
    uint32_t got = 0;
    int code = nfs_read(client, &objects->scratch_file, index * (uint64_t)run->blocks.size,
                        run->blocks.size, objects->scratch_file_path, &data, &got, &ignored);

    if (code)
        return code;
    blocks_end_read(&run->blocks, index, data, got);
    free(data);
    return 0;
}

/* Read all stable data once more. What can't be read is neither there nor lost. */
static void read_all_back(struct outage_run *run)
{
    struct rpc_client *client = NULL;
    int code = open_reader(run, &client);

    blocks_check_again(&run->blocks);
    for (long i = blocks_next_stable(&run->blocks, -1); i >= 0 && code == 0;
         i = blocks_next_stable(&run->blocks, i))
        code = read_back(run, client, (size_t)i);
    rpc_client_close(client);
    run->outage.unchecked = blocks_unchecked(&run->blocks);
}

static void finish(struct outage_run *run)
{
    const uint64_t now = clock_raw_ns();

    run->outage.duration = (double)(now - run->outage.began_ns) / 1e9;
    gaps_finish(&run->outage.gaps, now);
    take_search(run, true);
    probe_finish(&run->probe);
    run->setup.healthy = !run->outage.gaps.is_open;
    read_all_back(run);
    run->outage.uncommitted = run->blocks.uncommitted;
}

int outage_run_probe(struct outage_run *run, struct error *error)
{
    uint64_t began = clock_raw_ns(), now = began;
    int code = 0;

    while (code == 0 && !is_over(run, now)) {
        code = probe_send_due(&run->probe, now, error);
        if (code == 0)
            code = probe_wait(&run->probe, error);
        now = clock_raw_ns();
        excuse_stall(run, began, now);
        look_around(run, now);
        began = clock_raw_ns();
    }
    finish(run);
    if (code || (run->plan->duration_ns && run_plan_is_stopped(&run->plan->run)))
        run->outage.cut_short_by = code ? error->text : "interrupted";
    return code;
}

/* Closing */

void outage_run_close(struct outage_run *run)
{
    search_end(&run->search);
    probe_close(&run->probe);
    setup_close(&run->setup);
    blocks_close(&run->blocks);
    gaps_close(&run->outage.gaps);
}
