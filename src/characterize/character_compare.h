#pragma once

#include "characterize/character.h"

/* character_find() returns CHARACTER's answer to the experiment NAME, answer_find() the detail NAME
 * of ANSWER. Both return NULL if there is none. */
const struct character_answer *character_find(const struct character *character, const char *name);
const struct character_detail *answer_find(const struct character_answer *answer, const char *name);

/* Return true if the figures of FIRST and SECOND differ. If both have intervals, these must not
 * overlap; otherwise, the difference must be more than a fifth of the larger figure. */
bool character_figures_differ(const struct character_detail *first,
                              const struct character_detail *second);

/* character_pair_print() writes both characters and their differences as text,
 * character_pair_write_page() as a page of HTML. FILES is an array of two struct result_file. Both
 * return 0. */
int character_pair_print(const void *files, FILE *out);
int character_pair_write_page(const void *files, FILE *out);
