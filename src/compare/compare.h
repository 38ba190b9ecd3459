/* The comparison of results: data and view. A figure is a value that is compared. */
#pragma once

#include <stdio.h>

#include "measure/statistics/contrast.h"
#include "output/result/kind.h"
#include "output/result/result.h"
#include "output/view/view.h"

struct result_file;

enum {
    COMPARE_TEXT_SIZE = 256,
    COMPARE_NOTES_MAXIMUM = 16,
    COMPARE_FINDINGS_MAXIMUM = 64,
    COMPARE_NAME_SIZE = 80,
    COMPARE_FURTHER = 4, /* number of quantities from RESULT_MEAN_COST to RESULT_MEAN_SERVER_PART */
    /* Minimum number of results of each side that can be its replicates. */
    COMPARE_REPLICATES_LEAST = 3,
};

/* Limits of how much worse a figure may be. If both are given, only a change that exceeds both
 * limits is a regression. */
struct compare_threshold {
    /* SHARE: limit as a share of the first value. NS: limit in ns (times only). NAN: not given. */
    double share, ns;
};

/* The type of a figure. */
struct compare_figure {
    const char *name; /* name of the figure for people, such as "throughput, calls/s" */
    double unit;      /* divisor that converts a value to the unit in NAME */
    bool more_is_better;
    enum comparison_quantity quantity;
    bool shown; /* the figure is shown for information and not judged */
};

/* A figure of both sides: of an op, of a phase or step of a call, of an experiment's cell, of an
 * experiment (knee, highest rate), or of a difference between a file's two sides. */
struct compare_row {
    /* FIRST to LAUNCHES are only set for a figure of an op; else they are NULL or 0. */
    const struct result_op *first, *second; /* the op in each side's first file */
    /* the compared quantity: for an op its cost above null, or its round trip without baseline; for
     * a further figure or a row of the path, the quantity of that figure or row */
    enum result_quantity compared;
    /* For a cost above null: rows of the op's further figures, from RESULT_MEAN_COST on. NULL if a
     * side lacks the figure, or if the figure is not comparable. */
    struct compare_row *further[COMPARE_FURTHER];
    /* For a further figure: row of the op's typical cost; else NULL. */
    const struct compare_row *typical;
    size_t launches[2]; /* number of launches of A and of B that have the figure */

    /* OF and KEY are only set for figures other than those of ops. */
    /* name of the experiment's cell ("2 clients, depth 8"), breakdown or op with the figure */
    char of[COMPARE_NAME_SIZE];
    const char *key; /* name of the figure for programs, such as "throughput_per_s" */

    struct compare_figure figure; /* type of the figure; for an op only FIGURE.QUANTITY is set */
    /* the comparison; the ends of an interval are NAN if nothing shows the variation */
    struct comparison comparison;
    /* The variation of launches is unknown: for an op, because each side has only one launch; for
     * another figure, because at least one side has only one. */
    bool one_launch;
    /* compare_judge() gives the row a verdict; false: the row is only shown */
    bool judged;
    /* the row is null's round trip, which is judged with the path, not with the ops */
    bool is_path;
    /* the row is not judged, because a change of the path may explain the difference (rules.c) */
    bool left_open;
    /* Used with LEFT_OPEN. True: the row may make the gate undecided. False: it can't, because the
     * row of the same op's server part decides. */
    bool open_to_gate;
    /* PATH_ERROR: standard error, ns, by which a change of the path may change the difference. The
     * interval includes it; 0: none. OWN_P: the p-value without PATH_ERROR. */
    double path_error, own_p;
    /* smallest difference that counts, in the values' unit; before judging: the noise */
    double floor;
    double share; /* difference divided by the first value; NAN if the first value may be 0 */
    struct interval ratio; /* second value divided by the first (comparison_ratio()), or NAN */
    enum comparison_verdict word;
    char reason[COMPARE_TEXT_SIZE]; /* why the row has no verdict; "" if it has one */
    bool gated;                     /* the gate applies to this row */
    /* the row is gated, slower, and worse by more than the threshold; rows in FURTHER have their
     * own flag */
    bool regression;
    bool undecided; /* it is unknown whether the row's difference is a regression */
};

/* The speed of the client's core on both sides, by the time of a loop of additions. */
struct compare_speed {
    bool known;
    /* comparison of the loop's times; P is NAN with one launch on each side */
    struct comparison comparison;
    double share; /* time of the second side divided by that of the first, minus 1 */
    bool differs; /* the times differ by more than pair_speed.c ignores */
};

