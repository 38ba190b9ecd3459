#include "mpi/ranks_part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void describe_ops(struct result_rank *rank, const struct result *result)
{
    for (size_t i = 0; i < result->op_count && i < RESULT_RANK_OPS_MAXIMUM; i++) {
        const struct result_op *op = &result->ops[i];

        rank->ops[i] = (struct result_rank_op){.calls = op->calls,
                                               .timed = op->timed,
                                               .failed = op->failed,
                                               .rate_per_s = op->rate_per_s,
                                               .mean = op->latency.mean,
                                               .p50 = op->latency.p50,
                                               .p99 = op->latency.p99};
    }
}

static void describe_rank(struct result_rank *rank, const struct result *result, const char *host)
{
    const struct validity *validity = &result->validity;

    snprintf(rank->host, sizeof rank->host, "%s", host);
    rank->client_cpu_share = result->client_cpu_share;
    rank->verdict = validity->verdict;
    rank->reason_count = validity->count;
    for (size_t i = 0; i < validity->count; i++) {
        struct result_rank_reason *reason = &rank->reasons[i];

        reason->verdict = validity->reasons[i].verdict;
        snprintf(reason->name, sizeof reason->name, "%s", validity->reasons[i].name);
        snprintf(reason->text, sizeof reason->text, "%s", validity->reasons[i].text);
    }
    describe_ops(rank, result);
}

static void write_head(const struct session *session, const struct result *result, const char *host,
                       FILE *out)
{
    static struct part_head head; /* static, so that padding and unset members are 0 */

    describe_rank(&head.rank, result, host);
    head.rounds = session->measuring.rounds.done;
    head.series = session->set.count;
    head.began_ns = session->measuring.began_ns;
    head.ns_per_tick = session->clock.ns_per_tick;
    head.threads = session->plan->load.threads;
    head.tls = contexts_run_tls_counts(&session->contexts, &session->setup);
    for (size_t i = COUNTERS_FIRST_OF_PROCESS; i < COUNTERS; i++)
        head.process[i] = session->readings.after.values[i] - session->readings.before.values[i];
    fwrite(&head, sizeof head, 1, out);
}

static void write_series(const struct session *session, const struct result *result, size_t index,
                         FILE *out)
{
    static struct part_series part;

    part.series = session->measuring.rounds.series[index];
    part.tally = session->set.series[index]->tally;
    engine_gaps_convert(&part.tally.gaps, session->readings.clock_check.first_ticks,
                        session->clock.ns_per_tick, 0); /* to ns: other ranks have other clocks */
    part.load = *session->set.series[index]->load;
    part.rate_per_s = result->ops[index].rate_per_s;
    fwrite(&part, sizeof part, 1, out);
    for (size_t s = 0; s < BLOCK_STATISTICS; s++)
        fwrite(part.series.blocks[s], sizeof(double), session->measuring.rounds.done, out);
    fwrite(part.load.clients, sizeof *part.load.clients, session->plan->load.clients, out);
    fwrite(part.load.timeline.points, sizeof *part.load.timeline.points, part.load.timeline.count,
           out);
}

int part_write(const struct session *session, const struct result *result, const char *host,
               char **data, size_t *size)
{
    FILE *out = open_memstream(data, size);
    bool failed;

    if (!out)
        return -ENOMEM;
    write_head(session, result, host, out);
    for (size_t i = 0; i < session->set.count; i++)
        write_series(session, result, i, out);
    failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return 0;
    free(*data);
    *data = NULL;
    return -ENOMEM;
}

const void *part_skip(struct part_reader *reader, size_t count, size_t size)
{
    const char *at = reader->at;

    if (count > reader->left / size)
        return NULL;
    reader->at += count * size;
    reader->left -= count * size;
    return at;
}

int part_read(struct part_reader *reader, void *out, size_t size)
{
    const void *at = part_skip(reader, 1, size);

    if (!at)
        return -EBADMSG;
    memcpy(out, at, size);
    return 0;
}
