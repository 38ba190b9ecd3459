#include "mpi/ranks_merge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/load.h"

/* The state of merging. */
struct merging {
    struct session *session;
    size_t clients; /* of each rank */
    size_t rank;    /* whose part is being merged */
    struct part_head head;
    struct part_series part;
    struct part_reader reader;
};

/* The doubles in a part may be unaligned. */
static double double_at(const char *values, size_t index)
{
    double value;

    memcpy(&value, values + index * sizeof value, sizeof value);
    return value;
}

/* Add up the values; they are divided when all parts have been added. */
static int add_blocks(struct merging *merging, struct series *sum)
{
    for (size_t s = 0; s < BLOCK_STATISTICS; s++) {
        const char *values = part_skip(&merging->reader, merging->head.rounds, sizeof(double));

        if (!values)
            return -EBADMSG;
        for (size_t round = 0; round < merging->session->measuring.rounds.done; round++)
            sum->blocks[s][round] += double_at(values, round);
    }
    return 0;
}

/* Convert times to rank 0's clock, on the assumption that both ranks began at the same time; they
 * did to about 0.1 ms. */
static struct slow_call translate(const struct merging *merging, struct slow_call call)
{
    call.block_began_ns += merging->session->measuring.began_ns - merging->head.began_ns;
    call.rank = (unsigned)merging->rank;
    return call;
}

static void add_slowest(const struct merging *merging, struct series *sum)
{
    const struct series *added = &merging->part.series;
    struct slow_call merged[ROUNDS_SLOWEST];
    size_t count = 0, own = 0, other = 0;

    while (count < ROUNDS_SLOWEST && (own < sum->slowest_count || other < added->slowest_count)) {
        bool take_own =
            other == added->slowest_count ||
            (own < sum->slowest_count && sum->slowest[own].ns >= added->slowest[other].ns);

        merged[count++] =
            take_own ? sum->slowest[own++] : translate(merging, added->slowest[other++]);
    }
    memcpy(sum->slowest, merged, count * sizeof *merged);
    sum->slowest_count = count;
}

/* Load */

static int add_clients(struct merging *merging, struct load_series *sum)
{
    double scale = merging->head.ns_per_tick / merging->session->clock.ns_per_tick;

    for (size_t i = 0; i < merging->clients; i++) {
        struct load_client *client = &sum->clients[merging->rank * merging->clients + i];
        int code = part_read(&merging->reader, client, sizeof *client);

        if (code)
            return code;
        client->ticks = (uint64_t)((double)client->ticks * scale);
    }
    return 0;
}

static double by_calls(const struct timeline_point *a, double x, const struct timeline_point *b,
                       double y)
{
    double calls = (double)(a->calls + b->calls);

    return calls > 0 ? ((double)a->calls * x + (double)b->calls * y) / calls : 0;
}

static void add_point(struct timeline_point *sum, const struct timeline_point *added)
{
    sum->p50 = by_calls(sum, sum->p50, added, added->p50);
    sum->p99 = by_calls(sum, sum->p99, added, added->p99);
    sum->calls += added->calls;
    sum->active_ns += added->active_ns;
}

static int add_timeline(struct merging *merging, struct timeline *sum)
{
    size_t own = 0, count = 0, added = merging->part.load.timeline.count;
    struct timeline_point *points = calloc(sum->count + added + 1, sizeof *points);

    for (size_t i = 0; points && i < added; i++) {
        struct timeline_point point;

        if (part_read(&merging->reader, &point, sizeof point) != 0) {
            free(points);
            return -EBADMSG;
        }
        while (own < sum->count && sum->points[own].step < point.step)
            points[count++] = sum->points[own++];
        points[count] = own < sum->count && sum->points[own].step == point.step
                            ? sum->points[own++]
                            : (struct timeline_point){.step = point.step};
        add_point(&points[count++], &point);
    }
    if (!points)
        return -ENOMEM;
    while (own < sum->count)
        points[count++] = sum->points[own++];
    free(sum->points);
    sum->points = points;
    sum->count = sum->capacity = count;
    return 0;
}

