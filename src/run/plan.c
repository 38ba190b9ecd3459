#include "run/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/counted.h"
#include "common/cpu.h"
#include "common/descriptors.h"
#include "engine/wire/connection.h"
#include "engine/worker.h"
#include "run/local_ops.h"
#include "run/mount_calls.h"

enum {
    OPEN_LOOP_DEPTH = 1024,
    CONNECTIONS_MAXIMUM = 100000,
    THREADS_MAXIMUM = 4096,
    LOCAL_THREADS_MAXIMUM = 1024,
};

static int refuse_usage(struct error *error, const char *text)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "%s", text);
}

static int settle_depth(const char *engine, const struct worker_type *worker, struct load *load,
                        struct error *error)
{
    if (load->depth == 0)
        load->depth = load->rate > 0 ? OPEN_LOOP_DEPTH : 1;
    if (load->depth > worker->depth_maximum)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--depth %u: engine %s has at most %s in flight on a connection; lower "
                         "--depth, or use --engine wire",
                         load->depth, engine, counted(worker->depth_maximum, "call").text);
    return 0;
}

static int settle_batch(const struct engine_type *engine, struct load *load, struct error *error)
{
    if (load->batch <= 1) {
        load->batch = 1;
        return 0;
    }
    if (load->batch > load->depth / 2 || load->rate > 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--batch %u needs a closed loop with at least twice as many calls in "
                         "flight: use --depth %u or more",
                         load->batch, 2 * load->batch);
    if (!engine->worker || !engine->worker->takes_batches)
        return refuse_usage(error, "--batch needs --engine wire");
    return 0;
}

/* Let LOAD use the processors that this thread may use, up to LOAD_CPUS_MAXIMUM. With SELF, leave
 * out the last one of several processors, because the embedded server runs there. */
static void take_allowed_cpus(struct load *load, bool self)
{
    unsigned last = cpu_allowed_edge(1);

    for (unsigned cpu = 0; cpu <= last && load->cpu_count < LOAD_CPUS_MAXIMUM; cpu++)
        if (cpu_is_allowed(cpu) && (cpu != last || !self || last == cpu_allowed_edge(0)))
            load->cpus[load->cpu_count++] = (uint16_t)cpu;
}

static int settle_threads(const struct worker_type *worker, struct load *load, struct error *error)
{
    unsigned connections = load->clients * load->connections;

    if (worker->one_connection && load->threads && load->threads != connections)
        return refuse_usage(
            error, "--threads: this engine has one thread per connection; leave out --threads");
    if (worker->one_connection)
        load->threads = connections;
    else if (!load->threads)
        load->threads = load->cpu_count < load->clients ? load->cpu_count : load->clients;
    if (load->threads > load->clients && !worker->one_connection)
        return error_set(error, ERROR_USAGE, -EINVAL, "--threads %u: the maximum for %s is %u",
                         load->threads, counted(load->clients, "client").text, load->clients);
    if (load->threads > THREADS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "%u threads are too many; the maximum is %d",
                         load->threads, THREADS_MAXIMUM);
    return 0;
}

static int settle_cpus_and_threads(const struct worker_type *worker, bool self, struct load *load,
                                   struct error *error)
{
    const bool chosen = load->cpu_count > 0;
    int code;

    if (!chosen)
        take_allowed_cpus(load, self);
    code = settle_threads(worker, load, error);
    if (!chosen && !self)
        load->cpu_count = 0; /* do not bind threads, because some processors may have other work */
    return code;
}

/* Check the limit of descriptors in advance, because making many connections takes long. */
static int check_descriptors(const struct load *load, bool self, struct error *error)
{
    /* Numbers of descriptors that are not connections: in this process, and in an embedded server,
     * to which the same limit applies. */
    enum { OTHERS = 8, OTHERS_OF_SERVER = 14 };
    const unsigned others = self ? OTHERS_OF_SERVER : OTHERS;
    const uint64_t connections = (uint64_t)load->clients * load->connections;
    const unsigned long long limit = descriptors_limit();

    if (limit == 0 || connections + others <= limit)
        return 0;
    return error_set(error, ERROR_USAGE, -EMFILE,
                     "%s and %u other files need a file descriptor each, and this process may have "
                     "%llu (RLIMIT_NOFILE): raise the limit ('ulimit -n')%s",
                     counted(connections, "connection").text, others, limit,
                     connections > 1 ? ", or lower --clients or --connections" : "");
}

/* Set LOAD for ENGINE to REQUEST, and choose each number that is 0. If REQUEST names no processors,
 * LOAD's threads are bound only with SELF, to the processors of take_allowed_cpus(). LOAD keeps its
 * seed and ranks. Returns 0, or -EINVAL or -EMFILE with ERROR set (ERROR_USAGE). */
