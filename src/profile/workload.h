/* A workload: a JSON file (FORMAT.md) from which calls like those of a capture can be made. It has
 * no addresses, handles or data, and names only on request. */
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
    WORKLOAD_OWN_CLIENTS_MAXIMUM = 64, /* maximum of clients that are distinguished */
};

/* largest number in the file, such as a size */
#define WORKLOAD_NUMBER_MAXIMUM 1e18

/* An op of the mix, with the captured server's times. */
struct workload_op {
    const struct nfs_procedure *procedure;
    uint32_t weight;
    double calls;
    double p50, p99, mean;     /* latencies, us */
    struct engine_tally tally; /* errors */
};

/* A length of READs or WRITEs, and the number of calls with this length. */
struct workload_size {
    double bytes, calls;
};

/* One of the files with the most calls. BYTES: largest offset at which a READ or WRITE ended. */
struct workload_file {
    double calls, bytes;
    /* name in its directory, with special bytes as %XX; "?" if not known. "file-1" and so on if
     * names are not kept. */
    char name[WORKLOAD_NAME_SIZE];
};

enum { WORKLOAD_READ, WORKLOAD_WRITE, WORKLOAD_TRANSFERS };

/* A client. Its think times are 0 if it had none. */
struct workload_client {
    /* IN_FLIGHT: mean number of calls in flight; THINK_CALLS: mean number of calls between two
     * think times; THINK: quantiles of think times, us */
    double calls, connections, in_flight;
    double think_calls, think[THINK_QUANTILES];
};

/* Captured calls other than NULL that are not among the ops, by reason. */
struct workload_left_out {
    double cut;       /* the snap length cut their arguments */
    double encrypted; /* their arguments are encrypted */
    double unknown;   /* their arguments were not understood, or there are too many ops */
    double packets;   /* share of the packets on NFS ports in which no call was found */
};

struct workload {
    struct workload_op ops[NFS_MIX_OPS_MAXIMUM];
    size_t op_count;
    struct nfs_mix mix; /* mix of the ops, with their order: workload_make_mix() */
    struct workload_left_out left_out;
    double seconds;    /* length of the capture, s */
    double clock_tick; /* tick of the capture's clock, us; 0 if no coarse tick was found */
    double clients, connections;
    /* Calls in flight when a client sends one, including that call: mean, 99th percentile. */
    double in_flight[2];
    double rate; /* calls/s of all clients */
    /* Standard deviation of the times between calls divided by their mean: 0 for constant times, 1
     * for independent calls, more for bursts. */
    double burstiness;
    /* Variance divided by mean of the numbers of calls in intervals of 10 ms, 100 ms and 1 s. 1 for
     * independent calls; 0 if not known. */
    double dispersion[WORKLOAD_DISPERSIONS];
    /* Quantiles (measure/arrivals.h) of the think time in us: from a reply after which a connection
     * has no call in flight to its next call. */
    double think[THINK_QUANTILES];
    double think_calls; /* mean number of calls of a connection between two think times */
    /* share of READs and WRITEs that begin where the last one on the same file ended */
    double sequential[WORKLOAD_TRANSFERS];
    /* number of files that were used; exponent of Zipf's law for how often each was used */
    double files[2];
    /* mean over the files of the largest offset at which a READ or WRITE ended, bytes */
    double file_size;
    double directory[2]; /* number of entries of completely listed directories: mean, maximum */
    /* quantiles of the number of entries, with the probabilities of THINK */
    double directories[THINK_QUANTILES];
    /* The first clients. While calls are counted, the last entry is for all further clients. */
    struct workload_client own[WORKLOAD_OWN_CLIENTS_MAXIMUM + 1];
    size_t own_count;
    /* READ and WRITE sizes, the most frequent first. While calls are counted, there may be more. */
    struct workload_size sizes[WORKLOAD_TRANSFERS][WORKLOAD_SIZES_COUNTED];
    size_t size_count[WORKLOAD_TRANSFERS];
    struct workload_file most_used[WORKLOAD_FILES_MAXIMUM];
    size_t most_used_count;
    bool names_kept;
    /* length of an interval, s; each of ARRIVALS is the number of calls in an interval */
    double interval;
    double arrivals[WORKLOAD_INTERVALS_MAXIMUM];
    size_t arrival_count;
};

/* Read the file PATH. Returns 0, or a negative errno with ERROR set (ERROR_USAGE) if it cannot be
 * read (input_read()), is not a workload, or has invalid values or ops that nfs_mix_add()
 * refuses. */
int workload_read(struct workload *workload, const char *path, struct error *error);

/* Add the ops to WORKLOAD's mix, which must be empty except for their order. Returns NULL, or why
 * the first op that is not in the mix cannot be added. */
const char *workload_make_mix(struct workload *workload);

/* Return the number of calls of all ops. */
double workload_calls(const struct workload *workload);

/* Describe in TEXT which part of the captured calls WORKLOAD has. Returns TEXT, or NULL if it has
 * all. */
const char *workload_describe_part(const struct workload *workload, char text[FIELD_ROOM]);

/* Describe in TEXT why WORKLOAD has no op. Returns TEXT. */
const char *workload_describe_lack(const struct workload *workload, char text[FIELD_ROOM]);

/* Write WORKLOAD as JSON, for file_write_result(). */
int workload_write(const void *workload, FILE *out);

/* The view of a workload, without the mix and the captured server's latencies and errors. */
extern const struct view view_workload;
