/* What a probe found out about a server's outages, as data and in its forms. Filled in by
 * outage/outage_run.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "nfs/status.h"
#include "outage/blocks.h"
#include "outage/gaps.h"
#include "output/result/origin.h"
#include "output/view/view.h"

/* "null", "getattr" and so on, and NULL. */
extern const char *const outage_procedure_names[OUTAGE_PROCEDURES + 1];

/* What became of the calls of a procedure, over all connections. */
struct outage_calls {
    uint64_t due, not_sent; /* NOT_SENT: there was no connection, or too many calls had no answer */
    uint64_t good;          /* answered without an error */
    /* How it was answered, or "no reply", where no call of it ever worked, so that it is left out
     * of the gaps; NULL: it is not. A procedure that the server lacks is no longer called. */
    const char *lacking;
    char lacking_room[NFS_STATUS_NAME_SIZE];
    struct engine_tally tally; /* its errors; the rest is not used */
};

/* Data that the server had called stable, and that were not there later. */
struct outage_lost {
    uint64_t blocks, sync, committed; /* SYNC and COMMITTED: by what the server had said */
    uint64_t faults[BLOCK_FAULTS];
};

struct outage {
    struct origin origin;
    double duration; /* seconds */
    unsigned connections;
    uint32_t block_size;         /* bytes in a READ and a WRITE */
    double rate;                 /* calls/s of each procedure over each connection */
    double threshold;            /* seconds; what is shorter is no gap */
    uint64_t began_ns;           /* clock_raw_ns() */
    uint64_t stalls, stalled_ns; /* how often, and for how long, the probe itself was held up */
    struct outage_calls calls[OUTAGE_PROCEDURES];
    struct gaps gaps;
    struct channel_counts counts;
    uint64_t sent, answered; /* messages, those sent again included; replies to calls */
    uint64_t in_flight;      /* calls that had no reply in the end */
    uint64_t found_again;    /* how often the server was mounted and the handles were found again */
    uint64_t made_again;     /* how often the scratch directory was gone, and made again */
    uint64_t verifier_changes,
        uncommitted; /* UNCOMMITTED: unstable data that went with a restart */
    struct outage_lost lost;
    const char *cut_short_by;    /* what ended it before its time; NULL: nothing */
    uint64_t written, unchecked; /* WRITEs acknowledged; stable blocks that could not be read */
};

/* Was there a gap, or is anything lost? */
bool outage_was_seen(const struct outage *outage);

/* "getattr over connection 2"; "getattr" where there is only one. Returns TEXT. */
enum { OUTAGE_LINE_SIZE = 48 };
const char *outage_line_name(const struct outage *outage, struct outage_line line,
                             char text[OUTAGE_LINE_SIZE]);

extern const struct view view_outage;
