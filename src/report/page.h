/* An HTML page with a section for each of several sets of results, which may be of different kinds.
 * The page is self-contained: it has no scripts and loads nothing. */
#pragma once

#include <stdio.h>

#include "picture/result_set.h"

enum { PAGE_SECTIONS = RESULT_SET_FILES };

/* Results of one kind. The page shows several side by side, and compares each with the first. */
struct page_section {
    const char *title; /* NULL: made from the results, such as "a sweep of read on host:/e" */
    const struct result_set *set;
    /* Only on a page with a lead: names of the kinds of pictures (plot_kinds.h) of this section
     * that are shown above all sections, separated by commas, such as "cost,rounds". Kinds for
     * which the section has no data are left out. NULL for none. */
    const char *pictures;
};

/* A page without a lead shows result files: each section names its files, their environment and the
 * commands that repeat them. A page with a lead shows one result, whose parts are the sections. The
 * lead describes the result; the pictures that sections name follow. The environment and the
 * command of the first section are shown once at the end. */
struct page {
    const char *title; /* the page's heading, plain text; NULL: made from the sections */
    /* Print HTML below the heading. DATA is LEAD_DATA. Text from files must be printed by functions
     * that escape it: html_print() (picture/html.h), report_text(), or page_print_*() with
     * report_form (report_parts.h). NULL: no lead. */
    void (*lead)(const void *data, FILE *out);
    const void *lead_data;
    const struct page_section *sections;
    size_t section_count; /* 1 to PAGE_SECTIONS */
};

/* Write PAGE to the file PATH ("-": standard output). If gnuplot is missing or fails, the page and
 * a line on standard error say so. Returns 0, or a negative errno with ERROR set. */
int page_write(const struct page *page, const char *path, struct error *error);
