/* Pictures with a curve for each op. */
#pragma once

#include "report/plot_kinds.h"

/* The curve of an op of one result. If a set has one result, a single panel has a curve for each of
 * at most PANEL_CURVES ops; else each of these ops has a panel with a curve for each result. */
struct plot_curve {
    const struct result *result;
    const struct result_op *op;
    struct plot_style style;
    char label[PANEL_LABEL_SIZE];
};

/* Find the curves of panel INDEX, of ops that have a histogram in all results, and set PANEL's
 * title and key_columns. The title is WHAT; with several files, the panel's op is added; with one
 * file, the numbers of drawn and found ops are added unless all are drawn. Returns the number of
 * curves; 0 if there is no panel INDEX. */
size_t plot_curves(const struct result_set *set, size_t index, const char *what,
                   struct plot_curve curves[RESULT_SET_FILES], struct panel *panel);

/* Draw the last block of PANEL in the style of CURVE. USING_AND_WITH is the clause "using ... with
 * ..." of gnuplot's plot command. */
void plot_draw_curve(struct panel *panel, const struct plot_curve *curve,
                     const char *using_and_with);
