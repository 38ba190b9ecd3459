#include "explain/kernel/server_timestamps.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/append.h"

enum pause_type {
    PAUSE_PREEMPTED, /* the thread lost its processor; EVENT began the pause */
    PAUSE_READY,     /* the thread was ready, without a processor; EVENT ended the pause */
    PAUSE_SLEPT,     /* the thread slept; EVENT ended the pause */
};

struct pause {
    enum pause_type type;
    uint64_t from, ns;
    const struct kernel_event *event;
};

struct pauses {
    struct pause list[CALL_NOTES_MAXIMUM];
    size_t count;
    uint64_t least_ns;
};

/* A thread, and the interval in which its pauses are examined. */
struct watched {
    uint32_t thread;
    uint64_t from, until;
    bool sleep_matters; /* sleep is a pause; false for a client, which sleeps until the reply */
};

static size_t shortest_pause(const struct pauses *pauses)
{
    size_t found = 0;

    for (size_t i = 1; i < pauses->count; i++)
        if (pauses->list[i].ns < pauses->list[found].ns)
            found = i;
    return found;
}

static void add_pause(struct pauses *pauses, enum pause_type type, uint64_t from, uint64_t until,
                      const struct kernel_event *event)
{
    struct pause pause = {.type = type, .from = from, .ns = until - from, .event = event};
    size_t place = pauses->count;

    if (pause.ns < pauses->least_ns)
        return;
    if (pauses->count < CALL_NOTES_MAXIMUM)
        pauses->count++;
    else
        place = shortest_pause(pauses);
    if (place == pauses->count - 1 || pauses->list[place].ns < pause.ns)
        pauses->list[place] = pause;
}

/* The last time that a thread was off its processor. OUT: the event when the thread was switched
 * out; WOKEN: the event when it was woken later; NULL: no such event. */
struct absence {
    const struct kernel_event *out, *woken;
};

static void end_absence(struct pauses *pauses, const struct absence *absence,
                        const struct kernel_event *in)
{
    if (absence->woken)
        add_pause(pauses, PAUSE_READY, absence->woken->at_ns, in->at_ns, in);
    else if (absence->out && absence->out->preempted)
        add_pause(pauses, PAUSE_PREEMPTED, absence->out->at_ns, in->at_ns, absence->out);
}

static void find_pauses(struct pauses *pauses, const struct server_events *events,
                        const struct watched *watched)
{
    struct absence absence = {0};

    for (size_t i = 0; i < events->count; i++) {
        const struct kernel_event *event = &events->list[i];

        if (event->thread != watched->thread || event->at_ns < watched->from ||
            event->at_ns > watched->until)
            continue;
        if (event->type == KERNEL_SWITCHED_OUT) {
            absence.out = event;
            if (event->preempted) /* the thread was running, so an earlier wake-up does not count */
                absence.woken = NULL;
        } else if (event->type == KERNEL_WOKEN) {
            if (watched->sleep_matters && absence.out && !absence.out->preempted)
                add_pause(pauses, PAUSE_SLEPT, absence.out->at_ns, event->at_ns, event);
            absence.woken = event;
        } else if (event->type == KERNEL_SWITCHED_IN) {
            end_absence(pauses, &absence, event);
            absence = (struct absence){0};
        }
    }
}

/* Return the thread of the event of TYPE at AT; 0 if there is none. */
static uint32_t thread_of(const struct server_events *events, enum kernel_event_type type,
                          uint64_t at)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->list[i].type == type && events->list[i].at_ns == at)
            return events->list[i].thread;
    return 0;
}

static void find_server_pauses(struct pauses *pauses, const struct server_events *events,
                               const struct call_times *call)
{
    struct watched watched = {.from = call->at[TIMESTAMP_REQUEST_ARRIVED],
                              .until = call->at[TIMESTAMP_REPLY_ENTERED],
                              .sleep_matters = true};
    uint32_t reader = thread_of(events, KERNEL_RECEIVED, call->at[TIMESTAMP_REQUEST_READ]);
    uint32_t worker = thread_of(events, KERNEL_SEND_ENTERED, call->at[TIMESTAMP_REPLY_ENTERED]);

    if (!watched.from || !reader)
        return;
    watched.thread = worker;
    if (worker != reader) {
        watched.from = call->at[TIMESTAMP_REQUEST_READ];
        find_pauses(pauses, events, &watched);
        watched = (struct watched){.thread = reader,
                                   .from = call->at[TIMESTAMP_REQUEST_ARRIVED],
                                   .until = call->at[TIMESTAMP_REQUEST_READ],
                                   .sleep_matters = true};
    }
    find_pauses(pauses, events, &watched);
}

static int by_time(const void *a, const void *b)
{
    const struct pause *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

enum { NAME_SIZE = 40 };

/* Write the command name of EVENT's other thread to NAME, with unprintable bytes replaced, and
 * return it. Returns NONE if there is no other thread. */
static const char *other_name(const struct kernel_event *event, const char *none,
                              char name[NAME_SIZE])
{
    if (event->other == 0)
        return none;
    snprintf(name, NAME_SIZE, "%.*s", (int)sizeof event->other_name, event->other_name);
    for (char *byte = name; *byte; byte++)
        if (!isprint((unsigned char)*byte))
            *byte = '?';
    return name;
}

static void describe_pause(const struct server_events *events, const struct pause *pause,
                           char note[CALL_NOTE_SIZE])
{
    const struct kernel_event *event = pause->event;
    double us = (double)pause->ns / 1000;
    char who[NAME_SIZE] = "client", name[NAME_SIZE];

    if (event->thread != events->client_thread)
        snprintf(who, sizeof who, "server thread %" PRIu32, event->thread);
    switch (pause->type) {
    case PAUSE_PREEMPTED:
        snprintf(note, CALL_NOTE_SIZE, "%s preempted by %s on CPU %" PRIu32 " for %.1f us", who,
                 other_name(event, "nothing", name), event->cpu, us);
        break;
    case PAUSE_READY:
        snprintf(note, CALL_NOTE_SIZE,
                 "%s was ready and waited %.1f us for CPU %" PRIu32 ", which %s%s", who, us,
                 event->cpu, other_name(event, "was idle", name), event->other ? " had" : "");
        break;
    case PAUSE_SLEPT:
        snprintf(note, CALL_NOTE_SIZE, "%s slept %.1f us, until %s", who, us,
                 event->other ? "it was woken while " : "an interrupt woke it");
        if (event->other)
            append(note, CALL_NOTE_SIZE, "%s ran on CPU %" PRIu32, other_name(event, "", name),
                   event->cpu);
        break;
    }
}

size_t slow_describe(const struct server_events *events, const struct call_times *call,
                     char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE])
{
    uint64_t begin = call->at[TIMESTAMP_BEGUN], end = call->at[TIMESTAMP_DECODED];
    struct pauses pauses = {.least_ns = (end - begin) / 20};
    const struct watched client = {.thread = events->client_thread, .from = begin, .until = end};

    find_pauses(&pauses, events, &client);
    find_server_pauses(&pauses, events, call);
    qsort(pauses.list, pauses.count, sizeof pauses.list[0], by_time);
    for (size_t i = 0; i < pauses.count; i++)
        describe_pause(events, &pauses.list[i], notes[i]);
    if (pauses.count > 0)
        return pauses.count;
    snprintf(notes[0], CALL_NOTE_SIZE,
             "no thread slept long, waited for a processor or was preempted: the time went to "
             "work, an interrupt or the hypervisor");
    return 1;
}