static int add_load(struct merging *merging, struct load_series *sum)
{
    const struct load_series *added = &merging->part.load;
    int code = add_clients(merging, sum);

    sum->calls += added->calls;
    sum->cpu_ns += added->cpu_ns;
    histogram_add(&sum->service, &added->service);
    histogram_add(&sum->lateness, &added->lateness);
    return code ? code : add_timeline(merging, &sum->timeline);
}

/* Parts */

static int add_series(struct merging *merging, size_t index)
{
    struct series *sum = &merging->session->measuring.rounds.series[index];
    struct run_series *series = merging->session->set.series[index];
    struct part_series *part = &merging->part;
    int code = part_read(&merging->reader, &merging->part, sizeof merging->part);

    if (code == 0)
        code = add_blocks(merging, sum);
    if (code)
        return code;
    histogram_add(&sum->histogram, &part->series.histogram);
    sum->calls += part->series.calls;
    sum->elapsed_ns += part->series.elapsed_ns;
    add_slowest(merging, sum);
    engine_gaps_convert(&part->tally.gaps, 0, 1 / merging->session->clock.ns_per_tick,
                        merging->session->readings.clock_check.first_ticks);
    engine_tally_add(&series->tally, &part->tally);
    series->rate_per_s += part->rate_per_s;
    return add_load(merging, series->load);
}

static int add_part(struct merging *merging)
{
    struct session *session = merging->session;
    int code = 0;

    for (size_t i = COUNTERS_FIRST_OF_PROCESS; i < COUNTERS; i++)
        session->readings.after.values[i] += merging->head.process[i];
    session->contexts.other_ranks.begun += merging->head.tls.begun;
    session->contexts.other_ranks.resumed += merging->head.tls.resumed;
    for (size_t i = 0; i < session->set.count && code == 0; i++)
        code = add_series(merging, i);
    return code;
}

/* Read the part's head. The whole has no more rounds than any part, because a rank's last round may
 * be incomplete. */
static int begin_part(struct merging *merging, const struct ranks_message *message)
{
    struct session *session = merging->session;

    merging->reader = (struct part_reader){message->data, message->size};
    if (part_read(&merging->reader, &merging->head, sizeof merging->head) != 0 ||
        merging->head.series != session->set.count)
        return -EBADMSG;
    if (merging->head.rounds < session->measuring.rounds.done)
        session->measuring.rounds.done = (size_t)merging->head.rounds;
    return 0;
}

/* Turn sums over the ranks into means, for values whose sum has no meaning. */
static void divide(struct session *session, size_t count)
{
    for (size_t i = 0; i < session->set.count; i++) {
        struct series *series = &session->measuring.rounds.series[i];
        struct timeline *timeline = &session->set.series[i]->load->timeline;

        for (size_t s = 0; s < BLOCK_STATISTICS; s++)
            for (size_t round = 0; round < session->measuring.rounds.done; round++)
                series->blocks[s][round] /= (double)count;
        series->elapsed_ns /= count;
        for (size_t p = 0; p < timeline->count; p++)
            timeline->points[p].active_ns /= count;
    }
}

static void widen_load(struct load *load, size_t count, unsigned threads)
{
    load->clients *= (unsigned)count;
    load->rate *= (double)count;
    load->threads = threads;
}

/* Make room for the clients of all ranks, beginning with those of rank 0. */
static int make_room(struct session *session, size_t count, const struct result_rank *own)
{
    size_t clients = session->plan->load.clients;

    for (size_t i = 0; i < session->set.count; i++) {
        struct load_series *load = session->set.series[i]->load;
        struct load_client *all = calloc(count * clients, sizeof *all);

        if (!all)
            return -ENOMEM;
        memcpy(all, load->clients, clients * sizeof *all);
        free(load->clients);
        load->clients = all;
        session->set.series[i]->tally.clients = all;
        session->set.series[i]->rate_per_s = own->ops[i].rate_per_s;
    }
    return 0;
}

static double evenness(const struct ranks_merged *merged, size_t ops)
{
    double worst = 1;

    for (size_t i = 0; i < ops; i++) {
        double least = INFINITY, most = 0;

        for (size_t rank = 0; rank < merged->count; rank++) {
            least = fmin(least, merged->ranks[rank].ops[i].rate_per_s);
            most = fmax(most, merged->ranks[rank].ops[i].rate_per_s);
        }
        if (most > 0)
            worst = fmin(worst, least / most);
    }
    return worst;
}

