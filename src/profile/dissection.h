/* The frames of a capture as tshark prints them: a line per frame, with a column per field of
 * dissection_fields(). Values are not trusted: if they contradict each other, they count as
 * unknown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hash.h"
#include "nfs/procedures/procedures.h"

enum { CALL_NAME_SIZE = 64 };

/* A reply's status if the real status is encrypted (ENCRYPTED) or was not captured (CUT). */
enum { CALL_STATUS_ENCRYPTED = 1 << 20, CALL_STATUS_CUT };

static inline bool call_status_is_known(int status)
{
    return status < CALL_STATUS_ENCRYPTED;
}

/* An RPC message. NFSv3 objects are identified by the hash of their handle; 0 if not known. */
struct message {
    bool is_call, decoded; /* IS_CALL: false: a reply; DECODED: the header is complete */
    uint32_t xid;
    size_t length; /* length of the message in bytes, without record marks */

    /* Known for a call: */
    uint32_t program, version, procedure;
    bool encrypted; /* the call uses RPCSEC_GSS with privacy (RFC 2203 section 5.3.1) */
    bool is_cut;    /* the op is not known because the snap length cut the frame */
    /* The op of the call. NULL if not known, for example if the arguments are encrypted. */
    const struct nfs_procedure *op;
    uint64_t object;           /* object that the call is applied to */
    uint64_t offset, cookie;   /* offset of a READ or WRITE; cookie of a READDIR or READDIRPLUS */
    uint32_t count;            /* bytes that a READ or WRITE asks for */
    bool has_range;            /* OFFSET and COUNT are known */
    char name[CALL_NAME_SIZE]; /* name in a LOOKUP or CREATE, possibly cut; or "" */

    /* Status of a reply: 0 for success, an nfsstat3 if positive, minus an enum rpc_outcome if
     * negative, or CALL_STATUS_ENCRYPTED or CALL_STATUS_CUT. */
    int status;
    uint64_t handle;  /* object that LOOKUP or CREATE returned */
    bool is_listing;  /* the message is a successful reply of READDIR or READDIRPLUS */
    bool to_end;      /* the listing reaches the end of the directory */
    uint64_t entries; /* number of entries in the listing */
};

struct captured_call {
    struct message message;
    uint64_t key;  /* key by which a reply finds its call */
    uint64_t flow; /* key of the connection */
    /* time when the last byte of the call's first transmission came, ns since 1970 */
    uint64_t time;
    uint32_t client; /* number of the client */
    bool answered;
    bool given_up; /* the call no longer counts as in flight, although it was not answered */
    /* The op of the previous call of the same client, as known at that time; NULL if there was
     * none. */
    const struct nfs_procedure *after;
};

enum frame_kind { FRAME_OTHER, FRAME_FRAGMENT, FRAME_TCP, FRAME_UDP };

enum { FRAME_FIN = 1, FRAME_SYN = 2, FRAME_RST = 4 };

struct frame {
    uint64_t time; /* time of the frame, ns since 1970 */
    bool is_cut;   /* the snap length cut the frame */
    enum frame_kind kind;
    /* IS_FIRST_FRAGMENT, IS_LAST_FRAGMENT: the frame has the first, or the last, fragment of an IP
     * packet; IS_REASSEMBLED: tshark reassembled an IP packet here */
    bool is_first_fragment, is_last_fragment, is_reassembled;
    struct {
        uint64_t host, port; /* hashes; HOST: of the address; PORT: of address and port */
    } from, to;
    bool is_nfs_port; /* one of the ports is 2049 */

    uint32_t data; /* bytes of data in the TCP segment or UDP datagram */
    /* The data are an RPC message, or a part of a record that continues. */
    bool is_understood;
    /* tshark found no message in this datagram, because tshark knows no call with this xid. The
     * only message was made from the header of a reply. */
    bool is_lone_reply;

    /* Of TCP: */
    uint32_t sequence; /* sequence number of the first byte */
    unsigned flags;
    bool is_retransmitted, is_reordered;

    struct message *messages;
    size_t count;
    size_t unfinished; /* bytes of record fragments that follow the complete messages */
};

/* Return the plain op of procedure NUMBER of NFSv3, the first of its ops; NULL if none. */
const struct nfs_procedure *dissection_op(uint64_t number);

struct dissection;

/* Open a dissection. Returns NULL if there is no memory. */
struct dissection *dissection_open(void);
void dissection_close(struct dissection *dissection);

/* Return the names of the fields that tshark has to print; ends with NULL. tshark separates columns
 * by tabs, and the values in a column by DISSECTION_AGGREGATOR. tshark escapes both separators in
 * names. */
const char *const *dissection_fields(void);
#define DISSECTION_AGGREGATOR "\f"

/* Read LINE, which is changed, into FRAME. FRAME is valid until the next call. Returns false if
 * LINE does not have the columns of dissection_fields(). */
bool dissection_read(struct dissection *dissection, char *line, struct frame *frame);
