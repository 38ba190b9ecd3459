/* A workload: what is needed to make calls like those of a capture, in a file of JSON
 * (FORMAT.md). It has no addresses, handles or data, and names only where they were asked
 * for. */
#pragma once

#include <stdio.h>

#include "engine/engine.h"
#include "nfs/mix.h"
#include "nfs/objects/visits.h"
#include "output/view/view.h"

enum {
    WORKLOAD_SIZES_MAXIMUM = NFS_VISIT_LENGTHS_MAXIMUM,
    WORKLOAD_SIZES_COUNTED = 64,
    WORKLOAD_INTERVALS_MAXIMUM = ARRIVALS_INTERVALS_MAXIMUM,
    WORKLOAD_DISPERSIONS = 3,
    WORKLOAD_FILES_MAXIMUM = 16,
    WORKLOAD_NAME_SIZE = 192,
    WORKLOAD_OWN_CLIENTS_MAXIMUM = 64, /* that are told apart */
};

/* No file is larger. */
#define WORKLOAD_NUMBER_MAXIMUM 1e18

/* An op of the mix, as the captured server carried it out. */
struct workload_op {
    const struct nfs_procedure *procedure;
    uint32_t weight;
    double calls;
    double p50, p99, mean;     /* us */
    struct engine_tally tally; /* errors */
};

/* READs or WRITEs of a length. */
struct workload_size {
    double bytes, calls;
};

/* One of the files with the most calls. */
struct workload_file {
    double calls, bytes;
    char name[WORKLOAD_NAME_SIZE]; /* in its directory, with bytes that are not plain as %XX; "?":
                                      not known; or a number in its place */
};

enum { WORKLOAD_READ, WORKLOAD_WRITE, WORKLOAD_TRANSFERS };

/* One of the clients; where it had no think times, they are 0. */
struct workload_client {
    double calls, connections, in_flight; /* the last is a mean, as that of all below */
    double think_calls, think[THINK_QUANTILES];
};

/* Calls other than NULL that were captured and are not among the ops, by the reason. */
struct workload_left_out {
    double cut;       /* the snap length cut their arguments */
    double encrypted; /* their arguments are encrypted */
    double unknown;   /* their arguments were not understood, or there are too many ops */
    double packets;   /* share of the packets on ports of NFS in which no call could be found */
};

struct workload {
    struct workload_op ops[NFS_MIX_OPS_MAXIMUM];
    size_t op_count;
    struct nfs_mix mix; /* of these, with their order: workload_make_mix() */
    struct workload_left_out left_out;
    double seconds;    /* that were captured */
    double clock_tick; /* us, of the clock of the capture; 0: no coarse one is known */
    double clients, connections;
    double in_flight[2]; /* calls of a client, when it sends one, that included: mean, 99th
                            percentile */
    double rate;         /* calls/s, all clients together */
    double burstiness;   /* standard deviation of the times between calls over their mean: 0
                            constant, 1 independent of each other, more in bursts */
    double dispersion[WORKLOAD_DISPERSIONS]; /* variance over mean of the numbers of calls in times
                            of 10 ms, 100 ms and 1 s: 1 independent of each other; 0: not known */
    double think[THINK_QUANTILES]; /* us from a reply, after which its connection had no call in
                            flight, to the next call: quantiles (measure/arrivals.h) */
    double think_calls;            /* of a connection between two such times, on average */
    double sequential[WORKLOAD_TRANSFERS]; /* share that begin where the last one of the file ended
                                            */
    double files[2];  /* files that calls were applied to; exponent of Zipf's law for how often */
    double file_size; /* bytes: mean of the largest ends of READs and WRITEs */
    double directory[2]; /* entries of directories that were listed as a whole: mean, most */
    double directories[THINK_QUANTILES]; /* the same: quantiles, as those of think times */
    /* The first that called; while calls are counted, the last one is all others. */
    struct workload_client own[WORKLOAD_OWN_CLIENTS_MAXIMUM + 1];
    size_t own_count;
    /* The most frequent first; while calls are counted, more of them. */
    struct workload_size sizes[WORKLOAD_TRANSFERS][WORKLOAD_SIZES_COUNTED];
    size_t size_count[WORKLOAD_TRANSFERS];
    struct workload_file most_used[WORKLOAD_FILES_MAXIMUM];
    size_t most_used_count;
    bool names_kept;
    double interval; /* seconds, for which each of these has the calls */
    double arrivals[WORKLOAD_INTERVALS_MAXIMUM];
    size_t arrival_count;
};

/* Read the file PATH. 0, or a negative errno with ERROR set (ERROR_USAGE): a file that can't be
 * read (input_read()), another kind of result or none, ops that nfs_mix_add() refuses, or a value
 * that is not what it is to be. */
int workload_read(struct workload *workload, const char *path, struct error *error);

/* Add the ops to the mix, which has none but may have their order. NULL, or why the op after those
 * of the mix can't be one of it. */
const char *workload_make_mix(struct workload *workload);

/* The calls of the ops. */
double workload_calls(const struct workload *workload);

/* Which part of the captured calls WORKLOAD has, in TEXT; NULL: all of them. */
const char *workload_describe_part(const struct workload *workload, char text[FIELD_ROOM]);

/* Why WORKLOAD has no op, in TEXT. */
const char *workload_describe_lack(const struct workload *workload, char text[FIELD_ROOM]);

/* Write it as JSON, for file_write_result(). */
int workload_write(const void *workload, FILE *out);

/* What the file has; its lines are the same for people, but for the mix and the captured server's
 * latencies and errors. */
extern const struct view view_workload;
