#include "mpi/ranks_mpi.h"

#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "common/deadline.h"
#include "common/environment.h"
#include "job/console.h"
#include "measure/clock.h"
#include "version.h"

/* Time to wait for other ranks after Ctrl-C; short, because mpirun kills processes after 1 s. */
enum { INTERRUPTED_PATIENCE_NS = 400 * 1000 * 1000 };

/* Pause of a rank other than 0 before it aborts all ranks, so that rank 0 prints its error first.
 */
enum { LAST_PAUSE_S = 3 };

enum { LOOK_NS = 10 * 1000 }; /* pause before the next test of a transfer */

enum {
    HOST_SIZE = 64,
    BUILD_SIZE = 160,
    PIECE = 1 << 28 /* maximum bytes per message, because MPI's counts are of type int */
};

#define UNTIL_OPTIONS_NS UINT64_C(30000000000) /* timeout until the options are known */

enum { TAG_VOTE, TAG_OUTCOME, TAG_SIZE, TAG_PART };

/* A rank's vote at a synchronization point; also the outcome of all votes, sent back by rank 0. */
struct vote {
    int32_t code, broken;
    uint64_t least;
    struct error error;
};

struct presence {
    char host[HOST_SIZE], build[BUILD_SIZE];
};

struct ranks_mpi {
    struct ranks ranks;
    struct presence *all; /* host and build of each rank */
    /* Rank 0: the ranks' votes. Other ranks: VOTES[1] is sent, VOTES[0] received. */
    struct vote *votes;
    MPI_Request *requests;       /* one for each rank */
    struct ranks_message *parts; /* rank 0: all partial results; other ranks: PARTS[0] is theirs */
    int code;                    /* error that ended this rank's synchronization; 0: none */
    struct error error;
    unsigned missing; /* rank 0: rank that has not responded; 0: none */
    /* end of the last synchronization, or start of gathering, on CLOCK_MONOTONIC_RAW */
    uint64_t left_ns;
};

/* Return how long to wait from NOW for another rank, in ns: the timeout, plus ten times this rank's
 * work since the last synchronization. What is added is limited to the time that is left until the
 * common deadline. */
static uint64_t time_limit(const struct ranks_mpi *self, uint64_t now)
{
    enum { SLOWER = 10 };

    return self->ranks.timeout_ns +
           deadline_at_most(&self->ranks.deadline, SLOWER * (now - self->left_ns));
}

/* Make all later calls of this rank's meet() return CODE with ERROR. Returns CODE. */
static int end_synchronization(struct ranks_mpi *self, int code, const struct error *error)
{
    self->code = code;
    self->error = *error;
    return code;
}

static int give_up(struct ranks_mpi *self, bool interrupted, unsigned missing, struct error *error)
{
    const double waited = (double)(clock_raw_ns() - self->left_ns) / 1e9;

    self->ranks.broken = true;
    self->missing = missing;
    if (interrupted)
        error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    else
        error_set(error, ERROR_FAILED, -ETIME,
                  "rank %u (%s) has not responded for %.0f s; the other ranks end", missing,
                  self->all[missing].host, waited);
    return end_synchronization(self, interrupted ? -EINTR : -ETIME, error);
}

/* Wait until a transfer with rank PEER is complete. The wait sleeps, because spinning would take
 * the processor from a server or another rank on the machine. Returns 0, or -ETIME or -EINTR with
 * ERROR set. An error ends this rank's synchronization. */
static int wait_for(struct ranks_mpi *self, MPI_Request *request, unsigned peer,
                    struct error *error)
{
    uint64_t now = clock_raw_ns(), until = now + time_limit(self, now);
    bool interrupted = false;
    int done;

    while (MPI_Test(request, &done, MPI_STATUS_IGNORE), !done) {
        now = clock_raw_ns();
        if (now >= until)
            return give_up(self, interrupted, peer, error);
        if (interrupt_flag && !interrupted) {
            interrupted = true;
            until = now + INTERRUPTED_PATIENCE_NS;
        }
        if (self->ranks.while_waiting)
            self->ranks.while_waiting(self->ranks.waiting);
        deadline_pause(LOOK_NS);
    }
    return 0;
}

static void begin_transfer(bool receive, unsigned peer, int tag, void *data, size_t size,
                           MPI_Request *request)
{
    if (receive)
        MPI_Irecv(data, (int)size, MPI_BYTE, (int)peer, tag, MPI_COMM_WORLD, request);
    else
        MPI_Isend(data, (int)size, MPI_BYTE, (int)peer, tag, MPI_COMM_WORLD, request);
}

