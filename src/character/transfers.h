/* READs and WRITEs of many sizes over a link. */
#pragma once

#include "character/character.h"
#include "character/link.h"

enum { TRANSFER_SIZES = 11, TRANSFER_MOST = 1 << 20 };
enum { TRANSFER_PIECE = 4096, TRANSFER_ODD = 513 }; /* of calls that are aligned, or not */
enum transfer_kind { TRANSFER_READ, TRANSFER_WRITE, TRANSFER_KINDS };

struct transfers {
    struct lab *lab;
    struct link link;
    struct nfs_handle file;                                     /* of 2 x TRANSFER_MOST bytes */
    uint8_t *data;                                              /* likewise */
    uint32_t limits[TRANSFER_KINDS], preferred[TRANSFER_KINDS]; /* rtmax and wtmax; likewise */
    size_t counts[TRANSFER_KINDS];                              /* of sizes that are tried */
    uint32_t sizes[TRANSFER_KINDS][TRANSFER_SIZES];             /* they ascend */
    struct channel_message messages[TRANSFER_KINDS][TRANSFER_SIZES];
    struct channel_message odd[TRANSFER_KINDS]; /* of TRANSFER_PIECE at TRANSFER_ODD */
    uint32_t xid;
};

extern const char *const transfer_names[TRANSFER_KINDS]; /* "READ" */

/* Make the file and the messages: of the sizes up to the server's limit, the preferred one and the
 * limit among them. Returns 0, or a negative errno with ERROR set; call transfers_close() in either
 * case. */
int transfers_open(struct transfers *transfers, struct lab *lab, struct error *error);
void transfers_close(struct transfers *transfers);

/* Make the call of a MESSAGE of KIND. Returns 0, or a negative errno with ERROR set. */
int transfers_call(struct transfers *transfers, enum transfer_kind kind,
                   const struct channel_message *message, uint64_t *ticks, struct error *error);

/* Add to ANSWER what becomes of twice as many bytes as the server's limit. The connection may not
 * survive that. Returns 0, or a negative errno with ERROR set. */
int transfers_try_beyond(struct transfers *transfers, enum transfer_kind kind,
                         struct character_answer *answer, struct error *error);
