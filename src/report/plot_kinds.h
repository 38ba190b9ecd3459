/* The kinds of pictures of results, each of which fills in panels (picture/panel.h). */
#pragma once

#include "picture/panel.h"
#include "picture/result_set.h"

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

/* How many panels the kind has for SET. */
size_t plot_kind_panels(const struct plot_kind *kind, const struct result_set *set);

/* Draw COUNT panels (PLOT_PANELS at most) as one picture. Returns as gnuplot_run(). */
int plot_draw(const struct plot_panel *panels, size_t count, const struct result_set *set,
              const struct plot_output *output, struct bytes *picture, struct error *error);
