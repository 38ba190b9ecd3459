/* An engine: a way in which calls reach the wire and are timed. One interface, several ways; a new
 * one is a file with a struct engine_type and a line in engine.c. */
#ifndef NFSBENCH_ENGINE_ENGINE_H
#define NFSBENCH_ENGINE_ENGINE_H

#include "engine/channel.h"
#include "engine/endpoint.h"
#include "engine/identity.h"
#include "engine/procedure.h"
#include "measure/load.h"

struct engine_call;

/* One call among others of other procedures. */
struct engine_step {
    const struct engine_call *call;
    size_t variant;
};

/* A call that is ready to be made any number of times, in the two forms that engines need. Filled
 * in by nfs/; engines know no NFS. Where calls are not all alike, there are several variants, and
 * engine_run() takes them in turn. */
struct engine_call {
    const struct rpc_procedure *procedure;
    const struct identity *identity; /* who it says that it comes from */
    uint64_t pause_ns;               /* spun away before each call, untimed; usually 0 */

    size_t variants; /* 1 or more */
    size_t first;    /* that engine_run() begins with; usually 0 */

    /* As messages: encoded once; the channel writes mark and xid in front each time. */
    struct channel_message *messages;
    /* Is the result in REPLY, from where the RPC header ends, whole and well formed? Returns 0, the
     * procedure's own status when it is not success (more than 0), or -EBADMSG. */
    int (*check)(const void *context, struct wire_reader *reply);
    const void *context;

    /* Under load, calls of several procedures: call I of engine_run() is STEPS[I], and nothing else
     * is looked at here. NULL: all are this one. */
    const struct engine_step *steps;

    /* As libtirpc's client sees it: decoded arguments, and room for the result. */
    void *arguments;       /* those of all variants, one behind the other, */
    size_t arguments_size; /* each of so many bytes */
    void *result;
    /* Status of a decoded result, as check() returns it. */
    int (*status)(const void *context, const void *result);
};

enum { ENGINE_ERRORS_MAXIMUM = 8 };

/* What the clock told of each timed call under load beside its time, in ticks; entries belong to
 * those of the same index there. The arrays have room for a block. */
struct engine_detail {
    uint64_t *done;   /* when its reply was there */
    uint32_t *number; /* which call of the block it was */
    /* Open loop, where a call's time is from when it was due: */
    uint64_t *service; /* from when it was sent */
    uint64_t *held;    /* that it was due and could not be sent, since all connections had as many
                          calls in flight as they may have, or the block before had not ended */
};

/* What happened to a series' calls beyond their times. */
struct engine_tally {
    struct channel_counts counts;
    uint64_t failed; /* calls answered by an error: the sum of what is listed */
    struct {
        int status; /* more than 0: the procedure's own; less: minus an enum rpc_outcome */
        uint64_t count;
    } errors[ENGINE_ERRORS_MAXIMUM]; /* by status; the last entry takes what doesn't fit */
    size_t error_kinds;

    /* Under load. */
    uint64_t steady_calls, steady_ticks; /* replies that came while all calls were in flight, and
                                            how long that was */
    struct load_client *clients;         /* by number; NULL: not wanted */
    struct engine_detail *detail;        /* NULL: not wanted */
};

/* Count a call that was answered by an error. */
void engine_count_error(struct engine_tally *tally, int status);

/* The same, and wait for a moment, as a client should before it tries again. */
void engine_note_error(struct engine_tally *tally, int status);

/* Add what ADDED has counted to SUM (but not its clients and detail). */
void engine_tally_add(struct engine_tally *sum, const struct engine_tally *added);

/* The status of a reply to CALL, whose LENGTH BYTES begin with the xid: 0; more than 0 for the
 * procedure's own; minus the RPC outcome; or -EBADMSG (which no outcome reaches). */
int engine_check_reply(const struct engine_call *call, const uint8_t *bytes, size_t length);

/* A reply of LENGTH bytes can't be decoded. -EBADMSG with ERROR set. */
int engine_refuse_garbage(size_t length, struct error *error);

/* Spend the pause before CALL, if it has one, on the processor. */
void engine_pause(const struct engine_call *call);

struct engine_config {
    struct endpoint endpoint;
    struct channel_options channel;
    const struct clock *clock;
    struct load load;
};

struct engine;
struct share_type;

struct engine_type {
    const char *name;
    const char *summary;         /* for --help */
    bool counts_retransmissions; /* false: the library below doesn't tell */
    bool spins;                  /* can do without sleeping */
    bool tcp_only;
    /* One call at a time, by one client; OPEN is NULL where SHARE makes such calls, too. */
    int (*open)(struct engine **engine, const struct engine_config *config, struct error *error);
    int (*run)(struct engine *engine, const struct engine_call *call, size_t count, uint64_t *ticks,
               size_t *recorded, struct engine_tally *tally, struct error *error);
    void (*close)(struct engine *engine);
    /* How it makes calls under load; NULL: one at a time, in as many threads as connections. */
    const struct share_type *share;
};

/* The engines, in the order of --help; ends with NULL. */
extern const struct engine_type *const engine_types[];

/* The engine called NAME, or NULL. */
const struct engine_type *engine_find(const char *name);

/* The Debian package that this program was built without and that the engine called NAME needs, or
 * NULL. */
const char *engine_missing_package(const char *name);

/* What every engine starts with. */
struct engine {
    const struct engine_type *type;
};

/* Connect: under CONFIG's load, in several threads, which wait until they are given calls. 0, or a
 * negative errno with ERROR set. */
int engine_open(struct engine **engine, const struct engine_type *type,
                const struct engine_config *config, struct error *error);

/* Make COUNT calls, one after the other (under load: as many at once as there are to be in flight),
 * and write the clock's ticks of each that succeeded at the
 * first try to TICKS (room for COUNT), their number to *RECORDED. A call that fails, or succeeds
 * only after a retransmission or a reconnection, is counted in TALLY and leaves no sample; under
 * load, neither do those that filled the connections at first, unless COUNT is less than twice of
 * what is to be in flight, while in an open loop every call that was answered does. 0 when all were
 * made; -EINTR when told to stop; else a negative errno with ERROR set: the server is
 * gone, or sends garbage. */
int engine_run(struct engine *engine, const struct engine_call *call, size_t count, uint64_t *ticks,
               size_t *recorded, struct engine_tally *tally, struct error *error);

void engine_close(struct engine *engine);

#endif
