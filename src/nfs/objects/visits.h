/* How the calls of a workload visit the run's files, instead of by a pattern (common/pattern.h):
 * which file, by Zipf's law; where in it, from where the last call on that file ended, or anywhere;
 * and how many bytes, each length as often as it was captured. */
#pragma once

#include "common/random.h"
#include "nfs/procedures/procedures.h"

enum { NFS_VISIT_LENGTHS_MAXIMUM = 16 };

/* READs, or WRITEs. */
struct nfs_visit_ranges {
    struct {
        uint32_t bytes;
        double weight;
    } lengths[NFS_VISIT_LENGTHS_MAXIMUM];
    size_t count;      /* 0: all have the run's length */
    double sequential; /* share that begin where the last one on the same file ended */
};

struct nfs_visits {
    double exponent; /* of the law, for the files in their order; 0: each is as likely */
    struct nfs_visit_ranges reads, writes;
};

/* Is LENGTH one of those in RANGES? */
bool nfs_visit_has_length(const struct nfs_visit_ranges *ranges, uint32_t length);

/* The mean of the lengths in RANGES, which has some. */
double nfs_visit_mean_length(const struct nfs_visit_ranges *ranges);

/* Visits of one procedure. */
struct nfs_visitor {
    const struct nfs_visits *visits;       /* NULL: there are none */
    const struct nfs_visit_ranges *ranges; /* NULL: all have the length USUAL */
    uint32_t files, usual;
    uint64_t file_size; /* bytes, no less than any length */
    uint64_t *next;     /* by file: where the last visit ended */
    uint64_t owed; /* visits that were to go on where the last one ended, at the end of the file */
    struct random random;
    struct random_zipf zipf;
};

/* Begin visits to FILES files of FILE_SIZE bytes by a procedure that moves data as TRANSFER says.
 * 0 or -ENOMEM. */
int nfs_visitor_begin(struct nfs_visitor *visitor, const struct nfs_visits *visits,
                      enum nfs_transfer transfer, uint32_t files, uint64_t file_size,
                      uint32_t usual, uint64_t seed);
void nfs_visitor_end(struct nfs_visitor *visitor);

/* How many lengths there are, 1 at least, and the one with NUMBER. */
size_t nfs_visitor_lengths(const struct nfs_visitor *visitor);
uint32_t nfs_visitor_length(const struct nfs_visitor *visitor, size_t number);

/* The next visit, and in *NUMBER its length's. */
struct nfs_place nfs_visitor_next(struct nfs_visitor *visitor, size_t *number);
