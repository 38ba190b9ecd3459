/* Mistakes in the tables that the program goes by: each is reported with what to write instead, and
 * the test fails at its end if there was one. */
#pragma once

#include "output/view/view.h"
#include "test.h"

/* Report a mistake in a table. */
void table_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fail if a mistake was reported since the last call. */
void table_finish(void);

/* Report a NAME, of an entry of TABLE, that is not made of small letters, digits and MORE, or that
 * one of the COUNT names before has, too. */
void table_check_name(const char *table, const char *name, const char *more,
                      const char *const *before, size_t count);

/* Check FIELDS, the members of WHAT, and all fields in them. Tables that were checked before are
 * left out. */
void table_check_fields(const struct field *fields, const char *what);

/* Check that what VIEW names is in its fields. */
void table_check_view(const struct view *view, const char *what);
