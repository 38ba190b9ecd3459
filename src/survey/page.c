/* A survey as a page: its lines, four pictures, and a section for each part. */
#include <errno.h>

#include "report/page.h"
#include "report/report_parts.h"
#include "survey/steps.h"

/* What a part is called on the page, and its pictures that stand above all sections. */
static const struct {
    const char *title, *pictures;
} sections_of[SURVEY_STEPS] = {
    [SURVEY_CALLS] = {"What calls cost", "cost,rounds"},
    [SURVEY_LARGE_READS] = {"What a large READ costs", NULL},
    [SURVEY_WRITES] = {"What writes cost", NULL},
    [SURVEY_LOAD] = {"GETATTR under load", "load"},
    [SURVEY_STREAM] = {"READ under load", NULL},
    [SURVEY_ALONE] = {"Where the time of a GETATTR goes", "phases"},
    [SURVEY_KNEE] = {"Where it goes at the knee", NULL},
};

static void print_lead(const void *survey, FILE *out)
{
    const struct view_row root = view_root(&view_survey, survey, true);

    page_print_lines(&report_form, view_survey.head, &root, PAGE_HEAD, out);
    page_print_lines(&report_form, view_survey.notes, &root, PAGE_NOTE, out);
}

int survey_write_page(const struct options *options, const void *result, struct error *error)
{
    static struct result_set sets[SURVEY_STEPS];
    struct survey *survey = (struct survey *)(uintptr_t)result; /* sets keep files to be changed */
    struct page_section sections[SURVEY_STEPS];
    struct page page = {
        .title = "Survey", .lead = print_lead, .lead_data = survey, .sections = sections};
    int code = 0;

    for (size_t step = 0; step < SURVEY_STEPS && code == 0; step++) {
        const size_t i = page.section_count;

        if (!survey->parts[step].file.reading)
            continue;
        sections[i] =
            (struct page_section){sections_of[step].title, &sets[i], sections_of[step].pictures};
        code = result_set_of_file(&sets[i], &survey->parts[step].file, error);
        page.section_count++;
    }
    if (code == 0 && page.section_count == 0)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "no page: no step of the survey has a result");
    return code ? code : page_write(&page, options->output, error);
}
