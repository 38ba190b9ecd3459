/* A diagram as it is made: blocks of data, each with how it is drawn and what the key calls it. A
 * kind of picture says these; what gnuplot wants besides (the order of its commands, room for the
 * key and for the names of rows, the height) follows from them. The variable UNIT holds the unit of
 * the panel's times, PAGE is 1 where the diagram stands in a page, else 0. */
#pragma once

#include <stdio.h>

#include "picture/plot.h"
#include "picture/result_set.h"

enum {
    PANEL_CURVES = 8, /* in one panel; more of them could not be distinguished */
    PANEL_TEXT_SIZE = 128,
    PANEL_LABEL_SIZE = PANEL_TEXT_SIZE + 8,
};

struct panel {
    FILE *out;   /* settings and data */
    FILE *drawn; /* what follows "plot" */
    struct bytes texts[2];
    double unit; /* of its times, ns */
    const char *unit_name;
    bool follows;       /* it is of the same question as the panel before, whose page it shares */
    size_t blocks;      /* of data */
    size_t rows;        /* in the last of them */
    bool begun;         /* the last one has no end yet */
    size_t keys;        /* lines of the key */
    size_t key_columns; /* at most; 0: the key has no place below the panel */
    /* Of a panel with a row for each op, or for each of its parts: */
    double bottom;  /* the first row is at 0, and this is where the last one ends; 0: it has none */
    size_t longest; /* of the rows' names */
};

/* 0 or -errno; panel_close() is due after both. */
int panel_open(struct panel *panel);
void panel_close(struct panel *panel);

/* Write a setting of gnuplot's: what follows "set". */
void panel_set(struct panel *panel, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The title: what FORMAT says, and below it what was measured, when, and whether to believe it; not
 * in a page, which says so itself. */
void panel_title(struct panel *panel, const struct result_set *set, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Its times are in ns, us, ms or s, so that LARGEST ns are one of them at least. Due before the
 * first of its times; else they are in us. */
void panel_unit(struct panel *panel, double largest);

/* How far VALUE's estimate or one of its ends is from 0. */
double panel_farthest(const struct interval *value);

/* NS, and BASE and VALUE together (its ends where it has some), in the panel's unit. */
double panel_time(const struct panel *panel, double ns);
struct interval panel_times(const struct panel *panel, double base, const struct interval *value);

/* "1.85 µs", whatever the panel's unit is, for what stands in single quotes. Returns OUT. */
const char *panel_duration(double ns, char out[PANEL_TEXT_SIZE]);

/* Labels for the logarithmic AXIS ("x" or "y"), which goes from LOW to HIGH: numbers, or TIMES in
 * the panel's unit, each of which gets its own. */
void panel_log_tics(struct panel *panel, const char *axis, double low, double high, bool times);

/* Begin a block of data. */
void panel_block(struct panel *panel);

/* A line of it. */
void panel_row(struct panel *panel, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Draw the last block, "using ... with ...", unless it is empty, above what was drawn before. TITLE
 * is for the key; NULL: it is not there. */
void panel_draw(struct panel *panel, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line of the key alone: TITLE beside what is drawn "with ...". */
void panel_key(struct panel *panel, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The key stands in a corner of the diagram ("top left") instead of below it. */
void panel_key_inside(struct panel *panel, const char *corner);

/* Rows, the first one at the top: name the one at PLACE; the letter of FILE (PANEL_NO_FILE: none)
 * stands before its name if SET has several. */
enum { PANEL_NO_FILE = RESULT_SET_FILES };
void panel_name_row(struct panel *panel, double place, const struct result_set *set, size_t file,
                    const char *name);

/* The axis of times below them, from FROM on ("0", "*<0"), with room for what stands behind points.
 */
void panel_time_axis(struct panel *panel, const char *what, const char *from);

/* A point in the row at PLACE, with its interval, and behind it, or from REACH on, if that is
 * further to the right, what FORMAT says. An interval without ends is its estimate alone. Where
 * there is a pointer, it shows both. */
void panel_point(struct panel *panel, double place, const struct interval *value, double reach,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));
void panel_draw_points(struct panel *panel, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A bar from BEGIN to END, ns, in the row at PLACE; COLOUR is 0xrrggbb. All are twice HALF as high,
 * with gnuplot's fillstyle FILLING. The key has TITLE (NULL: none) beside a bar of COLOUR, also
 * where no row has one. */
void panel_bar(struct panel *panel, double place, double begin, double end, unsigned colour);
void panel_draw_bars(struct panel *panel, double half, const char *filling, const char *title,
                     unsigned colour);

/* The key names the files, if there are several. */
void panel_key_files(struct panel *panel, const struct result_set *set);

/* A point at X, with its interval, in the panel's unit; a pointer shows LABEL and both. */
void panel_value(struct panel *panel, double x, const struct interval *value, const char *label);
void panel_draw_values(struct panel *panel, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Draw COUNT PANELS as one picture, unless CODE says that one could not be opened, and close them.
 * Returns as gnuplot_run(). */
int panels_draw(struct panel *panels, size_t count, int code, const struct plot_output *output,
                struct bytes *picture, struct error *error);

/* How an op is drawn, the same in every picture. Dashes, points and fills distinguish ops even
 * without colour. */
struct plot_style {
    const char *colour; /* "#rrggbb" */
    const char *dash;   /* gnuplot's dashtype */
    int filling;
    int line; /* gnuplot's line type: the character it is drawn with on a terminal */
};

/* The style of the op called NAME. */
struct plot_style plot_style_of(const char *op);

/* One of six colours that colour-blind readers can distinguish: blue, vermilion, green, purple,
 * orange, sky blue. "#rrggbb", and as a number. */
const char *plot_colour(size_t index);
unsigned plot_rgb(const char *colour);

/* One of eleven dashtypes of gnuplot's. */
const char *plot_dash(size_t index);

/* gnuplot's point type for the INDEX-th of several files. */
int plot_point(size_t index);

/* Make TEXT, which comes from a file, safe between single quotes: characters with a meaning to
 * gnuplot, in SVG or to a terminal become question marks, and a long text is cut. Returns OUT. */
const char *plot_text(const char *text, char out[PANEL_TEXT_SIZE]);

/* "A  today.json". Returns OUT. */
const char *plot_file_label(const struct result_set *set, size_t file, char out[PANEL_LABEL_SIZE]);

/* Run SCRIPT in gnuplot; it must not redirect its output, which goes to PICTURE, to be freed by the
 * caller. The user's settings are not read. 0, or a negative errno with ERROR set and PICTURE
 * empty: -ENOENT without gnuplot, -ETIMEDOUT if it takes longer than half a minute, -EIO if it
 * fails, with its error message. */
int gnuplot_run(const struct bytes *script, struct bytes *picture, struct error *error);
