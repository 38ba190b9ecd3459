/* nfsbench-mpi: the main job by many machines at once. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/measure.h"
#include "cli/outcome.h"
#include "cli/session.h"
#include "mpi/ranks_mpi.h"
#include "version.h"

static void print_help(void)
{
    printf("nfsbench-mpi %s - what an NFSv3 server does under the load of many machines\n\n"
           "usage: mpirun -np RANKS [--hostfile HOSTS] nfsbench-mpi [options] TARGET OP[,OP...] "
           "[COUNT]\n\n"
           "Each rank is a client machine (or a part of one) with what the options say: with "
           "--clients 4 --rate 1000\non 12 ranks, 48 clients make 12,000 calls a second. All "
           "else is as nfsbench has it; TARGET is not self:.\n\noptions\n",
           NFSBENCH_VERSION);
    settings_help(stdout);
}

/* What all ranks know, one tells. */
static int fail(struct ranks_mpi *ranks, const struct error *error)
{
    if (ranks_mpi_ranks(ranks)->rank == 0)
        fprintf(stderr, "nfsbench-mpi: %s\n", error->text);
    return (int)error->kind;
}

static int write_merged(struct session *session, const struct ranks_merged *merged,
                        const char *cut_short_by, struct error *error)
{
    struct result result;
    int status, code = outcome_fill(&result, session, cut_short_by, error);

    if (code)
        return (int)error->kind;
    ranks_tell(&result, merged);
    status = measure_exit_status(result.validity.verdict, &merged->settings);
    code = measure_write_result(&merged->settings, &result, error);
    outcome_free(&result);
    return code ? (int)error->kind : status;
}

/* Rank 0, with the parts of all. A rank that has none was through with no round. Returns an exit
 * status, and sets *MEASURED. */
static int report_all(struct session *session, const struct ranks_message *messages, size_t count,
                      const char *cut_short_by, bool *measured, struct error *error)
{
    const struct settings *own = session->settings;
    struct ranks_merged merged;
    int status;

    for (size_t i = 0; i < count; i++)
        if (messages[i].size == 0)
            return 0;
    *measured = true;
    status = ranks_merge(session, &merged, messages, count, error) != 0
                 ? (int)error->kind
                 : write_merged(session, &merged, cut_short_by, error);
    session->settings = own;
    ranks_merged_free(&merged);
    return status;
}

/* This rank's part of the result. Empty where it has none; else 0, or an error. */
static int make_part(const struct ranks_mpi *ranks, const struct session *session,
                     struct ranks_message *part, struct error *error)
{
    struct result result;
    int code;

    *part = (struct ranks_message){.data = NULL};
    if (session->rounds.done == 0)
        return 0;
    code = outcome_fill(&result, session, NULL, error);
    if (code)
        return code;
    if (part_write(session, &result, ranks_mpi_host(ranks), &part->data, &part->size) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result");
    outcome_free(&result);
    return code;
}

/* What was measured is told whatever ended the run. Returns an exit status, which is that of the
 * verdict in rank 0 only. */
static int report(struct ranks_mpi *ranks, struct session *session, const char *cut_short_by,
                  bool *measured)
{
    size_t count = ranks_mpi_ranks(ranks)->count;
    struct ranks_message own, *messages = calloc(count, sizeof *messages);
    struct error error = {.kind = ERROR_NONE};
    int status = 0;

    if (make_part(ranks, session, &own, &error) != 0 || !messages)
        fail(ranks, &error); /* its part is empty */
    if (messages && ranks_mpi_gather(ranks, &own, messages, &error) == 0 &&
        ranks_mpi_ranks(ranks)->rank == 0)
        status = report_all(session, messages, count, cut_short_by, measured, &error);
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
    int code = ranks_agree_blocks(all, session, 0, error);

    session->ranks = all;
    if (code == 0)
        code = session_measure(session, error);
    if (code == -EINTR || interrupt_flag)
        code = error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    return ranks_meet(all, code, NULL, error);
}

static int run_session(struct ranks_mpi *ranks, struct session *session,
                       const struct settings *settings)
{
    struct ranks *all = ranks_mpi_ranks(ranks);
    struct error error, ignored;
    bool measured = false;
    int status, code = session_open(session, settings, &error);

    code = ranks_meet(all, code, NULL, &error);
    if (code)
        return fail(ranks, &error);
    code = measure(ranks, session, &error);
    if (code && ranks_mpi_are_broken(ranks)) /* mpirun may not leave time to tell it later */
        fail(ranks, &error);
    session_unmount(session, &ignored);
    if (ranks_mpi_are_broken(ranks))
        return (int)error.kind;
    status = report(ranks, session, code ? error.text : NULL, &measured);
    if (code == 0)
        return status;
    fail(ranks, &error);
    return code == -EINTR && (measured || all->rank > 0) ? status : (int)error.kind;
}

static int run(struct ranks_mpi *ranks, struct settings *settings, int code, struct error *error)
{
    struct ranks *all = ranks_mpi_ranks(ranks);
    struct session *session = calloc(1, sizeof *session);
    int status;

    if (code == 0 && !session)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code == 0 && all->rank == 0)
        code = measure_check_forms(settings, error);
    if (code == 0)
        code = ranks_prepare(all, settings, error);
    interrupt_catch();
    code = ranks_agree_seed(all, settings, code, error);
    if (code) {
        status = fail(ranks, error);
    } else {
        status = run_session(ranks, session, settings);
        session_close(session);
    }
    free(session);
    return status;
}

int main(int argc, char **argv)
{
    static struct settings settings;
    struct ranks_mpi *ranks;
    struct error error;
    int status = 0, code;
    bool asks;

    signal(SIGPIPE, SIG_IGN); /* a connection that breaks is an error to report, not a death */
    code = ranks_mpi_open(&ranks, &error);
    if (code == 0)
        code = settings_parse(&settings, argc, argv, &error);
    asks = code == 0 && (settings.help || settings.version);
    if (!asks)
        status = run(ranks, &settings, code, &error);
    else if (ranks_mpi_ranks(ranks)->rank == 0 && settings.help)
        print_help();
    else if (ranks_mpi_ranks(ranks)->rank == 0)
        printf("nfsbench-mpi %s (%s)\n", NFSBENCH_VERSION, NFSBENCH_BUILD);
    ranks_mpi_close(ranks, status);
    return status;
}
