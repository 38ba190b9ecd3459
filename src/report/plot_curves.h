/* Pictures with a curve for each op. */
#pragma once

#include "report/plot_kinds.h"

/* The curve of an op of one result. At most PANEL_CURVES ops have curves. If a set has one result,
 * a single panel has the curves of all these ops. If a set has several results, each op has a
 * panel, with a curve for each result. */
struct plot_curve {
    const struct result *result;
    const struct result_op *op;
    struct plot_style style;
    char label[PANEL_LABEL_SIZE];
};

/* Find the curves of panel INDEX, and set PANEL's title and key_columns. Only ops that have a
 * histogram in all results have curves. The title is WHAT. With several files, the title also has
 * the panel's op. With one file that has more than PANEL_CURVES such ops, the title also has the
 * numbers of drawn ops and of all such ops. Returns the number of curves; 0 if there is no panel
 * INDEX. */
size_t plot_curves(const struct result_set *set, size_t index, const char *what,
                   struct plot_curve curves[RESULT_SET_FILES], struct panel *panel);

/* Draw the last block of PANEL in the style of CURVE. USING_AND_WITH is the clause "using ... with
 * ..." of gnuplot's plot command. */
void plot_draw_curve(struct panel *panel, const struct plot_curve *curve,
                     const char *using_and_with);
