/* "Did you mean": which of some names a word was probably meant to be. */
#ifndef NFSBENCH_COMMON_NEAREST_H
#define NFSBENCH_COMMON_NEAREST_H

enum { NEAREST_HINT_SIZE = 96 };

struct nearest {
    const char *word, *name; /* NAME: the nearest so far; NULL: none is near */
    unsigned distance;
};

/* Begin to look for WORD, which is none of the names that are offered afterwards. */
void nearest_begin(struct nearest *nearest, const char *word);

/* Offer NAME. It is near where few letters have to be put in, left out, changed or swapped with
 * their neighbour to make WORD of it (optimal string alignment, Boytsov 2011); capitals count as
 * small letters. The first of several that are equally near is kept. */
void nearest_offer(struct nearest *nearest, const char *name);

/* "; did you mean 'NAME'?", or "" where none is near. Returns BUFFER. */
const char *nearest_hint(const struct nearest *nearest, char buffer[NEAREST_HINT_SIZE]);

#endif
