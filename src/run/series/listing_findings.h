/* Messages about faults in listings of directories (nfs/listing_findings.h). */
#pragma once

#include <stdbool.h>

struct nfs_objects;
struct nfs_procedure;
struct run_series;

enum { LISTING_FINDINGS_TEXT = 1200 };

/* If PROCEDURE lists all or some of a directory, return the op that lists all, else NULL. */
const struct nfs_procedure *listing_whole_op(const struct nfs_procedure *procedure);

/* Describe in TEXT the findings about the directory of SERIES, from all calls or, with
 * listing_findings_timed(), from timed calls only. listing_findings_of_tree() describes the
 * findings about the tree of OBJECTS. The functions return false if there are no findings. */
bool listing_findings(const struct run_series *series, char text[LISTING_FINDINGS_TEXT]);
bool listing_findings_timed(const struct run_series *series, char text[LISTING_FINDINGS_TEXT]);
bool listing_findings_of_tree(const struct nfs_objects *objects, char text[LISTING_FINDINGS_TEXT]);
