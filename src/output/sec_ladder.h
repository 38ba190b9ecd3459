/* What security costs: each op by each security flavor that a server offers, against AUTH_SYS in
 * the same rounds. Filled in by run/sec_ladder.c. Times are in ns unless a name says otherwise. */
#pragma once

#include "measure/validity.h"
#include "output/json_reader.h"
#include "output/origin.h"
#include "output/sweep.h"

/* What one trial of a point found. */
enum sec_figure {
    SEC_ROUND_TRIP, /* the median over rounds of the blocks' trimmed means */
    SEC_ABOVE,      /* above that of AUTH_SYS: the median of the rounds' differences */
    /* Processor time per call, while the point's blocks ran; NAN: unknown. */
    SEC_CLIENT_CPU,
    SEC_SERVER_CPU,
    SEC_RATE,       /* calls per second */
    SEC_RATE_SHARE, /* the same, as a share of the rate by AUTH_SYS in the same rounds */
    SEC_FIGURES,
};

/* For programs: "round_trip_ns", "above_sys_ns". */
const char *sec_figure_name(enum sec_figure figure);

/* An op by a security flavor. */
struct sec_point {
    const char *op, *security;
    uint32_t size;  /* bytes in a READ or WRITE; 0: the op moves no data */
    uint32_t depth; /* calls in flight */
    size_t repeats; /* trials */
    size_t invalid; /* of them, those whose own verdict was that */
    double figures[SEC_FIGURES][SWEEP_REPEATS_MAXIMUM];
    size_t order[SWEEP_REPEATS_MAXIMUM];    /* of each trial, how many of the ladder came before */
    struct interval intervals[SEC_FIGURES]; /* over the trials */
};

/* The cost above AUTH_SYS as a function of the size, one call at a time. */
struct sec_line {
    const char *op, *security;
    struct sweep_sizes sizes;
};

/* A flavor that was not measured. */
struct sec_left_out {
    const char *security;
    const char *op; /* with which it was not; NULL: with none */
    uint32_t depth; /* with so many calls in flight; 0 where OP is NULL */
    const char *reason;
};

enum {
    SEC_POINTS_MAXIMUM = 1024,
    SEC_LINES_MAXIMUM = 64,
    SEC_LEFT_OUT_MAXIMUM = 64,
};

struct sec_ladder {
    struct origin origin;
    const char *engine, *client_cpus;
    bool check_in_time;   /* a round trip includes the verification of a protected reply */
    double trial_seconds; /* 0: COUNT calls each */
    uint64_t trial_calls;
    struct sec_point *points; /* op by op, of one size and depth each flavor, AUTH_SYS first */
    size_t point_count;
    size_t trials_planned, trials_done;
    struct sec_line *lines;
    size_t line_count;
    struct sec_left_out *left_out;
    size_t left_out_count;
    const char *cut_short_by; /* the line that says why; NULL */
    struct validity validity;
};

#define SEC_BASE "sys" /* what the others are compared with, and, for the noise, itself */

extern const struct view view_sec_ladder;

/* Read its JSON back from ROOT into LADDER, which is zeroed: everything but its origin. */
void sec_ladder_read(struct json_reader *reader, const json_t *root, struct sec_ladder *ladder);

/* "read 64Ki"; just the op where it moves no data. Returns OUT. */
enum { SEC_NAME_SIZE = 48 };
const char *sec_point_name(const struct sec_point *point, char out[SEC_NAME_SIZE]);
