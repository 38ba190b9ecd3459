/* The kinds of pictures of results. */
#pragma once

#include "picture/panel.h"
#include "picture/result_set.h"

/* A kind of picture. A picture of the kind has one or more diagrams, such as one for each op, or
 * none if the set of results lacks the data. */
struct plot_kind {
    const char *name;
    const char *caption; /* text that says what the picture shows and how to read it */
    bool usual;          /* the kind is drawn by default */
    /* Draw diagram INDEX of SET in PANEL (picture/panel.h). Returns whether SET has it. */
    bool (*draw)(const struct result_set *set, size_t index, struct panel *panel);
};

/* All kinds of pictures in the order of a report. The last element is NULL. */
extern const struct plot_kind *const plot_kinds[];

struct plot_panel {
    const struct plot_kind *kind;
    size_t index;
};

/* Return the number of diagrams of KIND that SET has, at most PLOT_PANELS. */
size_t plot_kind_panels(const struct plot_kind *kind, const struct result_set *set);

/* Draw COUNT panels (at most PLOT_PANELS) as one picture. Returns what gnuplot_run() returns. */
int plot_draw(const struct plot_panel *panels, size_t count, const struct result_set *set,
              const struct plot_output *output, struct bytes *picture, struct error *error);
