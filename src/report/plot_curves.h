/* Pictures with a curve for each op. */
#pragma once

#include "report/plot_kinds.h"

/* A curve for an op that has a histogram. For one file, a panel has a curve for each op; for
 * several files, each op has a panel with a curve for each file. */
struct plot_curve {
    const struct result *result;
    const struct result_op *op;
    struct plot_style style;
    char label[PANEL_LABEL_SIZE];
};

/* Find the curves of panel INDEX. Begin PANEL with a title: WHAT, and the op of the panel if there
 * are several files, or the numbers of ops if not all are drawn. Returns the number of curves; 0:
 * there is no such panel. */
size_t plot_curves(const struct result_set *set, size_t index, const char *what,
                   struct plot_curve curves[RESULT_SET_FILES], struct panel *panel);

/* Draw the last block of PANEL in the style of CURVE; USING_AND_WITH is gnuplot's "using ... with
 * ...". */
void plot_draw_curve(struct panel *panel, const struct plot_curve *curve,
                     const char *using_and_with);
