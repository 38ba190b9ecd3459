/* The interface of engines. An engine makes the calls of a measurement and times each of them. Each
 * engine that --engine offers has a folder with a struct engine_type (table: engines.h). */
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

/* One call in a block that mixes calls of several procedures. */
struct engine_step {
    const struct engine_call *call;
    size_t variant;
    bool is_last; /* true if the block has no later call of the same procedure */
};

/* One kind of call, ready to be made any number of times. Most engines know nothing of NFS: nfs/
 * and run/ set these members. An engine uses only one form of the call: the messages, the decoded
 * arguments, the mount operation or the local file operation.
 *
 * If calls differ, they have either several variants, which engine_run() uses in turn, or places
 * (engine/patch.h). Each call's place is drawn before the block and written into the message that
 * the place names. */
struct engine_call {
    const struct rpc_procedure *procedure;
    const struct identity *identity; /* identity in the call's credential */
    /* time to spin untimed before each call; ignored by wire under load, on a mount and on local
     * files */
    uint64_t pause_ns;

    size_t variants; /* number of variants, 1 or more */
    /* Number of the first call of engine_run(). A call's number is its place in PLACES or, without
     * places, its variant modulo VARIANTS. */
    size_t first;

    /* Encoded messages: one for each variant or, if calls have places, the messages that the places
     * name. Record marks and xids are written later, for each call. */
    struct channel_message *messages;
    /* Places of the block's calls; the first call's index is FIRST. NULL: calls have no places. */
    const struct engine_place *places;
    /* Check that the result in REPLY is complete and well formed. REPLY is at the end of the RPC
     * header. Returns 0, the procedure's own status if it is an error (more than 0), or -EBADMSG.
     * After a return of 0, bytes left in REPLY are trailing bytes. */
    int (*check)(const void *context, struct wire_reader *reply);
    const void *context;
    /* Verify the content of a good reply to call NUMBER (from FIRST on), such as data read, and
     * note that the call was acknowledged. verify() gets the LENGTH bytes of REPLY from the xid on;
     * verify_decoded() gets RESULT, which an engine's own library has decoded. Both return 0 or a
     * status as check() does. Several threads may call them, for different numbers. NULL: none. */
    int (*verify)(const void *context, size_t number, const uint8_t *reply, size_t length);
    int (*verify_decoded)(const void *context, size_t number, const void *result);
    /* Value, such as a write verifier, that check() compares with each reply and sets from a good
     * reply. Several threads may do so at the same time. NULL: check() compares no value. */
    const _Atomic uint64_t *compared;
    /* If each op consists of several calls: its functions (engine/sequence.h); MESSAGES and CHECK
     * are not used. NULL: each op is one call. */
    const struct engine_sequence *sequence;
    void *sequence_state;
    /* If true, a reply with trailing bytes is treated as one that can't be decoded; if false, it is
     * counted. A reply that can't be decoded ends the block, unless STRICT is false and the block
     * has several procedures. */
    bool strict;

    /* If a block under load mixes several procedures, call I of engine_run() is STEPS[I], and the
     * members above are not used. NULL: the block has only calls of this kind. */
    const struct engine_step *steps;
    /* Set the steps of the next COUNT calls of CLIENT, from number FIRST on. Used with one thread
     * only. NULL: all steps are set before the block. */
    void (*choose)(void *chooser, unsigned client, size_t first, size_t count);
    void *chooser;

    /* Members for engine tirpc. Engine libnfs uses only STATUS; explain's engine, which encodes its
     * own calls (explain/phases/stamped.c), uses only the arguments. */
    void *arguments;       /* decoded arguments of all variants, one after the other */
    size_t arguments_size; /* size of one variant's arguments, in bytes */
    /* Set ARGUMENTS to those of call NUMBER (from FIRST on), if calls have places. ARGUMENTS then
     * point into CONTEXT's data. */
    void (*fill_arguments)(const void *context, size_t number, void *arguments);
    void *result;
    /* Return the status in the decoded RESULT: 0, or the procedure's error (more than 0). */
    int (*status)(const void *context, const void *result);

