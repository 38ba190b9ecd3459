/* Messages about directories that are not what they seem to be. */
#pragma once

#include <stdbool.h>

struct nfs_objects;
struct nfs_procedure;
struct run_series;

enum { LISTING_FINDINGS_TEXT = 1200 };

/* The op that lists the whole directory of which PROCEDURE lists the beginning; NULL: PROCEDURE
 * lists no directory. */
const struct nfs_procedure *listing_whole_op(const struct nfs_procedure *procedure);

/* Describe in TEXT what was found about the directory of SERIES, before its timed calls and in
 * them; or in the timed calls only; or about the tree of OBJECTS. Returns false if nothing was
 * found. */
bool listing_findings(const struct run_series *series, char text[LISTING_FINDINGS_TEXT]);
bool listing_findings_timed(const struct run_series *series, char text[LISTING_FINDINGS_TEXT]);
bool listing_findings_of_tree(const struct nfs_objects *objects, char text[LISTING_FINDINGS_TEXT]);
