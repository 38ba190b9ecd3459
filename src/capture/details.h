/* What a call of NFSv3 is applied to, and what its reply brings, as far as a workload has it. No
 * data are looked at; an object is known by the hash of its handle. */
#pragma once

#include "common/hash.h"
#include "nfs/procedures.h"

enum { CALL_NAME_SIZE = 64 };

struct call_details {
    const struct nfs_procedure *op; /* NULL: not known, as where the arguments are encrypted */
    uint64_t object;                /* hash of its handle; 0: none, or not captured */
    uint64_t offset, cookie;        /* of READ and WRITE; of READDIR and READDIRPLUS */
    uint32_t count;                 /* of READ and WRITE: bytes */
    bool has_range;                 /* OFFSET and COUNT are known */
    /* The op of its client's last call, as far as that was answered; NULL: there was none. */
    const struct nfs_procedure *after;
    char name[CALL_NAME_SIZE]; /* of LOOKUP and CREATE, the beginning of a longer one; or "" */
};

/* Read the arguments of a call of PROCEDURE. */
void details_read_call(struct call_details *details, uint32_t procedure, struct wire_reader *reader,
                       const struct hash_key *key);

/* The hash of the handle in the results of LOOKUP or CREATE, after the status; 0: there is none. */
uint64_t details_read_handle(uint32_t procedure, struct wire_reader *reader,
                             const struct hash_key *key);

/* What a successful reply of READDIR or READDIRPLUS lists. */
struct listed {
    uint64_t entries;
    bool to_end; /* of the directory */
};

/* Read the results after the status. False where they are cut or malformed. */
bool details_read_listing(struct listed *listed, uint32_t procedure, struct wire_reader *reader);
