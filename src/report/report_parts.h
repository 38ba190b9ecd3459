/* Functions that print the parts of a section. */
#pragma once

#include "output/view/view_page.h"
#include "report/report.h"

void report_summary(const struct report *report, FILE *out);
void report_doubts(const struct report *report, FILE *out);
void report_tables(const struct report *report, FILE *out);
void report_comparison(const struct report *report, FILE *out);
void report_experiments(const struct report *report, FILE *out);
void report_breakdowns(const struct report *report, FILE *out);
void report_leading_pictures(const struct report *report, FILE *out);
/* print all pictures except the leading ones */
void report_pictures(const struct report *report, FILE *out);
void report_environment(const struct report *report, FILE *out);
void report_commands(const struct report *report, FILE *out);

/* Print the findings about the first MOST pairs of files (all pairs if there are fewer) as list
 * items. Returns the number of these pairs. The number of items may be larger. */
size_t report_differences(const struct report *report, size_t most, FILE *out);

/* Print BEFORE and, if there are several results, the letter of result FILE ("A " for 0). */
void report_letter(const struct report *report, size_t file, const char *before, FILE *out);

/* Return result number FILE as a row of fields. If there are several results, the row's name is the
 * result's letter. */
struct view_row report_row(const struct report *report, size_t file);

/* Return TEXT, or "?" if TEXT is NULL. */
const char *report_known(const char *text);

/* Return RESULT's target as the user wrote it; "the embedded server" for self:; "?" if unknown. */
const char *report_target(const struct result *result);

void report_verdict(const struct result *result, FILE *out);

/* Print LABEL, with a mark before it in the colour of OP. */
void report_op(const char *op, const char *label, FILE *out);

/* Print INTERVAL, in ns, as "1.302 µs [1.290, 1.315]"; with its sign if WITH_SIGN. */
void report_interval(const struct interval *interval, bool with_sign, FILE *out);

/* Begin a table. The caller ends it with "</table></div>". LETTERS is the length of its widest row
 * in characters. CLASS is "" or an attribute, " class=settings". In a window too narrow for LETTERS
 * each row becomes a block of cells. A heading is then shown above each cell: the cell's attribute
 * data-of, which the caller sets to the column's heading. */
void report_begin_table(size_t letters, const char *class, FILE *out);

/* The HTML form of views. Notes, and titles of tables, become paragraphs; other lines become list
 * items. REPORT_FILE is the path of the column with the file's letter. This column is the second of
 * a table that has rows of several files. */
extern const struct page_form report_form;
#define REPORT_FILE "{@}"

/* Print TEXT with HTML's special characters escaped, intervals in a lighter colour, and "us" as
 * "µs". Text between REPORT_BOLD and REPORT_BOLD_END, which never occur in texts of files, is bold.
 * REPORT_LETTER is a piece of a view's line: the file's letter if there are several files. */
void report_text(const char *text, FILE *out);
#define REPORT_BOLD     VIEW_TONE
#define REPORT_BOLD_END VIEW_TONE_END
#define REPORT_LETTER   "{?\3{@}\4}"
