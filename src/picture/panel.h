/* A panel: a diagram that a kind of picture builds from blocks of data, each with its style and its
 * entry in the key. From these, panels_draw() derives the rest that gnuplot needs (the order of
 * commands, room for the key and for names of rows, the height). In gnuplot, the variable UNIT is
 * the unit of the panel's times; PAGE is 1 if the diagram is part of a page, else 0. */
#pragma once

#include <stdio.h>

#include "picture/plot.h"
#include "picture/result_set.h"

enum {
    /* maximum number of curves in a panel; more curves could not be distinguished */
    PANEL_CURVES = 8,
    PANEL_TEXT_SIZE = 128,
    PANEL_LABEL_SIZE = PANEL_TEXT_SIZE + 8,
};

struct panel {
    FILE *out;   /* gnuplot commands for the panel's settings and data */
    FILE *drawn; /* arguments of gnuplot's command "plot" */
    struct bytes texts[2];
    double unit; /* unit of the panel's times, in ns */
    const char *unit_name;
    bool follows;  /* true: in a PDF, the panel is on the page of the panel before it */
    size_t blocks; /* number of data blocks */
    size_t rows;   /* number of lines in the last block */
    bool begun;    /* true: the last block has begun but not ended */
    size_t keys;   /* number of entries in the key */
    /* maximum number of columns of the key; 0: there is no key below the panel */
    size_t key_columns;
    /* Members for panels whose vertical axis has named rows (ops, variants, parts of a call): */
    /* Position of the end of the last row, in rows; 0 if the panel has no rows. */
    double bottom;
    size_t longest; /* number of bytes in the longest name of a row, with its file's letter */
};

/* Set up PANEL. Returns 0 or a negative errno. In both cases, call panel_close() or panels_draw(),
 * which also closes PANEL, but not both. */
int panel_open(struct panel *panel);
void panel_close(struct panel *panel);

/* Write a setting for gnuplot: FORMAT and its arguments, without "set" before them. Each function
 * that writes settings, such as panel_name_row(), or that draws a block, ends the last block: no
 * more rows can be added to it. */
