#include "mpi/ranks_mpi.h"

#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/console.h"
#include "common/environment.h"
#include "measure/clock.h"
#include "version.h"

/* After Ctrl-C, mpirun kills processes that still run after a second, so wait for the other ranks
 * for less than that. */
enum { INTERRUPTED_PATIENCE_NS = 400 * 1000 * 1000 };

/* How long to wait to be ended by mpirun after rank 0 has given up. */
enum { LAST_PAUSE_S = 3 };

enum {
    HOST_SIZE = 64,
    BUILD_SIZE = 160,
    PIECE = 1 << 28 /* bytes in a message, since MPI's counts are of type int */
};

enum { TAG_VOTE, TAG_OUTCOME, TAG_SIZE, TAG_PART };

/* What a rank sends at a synchronization point: its own state; and what it gets back: the state of
 * all. */
struct vote {
    int32_t code, kind;
    int32_t broken;
    uint64_t least;
    char text[sizeof((struct error *)0)->text];
};

/* What identifies a rank. */
struct presence {
    char host[HOST_SIZE], build[BUILD_SIZE];
};

struct ranks_mpi {
    struct ranks ranks;
    struct presence *all;  /* by rank */
    struct vote *votes;    /* rank 0: the vote of each rank; its own is the outcome */
    MPI_Request *requests; /* one for each rank */
    bool ended, broken;
    int code; /* with which this rank ended */
    struct error error;
    uint64_t left_ns; /* end of the last synchronization, CLOCK_MONOTONIC_RAW */
};

struct ranks *ranks_mpi_ranks(struct ranks_mpi *self)
{
    return &self->ranks;
}

bool ranks_mpi_are_broken(const struct ranks_mpi *self)
{
    return self->broken;
}

/* Waiting */

/* How long to wait for another rank. It may take much longer than this one did for the same work.
 */
static uint64_t time_limit(const struct ranks_mpi *self, uint64_t now)
{
    enum { SLOWER = 10 };

    return self->ranks.timeout_ns + SLOWER * (now - self->left_ns);
}

/* Have all COUNT requests been completed? */
static bool are_done(MPI_Request *requests, int count)
{
    int done = 1;

    for (int i = 0; i < count && done; i++)
        MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
    return done;
}

/* Wait for all COUNT requests, sleeping: a rank that spun would take its processor from a server or
 * from another rank on the same machine. 0; -ETIME; or -EINTR. */
