/* nfsbench plot: pictures of results. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/option_values.h"
#include "common/nearest.h"
#include "output/terminal.h"
#include "picture/plot.h"

static void print_kinds(FILE *out)
{
    const struct plot_kind *kind;

    fprintf(out, "\nkinds (those with * are drawn by default)\n");
    for (size_t i = 0; (kind = plot_kinds[i]); i++) {
        int column = fprintf(out, "%c %-12s  ", kind->usual ? '*' : ' ', kind->name);

        help_wrap(kind->caption, column, column, out);
    }
}

/* The kinds asked for */

struct choice {
    struct plot_panel panels[PLOT_PANELS];
    size_t count;
};

/* Choose all panels of KIND; false if it has none. */
static bool add(struct choice *choice, const struct plot_kind *kind, const struct result_set *set)
{
    size_t panels = plot_kind_panels(kind, set);

    for (size_t i = 0; i < panels && choice->count < PLOT_PANELS; i++)
        choice->panels[choice->count++] = (struct plot_panel){kind, i};
    return panels > 0;
}

/* Choose all kinds for which SET has data, or only those that are drawn by default. */
static int choose_fitting(struct choice *choice, const struct result_set *set, bool all,
                          struct error *error)
{
    for (const struct plot_kind *const *kind = plot_kinds; *kind; kind++)
        if (all || (*kind)->usual)
            add(choice, *kind, set);
    if (choice->count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "%.200s contains nothing to draw",
                         set->results[0]->path);
    return 0;
}

static int refuse_kind(const char *name, struct error *error)
{
    char hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    nearest_begin(&nearest, name);
    for (const struct plot_kind *const *kind = plot_kinds; *kind; kind++)
        nearest_offer(&nearest, (*kind)->name);
    return error_set(error, ERROR_USAGE, -EINVAL, "--kind '%.60s' is not known%s", name,
                     nearest.name ? nearest_hint(&nearest, hint)
                                  : "; 'nfsbench plot --help' lists the kinds");
}

static int choose_one(struct choice *choice, const struct result_set *set, const char *name,
                      struct error *error)
{
    const struct plot_kind *const *kind = plot_kinds;

    while (*kind && strcmp((*kind)->name, name) != 0)
        kind++;
    if (!*kind)
        return refuse_kind(name, error);
    if (!add(choice, *kind, set))
        return error_set(error, ERROR_USAGE, -ENOENT, "--kind %s: %.200s contains no data for it",
                         name, set->count > 1 ? "not every file" : set->results[0]->path);
    return 0;
}

static int choose(struct choice *choice, const struct result_set *set, const char *names,
                  struct error *error)
{
    char name[64];
    int code = 0;

    if (!names || strcmp(names, "all") == 0)
        return choose_fitting(choice, set, names != NULL, error);
    while (code == 0 && names && *names)
        code = choose_one(choice, set, option_word(&names, name, sizeof name), error);
    return code;
}

/* Where to */

/* A panel takes most of the terminal's width and height, within limits that look well. */
static void fit_terminal(struct plot_output *output)
{
    enum {
        COLUMNS_LEAST = 40,
        COLUMNS_MOST = 120,
        ROWS_LEAST = 12,
        ROWS_MOST = 32,
        ROWS_USUAL = 24
    };
    const struct terminal terminal = terminal_of(stdout);
    struct winsize size = {.ws_row = ROWS_USUAL};

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < ROWS_LEAST)
        size.ws_row = ROWS_USUAL;
    output->format = PLOT_TERMINAL;
    output->colour = terminal.colour;
    output->columns = terminal.columns < COLUMNS_LEAST  ? COLUMNS_LEAST
                      : terminal.columns > COLUMNS_MOST ? COLUMNS_MOST
                                                        : terminal.columns - 1;
    output->rows = size.ws_row < ROWS_MOST ? size.ws_row - 1u : ROWS_MOST;
}

static int draw(const struct options *options, const struct result_set *set, struct error *error)
{
    struct plot_output output = {.colour = false};
    struct choice choice = {.count = 0};
    struct bytes picture = {0};
    int code = choose(&choice, set, options->kind, error);

    if (code == 0 && options->output)
        code = plot_output_for(&output, options->output, error);
    else if (code == 0)
        fit_terminal(&output);
    if (code == 0)
        code = plot_draw(choice.panels, choice.count, set, &output, &picture, error);
    if (code == 0)
        code = plot_write(&picture, options->output ? options->output : "-", error);
    free(picture.data);
    return code;
}

static int run(const struct options *options, int *status, struct error *error)
{
    struct result_set set = {.count = 0};
    int code =
        result_set_open(&set, options->words, options->word_count, options->ops, "plot", error);

    if (code == 0)
        code = draw(options, &set, error);
    result_set_close(&set);
    return code;
}

const struct command command_plot = {
    .bit = COMMAND_PLOT,
    .name = "plot",
    .usage = "nfsbench plot [options] RESULT.json ...",
    .summary = "draw pictures of results, on the terminal or to a file",
    .about = "Draws pictures of results with gnuplot. For several results, it draws the ops that "
             "all of them have, side by side.",
    .help = print_kinds,
    .examples = "  nfsbench plot yesterday.json today.json -k percentiles --op read\n",
    .run = run,
};
