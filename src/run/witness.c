#include "run/witness.h"

#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>

#include "common/address.h"

#define LOOK_NS UINT64_C(1000000000)

enum { TRIALS = 5 };

static void begin_to_follow(struct witness *witness, pid_t server)
{
    witness->server = calloc(1, sizeof *witness->server);
    if (!witness->server)
        return;
    busy_open(witness->server, server);
    busy_begin(witness->server);
}

static void bind_thread(pid_t pid, pid_t thread, void *context)
{
    const int *cpu = context;
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET((unsigned)*cpu, &set);
    sched_setaffinity(thread, sizeof set, &set);
}

void witness_follow(struct witness *witness)
{
    const uint64_t now = clock_raw_ns();
    int cpu;

    if (!witness || !witness->server || now - witness->looked_ns < LOOK_NS)
        return;
    witness->looked_ns = now;
    busy_end(witness->server);
    busy_begin(witness->server);
    cpu = busy_last_cpu(witness->server);
    if (cpu < 0 || cpu == witness->cpu)
        return;
    witness->cpu = cpu;
    process_each_thread(witness->echo.process.pid, bind_thread, &cpu);
}

static pid_t find_server(const struct setup *setup)
{
    const struct endpoint endpoint = setup_endpoint(setup, SERVICE_NFS);
    const pid_t known = setup_server_pid(setup);

    if (!address_is_local(&endpoint.address))
        return 0;
    return known ? known
                 : process_of_port(address_port(&endpoint.address),
                                   endpoint.transport == TRANSPORT_UDP);
}

static bool is_wanted(const struct series_set *set)
{
    const struct run_plan *plan = set->plan;
    struct error ignored;

    return set->baseline && !set->mix && !plan->no_model && !plan->no_control &&
           self_check(&ignored) == 0;
}

static bool has_echo(const struct run_series *series)
{
    const bool is_single = series->service == SERVICE_NFS && !series->call.engine.sequence;

    return is_single && (series->role == SERIES_NULL || series->role == SERIES_OP);
}

static int add_echo_series(struct series_set *set, const struct run_series *of, struct error *error)
{
    const struct series_request request = {SERIES_ECHO, of->name,
                                           .procedure = nfs_procedure_find("null")};
    int code = series_set_add(set, &request, error);

    if (code)
        return code;
    code = echo_run_message(&set->witness->echo, &of->call, &series_set_last(set)->echo, error);
    if (code)
        series_set_drop_last(set);
    return code == -EMSGSIZE ? 0 : code;
}

/* Make TRIALS exchanges of SERIES, and set its TRIED_NS to the duration of the last exchange. */
static int try_echo_series(struct witness *witness, struct run_series *series,
                           const struct clock *clock, struct error *error)
{
    uint64_t ticks = 0;
    int code = 0;

    for (int i = 0; i < TRIALS && code >= 0; i++)
        code = echo_run_exchange(&witness->echo, &series->echo, clock, &ticks, error);
    series->tried_ns = (uint64_t)clock_sample_ns(clock, ticks);
    return code < 0 ? code : 0;
}

static int add_witness_series(struct series_set *set, struct error *error)
{
    const size_t first = set->count;
    size_t longest = 0;
    int code = 0;

    for (size_t i = 0; i < first && code == 0; i++)
        if (has_echo(set->series[i]))
            code = add_echo_series(set, set->series[i], error);
    for (size_t i = first; i < set->count; i++)
        longest = set->series[i]->echo.answer > longest ? set->series[i]->echo.answer : longest;
    if (code == 0)
        code = echo_run_connect(&set->witness->echo, set->setup, longest, set->clock, error);
    for (size_t i = first; i < set->count && code == 0; i++)
        code = try_echo_series(set->witness, set->series[i], set->clock, error);
    return code;
}

static int start_witness(struct series_set *set, pid_t server, struct error *error)
{
    const struct setup *setup = set->setup;
    struct witness *witness = calloc(1, sizeof *witness);

    set->witness = witness;
    if (!witness)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the witness");
    witness->cpu = setup->plan->target.self ? setup->self.pinned_cpu : process_busiest_cpu(server);
    if (!setup->plan->target.self)
        begin_to_follow(witness, server);
    return echo_run_open(&witness->echo, NULL, setup, SERVICE_NFS, witness->cpu, error);
}

int witness_open(struct series_set *set, struct error *error)
{
    const size_t count = set->count;
    const pid_t server = is_wanted(set) ? find_server(set->setup) : 0;
    int code = server ? start_witness(set, server, error) : 0;

    if (server && code == 0)
        code = add_witness_series(set, error);
    if (code == 0 || code == -EINTR || code == -ENOMEM)
        return code;
    while (set->count > count)
        series_set_drop_last(set);
    witness_close(set->witness);
    set->witness = NULL;
    run_plan_notice(set->plan, "the loop that shows changes of the machine's speed is not used: %s",
                    error->text);
    return 0;
}

int witness_run(struct witness *witness, const struct run_series *series, const struct clock *clock,
                struct block *block, struct error *error)
{
    uint64_t ticks;
    int code = 0;

    block->recorded = 0;
    for (size_t i = 0; i < block->count && code >= 0 && !witness->failed; i++) {
        code = echo_run_exchange(&witness->echo, &series->echo, clock, &ticks, error);
        if (code == 0)
            block->ticks[block->recorded++] = ticks;
    }
    if (code == -EINTR)
        return code;
    if (code < 0 || block->recorded == 0) {
        witness->failed = true;
        block->ticks[0] = 0;
        block->recorded = 1;
    }
    return 0;
}

pid_t witness_pid(const struct witness *witness)
{
    return witness ? witness->echo.process.pid : 0;
}

void witness_close(struct witness *witness)
{
    if (!witness)
        return;
    echo_run_close(&witness->echo);
    free(witness->server);
    free(witness);
}
