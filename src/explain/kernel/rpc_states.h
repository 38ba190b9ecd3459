/* Derives the states of RPCs and of requests in the kernel's server, and the phases of the system
 * calls that caused the RPCs, from the kernel's events (struct rpc_event), independent of how the
 * events were recorded. */
#pragma once

#include <stdio.h>

#include "explain/kernel/kernel_event.h"
#include "measure/states.h"

enum {
    RPC_STATE_NAME_SIZE = 32,
    RPC_CLIENTS_MAXIMUM = 8, /* a mount needs two, for NFS and NFS_ACL */
};

/* The phases, in order, of a system call that makes the client send an RPC. They are also the first
 * states: a phase and its state have the same number. */
enum rpc_phase {
    RPC_PHASE_BEFORE,
    RPC_PHASE_BEGUN,
    RPC_PHASE_PREPARED,
    RPC_PHASE_SENT,
    RPC_PHASE_AWAY,
    RPC_PHASE_RECEIVED,
    RPC_PHASE_WOKEN,
    RPC_PHASE_DECODED,
    RPC_PHASE_CALLER_WAITS,
    RPC_PHASE_RETURNED,
    RPC_PHASES,
};

/* Names and meanings of enum rpc_phase. */
extern const struct phase_type rpc_phase_types[RPC_PHASES];

struct rpc_state {
    char name[RPC_STATE_NAME_SIZE]; /* a function's address until rpc_states_name() */
    /* address of the function if the state is a step of the state machine; else 0 */
    uint64_t function;
    struct phase_type type; /* TYPE's name is NAME; unused for phases (rpc_phase_types) */
};

/* Numbers of states after the phases. STATE_OTHER collects states for which there is no space. */
enum { STATE_OTHER = RPC_PHASES, STATES_FIRST };

/* The first groups of tasks; the groups of procedures follow. RPC_GROUP_CALLS: system calls.
 * RPC_GROUP_OTHERS: RPCs of other mounts, and tasks for whose group there is no space. */
enum { RPC_GROUP_CALLS, RPC_GROUP_OTHERS, RPC_GROUPS_FIRST };

struct rpc_states {
    uint32_t caller; /* process that makes the system calls */
    struct rpc_state list[STATES_MAXIMUM];
    size_t count;
    /* procedure of each group */
    char groups[STATES_GROUPS_MAXIMUM][sizeof((struct rpc_event){0}.name)];
    bool of_server[STATES_GROUPS_MAXIMUM]; /* the group has requests in the kernel's server, not
                                              RPCs */
    size_t group_count;
    uint32_t clients[RPC_CLIENTS_MAXIMUM]; /* numbers of the caller's RPC clients */
    size_t client_count;
    struct states *states;
};

/* Prepare for events of the process CALLER and of the RPCs of its mount. Returns 0 or -ENOMEM. */
int rpc_states_open(struct rpc_states *rpcs, uint32_t caller);
void rpc_states_close(struct rpc_states *rpcs);

void rpc_states_clear(struct rpc_states *rpcs);

/* Add the tasks that begin and end in COUNT EVENTS, sorted by time. LOST is the number of missing
 * events; if it is not 0, no tasks are added. Returns 0 or -ENOMEM. */
int rpc_states_add(struct rpc_states *rpcs, const struct rpc_event *events, size_t count,
                   uint64_t lost);

/* Name the states that are functions. SYMBOLS has the lines of /proc/kallsyms. A function that is
 * not listed there keeps its address as its name. */
void rpc_states_name(struct rpc_states *rpcs, FILE *symbols);

/* Make TABLE of the tasks in GROUP. TABLE points into RPCS. */
void rpc_states_table(const struct rpc_states *rpcs, size_t group, struct state_table *table);
