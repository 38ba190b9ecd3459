#include "serve/fault.h"

#include <stdlib.h>
#include <string.h>

#include "nfs3.h"

#define OF(procedure) (1u << (procedure))
#define OF_LOST                                                                                    \
    (OF(NFSPROC3_SETATTR) | OF(NFSPROC3_WRITE) | OF(NFSPROC3_CREATE) | OF(NFSPROC3_MKDIR) |        \
     OF(NFSPROC3_SYMLINK) | OF(NFSPROC3_MKNOD) | OF(NFSPROC3_REMOVE) | OF(NFSPROC3_RMDIR) |        \
     OF(NFSPROC3_RENAME) | OF(NFSPROC3_LINK))

/* The faults, and the procedures whose calls can have them. */
static const struct {
    const char *name;
    enum fault kind;
    uint32_t procedures;
} faults[] = {
    {"lost", FAULT_LOST, OF_LOST},
    {"duplicated", FAULT_DUPLICATED, OF(NFSPROC3_WRITE)},
    {"shifted", FAULT_SHIFTED, OF(NFSPROC3_WRITE) | OF(NFSPROC3_READ)},
    {"torn", FAULT_TORN, OF(NFSPROC3_WRITE) | OF(NFSPROC3_READ)},
    {"late", FAULT_LATE, OF(NFSPROC3_WRITE)},
    {"failed", FAULT_FAILED, ~OF(NFSPROC3_NULL)},
};

const char *fault_name_at(size_t index)
{
    return index < sizeof faults / sizeof faults[0] ? faults[index].name : NULL;
}

enum fault fault_find(const char *name, int procedure)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (strcmp(faults[i].name, name) == 0 && procedure >= 0 &&
            faults[i].procedures >> procedure & 1)
            return faults[i].kind;
    return FAULT_NONE;
}

void fault_keep(struct fault_kept *kept, uint64_t node, uint64_t generation, uint64_t offset,
                const uint8_t *data, uint32_t count)
{
    free(kept->data);
    *kept = (struct fault_kept){
        .node = node, .generation = generation, .offset = offset, .count = count};
    kept->data = malloc(count ? count : 1);
    if (kept->data && count)
        memcpy(kept->data, data, count);
}

/* Return the number of words after the status in a successful result without attributes and handles
 * (RFC 1813 section 3.3). An empty post_op_fh3 or post_op_attr is one word, empty wcc_data are two
 * words. PROCEDURE is one of OF_LOST, except WRITE. */
static size_t count_absent(uint32_t procedure)
{
    enum { HANDLE = 1, ATTRIBUTES = 1, WCC = 2 };

    switch (procedure) {
    case NFSPROC3_CREATE:
    case NFSPROC3_MKDIR:
    case NFSPROC3_SYMLINK:
    case NFSPROC3_MKNOD:
        return HANDLE + ATTRIBUTES + WCC;
    case NFSPROC3_RENAME:
        return WCC + WCC;
    case NFSPROC3_LINK:
        return ATTRIBUTES + WCC;
    default:
        return WCC;
    }
}

void fault_acknowledge(uint32_t procedure, struct wire_writer *results)
{
    wire_put_u32(results, NFS3_OK);
    for (size_t i = 0; i < count_absent(procedure); i++)
        wire_put_u32(results, FALSE);
}
