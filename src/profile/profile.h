/* A profile of the NFS traffic in a capture: calls, replies, errors and latencies of each NFSv3
 * procedure; numbers of calls of other programs and versions; and what the capture lacks. */
#pragma once

#include "engine/engine.h"
#include "output/view/view.h"
#include "profile/dissection.h"
#include "profile/distribution.h"

/* above this share of unread packets on NFS ports, the view and the workload state the share */
#define PROFILE_UNREAD_NOTED 0.02

enum {
    PROFILE_PROCEDURES = 22, /* number of procedures of NFSv3 */
    /* maximum of pairs of program and version; further pairs are counted in the last entry */
    PROFILE_PROGRAMS_MAXIMUM = 128,
    /* maximum number of clients, and of servers, that are distinguished */
    PROFILE_HOSTS_MAXIMUM = 4096,
};

struct profile_calls {
    uint64_t calls;         /* number of calls; a call that was sent again counts once */
    uint64_t replies;       /* number of calls that were answered */
    uint64_t retransmitted; /* number of times that a call was sent again with the same xid */
};

struct profile_procedure {
    const char *name;
    struct profile_calls count;
    /* bytes of the messages counted in CALLS and in REPLIES, without record marks */
    uint64_t call_bytes, reply_bytes;
    struct engine_tally tally; /* number of replies with each error */
    uint64_t protected;        /* number of replies whose status is encrypted (RPCSEC_GSS) */
    /* number of replies whose status is CALL_STATUS_CUT, mostly because it was not captured */
    uint64_t cut;
    /* Times in ns from the last byte of a call's first transmission to its reply's last byte. */
    struct distribution latency;
    struct result_latency summary; /* LATENCY, rounded to ticks of the capture's clock */
};

/* A program and version whose calls are counted but not decoded. */
struct profile_program {
    uint32_t program, version;
    struct profile_calls count;
};

/* Packets with data from or to an NFS port: 2049, or a port to which NFS calls were sent.
 * Retransmitted segments do not count. */
struct profile_packets {
    uint64_t all;
    uint64_t unread;     /* packets that were not understood as RPC */
    uint64_t unread_cut; /* unread packets that the snap length cut */
};

struct profile_counts {
    uint64_t packets;
    uint64_t other;      /* packets without readable headers of IP and of TCP or UDP */
    uint64_t cut;        /* packets of which the capture has only the beginning */
    uint64_t late;       /* packets with an earlier timestamp than a packet before them */
    uint64_t incomplete; /* fragmented IP packets that lack a fragment */
    struct profile_packets nfs;
    /* Of TCP connections with RPC messages: */
    /* number of directions that began before the capture: the first captured segment is no SYN */
    uint64_t begun_inside;
    uint64_t retransmitted, reordered; /* numbers of segments */
    /* HOLES: number of gaps; MISSING: number of bytes in gaps. A late segment can fill only the
     * last gap of its direction. */
    uint64_t holes, missing;
    /* Numbers of RPC messages: */
    uint64_t messages;
    uint64_t given_up;  /* NFSv3 calls without a reply within 10 s, or within the next 2^17 calls */
    uint64_t unmatched; /* replies whose call is not known, mostly because it was not captured */
    uint64_t duplicates;  /* replies to calls that had been answered before */
    uint64_t undecodable; /* messages whose RPC header is cut or malformed */
};

struct profile_hosts {
    uint64_t addresses[PROFILE_HOSTS_MAXIMUM]; /* hashes of addresses */
    size_t count;
};

struct profile {
    const char *path;    /* path of the capture */
    uint64_t begin, end; /* times of the capture's earliest and latest packet, ns since 1970 */
    /* tick of the clock that set the timestamps, ns; 0 if no coarse tick was found */
    double clock_tick;
    uint64_t over_tcp, over_udp; /* NFSv3 calls by transport, with calls sent again */
    /* Index: the procedure's number; after profile_finish(), only procedures with calls remain. */
    struct profile_procedure procedures[PROFILE_PROCEDURES];
    size_t procedure_count;
    struct profile_program programs[PROFILE_PROGRAMS_MAXIMUM];
    size_t program_count;
    struct profile_hosts clients, servers; /* hosts that NFSv3 calls came from, and went to */
    char ended_by[300]; /* why the capture could not be read to its end; "" if it was */
    struct profile_counts counts;
};

/* Return whether CALL is a call of a procedure of NFSv3. */
bool profile_decodes(const struct message *call);

/* Count CALL as a new call (IS_NEW), or as a retransmission. */
void profile_add_call(struct profile *profile, const struct message *call, bool is_new);

/* Count REPLY, the first reply to CALL. REPLY was captured at TIME (ns since 1970). */
void profile_add_reply(struct profile *profile, const struct captured_call *call, uint64_t time,
                       const struct message *reply);

/* Return the number, from 0, of the host whose address has the hash ADDRESS; add it if it is new.
 * Hosts beyond the maximum get the last number. */
uint32_t profile_add_host(struct profile_hosts *hosts, uint64_t address);

/* Return the name of the RPC program with number PROGRAM, such as "portmapper"; NULL if it is not
 * related to NFS. */
const char *profile_program_name(uint32_t program);

/* Return the number of NFSv3 calls; a call that was sent again counts once. */
uint64_t profile_calls(const struct profile *profile);

/* Return the share of packets on NFS ports that were not understood: 0 to 1; 0 without packets. */
double profile_unread(const struct profile *profile);

/* Return the time from the earliest to the latest packet of the capture, in s. */
double profile_seconds(const struct profile *profile);

/* Summarize latencies in ticks of the capture's clock, and remove procedures that were not called.
 * Nothing can be added afterwards. */
void profile_finish(struct profile *profile);

extern const struct view view_profile;