    /* Operation of the engine on a mount, which uses no member above. */
    const struct mounted_operation *operation;

    /* For the engine on local files, which uses only FIRST and PLACES of the members above. */
    const struct local_call *local;
};

/* Return the message of call NUMBER (from FIRST on): its place's or its variant's. With one
 * variant, the usual case, skip the slow division. */
static inline const struct channel_message *engine_message(const struct engine_call *call,
                                                           size_t number)
{
    if (call->places)
        return &call->messages[call->places[number].message];
    return &call->messages[number < call->variants ? number
                           : call->variants == 1   ? 0
                                                   : number % call->variants];
}

/* Return the place of call NUMBER (from FIRST on), or NULL if calls have no places. */
static inline const struct engine_place *engine_place(const struct engine_call *call, size_t number)
{
    return call->places ? &call->places[number] : NULL;
}

enum {
    ENGINE_ERRORS_MAXIMUM = 8,
    /* Status of a failed system call: this number plus the errno. Procedures' statuses are less. */
    ENGINE_SYSTEM_ERROR = 100000,
    /* Used in place of an errno if a system call read wrong data; greater than every errno. */
    ENGINE_MISMATCH = 4096,
    ENGINE_DATA_MISMATCH = ENGINE_SYSTEM_ERROR + ENGINE_MISMATCH,
};

/* Data of each timed call under load besides its latency; times are in ticks. Index I of each array
 * belongs to latency I. Each array has room for all calls of a block. */
struct engine_detail {
    uint64_t *done;   /* time at which the reply had arrived */
    uint32_t *number; /* number of the call in the block; may be NULL in a closed loop */
    /* Members only for an open loop, where a latency counts from when the call was due: */
    uint64_t *service; /* ticks from sending the call to its reply */
    uint64_t *held;    /* ticks for which the call was due but could not be sent (enum load_hold) */
};

struct engine_error {
    /* Above 0: status of the procedure, or ENGINE_SYSTEM_ERROR plus the errno of a system call.
     * Below 0: minus an enum rpc_outcome, or -EBADMSG for a reply that can't be decoded. */
    int status;
    uint64_t count;
};

/* Counts and times of a series' calls besides their latencies. */
struct engine_tally {
    struct channel_counts counts;
    /* Periods in which retransmitted calls waited for replies. Under load, the wire engine notes
     * only periods without any reply (engine/silence.h); without load, none for ops of several
     * calls. A library may hide some retransmissions. */
    struct engine_gaps gaps;
    /* Under load, in the latest block: the longest times in which a thread with calls in flight
     * received no reply, and (only by the wire engine) the longest waits of calls that later calls
     * overtook (engine/silence.h). */
    struct engine_gaps waits;
    uint64_t failed; /* number of failed calls: the sum of the counts in ERRORS */
    /* Failed calls by status. If there are more statuses than entries, the last entry counts the
     * calls of all further statuses, too. */
    struct engine_error errors[ENGINE_ERRORS_MAXIMUM];
    size_t error_kinds;
    /* Totals of the ops of several calls (engine/sequence.h) that succeeded. SEQUENCES: number of
     * ops. The other members: their calls, directory entries and bytes (without record marks). */
    uint64_t sequences, sequence_calls, sequence_entries;
    uint64_t sequence_call_bytes, sequence_reply_bytes;
    /* Number of good replies with bytes after the result; not counted if an engine's library
     * decodes replies. */
    uint64_t trailing;

