/* A page of HTML with all that is in one or several results. It stands for itself: no script, no
 * other file. */
#ifndef NFSBENCH_PICTURE_REPORT_H
#define NFSBENCH_PICTURE_REPORT_H

#include "output/compare.h"
#include "output/result_set.h"
#include "picture/plot.h"

struct report_picture {
    struct plot_panel panel;
    struct bytes svg;
};

struct report {
    const struct result_set *set;
    const struct compare_pair *pairs; /* each further file against the first */
    size_t pair_count;
    struct report_picture pictures[PLOT_PANELS];
    size_t picture_count;
    const char *no_pictures; /* why there are none; NULL where there are */
};

/* Write the page; what could not be written is in OUT's error indicator. */
void report_write(const struct report *report, FILE *out);

#endif