/* Receive the SIZE bytes of DATA from rank PEER if RECEIVE is true, otherwise send them to PEER. */
static int transfer(struct ranks_mpi *self, bool receive, unsigned peer, int tag, void *data,
                    size_t size, struct error *error)
{
    int code = 0;

    for (size_t at = 0; at < size && code == 0; at += PIECE) {
        begin_transfer(receive, peer, tag, (char *)data + at, size - at < PIECE ? size - at : PIECE,
                       &self->requests[0]);
        code = wait_for(self, &self->requests[0], peer, error);
    }
    return code;
}

/* Synchronization */

/* Return the weight of a rank's CODE: a failure weighs more than Ctrl-C, and Ctrl-C more than the
 * end of a series (-ECANCELED). */
static int weight(int code)
{
    return code == 0 ? 0 : code == -ECANCELED ? 1 : code == -EINTR ? 2 : 3;
}

/* Set OUTCOME to the first vote with the greatest weight, and its LEAST to the minimum of all
 * votes. The error names the rank, unless it is Ctrl-C or all ranks have the same error, such as a
 * mistyped option. */
static void decide_outcome(const struct ranks_mpi *self, struct vote *outcome)
{
    const struct vote *votes = self->votes;
    uint64_t least = UINT64_MAX;
    unsigned worst = 0;
    bool alike = true;

    for (unsigned i = 0; i < self->ranks.count; i++) {
        least = votes[i].least < least ? votes[i].least : least;
        worst = weight(votes[i].code) > weight(votes[worst].code) ? i : worst;
        alike = alike && votes[i].code == votes[0].code &&
                strcmp(votes[i].error.text, votes[0].error.text) == 0;
    }
    *outcome = votes[worst];
    outcome->least = least;
    if (outcome->code && outcome->code != -EINTR && !alike)
        snprintf(outcome->error.text, sizeof outcome->error.text, "rank %u (%s): %.400s", worst,
                 self->all[worst].host, votes[worst].error.text);
}

/* Send OUTCOME to each other rank or, if OUTCOME is NULL, receive a vote from each other rank. The
 * rank MISSING is left out. All transfers run at once. */
static int exchange_votes(struct ranks_mpi *self, struct vote *outcome, struct error *error)
{
    const unsigned missing = self->missing;
    int code = 0;

    for (unsigned i = 1; i < self->ranks.count; i++)
        if (i != missing)
            begin_transfer(!outcome, i, outcome ? TAG_OUTCOME : TAG_VOTE,
                           outcome ? outcome : &self->votes[i], sizeof *outcome,
                           &self->requests[i]);
    for (unsigned i = 1; i < self->ranks.count && code == 0; i++)
        if (i != missing)
            code = wait_for(self, &self->requests[i], i, error);
    return code;
}

/* Rank 0: receive all votes, and send the outcome to all ranks that respond. */
static int collect_votes(struct ranks_mpi *self, struct vote *outcome, struct error *error)
{
    struct error ignored;
    int code, told;

    self->votes[0] = *outcome;
    code = exchange_votes(self, NULL, error);
    if (code == 0)
        decide_outcome(self, outcome);
    else
        *outcome = (struct vote){.code = code, .broken = 1, .error = *error};
    told = exchange_votes(self, outcome, code ? &ignored : error);
    return code ? end_synchronization(self, code, error) : told;
}

static int submit_vote(struct ranks_mpi *self, struct vote *vote, struct error *error)
{
    struct vote *sent = &self->votes[1], *outcome = &self->votes[0];
    int code;

    *sent = *vote; /* sent from a member of SELF, because MPI may still use it after a timeout */
    code = transfer(self, false, 0, TAG_VOTE, sent, sizeof *sent, error);
    if (code == 0)
        code = transfer(self, true, 0, TAG_OUTCOME, outcome, sizeof *outcome, error);
    if (code)
        return code;
    *vote = *outcome;
    self->ranks.broken = outcome->broken;
    return 0;
}

