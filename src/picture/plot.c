#include "picture/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/file.h"
#include "picture/plot_kind.h"

static const struct plot_kind *const kinds_known[] = {
    &plot_load,       &plot_size,   &plot_security,    &plot_phases, &plot_steps,
    &plot_cost,       &plot_stack,  &plot_percentiles, &plot_fine,   &plot_log2,
    &plot_cumulative, &plot_rounds, &plot_heat,
};

const struct plot_kind *plot_kind_at(size_t index)
{
    return index < sizeof kinds_known / sizeof kinds_known[0] ? kinds_known[index] : NULL;
}

const struct plot_kind *plot_kind_find(const char *name)
{
    const struct plot_kind *kind;

    for (size_t i = 0; (kind = plot_kind_at(i)); i++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

const char *plot_kind_name(const struct plot_kind *kind)
{
    return kind->name;
}

const char *plot_kind_caption(const struct plot_kind *kind)
{
    return kind->caption;
}

bool plot_kind_usual(const struct plot_kind *kind)
{
    return kind->usual;
}

size_t plot_kind_panels(const struct plot_kind *kind, const struct result_set *set)
{
    return kind->panels(set);
}

/* The script */

/* The first panel after FIRST that does not go on its page: a document has a page for each
 * question, a picture has one. */
static size_t end_of_page(const struct plot_content *content, size_t first, enum plot_format format)
{
    size_t end = first + 1;

    while (end < content->count &&
           (format != PLOT_PDF || (content->follows && content->follows(content->data, end))))
        end++;
    return end;
}

/* Of the highest page. */
static unsigned page_height(const struct plot_content *content, enum plot_format format)
{
    unsigned highest = 0;

    for (size_t first = 0, end; first < content->count; first = end) {
        unsigned height = 0;

        end = end_of_page(content, first, format);
        for (size_t i = first; i < end; i++)
            height += content->height(content->data, i);
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
                PLOT_WIDTH, height, output->format == PLOT_SVG ? " background '#ffffff'" : "");
        break;
    case PLOT_PNG:
        fprintf(out,
                "set terminal pngcairo size %d, %u noenhanced font 'sans-serif,9' fontscale 2 "
                "linewidth 2 pointscale 2\n",
                2 * PLOT_WIDTH, 2 * height);
        break;
    case PLOT_PDF:
        fprintf(out, "set terminal pdfcairo size %gin, %gin noenhanced font 'sans-serif,9'\n",
                PLOT_WIDTH / 96.0, height / 96.0);
        break;
    case PLOT_TERMINAL:
        fprintf(out, "set terminal dumb size %u, %u noenhanced %s\n", output->columns, output->rows,
                output->colour ? "ansi256" : "mono");
        break;
    }
}

/* What all panels have in common. On a terminal, text keeps the user's own colour, and there is no
 * grid, because a grid of characters would be mistaken for data. */
static void write_style(bool characters, FILE *out)
{
    fputs("reset\nset tics nomirror out scale 0.5\nset xlabel offset 0, 0.3\n"
          "set key below center horizontal Left reverse samplen 2.5\n",
          out);
    fputs(characters ? "set border 3\nunset grid\n"
                     : "set border 3 lc rgb '#808080'\nset tics textcolor rgb '#202020'\n"
                       "set title textcolor rgb '#202020'\nset xlabel textcolor rgb '#202020'\n"
                       "set ylabel textcolor rgb '#202020'\nset key textcolor rgb '#202020'\n"
                       "set grid xtics ytics lt 1 dt 1 lw 0.5 lc rgb '#dcdcdc'\n",
          out);
}

/* The panels of a page, from the top of its HEIGHT px. */
static void write_page(const struct plot_content *content, size_t first, size_t end,
                       unsigned page_height, FILE *out)
{
    unsigned above = 0;

    fputs("set multiplot\n", out);
    for (size_t i = first; i < end; i++) {
        unsigned height = content->height(content->data, i);

        above += height;
        write_style(false, out);
        fprintf(out, "set size 1, %.8f\nset origin 0, %.8f\n", (double)height / page_height,
                (double)(page_height - above) / page_height);
        content->draw(content->data, i, out);
    }
    fputs("unset multiplot\n", out);
}

static void write_panels(const struct plot_content *content, enum plot_format format,
                         unsigned height, FILE *out)
{
    size_t first = 0;

    for (size_t i = 0; format == PLOT_TERMINAL && i < content->count; i++) {
        write_style(true, out);
        content->draw(content->data, i, out);
    }
    while (format != PLOT_TERMINAL && first < content->count) {
        size_t end = end_of_page(content, first, format);

        write_page(content, first, end, height, out);
        first = end;
    }
}

static int write_script(const struct plot_content *content, const struct plot_output *output,
                        struct bytes *script)
{
    FILE *out = open_memstream(&script->data, &script->length);
    unsigned height;

    if (!out)
        return -errno;
    height = page_height(content, output->format);
    write_terminal(output, height, out);
    write_panels(content, output->format, height, out);
    return fclose(out) == 0 ? 0 : -errno;
}

/* Keep only the svg element. */
static void cut_prologue(struct bytes *picture)
{
    const char *start = strstr(picture->data, "<svg");

    if (!start)
        return;
    picture->length -= (size_t)(start - picture->data);
    memmove(picture->data, start, picture->length + 1);
}

/* gnuplot begins each picture with a form feed, as on paper, and leaves out the last newline. On a
 * terminal, the pictures follow each other instead. */
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

int plot_draw_content(const struct plot_content *content, const struct plot_output *output,
                      struct bytes *picture, struct error *error)
{
    struct bytes script = {0};
    int code = write_script(content, output, &script);

    if (code)
        error_set(error, ERROR_FAILED, code, "writing the picture's data: %s", strerror(-code));
    else
        code = gnuplot_run(&script, picture, error);
    free(script.data);
    if (code == 0 && output->format == PLOT_INLINE_SVG)
        cut_prologue(picture);
    if (code == 0 && output->format == PLOT_TERMINAL)
        end_lines(picture);
    return code;
}

/* Panels of several kinds, and the results that they draw. */
struct drawn {
    const struct plot_panel *panels;
    const struct result_set *set;
};

static unsigned height_of(const void *data, size_t index)
{
    const struct drawn *drawn = data;
    const struct plot_panel *panel = &drawn->panels[index];

    return panel->kind->height ? panel->kind->height(drawn->set, panel->index) : PLOT_HEIGHT;
}

static bool is_of_same_kind(const void *data, size_t index)
{
    const struct drawn *drawn = data;

    return drawn->panels[index].kind == drawn->panels[index - 1].kind;
}

static void draw_panel(const void *data, size_t index, FILE *out)
{
    const struct drawn *drawn = data;

    drawn->panels[index].kind->draw(drawn->set, drawn->panels[index].index, out);
}

int plot_draw(const struct plot_panel *panels, size_t count, const struct result_set *set,
              const struct plot_output *output, struct bytes *picture, struct error *error)
{
    const struct drawn drawn = {panels, set};
    const struct plot_content content = {count, &drawn, is_of_same_kind, height_of, draw_panel};

    return plot_draw_content(&content, output, picture, error);
}

/* Files */

int plot_output_for(struct plot_output *output, const char *path, struct error *error)
{
    static const struct {
        const char *ending;
        enum plot_format format;
    } formats[] = {{".svg", PLOT_SVG}, {".png", PLOT_PNG}, {".pdf", PLOT_PDF}};
    const char *ending = strrchr(path, '.');

    for (size_t i = 0; ending && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(ending, formats[i].ending) == 0) {
            output->format = formats[i].format;
            return file_check("--output", path, error);
        }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--output '%.200s': expected a name that ends in .svg, .png or .pdf", path);
}

static int write_bytes(const void *data, FILE *out)
{
    const struct bytes *bytes = data;

    return fwrite(bytes->data, 1, bytes->length, out) == bytes->length ? 0 : -errno;
}

int plot_write(const struct bytes *picture, const char *path, struct error *error)
{
    return file_write(write_bytes, picture, "the picture", path, error);
}
