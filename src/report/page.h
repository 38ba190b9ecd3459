/* An HTML page with a section for each of several sets of results, which may be of different kinds.
 * The page is self-contained: it has no scripts and loads nothing. */
#pragma once

#include <stdio.h>

#include "output/view/view.h"
#include "picture/result_set.h"

enum { PAGE_SECTIONS = RESULT_SET_FILES };

/* A section shows results of one kind side by side, and compares each file with the first, unless
 * the files have two sides. */
struct page_section {
    /* title of the section; NULL: made from the results, such as "a sweep of read on host:/e" */
    const char *title;
    const struct result_set *set;
    /* Only on a page with a lead: names of the kinds of pictures (plot_kinds.h) of this section
     * that are shown above all sections, separated by commas, such as "cost,rounds". Kinds for
     * which the section has no data are left out. NULL for none. */
    const char *pictures;
};

/* A page without a lead shows result files: each section names its files, their environments and
 * the commands that repeat the measurements. A page with a lead shows one result; each section
 * shows a part of the result. On such a page, the `pictures` of all sections follow the lead, and
 * only the first section's environment and command are shown, at the end of the page. */
struct page {
    const char *title; /* heading of the page, plain text; NULL: made from the sections */
    /* The page's lead is the head and the notes of this view of RESULT, including the notes shown
     * only with -v. NULL: the page has no lead. */
    const struct view *lead;
    const void *result;
    const struct page_section *sections;
    size_t section_count; /* number of sections, 1 to PAGE_SECTIONS */
};

/* Write PAGE to the file PATH ("-": standard output). If gnuplot is missing or fails, the page and
 * a line on standard error say so. Returns 0, or a negative errno with ERROR set. */
int page_write(const struct page *page, const char *path, struct error *error);
