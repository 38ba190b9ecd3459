#include "report/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "experiment/experiment.h"
#include "output/form/file.h"
#include "picture/html.h"
#include "report/repeatable.h"
#include "report/report_parts.h"

/* A page, with the comparisons and pictures that were made for its sections. */
struct made_page {
    const struct page *page;
    struct report *reports;  /* one for each section */
    const char *no_pictures; /* error of drawing; NULL if there was none */
    struct arena arena;      /* memory of the texts in the reports' commands */
};

/* maximum number of pictures above the text of a section, on a page without a lead */
enum { LEADING = 2 };

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

/* If LISTED, draw REPORT's pictures of the kinds in NAMED. Otherwise, draw the kinds that are not
 * in NAMED; of these, kinds that are not drawn by default are drawn only if there is one result. */
static int draw_kinds(struct report *report, const char *named, bool listed, struct error *error)
{
    const struct plot_kind *kind;
    int code = 0;

    for (size_t i = 0; (kind = plot_kinds[i]) && code == 0; i++)
        if (result_names_op(named, kind->name) == listed &&
            (listed || report->set->count == 1 || kind->usual))
            code = draw_panels(report, kind, error);
    return code;
}

static int draw_section(struct report *report, const char *named, struct error *error)
{
    int code = draw_kinds(report, named, true, error);

    report->leading = report->picture_count;
    if (code == 0)
        code = draw_kinds(report, named, false, error);
    if (!report->is_part)
        report->leading = report->picture_count < LEADING ? report->picture_count : LEADING;
    return code;
}

static void free_pictures(struct report *report)
{
    for (size_t i = 0; i < report->picture_count; i++)
        free(report->pictures[i].svg.data);
    report->picture_count = report->leading = 0;
}

/* Draw all sections. After an error, remove all pictures, set `no_pictures`, and print why. */
static void draw_page(struct made_page *made, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < made->page->section_count && code == 0; i++)
        code = draw_section(&made->reports[i], made->page->sections[i].pictures, error);
    if (code == 0)
        return;
    made->no_pictures = error->text;
    for (size_t i = 0; i < made->page->section_count; i++)
        free_pictures(&made->reports[i]);
    fprintf(stderr, "nfsbench: the page has no pictures: %s\n", printable(error->text).text);
}

/* Compare each further file of REPORT with the first. Files with two sides are not compared with
 * each other, because each of these files already contains a comparison of its sides. */
static int compare_section(struct report *report, struct error *error)
{
    const struct result_set *set = report->set;
    int code = 0;

    for (size_t i = 1; i < set->file_count && !set->files[0]->has_sides && code == 0; i++)
        code = compare_files(set->files[0], set->files[i], NULL, NULL, report->pairs,
                             &report->pair_count, error);
    return code;
}

static int make_commands(struct report *report, struct arena *arena, struct error *error)
{
    for (size_t i = 0; i < report->set->count; i++) {
        const struct result *result = report->set->results[i];

        if (repeatable_make(&report->commands[i], result->command, result->command_count, arena))
            return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    }
    return 0;
}

static int make_section(struct made_page *made, size_t number, struct error *error)
{
    const struct page_section *section = &made->page->sections[number];
    struct report *report = &made->reports[number];
    int code;

    report->pairs = calloc(RESULT_SET_FILES, sizeof *report->pairs);
    if (!report->pairs)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    report->title = section->title;
    report->set = section->set;
    report->number = number;
    report->is_part = made->page->lead != NULL;
    code = compare_section(report, error);
    return code ? code : make_commands(report, &made->arena, error);
}

static void free_section(struct report *report)
{
    free_pictures(report);
    for (size_t i = 0; report->pairs && i < RESULT_SET_FILES; i++) {
        free(report->pairs[i].rows);
        free(report->pairs[i].figures);
    }
    free(report->pairs);
}