    /* Under load. */
    /* Closed loop: STEADY_CALLS replies came while the requested number of calls was in flight, in
     * STEADY_TICKS. Open loop: STEADY_CALLS calls were sent in STEADY_TICKS. */
    uint64_t steady_calls, steady_ticks;
    /* TURN_TICKS: total time, in ticks, from each reply until the next call was sent in place of
     * the answered call. TURN_CALLS: number of these next calls. 0: unknown. */
    uint64_t turn_ticks, turn_calls;
    /* Open loop. UNANSWERED: number of calls that were sent and never answered. UNSENT: number of
     * calls that were due and never sent. HELD_TICKS: ticks for which due calls could not be sent,
     * by cause (enum load_hold). */
    uint64_t unanswered, unsent, held_ticks[LOAD_HOLDS];
    /* Send time, in ticks, of the oldest call given up at a block's or segment's end; 0: none. */
    uint64_t owed_since;
    struct load_client *clients;  /* results, indexed by client; NULL: not requested */
    struct engine_detail *detail; /* NULL: not requested */
};

/* Count in TALLY one call (or COUNT calls) that failed with STATUS. */
void engine_count_error(struct engine_tally *tally, int status);
void engine_count_errors(struct engine_tally *tally, int status, uint64_t count);

/* Count in TALLY a call that failed with STATUS, and pause for 1 ms. */
void engine_note_error(struct engine_tally *tally, int status);

/* Add the counts and periods of ADDED to SUM. SUM's clients and detail remain unchanged. */
void engine_tally_add(struct engine_tally *sum, const struct engine_tally *added);

/* Check the reply to CALL in the LENGTH BYTES, from its xid on. Returns 0, the procedure's own
 * status (more than 0), minus the enum rpc_outcome, or -EBADMSG if the reply can't be decoded.
 * -EBADMSG is less than minus any outcome. A good reply with trailing bytes is also -EBADMSG if
 * CALL is strict; if not, it is counted in TALLY (may be NULL), and 0 is returned. */
int engine_check_reply(const struct engine_call *call, const uint8_t *bytes, size_t length,
                       struct engine_tally *tally);

/* Verify the reply to call NUMBER in the LENGTH BYTES. STATUS is the result of
 * engine_check_reply(). Returns STATUS if it is not 0 or CALL has no verify(); otherwise the result
 * of verify(). */
static inline int engine_verify_reply(const struct engine_call *call, size_t number,
                                      const uint8_t *bytes, size_t length, int status)
{
    return status == 0 && call->verify ? call->verify(call->context, number, bytes, length)
                                       : status;
}

/* Check RESULT of call NUMBER, which an engine's own library has decoded. Returns the status in
 * RESULT or, if that is 0, the status of CALL's verification. */
static inline int engine_check_decoded(const struct engine_call *call, size_t number,
                                       const void *result)
{
    int status = call->status(call->context, result);

    return status == 0 && call->verify_decoded ? call->verify_decoded(call->context, number, result)
                                               : status;
}

/* Check the reply in the LENGTH BYTES to one of the calls of CALL's op, and pass it to the op's
 * take(). TAG identifies this call (engine/sequence.h). Returns as engine_check_reply() does. */
int engine_check_part(const struct engine_call *call, uint32_t tag, const uint8_t *bytes,
                      size_t length, struct engine_tally *tally);

/* Set ERROR for a reply of LENGTH bytes that can't be decoded. Returns -EBADMSG. */
int engine_refuse_garbage(size_t length, struct error *error);

void engine_pause(const struct engine_call *call);

struct engine_config {
    struct endpoint endpoint;
    struct channel_options channel;
    const struct clock *clock;
    struct load load;
    /* Closed loop: if true, a retransmitted call (but no op of several calls) leaves a sample,
     * which counts from the first transmission; if false, it leaves none. */
    bool count_resent;
    /* State of the mount on which the engine makes system calls; ENDPOINT and CHANNEL are then not
     * used. NULL: the engine makes calls to a server. */
    struct mount_state *on_mount;
};

struct engine;
struct worker_type;

