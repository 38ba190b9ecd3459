/* nfsbench-mpi: a measuring run by many machines at once. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "common/descriptors.h"
#include "common/environment.h"
#include "common/printable.h"
#include "mpi/ranks_mpi.h"
#include "output/file.h"
#include "output/terminal.h"
#include "run/outcome.h"
#include "run/scratch.h"
#include "run/session.h"
#include "version.h"

/* The description is for the help; the program is started by main() below. */
static const struct command description = {
    .bit = COMMAND_MPI,
    .name = "nfsbench-mpi",
    .usage =
        "mpirun -np RANKS [--hostfile HOSTS] nfsbench-mpi [options] TARGET [OP[,OP...]] [COUNT]",
    .about = "Measures an NFSv3 server under the load of many machines. Each rank is a client "
             "machine (or a part of one), and the options apply to each rank: with --clients 4 "
             "--rate 1000 on 12 ranks, 48 clients make 12,000 calls per second. Everything else is "
             "as in nfsbench, but TARGET can't be self:.",
    .help = measure_print_words,
};

/* All ranks have the same error; one of them prints it. */
static int fail(struct ranks_mpi *ranks, const struct error *error)
{
    if (ranks_mpi_ranks(ranks)->rank == 0)
        fprintf(stderr, "nfsbench-mpi: %s\n", printable(error->text).text);
    return (int)error->kind;
}

/* In rank 0: merge the parts of all ranks. A rank that completed no round has no part. Returns an
 * exit status, and sets *MEASURED. */
static int report_all(struct session *session, const struct options *options,
                      const struct ranks_message *messages, size_t count, const char *cut_short_by,
                      bool *measured, struct error *error)
{
    struct ranks_merged merged;
    struct result *result = &merged.outcome.result;
    int status = 0, code;

    for (size_t i = 0; i < count; i++)
        if (messages[i].size == 0)
            return 0;
    *measured = true;
    code = ranks_merge(&merged, session, messages, count, error);
    if (code == 0) {
        result->cut_short_by = cut_short_by;
        status = measure_judge(&result->validity, options);
        code = command_write_result(options, RESULT_MEASUREMENT, result, measure_print, error);
    }
    ranks_merged_free(&merged);
    return code ? (int)error->kind : status;
}

/* Make this rank's part of the result; it is empty if the rank has none. 0, or a negative errno
 * with ERROR set. */
static int make_part(const struct session *session, struct ranks_message *part, struct error *error)
{
    struct outcome outcome;
    int code;

    *part = (struct ranks_message){.data = NULL};
    if (session->measuring.rounds.done == 0)
        return 0;
    code = outcome_fill(&outcome, session, NULL, error);
    if (code)
        return code;
    *part = rank_part_write(session, &outcome.result);
    if (!part->data)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result");
    outcome_free(&outcome);
    return code;
}

/* Report what was measured, whatever ended the run. Returns an exit status, which depends on the
 * verdict in rank 0 only. */
static int report(struct ranks_mpi *ranks, struct session *session, const struct options *options,
                  const char *cut_short_by, bool *measured)
{
    size_t count = ranks_mpi_ranks(ranks)->count;
    struct ranks_message own, *messages = calloc(count, sizeof *messages);
    struct error error = {.kind = ERROR_NONE};
    int status = 0;

    if (make_part(session, &own, &error) != 0 || !messages)
        fail(ranks, &error); /* the others then get an empty part */
    if (messages && ranks_mpi_gather(ranks, &own, messages, &error) == 0 &&
        ranks_mpi_ranks(ranks)->rank == 0)
        status = report_all(session, options, messages, count, cut_short_by, measured, &error);
    if (error.kind != ERROR_NONE)
        status = fail(ranks, &error);
    for (size_t i = 1; messages && i < count; i++)
        free(messages[i].data);
    free(messages);
    free(own.data);
    return status;
}

static int measure(struct ranks_mpi *ranks, struct session *session, struct error *error)
{
    struct ranks *all = ranks_mpi_ranks(ranks);
    int code = ranks_agree_blocks(all, &session->set, 0, error);

    session->measuring.ranks = all;
    if (code == 0)
        code = session_measure(session, error);
    if (code == -EINTR || interrupt_flag)
        code = error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    return ranks_meet(all, code, NULL, error);
}

static int run_session(struct ranks_mpi *ranks, struct session *session,
                       const struct run_plan *plan, const struct options *options)
{
    struct ranks *all = ranks_mpi_ranks(ranks);
    struct error error, ignored;
    bool measured = false;
    int status, code = session_open(session, plan, &error);

    code = ranks_meet(all, code, NULL, &error);
    if (code)
        return fail(ranks, &error);
    code = measure(ranks, session, &error);
    if (code &&
        ranks_mpi_are_broken(ranks)) /* mpirun may end the program before it is printed later */
        fail(ranks, &error);
    session_unmount(session, &ignored);
    if (ranks_mpi_are_broken(ranks))
        return (int)error.kind;
    status = report(ranks, session, options, code ? error.text : NULL, &measured);
    if (status == 0 && scratch_removal_failed())
        status = ERROR_FAILED;
    if (code == 0)
        return status;
    fail(ranks, &error);
    return code == -EINTR && (measured || all->rank > 0) ? status : (int)error.kind;
}

/* CODE is 0 if there is a plan, else a negative errno with ERROR set. */
static int run(struct ranks_mpi *ranks, struct run_plan *plan, const struct options *options,
               int code, struct error *error)
{
    struct ranks *all = ranks_mpi_ranks(ranks);
    struct session *session = calloc(1, sizeof *session);
    int status;

    if (code == 0 && !session)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code == 0 && all->rank == 0)
        code = forms_check(options, RESULT_MEASUREMENT, plan, error);
    if (code == 0)
        code = ranks_prepare(all, plan, error);
    interrupt_catch();
    code = ranks_agree_seed(all, plan, code, error);
    if (code) {
        status = fail(ranks, error);
    } else {
        status = run_session(ranks, session, plan, options);
        session_close(session);
    }
    free(session);
    return status;
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct run_plan plan;
    struct command_line line = command_line_copy("nfsbench-mpi", argc, argv);
    struct ranks_mpi *ranks;
    struct error error;
    int status = 0, code;
    bool asks;

    signal(SIGPIPE, SIG_IGN);  /* a broken connection must be an error, and not end the program */
    descriptors_raise_limit(); /* each connection takes one */
    code = ranks_mpi_open(&ranks, &error);
    if (code == 0)
        code = options_parse(&options, COMMAND_MPI, argc, argv, &error);
    options.plan.command = line.words;
    options.plan.command_count = line.count;
    file_force(options.force);
    terminal_choose(options.wide, (enum terminal_colours)options.colours);
    asks = code == 0 && (options.help || options.version);
    if (code == 0 && !asks)
        code = plan_make(&plan, &options, &error);
    if (!asks)
        status = run(ranks, &plan, &options, code, &error);
    else if (ranks_mpi_ranks(ranks)->rank == 0 && options.help)
        help_print(&description, stdout);
    else if (ranks_mpi_ranks(ranks)->rank == 0)
        printf("nfsbench-mpi %s (%s)\n", NFSBENCH_VERSION, build_description());
    ranks_mpi_close(ranks, status);
    free(line.words);
    return status;
}
