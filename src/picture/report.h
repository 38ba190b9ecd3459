/* An HTML page with all that one or several results contain. It is self-contained: no scripts, no
 * other files. */
#pragma once

#include "output/compare.h"
#include "output/result_set.h"
#include "picture/plot.h"

struct report_picture {
    struct plot_panel panel;
    struct bytes svg;
};

struct report {
    const struct result_set *set;
    struct compare_pair *pairs; /* each further file against the first */
    size_t pair_count;
    struct report_picture pictures[PLOT_PANELS];
    size_t picture_count;
    const char *no_pictures; /* why there are none; NULL if there are */
};

/* Write the page; OUT's error indicator says whether that failed. */
void report_write(const struct report *report, FILE *out);
