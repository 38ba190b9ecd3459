#include "mpi/ranks_agree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/hash.h"
#include "run/series/series.h"

static int refuse_plan(const struct ranks *ranks, const struct run_plan *plan, struct error *error)
{
    if (plan->target.self && ranks->count > 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "self: would start a separate server for each rank; start 'nfsbench "
                         "serve' and give its host and ports");
    if (plan->mix_name)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "nfsbench-mpi can't measure a mix; use nfsbench");
    return 0;
}

/* Return the timeout for waiting for another rank, ns. It is longer than the plan's timeout for a
 * reply, because the other rank may itself be waiting for a silent server. */
static uint64_t meeting_timeout(const struct run_plan *plan)
{
    const uint64_t least = UINT64_C(10000000000);
    bool udp = plan->target.transport == TRANSPORT_UDP;

    return least + (plan->timeout_ns << (udp ? plan->retransmissions + 1 : 1));
}

int ranks_prepare(struct ranks *ranks, struct run_plan *plan, struct error *error)
{
    static char scratch[NFS_NAME_SIZE];
    int code;

    ranks->timeout_ns = meeting_timeout(plan);
    code = refuse_plan(ranks, plan, error);
    plan->load.ranks = ranks->count;
    plan->load.rank = ranks->rank;
    plan->no_model = true;
    plan->no_ledger = true;
    plan->quiet = plan->quiet || ranks->rank > 0;
    if (plan->scratch) { /* each rank needs a scratch directory of its own */
        snprintf(scratch, sizeof scratch, "%.200s-%u", plan->scratch, ranks->rank);
        plan->scratch = scratch;
    }
    return code;
}

/* Set all deadlines to rank 0's remaining time, because clocks and start times differ. */
static int agree_deadline(struct ranks *ranks, struct run_plan *plan, int code, struct error *error)
{
    uint64_t left_ns = ranks->rank == 0 ? deadline_left_ns(&plan->deadline) : DEADLINE_NEVER;

    code = ranks_meet(ranks, code, &left_ns, error);
    plan->deadline.at_ns = left_ns == DEADLINE_NEVER ? 0 : deadline_now_ns() + left_ns;
    ranks->deadline = plan->deadline;
    return code;
}

int ranks_agree_plan(struct ranks *ranks, struct run_plan *plan, int code, struct error *error)
{
    code = ranks_meet(ranks, code, &plan->seed, error);
    plan->load.seed = plan->seed; /* seed of the shared schedule */
    return agree_deadline(ranks, plan, code, error);
}

/* Return a digest of COUNT, the use of a warm-up, the load, and the names of the series. */
static uint64_t digest_of_series(const struct series_set *set)
{
    const struct run_plan *plan = set->plan;
    const struct load *load = &plan->load;
    struct hash_key key = {.words = {0, 0}};
    char text[200];

    snprintf(text, sizeof text, "%llu %d %u %u %u %f %d", (unsigned long long)plan->calls,
             plan->no_warmup, load->clients, load->connections, load->depth, load->rate,
             (int)load->arrival);
    key.words[0] = hash_bytes(&key, text, strlen(text));
    for (size_t i = 0; i < set->count; i++)
        key.words[0] = hash_bytes(&key, set->series[i]->name, strlen(set->series[i]->name));
    return key.words[0];
}

/* Compare this rank's digest with rank 0's. ranks_meet() finds the minimum, so the other ranks
 * contribute UINT64_MAX. */
static int agree_digest(struct ranks *ranks, const struct series_set *set, struct error *error)
{
    uint64_t own = digest_of_series(set), first = ranks->rank == 0 ? own : UINT64_MAX;
    int code = ranks_meet(ranks, 0, &first, error);

    if (code == 0 && own != first)
        code = error_set(error, ERROR_USAGE, -EINVAL,
                         "measures something else than rank 0: the options, or the available ops "
                         "of a group, differ");
    return ranks_meet(ranks, code, NULL, error);
}

int ranks_agree_blocks(struct ranks *ranks, struct series_set *set, int code, struct error *error)
{
    uint64_t block = set->block;

    code = ranks_meet(ranks, code, &block, error);
    if (code)
        return code;
    series_set_block(set, (uint32_t)block);
    return agree_digest(ranks, set, error);
}
