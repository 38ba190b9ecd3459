/* The file and format of a picture that gnuplot draws from panels (panel.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* LENGTH bytes in memory. DATA is from malloc(), and ends with one more byte, 0. */
struct bytes {
    char *data;
    size_t length;
};

enum plot_format {
    PLOT_SVG,
    PLOT_INLINE_SVG, /* for HTML pages: without a background, and nothing before the svg element */
    PLOT_PNG,
    /* A page for each kind of picture. In the other formats, all panels are one below another. */
    PLOT_PDF,
    PLOT_TERMINAL, /* characters */
};

struct plot_output {
    enum plot_format format;
    unsigned columns, rows; /* size of the terminal in characters */
    bool colour;            /* true: the terminal has colours */
};

enum { PLOT_PANELS = 64 }; /* maximum number of panels in a picture */

/* Set the format of OUTPUT by the suffix of PATH (.svg, .png or .pdf), and call file_check().
 * Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int plot_output_for(struct plot_output *output, const char *path, struct error *error);

/* Write PICTURE to PATH ("-": standard output). Returns 0, or a negative errno with ERROR set. */
int plot_write(const struct bytes *picture, const char *path, struct error *error);
