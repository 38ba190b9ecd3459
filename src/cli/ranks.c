#include "cli/ranks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/session.h"
#include "common/hash.h"

int ranks_meet(struct ranks *ranks, int code, uint64_t *least, struct error *error)
{
    return ranks ? ranks->meet(ranks, code, least, error) : code;
}

static int refuse(const struct ranks *ranks, const struct settings *settings, struct error *error)
{
    if (settings->target.self && ranks->count > 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "self: would be another server for each rank; start 'nfsbench serve' and "
                         "give its host and ports");
    if (settings->mix_name)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "a mix goes with nfsbench, and not with ranks");
    if (settings->server_command || settings->server_pid)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--server-cmd and --server-pid are for the ledger, which counts for one "
                         "client at a time; use them with nfsbench");
    return 0;
}

/* A rank may be late by the silence of its server. */
static uint64_t patience(const struct settings *settings)
{
    const uint64_t least = UINT64_C(10000000000);
    bool udp = settings->target.transport == TRANSPORT_UDP;

    return least + (settings->timeout_ns << (udp ? settings->retransmissions + 1 : 1));
}

int ranks_prepare(struct ranks *ranks, struct settings *settings, struct error *error)
{
    static char scratch[NFS_NAME_SIZE];
    int code;

    ranks->patience_ns = patience(settings);
    code = refuse(ranks, settings, error);
    settings->load.ranks = ranks->count;
    settings->no_model = true;
    settings->no_ledger = true;
    settings->quiet = settings->quiet || ranks->rank > 0;
    if (settings->scratch) { /* each has its own */
        snprintf(scratch, sizeof scratch, "%.200s-%u", settings->scratch, ranks->rank);
        settings->scratch = scratch;
    }
    return code;
}

int ranks_agree_seed(struct ranks *ranks, struct settings *settings, int code, struct error *error)
{
    code = ranks_meet(ranks, code, &settings->seed, error);
    settings->load.seed = settings->seed + ranks->rank; /* arrivals are each one's own */
    return code;
}

/* A number that differs where what is to be measured differs. */
static uint64_t digest(const struct session *session)
{
    const struct settings *settings = session->settings;
    const struct load *load = &settings->load;
    const struct hash_key key = {.words = {0, 0}};
    char text[2048];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%llu %d %u %u %u %f %d",
                         (unsigned long long)settings->calls, settings->no_warmup, load->clients,
                         load->connections, load->depth, load->rate, (int)load->arrival);

    for (size_t i = 0; i < session->series_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", session->series[i].name);
    return hash_bytes(&key, text, strlen(text));
}

/* Rank 0's digest counts: the others' part in the least of all is nothing. */
static int agree_digest(struct ranks *ranks, const struct session *session, struct error *error)
{
    uint64_t own = digest(session), first = ranks->rank == 0 ? own : UINT64_MAX;
    int code = ranks_meet(ranks, 0, &first, error);

    if (code == 0 && own != first)
        code = error_set(error, ERROR_USAGE, -EINVAL,
                         "does not measure what rank 0 does: the options, or the ops of a group "
                         "that can be had, differ");
    return ranks_meet(ranks, code, NULL, error);
}

int ranks_agree_blocks(struct ranks *ranks, struct session *session, int code, struct error *error)
{
    uint64_t block = session->block;

    code = ranks_meet(ranks, code, &block, error);
    if (code)
        return code;
    session->block = (uint32_t)block;
    return agree_digest(ranks, session, error);
}
