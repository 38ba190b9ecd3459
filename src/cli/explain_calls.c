#include "cli/explain_calls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void explain_calls_begin(struct explain_calls *calls, const struct phase_view *view,
                         size_t slow_wanted)
{
    phases_clear(&calls->phases, view);
    calls->count = 0;
    calls->seen = 0;
    calls->slow_count = 0;
    calls->slow_wanted = slow_wanted;
}

void explain_calls_change_view(struct explain_calls *calls, const struct phase_view *view)
{
    struct phases *phases = &calls->phases;
    uint64_t retransmitted = phases->retransmitted, failed = phases->failed;
    uint64_t incomplete = phases->incomplete, out_of_order = phases->out_of_order;

    phases_clear(phases, view);
    phases->retransmitted = retransmitted;
    phases->failed = failed;
    phases->incomplete = incomplete;
    phases->out_of_order = out_of_order;
    for (size_t i = 0; i < calls->count; i++)
        phases_add(phases, &calls->calls[i]);
}

static int keep(struct explain_calls *calls, const struct call_times *call)
{
    enum { FIRST_CAPACITY = 4096 };

    if (calls->count == calls->capacity) {
        size_t capacity = calls->capacity ? 2 * calls->capacity : FIRST_CAPACITY;
        struct call_times *more = realloc(calls->calls, capacity * sizeof *more);

        if (!more)
            return -ENOMEM;
        calls->calls = more;
        calls->capacity = capacity;
    }
    calls->calls[calls->count++] = *call;
    return 0;
}

/* Among the slowest so far? */
static void note_slow(struct explain_calls *calls, const struct call_times *call,
                      const struct explain_server *server)
{
    size_t at = calls->slow_count;

    while (at > 0 && calls->slow[at - 1].times.lifetime_ns < call->lifetime_ns)
        at--;
    if (at >= calls->slow_wanted)
        return;
    if (calls->slow_count < calls->slow_wanted)
        calls->slow_count++;
    memmove(&calls->slow[at + 1], &calls->slow[at],
            (calls->slow_count - 1 - at) * sizeof *calls->slow);
    calls->slow[at] = (struct explain_slow_call){.times = *call};
    explain_server_note(server, &calls->slow[at]);
}

int explain_calls_add(struct explain_calls *calls, const struct call_times *block, size_t count,
                      const struct explain_server *server)
{
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++) {
        struct call_times call = block[i];

        call.number = calls->seen++;
        if (phases_add(&calls->phases, &call) != PHASE_EXPLAINED)
            continue;
        note_slow(calls, &call, server);
        code = keep(calls, &call);
    }
    return code;
}

/* Examples */

static int compare_lifetimes(const void *first, const void *second)
{
    const struct call_times *a = *(const struct call_times *const *)first;
    const struct call_times *b = *(const struct call_times *const *)second;

    return (a->lifetime_ns > b->lifetime_ns) - (a->lifetime_ns < b->lifetime_ns);
}

static void tell_examples(const struct explain_calls *calls, struct explanation *explanation)
{
    const struct {
        const char *which;
        size_t rank;
    } examples[EXPLAIN_EXAMPLES] = {
        {"slowest", calls->count - 1}, {"median", (calls->count - 1) / 2}, {"fastest", 0}};
    const struct call_times **order = calloc(calls->count + 1, sizeof *order);

    if (!order || calls->count == 0) {
        free(order);
        return;
    }
    for (size_t i = 0; i < calls->count; i++)
        order[i] = &calls->calls[i];
    qsort(order, calls->count, sizeof *order, compare_lifetimes);
    for (size_t i = 0; i < EXPLAIN_EXAMPLES; i++)
        explanation->examples[explanation->example_count++] =
            (struct explain_example){.which = examples[i].which, .times = *order[examples[i].rank]};
    free(order);
}

/* Slow calls */

/* Which of the rows' phases took the call longest, against that phase's median? */
static void find_longest(const struct explanation *explanation, struct explain_slow_call *slow)
{
    double ns[PHASES_MAXIMUM], most = -INFINITY;

    phases_of_call(explanation->view, &slow->times, ns);
    for (size_t i = 0; i < explanation->row_count; i++) {
        const struct explain_row *row = &explanation->rows[i];
        double took = 0;

        for (size_t j = 0; j < explanation->view->count; j++)
            if (strcmp(explanation->view->phases[j]->key, row->type->key) == 0 && ns[j] > 0)
                took += ns[j];
        if (took - row->p50 <= most)
            continue;
        most = took - row->p50;
        slow->longest = i;
        slow->longest_ns = took;
    }
}

static void tell_slow(const struct explain_calls *calls, struct explanation *explanation)
{
    explanation->slow_beyond = histogram_quantile(&calls->phases.lifetime, 0.999);
    for (size_t i = 0; i < calls->count; i++)
        explanation->slow_total += (double)calls->calls[i].lifetime_ns > explanation->slow_beyond;
    for (size_t i = 0; i < explanation->slow_count; i++)
        find_longest(explanation, &explanation->slow[i]);
}

void explain_calls_tell(struct explain_calls *calls, struct explanation *explanation)
{
    explanation->calls = calls->seen;
    explanation->slow = calls->slow;
    explanation->slow_count = calls->slow_count;
    tell_examples(calls, explanation);
    tell_slow(calls, explanation);
}

void explain_calls_free(struct explain_calls *calls)
{
    free(calls->calls);
    calls->calls = NULL;
    calls->count = calls->capacity = 0;
}
