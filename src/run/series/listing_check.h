/* Checks of the directories that ops list. One untimed listing of each directory detects duplicate
 * names, changing cookie verifiers, and listings that fail or do not end. Timed listings detect
 * changing verifiers and cookies that the server does not keep. */
#pragma once

#include "run/series/listing_findings.h"
#include "run/series/series.h"

/* If the op of SERIES, the last series of SET, lists a directory, check the directory and warn of
 * findings. The trial call of an op of several calls has already listed the directory. For any
 * other op, this function lists it, for LISTING_CHECK_NS at most. It does not list it with --cold,
 * in a replay, or if the plan has the op that lists all. Returns 0, or a negative errno with ERROR
 * set if the run can't go on. */
#define LISTING_CHECK_NS UINT64_C(2000000000)
int listing_check(struct series_set *set, struct run_series *series, struct error *error);
