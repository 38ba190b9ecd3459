/* What limits the throughput of the calls that are explained: from where they spend their time, and
 * from the resources that the load keeps busy. */
#pragma once

#include "experiment/load_use.h"
#include "explain/phases/limit_of_parts.h"
#include "output/view/fields.h"

struct explanation;
struct run_plan;

struct explain_limit {
    enum bottleneck by_phases, by_load; /* BOTTLENECK_UNKNOWN: these do not show it */
    enum bottleneck limit; /* that of the phases, unless only the load shows one, or has none */
    bool disagrees;        /* the two name different limits */
    struct call_parts parts;
    /* Processors' worth that were used; the server's processor time per call. NAN: unknown. */
    double client_cpus, server_cpus, server_call_ns;
};

/* Set the limit of COUNT OPS (1 or more), whose calls were made in the same blocks under the load
 * of PLAN. USE is what these blocks used, FOUND what was measured of them (NULL: nothing). */
void explain_limit_fill(struct explanation *ops, size_t count, const struct load_use *use,
                        const struct run_plan *plan, const struct result_op *found);

/* Do calls wait for a processor because the load itself keeps it busy, as both kinds of evidence
 * say? */
bool explain_limit_is_processor(const struct explain_limit *limit);

/* A sentence of EXPLANATION's limit, which has a load, and what would settle it if the two kinds of
 * evidence disagree. MIX is the name of the mix that the op is part of; NULL: none. Returns ROOM.
 */
const char *explain_limit_text(const struct explanation *explanation, const char *mix,
                               char room[FIELD_ROOM]);

extern const struct field explain_limit_fields[];
