/* What stands where a result is to be written. Nothing is replaced unasked: of all files only a
 * JSON result gives way, and only to one of the same kind, machine, targets and ops. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "output/result/kind.h"

/* What a result is of: an object of sets, whose members are names, under the keys "kind",
 * "machine", "target" and "op". A set that is absent is not known yet. */

/* Of a result of KIND that is still to be measured: its kind alone. NULL without memory. */
json_t *existing_claim(enum result_kind kind);

/* Add NAME to the set KEY of CLAIM, which is known then. */
void existing_claim_add(json_t *claim, const char *key, const char *name);

/* Add the name of this machine; HOSTNAME: the result will have it, and not its processor alone. */
void existing_claim_machine(json_t *claim, bool hostname);

/* Of the whole result ROOT. */
json_t *existing_claim_of(const json_t *root);

/* Did something end the run of ROOT before its end? */
bool existing_is_cut_short(const json_t *root);

/* May a result of CLAIM (NULL: another form, or no result) take the place of the file PATH, which
 * is not empty? Otherwise WHY says what stands there. */
enum { EXISTING_WHY_SIZE = 240 };
bool existing_gives_way(const char *path, const json_t *claim, char why[EXISTING_WHY_SIZE]);
