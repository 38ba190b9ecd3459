/* Messages about faults in listings of directories (nfs/listing_findings.h). */
#pragma once

#include <stdbool.h>

struct nfs_objects;
struct nfs_procedure;
struct run_series;

enum { LISTING_FINDINGS_TEXT = 1200 };

/* If PROCEDURE lists all or some of a directory, return the op that lists all, else NULL. */
const struct nfs_procedure *listing_whole_op(const struct nfs_procedure *procedure);

/* Describe the gravest finding in TEXT, or return false if there is none. listing_findings()
 * considers the untimed listing of SERIES' directory, then SERIES' timed calls;
 * listing_findings_timed() considers only the timed calls. listing_findings_of_tree() considers the
 * tree of OBJECTS. */
bool listing_findings(const struct run_series *series, char text[LISTING_FINDINGS_TEXT]);
bool listing_findings_timed(const struct run_series *series, char text[LISTING_FINDINGS_TEXT]);
bool listing_findings_of_tree(const struct nfs_objects *objects, char text[LISTING_FINDINGS_TEXT]);
