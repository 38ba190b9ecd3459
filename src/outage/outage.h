/* The result of a probe of outages, as data and in its forms. Set by outage/outage_run.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "nfs/status.h"
#include "outage/blocks.h"
#include "outage/gaps.h"
#include "output/result/origin.h"
#include "output/view/view.h"

/* "null", "getattr" and so on; ends with NULL. */
extern const char *const outage_procedure_names[OUTAGE_PROCEDURES + 1];

/* Results of the calls of a procedure over all connections. */
struct outage_calls {
    /* NOT_SENT: there was no connection, or too many calls without an answer. */
    uint64_t due, not_sent;
    uint64_t good; /* answered without an error */
    /* If no call ever worked, the status of the answers, or "no reply"; gaps then leave out the
     * procedure. Else NULL. A procedure that the server does not support is no longer called. */
    const char *lacking;
    char lacking_room[NFS_STATUS_NAME_SIZE];
    struct engine_tally tally; /* only its errors are used */
};

/* Data that the server had called stable but that were not there later. */
struct outage_lost {
    uint64_t blocks, sync, committed; /* SYNC and COMMITTED: by the server's promise */
    uint64_t faults[BLOCK_FAULTS];
};

struct outage {
    struct origin origin;
    double duration; /* seconds */
    unsigned connections;
    uint32_t block_size;         /* bytes of a READ and a WRITE */
    double rate;                 /* calls/s of each procedure over each connection */
    double threshold;            /* minimum length of a gap, seconds */
    uint64_t began_ns;           /* clock_raw_ns() */
    uint64_t stalls, stalled_ns; /* how often and for how long the probe itself was delayed */
    struct outage_calls calls[OUTAGE_PROCEDURES];
    struct gaps gaps;
    struct channel_counts counts;
    uint64_t sent, answered; /* messages including retransmissions; replies to calls */
    uint64_t in_flight;      /* calls without a reply at the end */
    uint64_t found_again;    /* how often the server was mounted again and the handles looked up */
    uint64_t made_again;     /* how often the scratch directory was gone and was created again */
    /* UNCOMMITTED: blocks of unstable data that were lost in a restart. */
    uint64_t verifier_changes, uncommitted;
    struct outage_lost lost;
    const char *cut_short_by;    /* what ended the probe early; NULL if nothing did */
    uint64_t written, unchecked; /* acknowledged WRITEs; stable blocks that could not be read */
};

/* Return whether there was a gap or a loss. */
bool outage_was_seen(const struct outage *outage);

/* Write "getattr over connection 2" to TEXT, or "getattr" if there is one. Returns TEXT. */
enum { OUTAGE_LINE_SIZE = 48 };
const char *outage_line_name(const struct outage *outage, struct outage_line line,
                             char text[OUTAGE_LINE_SIZE]);

extern const struct view view_outage;
