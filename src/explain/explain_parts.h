/* Shared by the forms of an explanation. */
#pragma once

#include <jansson.h>

#include "explain/explain.h"

/* The name of a kind, such as "network and server", for people; with dashes, for programs. */
const char *explain_kind_name(enum phase_kind kind);
const char *explain_kind_key(enum phase_kind kind);

/* The time after the request was transmitted during which the client's send() has not yet returned:
 * its mean begin and length, ns. Returns false if there is none. */
bool explain_overlap(const struct explanation *explanation, double *begins, double *length);

/* The end of the axis for all bars, ns; above 0. */
double explain_axis_end(const struct explanation *explanation);

/* The distance between the axis' marks, ns: 1, 2 or 5 times a power of 10, so that there are at
 * most MARKS. */
double explain_axis_step(double end_ns, unsigned marks);

/* Set the keys of OBJECT that compare a phase, or the whole call and the phases that were not
 * entered, with PREDICTIONS; none without them. */
void explain_add_prediction(json_t *object, const struct predictions *predictions, const char *key);
void explain_add_predictions(json_t *object, const struct predictions *predictions);

/* Write the two columns of a phase's prediction as CSV. */
void explain_write_csv_prediction(const struct predictions *predictions, const char *key,
                                  FILE *out);

/* Set the keys of OBJECT that describe the run, and those that describe the op's calls. */
void explain_add_run(json_t *object, const struct explanation *explanation);
void explain_add_op(json_t *object, const struct explanation *explanation);
json_t *explain_load_object(const struct load *load);

/* The first line of CSV, and the table's. */
#define EXPLAIN_CSV_HEADINGS                                                                       \
    ORIGIN_CSV_COLUMNS                                                                             \
    "op,phase,kind,calls,share,share_without_queueing,share_of_client,mean_ns,adjusted_ns,min_ns," \
    "p50_ns,p99_ns,max_ns,begins_ns,second_begins_ns,second_ns,predicted_low_ns,"                  \
    "predicted_high_ns\r\n"
void explain_write_csv_rows(const struct explanation *explanation, FILE *out);

/* What is explained, and where: two lines, of which the second is not ended. */
void explain_print_title(const struct explanation *explanation, const char *what, FILE *out);

/* Why the run ended early, if it did. */
void explain_print_cut_short(const struct explanation *explanation, FILE *out);

/* Lines below the tables: how many calls of the COUNT OPS are explained, and why others were left
 * out; what was lost; and why the server's side is missing. */
void explain_print_left_out(const struct explanation *ops, size_t count, unsigned columns,
                            FILE *out);
void explain_print_lost(const struct explanation *explanation, unsigned columns, FILE *out);
void explain_print_missing(const struct explanation *explanation, unsigned columns, FILE *out);

/* Print the bars and their sum. */
void explain_print_waterfall(const struct explanation *explanation, const struct terminal *terminal,
                             FILE *out);
