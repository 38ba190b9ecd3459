/* An outage record for the tests of all forms. */
#include <string.h>

#include "figures.h"
#include "nfs/status.h"
#include "outage/outage.h"
#include "sample_hash.h"
#include "unit_sample.h"

static struct gap_row gap_rows[2][2 * OUTAGE_PROCEDURES]; /* rows of gaps[0] and gaps[1] */
static struct gap gaps[2];
static struct outage outage;

static void fill_outage(void)
{
    gap_rows[0][0] = (struct gap_row){.time = {1, 2, true}, .line = {OUTAGE_NULL, 1}};
    gaps[0] = (struct gap){
        .time = {1, 2, true}, .first_back = {OUTAGE_NULL, 1}, .rows = gap_rows[0], .row_count = 1};
    outage = (struct outage){.origin = {.target = "self:", .transport = "TCP", .auth = "AUTH_SYS"},
                             .connections = 1,
                             .gaps = {.gap = gaps, .count = 1}};
}

/* Add a row for LINE to GAP. ENDED is 0 if the row has not ended. */
static void add_gap_row(struct gap *gap, struct outage_line line, uint64_t began, uint64_t ended,
                        uint64_t errors)
{
    gap->rows[gap->row_count++] =
        (struct gap_row){.time = {began, ended, ended != 0}, .line = line, .errors = errors};
}

static uint64_t sample_ms(struct outage_line line)
{
    return sample_hash(outage_procedure_names[line.procedure], line.connection) % 100 * 1000000;
}

static void fill_more_gaps(void)
{
    outage.gaps = (struct gaps){.gap = gaps, .count = 2, .not_kept = 3};
    gaps[0] = (struct gap){.time = {1500000000, 4750000000, true},
                           .first_back = {OUTAGE_GETATTR, 1},
                           .rows = gap_rows[0],
                           .lost = 2};
    gaps[1] = (struct gap){.time = {.began = 51000000000}, .rows = gap_rows[1]};
    for (size_t i = 0; i < 2 * OUTAGE_PROCEDURES; i++) {
        const struct outage_line line = {i % OUTAGE_PROCEDURES, i / OUTAGE_PROCEDURES + 1};
        const uint64_t time = sample_ms(line);

        if (line.procedure != OUTAGE_COMMIT)
            add_gap_row(&gaps[0], line, 1500000000 + time, 4000000000 + 7 * time, time / 10000000);
        if (line.connection == 1 && line.procedure > OUTAGE_GETATTR)
            add_gap_row(&gaps[1], line, 51000000000 + time,
                        line.procedure == OUTAGE_COMMIT ? 0 : 52000000000 + time, 0);
    }
    gaps[0].rows[OUTAGE_WRITE].grace = 500000000;
}

static void fill_more(void)
{
    fill_more_gaps();
    outage.origin.xprtsec = "tls";
    outage.duration = 60;
    outage.connections = 2;
    outage.block_size = 4096;
    outage.rate = 100;
    outage.threshold = 0.1;
    outage.stalls = 1;
    outage.stalled_ns = 20000000;
    for (size_t i = 0; i < OUTAGE_PROCEDURES; i++) {
        const uint64_t number = sample_hash(outage_procedure_names[i], 0) % 100;

        outage.calls[i] = (struct outage_calls){
            .due = 6000 + number, .not_sent = 2 * number, .good = 5800 - number};
    }
    engine_count_errors(&outage.calls[OUTAGE_READ].tally, nfs_status_find("NFS3ERR_STALE"), 7);
    engine_count_errors(&outage.calls[OUTAGE_READ].tally, nfs_status_find("NFS3ERR_IO"), 4);
    outage.counts.retransmissions = 17;
    outage.counts.unmatched = 5;
    outage.counts.reconnections = 1;
    outage.sent = 30000;
    outage.answered = 29700;
    outage.in_flight = 2;
    outage.found_again = 8;
    outage.made_again = 6;
    outage.verifier_changes = 9;
    outage.uncommitted = 12;
    outage.lost = (struct outage_lost){
        .blocks = 2223,
        .sync = 2000,
        .committed = 223,
        .faults = {[BLOCK_MISSING] = 2201, [BLOCK_OLDER] = 19, [BLOCK_OTHER] = 3}};
    outage.written = 5750;
    outage.unchecked = 11;
    outage.cut_short_by = "interrupted";
    figures_set_missing(view_outage.fields, &outage);
}

const void *sample_OUTAGE(bool full)
{
    memset(gap_rows, 0, sizeof gap_rows);
    memset(gaps, 0, sizeof gaps);
    fill_outage();
    if (full)
        fill_more();
    return &outage;
}
