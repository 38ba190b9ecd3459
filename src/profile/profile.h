/* A profile of the NFS traffic in a capture: calls, replies, errors and latencies of each procedure
 * of NFSv3, numbers of calls of other programs and versions, and what the capture lacks. */
#pragma once

#include "engine/engine.h"
#include "output/view/view.h"
#include "profile/dissection.h"
#include "profile/distribution.h"

/* above this share of unread packets, the view begins with the share */
#define PROFILE_UNREAD_NOTED 0.02

enum {
    PROFILE_PROCEDURES = 22, /* number of NFSv3's procedures */
    /* maximum of programs and versions; further ones are counted in the last entry */
    PROFILE_PROGRAMS_MAXIMUM = 128,
    /* Maximum number of clients, or servers, that are distinguished. */
    PROFILE_HOSTS_MAXIMUM = 4096,
};

struct profile_calls {
    uint64_t calls;         /* number of calls, each counted once, however often it was sent */
    uint64_t replies;       /* number of replies to these calls, each counted once */
    uint64_t retransmitted; /* number of times that a call was sent again with the same xid */
};

struct profile_procedure {
    const char *name;
    struct profile_calls count;
    uint64_t call_bytes, reply_bytes; /* bytes of RPC messages, without record marks */
    struct engine_tally tally;        /* errors by status, as engines count them */
    uint64_t protected;               /* replies whose status is encrypted (RPCSEC_GSS) */
    uint64_t cut;                     /* replies whose status was not captured */
    /* Times in ns from the last byte of a call's first transmission to that of its reply. */
    struct distribution latency;
    struct result_latency summary; /* summary of LATENCY, in whole ticks of the capture's clock */
};

/* A program and version whose calls are counted but not decoded. */
struct profile_program {
    uint32_t program, version;
    struct profile_calls count;
};

/* Packets with data from and to NFS ports: 2049, and ports to which NFS calls were sent.
 * Retransmitted segments are left out. */
struct profile_packets {
    uint64_t all;
    uint64_t unread;     /* packets that were not understood as RPC */
    uint64_t unread_cut; /* unread packets that the snap length cut */
};

/* What was captured, and what is missing. */
struct profile_counts {
    uint64_t packets;
    uint64_t other;      /* packets that are not IP, neither TCP nor UDP, or malformed */
    uint64_t cut;        /* packets of which the capture has only the beginning */
    uint64_t late;       /* packets that are earlier than a packet before them */
    uint64_t incomplete; /* fragmented packets that lack a fragment */
    struct profile_packets nfs;
    /* For TCP connections with RPC: */
    /* number of directions whose first captured segment is no SYN: their connection began before
     * the capture */
    uint64_t begun_inside;
    uint64_t retransmitted, reordered; /* numbers of segments */
    /* HOLES: gaps in the data that were never filled; MISSING: bytes that are missing in them */
    uint64_t holes, missing;
    /* For RPC messages: */
    uint64_t messages;
    uint64_t given_up;    /* NFSv3 calls without a reply within 10 s, or before too many calls */
    uint64_t unmatched;   /* replies to calls that were not captured */
    uint64_t duplicates;  /* replies to calls that had been answered before */
    uint64_t undecodable; /* messages whose RPC header is cut or malformed */
};

struct profile_hosts {
    uint64_t addresses[PROFILE_HOSTS_MAXIMUM]; /* hashes */
    size_t count;
};

struct profile {
    const char *path;    /* path of the capture */
    uint64_t begin, end; /* times of the capture's first and last packet, ns since 1970 */
    /* tick of the clock that set the timestamps, ns; 0 if no coarse tick was found */
    double clock_tick;
    uint64_t over_tcp, over_udp; /* number of NFSv3 calls over TCP, over UDP */
    /* By the procedure's number; after profile_finish(), only procedures that occurred. */
    struct profile_procedure procedures[PROFILE_PROCEDURES];
    size_t procedure_count;
    struct profile_program programs[PROFILE_PROGRAMS_MAXIMUM];
    size_t program_count;
    struct profile_hosts clients, servers; /* hosts that sent, and that received, NFSv3 calls */
    /* why the capture cannot be read to its end; "" if it was read to its end */
    char ended_by[300];
    struct profile_counts counts;
};

/* Return whether CALL belongs to a procedure of NFSv3. */
bool profile_decodes(const struct message *call);

/* Count CALL, which was sent for the first time (IS_NEW) or again. */
void profile_add_call(struct profile *profile, const struct message *call, bool is_new);

/* Count REPLY, which came at TIME, as the first reply to CALL. */
void profile_add_reply(struct profile *profile, const struct captured_call *call, uint64_t time,
                       const struct message *reply);

/* Add a host by the hash of its address. Returns its number, from 0. If there is no more room, all
 * further hosts get the last number. */
uint32_t profile_add_host(struct profile_hosts *hosts, uint64_t address);

/* Return the name of PROGRAM if it belongs to NFS, such as "portmapper"; else NULL. */
const char *profile_program_name(uint32_t program);

/* Return the number of calls of all procedures of NFSv3. */
uint64_t profile_calls(const struct profile *profile);

/* Return the share of packets on NFS ports that were not understood, 0 to 1. */
double profile_unread(const struct profile *profile);

/* Return the time between the first and the last packet in seconds. */
double profile_seconds(const struct profile *profile);

/* Summarize latencies in ticks of the capture's clock, and remove procedures that did not occur.
 * Nothing can be added afterwards. */
void profile_finish(struct profile *profile);

extern const struct view view_profile;
