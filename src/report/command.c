/* The command 'nfsbench report': pictures of results, or a page with all their contents. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "job/command.h"
#include "job/option_values.h"
#include "output/form/file.h"
#include "output/view/terminal.h"
#include "report/page.h"
#include "report/plot_kinds.h"

static const char *kinds; /* names of kinds, separated by commas, or "all"; NULL: the default */

static void set_defaults(struct options *options)
{
    kinds = NULL;
}

static const char *kind_name_at(size_t index)
{
    return plot_kinds[index] ? plot_kinds[index]->name : NULL;
}

static const struct option_completion kind_list = {"list", kind_name_at, ""};

static const struct option_entry own_options[] = {
    {"kind", 'k', OPTION_TEXT, SECTION_OWN, OPTION_SETS(kinds), .value = "KIND[,...]",
     .help = "kinds of pictures to draw, or all (default: all but fine, log2 and rounds)",
     .completion = &kind_list},
    {"op", 0, OPTION_TEXT, SECTION_OWN, OPTION_SHARES(ops), .value = "OP[,...]",
     .help = "draw only these ops (default: those that all results have)"},
    {"output", 'o', OPTION_FILE, SECTION_OUTPUT, OPTION_SHARES(output), .value = "FILE",
     .help = "write a picture (.svg, .png or .pdf) or a page (.html) to FILE; - writes a page to "
             "standard output (default: draw on the terminal)",
     .acts = true},
    {NULL},
};

static void print_kinds(FILE *out)
{
    const struct plot_kind *kind;

    fprintf(out, "\nkinds (those with * are drawn by default)\n");
    for (size_t i = 0; (kind = plot_kinds[i]); i++) {
        int column = fprintf(out, "%c %-12s  ", kind->usual ? '*' : ' ', kind->name);

        help_wrap(kind->caption, column, column, out);
    }
}

struct choice {
    struct plot_panel panels[PLOT_PANELS];
    size_t count;
};

/* Add to CHOICE the panels of KIND that SET has, until CHOICE has PLOT_PANELS panels. Returns true,
 * or false if SET has none. */
static bool choose_panels(struct choice *choice, const struct plot_kind *kind,
                          const struct result_set *set)
{
    size_t panels = plot_kind_panels(kind, set);

    for (size_t i = 0; i < panels && choice->count < PLOT_PANELS; i++)
        choice->panels[choice->count++] = (struct plot_panel){kind, i};
    return panels > 0;
}

/* Add the panels of the default kinds to CHOICE; if ALL, those of all kinds. Fails if SET has data
 * for none of these kinds. */
static int choose_fitting(struct choice *choice, const struct result_set *set, bool all,
                          struct error *error)
{
    for (const struct plot_kind *const *kind = plot_kinds; *kind; kind++)
        if (all || (*kind)->usual)
            choose_panels(choice, *kind, set);
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
                                  : "; 'nfsbench report --help' lists the kinds");
}

static int choose_one(struct choice *choice, const struct result_set *set, const char *name,
                      struct error *error)
{
    const struct plot_kind *const *kind = plot_kinds;

    while (*kind && strcmp((*kind)->name, name) != 0)
        kind++;
    if (!*kind)
        return refuse_kind(name, error);
    if (!choose_panels(choice, *kind, set))
        return error_set(error, ERROR_USAGE, -ENOENT, "--kind %s: %.200s contains no data for it",
                         name, set->count > 1 ? "one of the files" : set->results[0]->path);
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

/* Set OUTPUT to draw on the terminal, with the terminal's colours. The size is the terminal's,
 * within readable limits. If there are fewer than ROWS_LEAST rows, ROWS_USUAL are assumed. */
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
    const unsigned has = terminal_screen(stdout).rows, rows = has < ROWS_LEAST ? ROWS_USUAL : has;

    output->format = PLOT_TERMINAL;
    output->colour = terminal.colour;
    output->columns = terminal.columns < COLUMNS_LEAST  ? COLUMNS_LEAST
                      : terminal.columns > COLUMNS_MOST ? COLUMNS_MOST
                                                        : terminal.columns - 1;
    output->rows = rows < ROWS_MOST ? rows - 1 : ROWS_MOST;
}

static int draw_pictures(const struct options *options, const struct result_set *set,
                         const struct plot_output *output, struct error *error)
{
    struct choice choice = {.count = 0};
    struct bytes picture = {0};
    int code = choose(&choice, set, kinds, error);

    if (code == 0)
        code = plot_draw(choice.panels, choice.count, set, output, &picture, error);
    if (code == 0)
        code = plot_write(&picture, options->output ? options->output : "-", error);
    free(picture.data);
    return code;
}

static bool is_page(const char *path)
{
    const char *ending = path ? strrchr(path, '.') : NULL;

    return path && (strcmp(path, "-") == 0 ||
                    (ending && (strcmp(ending, ".html") == 0 || strcmp(ending, ".htm") == 0)));
}

/* Set OUTPUT from OPTIONS before the results are read, so that errors are reported early. */
static int choose_output(const struct options *options, bool page, struct plot_output *output,
                         struct error *error)
{
    if (page && kinds)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--kind applies to the terminal and to pictures; a page has all kinds "
                         "for which there are data");
    if (page && strcmp(options->output, "-") != 0)
        return file_check("--output", options->output, error);
    if (!page && options->output)
        return plot_output_for(output, options->output, error);
    fit_terminal(output);
    return 0;
}

static int write_page(const struct options *options, const struct result_set *sets, size_t count,
                      struct error *error)
{
    struct page_section sections[PAGE_SECTIONS] = {{.title = NULL}};
    const struct page page = {.sections = sections, .section_count = count};

    for (size_t i = 0; i < count; i++)
        sections[i].set = &sets[i];
    return page_write(&page, options->output, error);
}

static int run_report(const struct options *options, int *status, struct error *error)
{
    struct result_set sets[PAGE_SECTIONS];
    const bool page = is_page(options->output);
    struct plot_output output = {.colour = false};
    size_t count = 0;
    int code = choose_output(options, page, &output, error);

    if (code == 0)
        code = result_sets_open(sets, page ? PAGE_SECTIONS : 1, &count, options->words,
                                options->word_count, options->ops, "report", error);
    if (code == 0)
        code = page ? write_page(options, sets, count, error)
                    : draw_pictures(options, &sets[0], &output, error);
    for (size_t i = 0; i < count; i++)
        result_set_close(&sets[i]);
    return code;
}

const struct command command_report = {
    .purpose = PURPOSE_KEEP,
    .words = WORDS_FILES,
    .groups = GROUP_FORCE | GROUP_COLOURS,
    .own = own_options,
    .own_title = "pictures",
    .set_defaults = set_defaults,
    .name = "report",
    .usage = "nfsbench report [options] RESULT.json ... [-o PAGE.html|PICTURE.svg]",
    .summary = "draw results: on the terminal, to a picture, or on an HTML page",
    .about =
        "Draws pictures of results with gnuplot, on the terminal, or to a file whose name ends in "
        ".svg, .png or .pdf. If the name ends in .html, writes a page with everything that the "
        "results contain: a summary in words, tables, pictures, the environment, and the command "
        "to repeat the measurement. Several results are shown next to each other, with the ops "
        "that all results have. A page compares each further result with the first one, and has a "
        "section for each kind of result.",
    .help = print_kinds,
    .examples = "  nfsbench report yesterday.json today.json -k percentiles --op read\n"
                "  nfsbench report yesterday.json today.json -o today.html\n",
    .run = run_report,
};
