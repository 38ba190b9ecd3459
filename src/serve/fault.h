/* Faults of a single call, so that programs that verify calls can be tested. With all faults but
 * FAULT_FAILED the server reports success, but does not carry a valid call out correctly. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rpc/wire.h"

enum fault {
    FAULT_NONE,
    FAULT_LOST,       /* a change is not carried out, but success is reported */
    FAULT_DUPLICATED, /* WRITE: the data are also written just after their range */
    /* WRITE: the data are written after their range instead. READ: the data of another offset */
    FAULT_SHIFTED,
    /* WRITE: only the first half is written. READ: the second half is of another offset */
    FAULT_TORN,
    FAULT_LATE,   /* WRITE: carried out again after the next WRITE to the same file and offset */
    FAULT_FAILED, /* the call is not carried out, but answered with NFS3ERR_IO */
};

/* A fault, and the number of the call that has the fault. */
struct policy_fault {
    enum fault kind;
    /* number of the call, from 1; calls of the procedure that get an injected error are not
     * counted; 0: no fault */
    uint64_t number;
};

/* A WRITE that is kept to be carried out again (FAULT_LATE). */
struct fault_kept {
    uint64_t node, generation, offset;
    uint8_t *data; /* COUNT bytes allocated by malloc(); NULL: no WRITE is kept */
    uint32_t count;
};

/* Replace the WRITE in KEPT by a WRITE of COUNT bytes, a copy of DATA, at OFFSET of file NODE with
 * GENERATION. If there is no memory, KEPT then has no WRITE. */
void fault_keep(struct fault_kept *kept, uint64_t node, uint64_t generation, uint64_t offset,
                const uint8_t *data, uint32_t count);

/* Return the name of fault INDEX, from 0 on, or NULL after the last fault. */
const char *fault_name_at(size_t index);

/* Return the fault called NAME ("lost") if calls of PROCEDURE can have it, else FAULT_NONE. */
enum fault fault_find(const char *name, int procedure);

/* Write RESULTS of a successful call of PROCEDURE without attributes and handles, for FAULT_LOST.
 * PROCEDURE is not WRITE. */
void fault_acknowledge(uint32_t procedure, struct wire_writer *results);
