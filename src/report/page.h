/* A page of HTML with a section for each of several sets of results, which may be of different
 * kinds. The page is self-contained: it has no scripts and loads nothing. */
#pragma once

#include <stdio.h>

#include "picture/result_set.h"

enum { PAGE_SECTIONS = RESULT_SET_FILES };

/* Results of one kind. If there are several, the page shows them side by side and compares each
 * with the first. */
struct page_section {
    const char *title; /* NULL: the page says what the results are, "a sweep of read on host:/e" */
    const struct result_set *set;
    /* Only on a page with a lead: the kinds of pictures (plot_kinds.h) of this section that stand
     * above all sections, with commas between, such as "cost,rounds". Each kind that the section
     * has data for is drawn. NULL: none. */
    const char *pictures;
};

/* A page without a lead is about result files: each section names its files, their environment and
 * the commands that repeat them. A page with a lead is about one result, whose parts are the
 * sections: the lead says what the result is. The pictures that sections name follow the lead. The
 * environment and the command of the first section stand at the end, for all. */
struct page {
    const char *title; /* the page's heading, plain text; NULL: made from the sections */
    /* Print HTML below the heading. DATA is LEAD_DATA. Text from files must go through html_print()
     * (picture/html.h), report_text() or page_print_*() with report_form (report_parts.h), which
     * escape it. NULL: no lead. */
    void (*lead)(const void *data, FILE *out);
    const void *lead_data;
    const struct page_section *sections;
    size_t section_count; /* 1 to PAGE_SECTIONS */
};

/* Write PAGE to the file PATH ("-": standard output). If gnuplot is missing or fails, the page has
 * no pictures and says so, and standard error has a line. 0, or a negative errno with ERROR set. */
int page_write(const struct page *page, const char *path, struct error *error);
