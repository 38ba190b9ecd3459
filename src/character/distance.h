/* How many requests later one is still recognised that is sent again. */
#pragma once

#include "character/character.h"
#include "character/lab.h"

/* Find out, for a server that recognises them at all, and add it to ANSWER. Returns 0, also where
 * that ends before the limit is known, or a negative errno with ERROR set. */
int distance_find(struct lab *lab, struct character_answer *answer, struct error *error);
