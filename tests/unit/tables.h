/* Checks of the program's tables. Each mistake is reported with what to write instead; a test fails
 * at its end if there was one. */
#pragma once

#include "output/view/view.h"
#include "test.h"

void table_report_mistake(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fail if a mistake was reported since the last call. */
void table_fail_if_mistakes(void);

/* Report NAME, the name of an entry of TABLE, if it has characters other than small letters, digits
 * and those in MORE, or if it is one of the COUNT names in BEFORE. */
void table_check_name(const char *table, const char *name, const char *more,
                      const char *const *before, size_t count);

/* Check FIELDS, which are those of WHAT (for messages), and all fields in them. Tables that were
 * checked before are skipped. */
void table_check_fields(const struct field *fields, const char *what);

/* Check that every path in VIEW is that of a field. WHAT names the view in messages. */
void table_check_view(const struct view *view, const char *what);
