/* nfsbench report: results on a page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "common/printable.h"
#include "output/compare.h"
#include "output/file.h"
#include "picture/report.h"

/* The ending is checked so that a result given by mistake is not overwritten. */
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

/* Draw all kinds of pictures for one file, the default kinds for several. Without gnuplot the page
 * has no pictures, and says so. */
static void draw(struct report *report, struct error *error)
{
    const struct plot_kind *kind;
    int code = 0;

    for (size_t i = 0; (kind = plot_kinds[i]) && code == 0; i++)
        if (report->set->count == 1 || kind->usual)
            code = draw_panels(report, kind, error);
    if (code == 0)
        return;
    report->no_pictures = error->text;
    fprintf(stderr, "nfsbench: the page has no pictures: %s\n", printable(error->text).text);
}

static int write_page(const void *report, FILE *out)
{
    report_write(report, out);
    return 0;
}

/* The sides of the same rounds are compared in their file. */
static int make(const struct options *options, const struct result_set *set,
                struct compare_pair *pairs, struct error *error)
{
    struct report report = {.set = set, .pairs = pairs};
    struct error drawing;
    int code = 0;

    for (size_t i = 1; i < set->file_count && !result_file_has_sides(&set->files[0]) && code == 0;
         i++)
        code = compare_files(&set->files[0], &set->files[i], NULL, NULL, pairs, &report.pair_count,
                             error);
    if (code == 0) {
        draw(&report, &drawing);
        code = file_write(write_page, &report, "the report", options->output, error);
    }
    for (size_t i = 0; i < report.picture_count; i++)
        free(report.pictures[i].svg.data);
    return code;
}

static int run(const struct options *options, int *status, struct error *error)
{
    struct compare_pair pairs[RESULT_SET_FILES] = {{.first = NULL}};
    struct result_set set = {.count = 0};
    int code = check_output(options->output, error);

    if (code == 0)
        code = result_set_open(&set, options->words, options->word_count, options->ops, "report",
                               error);
    if (code == 0)
        code = make(options, &set, pairs, error);
    for (size_t i = 0; i < RESULT_SET_FILES; i++) {
        free(pairs[i].rows);
        free(pairs[i].figures);
    }
    result_set_close(&set);
    return code;
}

const struct command command_report = {
    .bit = COMMAND_REPORT,
    .name = "report",
    .usage = "nfsbench report [options] RESULT.json ... -o PAGE.html",
    .summary = "write an HTML page with all that results contain",
    .about = "Writes an HTML page: a summary in words, tables, pictures (drawn by gnuplot), the "
             "environment, and the command to repeat the measurement. Several results are shown "
             "side by side, and each further one is compared with the first.",
    .examples = "  nfsbench report yesterday.json today.json -o today.html\n",
    .run = run,
};
