/* What a capture says of NFS: for each procedure of NFSv3 its calls, replies, errors and latencies;
 * other programs and versions by their numbers of calls; and what the capture lacks. */
#pragma once

#include "engine/engine.h"
#include "output/view/view.h"
#include "profile/dissection.h"
#include "profile/distribution.h"

/* A larger share of unread packets is said first. */
#define PROFILE_UNREAD_NOTED 0.02

enum {
    PROFILE_PROCEDURES = 22,        /* of NFSv3 */
    PROFILE_PROGRAMS_MAXIMUM = 128, /* versions beyond these count as the last */
    PROFILE_HOSTS_MAXIMUM = 4096,   /* clients, or servers, that are told apart */
};

struct profile_calls {
    uint64_t calls;         /* each once, however often it was sent */
    uint64_t replies;       /* to these, each once */
    uint64_t retransmitted; /* calls that came again, with the same xid */
};

struct profile_procedure {
    const char *name;
    struct profile_calls count;
    uint64_t call_bytes, reply_bytes; /* of RPC messages, without record marks */
    struct engine_tally tally;        /* errors by status, as engines count them */
    uint64_t protected;               /* replies whose status is encrypted (RPCSEC_GSS) */
    uint64_t cut;                     /* replies whose status was not captured */
    struct distribution latency;   /* ns, from the last byte of the call, when it was first sent, to
                                      the last byte of its reply */
    struct result_latency summary; /* of that, in whole ticks of the capture's clock */
};

/* A program and version that is counted, and not decoded. */
struct profile_program {
    uint32_t program, version;
    struct profile_calls count;
};

/* Packets with data, from and to the ports that servers of NFS have: 2049, and those to which calls
 * of NFS were sent. Retransmitted segments are left out. */
struct profile_packets {
    uint64_t all;
    uint64_t unread; /* of these, not understood as RPC: what is in them is in no other figure */
    uint64_t unread_cut; /* of these, cut by the snap length */
};

/* What was captured, and what is missing. */
struct profile_counts {
    uint64_t packets;
    uint64_t other;      /* not IP, or neither TCP nor UDP, or malformed */
    uint64_t cut;        /* the capture has less of them than there was */
    uint64_t late;       /* they are earlier than one that was read before them */
    uint64_t incomplete; /* packets in fragments, of which some are missing */
    struct profile_packets nfs;
    /* Of TCP connections with RPC. */
    uint64_t begun_inside;             /* directions of connections that began before the capture */
    uint64_t retransmitted, reordered; /* segments */
    uint64_t holes, missing;           /* gaps that nothing filled, and the bytes in them */
    /* Of RPC messages. */
    uint64_t messages;
    uint64_t given_up;    /* calls of NFSv3 without a reply for 10 s, or until there were too many
                             later ones */
    uint64_t unmatched;   /* replies to calls that were not captured */
    uint64_t duplicates;  /* replies to calls that were answered before */
    uint64_t undecodable; /* messages whose RPC header is cut or malformed */
};

struct profile_hosts {
    uint64_t addresses[PROFILE_HOSTS_MAXIMUM]; /* their hashes */
    size_t count;
};

struct profile {
    const char *path;    /* of the capture */
    uint64_t begin, end; /* of its packets: ns since 1970 */
    double clock_tick;   /* ns, of the clock that timestamped the packets; 0: no coarse one is known
                          */
    uint64_t over_tcp, over_udp;                             /* calls of NFSv3 */
    struct profile_procedure procedures[PROFILE_PROCEDURES]; /* by number; once the profile is
                                                                finished, only those seen */
    size_t procedure_count;
    struct profile_program programs[PROFILE_PROGRAMS_MAXIMUM];
    size_t program_count;
    struct profile_hosts clients, servers; /* of NFSv3 */
    char ended_by[300]; /* why the capture can't be read to its end; "": it was */
    struct profile_counts counts;
};

/* Is CALL of one of the procedures of NFSv3? */
bool profile_decodes(const struct message *call);

/* Count a call that was sent for the first time (IS_NEW), or again. */
void profile_add_call(struct profile *profile, const struct message *call, bool is_new);

/* Count the first reply to CALL, which came at TIME. */
void profile_add_reply(struct profile *profile, const struct captured_call *call, uint64_t time,
                       const struct message *reply);

/* Note a host by the hash of its address. Returns its number, from 0 on; the last one is also that
 * of all for which there is no room. */
uint32_t profile_add_host(struct profile_hosts *hosts, uint64_t address);

/* The name of a program that clients and servers of NFS use: "nfs", "portmapper"; NULL for any
 * other. */
const char *profile_program_name(uint32_t program);

/* The sum over all procedures of NFSv3. */
uint64_t profile_calls(const struct profile *profile);

/* The share of the packets on the ports of NFS that were not understood, 0 to 1. */
double profile_unread(const struct profile *profile);

/* The time between the first and the last packet, seconds. */
double profile_seconds(const struct profile *profile);

/* Summarize latencies by the profile's clock, and leave out the procedures that were not seen.
 * Nothing can be added after this. */
void profile_finish(struct profile *profile);

extern const struct view view_profile;
