#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/panel.h"

enum {
    WIDTH = 480, /* width of a picture, px */
    /* width in an HTML page, px; smaller, so that letters are legible on a phone */
    PAGE_WIDTH = 400,
    HEIGHT = 350, /* height of a panel without rows, px */
    ROW_HEIGHT = 22,
    KEY_HEIGHT = 19,
    FRAME_HEIGHT = 190, /* total height above and below rows and key, px */
    FRAME_LINES = 11,   /* on a terminal: total number of lines above and below rows and key */
};

static unsigned key_lines(const struct panel *panel)
{
    const size_t columns = panel->key_columns;

    return columns ? (unsigned)((panel->keys + columns - 1) / columns) : 0;
}

static unsigned height_of(const struct panel *panel)
{
    return panel->bottom > 0 ? FRAME_HEIGHT + ROW_HEIGHT * (unsigned)ceil(panel->bottom) +
                                   KEY_HEIGHT * key_lines(panel)
                             : HEIGHT;
}

/* Return the index after the last panel of the page that begins with panel FIRST. Only a PDF has
 * several pages, one for each kind of picture. */
static size_t end_of_page(const struct panel *panels, size_t count, size_t first,
                          enum plot_format format)
{
    size_t end = first + 1;

    while (end < count && (format != PLOT_PDF || panels[end].follows))
        end++;
    return end;
}

static unsigned page_height(const struct panel *panels, size_t count, enum plot_format format)
{
    unsigned highest = 0;

    for (size_t first = 0, end; first < count; first = end) {
        unsigned height = 0;

        end = end_of_page(panels, count, first, format);
        for (size_t i = first; i < end; i++)
            height += height_of(&panels[i]);
        highest = height > highest ? height : highest;
    }
    return highest;
}

static void write_terminal(const struct plot_output *output, unsigned height, FILE *out)
{
    fputs("set encoding utf8\n", out);
    fprintf(out, "US = '%s'\nPAGE = %d\n", output->format == PLOT_TERMINAL ? "us" : "µs",
            output->format == PLOT_INLINE_SVG);
    switch (output->format) {
    case PLOT_SVG:
    case PLOT_INLINE_SVG:
        fprintf(out, "set terminal svg size %d, %u dynamic noenhanced font 'sans-serif,13'%s\n",
                output->format == PLOT_SVG ? WIDTH : PAGE_WIDTH, height,
                output->format == PLOT_SVG ? " background '#ffffff'" : "");
        break;
    case PLOT_PNG:
        fprintf(out,
                "set terminal pngcairo size %d, %u noenhanced font 'sans-serif,9' fontscale 2 "
                "linewidth 2 pointscale 2\n",
                2 * WIDTH, 2 * height);
        break;
    case PLOT_PDF:
        fprintf(out, "set terminal pdfcairo size %gin, %gin noenhanced font 'sans-serif,9'\n",
                WIDTH / 96.0, height / 96.0);
        break;
    case PLOT_TERMINAL: /* write_size() sets the size of each panel */
        break;
    }
}

/* Set the size of a panel on a terminal: the terminal's size, or more lines if rows need them. */
static void write_size(const struct plot_output *output, const struct panel *panel, FILE *out)
{
    const unsigned rows =
        panel->bottom > 0 ? FRAME_LINES + (unsigned)ceil(panel->bottom) + key_lines(panel) : 0;

    fprintf(out, "set terminal dumb size %u, %u noenhanced %s\n", output->columns,
            rows > output->rows ? rows : output->rows, output->colour ? "ansi256" : "mono");
}

/* Write the settings of all panels. On a terminal (CHARACTERS), text has the terminal's colour, and
 * there is no grid, because its characters would look like data. */
static void write_style(bool characters, FILE *out)
{
    fputs("reset\nUNIT = US\nset tics nomirror out scale 0.5\nset xlabel offset 0, 0.3\n"
          "set key below center horizontal Left reverse samplen 2\n",
          out);
    fputs(characters ? "set border 3\nunset grid\n"
                     : "set border 3 lc rgb '#808080'\nset tics textcolor rgb '#202020'\n"
                       "set title textcolor rgb '#202020'\nset xlabel textcolor rgb '#202020'\n"
                       "set ylabel textcolor rgb '#202020'\nset key textcolor rgb '#202020'\n"
                       "set grid xtics ytics lt 1 dt 1 lw 0.5 lc rgb '#dcdcdc'\n",
          out);
}

/* Return the width (6 to 26), in gnuplot's characters, of names of at most LONGEST letters. A
 * letter takes one character on a terminal (CHARACTERS is true), else less. */
static double names_width(size_t longest, bool characters)
{
    const double width = (characters ? 1 : 0.75) * (double)longest + 2;

    return fmin(fmax(width, 6), 26);
}

