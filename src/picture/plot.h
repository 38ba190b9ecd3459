/* Pictures of results, drawn by gnuplot. There is a table of kinds of pictures; each kind writes
 * gnuplot's commands and data for one panel at a time (plot_kind.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "output/history.h"
#include "output/result_set.h"

/* Bytes in memory; DATA is from malloc() and has a 0 after its LENGTH bytes. */
struct bytes {
    char *data;
    size_t length;
};

enum plot_format {
    PLOT_SVG,
    PLOT_INLINE_SVG, /* for an HTML page: without a background, and nothing before the svg element
                      */
    PLOT_PNG,
    PLOT_PDF,      /* a page for each kind; in the other formats panels are one below another */
    PLOT_TERMINAL, /* characters */
};

struct plot_output {
    enum plot_format format;
    unsigned columns, rows; /* of the terminal */
    bool colour;            /* the terminal has colours */
};

struct plot_kind;

/* One diagram. A kind has one for all ops of one file, or one for each op. */
struct plot_panel {
    const struct plot_kind *kind;
    size_t index;
};

enum { PLOT_PANELS = 64 };

/* The kinds, in the order in which they are drawn; NULL past the end. */
const struct plot_kind *plot_kind_at(size_t index);

/* The kind called NAME, or NULL. */
const struct plot_kind *plot_kind_find(const char *name);

const char *plot_kind_name(const struct plot_kind *kind);

/* One sentence that says what it shows and how to read it. */
const char *plot_kind_caption(const struct plot_kind *kind);

/* Is it drawn by default? */
bool plot_kind_usual(const struct plot_kind *kind);

/* How many panels the kind has for SET; 0 if SET does not have the data. */
size_t plot_kind_panels(const struct plot_kind *kind, const struct result_set *set);

/* Draw COUNT panels as one picture. Returns as gnuplot_run(). */
int plot_draw(const struct plot_panel *panels, size_t count, const struct result_set *set,
              const struct plot_output *output, struct bytes *picture, struct error *error);

/* Draw the first PLOT_PANELS series of HISTORY, a panel for each: the results with their intervals,
 * the means between changes, and the changes. Returns as gnuplot_run(). */
int plot_history(const struct history *history, const struct plot_output *output,
                 struct bytes *picture, struct error *error);

/* Set the format of OUTPUT by the ending of PATH (.svg, .png or .pdf), and check that PATH can be
 * written. 0, or a negative errno with ERROR set (ERROR_USAGE). */
int plot_output_for(struct plot_output *output, const char *path, struct error *error);

/* Write PICTURE to PATH; - is standard output. 0, or a negative errno with ERROR set. */
int plot_write(const struct bytes *picture, const char *path, struct error *error);
