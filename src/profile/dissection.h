/* Reads the frames of a capture from tshark's output: a line per frame, with a column per field of
 * dissection_fields(). A value that may belong to another message counts as unknown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hash.h"
#include "nfs/procedures/procedures.h"

enum { CALL_NAME_SIZE = 64 };

/* Values of a reply's status if the real status is encrypted, or is not known for another reason,
 * for example because it was not captured. */
enum { CALL_STATUS_ENCRYPTED = 1 << 20, CALL_STATUS_CUT };

static inline bool call_status_is_known(int status)
{
    return status < CALL_STATUS_ENCRYPTED;
}

/* An RPC message. An NFSv3 object is identified by a hash of its handle; 0: not known. */
struct message {
    bool is_call, decoded; /* IS_CALL: call (true) or reply; DECODED: the RPC header is complete */
    uint32_t xid;
    size_t length; /* length of the message in bytes, without record marks */

    /* Valid for calls only: */
    uint32_t program, version, procedure;
    bool encrypted; /* the call uses RPCSEC_GSS with privacy (RFC 2203 section 5.3.1) */
    bool is_cut;    /* the op is not known because the snap length cut the frame */
    /* The call's op; NULL if not known, for example because the arguments are encrypted. */
    const struct nfs_procedure *op;
    uint64_t object;           /* hash of the handle that the call is applied to */
    uint64_t offset, cookie;   /* offset of a READ or WRITE; cookie of a READDIR or READDIRPLUS */
    uint32_t count;            /* bytes that a READ or WRITE requests */
    bool has_range;            /* OFFSET and COUNT are known */
    char name[CALL_NAME_SIZE]; /* name in a LOOKUP or CREATE, possibly truncated; else "" */

    /* Set for replies only. STATUS: 0 for success, an nfsstat3 if positive, minus an enum
     * rpc_outcome if negative, or CALL_STATUS_ENCRYPTED or CALL_STATUS_CUT. */
    int status;
    uint64_t handle;  /* hash of the handle that LOOKUP, CREATE, MKDIR, SYMLINK or MKNOD returned */
    bool is_listing;  /* the message is a complete successful reply of READDIR or READDIRPLUS */
    bool to_end;      /* the listing reaches the end of the directory */
    uint64_t entries; /* number of entries in the listing */
};

struct captured_call {
    struct message message;
    uint64_t key;  /* hash of connection, direction and xid */
    uint64_t flow; /* hash of the connection's two ends */
    /* time when the last byte of the call's first transmission was captured, ns since 1970 */
    uint64_t time;
    uint32_t client; /* number of the client, from 0 */
    bool answered;
    bool given_up; /* the call was not answered in time, and no longer counts as in flight */
    /* The op of the same client's previous call; NULL if there is none, or if it was not known when
     * this call was sent. */
    const struct nfs_procedure *after;
};

enum frame_kind { FRAME_OTHER, FRAME_FRAGMENT, FRAME_TCP, FRAME_UDP };

enum { FRAME_FIN = 1, FRAME_SYN = 2, FRAME_RST = 4 };

struct frame {
    uint64_t time; /* time when the frame was captured, ns since 1970 */
    bool is_cut;   /* the snap length cut the frame */
    enum frame_kind kind;
    /* IS_FIRST_FRAGMENT, IS_LAST_FRAGMENT: the frame is the first, or the last, fragment of an IP
     * packet; IS_REASSEMBLED: tshark reassembled an IP packet here */
    bool is_first_fragment, is_last_fragment, is_reassembled;
    struct {
        uint64_t host, port; /* HOST: hash of the address; PORT: hash of address and port */
    } from, to;
    bool is_nfs_port; /* the source or the destination port is 2049 */

    uint32_t data; /* bytes of data in the TCP segment or UDP datagram */
    /* The data are an RPC message, or may be a part of a record that continues later. */
    bool is_understood;
    /* tshark found no message in this datagram, because tshark knows no call with this xid. The
     * only message was made by lone_reply_read(). */
    bool is_lone_reply;

    /* Of TCP: */
    uint32_t sequence; /* sequence number of the segment's first byte */
    unsigned flags;
    bool is_retransmitted, is_reordered;

    struct message *messages;
    size_t count;
    /* bytes in this frame of a record that later frames end; not in the LENGTH of any message */
    size_t unfinished;
};

/* Return the first op of procedure NUMBER of NFSv3; NULL if there is none. */
const struct nfs_procedure *dissection_op(uint64_t number);

struct dissection;

/* Return a new dissection, or NULL if there is no memory. */
struct dissection *dissection_open(void);
void dissection_close(struct dissection *dissection);

/* Return the names of the fields that tshark has to print, ended by NULL. tshark separates columns
 * by tabs, and values in a column by DISSECTION_AGGREGATOR. Some versions escape these in names. */
const char *const *dissection_fields(void);
#define DISSECTION_AGGREGATOR "\f"

/* Read LINE, which is changed, into FRAME, which is valid until the next call. Returns false if
 * LINE does not have the columns of dissection_fields(), or has no valid time or length. */
bool dissection_read(struct dissection *dissection, char *line, struct frame *frame);
