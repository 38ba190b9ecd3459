/* Small results of all kinds, for the tests of their forms. Bare results lack everything that a
 * result may lack; full results have several rows with numbers. */
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
    struct result whole; /* a full measurement, which results of other kinds contain */
    struct result_op whole_ops[3];
    struct result_launch launches[3];
    struct ledger_entry ledgers[2]; /* ledgers of client and server */
    struct result_mounted mounted[3];
    struct services services;
    const char *export_client;
    struct services_export exports[2];
    const void *results[RESULT_KINDS];
};

/* Make the samples of all kinds; close them with samples_close(). SAMPLES_FULL: a kind without
 * samples_have_more() has its bare sample; a unit's sample is NULL if its recorded results have
 * everything. SAMPLES_EMPTY: NULL for kinds that define no empty sample (unit_sample.h). */
enum samples_of { SAMPLES_BARE, SAMPLES_FULL, SAMPLES_EMPTY };
struct samples *samples_open(enum samples_of of);
bool samples_have_more(enum result_kind kind);
void samples_close(struct samples *samples);
