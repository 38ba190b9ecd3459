#include "outage/gaps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int gaps_open(struct gaps *gaps, size_t lines, uint64_t threshold, gaps_observer *observer,
              void *context)
{
    *gaps = (struct gaps){
        .line_count = lines, .threshold = threshold, .observer = observer, .context = context};
    gaps->lines = calloc(lines, sizeof *gaps->lines);
    gaps->gap = calloc(GAPS_MAXIMUM + 1, sizeof *gaps->gap);
    gaps->rows = calloc((GAPS_MAXIMUM + 1) * lines, sizeof *gaps->rows);
    return gaps->lines && gaps->gap && gaps->rows ? 0 : -ENOMEM;
}

void gaps_close(struct gaps *gaps)
{
    free(gaps->gap);
    free(gaps->rows);
    free(gaps->lines);
    *gaps = (struct gaps){.count = 0};
}

/* Return the last gap, which may continue; NULL if there was none. */
static struct gap *last_gap(struct gaps *gaps)
{
    if (gaps->not_kept > 0)
        return &gaps->gap[GAPS_MAXIMUM];
    return gaps->count > 0 ? &gaps->gap[gaps->count - 1] : NULL;
}

struct gap *gaps_after(struct gaps *gaps, uint64_t time)
{
    struct gap *last = last_gap(gaps);

    return last && last->time.began >= time ? last : NULL;
}

/* Return whether the gap LAST (may be NULL) is over and ended at BEGAN or later. If so, a wait that
 * began at BEGAN, but is found only now, belongs to LAST. */
static bool continues_gap(const struct gap *last, uint64_t began)
{
    return last && last->time.is_over && last->time.ended >= began;
}

/* Return the open gap. If none is open, open a new gap that begins at BEGAN. Exception: if IS_FIRST
 * (the procedure had no good answer before) and the last gap ended at BEGAN or later, open the last
 * gap again. Gaps beyond GAPS_MAXIMUM share one place. */
static struct gap *open_gap(struct gaps *gaps, uint64_t began, bool is_first)
{
    size_t place = gaps->count;
    struct gap *last = last_gap(gaps);

    if (gaps->is_open)
        return last;
    gaps->is_open = true;
    if (is_first && continues_gap(last, began)) {
        last->time = (struct gap_time){.began = last->time.began};
        return last;
    }
    if (gaps->count < GAPS_MAXIMUM)
        gaps->count++;
    else
        gaps->not_kept++;
    gaps->gap[place] =
        (struct gap){.time = {.began = began}, .rows = gaps->rows + place * gaps->line_count};
    return &gaps->gap[place];
}

static size_t number_of(const struct outage_line *line)
{
    return (line->connection - 1) * OUTAGE_PROCEDURES + line->procedure;
}

/* Return the row of LINE in GAP, or insert one that begins when LINE began to wait. */
static struct gap_row *find_row(const struct gaps *gaps, struct gap *gap, size_t line)
{
    size_t at = gap->row_count;
    struct gap_row *row;

    while (at > 0 && number_of(&gap->rows[at - 1].line) > line)
        at--;
    if (at > 0 && number_of(&gap->rows[at - 1].line) == line)
        return &gap->rows[at - 1];
    row = &gap->rows[at];
    memmove(row + 1, row, (gap->row_count++ - at) * sizeof *row);
    *row = (struct gap_row){
        .time = {.began = gaps->lines[line].waiting_since},
        .line = {(enum outage_procedure)(line % OUTAGE_PROCEDURES), line / OUTAGE_PROCEDURES + 1}};
    return row;
}

static void report_event(const struct gaps *gaps, enum gap_event event, const struct gap *gap,
                         const struct gap_row *row)
{
    if (gaps->observer)
        gaps->observer(gaps->context, event, gap, row);
}

static bool is_unproven(const struct gaps *gaps, size_t line)
{
    return gaps->unproven[line % OUTAGE_PROCEDURES];
}

/* Open the row of LINE, which has waited too long, in the open gap or a new one. If LINE already
 * has a row in the gap, open that row again without a change of its begin. */
