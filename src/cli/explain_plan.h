/* What nfsbench explain is to do: its own options, and the words of a measuring run. */
#ifndef NFSBENCH_CLI_EXPLAIN_PLAN_H
#define NFSBENCH_CLI_EXPLAIN_PLAN_H

#include "cli/own_options.h"
#include "cli/settings.h"
#include "output/file.h"

enum { EXPLAIN_FORMS = 4 };

struct explain_plan {
    /* As given; NULL: not. */
    const char *json, *csv, *svg, *trace, *predict, *slowest_text, *server_command, *echo;
    bool ladder, xdr, no_server;

    size_t slowest; /* calls to explain one by one */
    bool quiet;
    struct file_form forms[EXPLAIN_FORMS]; /* of what is asked for: phases, ladder or XDR */
    struct own_words words;                /* what is left of the command line */
    struct settings settings;              /* of the measuring run that it is */
};

/* Parse the command line. 0, or -EINVAL with ERROR set (ERROR_USAGE). Free it in any case. */
int explain_plan_parse(struct explain_plan *plan, int argc, char **argv, struct error *error);
void explain_plan_free(struct explain_plan *plan);

/* Is the table for people to be printed? Not with --quiet, nor beside a form on standard output. */
bool explain_plan_wants_table(const struct explain_plan *plan);

/* Print the options of explain itself. */
void explain_plan_help(FILE *out);

#endif
