/* Gaps in a service: times in which a procedure had no good answer over a connection. The caller
 * reports when calls were due and how they were answered. Times are in ns of one clock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GAPS_MAXIMUM = 1000 }; /* maximum number of gaps to keep; further gaps are only counted */

enum outage_procedure {
    OUTAGE_NULL,
    OUTAGE_GETATTR,
    OUTAGE_READ,
    OUTAGE_WRITE,
    OUTAGE_COMMIT,
    OUTAGE_PROCEDURES,
};

/* A line: a procedure over a connection. Its number is (connection - 1) * OUTAGE_PROCEDURES +
 * procedure; parameters LINE below are such numbers. */
struct outage_line {
    enum outage_procedure procedure;
    uint64_t connection; /* number of the connection, from 1; 0 if there is no line */
};

/* State of a line, which waits from when a call is due until the next good answer. */
struct gap_line {
    /* time when the first call after the last good answer was due; 0 if the line does not wait. If
     * the caller was delayed later (gaps_excuse()), the time when the delay ended. */
    uint64_t waiting_since;
    /* time of the first NFS3ERR_JUKEBOX since the last good answer; 0 if there was none */
    uint64_t grace_since;
    uint64_t errors; /* number of bad answers since the last good one */
    bool in_gap;
};

/* When a gap, or a line's row in a gap, began and ended. */
struct gap_time {
    uint64_t began, ended;
    bool is_over; /* false: the gap or row continues, and ENDED is 0 */
};

/* One line's part of a gap. It lasts from the begin of the line's first wait in the gap to the end
 * of the last wait, including times of good answers between these waits. */
struct gap_row {
    struct gap_time time;
    struct outage_line line;
    /* time from the first NFS3ERR_JUKEBOX of a wait to the end of the wait, summed over the row's
     * waits; 0 if there was no NFS3ERR_JUKEBOX */
    uint64_t grace;
    uint64_t errors; /* number of answers that were not good in the row's waits */
};

/* A gap lasts from when a first line has no good answer until all lines in the gap have good
 * answers again. */
struct gap {
    struct gap_time time;
    size_t open;                   /* number of lines that still have no good answer */
    struct outage_line first_back; /* the first line that had a good answer again */
    struct gap_row *rows;          /* a row for each line in the gap, in order of line numbers */
    size_t row_count;
    uint64_t lost; /* number of blocks written before the gap, and found lost before the next gap */
};

enum gap_event {
    GAP_LINE_BEGAN, /* a line has had no good answer for the threshold time */
    GAP_LINE_BACK,  /* a line had a good answer again */
    GAP_ENDED,      /* all lines in the gap had good answers; the row is that of the last line */
};

typedef void gaps_observer(void *context, enum gap_event event, const struct gap *gap,
                           const struct gap_row *row);

struct gaps {
    struct gap_line *lines;
    size_t line_count;
    uint64_t threshold; /* minimum length of a gap, ns */
    uint64_t excused;   /* end of the caller's last delay; 0 if there was none */
    /* the gaps in order of time, and room for one gap that is not kept */
    struct gap *gap;
    struct gap_row *rows; /* rows of all gaps */
    size_t count;
    uint64_t not_kept;
    bool is_open; /* the last gap has not ended */
    /* For each procedure: true until a call has a good answer, because the server may not support
     * the procedure. A procedure has no gap while this is true, unless the server asked to wait.
     * The caller sets UNPROVEN at the start. */
    bool unproven[OUTAGE_PROCEDURES];
    gaps_observer *observer;
    void *context; /* argument for the observer */
};

enum gaps_answer {
    GAPS_GOOD,
    GAPS_WAIT, /* NFS3ERR_JUKEBOX: the server asks to try again later */
    GAPS_ERROR,
};

/* Set up GAPS for LINES lines. THRESHOLD is the minimum length of a gap. OBSERVER (may be NULL) is
 * called with CONTEXT for each event. Returns 0 or -ENOMEM. */
int gaps_open(struct gaps *gaps, size_t lines, uint64_t threshold, gaps_observer *observer,
              void *context);
void gaps_close(struct gaps *gaps);

/* Record that a call of LINE was due at DUE. */
void gaps_due(struct gaps *gaps, size_t line, uint64_t due);

/* Return whether LINE has had no good answer since a call was due. */
static inline bool gaps_waits(const struct gaps *gaps, size_t line)
{
    return gaps->lines[line].waiting_since != 0;
}

/* Record that a call of LINE was answered by ANSWER at NOW. A good ANSWER ends LINE's row in the
 * open gap. If LINE has no open row but has waited for the threshold or longer, a good ANSWER
 * begins and ends a row. */
void gaps_answered(struct gaps *gaps, size_t line, enum gaps_answer answer, uint64_t now);

/* Record that the caller was delayed until NOW. The waiting of a line that is not in a gap then
 * begins at NOW or later. */
void gaps_excuse(struct gaps *gaps, uint64_t now);

/* Return whether PROCEDURE never had a good answer, and at least one of its lines has waited for
 * the threshold or longer at NOW without NFS3ERR_JUKEBOX. Such a line is in no gap. */
bool gaps_never_worked(const struct gaps *gaps, enum outage_procedure procedure, uint64_t now);

/* Begin gaps for lines that have waited for the threshold or longer at NOW. Lines of UNPROVEN
 * procedures must have had NFS3ERR_JUKEBOX. */
void gaps_find_waiting(struct gaps *gaps, uint64_t now);

/* Call gaps_find_waiting(), and end the recording. A gap that continues at NOW has no end. */
void gaps_finish(struct gaps *gaps, uint64_t now);

/* Return the last gap, kept or not, if it began at TIME or later; else NULL. */
struct gap *gaps_after(struct gaps *gaps, uint64_t time);
