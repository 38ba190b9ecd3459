/* A measurement as tables, for people and for spreadsheets. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result.h"
#include "output/table.h"

/* Print RESULT to OUT; with VERBOSE, all that is known of each op and of the machine, too. */
void text_print(const struct result *result, bool verbose, FILE *out);

/* Print each op's latencies by powers of two, with bars. */
void text_print_histograms(const struct result *result, FILE *out);

/* Its ops as CSV, for file_write(); DATA is a struct result. 0. */
int result_write_csv(const void *data, FILE *out);

/* Print a verdict and its reasons, of any kind of result. */
void text_print_verdict(const struct validity *validity, FILE *out);

/* The parts of text_print(): the lines above the table; the files that were there already; what the
 * intervals speak of; ops whose launches fall in two groups; all launches, and how much each level
 * of repetition adds; what ops cost above null; what an op of several calls is made of; what a load
 * adds (nothing without one); what the kernel's client counted of a mount (likewise); the ranks
 * that made it; what each op takes per call, and where the server's side is not known, why; the
 * same as rates; the slowest calls. */
void text_print_head(const struct result *result, bool verbose, FILE *out);
void text_print_scope(const struct result *result, FILE *out);
void text_print_levels(const struct result *result, FILE *out);
void text_print_spread(const struct result *result, FILE *out);
void text_print_costs(const struct result *result, bool verbose, FILE *out);
void text_print_tree(const struct result *result, FILE *out);
void text_print_entries(const struct result *result, FILE *out);
void text_print_bandwidth(const struct result *result, FILE *out);
void text_print_load(const struct result *result, bool verbose, FILE *out);
void text_print_mounted(const struct result *result, FILE *out);
void text_print_ranks(const struct result *result, FILE *out);
void text_print_ledger(const struct result *result, FILE *out);
void text_print_rates(const struct result *result, FILE *out);
void text_print_slowest(const struct result *result, FILE *out);

/* The rows of a table of RESULT's ops, printed by PRINT for those that HAS it; nothing if none has.
 * COUNT: of COLUMNS. */
void text_print_rows(const struct result *result, const struct table_column *columns, size_t count,
                     bool (*has)(const struct result_op *op),
                     void (*print)(const struct result_op *op, struct table *table), FILE *out);

/* For their tables: does an op move file data at a known rate, and the cell of OP's rate. */
bool text_moves_data(const struct result *result);
void text_megabytes_cell(const struct result_op *op, struct table *table);
