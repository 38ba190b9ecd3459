/* Gaps in a service: times in which a procedure had no good answer over a connection. The caller
 * reports when calls were due and how they were answered. Times are in ns of one clock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GAPS_MAXIMUM = 1000 }; /* number of gaps that are kept; further gaps are only counted */

/* The procedures of a probe. */
enum outage_procedure {
    OUTAGE_NULL,
    OUTAGE_GETATTR,
    OUTAGE_READ,
    OUTAGE_WRITE,
    OUTAGE_COMMIT,
    OUTAGE_PROCEDURES,
};

/* A line of service: a procedure over a connection. Its number is connection (from 0) *
 * OUTAGE_PROCEDURES + procedure. */
struct outage_line {
    enum outage_procedure procedure;
    uint64_t connection; /* number of the connection, from 1; 0 if this is no line */
};

/* State of a line that waits for an answer. */
struct gap_line {
    /* When the first call after the last good answer was due; 0 if the line does not wait. */
    uint64_t waiting_since;
    /* time of the first NFS3ERR_JUKEBOX since WAITING_SINCE; 0 if there was none */
    uint64_t grace_since;
    uint64_t errors; /* number of errors since WAITING_SINCE */
    bool in_gap;
};

/* The time of a gap, or of a line's row in a gap. */
struct gap_time {
    uint64_t began, ended;
    bool is_over; /* false: the gap continues, and ENDED is 0 */
};

/* One line (struct outage_line) of a gap. */
struct gap_row {
    struct gap_time time;
    struct outage_line line;
    /* time from the first NFS3ERR_JUKEBOX to the row's end; 0 if there was none */
    uint64_t grace;
    uint64_t errors; /* number of errors in the row's time */
};

/* A gap lasts from when the first line (a procedure over a connection) has no good answer until all
 * lines have good answers again. */
struct gap {
    struct gap_time time;
    size_t open;                   /* number of lines that are still not answered */
    struct outage_line first_back; /* the line that had a good answer first */
    struct gap_row *rows;          /* the gap's lines, in the order of their numbers */
    size_t row_count;
    uint64_t lost; /* number of blocks that were lost in the gap */
};

/* Events of a gap. */
enum gap_event {
    GAP_LINE_BEGAN, /* a line has had no good answer for too long */
    GAP_LINE_BACK,  /* a line was answered */
    GAP_ENDED,      /* all lines were answered; ROW is the last line */
};

typedef void gaps_observer(void *context, enum gap_event event, const struct gap *gap,
                           const struct gap_row *row);

struct gaps {
    struct gap_line *lines;
    size_t line_count;
    uint64_t threshold;   /* minimum length of a gap */
    uint64_t excused;     /* time until which the caller was delayed */
    struct gap *gap;      /* the gaps, sorted by beginning; has room for a gap that is not kept */
    struct gap_row *rows; /* rows of all gaps */
    size_t count;
    uint64_t not_kept;
    bool is_open; /* the last gap has not ended */
    /* By procedure: no call ever had a good answer, so the server may not support the procedure.
     * Until its first good answer, the procedure has no gap, unless the server asked to wait. Set
     * by the caller. */
    bool unproven[OUTAGE_PROCEDURES];
    gaps_observer *observer;
    void *context; /* argument for the observer */
};

enum gaps_answer {
    GAPS_GOOD,
    GAPS_WAIT, /* NFS3ERR_JUKEBOX: the server asks to try again later */
    GAPS_ERROR,
};

/* Set up GAPS. Each event is reported to OBSERVER (may be NULL). Returns 0 or -ENOMEM. */
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

/* Record that a call of LINE was answered at NOW. */
void gaps_answered(struct gaps *gaps, size_t line, enum gaps_answer answer, uint64_t now);

/* Record that the caller was delayed until NOW. Waiting times of lines that are not in a gap begin
 * at NOW, also for calls that were due before. */
void gaps_excuse(struct gaps *gaps, uint64_t now);

/* Return whether PROCEDURE has had no good answer since the start, for the threshold at least. Such
 * a procedure has no gap. */
bool gaps_never_worked(const struct gaps *gaps, enum outage_procedure procedure, uint64_t now);

/* Begin gaps for lines that have had no good answer for the threshold by NOW. */
void gaps_find_waiting(struct gaps *gaps, uint64_t now);

/* End the recording. A gap that continues at NOW has no end. */
void gaps_finish(struct gaps *gaps, uint64_t now);

/* Return the last gap that began at TIME or later, or NULL. */
struct gap *gaps_after(struct gaps *gaps, uint64_t time);
