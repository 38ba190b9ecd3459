/* An engine: a way in which calls reach the wire and are timed. One interface, several ways; each
 * has a folder with a struct engine_type. engines.h has the table of all. */
#pragma once

#include <stdatomic.h>

#include "engine/channel/channel.h"
#include "engine/channel/endpoint.h"
#include "engine/procedure.h"
#include "engine/resent.h"
#include "measure/load.h"
#include "rpc/credential.h"

struct engine_call;
struct engine_sequence;
struct local_call;
struct mount_calls;
struct mount_state;
struct mounted_operation;

/* One call of a block that holds calls of several procedures. */
struct engine_step {
    const struct engine_call *call;
    size_t variant;
    bool is_last; /* no later call of the block is of the same procedure */
};

/* A call that is ready to be made any number of times, in the four forms that engines need. nfs/
 * fills in two of them, and run/ the others; engines know nothing of NFS. Where calls are not all
 * alike there are several variants, which engine_run() takes in turn; or each has a place, which is
 * drawn before the block and written into the message that it names. */
struct engine_call {
    const struct rpc_procedure *procedure;
    const struct identity *identity; /* the credential of the call */
    uint64_t pause_ns;               /* spent spinning before each call, untimed; usually 0 */

    size_t variants; /* 1 or more */
    size_t first;    /* the variant that engine_run() begins with; usually 0 */

    /* The messages, encoded once; the channel writes the record mark and xid in front each time. */
    struct channel_message *messages;
    const struct engine_place *places; /* of the calls, from number 0 on; NULL: none have any */
    /* Check that the result in REPLY, from where the RPC header ends, is whole and well formed.
     * Returns 0, the procedure's own status when it is not success (more than 0), or -EBADMSG.
     * After 0, REPLY is at the result's end; what is left are trailing bytes. */
    int (*check)(const void *context, struct wire_reader *reply);
    const void *context;
    /* Verify what a good reply to call NUMBER brought, beyond its form, and note that the call was
     * acknowledged. REPLY has LENGTH bytes from the xid on; in the second form, RESULT is what an
     * engine's own library has decoded. They return 0, or a status as check() does. Several threads
     * may call them at once, each for other numbers. NULL: there is nothing to verify. */
    int (*verify)(const void *context, size_t number, const uint8_t *reply, size_t length);
    int (*verify_decoded)(const void *context, size_t number, const void *result);
    /* What the check compares replies with, and sets to what a good one had, such as a verifier;
     * replies to other threads' calls change it, too. NULL: each reply is checked by itself. */
    const _Atomic uint64_t *compared;
    /* The op is several calls, one after the other, and neither the messages nor the check are used
     * (engine/sequence.h). NULL: it is one call. */
    const struct engine_sequence *sequence;
    void *sequence_state;
    /* Trailing bytes are refused, and not only counted; among calls of several procedures, a reply
     * that can't be decoded ends the block, and is not only counted. */
    bool strict;

    /* Under load, calls of several procedures: call I of engine_run() is STEPS[I], and the members
     * above are not used. NULL: all calls are this one. */
    const struct engine_step *steps;
    /* Set those from FIRST on, which CLIENT makes next: COUNT of them. With one thread only. NULL:
     * all are set from the beginning. */
    void (*choose)(void *chooser, unsigned client, size_t first, size_t count);
    void *chooser;

    /* As libtirpc's client needs it: decoded arguments, and memory for the result. */
    void *arguments;       /* those of all variants, one after the other */
    size_t arguments_size; /* of each variant's arguments, in bytes */
    /* Calls with places: fill in the ARGUMENTS of call NUMBER, which point into what it belongs to.
     */
    void (*fill_arguments)(const void *context, size_t number, void *arguments);
    void *result;
    /* The status of a decoded result, as check() returns it. */
    int (*status)(const void *context, const void *result);

    /* As an engine on a mount needs it; the others don't use it, and it uses none of the above but
     * the pause. */
    const struct mounted_operation *operation;

    /* As the engine for local files needs it, with the places. */
    const struct local_call *local;
};

/* The message of call NUMBER: the one that its place names, or of its variant; after the last
 * variant comes the first again. Most calls have one variant, and a division takes as long as the
 * rest of adding a call. */
static inline const struct channel_message *engine_message(const struct engine_call *call,
                                                           size_t number)
{
    if (call->places)
        return &call->messages[call->places[number].message];
    return &call->messages[number < call->variants ? number
                           : call->variants == 1   ? 0
                                                   : number % call->variants];
}

