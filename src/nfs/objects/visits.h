/* The distribution of the calls of a captured workload over the run's files, instead of by a
 * pattern (common/pattern.h). A visit is one call on a file. The file is drawn by Zipf's law or
 * uniformly. The offset is the end of the previous visit to the file, or random. Each length is as
 * frequent as captured. */
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
    /* Share, 0 to 1, of the visits that begin where the previous visit to the same file ended.
     * Ignored if COUNT is 0. */
    double sequential;
};

struct nfs_visits {
    /* Exponent of Zipf's law, by which file 0 has the most visits; 0 for a uniform distribution. */
    double exponent;
    struct nfs_visit_ranges reads, writes;
};

bool nfs_visit_has_length(const struct nfs_visit_ranges *ranges, uint32_t length);

/* Return the weighted mean of the lengths in RANGES, which must have some. */
double nfs_visit_mean_length(const struct nfs_visit_ranges *ranges);

struct nfs_visitor {
    const struct nfs_visits *visits; /* NULL if visits are not used */
    /* lengths and offsets of visits; NULL if all have the length USUAL and random offsets */
    const struct nfs_visit_ranges *ranges;
    uint32_t files, usual;
    uint64_t file_size; /* size of each file in bytes */
    uint64_t *next;     /* for each file: the offset where the previous visit ended */
    /* Number of sequential visits that could not be made because files had ended, and that are
     * still to be made. */
    uint64_t owed;
    struct random random;
    struct random_zipf zipf;
};

/* Begin VISITS to FILES files of FILE_SIZE bytes by READs, WRITEs or other calls (TRANSFER).
 * Without captured lengths, each visit has USUAL bytes. SEED determines the random numbers. Returns
 * 0 or -ENOMEM. */
int nfs_visitor_begin(struct nfs_visitor *visitor, const struct nfs_visits *visits,
                      enum nfs_transfer transfer, uint32_t files, uint64_t file_size,
                      uint32_t usual, uint64_t seed);
void nfs_visitor_end(struct nfs_visitor *visitor);

/* nfs_visitor_lengths() returns the number of lengths, at least 1; nfs_visitor_length() the length
 * with index NUMBER. */
size_t nfs_visitor_lengths(const struct nfs_visitor *visitor);
uint32_t nfs_visitor_length(const struct nfs_visitor *visitor, size_t number);

/* Draw the next visit, and set *NUMBER to the index of its length. Returns the visit's place. */
struct nfs_place nfs_visitor_next(struct nfs_visitor *visitor, size_t *number);