static void begin_row(struct gaps *gaps, size_t line)
{
    struct gap_line *waiting = &gaps->lines[line];
    struct gap *gap = open_gap(gaps, waiting->waiting_since, is_unproven(gaps, line));
    struct gap_row *row = find_row(gaps, gap, line);

    waiting->in_gap = true;
    row->time = (struct gap_time){.began = row->time.began};
    if (row->time.began < gap->time.began)
        gap->time.began = row->time.began;
    gap->open++;
    report_event(gaps, GAP_LINE_BEGAN, gap, row);
}

static void add_answers(struct gap_row *row, const struct gap_line *waiting, uint64_t now)
{
    row->grace += waiting->grace_since ? now - waiting->grace_since : 0;
    row->errors += waiting->errors;
}

static void end_time(struct gap_time *time, uint64_t now)
{
    time->ended = now;
    time->is_over = true;
}

static void end_row(struct gaps *gaps, size_t line, uint64_t now)
{
    struct gap *gap = last_gap(gaps);
    struct gap_row *row = find_row(gaps, gap, line);

    end_time(&row->time, now);
    add_answers(row, &gaps->lines[line], now);
    gap->open--;
    if (gap->first_back.connection == 0)
        gap->first_back = row->line;
    report_event(gaps, GAP_LINE_BACK, gap, row);
    if (gap->open > 0)
        return;
    end_time(&gap->time, now);
    gaps->is_open = false;
    report_event(gaps, GAP_ENDED, gap, row);
}

void gaps_due(struct gaps *gaps, size_t line, uint64_t due)
{
    if (gaps->lines[line].waiting_since == 0)
        gaps->lines[line].waiting_since = due > gaps->excused ? due : gaps->excused;
}

static bool is_late(const struct gaps *gaps, const struct gap_line *line, uint64_t now)
{
    return line->waiting_since != 0 && !line->in_gap && now > line->waiting_since &&
           now - line->waiting_since >= gaps->threshold;
}

void gaps_answered(struct gaps *gaps, size_t line, enum gaps_answer answer, uint64_t now)
{
    struct gap_line *waiting = &gaps->lines[line];

    if (answer == GAPS_WAIT && waiting->grace_since == 0)
        waiting->grace_since = now;
    if (answer != GAPS_GOOD) {
        waiting->errors++;
        return;
    }
    if (is_late(gaps, waiting, now))
        begin_row(gaps, line);
    if (waiting->in_gap)
        end_row(gaps, line, now);
    gaps->unproven[line % OUTAGE_PROCEDURES] = false;
    *waiting = (struct gap_line){.waiting_since = 0};
}

void gaps_excuse(struct gaps *gaps, uint64_t now)
{
    gaps->excused = now;
    for (size_t i = 0; i < gaps->line_count; i++)
        if (gaps->lines[i].waiting_since && !gaps->lines[i].in_gap)
            gaps->lines[i].waiting_since = now;
}

void gaps_find_waiting(struct gaps *gaps, uint64_t now)
{
    for (size_t i = 0; i < gaps->line_count; i++) {
        const struct gap_line *line = &gaps->lines[i];

        if (is_late(gaps, line, now) && (!is_unproven(gaps, i) || line->grace_since != 0))
            begin_row(gaps, i);
    }
}

bool gaps_never_worked(const struct gaps *gaps, enum outage_procedure procedure, uint64_t now)
{
    for (size_t i = procedure; i < gaps->line_count; i += OUTAGE_PROCEDURES)
        if (gaps->unproven[procedure] && gaps->lines[i].grace_since == 0 &&
            is_late(gaps, &gaps->lines[i], now))
            return true;
    return false;
}

void gaps_finish(struct gaps *gaps, uint64_t now)
{
    gaps_find_waiting(gaps, now);
    for (size_t i = 0; i < gaps->line_count; i++)
        if (gaps->lines[i].in_gap)
            add_answers(find_row(gaps, last_gap(gaps), i), &gaps->lines[i], now);
}