void panel_set(struct panel *panel, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Set the title to FORMAT and its arguments, and the subtitle to the target, load, client and date
 * of SET's first result, and the verdicts. A page shows no subtitle, because its text says this. */
void panel_title(struct panel *panel, const struct result_set *set, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Use ns, us, ms or s for the panel's times, so that LARGEST ns is at least one unit. Call it
 * before any time is written to PANEL; the default is us. */
void panel_unit(struct panel *panel, double largest);

/* Return the largest absolute value among VALUE's estimate and ends. */
double panel_farthest(const struct interval *value);

/* panel_time() returns NS in the panel's unit; panel_times() returns BASE + VALUE (both in ns) in
 * the panel's unit. If VALUE lacks an end, the result's end is the result's estimate. */
double panel_time(const struct panel *panel, double ns);
struct interval panel_times(const struct panel *panel, double base, const struct interval *value);

/* Write NS in a unit that suits it, such as "1.85 µs", to OUT, for gnuplot's strings in single
 * quotes. Returns OUT. */
const char *panel_duration(double ns, char out[PANEL_TEXT_SIZE]);

/* Set the labels of the logarithmic AXIS ("x" or "y") from LOW to HIGH. If TIMES is true, LOW and
 * HIGH are times in the panel's unit, and each label has a unit that suits it. */
void panel_log_tics(struct panel *panel, const char *axis, double low, double high, bool times);

void panel_block(struct panel *panel);

void panel_row(struct panel *panel, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Draw the last block, unless it is empty, over all earlier blocks. FORMAT is "using ... with ...",
 * for gnuplot. TITLE is the block's entry in the key; NULL: no entry. */
void panel_draw(struct panel *panel, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Add an entry without data to the key: TITLE, in the style FORMAT (the words after "with"). */
void panel_key(struct panel *panel, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put the key in CORNER ("top left") of the diagram instead of below it. */
void panel_key_inside(struct panel *panel, const char *corner);

/* Give NAME to the row at PLACE, which is 0 for the top row. If SET has several files, the letter
 * of FILE precedes NAME, unless FILE is PANEL_NO_FILE. */
enum { PANEL_NO_FILE = RESULT_SET_FILES };
void panel_name_row(struct panel *panel, double place, const struct result_set *set, size_t file,
                    const char *name);

/* Set the time axis, with the label WHAT, from FROM (for gnuplot: "0", "*<0"). The axis has room
 * for texts after points. */
void panel_time_axis(struct panel *panel, const char *what, const char *from);

/* panel_point() adds a point with its interval in the row at PLACE. VALUE and REACH are in the
 * panel's unit. The text FORMAT follows the interval, or begins at REACH if REACH is further right.
 * A FORMAT with spaces must contain double quotes around its text. If VALUE has no ends, only the
 * estimate is drawn. Under a mouse pointer, estimate and interval appear. panel_draw_points() draws
 * the block's points in the style FORMAT. */
void panel_point(struct panel *panel, double place, const struct interval *value, double reach,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));
void panel_draw_points(struct panel *panel, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* panel_bar() adds a bar from BEGIN to END, in ns, in the row at PLACE; COLOUR is 0xrrggbb.
 * panel_draw_bars() draws the block's bars with a height of 2 * HALF rows and gnuplot's fillstyle
 * FILLING. The key shows TITLE (NULL: none) with a bar of COLOUR, even if there are no bars. */
void panel_bar(struct panel *panel, double place, double begin, double end, unsigned colour);
void panel_draw_bars(struct panel *panel, double half, const char *filling, const char *title,
                     unsigned colour);

/* Add the names of the files to the key if there are several files. */
void panel_key_files(struct panel *panel, const struct result_set *set);

/* panel_value() adds a point at X with its interval; VALUE is in ns. Under a mouse pointer, LABEL,
 * value and interval appear in the panel's unit. panel_draw_values() draws the block's points in
 * the style FORMAT. */
void panel_value(struct panel *panel, double x, const struct interval *value, const char *label);
void panel_draw_values(struct panel *panel, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Draw COUNT PANELS as one picture, and close them. CODE is the result of opening them: if it is
 * not 0, the panels are only closed, and CODE is returned with ERROR set, but PICTURE unset. Else
 * returns as gnuplot_run(), or another negative errno with PICTURE unset. */
int panels_draw(struct panel *panels, size_t count, int code, const struct plot_output *output,
                struct bytes *picture, struct error *error);

/* An op's style, the same in every picture. The styles of common ops can be distinguished even
 * without colour. */
struct plot_style {
    const char *colour; /* "#rrggbb" */
    const char *dash;   /* gnuplot's dashtype */
    int filling;
    int line; /* number of gnuplot's line type, which decides the character on a terminal */
};

struct plot_style plot_style_of(const char *op);

/* Return colour INDEX (modulo 6), as "#rrggbb", of six for colour-blind readers: blue, vermilion,
 * green, purple, orange, sky blue. plot_rgb() converts such a COLOUR to a number. */
const char *plot_colour(size_t index);
unsigned plot_rgb(const char *colour);

/* Return dashtype INDEX (modulo 11) of gnuplot. */
const char *plot_dash(size_t index);

/* Return gnuplot's point type for result INDEX of a set. */
int plot_point(size_t index);

/* Copy TEXT, which may come from a file, to OUT so that it is safe in single quotes. Characters
 * that are special in gnuplot, in SVG or on a terminal become question marks; texts over 40 bytes
 * are cut. Returns OUT. */
const char *plot_text(const char *text, char out[PANEL_TEXT_SIZE]);

/* Write the label of SET's result number FILE to OUT, such as "A today.json". Returns OUT. */
const char *plot_file_label(const struct result_set *set, size_t file, char out[PANEL_LABEL_SIZE]);

/* Run SCRIPT in gnuplot, without the user's settings, and store its output in PICTURE, which the
 * caller frees. SCRIPT must not redirect its output. Returns 0, or a negative errno with ERROR set
 * and PICTURE empty; for example -ENOENT if gnuplot is missing, -ETIMEDOUT after half a minute, or
 * -EIO with gnuplot's message if gnuplot fails. */
int gnuplot_run(const struct bytes *script, struct bytes *picture, struct error *error);
