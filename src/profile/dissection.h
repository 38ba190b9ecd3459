/* The frames of a capture as tshark prints them: a line per frame, with a column per field of
 * dissection_fields(). Values are not trusted; those that contradict each other are not known. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hash.h"
#include "nfs/procedures/procedures.h"

enum { CALL_NAME_SIZE = 64 };

/* Used instead of a status that is encrypted or was not captured. */
enum { CALL_STATUS_ENCRYPTED = 1 << 20, CALL_STATUS_CUT };

static inline bool call_status_is_known(int status)
{
    return status < CALL_STATUS_ENCRYPTED;
}

/* An RPC message. NFSv3 objects are identified by the hash of their handle; 0 if not known. */
struct message {
    bool is_call, decoded; /* DECODED: the header is complete */
    uint32_t xid;
    size_t length; /* bytes, without record marks */

    /* Of a call: */
    uint32_t program, version, procedure;
    bool encrypted; /* RPCSEC_GSS with privacy (RFC 2203 section 5.3.1) */
    bool is_cut;    /* the op is not known because the snap length cut the frame */
    /* NULL if not known, for example if the arguments are encrypted. */
    const struct nfs_procedure *op;
    uint64_t object;           /* that the call is applied to */
    uint64_t offset, cookie;   /* of READ and WRITE; of READDIR and READDIRPLUS */
    uint32_t count;            /* of READ and WRITE: bytes */
    bool has_range;            /* OFFSET and COUNT are known */
    char name[CALL_NAME_SIZE]; /* of LOOKUP and CREATE, possibly cut; or "" */

    /* Of a reply: 0 for success, an nfsstat3 if positive, minus an enum rpc_outcome if negative, or
     * CALL_STATUS_ENCRYPTED or CALL_STATUS_CUT. */
    int status;
    uint64_t handle;  /* of the object that LOOKUP or CREATE returned */
    bool is_listing;  /* a successful reply of READDIR or READDIRPLUS */
    bool to_end;      /* of a listing: it reaches the end of the directory */
    uint64_t entries; /* of a listing: number of entries */
};

/* A call and its state. */
struct captured_call {
    struct message message;
    uint64_t key;    /* for finding the call of a reply */
    uint64_t flow;   /* the connection's key */
    uint64_t time;   /* when the last byte of its first transmission came */
    uint32_t client; /* number of the client */
    bool answered;
    bool given_up; /* no longer counts as in flight, although it was not answered */
    /* The op of the client's call before, as known at that time; NULL if there was none. */
    const struct nfs_procedure *after;
};

enum frame_kind { FRAME_OTHER, FRAME_FRAGMENT, FRAME_TCP, FRAME_UDP };

enum { FRAME_FIN = 1, FRAME_SYN = 2, FRAME_RST = 4 };

struct frame {
    uint64_t time; /* ns since 1970 */
    bool is_cut;   /* by the snap length */
    enum frame_kind kind;
    bool is_first_fragment, is_last_fragment, is_reassembled; /* of an IP packet */
    struct {
        uint64_t host, port; /* hashes: of the address; of address and port */
    } from, to;
    bool is_nfs_port; /* one of the ports is 2049 */

    uint32_t data; /* bytes of the TCP segment or UDP datagram, without headers */
    /* The data is an RPC message, or a part of a record that continues. */
    bool is_understood;
    /* A datagram in which tshark found no message because it does not know a call with this xid.
     * Its only message was made from the header of a reply. */
    bool is_lone_reply;

    /* Of TCP: */
    uint32_t sequence; /* number of the first byte */
    unsigned flags;
    bool is_retransmitted, is_reordered;

    struct message *messages;
    size_t count;
    size_t unfinished; /* bytes of record fragments after MESSAGES */
};

/* Return the plain op of procedure NUMBER of NFSv3, the first of its ops; NULL if none. */
const struct nfs_procedure *dissection_op(uint64_t number);

struct dissection;

/* NULL if there is no memory. */
struct dissection *dissection_open(void);
void dissection_close(struct dissection *dissection);

/* Return the fields that tshark has to print; ends with NULL. Columns are separated by tabs, values
 * in a column by DISSECTION_AGGREGATOR. tshark escapes both in names. */
const char *const *dissection_fields(void);
#define DISSECTION_AGGREGATOR "\f"

/* Read LINE, which is changed, into FRAME. FRAME is valid until the next call. Returns false if
 * LINE is not a line of these fields. */
bool dissection_read(struct dissection *dissection, char *line, struct frame *frame);
