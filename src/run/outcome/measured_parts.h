/* Internal to measured*.c: the parts of a session from which the measured data are taken. */
#pragma once

#include "run/intervals.h"
#include "run/mix_run.h"
#include "run/outcome/filling.h"
#include "run/outcome/measured.h"
#include "run/setup/contexts_run.h"
#include "run/time_use.h"

struct taking {
    struct measured *measured; /* measured data, whose plan, clock, rounds and ledger are set */
    const struct setup *setup;
    const struct contexts_run *contexts;
    const struct series_set *set;
    const struct mix_run *mix;
    const struct intervals *intervals;
    const struct time_use *time;
    struct filling filling;
};

/* Set MEASURED's host, target, configuration and shares_core. */
void measured_take_settings(struct taking *taking);

/* Set MEASURED's series, with the lengths of their calls. */
void measured_take_series(struct taking *taking);
