#include "outage/outage_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "nfs/client.h"
#include "run/outcome/outcome.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    LOOK_NS = 20 * 1000 * 1000,
    /* seconds without a connection after which the server may be at another address */
    SEARCH_S = 5,
    SEARCH_PAUSE_NS = 10 * 1000 * 1000, /* minimum time between the beginnings of file searches */
    READ_BACK_S = 5,
};

/* Handling of gaps, progress and lost blocks */

static const char *describe_wait(const struct outage_run *run, const struct outage_line *line)
{
    const struct probe_link *link = &run->probe.links[line->connection - 1];
    const struct gap_line *waiting =
        &run->outage.gaps.lines[(line->connection - 1) * OUTAGE_PROCEDURES + line->procedure];

    if (waiting->errors > 0)
        return waiting->grace_since ? "answered by NFS3ERR_JUKEBOX" : "answered by errors";
    return link->connection.fd < 0 ? strerror(-link->connection.failure) : "no reply";
}

static void handle_event(void *context, enum gap_event event, const struct gap *gap,
                         const struct gap_row *row)
{
    struct outage_run *run = context;

    if (event != GAP_LINE_BACK)
        blocks_check_again(&run->blocks);
    if (run->observer)
        run->observer->changed(&run->outage, event, gap, row, describe_wait(run, &row->line));
}

static void goes_on(const struct outage_run *run, const char *phase)
{
    if (run->observer)
        run->observer->goes_on(&run->outage, phase);
}

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

/* Mark all procedures as unproven, except GETATTR, which open_probe() calls. */
static void doubt_procedures(struct gaps *gaps)
{
    for (enum outage_procedure p = 0; p < OUTAGE_PROCEDURES; p++)
        gaps->unproven[p] = p != OUTAGE_GETATTR;
}

static int open_searches(struct outage_run *run, struct error *error)
{
    const uint64_t period = (uint64_t)(1e9 / run->plan->rate);
    const uint64_t pause = period > SEARCH_PAUSE_NS ? period : SEARCH_PAUSE_NS;

    run->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (run->wake_fd < 0)
        return error_set(error, ERROR_FAILED, -errno, "can't make an eventfd for the probe: %s",
                         strerror(errno));
    search_open(&run->server_search, SEARCH_SERVER, run->wake_fd, SECOND_NS);
    search_open(&run->file_search, SEARCH_FILE, run->wake_fd, pause);
    return 0;
}

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
        gaps_open(&run->outage.gaps, lines, plan->threshold_ns, handle_event, run) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the probe");
    doubt_procedures(&run->outage.gaps);
    return open_searches(run, error);
}

/* Check that a READ returns as many bytes as a WRITE sends, and set RUN's read_ns. */
static int check_read_size(struct outage_run *run, struct error *error)
{
    const struct nfs_objects *objects = &run->setup.objects;
    const uint64_t began_ns = clock_raw_ns();
    struct nfs_read_data read = {.bytes = NULL};
    int code = nfs_read(run->setup.clients[SERVICE_NFS], &objects->scratch_file, 0,
                        run->blocks.size, objects->scratch_file_path, &read, error);

    run->read_ns = clock_raw_ns() - began_ns;
    free(read.bytes);
    if (code == 0 && read.count < run->blocks.size)
        code = error_set(error, ERROR_USAGE, -E2BIG,
                         "READ of %u bytes returned %u: the size exceeds this server's rtmax; use "
                         "--size %u",
                         run->blocks.size, read.count, read.count / 8 * 8);
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
                                .file = {.handle = node.handle, .id = node.id},
                                .wake_fd = run->wake_fd};
    return probe_open(&run->probe, &run->setup.mount.nfs, &options, run->plan->connections,
                      run->plan->rate, error);
}

/* Return the estimated time for removing the directory and unmounting, in ns. */
static uint64_t afterwards_ns(const struct outage_run *run)
{
    enum { ROUND_TRIPS = 12 };

    return ROUND_TRIPS * run->read_ns;
}

/* Check that there is time for a few calls of each procedure and for the clean-up. */
static int check_time(const struct outage_run *run, struct error *error)
{
    enum { CALLS = 8 };
    const struct run_plan *plan = &run->plan->run;
    const uint64_t left = deadline_left_ns(&plan->deadline);
    const uint64_t least = CALLS * run->read_ns + afterwards_ns(run);

    if (left >= least)
        return 0;
    return error_set(
        error, ERROR_USAGE, -EOVERFLOW,
        "%g s are too short for a measurement, since a call takes %.3g ms; use --max-time %.0fs",
        (double)plan->maximum_ns / 1e9, (double)run->read_ns / 1e6,
        ceil(1.2 * (double)(plan->maximum_ns - left + least) / 1e9));
}

