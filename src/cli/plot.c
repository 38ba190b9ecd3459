/* nfsbench plot: pictures of results. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/options.h"
#include "output/file.h"
#include "output/plot.h"

struct plot_settings {
    const char *output, *kind, *op;
    bool help;
};

#define MEMBER(member) offsetof(struct plot_settings, member)

static const struct option_entry table[] = {
    {"output", 'o', OPTION_TEXT, MEMBER(output), "FILE",
     "draw there; its name ends in .svg, .png or .pdf. Else the terminal is drawn on"},
    {"kind", 'k', OPTION_TEXT, MEMBER(kind), "KIND[,...]", "what to draw, or all"},
    {"op", 0, OPTION_TEXT, MEMBER(op), "OP[,...]", "only these ops"},
    {"help", 'h', OPTION_FLAG, MEMBER(help), NULL, "this text"},
    {0},
};

/* TEXT from column COLUMN on, in lines of a page's width. */
static void print_wrapped(const char *text, int column)
{
    enum { WIDTH = 100 };
    int at = column;

    while (*text) {
        int length = (int)strcspn(text, " ");

        if (at > column && at + 1 + length > WIDTH)
            at = printf("\n%*s", column, "") - 1;
        at += printf("%s%.*s", at > column ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

static void print_help(void)
{
    const struct plot_kind *kind;

    printf("usage: nfsbench plot [options] RESULT.json [...]\n\n"
           "Pictures of results, by gnuplot. From several, the ops that all of them have, side by "
           "side.\n\noptions\n");
    options_help(table, stdout);
    printf("\nkinds (* where none is asked for)\n");
    for (size_t i = 0; (kind = plot_kind_at(i)); i++) {
        int column = printf("%c %-12s  ", plot_kind_usual(kind) ? '*' : ' ', plot_kind_name(kind));
        print_wrapped(plot_kind_caption(kind), column);
    }
}

/* The kinds asked for */

struct choice {
    struct plot_panel panels[PLOT_PANELS];
    size_t count;
};

/* All panels of KIND; false where there are none. */
static bool add(struct choice *choice, const struct plot_kind *kind, const struct result_set *set)
{
    size_t panels = plot_kind_panels(kind, set);

    for (size_t i = 0; i < panels && choice->count < PLOT_PANELS; i++)
        choice->panels[choice->count++] = (struct plot_panel){kind, i};
    return panels > 0;
}

/* Those that SET has something for: the usual ones, or ALL. */
static int choose_fitting(struct choice *choice, const struct result_set *set, bool all,
                          struct error *error)
{
    const struct plot_kind *kind;

    for (size_t i = 0; (kind = plot_kind_at(i)); i++)
        if (all || plot_kind_usual(kind))
            add(choice, kind, set);
    if (choice->count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "%.200s holds nothing to draw",
                         set->files[0].path);
    return 0;
}

static int choose_one(struct choice *choice, const struct result_set *set, const char *name,
                      struct error *error)
{
    const struct plot_kind *kind = plot_kind_find(name);

    if (!kind)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--kind '%.60s' is not known; 'nfsbench plot --help' lists the kinds",
                         name);
    if (!add(choice, kind, set))
        return error_set(error, ERROR_USAGE, -ENOENT, "--kind %s: %.200s holds nothing for it",
                         name, set->count > 1 ? "not every file" : set->files[0].path);
    return 0;
}

static int choose(struct choice *choice, const struct result_set *set, const char *names,
                  struct error *error)
{
    char name[64];
    int code = 0;

    if (!names || strcmp(names, "all") == 0)
        return choose_fitting(choice, set, names != NULL, error);
    do {
        size_t length = strcspn(names, ",");

        snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), names);
        code = choose_one(choice, set, name, error);
        names += length + (names[length] == ',');
    } while (code == 0 && *names);
    return code;
}

/* Where to */

static int choose_format(struct plot_output *output, const char *path, struct error *error)
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

/* A panel takes most of the terminal's width and height, within what looks well. */
static void fit_terminal(struct plot_output *output)
{
    struct winsize size = {.ws_col = 80, .ws_row = 24};

    output->format = PLOT_TERMINAL;
    output->colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40 || size.ws_row < 12)
        size = (struct winsize){.ws_col = 80, .ws_row = 24};
    output->columns = size.ws_col < 120 ? size.ws_col - 1u : 120;
    output->rows = size.ws_row < 32 ? size.ws_row - 1u : 32;
}

static int write_bytes(const void *data, FILE *out)
{
    const struct bytes *bytes = data;

    return fwrite(bytes->data, 1, bytes->length, out) == bytes->length ? 0 : -errno;
}

static int draw(const struct plot_settings *settings, const struct result_set *set,
                struct error *error)
{
    struct plot_output output = {.colour = false};
    struct choice choice = {.count = 0};
    struct bytes picture = {0};
    int code = choose(&choice, set, settings->kind, error);

    if (code == 0 && settings->output)
        code = choose_format(&output, settings->output, error);
    else if (code == 0)
        fit_terminal(&output);
    if (code == 0)
        code = plot_draw(choice.panels, choice.count, set, &output, &picture, error);
    if (code == 0)
        code = file_write(write_bytes, &picture, "the picture",
                          settings->output ? settings->output : "-", error);
    free(picture.data);
    return code;
}

int command_plot(int argc, char **argv)
{
    struct plot_settings settings = {.help = false};
    struct result_set set = {.count = 0};
    struct error error;
    int first, code = options_parse(table, argc, argv, &settings, &first, &error);

    if (code == 0 && settings.help) {
        print_help();
        return 0;
    }
    if (code == 0)
        code = result_set_open(&set, argv + first, (size_t)(argc - first), settings.op, &error);
    if (code == 0)
        code = draw(&settings, &set, &error);
    result_set_close(&set);
    if (code == 0)
        return 0;
    error_print(&error);
    return (int)error.kind;
}
