/* Gaps in a service: when a procedure, over a connection, was not answered well for some time. The
 * caller reports when calls were due and how they were answered. Times are in ns, of one clock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GAPS_MAXIMUM = 1000 }; /* that are kept; later ones are only counted */

/* The procedures that are called. */
enum outage_procedure {
    OUTAGE_NULL,
    OUTAGE_GETATTR,
    OUTAGE_READ,
    OUTAGE_WRITE,
    OUTAGE_COMMIT,
    OUTAGE_PROCEDURES,
};

/* A line of service: a procedure over a connection. Its number is that of the connection, from 0
 * on, x OUTAGE_PROCEDURES + the procedure. */
struct outage_line {
    enum outage_procedure procedure;
    uint64_t connection; /* from 1 on; 0: there is no such line */
};

/* What a line waits for. */
struct gap_line {
    uint64_t
        waiting_since; /* when the first call was due that no good answer has come after; 0: none */
    uint64_t grace_since; /* the first answer since then that asked to wait; 0: none */
    uint64_t errors;      /* answers since then that were errors */
    bool in_gap;
};

/* When a gap, or the part of a line in it, was. */
struct gap_time {
    uint64_t began, ended;
    bool is_over; /* else it goes on, and ENDED is 0 */
};

/* The part of one line in a gap. */
struct gap_row {
    struct gap_time time;
    struct outage_line line;
    uint64_t grace;  /* for so long before its end the server asked to wait; 0: never */
    uint64_t errors; /* answers in between that were errors */
};

/* From when the first line had no answer until all are answered again. */
struct gap {
    struct gap_time time;
    size_t open;                   /* lines that are still not answered */
    struct outage_line first_back; /* the line that was answered first */
    struct gap_row *rows;          /* of the lines in it, by their numbers */
    size_t row_count;
    uint64_t lost; /* blocks of data that were gone after it */
};

/* The steps of a gap. */
enum gap_event {
    GAP_LINE_BEGAN, /* a line has had no answer for too long */
    GAP_LINE_BACK,  /* a line was answered */
    GAP_ENDED,      /* all are; ROW is the last one's */
};

typedef void gaps_observer(void *context, enum gap_event event, const struct gap *gap,
                           const struct gap_row *row);

struct gaps {
    struct gap_line *lines;
    size_t line_count;
    uint64_t threshold;   /* what is shorter is no gap */
    uint64_t excused;     /* until when the caller was held up */
    struct gap *gap;      /* in the order of their beginnings, and room for one that is not kept */
    struct gap_row *rows; /* of all */
    size_t count;
    uint64_t not_kept;
    bool is_open; /* the last one goes on */
    /* By procedure: it has never been answered well, so that an outage can't be told from a server
     * whose procedure never works. Until its first good answer it is in no gap, unless the server
     * has asked to wait. To be set by the caller. */
    bool unproven[OUTAGE_PROCEDURES];
    gaps_observer *observer;
    void *context; /* of the observer */
};

enum gaps_answer {
    GAPS_GOOD,
    GAPS_WAIT, /* NFS3ERR_JUKEBOX: the server asks to try again later */
    GAPS_ERROR,
};

/* Each step is reported to OBSERVER (may be NULL). Returns 0 or -ENOMEM. */
int gaps_open(struct gaps *gaps, size_t lines, uint64_t threshold, gaps_observer *observer,
              void *context);
void gaps_close(struct gaps *gaps);

/* A call of LINE was due at DUE. */
void gaps_due(struct gaps *gaps, size_t line, uint64_t due);

/* Has LINE had no good answer since a call was due? */
static inline bool gaps_waits(const struct gaps *gaps, size_t line)
{
    return gaps->lines[line].waiting_since != 0;
}

/* A call of LINE was answered at NOW. */
void gaps_answered(struct gaps *gaps, size_t line, enum gaps_answer answer, uint64_t now);

/* The caller was held up until NOW: lines that wait without being in a gap, and calls that were due
 * before, are counted from then on. */
void gaps_excuse(struct gaps *gaps, uint64_t now);

/* Has PROCEDURE never been answered well, for longer than the threshold, so that it is in no gap?
 */
bool gaps_never_worked(const struct gaps *gaps, enum outage_procedure procedure, uint64_t now);

/* Find what has had no answer for the threshold by NOW. */
void gaps_look(struct gaps *gaps, uint64_t now);

/* There is nothing more to come: a gap that goes on at NOW has no end. */
void gaps_finish(struct gaps *gaps, uint64_t now);

/* The last gap that began after TIME, or at it; NULL: none did. */
struct gap *gaps_after(struct gaps *gaps, uint64_t time);