static int wait_for(const struct ranks_mpi *self, MPI_Request *requests, int count)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000};
    uint64_t now = clock_raw_ns(), until = now + time_limit(self, now);
    bool interrupted = false;

    while (!are_done(requests, count)) {
        now = clock_raw_ns();
        if (now >= until)
            return interrupted ? -EINTR : -ETIME;
        if (interrupt_flag && !interrupted) {
            interrupted = true;
            until = now + INTERRUPTED_PATIENCE_NS;
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* End the synchronization of this rank: all later calls return CODE, with ERROR. */
static int end(struct ranks_mpi *self, int code, const struct error *error)
{
    self->ended = true;
    self->code = code;
    self->error = *error;
    return code;
}

/* Stop waiting for rank MISSING. CODE is what wait_for() returned. */
static int give_up(struct ranks_mpi *self, int code, unsigned missing, struct error *error)
{
    double waited = (double)(clock_raw_ns() - self->left_ns) / 1e9;

    self->broken = true;
    if (code == -EINTR)
        error_set(error, ERROR_FAILED, code, "interrupted");
    else
        error_set(error, ERROR_FAILED, code,
                  "rank %u (%s) has not responded for %.0f s; the other ranks end", missing,
                  self->all[missing].host, waited);
    return end(self, code, error);
}

/* The first rank, from FIRST on, whose request has not been completed. */
static unsigned find_missing(const struct ranks_mpi *self, unsigned first)
{
    unsigned rank = first;
    int done = 1;

    while (rank < self->ranks.count) {
        MPI_Test(&self->requests[rank - first], &done, MPI_STATUS_IGNORE);
        if (!done)
            break;
        rank++;
    }
    return rank < self->ranks.count ? rank : first;
}

/* Synchronization */

static bool is_like(const struct vote *a, const struct vote *b)
{
    return a->code == b->code && a->kind == b->kind && strcmp(a->text, b->text) == 0;
}

/* How much a rank's code weighs: a failure of its own more than Ctrl-C, and that more than the end
 * of a series. */
static int weight(int code)
{
    switch (code) {
    case 0:
        return 0;
    case -ECANCELED:
        return 1;
    case -EINTR:
        return 2;
    default:
        return 3;
    }
}

/* The rank whose code to report: the first of those that weigh most; -1 for none. */
static int find_failed(const struct ranks_mpi *self)
{
    int failed = -1, most = 0;

    for (unsigned i = 0; i < self->ranks.count; i++)
        if (weight(self->votes[i].code) > most) {
            most = weight(self->votes[i].code);
            failed = (int)i;
        }
    return failed;
}

/* An error that all ranks have, such as a mistyped option, is reported without the name of a rank.
 */
static bool is_of_all(const struct ranks_mpi *self, unsigned failed)
{
    for (unsigned i = 0; i < self->ranks.count; i++)
        if (!is_like(&self->votes[i], &self->votes[failed]))
            return false;
    return true;
}

static void conclude(const struct ranks_mpi *self, struct vote *outcome)
{
    int failed = find_failed(self);
    uint64_t least = UINT64_MAX;
    const struct vote *vote = failed < 0 ? NULL : &self->votes[failed];

    for (unsigned i = 0; i < self->ranks.count; i++)
        least = self->votes[i].least < least ? self->votes[i].least : least;
    *outcome = (struct vote){.least = least};
    if (!vote)
        return;
    outcome->code = vote->code;
    outcome->kind = vote->kind;
    if (vote->code == -EINTR || is_of_all(self, (unsigned)failed))
        snprintf(outcome->text, sizeof outcome->text, "%s", vote->text);
    else
        snprintf(outcome->text, sizeof outcome->text, "rank %d (%s): %.400s", failed,
                 self->all[failed].host, vote->text);
}

static int tell_outcome(struct ranks_mpi *self, const struct vote *outcome, unsigned missing)
{
    int count = 0;

    for (unsigned i = 1; i < self->ranks.count; i++)
        if (i != missing)
            MPI_Isend(outcome, sizeof *outcome, MPI_BYTE, (int)i, TAG_OUTCOME, MPI_COMM_WORLD,
                      &self->requests[count++]);
    return wait_for(self, self->requests, count);
}

/* Rank 0 receives all votes, and sends the outcome to all. */
static int preside(struct ranks_mpi *self, struct vote *outcome, struct error *error)
{
    unsigned others = self->ranks.count - 1, missing = 0;
    int code;

    self->votes[0] = *outcome;
    for (unsigned i = 1; i <= others; i++)
        MPI_Irecv(&self->votes[i], sizeof *self->votes, MPI_BYTE, (int)i, TAG_VOTE, MPI_COMM_WORLD,
                  &self->requests[i - 1]);
    code = wait_for(self, self->requests, (int)others);
    if (code == 0) {
        conclude(self, outcome);
    } else {
        missing = find_missing(self, 1);
        give_up(self, code, missing, error);
        *outcome = (struct vote){.code = code, .kind = ERROR_FAILED, .broken = 1};
        snprintf(outcome->text, sizeof outcome->text, "%s", error->text);
    }
    if (tell_outcome(self, outcome, missing) != 0 && code == 0)
        code = give_up(self, -ETIME, 1, error);
    return code;
}

/* The other ranks send their votes to rank 0, and receive the outcome. */
static int attend(struct ranks_mpi *self, struct vote *vote, struct error *error)
{
    MPI_Request requests[2];
    struct vote *outcome = &self->votes[0];
    int code;

    self->votes[1] = *vote; /* MPI may still read it after this function has given up waiting */
    MPI_Isend(&self->votes[1], sizeof *vote, MPI_BYTE, 0, TAG_VOTE, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(outcome, sizeof *outcome, MPI_BYTE, 0, TAG_OUTCOME, MPI_COMM_WORLD, &requests[1]);
    code = wait_for(self, requests, 2);
    if (code)
        return give_up(self, code, 0, error);
    *vote = *outcome;
    self->broken = outcome->broken;
    return 0;
}

static int meet(struct ranks *ranks, int code, uint64_t *least, struct error *error)
{
    struct ranks_mpi *self = (struct ranks_mpi *)ranks;
    struct vote vote = {.code = code, .least = least ? *least : 0};

    if (self->ended) {
        *error = self->error;
        return self->code;
    }
    if (ranks->count == 1)
        return code;
    if (code) {
        vote.kind = (int32_t)error->kind;
        snprintf(vote.text, sizeof vote.text, "%s", error->text);
    }
    code = ranks->rank == 0 ? preside(self, &vote, error) : attend(self, &vote, error);
    self->left_ns = clock_raw_ns();
    if (code)
        return code;
    if (least)
        *least = vote.least;
    if (!vote.code)
        return 0;
    error_set(error, (enum error_kind)vote.kind, vote.code, "%s", vote.text);
    return vote.code == -ECANCELED ? vote.code : end(self, vote.code, error);
}

/* Gathering */

/* Receive the SIZE bytes of DATA from rank PEER, or send them. */
static int carry(struct ranks_mpi *self, bool receive, unsigned peer, int tag, void *data,
                 size_t size, struct error *error)
{
    for (size_t at = 0; at < size; at += PIECE) {
        int length = (int)(size - at < PIECE ? size - at : PIECE), code;
        MPI_Request request;

        if (receive)
            MPI_Irecv((char *)data + at, length, MPI_BYTE, (int)peer, tag, MPI_COMM_WORLD,
                      &request);
        else
            MPI_Isend((char *)data + at, length, MPI_BYTE, (int)peer, tag, MPI_COMM_WORLD,
                      &request);
        code = wait_for(self, &request, 1);
        if (code)
            return give_up(self, code, peer, error);
    }
    return 0;
}

static int send_part(struct ranks_mpi *self, const struct ranks_message *own, struct error *error)
{
    uint64_t size = own->size;
    int code = carry(self, false, 0, TAG_SIZE, &size, sizeof size, error);

    return code ? code : carry(self, false, 0, TAG_PART, own->data, own->size, error);
}

static int receive_part(struct ranks_mpi *self, unsigned rank, struct ranks_message *message,
                        struct error *error)
{
    uint64_t size = 0;
    int code = carry(self, true, rank, TAG_SIZE, &size, sizeof size, error);

    if (code)
        return code;
    message->size = size;
    message->data = malloc(size ? size : 1);
    if (!message->data)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the results of rank %u",
                         rank);
    return carry(self, true, rank, TAG_PART, message->data, size, error);
}

int ranks_mpi_gather(struct ranks_mpi *self, const struct ranks_message *own,
                     struct ranks_message *messages, struct error *error)
{
    int code = 0;

    self->left_ns = clock_raw_ns();
    if (self->ranks.rank > 0)
        return send_part(self, own, error);
    messages[0] = *own;
    for (unsigned i = 1; i < self->ranks.count && code == 0; i++)
        code = receive_part(self, i, &messages[i], error);
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

/* Tell every rank the host and build of every other. */
static void introduce(struct ranks_mpi *self)
{
    struct presence own = {.host = ""};
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int length;

    MPI_Get_processor_name(host, &length);
    snprintf(own.host, sizeof own.host, "%.*s", HOST_SIZE - 1, host);
    snprintf(own.build, sizeof own.build, "%s (%s)", NFSBENCH_VERSION, build_description());
    MPI_Allgather(&own, sizeof own, MPI_BYTE, self->all, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
}

int ranks_mpi_open(struct ranks_mpi **ranks, struct error *error)
{
    struct ranks_mpi *self = calloc(1, sizeof *self);
    int provided, rank, count;

    *ranks = self;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (self) {
        self->ranks =
            (struct ranks){.rank = (unsigned)rank, .count = (unsigned)count, .meet = meet};
        self->all = calloc((size_t)count, sizeof *self->all);
        self->votes = calloc((size_t)count, sizeof *self->votes);
        self->requests = calloc((size_t)count, sizeof *self->requests);
    }
    if (!self || !self->all || !self->votes || !self->requests) {
        fprintf(stderr, "nfsbench-mpi: rank %d: out of memory\n", rank);
        MPI_Abort(MPI_COMM_WORLD, ERROR_FAILED); /* or the others would wait for it */
    }
    self->ranks.timeout_ns = UINT64_C(30000000000); /* until the options are known */
    introduce(self);
    self->left_ns = clock_raw_ns();
    return check_builds(self, error);
}

void ranks_mpi_close(struct ranks_mpi *self, int status)
{
    const struct timespec pause = {.tv_sec = LAST_PAUSE_S};

    if (self->broken) {
        if (self->ranks.rank > 0) /* rank 0 prints its error first */
            nanosleep(&pause, NULL);
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    MPI_Finalize();
    free(self->all);
    free(self->votes);
    free(self->requests);
    free(self);
}
