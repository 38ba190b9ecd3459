/* The comparison of measurements, as data and in its forms. */
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
    COMPARE_FURTHER = 4,          /* from RESULT_MEAN_COST to RESULT_MEAN_SERVER_PART */
    COMPARE_REPLICATES_LEAST = 3, /* results of each side, where these are the units */
};

/* What an op may be slower by: a gate. Beyond both, where both are given. */
struct compare_threshold {
    double share, ns; /* NAN: not given */
};

/* What a figure is. */
struct compare_figure {
    const char *name; /* for people: "throughput, calls/s" */
    double unit;      /* by which it is divided to be in that of NAME */
    bool more_is_better;
    enum comparison_quantity quantity;
    bool shown; /* more or less of it is neither better nor worse */
};

/* A figure that two sides have: of an op of measurements; a phase or a step of a call, or one of a
 * cell of an experiment. */
struct compare_row {
    /* Of an op; FIRST and SECOND are NULL of all else. */
    const struct result_op *first, *second; /* in each side's first file */
    enum result_quantity compared;          /* the cost above null, or else the round trip */
    /* Of a cost above null: the figures from RESULT_MEAN_COST on. NULL: not known of both sides, or
     * not comparable. */
    struct compare_row *further[COMPARE_FURTHER];
    const struct compare_row *typical; /* of which this is a further one; else NULL */
    size_t launches[2];                /* of A and of B, that it is judged by */

    /* Of all else. */
    char of[COMPARE_NAME_SIZE]; /* "2 clients, depth 8", or an op */
    const char *key;            /* for programs: "throughput_per_s" */

    struct compare_figure figure; /* of an op the quantity alone */
    struct comparison comparison; /* ends are NAN where there is no interval between runs */
    bool one_launch;   /* neither side has several: what launches differ by is not known */
    bool judged;       /* the difference has an interval, and its sign says which side is better */
    bool is_path;      /* null's: judged with the path, not with the ops */
    bool left_open;    /* it could be judged, but the path may explain what differs (rules.c) */
    bool open_to_gate; /* it is left open, and nothing else answers for it: the gate can't tell */
    /* By how much, ns, the state of the path may change the difference (a standard error, which the
     * intervals contain), and p without that. */
    double path_error, own_p;
    double floor; /* the least difference that counts, ns; the noise alone before compare_judge() */
    double share; /* the difference over the first's; NAN where that can't be told from 0 */
    struct interval ratio; /* the second over the first; NAN likewise */
    enum comparison_verdict word;
    char reason[COMPARE_TEXT_SIZE]; /* why there is no verdict; "" where there is one */
    bool gated;                     /* a gate is for it */
    bool regression;                /* worse by more than the threshold; FURTHER have their own */
    bool undecided;                 /* it is not known whether it is */
};

/* How fast the client's core was on two sides, by the time of a loop of additions. */
struct compare_speed {
    bool known;
    struct comparison comparison; /* P is NAN with one launch on each side */
    double share;                 /* the second over the first, less 1 */
    bool differs;                 /* by more than its noise */
};

/* What is between client and server: machine, kernel, network and RPC. */
enum compare_path_verdict {
    COMPARE_PATH_UNKNOWN, /* there are no null calls */
    COMPARE_PATH_SAME,
    COMPARE_PATH_CHANGED, /* null calls took longer, or less time */
    /* Null calls did not differ, but the echo of an op's bytes did, or the bytes' part of its cost
     * where an echo does not show that it is the server's. */
    COMPARE_PATH_BYTES,
};

/* By enum compare_path_verdict: "not known", "same", "changed", "bytes changed"; ends with NULL. */
extern const char *const compare_path_names[];

/* What shows the path: null calls; and, of the op with the longest messages, the bytes' part and
 * the bare echo of as many bytes (run/witness.h), which knows no server. */
enum compare_path_row {
    COMPARE_PATH_NULL,
    COMPARE_PATH_LONGEST,
    COMPARE_PATH_ECHO,
    COMPARE_PATH_ROWS
};

struct compare_path {
    enum compare_path_verdict word;
    struct compare_row rows[COMPARE_PATH_ROWS]; /* FIRST is NULL: not known */
    double error; /* |ln(null of B / null of A)|: a standard error, as a share; NAN: not known */
};

/* Two sides: a result each, or COMPARE_REPLICATES_LEAST or more results each, which are replicates.
 */
struct compare_pair {
    enum result_kind kind;               /* of the files */
    const struct result *first, *second; /* arrays of */
    size_t first_count, second_count;    /* so many */
    struct compare_row *rows;
    size_t count;     /* of ops */
    size_t row_count; /* of rows: those of ops, and then room for the further ones of each */
    struct compare_row *figures; /* that are of no op */
    size_t figure_count;
    char notes[COMPARE_NOTES_MAXIMUM][COMPARE_TEXT_SIZE]; /* what may explain a difference */
    size_t note_count;
    struct compare_speed speed;
    struct compare_path path;
};

/* What came of the threshold. */
struct compare_gate {
    bool asked, passed;
    bool doubtful;    /* a file is suspect, invalid or cut short */
    size_t judged;    /* ops and figures that were compared, of those that it is for */
    bool failed;      /* a figure is worse by more than the threshold */
    size_t undecided; /* figures of which it can't tell; one is enough not to pass */
};

/* What stands out in only one of two surveys. */
struct compare_finding {
    const char *name, *text;
    bool is_new; /* it is in the second */
};

