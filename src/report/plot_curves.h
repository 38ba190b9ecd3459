/* Pictures with a curve for each op. */
#pragma once

#include "report/plot_kinds.h"

/* The curve of an op of one result. Only ops that have a histogram in all results are drawn, at
 * most PANEL_CURVES of them. If a set has one result, one panel has a curve for each drawn op. If
 * a set has several results, each drawn op has a panel with a curve for each result. */
struct plot_curve {
    const struct result *result;
    const struct result_op *op;
    struct plot_style style;
    char label[PANEL_LABEL_SIZE];
};

/* Find the curves of panel INDEX, and set PANEL's title and key_columns. The title is WHAT. With
 * several files, the panel's op precedes WHAT. With one file that has more than PANEL_CURVES ops
 * with histograms, "(8 of 12 ops)" follows WHAT. Returns the number of curves; 0 if there is no
 * panel INDEX. */
size_t plot_curves(const struct result_set *set, size_t index, const char *what,
                   struct plot_curve curves[RESULT_SET_FILES], struct panel *panel);

/* Draw the last block of PANEL in the style of CURVE. USING_AND_WITH is the clause "using ... with
 * ..." of gnuplot's plot command. */
void plot_draw_curve(struct panel *panel, const struct plot_curve *curve,
                     const char *using_and_with);
