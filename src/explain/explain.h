/* What 'nfsbench explain' found: the phases of a call, in its forms. Times are in ns. */
#ifndef NFSBENCH_EXPLAIN_EXPLAIN_H
#define NFSBENCH_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "explain/prediction.h"
#include "measure/estimate.h"
#include "measure/phases.h"
#include "measure/timestamp.h"
#include "output/terminal.h"

/* A row of the table. Of a view's phases of one key, only the first has one. */
struct explain_row {
    const struct phase_type *type;
    uint64_t count;  /* calls that entered it */
    double share;    /* of the mean life, 0 to 1 */
    double mean;     /* of those that entered it */
    double adjusted; /* weighted by the share of calls that did: what it adds to a mean life */
    double low, high, p50, p99;
    double share_without_queueing; /* of what is left of a life without it; NAN: left out */
    double share_of_client;        /* likewise without network and server; NAN: left out */
    double begins; /* from when the call began, in the mean of all calls: where its bar is, which is
                      ADJUSTED (less SECOND_NS) long */
    double second_begins, second_ns; /* of a joined phase's other part: where its second bar is, and
                                        how long (mean); 0: none. MEAN is the sum of both. */
    struct prediction prediction;
};

/* A call that took longer than most, and what the kernel saw of it. */
struct explain_slow_call {
    struct call_times times;
    size_t longest; /* row whose time is most above its median */
    double longest_ns;
    char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE]; /* sentences: preempted by whom, where */
    size_t note_count;
};

/* A call as an example, for the trace file. */
struct explain_example {
    const char *which; /* "slowest", "median", "fastest" */
    struct call_times times;
};

enum { EXPLAIN_EXAMPLES = 3, EXPLAIN_SLOW_MAXIMUM = 100 };

struct explanation {
    char start[40]; /* RFC 3339 */
    const char *target, *op, *transport;
    char kernel[80], cpu[80], client_cpus[128];
    int server_cpu; /* that self: is bound to; -1: none */
    uint64_t seed;
    size_t call_bytes, reply_bytes;

    const struct phase_view *view;
    struct explain_row rows[PHASES_MAXIMUM];
    size_t row_count;
    const struct phases *phases; /* lifetime, overlap, calls left out */
    double sum;                  /* of the phases' adjusted means */
    double discrepancy;          /* mean life by the measuring clock less SUM, over it: 0.004 */

    uint64_t calls;            /* issued in stamped blocks, warm-up excluded */
    uint64_t stamps_lost;      /* the kernel's stamps that never came */
    uint64_t stamps_unmatched; /* stamps that came and belong to no call */
    uint64_t dropped;         /* calls during which the clock of the stamps was set; not in CALLS */
    uint64_t events_lost;     /* of the server's side: the buffer was full */
    struct interval stamping; /* what stamps, and eBPF, add to a call */
    bool has_stamping;        /* false: too few rounds for an interval */
    double unstamped_mean;    /* of the calls without */
    const char
        *server_missing;      /* why there are no phases of the server, and how to get them; NULL */
    const char *cut_short_by; /* the line that says why; NULL */

    bool has_predictions;
    const struct phase_type *unmeasured[PREDICTIONS_MAXIMUM]; /* predicted, but without a row */
    size_t unmeasured_count;
    struct explain_example examples[EXPLAIN_EXAMPLES];
    size_t example_count;
    struct explain_slow_call *slow; /* slowest first */
    size_t slow_count;
    double slow_beyond;  /* they took longer than this: p99.9 */
    uint64_t slow_total; /* calls that did */
};

/* Fill in VIEW, the rows, their sum and its discrepancy, from PHASES. Phases that no call entered
 * have no row. */
void explain_rows(struct explanation *explanation);

/* For people: a waterfall with bars to scale, the table, what does not add up. It fills TERMINAL's
 * width, if that has 80 columns at least. */
void explain_print(const struct explanation *explanation, const struct terminal *terminal,
                   FILE *out);

/* For file_write(); DATA is a struct explanation. */
int explain_write_json(const void *data, FILE *out);
int explain_write_csv(const void *data, FILE *out);   /* the table */
int explain_write_svg(const void *data, FILE *out);   /* the waterfall */
int explain_write_trace(const void *data, FILE *out); /* examples, in Chrome's trace event format */

#endif