/* Its place; NULL where calls have none. */
static inline const struct engine_place *engine_place(const struct engine_call *call, size_t number)
{
    return call->places ? &call->places[number] : NULL;
}

enum {
    ENGINE_ERRORS_MAXIMUM = 8,
    /* Plus an errno: the status of a system call that failed. Statuses of procedures are less. */
    ENGINE_SYSTEM_ERROR = 100000,
    ENGINE_MISMATCH = 4096, /* in place of an errno, which is less: a system call read other data
                               than it should */
    ENGINE_DATA_MISMATCH = ENGINE_SYSTEM_ERROR + ENGINE_MISMATCH,
};

/* What the clock measured of each timed call under load beside its latency, in ticks. Entries with
 * the same index belong together, and to the latency with that index. Each array has room for a
 * block. */
struct engine_detail {
    uint64_t *done;   /* when its reply had arrived */
    uint32_t *number; /* its number in the block */
    /* Open loop, where a call's latency counts from when it was due: */
    uint64_t *service; /* the time from when it was sent */
    uint64_t *held;    /* how long after it was due it could not be sent (enum load_hold) */
};

struct engine_error {
    int status; /* more than 0: the procedure's own, or a system call's; less: minus an enum
                 * rpc_outcome, or -EBADMSG for a reply that can't be decoded */
    uint64_t count;
};

/* What happened to the calls of a series, apart from their latencies. */
struct engine_tally {
    struct channel_counts counts;
    struct engine_gaps gaps; /* in which calls were sent again; without those that an engine's
                                library hides */
    /* Under load, of the latest block: the longest times for which the server, or a call that
     * others overtook, did not answer (engine/silence.h). */
    struct engine_gaps waits;
    uint64_t failed; /* calls answered by an error: the sum of the list below */
    struct engine_error
        errors[ENGINE_ERRORS_MAXIMUM]; /* by status; the last entry counts those that don't fit */
    size_t error_kinds;
    /* Ops of several calls that were answered well, their calls with their bytes (without record
     * marks), and the entries of directories that they brought. */
    uint64_t sequences, sequence_calls, sequence_entries;
    uint64_t sequence_call_bytes, sequence_reply_bytes;
    uint64_t trailing; /* good replies with bytes after the end of their result; engines whose
                          library decodes don't see them */

    /* Under load. */
    uint64_t steady_calls, steady_ticks; /* replies that came while all calls were in flight, and
                                            how long that was */
    /* From replies to the next calls in their places, and how many of these there were; 0: not
     * known. */
    uint64_t turn_ticks, turn_calls;
    /* In an open loop: calls that were sent and never answered, calls that were due and never sent,
     * and for how long calls that were due could not be sent, by what kept them. */
    uint64_t unanswered, unsent, held_ticks[LOAD_HOLDS];
    uint64_t owed_since; /* ticks: when the oldest of the calls was sent that a block was given up
                            without an answer to; 0: there was none */
    struct load_client *clients;  /* by number; NULL: not wanted */
    struct engine_detail *detail; /* NULL: not wanted */
};

/* Count a call, or COUNT calls, that were answered by an error. */
void engine_count_error(struct engine_tally *tally, int status);
void engine_count_errors(struct engine_tally *tally, int status, uint64_t count);

/* Count the error, and pause briefly, as a client should before it tries again. */
void engine_note_error(struct engine_tally *tally, int status);

/* Add the counts of ADDED to SUM (but not its clients and detail). */
void engine_tally_add(struct engine_tally *sum, const struct engine_tally *added);

/* The status of a reply to CALL, whose LENGTH BYTES begin with the xid: 0; more than 0 for the
 * procedure's own; minus the RPC outcome; or -EBADMSG (which no outcome reaches). Trailing bytes
 * are counted in TALLY (NULL: not wanted). */
int engine_check_reply(const struct engine_call *call, const uint8_t *bytes, size_t length,
                       struct engine_tally *tally);

/* STATUS, or if it is 0, what CALL's verification of the same reply to call NUMBER says. */
static inline int engine_verify_reply(const struct engine_call *call, size_t number,
                                      const uint8_t *bytes, size_t length, int status)
{
    return status == 0 && call->verify ? call->verify(call->context, number, bytes, length)
                                       : status;
}

/* The same for RESULT, which an engine's own library has decoded: what CALL says of its status and,
 * if that is 0, of the rest. */