/* The path: everything between client and server, that is machine, kernel, network and RPC. */
enum compare_path_verdict {
    COMPARE_PATH_UNKNOWN, /* there are no null calls that can be compared */
    COMPARE_PATH_SAME,    /* no change was seen */
    COMPARE_PATH_CHANGED, /* null calls took different times on the two sides */
    /* Null calls took the same time. But an echo of an op's bytes took another time; or the part of
     * the op's cost that bytes cause differs, and there is no echo that took the same time. */
    COMPARE_PATH_BYTES,
};

/* By enum compare_path_verdict: "not known", "same", "changed", "bytes changed"; ends with NULL. */
extern const char *const compare_path_names[];

/* Rows that show the state of the path: null calls (NULL); for the op with the longest messages,
 * the part of the cost that bytes cause (LONGEST), and an echo of as many bytes by a bare server
 * (ECHO, run/witness.h). */
enum compare_path_row {
    COMPARE_PATH_NULL,
    COMPARE_PATH_LONGEST,
    COMPARE_PATH_ECHO,
    COMPARE_PATH_ROWS
};

struct compare_path {
    enum compare_path_verdict word;
    /* by enum compare_path_row; FIRST of an unknown row is NULL */
    struct compare_row rows[COMPARE_PATH_ROWS];
    /* |ln(latency of null calls in B / in A)|; NAN: unknown. Times the ELASTICITY of a figure
     * (rules.c), it is the relative standard error that a change of the path adds to the figure. */
    double error;
};

/* Two sides, A and B: one result each, or at least COMPARE_REPLICATES_LEAST replicates each. */
struct compare_pair {
    enum result_kind kind;               /* kind of the files */
    const struct result *first, *second; /* arrays of the results of each side */
    size_t first_count, second_count;    /* numbers of elements of FIRST and SECOND */
    struct compare_row *rows;
    size_t count;     /* number of ops, whose rows come first in ROWS */
    size_t row_count; /* number of ROWS: one for each op, then COMPARE_FURTHER for each op */
    struct compare_row *figures; /* figures other than those of ops */
    size_t figure_count;
    char notes[COMPARE_NOTES_MAXIMUM][COMPARE_TEXT_SIZE]; /* facts that may explain a difference */
    size_t note_count;
    struct compare_speed speed;
    struct compare_path path;
};

/* Result of the gate (--threshold). */
struct compare_gate {
    bool asked, passed;
    bool doubtful; /* a file is suspect, invalid or cut short */
    size_t judged; /* number of compared ops and figures to which the gate applies */
    bool failed;   /* a gated figure is slower, and worse by more than the threshold */
    /* Number of undecided rows; the gate passes only if there are none. */
    size_t undecided;
};

/* A finding that only one of two surveys has. */
struct compare_finding {
    const char *name, *text;
    bool is_new; /* the second survey has the finding; false: the first has it */
};

struct compare_result {
    /* one pair for each further file, or for each part or side of it; or one pair of groups */
    struct compare_pair *pairs;
    size_t count;
    struct compare_threshold threshold;
    struct compare_gate gate;
    struct compare_finding findings[COMPARE_FINDINGS_MAXIMUM];
    size_t finding_count;
};

/* Compare the ops, except the null control, that the first files of both sides of PAIR have and
 * that OPS names (with commas; NULL: all). Sets NOTES, PATH, SPEED and ROWS; the caller frees ROWS,
 * also after an error. The figures of these ops, without null's round trip, are one family of
 * tests; rules.c says which are judged. An op that is slower by more than THRESHOLD (NULL: none) is
 * a regression; for null and ops on local files, only if OPS names them. Returns 0, -ENOENT
 * (ERROR_USAGE) if there are no such ops, or -ENOMEM, with ERROR set. */
int pair_compare(struct compare_pair *pair, const struct compare_threshold *threshold,
                 const char *ops, struct error *error);

/* Return whether PAIR's sides have replicates (replicates.c): several results, measured at
 * different times, as independent units. Unlike the spread of launches, the spread of replicates
 * includes changes over time. */
bool compare_has_replicates(const struct compare_pair *pair);

/* Return whether the intervals of PAIR include changes over time: with replicates, or if the
 * launches of both sides were spread over a time (--over). */
bool compare_includes_changes(const struct compare_pair *pair);

/* Return whether each side of PAIR is one complete result with launches spread over a time. */
bool compare_is_spread(const struct compare_pair *pair);

/* Check that FIRST and SECOND, the numbers of results of the sides, are at least
 * COMPARE_REPLICATES_LEAST. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int replicates_check(size_t first, size_t second, struct error *error);

/* Store in LAUNCHES the estimates of OP's QUANTITY in all launches of a side's COUNT RESULTS.
 * LAUNCHES has space for all launches. If COUNT is above 1, each estimate's SERVER is the index of
 * its result, which is one unit. Returns how many are stored; 0 if a result has none. */
