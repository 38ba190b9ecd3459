/* An HTML page with all that one or several results contain. It is self-contained: no scripts, no
 * other files. */
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
    const struct result_set *set;
    struct compare_pair *pairs; /* each further file against the first */
    size_t pair_count;
    struct report_picture pictures[PLOT_PANELS];
    size_t picture_count;
    const char *no_pictures;                          /* why there are none; NULL if there are */
    struct report_command commands[RESULT_SET_FILES]; /* of the set's results */
};

/* Write the page; OUT's error indicator says whether that failed. */
void report_write(const struct report *report, FILE *out);