struct compare_result {
    struct compare_pair *pairs; /* each further file, or group, against the first */
    size_t count;
    struct compare_threshold threshold;
    struct compare_gate gate;
    struct compare_finding findings[COMPARE_FINDINGS_MAXIMUM];
    size_t finding_count;
};

/* Fill in the rows of PAIR, whose files are given; the caller frees them, after an error, too. Ops
 * that both sides' first files have are compared, or of these only those that OPS names (separated
 * by commas; NULL: all): their typical costs and, as comparisons of the same family, their mean
 * costs, their p99, and the server's part of both costs; of these, what rules.c lets be judged. One
 * that is slower by more than THRESHOLD (NULL: none) is a regression, but for null, unless OPS
 * names it. 0, -ENOENT (ERROR_USAGE) where there is no such op, or -ENOMEM,
 * with ERROR set. */
int pair_compare(struct compare_pair *pair, const struct compare_threshold *threshold,
                 const char *ops, struct error *error);

/* Replicates (replicates.c): several results of each side, measured at different moments, are the
 * independent units of its tests. What changes from one moment to the next is then part of the
 * spread between them, as it is not between the launches of one result. */

/* Are the sides of PAIR made of replicates? */
bool compare_has_replicates(const struct compare_pair *pair);

/* Do the intervals of PAIR include what changes from one moment to the next? Those of replicates
 * do, and of launches that were spread over a time (--over) on both sides. */
bool compare_includes_changes(const struct compare_pair *pair);

/* Were the launches of both results of PAIR spread over a time? */
bool compare_is_spread(const struct compare_pair *pair);

/* Are FIRST results of one side and SECOND of the other enough? Returns 0, or -EINVAL with ERROR
 * set (ERROR_USAGE). */
int replicates_check(size_t first, size_t second, struct error *error);

/* Store in LAUNCHES, which has room for those of all COUNT RESULTS of a side, their estimates of
 * OP's QUANTITY. A single result keeps its own units (measure/statistics/launches.h); of several,
 * each is a unit, with the mean of its launches. Returns the number of launches; 0 if a result has
 * no estimate. */
size_t replicates_take(const struct result *results, size_t count, const char *op,
                       enum result_quantity quantity, struct launch *launches);

/* Note settings in which the results of a side of PAIR differ, though they can be compared: their
 * spread may come from that. */
void replicates_note_settings(struct compare_pair *pair);

/* Estimate ROW of PAIR, whose ops and figure are given, or set why they can't be compared. */
int pair_estimate(const struct compare_pair *pair, struct compare_row *row, struct error *error);

/* Find out whether the path changed between the sides of PAIR, whose rows are estimated. */
int pair_find_path(struct compare_pair *pair, struct error *error);

/* Leave open those of PAIR's rows that the path may explain, and widen the others by what it may
 * add to them. */
void pair_apply_rules(struct compare_pair *pair);

/* Is ROW's difference one that counts? */
bool compare_differs(const struct compare_row *row);

/* Judge those of COUNT ROWS that are to be JUDGED, as one family. 0 or -ENOMEM. */
int compare_judge(struct compare_row *rows, size_t count, const struct compare_threshold *threshold,
                  const char *ops, struct error *error);

/* ROW is shown, and there is no verdict on it. */
void compare_leave_open(struct compare_row *row, const char *reason);

/* Compare how fast the client's core was in both sides of PAIR, whose rows are judged. Where that
 * differs, note it, with what part of the differences that were found it would explain if times
 * grew in proportion. Nothing is subtracted (doc/METHOD.md). */
int pair_compare_speed(struct compare_pair *pair, struct error *error);

/* Compare two files whose kinds fit: in PAIRS[*COUNT], which is counted, the ops of their results,
 * and all else that they have: the cells of experiments with the same op, variant, load and size,
 * phases and steps of the same ops, and differences between sides. Those that have intervals are
 * judged, as one family. Of two sides each is compared with the same side, in a pair of its own.
 * THRESHOLD, OPS and errors are as above; the caller frees ROWS and FIGURES, after an error, too.
 */
int compare_files(const struct result_file *first, const struct result_file *second,
                  const struct compare_threshold *threshold, const char *ops,
                  struct compare_pair *pairs, size_t *count, struct error *error);

/* Note in PAIR what may explain a difference, if there is room. */
void compare_note(struct compare_pair *pair, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Note settings in which the sides differ, though that does not prevent the comparison. */
void compare_note_settings(struct compare_pair *pair);

/* By enum result_quantity, for people: "round trip", "above null", "mean above null", and so on;
 * ends with NULL. */
extern const char *const compare_quantity_names[];

/* By enum result_quantity: what stands behind an op's name: "", " in the mean", " (server)". */
extern const char *const compare_quantity_of[];

/* By enum comparison_verdict: "faster", "slower", "no difference seen", "not comparable",
 * "not known"; ends with NULL. */
extern const char *const comparison_verdict_names[];

/* Which sides of PAIR have a file that is suspect, invalid or cut short: "A is", "B is", "A and B
 * are", or NULL. Has any pair? */
const char *compare_doubtful_sides(const struct compare_pair *pair);
bool compare_is_doubtful(const struct compare_result *result);

/* Print both sides' latencies by powers of two, side by side. */
void compare_print_histograms(const struct compare_result *result, FILE *out);

/* The whole of it; and for standard error, such files, and what came of the gate, with a line for
 * each op that failed it. */
extern const struct view view_comparison;
extern const struct view_line compare_doubts_said[], compare_gate_said[];
