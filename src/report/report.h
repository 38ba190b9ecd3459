/* A section of a page: all contents of one or several results of one kind. */
#pragma once

#include "compare/compare.h"
#include "picture/result_set.h"
#include "report/plot_kinds.h"

struct report_picture {
    struct plot_panel panel;
    struct bytes svg;
};

/* The command that repeats a measurement, for readers to copy. */
struct report_command {
    const char **words;  /* the program's name first; old files may lack it */
    size_t count;        /* 0: the file has no command */
    char left_out[400];  /* options that were left out, "--json, --server-cmd"; or "" */
    const char *refused; /* why the command is not shown; NULL if it is */
};

struct report {
    const char *title; /* NULL: made from the results */
    const struct result_set *set;
    size_t number; /* of the section, from 0 */
    bool is_part;  /* the page has a lead (page.h) */
    /* Each further file compared with the first; room for RESULT_SET_FILES. */
    struct compare_pair *pairs;
    size_t pair_count;
    /* The first LEADING pictures are above the section's text; on a page with a lead, below the
     * lead. */
    struct report_picture pictures[PLOT_PANELS];
    size_t picture_count, leading;
    struct report_command commands[RESULT_SET_FILES]; /* of the set's results */
};

/* Print the section's title as text, such as "a sweep of read on host:/export". */
void report_title(const struct report *report, FILE *out);

/* Print the section below its title to OUT. After a write error, ferror(OUT) is set. */
void report_write(const struct report *report, FILE *out);
