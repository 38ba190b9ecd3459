/* Faults of a single call, so that programs that verify calls can be tested. With most faults the
 * server reports success, but does not carry the call out correctly. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rpc/wire.h"

enum fault {
    FAULT_NONE,
    FAULT_LOST,       /* the call is not carried out */
    FAULT_DUPLICATED, /* WRITE: the data are also written just after their range */
    FAULT_SHIFTED,    /* WRITE: the data are written only just after their range. READ: data from
                         another offset are read */
    FAULT_TORN, /* WRITE: only the first half of the data is written. READ: the second half is data
                   from another offset */
    FAULT_LATE, /* WRITE: carried out again after the next WRITE to the same file and offset */
    FAULT_FAILED, /* the call is answered with NFS3ERR_IO and not carried out; the only fault that
                     is reported */
};

/* A fault, and the number of the call that has the fault. */
struct policy_fault {
    enum fault kind;
    uint64_t number; /* number of the call among the calls of its procedure since the server's
                        start, from 1; 0: no fault */
};

/* A WRITE that is kept to be carried out again (FAULT_LATE). */
struct fault_kept {
    uint64_t node, generation, offset;
    uint8_t *data; /* COUNT bytes, owned; NULL: no WRITE is kept */
    uint32_t count;
};

/* Keep a WRITE with a copy of DATA instead of the WRITE in KEPT. If there is no memory, no WRITE is
 * kept. */
void fault_keep(struct fault_kept *kept, uint64_t node, uint64_t generation, uint64_t offset,
                const uint8_t *data, uint32_t count);

/* Return the name of fault INDEX, from 0 on, or NULL after the last fault. */
const char *fault_name_at(size_t index);

/* Return the fault called NAME ("lost") if calls of PROCEDURE can have it, else FAULT_NONE. */
enum fault fault_find(const char *name, int procedure);

/* Write the RESULTS of a successful call of PROCEDURE that was not carried out (FAULT_LOST),
 * without attributes and handles. PROCEDURE is any procedure that can be lost, except WRITE. */
void fault_acknowledge(uint32_t procedure, struct wire_writer *results);
