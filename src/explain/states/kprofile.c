#include "explain/states/kprofile.h"

#include <math.h>
#include <string.h>

enum { STATES_OF_ROW = 2 };

/* For each of kprofile's states, the corresponding states of today's client (struct rpc_state).
 * kprofile's schedq is the queue of RPCs that may run but have no processor. */
static const struct {
    const char *name, *states[STATES_OF_ROW];
} own_rows[KPROFILE_OWN_ROWS] = {
    {"call_allocate", {"allocate"}}, {"call_bind", {"bind"}},
    {"call_decode", {"decode"}},     {"call_encode", {"encode"}},
    {"call_reserve", {"reserve"}},   {"call_reserve_result", {"reserveresult"}},
    {"call_transmit", {"transmit"}}, {"backlog", {"backlog"}},
    {"pending", {"pending"}},        {"schedq", {"woken", "workqueue"}},
};

/* Kinds of states: the first column of shares includes all of them, the second all but QUEUE, the
 * third only PROCESSING. */
enum part { PROCESSING, WIRE, QUEUE };

/* Return the kind of the state in ROW. "received" is WIRE, because kprofile's client read replies
 * while the RPC was pending. */
static enum part part_of(const struct phase_row *row)
{
    const char *state = row->type->name;

    if (row->type->kind == PHASE_QUEUEING)
        return QUEUE;
    return row->type->kind == PHASE_NETWORK_AND_SERVER || strcmp(state, "transmit") == 0 ||
                   strcmp(state, "received") == 0
               ? WIRE
               : PROCESSING;
}

/* Return the number of kprofile's row for STATE, or KPROFILE_OWN_ROWS if it has none. */
static size_t own_row_of(const char *state)
{
    size_t row = 0;

    for (; row < KPROFILE_OWN_ROWS; row++)
        for (size_t i = 0; i < STATES_OF_ROW && own_rows[row].states[i]; i++)
            if (strcmp(own_rows[row].states[i], state) == 0)
                return row;
    return row;
}

static void begin_kprofile_table(struct kprofile_table *table)
{
    for (size_t i = 0; i < KPROFILE_OWN_ROWS; i++)
        table->rows[i] = (struct kprofile_row){.state = own_rows[i].name,
                                               .mean = NAN,
                                               .adjusted = NAN,
                                               .low = NAN,
                                               .high = NAN,
                                               .share = NAN,
                                               .share_without_queues = NAN,
                                               .share_of_processing = NAN};
    table->row_count = KPROFILE_OWN_ROWS;
}

/* Add the times of STATE to ROW, which may already have the times of another state. RPCS is the
 * number of RPCs in the table. */
static void add_state_to_row(struct kprofile_row *row, const struct phase_row *state, uint64_t rpcs)
{
    const double before = row->count ? row->adjusted : 0;

    row->count += state->count;
    row->adjusted = before + state->adjusted;
    row->mean = row->adjusted * (double)rpcs / (double)row->count;
    row->low = fmin(row->low, state->low); /* fmin() and fmax() ignore the initial NAN */
    row->high = fmax(row->high, state->high);
}

/* Add STATES' adjusted times to WHOLES, the denominators of the three columns of shares: the first
 * counts all states, the second all but QUEUE, the third only PROCESSING. */
static void add_wholes(const struct state_table *states, double wholes[3])
{
    for (size_t i = 0; i < states->row_count; i++) {
        const struct phase_row *state = &states->rows[i];
        const enum part part = part_of(state);

        wholes[0] += state->adjusted;
        wholes[1] += part == QUEUE ? 0 : state->adjusted;
        wholes[2] += part == PROCESSING ? state->adjusted : 0;
    }
}

static void set_shares(struct kprofile_row *row, enum part part, const double wholes[3])
{
    row->share = row->adjusted / wholes[0];
    row->share_without_queues = part == QUEUE ? NAN : row->adjusted / wholes[1];
    row->share_of_processing = part == PROCESSING ? row->adjusted / wholes[2] : NAN;
}

void kprofile_make(struct kprofile_table *table, const char *procedure,
                   const struct state_table *states)
{
    double wholes[3] = {0};

    memset(table, 0, sizeof *table);
    begin_kprofile_table(table);
    add_wholes(states, wholes);
    for (size_t i = 0; i < states->row_count; i++) {
        const struct phase_row *state = &states->rows[i];
        const size_t own = own_row_of(state->type->name);
        const size_t number = own < KPROFILE_OWN_ROWS ? own : table->row_count++;
        struct kprofile_row *row = &table->rows[number];

        if (own == KPROFILE_OWN_ROWS)
            *row = (struct kprofile_row){.state = state->type->name, .low = NAN, .high = NAN};
        add_state_to_row(row, state, states->tasks);
        set_shares(row, part_of(state), wholes);
    }
    table->procedure = procedure;
    table->rpcs = states->tasks;
    table->lifetime_ns = states->lifetime_ns;
    table->lifetime_low_ns = states->lifetime_low_ns;
    table->lifetime_high_ns = states->lifetime_high_ns;
    table->adjusted_lifetime_ns = states->sum_ns;
    table->discrepancy_ns = states->lifetime_ns - states->sum_ns;
    table->discrepancy = states->discrepancy;
}
