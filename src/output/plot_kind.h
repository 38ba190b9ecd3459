/* What kinds of pictures are made of, and share. */
#ifndef NFSBENCH_OUTPUT_PLOT_KIND_H
#define NFSBENCH_OUTPUT_PLOT_KIND_H

#include <stdio.h>

#include "output/plot.h"

enum {
    PLOT_WIDTH = 480,  /* of a picture, in px: a column's */
    PLOT_HEIGHT = 350, /* of a usual panel */
    PLOT_CURVES = 8,   /* more in one panel can't be told apart */
    PLOT_TEXT_SIZE = 128,
};

struct plot_kind {
    const char *name, *caption;
    bool usual;
    size_t (*panels)(const struct result_set *set); /* 0: the set doesn't hold what is drawn */
    unsigned (*height)(const struct result_set *set, size_t panel); /* NULL: PLOT_HEIGHT */
    /* Write the commands and the data of a panel. The variable US holds the unit "µs". */
    void (*draw)(const struct result_set *set, size_t panel, FILE *out);
};

extern const struct plot_kind plot_cost, plot_stack, plot_percentiles, plot_fine, plot_log2,
    plot_cumulative, plot_rounds;

/* How an op is drawn, in every picture alike. In one colour, dashes, points and fillings still tell
 * ops apart. */
struct plot_style {
    const char *colour; /* "#rrggbb" */
    const char *dash;   /* gnuplot's dashtype */
    int point, filling;
    int line; /* gnuplot's line type: what a terminal of characters draws it with */
};

/* By the op's name alone. */
struct plot_style plot_style_of(const char *op);

/* One of six colours that the colour-blind can tell apart: blue, vermilion, green, purple, orange,
 * sky blue. "#rrggbb" */
const char *plot_colour(size_t index);

/* TEXT, which comes from a file, as it may stand in single quotes: what could mean something to
 * gnuplot or in SVG becomes a question mark, what is too long is cut. Returns OUT. */
const char *plot_text(const char *text, char out[PLOT_TEXT_SIZE]);

/* Curves. From one file, a panel has a curve for each op; from several, each op has a panel, with a
 * curve for each file. */
struct plot_curve {
    const struct result_file_op *op;
    struct plot_style style;
    char label[PLOT_TEXT_SIZE + 8];
};

/* Panels, and the curves of PANEL, of ops with a histogram. */
size_t plot_curve_panels(const struct result_set *set);
size_t plot_curves(const struct result_set *set, size_t panel,
                   struct plot_curve curves[RESULT_SET_FILES]);

/* The panel's title: WHAT, and which op, or how many of them where they are too many. */
void plot_curve_title(const struct result_set *set, size_t panel, const char *what, FILE *out);

/* Write "plot $curve0 using USING with WITH ... title ..., $curve1 ..." */
void plot_curve_commands(const struct plot_curve *curves, size_t count, const char *using_and_with,
                         FILE *out);

/* How the INDEX-th of several files is drawn, the op's colour aside. */
const char *plot_dash(size_t index);
int plot_point(size_t index);

/* Room for ROWS lines of the key below the panel. */
void plot_key_rows(size_t rows, FILE *out);

/* Likewise for the key of COUNT curves, from one file or several. */
void plot_curve_key(const struct result_set *set, size_t count, FILE *out);

/* Labels for the logarithmic AXIS ("x" or "y") that goes from LOW to HIGH. */
void plot_log_tics(const char *axis, double low, double high, FILE *out);

/* "A  today.json" */
void plot_file_label(const struct result_set *set, size_t file, char out[PLOT_TEXT_SIZE + 8]);

#endif
