/* Are the directories that ops list what they seem to be? One untimed listing of each shows names
 * that come twice, cookie verifiers that change, and listings that come to no end; the timed ones
 * show verifiers that change and cookies that are not kept. */
#pragma once

#include "run/series/listing_findings.h"
#include "run/series/series.h"

/* Examine the directory of SERIES, the last of SET, if its op lists one, and warn of what is found.
 * An op of several calls has been examined by its trial; another one's directory is listed here,
 * for LISTING_CHECK_NS at most. Returns 0, or a negative errno with ERROR set if the server does
 * not answer any more. */
#define LISTING_CHECK_NS UINT64_C(2000000000)
int listing_check(struct series_set *set, struct run_series *series, struct error *error);