static int meet(struct ranks *ranks, int code, uint64_t *least, struct error *error)
{
    struct ranks_mpi *self = (struct ranks_mpi *)ranks;
    struct vote vote = {.code = code, .least = least ? *least : 0};

    if (self->code) {
        *error = self->error;
        return self->code;
    }
    if (ranks->count == 1)
        return code;
    if (code)
        vote.error = *error;
    code = ranks->rank == 0 ? collect_votes(self, &vote, error) : submit_vote(self, &vote, error);
    self->left_ns = clock_raw_ns();
    if (code)
        return code;
    if (least)
        *least = vote.least;
    if (vote.code)
        *error = vote.error;
    return !vote.code || vote.code == -ECANCELED ? vote.code
                                                 : end_synchronization(self, vote.code, error);
}

static int receive_part(struct ranks_mpi *self, unsigned rank, struct error *error)
{
    struct ranks_message *part = &self->parts[rank];
    uint64_t size = 0;
    int code = transfer(self, true, rank, TAG_SIZE, &size, sizeof size, error);

    if (code)
        return code;
    *part = (struct ranks_message){malloc(size + 1), size};
    if (!part->data)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the results of rank %u",
                         rank);
    return transfer(self, true, rank, TAG_PART, part->data, size, error);
}

int ranks_mpi_gather(struct ranks *ranks, struct ranks_message own,
                     const struct ranks_message **parts, struct error *error)
{
    struct ranks_mpi *self = (struct ranks_mpi *)ranks;
    uint64_t size = own.size;
    int code = 0;

    self->left_ns = clock_raw_ns();
    self->parts[0] = own;
    if (ranks->rank > 0) {
        code = transfer(self, false, 0, TAG_SIZE, &size, sizeof size, error);
        return code ? code : transfer(self, false, 0, TAG_PART, own.data, own.size, error);
    }
    for (unsigned i = 1; i < ranks->count && code == 0; i++)
        code = receive_part(self, i, error);
    *parts = self->parts;
    return code;
}

/* Beginning and end */

static int check_builds(const struct ranks_mpi *self, struct error *error)
{
    for (unsigned i = 1; i < self->ranks.count; i++)
        if (strcmp(self->all[i].build, self->all[0].build) != 0)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "rank %u (%s) runs another build, %s, than rank 0 (%s), %s; install "
                             "the same build on all machines",
                             i, self->all[i].host, self->all[i].build, self->all[0].host,
                             self->all[0].build);
    return 0;
}

static void exchange_presence(struct ranks_mpi *self)
{
    struct presence own = {.host = ""};
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int length;

    MPI_Get_processor_name(host, &length);
    snprintf(own.host, sizeof own.host, "%.*s", HOST_SIZE - 1, host);
    snprintf(own.build, sizeof own.build, "%s (%s)", NFSBENCH_VERSION, build_description());
    MPI_Allgather(&own, sizeof own, MPI_BYTE, self->all, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
}

int ranks_mpi_open(struct ranks **ranks, struct error *error)
{
    struct ranks_mpi *self = calloc(1, sizeof *self);
    int provided, rank, count;

    *ranks = &self->ranks;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (self) {
        self->ranks = (struct ranks){.rank = (unsigned)rank,
                                     .count = (unsigned)count,
                                     .timeout_ns = UNTIL_OPTIONS_NS,
                                     .meet = meet};
        self->all = calloc((size_t)count, sizeof *self->all);
        self->votes = calloc((size_t)count, sizeof *self->votes);
        self->requests = calloc((size_t)count, sizeof *self->requests);
        self->parts = calloc((size_t)count, sizeof *self->parts);
    }
    if (!self || !self->all || !self->votes || !self->requests || !self->parts) {
        fprintf(stderr, "nfsbench-mpi: rank %d: out of memory\n", rank);
        MPI_Abort(MPI_COMM_WORLD, ERROR_FAILED); /* otherwise the other ranks would wait */
    }
    exchange_presence(self);
    self->left_ns = clock_raw_ns();
    return check_builds(self, error);
}

void ranks_mpi_close(struct ranks *ranks, int status)
{
    struct ranks_mpi *self = (struct ranks_mpi *)ranks;
    const struct deadline until = {.stop = interrupt_flag ? NULL : &interrupt_flag};

    if (ranks->broken) {
        if (ranks->rank > 0) /* wait, because rank 0 must print its error first */
            deadline_sleep(&until, LAST_PAUSE_S * UINT64_C(1000000000));
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    MPI_Finalize();
    for (unsigned i = 0; i < ranks->count; i++)
        free(self->parts[i].data);
    free(self->parts);
    free(self->all);
    free(self->votes);
    free(self->requests);
    free(self);
}
