/* The result of 'nfsbench explain', the phases of a call, and its forms. Times are in ns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "explain/phases/explain_limit.h"
#include "explain/phases/prediction.h"
#include "measure/load.h"
#include "measure/phases.h"
#include "measure/statistics/estimate.h"
#include "measure/timestamp.h"
#include "measure/validity.h"
#include "output/result/origin.h"
#include "output/view/terminal.h"

/* An example call, for the trace file; or one that took longer than most, and the kernel's events
 * during it. */
struct explain_single_call {
    struct call_times times;
    const struct phase_view *view;
    const char *which; /* of an example: "slowest", "median", "fastest" */
    /* Of a slow one. */
    const struct phase_row *longest; /* whose time exceeds its median most; NULL: there is none */
    double longest_ns;
    /* Sentences, such as which thread preempted it and where. */
    char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE];
    size_t note_count;
};

/* The time after the request was transmitted during which the client's send() has not yet returned.
 */
struct explain_overlap {
    uint64_t calls; /* 0: there is none */
    double begins;  /* mean */
    struct result_latency latency;
};

enum { EXPLAIN_EXAMPLES = 3, EXPLAIN_SLOW_MAXIMUM = 100 };

struct explanation {
    struct origin origin;
    const char *op;
    char client_cpus[128];
    int server_cpu;                 /* to which self: is bound; -1: none */
    size_t call_bytes, reply_bytes; /* without what protects them */
    const struct load *load;        /* NULL: one call at a time */
    struct explain_limit limit;     /* if there is a load */

    const struct phase_view *view;
    struct phase_row rows[PHASE_TYPES];
    size_t row_count;
    double shares[PHASE_KINDS];      /* of the lifetime, by the rows' kinds */
    const struct phase_row *longest; /* NULL: there is no row */
    const struct phases *phases;     /* lifetime, overlap, calls not explained */
    struct result_latency latency;   /* of the lifetime */
    struct explain_overlap overlap;
    struct interval lifetime; /* its mean, with its interval over the rounds */
    double sum;               /* of the phases' adjusted means */
    double discrepancy; /* (mean lifetime by the measuring clock - SUM) / mean lifetime: 0.004 */

    uint64_t calls;            /* in blocks with timestamps, without the warm-up */
    uint64_t stamps_lost;      /* kernel timestamps that never arrived */
    uint64_t stamps_unmatched; /* kernel timestamps that belong to no call */
    uint64_t dropped;     /* calls during which the clock of the timestamps was set; not in CALLS */
    uint64_t events_lost; /* of the server's side, because the buffer was full */
    uint32_t sample;      /* one of so many calls has timestamps */
    struct interval stamping; /* what timestamps and eBPF add to such a call */
    bool has_stamping;        /* false: too few rounds for an interval */
    double unstamped_mean;    /* of calls without timestamps; NAN: there was no time for any */
    double unstamped_typical; /* of them, by the same medians as what stamping adds */
    const char
        *server_missing; /* why there are no phases of the server, and how to get them; or NULL */
    const char *cut_short_by;        /* why the run ended early; or NULL */
    const struct validity *validity; /* NULL: not judged */

    struct predictions predictions;
    struct explain_single_call examples[EXPLAIN_EXAMPLES];
    size_t example_count;
    struct explain_single_call *slow; /* slowest first */
    size_t slow_count;
    double slow_beyond;  /* the threshold for slow calls: p99.9 */
    uint64_t slow_total; /* number of slow calls */
};

/* The phases of several ops, whose calls were made in one run. */
struct explanations {
    struct explanation *ops; /* each as if it were alone; what is the run's is the same in all */
    size_t count;            /* 1 or more */
    const char *mix;         /* that the ops make up, in one block; NULL: none */
    struct result_skipped *skipped; /* what was asked for, and is not explained */
    size_t skipped_count;
};

/* Fill in the view, the rows, their sum and its discrepancy from the phases, and no intervals. A
 * phase that no call entered has no row. */
void explain_rows(struct explanation *explanation);

extern const struct view view_explanation, view_explanations;
extern const struct result_reading explanation_reading; /* of both */

/* Of struct explanation: what is the run's, and what is the op's. */
extern const struct field explain_run_fields[], explain_op_fields[];

/* The first line of a view, with WHAT is explained, and the begin of the second. */
#define EXPLAIN_TITLE(what)                                                                        \
    "nfsbench " NFSBENCH_VERSION "  explain of " what " on {target}  NFSv3 over {transport}"       \
    "{?  {auth}}{?  xprtsec={xprtsec}}"
#define EXPLAIN_CPUS                                                                               \
    "client on CPU {client_cpus}{?, server on CPU {server_cpu}}"                                   \
    "{?     {?(load.clients>1){load.clients} clients, }"                                           \
    "{?(load.connections>1){load.connections} connections each, }depth {load.depth}"               \
    "{?(load.rate_per_s), {load.rate_per_s:12g} calls/s}}"

/* A sentence of how many calls of the COUNT OPS are explained, and why others were left out.
 * Returns ROOM. */
const char *explain_say_explained(const struct explanation *ops, size_t count,
                                  char room[FIELD_ROOM]);

/* Print the bars of an explanation, to scale, and their sum, at least 60 columns wide. */
void explain_draw_waterfall(const void *explanation, FILE *out);
