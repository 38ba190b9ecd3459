/* A sweep: what a run over a range of loads, or of sizes, found at each point, and what that
 * teaches. Filled in by cli/. Times are in ns unless a name says otherwise. */
#ifndef NFSBENCH_OUTPUT_SWEEP_H
#define NFSBENCH_OUTPUT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/bottleneck.h"
#include "measure/load_point.h"
#include "measure/objective.h"
#include "measure/piecewise.h"
#include "measure/scalability.h"

/* What one visit of a point found. */
enum sweep_figure {
    SWEEP_THROUGHPUT, /* calls per second */
    SWEEP_MEAN,       /* latency; in an open loop the response time */
    SWEEP_P50,
    SWEEP_P90,
    SWEEP_P99,
    SWEEP_P999,
    SWEEP_MAXIMUM,
    SWEEP_CLIENT_CPU,   /* share of the processors that its threads may use; NAN: spins */
    SWEEP_SERVER_CPU,   /* processors' worth; NAN: unknown */
    SWEEP_SERVER_SHARE, /* the same, of the processors that it may use; NAN: unknown */
    SWEEP_LINK,         /* share of its speed; NAN: unknown */
    SWEEP_CLIENT_CALL,  /* client CPU per call */
    SWEEP_LATE,         /* the sender's lateness, p99; NAN in a closed loop */
    SWEEP_FIGURES,
};

/* For programs: "throughput_per_s", "mean_ns". */
extern const char *const sweep_figure_names[SWEEP_FIGURES];

enum { SWEEP_REPEATS_MAXIMUM = 64 };

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
    bool out_of_reach; /* its rate */
    bool held;         /* of a probe: the objective */
    size_t invalid;    /* of them, visits whose own verdict was that */
    struct interval intervals[SWEEP_FIGURES];
    bool has_little;
    struct little little;
    enum bottleneck bottleneck;
};

/* What the points of one size and rate teach about concurrency. */
struct sweep_scaling {
    uint32_t size;
    bool has_law, has_knee;
    char lacking[256]; /* why there is no law; "" */
    struct scalability law;
    struct knee knee;
};

/* What the points of one concurrency teach about size. */
struct sweep_sizes {
    unsigned clients, depth;
    bool has_cost;
    char lacking[256];
    struct piecewise cost;
};

enum { SWEEP_GROUPS_MAXIMUM = 64 };

struct sweep {
    char start[40];
    const char *target, *op, *engine, *transport;
    const char *client_cpus;
    char kernel[80], cpu[80];
    uint64_t seed;
    double visit_seconds; /* 0: COUNT calls each */
    uint64_t visit_calls;
    bool swept_clients, swept_depth, swept_size, swept_rate;
    double full_rate; /* what 100 % of --rate is; 0: not asked for */
    struct sweep_point *points;
    size_t point_count;
    size_t visits_planned, visits_done;
    const char *cut_short_by; /* the line that says why; NULL */
    struct sweep_scaling scaling[SWEEP_GROUPS_MAXIMUM];
    size_t scaling_count;
    struct sweep_sizes sizes[SWEEP_GROUPS_MAXIMUM];
    size_t sizes_count;
    bool verbose;               /* print the probes of --find-max, too */
    const char *objective_text; /* of --find-max; NULL: none */
    struct objective_result objective;
};

/* The table, and below it what it teaches. */
void sweep_print(const struct sweep *sweep, FILE *out);

/* For file_write(); DATA is a struct sweep. */
int sweep_write_json(const void *data, FILE *out);
int sweep_write_csv(const void *data, FILE *out);

#endif
