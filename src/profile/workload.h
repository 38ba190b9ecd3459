/* A workload describes a capture's calls, so that similar calls can be made. It is a JSON file
 * (FORMAT.md) without addresses, handles and data, and without names unless requested. */
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
    /* maximum number of clients that have a struct workload_client; further clients have none */
    WORKLOAD_OWN_CLIENTS_MAXIMUM = 64,
};

/* largest number in the file, such as a size in bytes */
#define WORKLOAD_NUMBER_MAXIMUM 1e18

/* An op of the mix, with the latencies and errors of its captured calls. */
struct workload_op {
    const struct nfs_procedure *procedure;
    uint32_t weight;
    double calls;
    double p50, p99, mean;     /* latencies, us */
    struct engine_tally tally; /* errors */
};

/* A length of READs or WRITEs, and its calls (an upper bound, if over 64 lengths occurred). */
struct workload_size {
    double bytes, calls;
};

/* One of the files with the most calls. BYTES: largest offset at which a READ or WRITE ended. */
struct workload_file {
    double calls, bytes;
    /* name in the directory, with special bytes as %XX; "?" if not known; "file-1" and so on if
     * names are not kept */
    char name[WORKLOAD_NAME_SIZE];
};

enum { WORKLOAD_READ, WORKLOAD_WRITE, WORKLOAD_TRANSFERS };

/* A client of the capture. Without think times, THINK is 0. */
struct workload_client {
    /* IN_FLIGHT: mean number of calls in flight when a call is sent, with that call; THINK_CALLS:
     * mean number of a connection's calls between two think times; THINK: quantiles of the think
     * times, us */
    double calls, connections, in_flight;
    double think_calls, think[THINK_QUANTILES];
};

/* Numbers of captured calls that are not among the ops, by reason; NULL calls do not count. */
struct workload_left_out {
    double cut;       /* the snap length truncated the arguments */
    double encrypted; /* the arguments are encrypted */
    double unknown;   /* the arguments were not understood, or there are too many ops */
    double packets;   /* share (0 to 1) of packets on NFS ports not understood, if over 2 % */
};

struct workload {
    struct workload_op ops[NFS_MIX_OPS_MAXIMUM];
    size_t op_count;
    struct nfs_mix mix; /* the ops and their order, for a run */
    struct workload_left_out left_out;
    double seconds;    /* length of the capture, s */
    double clock_tick; /* tick of the capture's clock, us; 0 if no coarse tick was found */
    double clients, connections;
    /* Calls in flight of a client when it sends a call, with that call: mean, 99th percentile. */
    double in_flight[2];
    double rate; /* mean rate of all clients together, calls/s */
    /* Standard deviation divided by mean of the times between successive calls: 0 for equal times,
     * 1 for independent calls, more for bursts. */
    double burstiness;
    /* Variance divided by mean of the number of calls per interval, for intervals of 10 ms, 100 ms
     * and 1 s: 1 for independent calls; 0 if unknown (short capture or coarse clock). */
    double dispersion[WORKLOAD_DISPERSIONS];
    /* Quantiles (measure/arrivals.h) of the think times, us: from a reply that leaves a connection
     * without a call in flight to the connection's next call. */
    double think[THINK_QUANTILES];
    double think_calls; /* mean number of calls of a connection between two think times */
    /* Share (0 to 1) of READs that begin where the file's previous READ ended, or at 0 if the file
     * had no READ before; and the same for WRITEs. */
    double sequential[WORKLOAD_TRANSFERS];
    /* number of files with calls; exponent of Zipf's law for the number of calls per file */
    double files[2];
    /* mean of the files' largest offsets at which a READ or WRITE ended, bytes */
    double file_size;
    double directory[2]; /* number of entries per complete listing of a directory: mean, maximum */
    /* quantiles of the number of entries per complete listing, at the probabilities of THINK */
    double directories[THINK_QUANTILES];
    /* The first clients. While calls are counted, the last element sums up all further clients. */
    struct workload_client own[WORKLOAD_OWN_CLIENTS_MAXIMUM + 1];
    size_t own_count;
    /* Sizes of READs and of WRITEs, the most frequent first. While calls are counted, the sizes are
     * unsorted and may be more than WORKLOAD_SIZES_MAXIMUM. */
    struct workload_size sizes[WORKLOAD_TRANSFERS][WORKLOAD_SIZES_COUNTED];
    size_t size_count[WORKLOAD_TRANSFERS];
    struct workload_file most_used[WORKLOAD_FILES_MAXIMUM];
    size_t most_used_count;
    bool names_kept;
    /* INTERVAL: length of each interval, s; ARRIVALS: number of calls in each interval */
    double interval;
    double arrivals[WORKLOAD_INTERVALS_MAXIMUM];
    size_t arrival_count;
};

/* Read WORKLOAD from the file PATH. Returns 0, or a negative errno with ERROR set (ERROR_USAGE) if
 * the file cannot be read (input_read()), is not a workload, or has invalid values or ops that
 * nfs_mix_add() refuses. */
int workload_read(struct workload *workload, const char *path, struct error *error);

/* Add the ops to WORKLOAD's mix, which must not have ops yet. Returns NULL; or the reason why an op
 * cannot be added (the ops before this op are then in the mix), or that there is no op. */
const char *workload_make_mix(struct workload *workload);

/* Return the number of captured calls of all ops. */
double workload_calls(const struct workload *workload);

/* Describe in TEXT which captured calls WORKLOAD has. Returns TEXT; NULL if it has all. */
const char *workload_describe_part(const struct workload *workload, char text[FIELD_ROOM]);

/* Describe in TEXT why WORKLOAD has no ops. Returns TEXT. */
const char *workload_describe_lack(const struct workload *workload, char text[FIELD_ROOM]);

/* Write WORKLOAD, a struct workload, to OUT as JSON, for file_write(). */
int workload_write(const void *workload, FILE *out);

/* The view of a workload, without the ops' weights, latencies and errors. */
extern const struct view view_workload;
