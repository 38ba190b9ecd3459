/* nfsbench-mpi: one measuring run by several processes (ranks), usually on several machines. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command_line.h"
#include "cli/measure.h"
#include "commands.h"
#include "common/descriptors.h"
#include "common/environment.h"
#include "common/printable.h"
#include "common/signals.h"
#include "job/console.h"
#include "job/plan.h"
#include "mpi/ranks_agree.h"
#include "mpi/ranks_mpi.h"
#include "run/session.h"
#include "run/setup/scratch.h"
#include "version.h"

static struct {
    struct ranks *ranks;
    struct session session;
    struct measured measured;   /* data that this rank measured */
    struct ranks_merged merged; /* rank 0: merged results of all ranks */
    bool agreed;                /* ranks_agree_plan() was called; before, an error ends all ranks */
    bool interrupted, last;     /* INTERRUPTED: by Ctrl-C. LAST: print no further errors. */
} rank;

/* Print ERROR in rank 0 only. Before AGREED is set, the error may be that of one rank, so
 * ranks_meet() first sends it to rank 0. */
static void print_error(const struct error *error)
{
    struct error one = *error;

    if (!rank.agreed)
        ranks_meet(rank.ranks, -EINVAL, NULL, &one);
    if (rank.ranks->rank == 0 && !rank.last)
        fprintf(stderr, "nfsbench-mpi: %s\n", printable(one.text).text);
    rank.last = rank.ranks->broken;
}

static int measure(void *run, struct error *error)
{
    struct session *session = &rank.session;
    int code = session_open(session, run, error);

    code = ranks_meet(rank.ranks, code, NULL, error);
    session->measuring.ranks = rank.ranks;
    if (code == 0)
        code = sessions_plan_time(session, 1, error);
    code = ranks_agree_blocks(rank.ranks, &session->set, code, error);
    if (code == 0)
        code = session_measure(session, error);
    if (code == -EINTR || interrupt_flag)
        code = error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    code = ranks_meet(rank.ranks, code, NULL, error);
    rank.interrupted = code == -EINTR;
    if (rank.ranks->broken) /* print now, because mpirun may soon end the program */
        error_print(error);
    return code;
}

static int unmount(void *run, struct error *error)
{
    return session_unmount(&rank.session, error);
}

/* Make PART, this rank's partial result: empty after an error, or if no round is complete. */
static int make_part(struct ranks_message *part, struct error *error)
{
    const struct outcome_request request = {.cut_short_by = NULL};
    struct outcome outcome = {.costs = {.count = 0}};
    int code;

    if (rank.session.measuring.rounds.done == 0)
        return 0;
    code = measured_take(&rank.measured, &rank.session, error);
    if (code == 0)
        code = outcome_fill(&outcome, &rank.measured, &request, error);
    if (code == 0)
        *part = rank_part_write(&rank.measured, &outcome.result);
    outcome_free(&outcome);
    if (code)
        return code;
    return part->data ? 0 : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result");
}

/* Send this rank's partial result to rank 0, which merges the results of all ranks. *RESULT stays
 * NULL in all ranks but rank 0, and in rank 0 after an error or if a rank has no result. */
static int gather_results(void *run, const char *cut_short_by, void **result, struct error *error)
{
    const struct ranks_message *parts = NULL;
    struct ranks_message own = {.data = NULL};
    struct error of_part;
    int made, code;

    if (rank.ranks->broken)
        return 0;
    made = make_part(&own, &of_part);
    code = ranks_mpi_gather(rank.ranks, own, &parts, error);
    if (code == 0 && made)
        *error = of_part;
    for (unsigned i = 0; parts && i < rank.ranks->count; i++)
        if (parts[i].size == 0)
            parts = NULL;
    if (code || made || !parts)
        return code ? code : made;
    code = ranks_merge(&rank.merged, &rank.measured, parts, rank.ranks->count, error);
    rank.merged.outcome.result.cut_short_by = cut_short_by;
    *result = code ? NULL : &rank.merged.outcome.result;
    return code;
}

static const struct job job = {.kind = RESULT_MEASUREMENT,
                               .measure = measure,
                               .take_down = unmount,
                               .result = gather_results,
                               .print = measure_print,
                               .judged_if_interrupted = true};

static int run_command(const struct options *options, int *status, struct error *error)
{
    static struct run_plan plan;
    int code;

    if (options->version) {
        printf("nfsbench-mpi %s (%s)\n", NFSBENCH_VERSION, build_description());
        return 0;
    }
    code = plan_make(&plan, options, error);
    if (code == 0 && rank.ranks->rank == 0)
        code = forms_check(options, RESULT_MEASUREMENT, &plan, error);
    if (code == 0)
        code = ranks_prepare(rank.ranks, &plan, error);
    code = ranks_agree_plan(rank.ranks, &plan, code, error);
    rank.agreed = true;
    if (code)
        return code;
    *status = job_run(&job, &plan, options);
    if (rank.interrupted && rank.ranks->rank > 0)
        *status = 0; /* only rank 0 reports the verdict */
    ranks_merged_free(&rank.merged);
    measured_free(&rank.measured);
    session_close(&rank.session);
    return 0;
}

static const struct command command_mpi = {
    .groups = GROUPS_MPI,
    .name = "nfsbench-mpi",
    .usage =
        "mpirun -np RANKS [--hostfile HOSTS] nfsbench-mpi [options] TARGET [OP[,OP...]] [COUNT]",
    .about = "Measures an NFSv3 server under the load of many machines. Each rank is a client "
             "machine or a part of one, and the options apply to each rank: with --clients 4 "
             "--rate 1000 on 12 ranks, 48 clients make 12,000 calls per second. nfsbench-mpi works "
             "like nfsbench, except that TARGET can't be self:.",
    .help = help_print_words,
    .run = run_command,
};

int main(int argc, char **argv)
{
    struct command_line line = command_line_copy("nfsbench-mpi", argc, argv);
    struct error error;
    int status;

    setenv("NO_COLOR", "1", 0); /* mpirun gives ranks a terminal even if mpirun has none */
    signals_ignore_writes();
    descriptors_raise_limit(); /* each connection needs a descriptor */
    error_print = print_error;
    commands_use(&commands_of_nfsbench);
    if (ranks_mpi_open(&rank.ranks, &error) != 0) {
        rank.agreed = true;
        error_print(&error);
        status = (int)error.kind;
    } else if (rank.ranks->rank > 0 && !freopen("/dev/null", "w", stdout)) {
        status = ERROR_FAILED; /* only rank 0 prints, but this rank's output can't be discarded */
    } else {
        status = command_start(&command_mpi, &line, argc, argv);
    }
    if (status == 0 && scratch_removal_failed())
        status = ERROR_FAILED;
    ranks_mpi_close(rank.ranks, status);
    free(line.words);
    return status;
}
