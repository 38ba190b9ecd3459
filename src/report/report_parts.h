/* The parts of a section, each with its headings. */
#pragma once

#include "output/view/view_page.h"
#include "report/report.h"

void report_summary(const struct report *report, FILE *out);
void report_doubts(const struct report *report, FILE *out);
void report_tables(const struct report *report, FILE *out);
void report_comparison(const struct report *report, FILE *out);
void report_experiments(const struct report *report, FILE *out); /* and of security ladders */
void report_breakdowns(const struct report *report, FILE *out);  /* of explanations and ladders */
void report_leading_pictures(const struct report *report, FILE *out);
void report_pictures(const struct report *report, FILE *out); /* those that are not leading */
void report_environment(const struct report *report, FILE *out);
void report_commands(const struct report *report, FILE *out);

/* Print the first findings: a list item for each pair, MOST at most. Returns how many. */
size_t report_differences(const struct report *report, size_t most, FILE *out);

/* Print "A " if there are several files, else nothing; in a line that begins with it, BEFORE. */
void report_letter(const struct report *report, size_t file, const char *before, FILE *out);

/* The result in file number FILE as a row of its fields; its name is its letter, if there are
 * several. */
struct view_row report_row(const struct report *report, size_t file);

/* TEXT, or a question mark if it is NULL. */
const char *report_known(const char *text);

/* The target as it was typed, or in words if only users of the program would understand it. */
const char *report_target(const struct result *result);

/* Print the verdict as a badge. */
void report_verdict(const struct result *result, FILE *out);

/* Print LABEL after a mark in OP's colour. */
void report_op(const char *op, const char *label, FILE *out);

/* Print "1.302 µs [1.290, 1.315]", with a sign if WITH_SIGN. */
void report_interval(const struct interval *interval, bool with_sign, FILE *out);

/* Begin a table, which "</table></div>" ends. Its widest row has LETTERS letters; CLASS is "" or an
 * attribute, " class=settings". In a window that is too narrow for so many letters, each row is a
 * block of cells, each below its heading: that of a td is its attribute data-of. */
void report_begin_table(size_t letters, const char *class, FILE *out);

/* Views as HTML: notes are paragraphs, other lines items of a list, and titles of tables are not
 * printed. The column that names a row's file, where it is the second one. */
extern const struct page_form report_form;
#define REPORT_FILE "{@}"

/* Print TEXT escaped, with intervals in a lighter colour, "us" as it is written on paper, and what
 * is between these, which no text from a file has, in bold or as the letter of a file. */
void report_text(const char *text, FILE *out);
#define REPORT_BOLD     VIEW_TONE
#define REPORT_BOLD_END VIEW_TONE_END
#define REPORT_LETTER   "{?\3{@}\4}"