static int merge_all(struct merging *merging, struct ranks_merged *merged,
                     const struct ranks_message *messages, unsigned *threads)
{
    int code = 0;

    for (size_t i = 0; i < merged->count && code == 0;
         i++) { /* first find the number of rounds that all parts have */
        code = begin_part(merging, &messages[i]);
        merged->ranks[i] = merging->head.rank;
        *threads += merging->head.threads;
    }
    if (code == 0)
        code = make_room(merging->session, merged->count, &merged->ranks[0]);
    for (size_t i = 1; i < merged->count && code == 0; i++) {
        merging->rank = i;
        code = begin_part(merging, &messages[i]);
        if (code == 0)
            code = add_part(merging);
    }
    return code;
}

int ranks_merge(struct session *session, struct ranks_merged *merged,
                const struct ranks_message *messages, size_t count, struct error *error)
{
    struct merging *merging = calloc(1, sizeof *merging);
    unsigned threads = 0;
    int code = -ENOMEM;

    merged->plan = *session->plan;
    merged->count = count;
    merged->ranks = calloc(count, sizeof *merged->ranks);
    if (merging && merged->ranks) {
        merging->session = session;
        merging->clients = session->plan->load.clients;
        code = merge_all(merging, merged, messages, &threads);
    }
    free(merging);
    if (code)
        return error_set(error, ERROR_FAILED, code, "merging the results of %zu ranks: %s", count,
                         code == -ENOMEM ? "out of memory" : "a part of one is missing");
    divide(session, count);
    widen_load(&merged->plan.load, count, threads);
    session->plan = &merged->plan;
    session->measuring.ranks_evenness = evenness(merged, session->set.count);
    return 0;
}

/* The result */

/* The clients of a rank share its calls, and all ranks make the same number of calls. So what a
 * client got is its share of its rank's rate. */
static double all_fairness(const struct ranks_merged *merged, const struct result_op *op,
                           size_t index)
{
    size_t all = merged->plan.load.clients, of_rank = all / merged->count;
    double *shares = calloc(all, sizeof *shares), fairness = NAN;

    for (size_t i = 0; shares && i < all; i++) {
        const struct result_rank_op *part = &merged->ranks[i / of_rank].ops[index];

        shares[i] = part->timed ? (double)op->load->clients[i].calls / (double)part->timed *
                                      part->rate_per_s
                                : 0;
    }
    if (shares)
        fairness = load_fairness(shares, all);
    free(shares);
    return fairness;
}

/* Is the reason about a rank's machine or process, and not about the few calls in its part? */
static bool is_of_machine(const char *name)
{
    static const char *const names[] = {"clock-disagreement", "steal",       "preempted",
                                        "client-cpu-bound",   "shared-core", "frequency-scaling",
                                        "rate-not-reached",   "sender-late"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool has_reason(const struct validity *validity, const char *name)
{
    for (size_t i = 0; i < validity->count; i++)
        if (strcmp(validity->reasons[i].name, name) == 0)
            return true;
    return false;
}

/* Only the first rank with a reason is named; the others are in the ranks' parts of the result. */
static void add_reasons(struct validity *validity, const struct result_rank *rank, size_t number)
{
    for (size_t i = 0; i < rank->reason_count; i++) {
        const struct result_rank_reason *found = &rank->reasons[i];

        if (is_of_machine(found->name) && !has_reason(validity, found->name))
            validity_add_reason(validity, found->verdict, found->name, "rank %zu (%.40s): %.120s",
                                number, rank->host, found->text);
    }
}

void ranks_describe(struct result *result, const struct ranks_merged *merged)
{
    result->ranks = merged->ranks;
    result->rank_count = merged->count;
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].load)
            result->ops[i].load->fairness = all_fairness(merged, &result->ops[i], i);
    for (size_t i = 0; i < merged->count; i++)
        add_reasons(&result->validity, &merged->ranks[i], i);
}

void ranks_merged_free(struct ranks_merged *merged)
{
    free(merged->ranks);
    merged->ranks = NULL;
}
