/* What kinds of pictures are made of, and share. */
#ifndef NFSBENCH_PICTURE_PLOT_KIND_H
#define NFSBENCH_PICTURE_PLOT_KIND_H

#include <stdio.h>

#include "picture/plot.h"

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
 * gnuplot, in SVG or to a terminal becomes a question mark, what is too long is cut. Returns OUT.
 */
const char *plot_text(const char *text, char out[PLOT_TEXT_SIZE]);

/* Curves. From one file, a panel has a curve for each op; from several, each op has a panel, with a
 * curve for each file. */
struct plot_curve {
    const struct result_op *op;
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
int plot_point(size_t index);

/* Room for ROWS lines of the key below the panel. */
void plot_key_rows(size_t rows, FILE *out);

/* Likewise for the key of COUNT curves, from one file or several. */
void plot_curve_key(const struct result_set *set, size_t count, FILE *out);

/* Labels for the logarithmic AXIS ("x" or "y") that goes from LOW to HIGH. */
void plot_log_tics(const char *axis, double low, double high, FILE *out);

/* Panels to be drawn as one picture, whatever they are made from. */
struct plot_content {
    size_t count;
    const void *data;
    unsigned (*height)(const void *data, size_t panel); /* px */
    void (*draw)(const void *data, size_t panel, FILE *out);
};

/* Draw CONTENT. 0, or as gnuplot_run(). */
int plot_draw_content(const struct plot_content *content, const struct plot_output *output,
                      struct bytes *picture, struct error *error);

/* Have gnuplot carry out SCRIPT, which must leave its output where it is, on standard output; that
 * goes to PICTURE, to be freed by the caller. No file of the user's settings is read. 0, or a
 * negative errno with ERROR set: -ENOENT without gnuplot, -ETIMEDOUT where it takes longer than
 * half a minute, -EIO where it complains, with its complaint. PICTURE holds nothing then. */
int gnuplot_run(const struct bytes *script, struct bytes *picture, struct error *error);

/* "A  today.json" */
void plot_file_label(const struct result_set *set, size_t file, char out[PLOT_TEXT_SIZE + 8]);

#endif
