/* The limit of the throughput of the explained calls. There are two kinds of evidence: where calls
 * spend their time, and which resources are busy under the load. */
#pragma once

#include "experiment/load_use.h"
#include "explain/phases/limit_of_parts.h"
#include "output/view/fields.h"

struct explanation;
struct run_plan;

struct explain_limit {
    enum bottleneck by_phases, by_load; /* BOTTLENECK_UNKNOWN: this evidence shows no limit */
    /* The result: BY_PHASES, or BY_LOAD if BY_PHASES is unknown or BY_LOAD is BOTTLENECK_NONE. */
    enum bottleneck limit;
    bool disagrees; /* BY_PHASES and BY_LOAD exclude each other */
    struct call_parts parts;
    /* CLIENT_CPUS and SERVER_CPUS: number of processors that were used; SERVER_CALL_NS: the
     * server's processor time per call. NAN: unknown. */
    double client_cpus, server_cpus, server_call_ns;
};

/* Set the member LIMIT of each of the COUNT OPS (at least 1), whose calls were made in the same
 * blocks under the load of PLAN. USE is the resources that these blocks used. FOUND, the result of
 * the calls, has the rate that was reached; NULL: unknown. */
void explain_limit_set(struct explanation *ops, size_t count, const struct load_use *use,
                       const struct run_plan *plan, const struct result_op *found);

/* Return true if both kinds of evidence show the same limit, the client's or the server's
 * processors. */
bool explain_limit_is_processor(const struct explain_limit *limit);

/* Write a sentence to ROOM: the limit of EXPLANATION, which has a load. If the two kinds of
 * evidence disagree, the sentence has a command that shows which is right. MIX is the name of the
 * op's mix; NULL: none. Returns ROOM. */
const char *explain_limit_text(const struct explanation *explanation, const char *mix,
                               char room[FIELD_ROOM]);

extern const struct field explain_limit_fields[];
