/* A sweep: what a run over a range of loads, or of sizes, found at each point, and what that
 * teaches. Filled in by cli/. Times are in ns unless a name says otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/load_point.h"
#include "measure/objective.h"
#include "measure/piecewise.h"
#include "measure/scalability.h"
#include "measure/validity.h"
#include "output/fields.h"
#include "output/origin.h"

/* What one trial of a point found. */
enum sweep_figure {
    SWEEP_THROUGHPUT,  /* calls per second */
    SWEEP_MEAN,        /* latency; in an open loop the response time */
    SWEEP_TYPICAL,     /* the same: the median over rounds of the blocks' trimmed means */
    SWEEP_NULL,        /* that of the null calls in the same rounds; NAN in an open loop */
    SWEEP_COST,        /* above null: the median of the rounds' differences; likewise */
    SWEEP_TURN_AROUND, /* the mean time from a reply to the next call in its place; NAN: unknown */
    SWEEP_P50,
    SWEEP_P90,
    SWEEP_P99,
    SWEEP_P999,
    SWEEP_MAXIMUM,
    /* While the op's blocks ran, and not between them; NAN: unknown. */
    SWEEP_CLIENT_CPU,    /* share of the processors that its threads may use; NAN: spins */
    SWEEP_CLIENT_THREAD, /* share of one processor, by its busiest thread; likewise */
    SWEEP_SERVER_CPU,    /* processors' worth */
    SWEEP_SERVER_SHARE,  /* the same, of the processors that it may use */
    SWEEP_SERVER_THREAD, /* share of one processor, by its busiest thread */
    SWEEP_BOTH_CPUS,     /* client and server together, processors' worth */
    SWEEP_LINK,          /* share of its speed */
    SWEEP_CLIENT_CALL,   /* client CPU per call */
    SWEEP_LATE,          /* the sender's lateness, p99; NAN in a closed loop */
    SWEEP_MEGABYTES,     /* of file data, 10^6 bytes a second; NAN: none */
    /* Per call, of the client's machine and whatever else it does; NAN: unknown. */
    SWEEP_PACKETS,    /* received by the busiest interface; of loopback: in both directions */
    SWEEP_BYTES,      /* likewise */
    SWEEP_INTERRUPTS, /* of hardware */
    SWEEP_NET_RX,     /* soft interrupts */
    SWEEP_FIGURES,
};

/* For programs: "throughput_per_s", "mean_ns". */
extern const char *const sweep_figure_names[SWEEP_FIGURES];

enum { SWEEP_REPEATS_MAXIMUM = 64, SWEEP_POINTS_MAXIMUM = 1024 };

/* What a point is. */
struct sweep_setting {
    unsigned clients, connections, depth;
    uint32_t size;
    double rate; /* 0: closed loop */
};

struct sweep_point {
    struct sweep_setting setting;
    double figures[SWEEP_FIGURES][SWEEP_REPEATS_MAXIMUM];
    size_t repeats;
    bool out_of_reach;                   /* its rate */
    enum objective_answer answer;        /* of a probe: was the objective held? */
    size_t order[SWEEP_REPEATS_MAXIMUM]; /* of each trial, how many of the sweep came before */
    size_t invalid;                      /* of them, trials whose own verdict was that */
    struct interval intervals[SWEEP_FIGURES];
    bool has_little;
    struct little little;
    enum bottleneck bottleneck;
};

/* What the points of one size and rate teach about concurrency. */
struct sweep_scaling {
    uint32_t size;
    bool has_law, has_knee;
    char missing[256]; /* why there is no law; "" */
    struct scalability law;
    struct knee knee;
};

/* What the points of one concurrency teach about size. */
struct sweep_sizes {
    unsigned clients, depth;
    bool above_null; /* else COST is the typical time of a call */
    bool has_cost;
    char missing[256];
    struct piecewise cost;
};

/* What became of the probes of a search. */
struct sweep_probes {
    size_t repeated;       /* trials without an answer that were made again */
    size_t without_answer; /* probes that got none in the end */
    uint64_t calls_wanted; /* in a probe */
    uint64_t calls_least;  /* that one had */
};

enum { SWEEP_GROUPS_MAXIMUM = 64 };

struct sweep {
    struct origin origin;
    const char *op, *engine;
    const char *client_cpus;
    double trial_seconds; /* 0: COUNT calls each */
    uint64_t trial_calls;
    bool swept_clients, swept_depth, swept_size, swept_rate;
    double full_rate; /* what 100 % of --rate is; 0: not asked for */
    struct sweep_point *points;
    size_t point_count;
    size_t trials_planned, trials_done;
    const char *cut_short_by; /* the line that says why; NULL */
    struct sweep_scaling scaling[SWEEP_GROUPS_MAXIMUM];
    size_t scaling_count;
    struct sweep_sizes sizes[SWEEP_GROUPS_MAXIMUM];
    size_t sizes_count;
    bool verbose;               /* print the probes of --find-max, too */
    const char *objective_text; /* of --find-max; NULL: none */
    struct objective_result objective;
    struct sweep_probes probes; /* likewise */
    struct validity validity;
};

/* The table, and below it what it teaches. */
void sweep_print(const struct sweep *sweep, FILE *out);

/* For file_write(); DATA is a struct sweep. */
int sweep_write_json(const void *data, FILE *out);
int sweep_write_csv(const void *data, FILE *out);

/* Read that JSON back from ROOT into SWEEP, which is zeroed: everything but its origin, which a
 * struct result has (output/result_file.h). */
void sweep_read(struct json_reader *reader, const json_t *root, struct sweep *sweep);

/* Parts of that JSON that a security ladder has, too: a figure of COUNT trials with its LEVEL over
 * them (read from FROM; NULL: it is not there), and the fields of struct sweep_sizes. */
json_t *sweep_figure_write(const double *values, size_t count, const struct interval *level);
void sweep_figure_read(struct json_reader *reader, const json_t *from, double *values, size_t count,
                       struct interval *level);
extern const struct field sweep_sizes_fields[];

/* The parts of sweep_print(). */

enum { SWEEP_CELL_SIZE = 48 };

/* VALUE with so many DECIMALS, "-" where it is not known, "no end" where it has none. */
const char *sweep_cell(char out[SWEEP_CELL_SIZE], int decimals, double value);

/* "[LOW, HIGH]"; nothing for what was measured once only. */
const char *sweep_bracket(char out[SWEEP_CELL_SIZE], const struct interval *interval, int decimals);

/* The table: a row for each point. */
void sweep_print_points(const struct sweep *sweep, FILE *out);
