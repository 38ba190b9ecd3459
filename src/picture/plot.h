/* Pictures of results, drawn by gnuplot. Each kind of picture fills in panels (panel.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "output/result/result_set.h"

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

struct panel;

/* A kind of picture. It has a diagram for all ops of one file, or one for each op. */
struct plot_kind {
    const char *name;
    const char *caption; /* one sentence that says what it shows and how to read it */
    bool usual;          /* it is drawn by default */
    /* Fill in PANEL (picture/panel.h) with the diagram numbered INDEX of SET. False: there is none,
     * as SET does not have the data, or fewer. */
    bool (*draw)(const struct result_set *set, size_t index, struct panel *panel);
};

/* The kinds, in the order in which they are drawn; NULL after the last. */
extern const struct plot_kind *const plot_kinds[];

struct plot_panel {
    const struct plot_kind *kind;
    size_t index;
};

enum { PLOT_PANELS = 64 };

/* How many panels the kind has for SET. */
size_t plot_kind_panels(const struct plot_kind *kind, const struct result_set *set);

/* Draw COUNT panels (PLOT_PANELS at most) as one picture. Returns as gnuplot_run(). */
int plot_draw(const struct plot_panel *panels, size_t count, const struct result_set *set,
              const struct plot_output *output, struct bytes *picture, struct error *error);

/* Set the format of OUTPUT by the ending of PATH (.svg, .png or .pdf), and check that PATH can be
 * written. 0, or a negative errno with ERROR set (ERROR_USAGE). */
int plot_output_for(struct plot_output *output, const char *path, struct error *error);

/* Write PICTURE to PATH; - is standard output. 0, or a negative errno with ERROR set. */
int plot_write(const struct bytes *picture, const char *path, struct error *error);
