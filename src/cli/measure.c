/* The main job: measure ops on a target, above the null call. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/interrupt.h"
#include "cli/measure.h"
#include "cli/outcome.h"
#include "cli/session.h"
#include "cli/settings.h"
#include "cli/versus.h"
#include "output/csv.h"
#include "output/file.h"
#include "output/hdr.h"
#include "output/json.h"
#include "output/openmetrics.h"
#include "output/text.h"
#include "version.h"

/* The ops, in lines of a page's width. */
static void print_ops(void)
{
    enum { INDENT = 8, WIDTH = 96 };
    const struct nfs_procedure *procedure;
    size_t column = INDENT;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++) {
        bool last = !nfs_procedure_at(i + 1);

        if (column + strlen(procedure->op) + 1 > WIDTH)
            column = (size_t)printf("\n%*s", INDENT, "") - 1;
        column += (size_t)printf("%s%s", procedure->op, last ? "\n" : ", ");
    }
}

static void print_help(void)
{
    printf(
        "nfsbench %s - what an NFSv3 procedure costs the server, and what is only RPC and "
        "network\n\n"
        "usage: nfsbench [options] TARGET OP[,OP...] [COUNT]\n"
        "       nfsbench sweep [options] TARGET OP  over loads or sizes; see its --help\n"
        "       nfsbench explain [options] TARGET OP  where each microsecond of a call goes\n"
        "       nfsbench compare A.json B.json  what differs, and is it real? See its --help\n"
        "       nfsbench plot RESULT.json ...   pictures of results, on the terminal or in a file\n"
        "       nfsbench report RESULT.json ... -o PAGE.html    a page with all that is in them\n"
        "       nfsbench clean TARGET           remove what killed runs left there\n"
        "       nfsbench doctor                 is this machine fit to measure on?\n"
        "       nfsbench serve [options]        the embedded server; see its --help\n"
        "       nfsbench ledger [options]       this machine's counters, for a run on another\n"
        "       nfsbench watch [options]        its server's half of calls, for explain on "
        "another\n\n"
        "TARGET  host:/export[/path]   [v6]:/export   self: (the embedded server)\n"
        "        nfs://host[:port]/export/path[?mountport=N&proto=udp]\n"
        "OP      ",
        NFSBENCH_VERSION);
    print_ops();
    printf("        read-only: all that change nothing and that the server and the export have; "
           "all: all\n        of these but mount-umntall. Those that change something work in a "
           "directory that the "
           "run makes in TARGET\n        and removes.\n"
           "COUNT   calls of each op, such as 1000, 10k or 1M; without, until every interval is "
           "narrow\n"
           "        (--precision) or 10 s have passed (--max-time)\n\n"
           "options\n");
    settings_help(stdout);
    printf("\nexit status: 0 ok, 1 the measurement failed, or its verdict is not ok, 2 usage, "
           "3 the server\ncould not be reached or refused\n\n"
           "examples\n"
           "  nfsbench self: getattr 1M                  on the embedded server\n"
           "  nfsbench server:/export getattr,read 100k  on a real one\n"
           "  nfsbench 'nfs://server:20490/export?proto=udp' read-only 10k\n"
           "  nfsbench a:/export getattr --versus b:/export   two servers, call beside call\n");
}

/* The forms that a result can be written to a file in. */

static int write_json(const void *result, FILE *out)
{
    return json_write(result, out);
}

static int write_csv(const void *result, FILE *out)
{
    return csv_write(result, out);
}

static int write_openmetrics(const void *result, FILE *out)
{
    return openmetrics_write(result, out);
}

static int write_hdr_log(const void *result, FILE *out)
{
    return hdr_log_write(result, out);
}

static int write_distribution(const void *op, FILE *out)
{
    return hdr_distribution_write(op, out);
}

enum { FORMS = 4, PATH_SIZE = 4096 };

struct forms {
    struct file_form forms[FORMS];
    char hdr_log[PATH_SIZE];
};

static void wanted_forms(const struct settings *settings, struct forms *forms)
{
    snprintf(forms->hdr_log, sizeof forms->hdr_log, "%s.hlog", settings->hdr ? settings->hdr : "");
    forms->forms[0] = (struct file_form){"--json", settings->json, write_json};
    forms->forms[1] = (struct file_form){"--csv", settings->csv, write_csv};
    forms->forms[2] = (struct file_form){"--openmetrics", settings->openmetrics, write_openmetrics};
    forms->forms[3] =
        (struct file_form){"--hdr", settings->hdr ? forms->hdr_log : NULL, write_hdr_log};
}

