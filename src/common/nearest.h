/* "Did you mean": find the name that a misspelt word was probably meant to be. */
#pragma once

enum { NEAREST_HINT_SIZE = 96 };

struct nearest {
    const char *word, *name; /* NAME is the nearest so far; NULL if none is near */
    unsigned distance;
};

/* Begin a search for WORD, which is not itself a name. */
void nearest_begin(struct nearest *nearest, const char *word);

/* Offer NAME. It is near if few letters must be inserted, deleted, changed or swapped with their
 * neighbour to turn it into WORD (optimal string alignment, Boytsov 2011). Case is ignored. Of
 * several equally near names the first is kept. */
void nearest_offer(struct nearest *nearest, const char *name);

/* Write "; did you mean 'NAME'?" to BUFFER, or "" if no name is near. Returns BUFFER. */
const char *nearest_hint(const struct nearest *nearest, char buffer[NEAREST_HINT_SIZE]);
