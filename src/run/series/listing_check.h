/* Checks of the directories that ops list. One untimed listing of each directory detects duplicate
 * names, changing cookie verifiers, and listings that fail or do not end. Timed listings detect
 * changing verifiers and cookies that the server does not keep. */
#pragma once

#include "run/series/listing_findings.h"
#include "run/series/series.h"

/* SERIES is the last series of SET. If its op lists a directory, warn of faults in the listing. For
 * an op of several calls, these are the faults that its trial call found. For any other op, list
 * the directory now, for LISTING_CHECK_NS at most; but not with --cold, in a replay, or if the plan
 * also has the op that lists the whole directory. Returns 0, or a negative errno with ERROR set if
 * the run can't go on. */
#define LISTING_CHECK_NS UINT64_C(2000000000)
int listing_check(struct series_set *set, struct run_series *series, struct error *error);
