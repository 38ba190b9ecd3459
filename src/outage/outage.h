/* The result of 'nfsbench outage', and its view. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "nfs/status.h"
#include "outage/blocks.h"
#include "outage/gaps.h"
#include "output/result/origin.h"
#include "output/view/view.h"

/* Names of the procedures, such as "getattr", by enum outage_procedure; then NULL. */
extern const char *const outage_procedure_names[OUTAGE_PROCEDURES + 1];

/* Results of the calls of a procedure over all connections. */
struct outage_calls {
    /* DUE: calls that were due, and extra calls sent by probe_reconnect() and probe_call_waiting().
     * NOT_SENT: calls that were due but not sent, such as without a connection or with too many
     * calls in flight. */
    uint64_t due, not_sent;
    uint64_t good; /* calls with the right answer */
    /* If gaps leave out the procedure because none of its calls was good, the reason: an error,
     * such as "NFS3ERR_NOTSUPP", or "no reply". Otherwise NULL. Calls of a procedure that the
     * server does not support are no longer due. */
    const char *lacking;
    char lacking_room[NFS_STATUS_NAME_SIZE];
    /* only the number of errors (FAILED) and the errors by status are used */
    struct engine_tally tally;
};

/* Data that the server had called stable but that were not there later. */
struct outage_lost {
    /* BLOCKS: number of lost blocks. SYNC, COMMITTED: how many of these the server had acknowledged
     * as FILE_SYNC, and as committed. */
    uint64_t blocks, sync, committed;
    uint64_t faults[BLOCK_FAULTS]; /* lost blocks by enum block_fault */
};

struct outage {
    struct origin origin;
    double duration; /* seconds */
    unsigned connections;
    uint32_t block_size; /* bytes per READ and WRITE */
    double rate;         /* calls/s for each procedure on each connection */
    double threshold;    /* minimum length of a gap, seconds */
    uint64_t began_ns;   /* clock_raw_ns() when the probe began */
    /* STALLS: how often this process was delayed by THRESHOLD / 2 or more. STALLED_NS: total length
     * of these delays. */
    uint64_t stalls, stalled_ns;
    struct outage_calls calls[OUTAGE_PROCEDURES];
    struct gaps gaps;
    struct channel_counts counts;
    /* SENT: messages sent, including retransmissions. ANSWERED: calls with a reply. */
    uint64_t sent, answered;
    uint64_t in_flight;   /* calls in flight at the end */
    uint64_t found_again; /* how often the server was mounted again and the handles looked up */
    uint64_t made_again;  /* how often the scratch directory was lost and created again */
    /* VERIFIER_CHANGES: how often the write verifier changed. UNCOMMITTED: as in struct blocks. */
    uint64_t verifier_changes, uncommitted;
    struct outage_lost lost;
    const char *cut_short_by; /* why the probe ended early; NULL if it did not */
    /* WRITTEN: WRITEs answered by NFS3_OK. UNCHECKED: stable blocks unchecked in the end. */
    uint64_t written, unchecked;
};

/* Return whether there was a gap or a lost block. */
bool outage_was_seen(const struct outage *outage);

/* Write the name of LINE to TEXT: "getattr over connection 2", or "getattr" if OUTAGE has only one
 * connection. Returns TEXT. */
enum { OUTAGE_LINE_SIZE = 48 };
const char *outage_line_name(const struct outage *outage, struct outage_line line,
                             char text[OUTAGE_LINE_SIZE]);

extern const struct view view_outage;
