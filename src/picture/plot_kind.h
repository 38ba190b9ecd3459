/* What a kind of picture consists of, and what all kinds share. */
#pragma once

#include <stdio.h>

#include "picture/plot.h"

enum {
    PLOT_WIDTH = 480,  /* of a picture, in px: one column of a report */
    PLOT_HEIGHT = 350, /* of a usual panel */
    PLOT_CURVES = 8,   /* in one panel; more of them could not be distinguished */
    PLOT_TEXT_SIZE = 128,
};

struct plot_kind {
    const char *name, *caption;
    bool usual;
    size_t (*panels)(const struct result_set *set); /* 0: the set does not have the data */
    unsigned (*height)(const struct result_set *set, size_t panel); /* NULL: PLOT_HEIGHT */
    /* Write the commands and the data of a panel. The variable US holds the unit "µs",
     * PAGE is 1 where the panel stands in a page, else 0. */
    void (*draw)(const struct result_set *set, size_t panel, FILE *out);
};

extern const struct plot_kind plot_load, plot_size, plot_security, plot_phases, plot_steps,
    plot_cost, plot_stack, plot_percentiles, plot_fine, plot_log2, plot_cumulative, plot_rounds,
    plot_heat;

/* How an op is drawn, the same in every picture. Dashes, points and fills distinguish ops even
 * without colour. */
struct plot_style {
    const char *colour; /* "#rrggbb" */
    const char *dash;   /* gnuplot's dashtype */
    int point, filling;
    int line; /* gnuplot's line type: the character it is drawn with on a terminal */
};

/* The style of the op called NAME. */
struct plot_style plot_style_of(const char *op);

/* One of six colours that colour-blind readers can distinguish: blue, vermilion, green, purple,
 * orange, sky blue. "#rrggbb" */
const char *plot_colour(size_t index);

/* Make TEXT, which comes from a file, safe between single quotes: characters with a meaning to
 * gnuplot, in SVG or to a terminal become question marks, and a long text is cut. Returns OUT. */
const char *plot_text(const char *text, char out[PLOT_TEXT_SIZE]);

/* Curves. For one file, a panel has a curve for each op; for several, each op has a panel with a
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

/* A panel's title: WHAT, and below it what was measured, when, and whether to believe it; not in a
 * page, which says so itself. */
void plot_title(const struct result_set *set, const char *what, FILE *out);

/* Write the panel's title: WHAT, and which op it shows, or how many of the ops if there are too
 * many. */
void plot_curve_title(const struct result_set *set, size_t panel, const char *what, FILE *out);

/* Write "plot $curve0 using USING with WITH ... title ..., $curve1 ..." */
void plot_curve_commands(const struct plot_curve *curves, size_t count, const char *using_and_with,
                         FILE *out);

/* gnuplot's point type for the INDEX-th of several files. */
int plot_point(size_t index);

/* Make room for ROWS lines of the key below the panel. */
void plot_key_rows(size_t rows, FILE *out);

/* Likewise for the key of COUNT curves, of one file or several. */
void plot_curve_key(const struct result_set *set, size_t count, FILE *out);

/* Write labels for the logarithmic AXIS ("x" or "y"), which goes from LOW to HIGH. */
void plot_log_tics(const char *axis, double low, double high, FILE *out);

/* Panels to be drawn as one picture, whatever their data are. */
struct plot_content {
    size_t count;
    const void *data;
    /* Are PANEL and the one before it of one question? These share a page of a document. NULL: no
     * panel does. */
    bool (*follows)(const void *data, size_t panel);
    unsigned (*height)(const void *data, size_t panel); /* px */
    void (*draw)(const void *data, size_t panel, FILE *out);
};

/* Draw CONTENT. Returns as gnuplot_run(). */
int plot_draw_content(const struct plot_content *content, const struct plot_output *output,
                      struct bytes *picture, struct error *error);

/* Run SCRIPT in gnuplot; it must not redirect its output, which goes to PICTURE, to be freed by the
 * caller. The user's settings are not read. 0, or a negative errno with ERROR set and PICTURE
 * empty: -ENOENT without gnuplot, -ETIMEDOUT if it takes longer than half a minute, -EIO if it
 * fails, with its error message. */
int gnuplot_run(const struct bytes *script, struct bytes *picture, struct error *error);

/* "A  today.json" */
void plot_file_label(const struct result_set *set, size_t file, char out[PLOT_TEXT_SIZE + 8]);