static inline int engine_check_decoded(const struct engine_call *call, size_t number,
                                       const void *result)
{
    int status = call->status(call->context, result);

    return status == 0 && call->verify_decoded ? call->verify_decoded(call->context, number, result)
                                               : status;
}

/* The same for the reply to the call with TAG, of the several that CALL's op is. */
int engine_check_part(const struct engine_call *call, uint32_t tag, const uint8_t *bytes,
                      size_t length, struct engine_tally *tally);

/* Set ERROR: a reply of LENGTH bytes can't be decoded. Returns -EBADMSG. */
int engine_refuse_garbage(size_t length, struct error *error);

/* Spend the pause before CALL, if it has one, on the processor. */
void engine_pause(const struct engine_call *call);

struct engine_config {
    struct endpoint endpoint;
    struct channel_options channel;
    const struct clock *clock;
    struct load load;
    bool count_resent; /* calls that were sent again leave a sample, too: from when they were first
                          sent */
    struct mount_state *on_mount; /* where the engine makes system calls, instead of endpoint and
                                     channel */
};

struct engine;
struct worker_type;

struct engine_type {
    const char *name;
    bool counts_retransmissions; /* false: the library underneath does not report them */
    bool spins;                  /* can wait for replies without sleeping */
    bool tcp_only;
    bool sets_receive_window;   /* of its TCP connections, as struct channel_options says */
    bool has_kerberos;          /* can protect calls as struct channel_options says */
    bool has_tls;               /* can make connections over TLS, likewise */
    bool opens_in_time;         /* a call's time includes the decryption of the reply */
    bool takes_sequences;       /* makes ops of several calls */
    const char *const *own_ops; /* names of ops of its own, which are no procedures; ends with NULL.
                                   NULL: it has none */
    /* Can it make calls of PROCEDURE? NULL: it can make any. */
    bool (*makes)(const struct rpc_procedure *procedure);
    /* One call at a time, by one client. OPEN is NULL where WORKER makes such calls, too. */
    int (*open)(struct engine **engine, const struct engine_config *config, struct error *error);
    int (*run)(struct engine *engine, const struct engine_call *call, struct block *block,
               struct engine_tally *tally, struct error *error);
    void (*close)(struct engine *engine);
    /* What engine_sockets() does. NULL: the engine can't tell. */
    size_t (*sockets)(const struct engine *engine, int *fds, size_t room);
    /* How it makes calls under load. NULL: one at a time, with a thread for each connection. */
    const struct worker_type *worker;
    /* How a run is made by system calls on a mount (run/mount_calls.h). NULL: the engine calls a
     * server. */
    const struct mount_calls *mount;
};

/* The core's own engine, which is the usual one. */
extern const struct engine_type engine_wire;

/* The first member of every engine. */
struct engine {
    const struct engine_type *type;
};

/* Connect with one call in flight, by TYPE itself, which has an open(). Returns as engine_open().
 */
int engine_open_single(struct engine **engine, const struct engine_type *type,
                       const struct engine_config *config, struct error *error);

/* Connect. If CONFIG has a load, start its threads, which wait until they are given calls. Returns
 * 0, or a negative errno with ERROR set. */
int engine_open(struct engine **engine, const struct engine_type *type,
                const struct engine_config *config, struct error *error);

/* Make the calls of BLOCK, one after the other (under load: with as many at once as should be in
 * flight), and set its ticks, of each call that succeeded at the first attempt, and their number. A
 * call that fails, or succeeds only after a retransmission or a reconnection, is counted in TALLY
 * and leaves no sample (unless those that were sent again are to be counted). Under a closed-loop
 * load the calls that filled the connections at first leave none either, unless COUNT is less than
 * twice the number in flight; in an open loop every call that was answered leaves one (but see
 * BLOCK's settle_ticks). Returns 0
 * when all calls were made; -EINTR when asked to stop; else a negative errno with ERROR set, when
 * the server is gone or sends garbage (but see engine_ends_by_garbage()). */
int engine_run(struct engine *engine, const struct engine_call *call, struct block *block,
               struct engine_tally *tally, struct error *error);

/* Write the descriptors of at most ROOM of ENGINE's sockets to FDS, equally many of each thread
 * where there are enough. No block may be under way. ENGINE owns the sockets: in a later block it
 * may close one, whose descriptor may then be another file's. Returns their number; 0 if ENGINE is
 * NULL, has no connection, or can't tell. */
size_t engine_sockets(const struct engine *engine, int *fds, size_t room);

void engine_close(struct engine *engine);
