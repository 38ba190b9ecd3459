/* What tshark says of a frame of a capture: a line of values, one column for each of the fields
 * that dissection_fields() names. Nothing in it is trusted: what does not fit together is not
 * known. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hash.h"
#include "nfs/procedures/procedures.h"

enum { CALL_NAME_SIZE = 64 };

/* Instead of a status, where that is encrypted, or was not captured. */
enum { CALL_STATUS_ENCRYPTED = 1 << 20, CALL_STATUS_CUT };

static inline bool call_status_is_known(int status)
{
    return status < CALL_STATUS_ENCRYPTED;
}

/* An RPC message. An object of NFSv3 is known by the hash of its handle; 0: none, or not captured.
 */
struct message {
    bool is_call, decoded; /* DECODED: its header is whole */
    uint32_t xid;
    size_t length; /* bytes, without record marks */

    /* Of a call. */
    uint32_t program, version, procedure;
    bool encrypted;                 /* RPCSEC_GSS with privacy (RFC 2203 section 5.3.1) */
    bool is_cut;                    /* its op is not known because the snap length cut the frame */
    const struct nfs_procedure *op; /* NULL: not known, as where the arguments are encrypted */
    uint64_t object;                /* that it is applied to */
    uint64_t offset, cookie;        /* of READ and WRITE; of READDIR and READDIRPLUS */
    uint32_t count;                 /* of READ and WRITE: bytes */
    bool has_range;                 /* OFFSET and COUNT are known */
    char name[CALL_NAME_SIZE];      /* of LOOKUP and CREATE, the beginning of a longer one; or "" */

    /* Of a reply: 0; more than 0, an nfsstat3; less, minus an enum rpc_outcome; or what
     * call_status_is_known() denies. */
    int status;
    uint64_t handle;  /* the object that LOOKUP or CREATE returned */
    bool is_listing;  /* the successful reply of READDIR or READDIRPLUS, */
    bool to_end;      /* the last of the directory, with */
    uint64_t entries; /* so many of them */
};

/* A call, and what has become of it. */
struct captured_call {
    struct message message;
    uint64_t key;    /* by which its reply finds it */
    uint64_t flow;   /* the connection's key */
    uint64_t time;   /* when its last byte came, the first time that it was sent */
    uint32_t client; /* number of the client */
    bool answered;
    bool given_up; /* it no longer counts as in flight, though it has not been answered */
    /* The op of its client's last call, as far as that was answered; NULL: there was none. */
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

    uint32_t data; /* bytes of the segment or of the datagram, without headers */
    /* Whether these bytes were found to be a message of RPC, or a part of a record that goes on. */
    bool is_understood;
    /* A datagram in which tshark found nothing, because it knows no call with this xid: its only
     * message was made of a reply's header. */
    bool is_lone_reply;

    /* Of TCP. */
    uint32_t sequence; /* the number of the first byte */
    unsigned flags;
    bool is_retransmitted, is_reordered;

    struct message *messages;
    size_t count;
    size_t unfinished; /* bytes of fragments of the record after these */
};

/* The plain op of the procedure NUMBER of NFSv3, which is the first of its ops; NULL: it has none.
 */
const struct nfs_procedure *dissection_op(uint64_t number);

struct dissection;

/* NULL without memory. */
struct dissection *dissection_open(void);
void dissection_close(struct dissection *dissection);

/* The fields that tshark is to print; NULL ends them. Columns are separated by tabs, and values of
 * one column by DISSECTION_AGGREGATOR: tshark escapes both in names. */
const char *const *dissection_fields(void);
#define DISSECTION_AGGREGATOR "\f"

/* Read LINE, which is changed. The frame is valid until the next line. False where it is no such
 * line. */
bool dissection_read(struct dissection *dissection, char *line, struct frame *frame);
