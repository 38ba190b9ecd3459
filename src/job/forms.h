/* The list of all forms in which results can be written. A line of the list has the option's name,
 * letter, groups, name of the value, and help. The form is 'form_NAME' (output/form/form.h).
 * Options, help, refusals and output follow from this list. A new form needs a file and a line. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"
#include "job/option_entry.h"
#include "output/form/form.h"
#include "unit_forms.h" /* UNIT_FORMS, made by CMake (cmake/Module.cmake) */

#define CORE_FORMS(FORM)                                                                           \
    FORM(json, 'j', GROUP_FORMS, "FILE", "the whole result as JSON")                               \
    FORM(csv, 0, GROUP_FORMS, "FILE", "the result's numbers as CSV")                               \
    FORM(openmetrics, 0, GROUP_FORMS, "FILE",                                                      \
         "the result's figures as OpenMetrics, for the node exporter's textfile collector")        \
    FORM(hdr, 0, COMMANDS_RUN, "PREFIX",                                                           \
         "histograms for HdrHistogram's tools: PREFIX.hlog, and PREFIX-OP.hgrm for each op")       \
    FORM(markdown, 0, GROUP_FORMS, "FILE", "the result's tables as Markdown, for a pull request")

#define FORMS(FORM) CORE_FORMS(FORM) UNIT_FORMS(FORM)

#define FORM_ID(name, letter, groups, argument, help)     FORM_##name,
#define FORM_EXTERN(name, letter, groups, argument, help) extern const struct form form_##name;

enum form_id { FORMS(FORM_ID) FORMS_COUNT };
FORMS(FORM_EXTERN)

/* The path that the user gave for each form; NULL: the form is not wanted. */
typedef const char *form_paths[FORMS_COUNT];

struct options;
struct run_plan;

/* Before measuring, check that a result of KIND can be written in all forms that OPTIONS want, and
 * that the forms' files can be written and differ (output/form/file.h). PLAN is the result's plan;
 * NULL: unknown. Returns 0, or a negative errno with ERROR set (ERROR_USAGE unless -ENOMEM). */
int forms_check(const struct options *options, enum result_kind kind, const struct run_plan *plan,
                struct error *error);

/* Can a result of KIND be written in FORM? */
bool forms_has(const struct form *form, enum result_kind kind);

/* A RESULT of KIND and the FORM in which form_data_write() writes it. */
struct form_data {
    const struct form *form;
    enum result_kind kind;
    const void *result;
};
int form_data_write(const void *data, FILE *out);

bool forms_are_wanted(const form_paths paths);

/* Does a form go to standard output, in place of the table? */
bool forms_on_stdout(const form_paths paths);

/* Write RESULT, of KIND, in all forms that have a path in PATHS, after the table was printed. A
 * form that can't show KIND is an error; so is a table that could not be written. After an error,
 * the remaining forms are still written. Returns 0, or the last error's negative errno with ERROR
 * set; earlier errors are printed. */
int forms_write(const form_paths paths, enum result_kind kind, const void *result,
                struct error *error);

/* Combine two steps: the first returned CODE and ERROR, the second NEXT_CODE and NEXT. If both
 * failed, print ERROR. If the second failed, set ERROR to NEXT. Returns the last failure's code; 0:
 * none. */
int forms_next_error(int code, struct error *error, int next_code, const struct error *next);

/* Prints RESULT to OUT as OPTIONS require. */
typedef void forms_printer(const struct options *options, const void *result, FILE *out);

/* Print RESULT, of KIND, by PRINT (NULL: by KIND's view) on standard output, unless OPTIONS are
 * quiet, or a form or the file of --output goes to standard output. In every case, then write
 * RESULT in all wanted forms. Returns as forms_write(). */
int forms_show(const struct options *options, enum result_kind kind, const void *result,
               forms_printer *print, struct error *error);
