/* "Did you mean": finding the name that a misspelt word was probably meant to be. */
#pragma once

enum { NEAREST_HINT_SIZE = 96 };

struct nearest {
    const char *word, *name; /* NAME: the nearest so far, or NULL if none is near */
    unsigned distance;
};

/* Begin a search for WORD, which is not among the names that are offered afterwards. */
void nearest_begin(struct nearest *nearest, const char *word);

/* Offer NAME. It is near if few letters have to be inserted, deleted, changed or swapped with their
 * neighbour to turn it into WORD (optimal string alignment, Boytsov 2011); case is ignored. The
 * first of several that are equally near is kept. */
void nearest_offer(struct nearest *nearest, const char *name);

/* "; did you mean 'NAME'?", or "" if no name is near. Returns BUFFER. */
const char *nearest_hint(const struct nearest *nearest, char buffer[NEAREST_HINT_SIZE]);
