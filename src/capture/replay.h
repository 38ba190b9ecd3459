/* A workload that was replayed: each op on the captured server and on this one. */
#pragma once

#include "capture/workload.h"
#include "output/result.h"

struct replay {
    const char *path; /* of the workload */
    struct workload workload;
    double speed;
    bool closed; /* with as many calls in flight and the think times as captured; else at the
                    captured rate */
    const struct nfs_visits *visits; /* to its files */
    uint32_t size;                   /* bytes in the longest READ or WRITE */
    uint32_t files;
    uint64_t file_size;  /* bytes */
    const char *pattern; /* in which calls visited the files */
    const struct result *result;
};

/* The op of the replay's result that the workload's op number INDEX became; NULL where it was left
 * out. */
const struct result_op *replay_op(const struct replay *replay, size_t index);

/* Calls per second of the replay's mix; 0: not known. */
double replay_rate(const struct replay *replay);

/* The table for people; and the kind RESULT_REPLAY as JSON and CSV (doc/FORMAT.md). */
void replay_print(const struct replay *replay, FILE *out);
int replay_write_json(const void *replay, FILE *out);
int replay_write_csv(const void *replay, FILE *out);