int measure_check_forms(const struct settings *settings, struct error *error)
{
    struct forms forms;

    wanted_forms(settings, &forms);
    return file_forms_check(forms.forms, FORMS, error);
}

/* A file for each op, beside the log. */
static int write_distributions(const char *prefix, const struct result *result, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < result->op_count && code == 0; i++) {
        char path[PATH_SIZE];

        snprintf(path, sizeof path, "%.4000s-%.60s.hgrm", prefix, result->ops[i].op);
        code = file_write(write_distribution, &result->ops[i], "--hdr", path, error);
    }
    return code;
}

int measure_write_result(const struct settings *settings, const struct result *result,
                         struct error *error)
{
    struct forms forms;
    int code;

    wanted_forms(settings, &forms);
    if (!settings->quiet && !file_forms_on_stdout(forms.forms, FORMS)) {
        text_print(result, settings->verbose, stdout);
        if (settings->histograms)
            text_print_histograms(result, stdout);
        if (fflush(stdout) != 0)
            return error_set(error, ERROR_FAILED, -errno, "writing the table: %s", strerror(errno));
    }
    code = file_forms_write(forms.forms, FORMS, result, error);
    return code || !settings->hdr ? code : write_distributions(settings->hdr, result, error);
}

int measure_exit_status(enum verdict verdict, const struct settings *settings)
{
    bool believed =
        verdict == VERDICT_OK || (verdict == VERDICT_SUSPECT && settings->allow_suspect);

    return believed ? 0 : ERROR_FAILED;
}

/* What was measured is told whatever ended the run. Returns an exit status. */
static int report(const struct session *session, const struct settings *settings,
                  const char *cut_short_by)
{
    struct result result;
    struct error error;
    int status;

    if (outcome_fill(&result, session, cut_short_by, &error) != 0) {
        error_print(&error);
        return (int)error.kind;
    }
    status = measure_exit_status(result.validity.verdict, settings);
    if (measure_write_result(settings, &result, &error) != 0) {
        error_print(&error);
        status = (int)error.kind;
    }
    outcome_free(&result);
    return status;
}

static int run_session(struct session *session, const struct settings *settings)
{
    struct error error, unmount_error;
    bool measured;
    int status, code = session_open(session, settings, &error);

    if (code) {
        error_print(&error);
        return interrupt_ended(code) ? ERROR_FAILED : (int)error.kind;
    }
    code = session_measure(session, &error);
    if (interrupt_ended(code))
        error_set(&error, ERROR_FAILED, code, "interrupted");
    if (session_unmount(session, &unmount_error) != 0 && code == 0)
        error_print(&unmount_error);
    measured = session->rounds.done > 0;
    status = measured ? report(session, settings, code ? error.text : NULL) : 0;
    if (code == 0)
        return status;
    error_print(&error);
    return code == -EINTR && measured ? status : (int)error.kind;
}

static int measure(const struct settings *settings)
{
    struct session *session = malloc(sizeof *session);
    struct error error;
    int status;

    if (measure_check_forms(settings, &error) != 0) {
        error_print(&error);
        free(session);
        return (int)error.kind;
    }
    if (!session) {
        fprintf(stderr, "nfsbench: out of memory\n");
        return ERROR_FAILED;
    }
    interrupt_catch();
    status = run_session(session, settings);
    session_close(session);
    free(session);
    return status;
}

/* ARGV as it was typed: parsing it changes its order. NULL where there is no memory. */
static char **copy_words(int argc, char **argv)
{
    char **words = calloc((size_t)argc + 1, sizeof *words);

    if (words)
        memcpy(words, argv, (size_t)argc * sizeof *words);
    return words;
}

int command_measure(int argc, char **argv)
{
    char **words = copy_words(argc, argv);
    struct settings settings;
    struct error error;
    int status = 0;

    if (settings_parse(&settings, argc, argv, &error) != 0) {
        error_print(&error);
        status = (int)error.kind;
    } else if (settings.help) {
        print_help();
    } else if (settings.version) {
        printf("nfsbench %s (%s)\n", NFSBENCH_VERSION, NFSBENCH_BUILD);
    } else {
        settings.command = words ? words + 1 : NULL;
        settings.command_count = words ? (size_t)argc - 1 : 0;
        status = settings_have_versus(&settings) ? versus_measure(&settings, argc, argv)
                                                 : measure(&settings);
    }
    free(words);
    return status;
}