/* Print " on host:/export" if all results have the same target. */
static void print_target(const struct made_page *made, FILE *out)
{
    const char *first = made->reports[0].set->results[0]->target.text;

    for (size_t i = 0; i < made->page->section_count; i++)
        for (size_t j = 0; j < made->reports[i].set->count; j++)
            if (!same_text(first, made->reports[i].set->results[j]->target.text))
                return;
    html_print(out, " on %s", report_target(made->reports[0].set->results[0]));
}

static void print_title(const struct made_page *made, FILE *out)
{
    size_t results = 0;

    for (size_t i = 0; i < made->page->section_count; i++)
        results += made->reports[i].set->count;
    if (made->page->title) {
        html_print(out, "%s", made->page->title);
    } else if (made->page->section_count == 1) {
        report_title(&made->reports[0], out);
    } else {
        html_print(out, "%zu results", results);
        print_target(made, out);
    }
}

static const struct result *find_worst(const struct result_set *set)
{
    const struct result *worst = set->results[0];

    for (size_t i = 1; i < set->count; i++)
        if (set->results[i]->validity.verdict > worst->validity.verdict)
            worst = set->results[i];
    return worst;
}

/* Print a list item for each section: its results' worst verdict, and a link to the section. */
static void print_contents(const struct made_page *made, FILE *out)
{
    fputs("<ul class=files>\n", out);
    for (size_t i = 0; i < made->page->section_count; i++) {
        const struct report *report = &made->reports[i];

        fputs("<li>", out);
        report_verdict(find_worst(report->set), out);
        html_print(out, " <a href='#section%zu'>", i);
        report_title(report, out);
        fputs("</a></li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void print_lead(const struct made_page *made, FILE *out)
{
    const struct view *view = made->page->lead;
    const struct view_row root = view_root(view, made->page->result, true);

    page_print_lines(&report_form, view->head, &root, PAGE_HEAD, out);
    page_print_lines(&report_form, view->notes, &root, PAGE_NOTE, out);
    fputs("<div class=pictures>\n", out);
    for (size_t i = 0; i < made->page->section_count; i++)
        report_leading_pictures(&made->reports[i], out);
    fputs("</div>\n", out);
}

static void print_section(const struct made_page *made, size_t number, FILE *out)
{
    html_print(out, "<section id=section%zu>\n<h1>", number);
    report_title(&made->reports[number], out);
    fputs("</h1>\n", out);
    report_write(&made->reports[number], out);
    fputs("</section>\n", out);
}

static void print_body(const struct made_page *made, FILE *out)
{
    if (made->no_pictures)
        html_print(out, "<p>There are no pictures: %s.</p>\n", made->no_pictures);
    if (made->page->lead)
        print_lead(made, out);
    else if (made->page->section_count > 1)
        print_contents(made, out);
    for (size_t i = 0; i < made->page->section_count; i++)
        if (made->page->lead || made->page->section_count > 1)
            print_section(made, i, out);
        else
            report_write(&made->reports[i], out);
    if (made->page->lead) {
        report_environment(&made->reports[0], out);
        report_commands(&made->reports[0], out);
    }
}

static int print_page(const void *data, FILE *out)
{
    const struct made_page *made = data;

    fputs("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
          "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
          "<meta name=color-scheme content='light dark'>\n<title>nfsbench: ",
          out);
    print_title(made, out);
    fprintf(out,
            "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<p class=tool>nfsbench"
            "</p>\n<h1>",
            page_style);
    print_title(made, out);
    fputs("</h1>\n</header>\n<main>\n", out);
    print_body(made, out);
    fputs("</main>\n</body>\n</html>\n", out);
    return 0;
}

int page_write(const struct page *page, const char *path, struct error *error)
{
    struct made_page made = {.page = page,
                             .reports = calloc(page->section_count, sizeof *made.reports)};
    struct error drawing;
    int code = made.reports ? 0 : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    for (size_t i = 0; i < page->section_count && code == 0; i++)
        code = make_section(&made, i, error);
    if (code == 0) {
        draw_page(&made, &drawing);
        code = file_write(print_page, &made, "the report", path, error);
    }
    for (size_t i = 0; made.reports && i < page->section_count; i++)
        free_section(&made.reports[i]);
    free(made.reports);
    arena_free(&made.arena);
    return code;
}
