/* A section of a page: all that one or several results of one kind contain. */
#pragma once

#include "compare/compare.h"
#include "picture/result_set.h"
#include "report/plot_kinds.h"

struct report_picture {
    struct plot_panel panel;
    struct bytes svg;
};

/* The command that repeats a measurement, for the reader to copy. */
struct report_command {
    const char **words;  /* the program's name first, unless an older file lacks it */
    size_t count;        /* 0: the file has none */
    char left_out[400];  /* the options that were left out, "--json, --server-cmd"; "": none */
    const char *refused; /* why it is not shown; NULL: it is */
};

struct report {
    const char *title; /* NULL: made from the results */
    const struct result_set *set;
    size_t number;              /* among the page's sections, from 0 */
    bool is_part;               /* of a page with a lead (page.h) */
    struct compare_pair *pairs; /* each further file against the first; room for RESULT_SET_FILES */
    size_t pair_count;
    /* The first ones, LEADING of them, stand above the text: the section's, or the page's if it has
     * a lead. */
    struct report_picture pictures[PLOT_PANELS];
    size_t picture_count, leading;
    struct report_command commands[RESULT_SET_FILES]; /* of the set's results */
};

/* Print the section's title as text, "a sweep of read on host:/export". */
void report_title(const struct report *report, FILE *out);

/* Print the section below its title to OUT. If writing fails, the error indicator of OUT is set
 * (ferror(3)). */
void report_write(const struct report *report, FILE *out);