int outage_run_open(struct outage_run *run, const struct outage_plan *plan,
                    const struct outage_observer *observer, struct error *error)
{
    int code;

    memset(run, 0, sizeof *run);
    run->plan = plan;
    run->observer = observer;
    run->wake_fd = -1;
    code = setup_open(&run->setup, &plan->run, NULL, error);
    if (code == 0)
        code = open_records(run, error);
    if (code == 0)
        code = open_probe(run, error);
    if (code == 0)
        code = check_time(run, error);
    setup_lift_deadline(&run->setup);
    run->setup.healthy = code == 0 || code == -EINTR;
    return code;
}

/* Probing */

/* If a search found the server, use its endpoint, which may have changed. */
static void take_server(struct outage_run *run)
{
    if (search_use_result(&run->server_search, &run->setup, false))
        probe_move(&run->probe, &run->setup.mount.nfs);
}

/* Use the file FOUND. If its handle is new, but the server did not call the old handle stale, the
 * old handle may have led to another file. The blocks written since PROBE's right_ns may be in that
 * file, so forget them. */
static void use_file(struct outage_run *run, const struct probe_file *found)
{
    const struct probe *probe = &run->probe;

    if (!probe->is_stale && !nfs_handle_equal(&found->handle, &probe->file.handle))
        blocks_forget_since(&run->blocks, probe->right_ns);
    probe_move(&run->probe, &run->setup.mount.nfs);
    probe_use(&run->probe, found);
}

/* If a search found the file, use it and return true; else return false. WAIT: wait for the end of
 * a running search first. */
static bool take_file(struct outage_run *run, bool wait)
{
    const struct search *search = &run->file_search;
    struct probe_file file = run->probe.file;
    uint64_t lost = 0;

    if (!search_use_result(&run->file_search, &run->setup, wait))
        return false;
    if (search->file_is_new) {
        file.generation++;
        lost = blocks_lose_all(&run->blocks);
    }
    file.handle = run->setup.objects.scratch_file;
    file.id = search->file_id;
    use_file(run, &file);
    run->outage.found_again++;
    run->outage.made_again += search->directory_is_new;
    if (run->observer)
        run->observer->found(search->file_is_new, lost);
    return true;
}

static void begin_searches(struct outage_run *run, uint64_t now)
{
    const struct probe *probe = &run->probe;
    const uint64_t lost_for = probe_lost_for(probe, now);

    if (lost_for > 0 || (probe->is_stale && !run->was_stale))
        search_reset_pause(&run->file_search);
    run->was_stale = probe->is_stale;
    if (lost_for > SEARCH_S * SECOND_NS)
        search_begin(&run->server_search, &run->setup);
    else if ((probe->is_stale || probe->is_doubted) && lost_for == 0)
        search_begin(&run->file_search, &run->setup);
}

static int look_around(struct outage_run *run, uint64_t now, struct error *error)
{
    int code = probe_reconnect(&run->probe, error);

    begin_searches(run, now);
    take_server(run);
    if (take_file(run, false) && code == 0)
        code = probe_call_waiting(&run->probe, error);
    if (now < run->next_look_ns)
        return code;
    run->next_look_ns = now + LOOK_NS;
    goes_on(run, "probing");
    probe_check_connections(&run->probe);
    gaps_find_waiting(&run->outage.gaps, clock_raw_ns());
    return code;
}

/* If the time from BEGAN to NOW is half a gap's threshold or more, this process was blocked or did
 * not run. Count this as a stall, which begins no gap. */
static void excuse_stall(struct outage_run *run, uint64_t began, uint64_t now)
{
    if (now - began < run->plan->threshold_ns / 2)
        return;
    run->outage.stalls++;
    run->outage.stalled_ns += now - began;
    gaps_excuse(&run->outage.gaps, now);
}

/* Return whether the probe has to end: after a signal, or when the time that is left is needed for
 * the clean-up and for reading back all blocks, for which READ_BACK_S is the maximum. Without a
 * signal, the probe does not end before half of the time between its begin and the deadline. */
static bool is_over(const struct outage_run *run)
{
    const struct deadline *deadline = &run->plan->run.deadline;
    const uint64_t left = deadline_left_ns(deadline), read_back = run->blocks.count * run->read_ns;
    const uint64_t most = READ_BACK_S * SECOND_NS;

    return deadline_is_over(deadline) ||
           (left < afterwards_ns(run) + (read_back < most ? read_back : most) &&
            left < deadline_now_ns() - run->outage.began_ns);
}

/* Reading back */

/* Open CLIENT, a new connection with a deadline, because the server may be away. */
static int open_reader(const struct outage_run *run, struct rpc_client **client,
                       struct error *error)
{
    struct channel_options options =
        setup_secure(&run->setup, SERVICE_NFS, &run->setup.mount.options.channel);