static int determine_load(const struct load *request, const struct engine_type *engine, bool self,
                          struct load *load, struct error *error)
{
    const struct worker_type *worker = engine->worker ? engine->worker : &worker_solo;
    const struct load before = *load;
    int code;

    *load = *request;
    load->seed = before.seed;
    load->ranks = before.ranks;
    load->clients += load->clients == 0;
    load->connections += load->connections == 0;
    if ((uint64_t)load->clients * load->connections > CONNECTIONS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "more than %d connections are too many",
                         CONNECTIONS_MAXIMUM);
    if (load->rate > 0 && !worker->open_loop)
        return refuse_usage(error, "--rate needs --engine wire");
    if (load->shared_contexts && !(engine->worker && engine->worker->takes_batches))
        return refuse_usage(error, "--contexts shared needs --engine wire");
    code = settle_depth(engine->name, worker, load, error);
    if (code == 0)
        code = settle_batch(engine, load, error);
    if (code == 0)
        code = settle_cpus_and_threads(worker, self, load, error);
    return code ? code : check_descriptors(load, self, error);
}

void run_plan_set_time(struct run_plan *plan, uint64_t maximum_ns)
{
    plan->maximum_ns = maximum_ns;
    plan->deadline.at_ns =
        maximum_ns ? plan->began_ns + (plan->over_ns ? plan->over_ns : maximum_ns) : 0;
}

static bool takes_mixes(const struct engine_type *engine)
{
    return !engine->worker || engine->worker->takes_steps;
}

static int settle_load(struct run_plan *plan, struct error *error)
{
    int code;

    plan->load_request.shared_contexts = plan->contexts == LOAD_CONTEXTS_SHARED;
    code = determine_load(&plan->load_request, plan->engine, plan->target.self, &plan->load, error);
    if (code || !run_plan_makes_load(plan))
        return code;
    if (identity_needs_kerberos(&plan->identity) && plan->target.transport != TRANSPORT_TCP)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "several calls in flight with --sec krb5, krb5i or krb5p need TCP; leave "
                         "out --proto udp");
    if (plan->verify_in_time)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--check-in-time is for one call at a time; leave out --clients, "
                         "--connections, --depth and --rate");
    if (plan->load.batch > 1 && (plan->spin || plan->target.transport != TRANSPORT_TCP))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--batch is for a client that sleeps over TCP; leave out %s",
                         plan->spin ? "--spin" : "UDP");
    if (plan->mix_name && !takes_mixes(plan->engine))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "engine %s makes calls of one procedure at a time; a mix under load needs "
                         "--engine wire",
                         plan->engine->name);
    plan->no_model = true; /* the model does not cover several calls in flight */
    return 0;
}

static int check_sizes(const struct run_plan *plan, struct error *error)
{
    if (plan->read_size == 0 || plan->read_size > NFS3_DATA_MAXIMUM)
        return refuse_usage(error, "--size must be 1 byte to 16 MiB");
    if (plan->file_size % plan->read_size != 0 && plan->files > 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--file-size must be a multiple of --size, %u bytes", plan->read_size);
    return 0;
}

/* Check whether PLAN can make PROCEDURE, an op of several calls: the engine must support such ops,
 * and the load must be a closed loop of one connection without batches. Several calls may be in
 * flight only if PROCEDURE's sequence is WIDE. */
static int check_sequence(const struct run_plan *plan, const struct nfs_procedure *procedure,
                          struct error *error)
{
    const struct load *load = &plan->load;

    if (!plan->engine->takes_sequences)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%s is several calls, which need --engine wire", procedure->op);
    if (load->clients * load->connections > 1 || load->rate > 0 || load->batch > 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%s is several calls of one client; leave out --clients, --connections, "
                         "--batch and --rate",
                         procedure->op);
    if (load->depth > 1 && !procedure->sequence->wide)
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "%s is several calls, each of which waits for the previous one; leave out --depth",
            procedure->op);
    return 0;
}

static int check_sequences(const struct run_plan *plan, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < plan->op_count && code == 0; i++)
        if (plan->ops[i]->sequence)
            code = check_sequence(plan, plan->ops[i], error);
    return code;
}

/* Choose the default pattern unless the user chose one. If each place in files is to be accessed
 * only once (--cold), leave out warm-up, cost model and ledger, because their calls access
 * places. */
