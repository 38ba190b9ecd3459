/* A picture of results over time, a panel for each series. */
#ifndef NFSBENCH_PICTURE_PLOT_HISTORY_H
#define NFSBENCH_PICTURE_PLOT_HISTORY_H

#include "output/history.h"
#include "picture/plot.h"

/* Draw the first PLOT_PANELS series of HISTORY: each result with its interval, the means between
 * changes, and the changes. 0, or as gnuplot_run(). */
int plot_history(const struct history *history, const struct plot_output *output,
                 struct bytes *picture, struct error *error);

#endif
