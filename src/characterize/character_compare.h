/* Comparison of two characters. */
#pragma once

#include "characterize/character.h"

/* Return the answer of CHARACTER to the experiment NAME, or the detail NAME of ANSWER; NULL if
 * there is none. */
const struct character_answer *character_find(const struct character *character, const char *name);
const struct character_detail *answer_find(const struct character_answer *answer, const char *name);

/* Return true if two figures differ: their intervals don't meet, or, if one has no interval, they
 * are more than a fifth apart. */
bool character_figures_differ(const struct character_detail *first,
                              const struct character_detail *second);

/* Write both characters and their differences, as text or as a page of HTML. FILES is an array of
 * two struct result_file. Returns 0. */
int character_pair_print(const void *files, FILE *out);
int character_pair_write_page(const void *files, FILE *out);