static void settle_working_set(struct run_plan *plan)
{
    struct nfs_working_set *set = &plan->working_set;

    if (!set->chosen)
        set->pattern.kind = plan->files || plan->tree || set->once ? PATTERN_RANDOM : PATTERN_SAME;
    if (set->once)
        plan->no_model = plan->no_ledger = plan->no_warmup = true;
}

static int check_system_calls(const struct run_plan *plan, struct error *error)
{
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i]->on_mount_only && !plan->target.mounted)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "%s is a system call of two RPCs, which needs a directory on an NFS "
                             "mount as target; see doc/MOUNTED.md",
                             plan->ops[i]->op);
    return 0;
}

static bool has_local_op(const struct run_plan *plan)
{
    for (size_t i = 0; i < plan->op_count; i++)
        if (local_op_find(plan->ops[i]->op))
            return true;
    return false;
}

/* Can PLAN's mix be made on local files? It can if all its calls are READs and WRITEs on files that
 * the run makes, in random order. */
static bool has_local_mix(const struct run_plan *plan)
{
    bool all = plan->files && !plan->mix.ordered;

    for (size_t i = 0; i < plan->op_count; i++) {
        const struct local_op *op = local_op_find(plan->ops[i]->op);

        all = all && op && op->kind != LOCAL_COMMIT;
    }
    return all;
}

static int check_local(const struct run_plan *plan, struct error *error)
{
    uint64_t in_flight = load_in_flight(&plan->load);

    if (!plan->baseline_directory)
        return 0;
    if (plan->target.mounted)
        return refuse_usage(
            error, "--baseline-dir compares NFS with local files; leave out a mount as target");
    if (plan->mix_name && !has_local_mix(plan))
        return refuse_usage(error,
                            "--baseline-dir with a mix is for reads and writes in random order on "
                            "files of the run; leave out other ops, and give --files");
    if (!has_local_op(plan))
        return refuse_usage(error, "--baseline-dir is for read, write, write-data-sync, "
                                   "write-file-sync and commit; name one of these ops");
    if (in_flight > LOCAL_THREADS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--baseline-dir: %" PRIu64 " calls in flight need as many threads; the "
                         "maximum is %d",
                         in_flight, LOCAL_THREADS_MAXIMUM);
    return 0;
}

int run_plan_complete(struct run_plan *plan, struct error *error)
{
    int code = check_sizes(plan, error);

    settle_working_set(plan);
    if (code == 0)
        code = settle_load(plan, error);
    if (code == 0)
        code = check_sequences(plan, error);
    if (code == 0)
        code = check_local(plan, error);
    if (code == 0)
        code = check_system_calls(plan, error);
    if (code || !plan->target.mounted)
        return code;
    return plan->engine->mount->settle(plan, error);
}

uint64_t run_plan_file_size(const struct run_plan *plan)
{
    const uint64_t usual = 64 << 10;

    if (plan->file_size)
        return plan->file_size;
    return plan->read_size > usual ? plan->read_size : usual / plan->read_size * plan->read_size;
}

enum { LINE_SIZE = 2048 };

void run_plan_notice(const struct run_plan *plan, const char *format, ...)
{
    char line[LINE_SIZE];
    va_list arguments;

    if (plan->quiet || !plan->observer)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    plan->observer->notice(plan->observer->context, line);
}

void run_plan_warn(const struct run_plan *plan, const char *format, ...)
{
    char line[LINE_SIZE];
    va_list arguments;

    if (!plan->observer)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    plan->observer->warning(plan->observer->context, line);
}

double run_plan_rounds_ns(const struct run_plan *plan)
{
    const struct run_share *share = &plan->share;
    const double parts = fmax(1, share->launches) * fmax(1, share->parts);

    if (plan->part_ns)
        return (double)plan->part_ns;
    return plan->deadline.at_ns ? (double)deadline_left_ns(&plan->deadline) / parts
                                : (double)plan->maximum_ns;
}

bool run_plan_is_stopped(const struct run_plan *plan)
{
    return deadline_is_stopped(&plan->deadline);
}

bool run_plan_makes_load(const struct run_plan *plan)
{
    return !load_is_single(&plan->load);
}

bool run_plan_skips_named(const struct run_plan *plan)
{
    return !plan->strict && plan->load.ranks <= 1;
}

bool run_plan_transfers(const struct run_plan *plan, enum nfs_transfer transfer)
{
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i]->transfer == transfer)
            return true;
    return false;
}

const char *run_plan_sequence(const struct run_plan *plan)
{
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i]->sequence)
            return plan->ops[i]->op;
    return NULL;
}

bool run_plan_needs_scratch(const struct run_plan *plan)
{
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i]->changes)
            return true;
    return plan->directory_size > 0 || plan->files > 0;
}
