/* Faults of a single call. Most are not reported: the call is acknowledged and not carried out as
 * it should be, so that what verifies calls can be tried. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rpc/wire.h"

enum fault {
    FAULT_NONE,
    FAULT_LOST,       /* the call is not carried out */
    FAULT_DUPLICATED, /* WRITE: the data are also written just after their range */
    FAULT_SHIFTED,    /* WRITE: they are written there only. READ: data of another place are read */
    FAULT_TORN,       /* WRITE: only the first half of the data is written. READ: the other half is
                       * data of another place */
    FAULT_LATE,       /* WRITE: carried out again after the next WRITE to the same place */
    FAULT_FAILED, /* answered by NFS3ERR_IO, and not carried out: the only one that is reported */
};

/* The call that has a fault. */
struct policy_fault {
    enum fault kind;
    uint64_t number; /* of the calls of a procedure since the server's start, from 1 on; 0: none */
};

/* A WRITE that is to be carried out again. */
struct fault_kept {
    uint64_t node, generation, offset;
    uint8_t *data; /* NULL: there is none */
    uint32_t count;
};

/* Keep a WRITE; without memory there is none. */
void fault_keep(struct fault_kept *kept, uint64_t node, uint64_t generation, uint64_t offset,
                const uint8_t *data, uint32_t count);

/* The name of fault INDEX, from 0 on, or NULL after the last. */
const char *fault_name_at(size_t index);

/* The fault called NAME ("lost"), if calls of PROCEDURE can have it; else FAULT_NONE. */
enum fault fault_find(const char *name, int procedure);

/* Write the results of a call of PROCEDURE, which can be lost and is not WRITE, that succeeded:
 * without any attributes or handles. */
void fault_acknowledge(uint32_t procedure, struct wire_writer *results);
