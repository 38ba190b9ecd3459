/* The parts of a section, each with its headings. */
#pragma once

#include "output/view/view_page.h"
#include "report/report.h"

void report_summary(const struct report *report, FILE *out);
void report_doubts(const struct report *report, FILE *out);
void report_tables(const struct report *report, FILE *out);
void report_comparison(const struct report *report, FILE *out);
void report_experiments(const struct report *report,
                        FILE *out); /* for experiments and security ladders */
void report_breakdowns(const struct report *report, FILE *out); /* for explanations and ladders */
void report_leading_pictures(const struct report *report, FILE *out);
/* prints all pictures except the leading ones */
void report_pictures(const struct report *report, FILE *out);
void report_environment(const struct report *report, FILE *out);
void report_commands(const struct report *report, FILE *out);

/* Print the first findings of the comparisons: a list item for each pair of files, at most MOST
 * items. Returns their number. */
size_t report_differences(const struct report *report, size_t most, FILE *out);

/* Print BEFORE, and then "A " for file 0 and so on if there are several files. */
void report_letter(const struct report *report, size_t file, const char *before, FILE *out);

/* Return the result in file FILE as a row of fields. If there are several files, the row's name is
 * the file's letter. */
struct view_row report_row(const struct report *report, size_t file);

/* Return TEXT, or "?" if TEXT is NULL. */
const char *report_known(const char *text);

/* Return RESULT's target as the user wrote it, or in plain words if only users of the program
 * understand that. */
const char *report_target(const struct result *result);

void report_verdict(const struct result *result, FILE *out);

/* Print LABEL after a mark in the colour of OP. */
void report_op(const char *op, const char *label, FILE *out);

/* Print "1.302 µs [1.290, 1.315]"; with a sign if WITH_SIGN. */
void report_interval(const struct interval *interval, bool with_sign, FILE *out);

/* Begin a table, which "</table></div>" ends. LETTERS is the length of its widest row. CLASS is ""
 * or an attribute, " class=settings". If the window is narrower than LETTERS, each row is shown as
 * a block of cells, each below its heading. The heading of a td is its attribute data-of. */
void report_begin_table(size_t letters, const char *class, FILE *out);

/* The form of views in HTML. Notes become paragraphs, and other lines become list items; titles of
 * tables are not printed. REPORT_FILE is the path of a second column that names each row's file. */
extern const struct page_form report_form;
#define REPORT_FILE "{@}"

/* Print TEXT escaped. Intervals get a lighter colour; "us" becomes "µs". Text between REPORT_BOLD
 * and REPORT_BOLD_END is bold; REPORT_LETTER is a file's letter. Files' texts never contain
 * these. */
void report_text(const char *text, FILE *out);
#define REPORT_BOLD     VIEW_TONE
#define REPORT_BOLD_END VIEW_TONE_END
#define REPORT_LETTER   "{?\3{@}\4}"
