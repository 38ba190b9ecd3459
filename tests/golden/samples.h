/* Small results of all kinds, for the tests of their forms: bare ones, which lack all that a result
 * may lack, and full ones, which have several rows with figures. */
#pragma once

#include "output/result/result.h"
#include "output/result/services.h"
#include "unit_sample.h"

struct samples {
    struct histogram histogram;
    double blocks[2];
    struct regime regimes[2];
    struct result_op ops[3];
    struct result result;
    struct result whole; /* a full measurement, of which results of other kinds are, too */
    struct result_op whole_ops[3];
    struct result_launch launches[3];
    struct ledger_entry ledgers[2]; /* of client and server */
    struct result_mounted mounted[3];
    struct services services;
    const char *export_client;
    struct services_export exports[2];
    const void *results[RESULT_KINDS];
};

/* To be closed. SAMPLES_FULL: of kinds that have more than a bare sample; results in files show the
 * others'. SAMPLES_EMPTY: of kinds that have one (unit_sample.h). */
enum samples_of { SAMPLES_BARE, SAMPLES_FULL, SAMPLES_EMPTY };
struct samples *samples_open(enum samples_of of);
bool samples_have_more(enum result_kind kind);
void samples_close(struct samples *samples);
