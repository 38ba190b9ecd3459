/* Checks of the directories that ops list. One untimed listing of each directory finds duplicate
 * names, changing cookie verifiers, and listings without an end. Timed listings find changing
 * verifiers and cookies that are not kept. */
#pragma once

#include "run/series/listing_findings.h"
#include "run/series/series.h"

/* If the op of SERIES, the last series of SET, lists a directory, check the directory and warn of
 * findings. The trial of an op of several calls has already checked it; otherwise the directory is
 * listed here, for LISTING_CHECK_NS at most. Returns 0, or a negative errno with ERROR set if the
 * server does not answer any more. */
#define LISTING_CHECK_NS UINT64_C(2000000000)
int listing_check(struct series_set *set, struct run_series *series, struct error *error);
