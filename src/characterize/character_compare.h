/* Two characters side by side. */
#pragma once

#include "characterize/character.h"

/* The answer of CHARACTER to the experiment NAME, and the detail NAME of an answer, or NULL. */
const struct character_answer *character_find(const struct character *character, const char *name);
const struct character_detail *answer_find(const struct character_answer *answer, const char *name);

/* Do two figures differ: have they intervals that don't meet, or, where one has none, are they more
 * than a fifth apart? */
bool character_figures_differ(const struct character_detail *first,
                              const struct character_detail *second);

/* Write for people what both found, and where they differ, as text and as a page of HTML. FILES is
 * an array of two struct result_file. Return 0. */
int character_pair_print(const void *files, FILE *out);
int character_pair_write_page(const void *files, FILE *out);
