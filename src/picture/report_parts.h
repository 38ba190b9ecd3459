/* The parts of a report, each a section or more of the page. */
#ifndef NFSBENCH_PICTURE_REPORT_PARTS_H
#define NFSBENCH_PICTURE_REPORT_PARTS_H

#include "picture/report.h"

/* What stands between <style> and </style>. */
extern const char report_style[];

void report_summary(const struct report *report, FILE *out);
void report_tables(const struct report *report, FILE *out);
void report_comparison(const struct report *report, FILE *out);
void report_pictures(const struct report *report, FILE *out);
void report_environment(const struct report *report, FILE *out);
void report_commands(const struct report *report, FILE *out);

/* The first findings: a list item for each of the pairs, MOST at most. Returns how many. */
size_t report_differences(const struct report *report, size_t most, FILE *out);

/* "A " where there are several files, else nothing. */
void report_letter(const struct report *report, size_t file, FILE *out);

/* TEXT, or a question mark where it is not known. */
const char *report_known(const char *text);

/* The verdict as a badge. */
void report_verdict(const struct result *result, FILE *out);

/* LABEL with OP's colour before. */
void report_op(const char *op, const char *label, FILE *out);

/* "1.302 µs [1.290, 1.315]", with a sign where SIGNED. */
void report_interval(const struct interval *interval, bool with_sign, FILE *out);

#endif
