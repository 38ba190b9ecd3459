/* What a probe found out about a server's outages, as data and in its forms. Filled in by
 * outage/outage_run.c. Times are in seconds since the probe began, unless a name says otherwise. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "outage/blocks.h"
#include "outage/gaps.h"
#include "output/origin.h"
#include "output/view.h"

/* The procedures of the probe. */
enum outage_procedure {
    OUTAGE_NULL,
    OUTAGE_GETATTR,
    OUTAGE_READ,
    OUTAGE_WRITE,
    OUTAGE_COMMIT,
    OUTAGE_PROCEDURES,
};

/* "null", "getattr" and so on, and NULL. */
extern const char *const outage_procedure_names[OUTAGE_PROCEDURES + 1];

/* What became of the calls of a procedure, over all connections. */
struct outage_calls {
    uint64_t due, not_sent; /* NOT_SENT: there was no connection, or too many calls had no answer */
    uint64_t good;          /* answered without an error */
    struct engine_tally tally; /* its errors; the rest is not used */
};

/* Data that the server had called stable, and that were not there later. */
struct outage_lost {
    uint64_t blocks, sync, committed; /* SYNC and COMMITTED: by what the server had said */
    uint64_t faults[BLOCK_FAULTS];
};

/* A line of service: a procedure over a connection. */
struct outage_line {
    enum outage_procedure procedure;
    uint64_t connection; /* from 1 on; 0: there is no such line */
};

/* The part of one line in a gap. */
struct outage_row {
    struct outage_line line;
    double began, length;
    bool ended;      /* else its length goes to the end of the probe */
    double grace;    /* for so long before its end the server asked to wait */
    uint64_t errors; /* answers in between that were errors */
};

struct outage_gap {
    double began, length;
    bool ended;
    struct outage_line first_back;
    double grace;  /* of the line where that was longest */
    uint64_t lost; /* blocks of data that were gone after it */
    const struct outage_row *rows;
    size_t row_count;
};

struct outage {
    struct origin origin;
    double duration;
    unsigned connections;
    uint32_t block_size;         /* bytes in a READ and a WRITE */
    double rate;                 /* calls/s of each procedure over each connection */
    double threshold;            /* what is shorter is no gap */
    uint64_t began_ns;           /* clock_raw_ns() */
    uint64_t stalls, stalled_ns; /* how often, and for how long, the probe itself was held up */
    struct outage_calls calls[OUTAGE_PROCEDURES];
    struct outage_gap *gaps;
    size_t gap_count;
    struct outage_row *rows; /* of all gaps, in their order */
    size_t row_count;
    uint64_t gaps_not_kept;
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

/* Line NUMBER of a log of gaps: connection x OUTAGE_PROCEDURES + procedure. */
struct outage_line outage_line_of(size_t number);

/* List the gaps of LOG and their rows in OUTAGE, which has all else. Returns 0 or -ENOMEM. */
int outage_list_gaps(struct outage *outage, const struct gaps *log);
void outage_free(struct outage *outage);

/* "getattr over connection 2"; "getattr" where there is only one. Returns TEXT. */
enum { OUTAGE_LINE_SIZE = 48 };
const char *outage_line_name(const struct outage *outage, struct outage_line line,
                             char text[OUTAGE_LINE_SIZE]);

extern const struct view view_outage;
