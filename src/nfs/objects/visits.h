/* How the calls of a captured workload are distributed over the run's files, instead of by a
 * pattern (common/pattern.h). A visit is one call on a file. The file follows Zipf's law. The
 * offset is where the previous visit to the file ended, or random. Lengths are as frequent as
 * captured. */
#pragma once

#include "common/random.h"
#include "nfs/procedures/procedures.h"

enum { NFS_VISIT_LENGTHS_MAXIMUM = 16 };

/* Lengths and offsets of READs, or of WRITEs. */
struct nfs_visit_ranges {
    struct {
        uint32_t bytes;
        double weight;
    } lengths[NFS_VISIT_LENGTHS_MAXIMUM];
    size_t count; /* number of lengths; 0 if all calls have the run's length */
    /* Share, 0 to 1, of the visits that begin where the previous visit to the same file ended. */
    double sequential;
};

struct nfs_visits {
    /* Exponent of Zipf's law over the files, in their order; 0 for a uniform distribution. */
    double exponent;
    struct nfs_visit_ranges reads, writes;
};

bool nfs_visit_has_length(const struct nfs_visit_ranges *ranges, uint32_t length);

/* Return the mean of the lengths in RANGES, which must have some. */
double nfs_visit_mean_length(const struct nfs_visit_ranges *ranges);

struct nfs_visitor {
    const struct nfs_visits *visits; /* the visits; NULL if there are none */
    /* ranges of the procedure; NULL if all visits have the length USUAL */
    const struct nfs_visit_ranges *ranges;
    uint32_t files, usual;
    uint64_t file_size; /* size of a file in bytes, at least any length */
    uint64_t *next;     /* for each file: the offset where the previous visit ended */
    /* Sequential visits that could not be made, because files had ended, and are made later. */
    uint64_t owed;
    struct random random;
    struct random_zipf zipf;
};

/* Begin visits to FILES files of FILE_SIZE bytes by a procedure with TRANSFER. Visits without
 * captured lengths have USUAL bytes. SEED determines the random numbers. Returns 0 or -ENOMEM. */
int nfs_visitor_begin(struct nfs_visitor *visitor, const struct nfs_visits *visits,
                      enum nfs_transfer transfer, uint32_t files, uint64_t file_size,
                      uint32_t usual, uint64_t seed);
void nfs_visitor_end(struct nfs_visitor *visitor);

/* Return the number of lengths, at least 1, and the length with index NUMBER. */
size_t nfs_visitor_lengths(const struct nfs_visitor *visitor);
uint32_t nfs_visitor_length(const struct nfs_visitor *visitor, size_t number);

/* Draw the next visit. *NUMBER is the index of its length. */
struct nfs_place nfs_visitor_next(struct nfs_visitor *visitor, size_t *number);
