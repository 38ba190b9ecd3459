/* A section of a page, which shows one or several results of one kind. */
#pragma once

#include "compare/compare.h"
#include "picture/result_set.h"
#include "report/plot_kinds.h"

struct report_picture {
    struct plot_panel panel;
    struct bytes svg;
};

/* The command that repeats a measurement. Readers of the page can copy it. */
struct report_command {
    /* words of the command line. The first is the program's name, which old files may lack. */
    const char **words;
    size_t count; /* number of words; 0: the file has no command */
    /* names of the options that were left out, such as "--json, --server-cmd"; "" if none */
    char left_out[400];
    const char *refused; /* reason why the command is not shown; NULL if it is shown */
};

struct report {
    const char *title; /* title of the section; NULL: made from the results */
    const struct result_set *set;
    size_t number; /* number of the section, from 0 */
    bool is_part;  /* the page has a lead (page.h) */
    /* Comparisons of the first file with each further one. Space for RESULT_SET_FILES pairs. */
    struct compare_pair *pairs;
    size_t pair_count;
    /* The first LEADING pictures are above the section's text, or below the lead of the page. */
    struct report_picture pictures[PLOT_PANELS];
    size_t picture_count, leading;
    struct report_command commands[RESULT_SET_FILES]; /* command of each result */
};

/* Print the section's title as text, such as "a sweep of read on host:/export". */
void report_title(const struct report *report, FILE *out);

/* Print the section, without its title, to OUT. After a write error, ferror(OUT) is set. */
void report_write(const struct report *report, FILE *out);
