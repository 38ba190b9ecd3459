/* nfsbench report: results on a page. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/options.h"
#include "cli/pair.h"
#include "output/file.h"
#include "output/report.h"

struct report_settings {
    const char *output, *op;
    bool help;
};

#define MEMBER(member) offsetof(struct report_settings, member)

static const struct option_entry table[] = {
    {"output", 'o', OPTION_TEXT, MEMBER(output), "FILE",
     "where to; its name ends in .html; - for standard output"},
    {"op", 0, OPTION_TEXT, MEMBER(op), "OP[,...]", "only these ops"},
    {"help", 'h', OPTION_FLAG, MEMBER(help), NULL, "this text"},
    {0},
};

static void print_help(void)
{
    printf(
        "usage: nfsbench report [options] RESULT.json [...] -o PAGE.html\n\n"
        "A page of HTML: a summary in words, tables, pictures (by gnuplot), the environment, and "
        "the command to\nrepeat it. Several results stand side by side, each further one "
        "compared with the first.\n\noptions\n");
    options_help(table, stdout);
}

/* A result that was given by mistake is not overwritten. */
static int check_output(const char *path, struct error *error)
{
    const char *ending = path ? strrchr(path, '.') : NULL;

    if (path && strcmp(path, "-") == 0)
        return 0;
    if (!ending || (strcmp(ending, ".html") != 0 && strcmp(ending, ".htm") != 0))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected --output and a name that ends in .html (or -), such as "
                         "'-o report.html'");
    return file_check("--output", path, error);
}

static int draw_panels(struct report *report, const struct plot_kind *kind, struct error *error)
{
    const struct plot_output output = {.format = PLOT_INLINE_SVG};
    size_t panels = plot_kind_panels(kind, report->set);
    int code = 0;

    for (size_t i = 0; i < panels && report->picture_count < PLOT_PANELS && code == 0; i++) {
        struct report_picture *picture = &report->pictures[report->picture_count];

        picture->panel = (struct plot_panel){kind, i};
        code = plot_draw(&picture->panel, 1, report->set, &output, &picture->svg, error);
        report->picture_count += code == 0;
    }
    return code;
}

/* All kinds of pictures for one file, the usual ones for several. Without gnuplot the page comes
 * without them, and says so. */
static void draw(struct report *report, struct error *error)
{
    const struct plot_kind *kind;
    int code = 0;

    for (size_t i = 0; (kind = plot_kind_at(i)) && code == 0; i++)
        if (report->set->count == 1 || plot_kind_usual(kind))
            code = draw_panels(report, kind, error);
    if (code == 0)
        return;
    report->no_pictures = error->text;
    fprintf(stderr, "nfsbench: the page comes without pictures: %s\n", error->text);
}

static int write_page(const void *report, FILE *out)
{
    report_write(report, out);
    return 0;
}

static int make(const struct report_settings *settings, const struct result_set *set,
                struct compare_pair *pairs, struct error *error)
{
    struct report report = {.set = set, .pairs = pairs};
    struct error drawing;
    int code = 0;

    for (size_t i = 1; i < set->count && code == 0; i++) {
        struct compare_pair *pair = &pairs[report.pair_count++];

        pair->first = &set->files[0];
        pair->second = &set->files[i];
        code = pair_compare(pair, INFINITY, error);
    }
    if (code == 0) {
        draw(&report, &drawing);
        code = file_write(write_page, &report, "the report", settings->output, error);
    }
    for (size_t i = 0; i < report.picture_count; i++)
        free(report.pictures[i].svg.data);
    return code;
}

static int report(const struct report_settings *settings, char **paths, size_t count,
                  struct error *error)
{
    struct compare_pair pairs[RESULT_SET_FILES] = {{.first = NULL}};
    struct result_set set = {.count = 0};
    int code = check_output(settings->output, error);

    if (code == 0)
        code = result_set_open(&set, paths, count, settings->op, error);
    if (code == 0)
        code = make(settings, &set, pairs, error);
    for (size_t i = 0; i < RESULT_SET_FILES; i++)
        free(pairs[i].rows);
    result_set_close(&set);
    return code;
}

int command_report(int argc, char **argv)
{
    struct report_settings settings = {.help = false};
    struct error error;
    int first, code = options_parse(table, argc, argv, &settings, &first, &error);

    if (code == 0 && settings.help) {
        print_help();
        return 0;
    }
    if (code == 0)
        code = report(&settings, argv + first, (size_t)(argc - first), &error);
    if (code == 0)
        return 0;
    error_print(&error);
    return (int)error.kind;
}
