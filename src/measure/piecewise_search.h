/* The search for the best pieces of a piecewise linear cost (measure/piecewise.h says which those
 * are): dynamic programming over all positions of the breaks. */
#pragma once

#include "measure/piecewise.h"

enum { PIECES_MAXIMUM = PIECEWISE_BREAKS_MAXIMUM + 1 };

struct piecewise_line {
    double fixed, slope;
    double squares; /* of the relative errors */
};

/* The pieces of a fit: FIRST[i] is the first point of piece i, FIRST[pieces] the number of points.
 */
struct piecewise_pieces {
    size_t first[PIECES_MAXIMUM + 1];
    struct piecewise_line line[PIECES_MAXIMUM];
};

/* COUNT points, with memory for what is found. */
struct piecewise_search {
    size_t count;
    const double *sizes, *scales; /* errors are relative to the scales */
    double drop; /* share of the scale by which noise may let a piece begin lower */
    struct piecewise_line *lines; /* that through the points i to j: [i x count + j] */
    double best[PIECES_MAXIMUM]
               [PIECEWISE_POINTS_MAXIMUM]; /* sum of squares of points 0 to j with k breaks */
    size_t first[PIECES_MAXIMUM][PIECEWISE_POINTS_MAXIMUM]; /* of their last piece */
};

/* Find the best places for up to BREAKS breaks in COSTS, one for each of SEARCH's sizes. */
void piecewise_find_places(struct piecewise_search *search, const double *costs, size_t breaks);

/* The pieces that were found for BREAKS. */
void piecewise_find_pieces(const struct piecewise_search *search, size_t breaks,
                           struct piecewise_pieces *pieces);

/* AFTER minus BEFORE at SIZE. */
double piecewise_jump_at(const struct piecewise_line *before, const struct piecewise_line *after,
                         double size);
