#include "explain/kernel/rpc_states.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct phase_type rpc_phase_types[RPC_PHASES] = {
    {"before-rpc", "before the RPC", "from the system call's entry until an RPC begins",
     PHASE_CLIENT},
    {"rpc-begun", "RPC begun",
     "until its first step; an RPC that the caller does not wait for waits for a thread of the "
     "kernel",
     PHASE_QUEUEING, .flags = PHASE_PROCESSOR},
    {"prepared", "prepared", "slot, credential, buffer and encoding", PHASE_CLIENT},
    {"sent", "sent", "from its step transmit until the call is in the socket", PHASE_CLIENT},
    {"network-and-server", "network and server", "until data arrive in the client's socket",
     PHASE_NETWORK_AND_SERVER},
    {"received", "received", "until the reply is read and the RPC woken", PHASE_CLIENT},
    {"rpc-woken", "RPC woken", "until it has a processor", PHASE_QUEUEING,
     .flags = PHASE_PROCESSOR},
    {"decoded", "decoded", "until the RPC ends", PHASE_CLIENT},
    {"caller-woken", "caller woken",
     "until the caller has a processor, if it did not wait in the RPC", PHASE_QUEUEING,
     .flags = PHASE_PROCESSOR},
    {"returned", "returned", "until the system call returns", PHASE_CLIENT},
};

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

/* Name STATE after SYMBOL: "call_transmit.isra.0" becomes "transmit". */
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
        types[i] = i < RPC_PHASES ? &rpc_phase_types[i] : &rpcs->list[i].type;
    state_table_make(table, &rpcs->states->groups[group], types);
}