    options.timeout_ns = SECOND_NS;
    options.deadline = (struct deadline){.at_ns = run->plan->run.deadline.at_ns};
    if (options.deadline.at_ns)
        /* leave time for the clean-up, but add a second because reading back may begin late */
        options.deadline.at_ns += SECOND_NS - afterwards_ns(run);
    options.deadline = deadline_within(&options.deadline, READ_BACK_S * SECOND_NS);
    return rpc_client_open(client, &run->setup.mount.nfs, &run->setup.mount.options.identity,
                           &options, error);
}

static int read_back(struct outage_run *run, struct rpc_client *client, size_t index, bool is_sure,
                     struct error *error)
{
    const struct nfs_objects *objects = &run->setup.objects;
    struct nfs_read_data read;
    int code = nfs_read(client, &objects->scratch_file, index * (uint64_t)run->blocks.size,
                        run->blocks.size, objects->scratch_file_path, &read, error);

    if (code)
        return code;
    blocks_end_read(&run->blocks, index, read.bytes, read.count, is_sure);
    free(read.bytes);
    return 0;
}

/* Read all stable data again. If IS_SURE (the file was just found), blocks with wrong data count as
 * lost. Stops at the first block that cannot be read. Returns 0, or a negative errno with ERROR
 * set. */
static int read_stable(struct outage_run *run, bool is_sure, struct error *error)
{
    struct rpc_client *client = NULL;
    int code = open_reader(run, &client, error);

    for (long i = blocks_next_stable(&run->blocks, -1); i >= 0 && code == 0;
         i = blocks_next_stable(&run->blocks, i))
        code = read_back(run, client, (size_t)i, is_sure, error);
    rpc_client_close(client);
    return code;
}

static bool find_file_again(struct outage_run *run)
{
    search_end(&run->file_search);
    search_reset_pause(&run->file_search);
    run->file_search.next_ns = 0;
    search_begin(&run->file_search, &run->setup);
    return take_file(run, true);
}

/* Read all stable data back. If reading fails with ERROR_FAILED or data are wrong, find the file
 * and read all again. */
static void read_all_back(struct outage_run *run)
{
    struct error error;
    int code;

    goes_on(run, "reading the data back");
    blocks_check_again(&run->blocks);
    code = read_stable(run, false, &error);
    if ((code == 0 && blocks_unchecked(&run->blocks) > 0) || (code && error.kind == ERROR_FAILED))
        code = find_file_again(run) ? read_stable(run, true, &error) : code;
    run->outage.unchecked = blocks_unchecked(&run->blocks);
}

/* Set LACKING of procedures that never worked by NOW, to the first error. Without an error, set it
 * to "no reply", but only if no gap is open. */
static void name_unproven(struct outage *outage, uint64_t now)
{
    for (enum outage_procedure p = 0; p < OUTAGE_PROCEDURES; p++) {
        struct outage_calls *calls = &outage->calls[p];

        if (calls->lacking || !gaps_never_worked(&outage->gaps, p, now))
            continue;
        if (calls->tally.failed > 0)
            calls->lacking = nfs_status_name(calls->tally.errors[0].status, calls->lacking_room);
        else if (!outage->gaps.is_open)
            calls->lacking = "no reply";
    }
}

static void finish_probing(struct outage_run *run)
{
    const uint64_t now = clock_raw_ns();

    run->outage.duration = (double)(now - run->outage.began_ns) / 1e9;
    gaps_finish(&run->outage.gaps, now);
    name_unproven(&run->outage, now);
    probe_finish(&run->probe);
    take_file(run, true);
    if (run->probe.is_stale) /* removing the scratch directory needs a valid handle */
        find_file_again(run);
    run->setup.healthy = !run->outage.gaps.is_open;
    read_all_back(run);
    run->outage.uncommitted = run->blocks.uncommitted;
}

int outage_run_probe(struct outage_run *run, struct error *error)
{
    uint64_t began = clock_raw_ns(), now = began;
    int code = 0;

    while (code == 0 && !is_over(run)) {
        code = probe_send_due(&run->probe, now, error);
        if (code == 0)
            code = probe_wait(&run->probe, error);
        now = clock_raw_ns();
        excuse_stall(run, began, now);
        if (code == 0)
            code = look_around(run, now, error);
        began = clock_raw_ns();
    }
    finish_probing(run);
    if (code || (run->plan->run.deadline.at_ns && run_plan_is_stopped(&run->plan->run)))
        run->outage.cut_short_by = code ? error->text : "interrupted";
    return code;
}

void outage_run_close(struct outage_run *run)
{
    search_end(&run->server_search);
    search_end(&run->file_search);
    if (run->wake_fd >= 0)
        close(run->wake_fd);
    probe_close(&run->probe);
    setup_close(&run->setup);
    blocks_close(&run->blocks);
    gaps_close(&run->outage.gaps);
}