static void write_panel(const struct panel *panel, bool characters, FILE *out)
{
    const size_t columns = panel->key_columns;

    if (columns > 0)
        fprintf(out, "set key maxcols %zu\nset bmargin %u\n", columns, key_lines(panel) + 4);
    if (panel->bottom > 0)
        fprintf(out, "set lmargin %g\nset yrange [%g:-1]\n",
                names_width(panel->longest, characters), panel->bottom);
    fwrite(panel->texts[0].data, 1, panel->texts[0].length, out);
    if (panel->bottom > 0 && !characters) /* centre the title above names and data */
        fprintf(out, "set title offset %g, 0\n", -names_width(panel->longest, false) / 2);
    fprintf(out, "plot %s\n", panel->texts[1].length ? panel->texts[1].data : "NaN notitle");
}

/* Write COUNT panels of a page from top to bottom. PAGE_HEIGHT: height of the highest page, px. */
static void write_page(const struct panel *panels, size_t count, unsigned page_height, FILE *out)
{
    unsigned above = 0;

    fputs("set multiplot\n", out);
    for (size_t i = 0; i < count; i++) {
        unsigned height = height_of(&panels[i]);

        above += height;
        write_style(false, out);
        fprintf(out, "set size 1, %.8f\nset origin 0, %.8f\n", (double)height / page_height,
                (double)(page_height - above) / page_height);
        write_panel(&panels[i], false, out);
    }
    fputs("unset multiplot\n", out);
}

static int write_script(const struct panel *panels, size_t count, const struct plot_output *output,
                        struct bytes *script)
{
    FILE *out = open_memstream(&script->data, &script->length);
    const unsigned height = page_height(panels, count, output->format);

    if (!out)
        return -errno;
    for (size_t i = 0; i < count; i++)
        if (fflush(panels[i].out) != 0 || fflush(panels[i].drawn) != 0)
            return fclose(out), -ENOMEM;
    write_terminal(output, height, out);
    for (size_t i = 0; output->format == PLOT_TERMINAL && i < count; i++) {
        write_size(output, &panels[i], out);
        write_style(true, out);
        write_panel(&panels[i], true, out);
    }
    for (size_t first = 0, end; output->format != PLOT_TERMINAL && first < count; first = end) {
        end = end_of_page(panels, count, first, output->format);
        write_page(panels + first, end - first, height, out);
    }
    return fclose(out) == 0 ? 0 : -errno;
}

static void cut_prologue(struct bytes *picture)
{
    const char *start = strstr(picture->data, "<svg");

    if (!start)
        return;
    picture->length -= (size_t)(start - picture->data);
    memmove(picture->data, start, picture->length + 1);
}

/* Replace gnuplot's hints, which need a script, by title elements, which every browser shows.
 * Remove gnuplot's own titles. Each replacement is shorter than what it replaces, so PICTURE is
 * changed in place. */
static void set_titles(struct bytes *picture)
{
    static const char begin[] = " onmousemove=\"gnuplot_svg.showHypertext(evt,'";
    static const char end[] = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>";
    char *to = picture->data, *from = to, *stop;

    while (*from) {
        if (strncmp(from, begin, strlen(begin)) == 0 && (stop = strstr(from, end))) {
            const char *hint = from + strlen(begin);

            to = stpcpy(to, "><title>");
            memmove(to, hint, (size_t)(stop - hint));
            to = stpcpy(to + (stop - hint), "</title>");
            from = stop + strlen(end);
        } else if ((strncmp(from, "<title>gnuplot_", 15) == 0 ||
                    strncmp(from, "<title>Gnuplot<", 15) == 0) &&
                   (stop = strstr(from, "</title>"))) {
            from = stop + strlen("</title>");
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    picture->length = (size_t)(to - picture->data);
}

/* Remove the first form feed, replace the others by newlines, and add the last newline. gnuplot
 * begins each picture with a form feed, and omits the last newline. */
static void end_lines(struct bytes *picture)
{
    if (picture->data[0] != '\f')
        return;
    memmove(picture->data, picture->data + 1, picture->length - 1);
    picture->data[picture->length - 1] = '\n';
    for (size_t i = 0; i < picture->length; i++)
        if (picture->data[i] == '\f')
            picture->data[i] = '\n';
}

int panels_draw(struct panel *panels, size_t count, int code, const struct plot_output *output,
                struct bytes *picture, struct error *error)
{
    struct bytes script = {0};

    if (code == 0)
        code = write_script(panels, count, output, &script);
    if (code)
        error_set(error, ERROR_FAILED, code, "writing the picture's data: %s", strerror(-code));
    else
        code = gnuplot_run(&script, picture, error);
    free(script.data);
    for (size_t i = 0; i < count; i++)
        panel_close(&panels[i]);
    if (code == 0 && output->format == PLOT_INLINE_SVG)
        cut_prologue(picture);
    if (code == 0 && (output->format == PLOT_SVG || output->format == PLOT_INLINE_SVG))
        set_titles(picture);
    if (code == 0 && output->format == PLOT_TERMINAL)
        end_lines(picture);
    return code;
}
