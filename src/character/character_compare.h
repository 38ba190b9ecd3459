/* Two characters side by side. */
#pragma once

#include <jansson.h>

#include "character/character.h"
#include "common/error.h"
#include "common/memory.h"

struct character_pair {
    struct character first, second;
    const char *first_path, *second_path;
};

/* Read ROOT, the JSON of file PATH, which is of the kind RESULT_CHARACTER. What is in ARENA belongs
 * to CHARACTER. Returns 0, or a negative errno with ERROR set. */
int character_read(struct character *character, const json_t *root, const char *path,
                   struct arena *arena, struct error *error);

/* The answer of CHARACTER to the experiment NAME, and the detail NAME of an answer, or NULL. */
const struct character_answer *character_find(const struct character *character, const char *name);
const struct character_detail *answer_find(const struct character_answer *answer, const char *name);

/* Do two figures differ: have they intervals that don't meet, or, where one has none, are they more
 * than a fifth apart? */
bool character_figures_differ(const struct character_detail *first,
                              const struct character_detail *second);

/* Print for people what both found, and where they differ. */
void character_pair_print(const struct character_pair *pair, FILE *out);

/* For file_write(); DATA is a struct character_pair. */
int character_pair_write_page(const void *data, FILE *out);
