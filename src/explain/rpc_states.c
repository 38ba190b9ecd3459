#include "explain/rpc_states.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TYPE(...)                                                                                  \
    &(const struct phase_type)                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const struct phase_type *const phases[RPC_PHASES] = {
    [RPC_PHASE_BEFORE] =
        TYPE(.key = "before-rpc", .name = "before the RPC",
             .meaning = "from the system call's entry until an RPC begins", .kind = PHASE_CLIENT),
    [RPC_PHASE_BEGUN] =
        TYPE(.key = "rpc-begun", .name = "RPC begun",
             .meaning = "until its first step; one that the caller does not wait for itself "
                        "waits for a thread of the kernel",
             .kind = PHASE_QUEUEING),
    [RPC_PHASE_PREPARED] =
        TYPE(.key = "prepared", .name = "prepared",
             .meaning = "slot, credential, buffer and encoding", .kind = PHASE_CLIENT),
    [RPC_PHASE_SENT] = TYPE(.key = "sent", .name = "sent",
                            .meaning = "from its step transmit until the call is in the socket",
                            .kind = PHASE_CLIENT),
    [RPC_PHASE_AWAY] = TYPE(.key = "network-and-server", .name = "network and server",
                            .meaning = "until data arrive in the client's socket",
                            .kind = PHASE_NETWORK_AND_SERVER),
    [RPC_PHASE_RECEIVED] =
        TYPE(.key = "received", .name = "received",
             .meaning = "until the reply is read and the RPC woken", .kind = PHASE_CLIENT),
    [RPC_PHASE_WOKEN] = TYPE(.key = "rpc-woken", .name = "RPC woken",
                             .meaning = "until it has a processor", .kind = PHASE_QUEUEING),
    [RPC_PHASE_DECODED] = TYPE(.key = "decoded", .name = "decoded", .meaning = "until the RPC ends",
                               .kind = PHASE_CLIENT),
    [RPC_PHASE_CALLER_WAITS] =
        TYPE(.key = "caller-woken", .name = "caller woken",
             .meaning = "until the caller has a processor, if it did not wait in the RPC",
             .kind = PHASE_QUEUEING),
    [RPC_PHASE_RETURNED] = TYPE(.key = "returned", .name = "returned",
                                .meaning = "until the system call returns", .kind = PHASE_CLIENT),
};

static const struct phase_view view = {
    .name = "system-call", .phases = phases, .count = RPC_PHASES};

const struct phase_view *const rpc_phase_views[] = {&view, NULL};

const struct phase_type *rpc_phase_type(enum rpc_phase phase)
{
    return phases[phase];
}

/* Opening */

static void name_first_states(struct rpc_states *rpcs)
{
    for (unsigned i = 0; i < STATES_MAXIMUM; i++)
        rpcs->list[i].type.name = rpcs->list[i].name;
    snprintf(rpcs->list[STATE_OTHER].name, RPC_STATE_NAME_SIZE, "other states");
    rpcs->count = STATES_FIRST;
    rpcs->group_count = RPC_GROUPS_FIRST;
}

int rpc_states_open(struct rpc_states *rpcs, uint32_t caller)
{
    memset(rpcs, 0, sizeof *rpcs);
    rpcs->caller = caller;
    name_first_states(rpcs);
    rpcs->states = calloc(1, sizeof *rpcs->states);
    return rpcs->states ? 0 : -ENOMEM;
}

void rpc_states_close(struct rpc_states *rpcs)
{
    free(rpcs->states);
    rpcs->states = NULL;
}

void rpc_states_clear(struct rpc_states *rpcs)
{
    memset(rpcs->states, 0, sizeof *rpcs->states);
}

/* Names */

/* "call_transmit.isra.0" is "transmit". */
static void set_name(struct rpc_state *state, const char *symbol)
{
    static const char *const prefixes[] = {"call_", "rpc_", "xprt_"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);

        if (strncmp(symbol, prefixes[i], length) == 0) {
            symbol += length;
            break;
        }
    }
    snprintf(state->name, sizeof state->name, "%.*s", (int)strcspn(symbol, "."), symbol);
}

void rpc_states_name(struct rpc_states *rpcs, FILE *symbols)
{
    char line[512], symbol[256];
    uint64_t address;

    while (fgets(line, sizeof line, symbols)) {
        if (sscanf(line, "%" SCNx64 " %*c %255s", &address, symbol) != 2 || address == 0)
            continue;
        for (size_t i = STATES_FIRST; i < rpcs->count; i++)
            if (rpcs->list[i].function == address)
                set_name(&rpcs->list[i], symbol);
    }
}

void rpc_states_table(const struct rpc_states *rpcs, size_t group, struct state_table *table)
{
    const struct phase_type *types[STATES_MAXIMUM];

    for (size_t i = 0; i < STATES_MAXIMUM; i++)
        types[i] = i < RPC_PHASES ? phases[i] : &rpcs->list[i].type;
    state_table_make(table, &rpcs->states->groups[group], types);
}
