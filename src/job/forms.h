/* The one list of the forms in which results can be written. A line has the option's name and
 * letter, the groups of options that it is in, the name of its value, and its help; the form itself
 * is 'form_NAME' (output/form/form.h), which says what kinds of results it can write. Options,
 * help, refusals and writing come from this list, for every command: to add a form, add its file
 * and its line. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"
#include "job/option_entry.h"
#include "output/form/form.h"
#include "unit_forms.h" /* made by CMake, of the forms that units add (cmake/Module.cmake) */

#define CORE_FORMS(FORM)                                                                           \
    FORM(json, 'j', GROUP_FORMS, "FILE", "the whole result as JSON")                               \
    FORM(csv, 0, GROUP_FORMS, "FILE", "its numbers as CSV")                                        \
    FORM(openmetrics, 0, GROUP_FORMS, "FILE",                                                      \
         "its figures as OpenMetrics, for the node exporter's textfile collector")                 \
    FORM(hdr, 0, COMMANDS_RUN, "PREFIX",                                                           \
         "for HdrHistogram's tools: PREFIX.hlog, and PREFIX-OP.hgrm for each op")                  \
    FORM(markdown, 0, GROUP_FORMS, "FILE", "its tables as Markdown, for a pull request")

#define FORMS(FORM) CORE_FORMS(FORM) UNIT_FORMS(FORM)

#define FORM_ID(name, letter, groups, argument, help)     FORM_##name,
#define FORM_EXTERN(name, letter, groups, argument, help) extern const struct form form_##name;

enum form_id { FORMS(FORM_ID) FORMS_COUNT };
FORMS(FORM_EXTERN)

/* The path of each form, as given; NULL: not wanted. */
typedef const char *form_paths[FORMS_COUNT];

struct options;
struct run_plan;

/* Can a result of KIND be written in all forms that OPTIONS want, and to their files
 * (output/form/file.h)? PLAN says what it will be of; NULL: that is not known yet. To be called
 * before measuring. 0, or a negative errno with ERROR set (ERROR_USAGE). */
int forms_check(const struct options *options, enum result_kind kind, const struct run_plan *plan,
                struct error *error);

/* Can a result of KIND be written in FORM? */
bool forms_has(const struct form *form, enum result_kind kind);

/* RESULT, of KIND, which has FORM, and what writes it. */
struct form_data {
    const struct form *form;
    enum result_kind kind;
    const void *result;
};
int form_data_write(const void *data, FILE *out);

/* Is one of them wanted? */
bool forms_are_wanted(const form_paths paths);

/* Does one of them go to standard output, in place of the table? */
bool forms_on_stdout(const form_paths paths);

/* Write RESULT, of KIND, in all forms that are wanted, after the table, which is on its way to
 * standard output; a form in which there is nothing of that kind is an error. What can't be written
 * keeps no other form from being written. 0, or the last one's negative errno with ERROR set; the
 * errors before it are printed. */
int forms_write(const form_paths paths, enum result_kind kind, const void *result,
                struct error *error);

/* After CODE, whose ERROR is printed if another error, NEXT, follows: take that, of NEXT_CODE, in
 * its place. Returns the code that is left. */
int forms_next_error(int code, struct error *error, int next_code, const struct error *next);

/* Print RESULT, of KIND, by PRINT (NULL: its view) on standard output, unless a form goes there or
 * OPTIONS say that nothing is printed, and write it in every form that was asked for. 0, or a
 * negative errno with ERROR set. */
typedef void forms_printer(const struct options *options, const void *result, FILE *out);
int forms_show(const struct options *options, enum result_kind kind, const void *result,
               forms_printer *print, struct error *error);
