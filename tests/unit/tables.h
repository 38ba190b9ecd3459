/* Checks of the program's tables. Each mistake is reported with the correction. A test calls
 * table_fail_if_mistakes() at its end. */
#pragma once

#include "output/view/view.h"
#include "test.h"

void table_report_mistake(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fail if a mistake was reported since the last call. */
void table_fail_if_mistakes(void);

/* Report NAME, the name of an entry of TABLE, if it is missing, has characters other than
 * lower-case letters, digits and those in MORE, or is one of the COUNT names in BEFORE. */
void table_check_name(const char *table, const char *name, const char *more,
                      const char *const *before, size_t count);

/* Check FIELDS and all tables of fields in them, except tables checked before. WHAT names FIELDS in
 * messages. */
void table_check_fields(const struct field *fields, const char *what);

/* Check that every path in VIEW is that of a field, that its texts and conditions are valid, that
 * columns have headings, and that a note's column, if any, exists. WHAT names the view in messages.
 * Of a table that a function draws, only the condition is checked. */
void table_check_view(const struct view *view, const char *what);
