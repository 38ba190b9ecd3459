/* A workload: what is needed to make calls like those of a capture, in a text file. It is a mix
 * (nfs/mix.h) with further lines, each a key with a colon and its values (doc/FORMAT.md). It has no
 * names, addresses, handles or data. */
#ifndef NFSBENCH_CAPTURE_WORKLOAD_H
#define NFSBENCH_CAPTURE_WORKLOAD_H

#include <stdio.h>

#include "engine/engine.h"
#include "nfs/mix.h"

enum { WORKLOAD_SIZES_MAXIMUM = 8, WORKLOAD_INTERVALS_MAXIMUM = 64 };

/* An op of the mix, as the captured server carried it out. */
struct workload_op {
    double calls;
    double p50, p99, mean;     /* us */
    struct engine_tally tally; /* errors */
};

/* READs or WRITEs of a length. */
struct workload_size {
    double bytes, calls;
};

enum { WORKLOAD_READ, WORKLOAD_WRITE, WORKLOAD_TRANSFERS };

struct workload {
    struct nfs_mix mix;
    struct workload_op ops[NFS_MIX_OPS_MAXIMUM]; /* in the mix's order */
    double seconds;                              /* that were captured */
    double clients, connections;
    double in_flight[2]; /* calls of a client, when it sends one, that included: mean, 99th
                            percentile */
    double rate;         /* calls/s, all clients together */
    double burstiness;   /* standard deviation of the times between calls over their mean: 0
                            constant, 1 independent of each other, more in bursts */
    double think[2];     /* us from a reply, after which its connection had no call in flight, to
                            the next call: median, 99th percentile */
    double sequential[WORKLOAD_TRANSFERS]; /* share that begin where the last one of the file ended
                                            */
    double files[2];  /* files that calls were applied to; exponent of Zipf's law for how often */
    double file_size; /* bytes: mean of the largest ends of READs and WRITEs */
    double directory[2]; /* entries of directories that were listed as a whole: mean, most */
    struct workload_size sizes[WORKLOAD_TRANSFERS]
                              [WORKLOAD_SIZES_MAXIMUM]; /* most frequent first */
    size_t size_count[WORKLOAD_TRANSFERS];
    double interval; /* seconds, for which each of these has the calls */
    double arrivals[WORKLOAD_INTERVALS_MAXIMUM];
    size_t arrival_count;
};

/* Read the file NAME. 0, or a negative errno with ERROR set (ERROR_USAGE): a file that can't be
 * read (input_read()), a mix that nfs_mix_parse() refuses, or a line that is no key with its
 * values. */
int workload_read(struct workload *workload, const char *name, struct error *error);

/* Write it, for file_write(). */
int workload_write(const void *workload, FILE *out);

#endif