struct engine_type {
    const char *name;
    bool counts_retransmissions; /* false: the engine's library does not report retransmissions */
    bool spins;                  /* true: can wait for replies without sleeping */
    bool tcp_only;
    bool sets_receive_window; /* true: can set the TCP receive window (struct channel_options) */
    bool has_kerberos;        /* true: can use Kerberos (struct channel_options) */
    bool has_tls;             /* true: can use TLS (struct channel_options) */
    /* true: latencies always include verifying and decrypting Kerberos replies; false: they do so
     * only with channel_options.verify_in_time */
    bool opens_in_time;
    bool takes_sequences; /* true: can make ops of several calls (engine/sequence.h) */
    /* Names of this engine's ops that are no procedures, followed by NULL. NULL: there are none. */
    const char *const *own_ops;
    /* Return whether the engine can make calls of PROCEDURE. NULL: it can make all. */
    bool (*makes)(const struct rpc_procedure *procedure);
    /* Open an engine for one client with one call in flight. NULL: WORKER makes these calls. */
    int (*open)(struct engine **engine, const struct engine_config *config, struct error *error);
    int (*run)(struct engine *engine, const struct engine_call *call, struct block *block,
               struct engine_tally *tally, struct error *error);
    void (*close)(struct engine *engine);
    /* Implements engine_sockets(). NULL: the engine doesn't know its sockets. */
    size_t (*sockets)(const struct engine *engine, int *fds, size_t room);
    /* Functions for calls under load. NULL: worker_solo, one thread for each connection. */
    const struct worker_type *worker;
    /* Functions of a run on a mount (run/mount_calls.h). NULL: the engine calls a server. */
    const struct mount_calls *mount;
};

/* The default engine, which belongs to the core. */
extern const struct engine_type engine_wire;

/* First member of every engine's own structure. */
struct engine {
    const struct engine_type *type;
};

/* Open an engine of TYPE for one call at a time, by TYPE's open(). Returns as engine_open(). */
int engine_open_single(struct engine **engine, const struct engine_type *type,
                       const struct engine_config *config, struct error *error);

/* Open an engine of TYPE and connect. If CONFIG has a load, start the threads that it needs, which
 * wait for the first block. Returns 0, or a negative errno with ERROR set. */
int engine_open(struct engine **engine, const struct engine_type *type,
                const struct engine_config *config, struct error *error);

/* Make the calls of BLOCK, one after the other or, under load, with as many in flight as CONFIG
 * requests. Store the latencies of calls that succeeded at the first attempt in BLOCK's ticks, and
 * their number in BLOCK's recorded. A call that fails, is retransmitted, or survives a reconnection
 * is counted in TALLY and leaves no sample (but see engine_config.count_resent).
 *
 * In a closed loop with several calls in flight, the first calls of a block leave no sample,
 * because fewer calls are in flight then (engine/work.h). If BLOCK's lead_in is above 0, the last
 * calls leave none either. But all calls leave a sample if BLOCK's count is less than twice the
 * number in flight, if there are several procedures or ops of several calls, or if no sample would
 * be left. In an open loop each call that succeeds leaves a sample, even if it was retransmitted,
 * except within BLOCK's skip_ticks (see block_queue_collect()).
 *
 * Returns 0 if all calls were made or BLOCK was cut. Otherwise returns a negative errno with ERROR
 * set: -EINTR if asked to stop; others if the server is gone or a reply can't be decoded (but see
 * engine_ends_by_garbage()). */
int engine_run(struct engine *engine, const struct engine_call *call, struct block *block,
               struct engine_tally *tally, struct error *error);

/* Write the descriptors of at most ROOM of ENGINE's sockets to FDS, the same number for each thread
 * if possible. No block may be running. ENGINE still owns the sockets: it may close one in a later
 * block, and the descriptor may then be another file's. Returns the number of descriptors written;
 * 0 if ENGINE is NULL, has no connection, or doesn't know its sockets. */
size_t engine_sockets(const struct engine *engine, int *fds, size_t room);

void engine_close(struct engine *engine);
