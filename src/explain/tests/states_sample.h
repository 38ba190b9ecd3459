/* A result of states: one system call of 1000 ns with one RPC of 700 ns. */
#pragma once

#include <string.h>

#include "explain/states/states.h"

struct states_sample {
    struct states_op op;
    struct states_result result;
};

/* Fill SAMPLE, whose result gets RUN. Returns 0 or -ENOMEM. Release its OP with states_close(). */
static inline int states_sample_fill(struct states_sample *sample, const struct result *run)
{
    enum { CALLER = 42, CLIENT = 5, XID = 77, TRANSPORT = 0x800, TASK = 0x1000, STEP = 0x2000 };
    struct rpc_event events[] = {
        {.at_ns = 5000, .type = RPC_CALL_ENTERED},
        {.at_ns = 5200, .type = RPC_BEGUN, .task = TASK, .name = "GETATTR"},
        {.at_ns = 5250, .type = RPC_ACTION, .task = TASK, .value = STEP},
        {.at_ns = 5300, .type = RPC_SENT, .task = TASK, .value = TRANSPORT, .number = XID},
        {.at_ns = 5600, .type = RPC_REPLIED, .value = TRANSPORT, .number = XID},
        {.at_ns = 5700, .type = RPC_WOKEN, .task = TASK},
        {.at_ns = 5800, .type = RPC_ACTION, .task = TASK, .value = STEP},
        {.at_ns = 5900, .type = RPC_ENDED, .task = TASK},
        {.at_ns = 5901, .type = RPC_MEASURED, .task = TASK, .value = 700},
        {.at_ns = 6000, .type = RPC_CALL_RETURNED},
    };
    int code = rpc_states_open(&sample->op.rpcs, CALLER);

    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        events[i].process = CALLER;
        events[i].number = events[i].type == RPC_BEGUN ? CLIENT : events[i].number;
    }
    if (code == 0)
        code = rpc_states_add(&sample->op.rpcs, events, sizeof events / sizeof events[0], 0);
    sample->op.op = "getattr";
    sample->op.system_call = "statx";
    sample->op.calls = 1;
    sample->op.untraced_ns = 90000;
    sample->op.untraced_typical_ns = 900;
    sample->result = (struct states_result){.ops = &sample->op, .op_count = 1, .run = run};
    return code ? code : states_make_tables(&sample->op, &(const struct predictions){.count = 0});
}
