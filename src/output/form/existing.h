/* Rules for replacing an existing file. Without --force, only a JSON result is replaced, and only
 * by a result of the same kind, preset, machine, targets and ops. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "output/result/kind.h"

/* A claim, a JSON object, says what a result measured. Its keys are "kind", "preset", "machine",
 * "target" and "op"; each value is a set, an object whose keys are names. A missing set is
 * unknown, and is not compared. */

/* Return the claim of a result of KIND that is not measured yet. NULL without memory. */
json_t *existing_claim(enum result_kind kind);

/* Add NAME (NULL: nothing) to the set KEY of CLAIM. The set is then known, even if it is empty. */
void existing_claim_add(json_t *claim, const char *key, const char *name);

/* Add the name of this machine to CLAIM: its host name if HOSTNAME is true (the result will record
 * it), otherwise its processor. */
void existing_claim_machine(json_t *claim, bool hostname);

/* Return the claim of the result ROOT; NULL if ROOT is not a result. */
json_t *existing_claim_of(const json_t *root);

/* Return whether ROOT is a result whose run ended early. */
bool existing_is_cut_short(const json_t *root);

/* Return whether PATH, a non-empty file, may be replaced by a JSON result with CLAIM. CLAIM is NULL
 * for output that is not a JSON result, which may not replace such a file. If the function returns
 * false, WHY is set to the reason, such as "it exists". */
enum { EXISTING_WHY_SIZE = 240 };
bool existing_may_be_replaced(const char *path, const json_t *claim, char why[EXISTING_WHY_SIZE]);