size_t replicates_get_estimates(const struct result *results, size_t count, const char *op,
                                enum result_quantity quantity, struct launch *launches);

/* Add notes on settings in which results of one side of PAIR differ: they may add to the spread. */
void replicates_note_settings(struct compare_pair *pair);

/* Set COMPARISON, FLOOR (the noise) and JUDGED of PAIR's ROW, whose ops and COMPARED are set; or,
 * if the ops can't be compared, REASON and WORD. Returns 0 or a negative errno with ERROR set. */
int pair_estimate(const struct compare_pair *pair, struct compare_row *row, struct error *error);

/* Set PATH of PAIR, whose rows are estimated: whether the path changed between the sides. Replace
 * null's row in ROWS by COMPARE_PATH_NULL's. Returns 0, or a negative errno with ERROR set. */
int pair_find_path(struct compare_pair *pair, struct error *error);

/* Give no verdict on rows of PAIR that a change of the path may explain, and widen the intervals of
 * the other rows. Leaves out null and local ops. Does nothing if the intervals already include
 * changes over time. */
void pair_apply_rules(struct compare_pair *pair);

/* Return whether ROW's verdict is slower or faster. */
bool compare_differs(const struct compare_row *row);

/* Judge the rows among the COUNT ROWS that have JUDGED set, with THRESHOLD and OPS as for
 * pair_compare(). Those without IS_PATH are one family of tests. Sets RATIO and SHARE of all rows,
 * and applies the gate to rows with LEFT_OPEN, too. Returns 0 or -ENOMEM. */
int compare_judge(struct compare_row *rows, size_t count, const struct compare_threshold *threshold,
                  const char *ops, struct error *error);

/* Set the verdict on ROW to unknown, for REASON. */
void compare_leave_open(struct compare_row *row, const char *reason);

/* Set SPEED of PAIR, whose rows are judged: compare the speeds of both sides' client core. If they
 * differ, add a note with the share of each op's difference that the speeds explain if times are in
 * proportion to the loop's. Nothing is corrected (doc/METHOD.md). Returns 0 or -ENOMEM. */
int pair_compare_speed(struct compare_pair *pair, struct error *error);

/* Compare the files FIRST and SECOND, which must be of comparable kinds, in PAIRS[*COUNT], and
 * increment *COUNT. Compares the ops of the files' results, cells with the same op, variant, load
 * and size, knees, highest rates, and phases and steps of the same ops. If the files have two
 * sides, each side is compared with the same side of the other file, in two pairs (*COUNT grows by
 * 2); the second pair has the differences between the sides as FIGURES. FIGURES with intervals are
 * one family of tests. THRESHOLD, OPS and errors are as for pair_compare(); the caller frees ROWS
 * and FIGURES of the pairs, also after an error. */
int compare_files(const struct result_file *first, const struct result_file *second,
                  const struct compare_threshold *threshold, const char *ops,
                  struct compare_pair *pairs, size_t *count, struct error *error);

/* Add a note on a possible cause of a difference, unless PAIR has COMPARE_NOTES_MAXIMUM notes. */
void compare_note(struct compare_pair *pair, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add notes on settings that differ between the sides but do not prevent the comparison, and on a
 * mix that lacked ops on one side. */
void compare_note_settings(struct compare_pair *pair);

/* Names by enum result_quantity up to RESULT_BYTES_PART: "round trip", ...; ends with NULL. */
extern const char *const compare_quantity_names[];

/* Texts to append to an op's name, by the same enum (no final NULL): " in the mean", ... */
extern const char *const compare_quantity_of[];

/* Names by enum comparison_verdict: "faster", "slower" and so on; ends with NULL. */
extern const char *const comparison_verdict_names[];

/* Return which sides of PAIR have a file that is suspect, invalid or cut short: "A is", "B is", "A
 * and B are"; NULL for none. compare_is_doubtful() returns whether any pair of RESULT has such a
 * side. */
const char *compare_doubtful_sides(const struct compare_pair *pair);
bool compare_is_doubtful(const struct compare_result *result);

/* Print each op's histograms in both sides' first files side by side. If no op has any, say so. */
void compare_print_histograms(const struct compare_result *result, FILE *out);

/* The view of a comparison. For standard error: lines on files that are suspect, invalid or cut
 * short; and the result of the gate, with a line for each op or figure that failed it. */
extern const struct view view_comparison;
extern const struct view_line compare_doubt_lines[], compare_gate_lines[];
