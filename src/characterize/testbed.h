/* The testbed: an experiment's environment. Its functions make single calls, mostly in the run's
 * scratch directory, within each experiment's limits of time and of calls. Resources that an
 * experiment acquires by these functions are released at its end. After a failure, which remains in
 * the testbed, the functions make no calls. So an experiment checks for failures only where it can
 * continue without the failed step. */
#pragma once

#include "characterize/character.h"
#include "characterize/timing.h"
#include "nfs/procedures/procedures.h"
#include "run/setup/setup.h"

struct character_plan {
    struct run_plan run;
    const struct experiment *only; /* NULL: all experiments */
    bool quick;                    /* fewer calls and less time in all experiments */
    uint64_t memory;               /* maximum size of the file for working sets (caches.c), bytes */
};

enum { TESTBED_OWNED_MAXIMUM = 64 };

struct testbed_owned {
    void *thing;
    void (*release)(void *thing);
};

struct testbed {
    const struct character_plan *plan;
    struct setup setup;
    struct clock clock;
    char no_scratch[512]; /* reason why there is no scratch directory; "" if there is one */
    /* Members for the current experiment: */
    int code; /* negative errno of a failure, with ERROR set; 0: no failure */
    struct error error;
    struct character_answer *answer;
    struct rpc_client *client;
    bool quick;       /* make fewer calls */
    uint64_t time_ns; /* time for the experiment */
    uint64_t ends_ns; /* end of the experiment's time, by deadline_now_ns() */
    uint64_t calls, calls_maximum;
    uint32_t last_name; /* number in the last new name, of all experiments */
    uint32_t xid;       /* last xid that the experiment chose, for any channel */
    struct timing timing;
    struct testbed_owned owned[TESTBED_OWNED_MAXIMUM];
    size_t owned_count;
};

/* Mount, and make the scratch directory if possible. PLAN must outlive TESTBED. Returns 0, or a
 * negative errno with ERROR set. Take down and close TESTBED's setup in either case. */
int testbed_open(struct testbed *testbed, const struct character_plan *plan, struct error *error);

/* Set *ROUND_TRIP_NS to the longest time of a few GETATTRs. Returns 0, or a negative errno with
 * ERROR set. */
int testbed_round_trip(struct testbed *testbed, uint64_t *round_trip_ns, struct error *error);

/* Begin an experiment with a new connection. The experiment sets ANSWER within TIME_NS, with fewer
 * calls if QUICK. */
void testbed_begin(struct testbed *testbed, struct character_answer *answer, bool quick,
                   uint64_t time_ns);
void testbed_end(struct testbed *testbed);

/* testbed_keep_until_end() calls RELEASE for THING when the experiment ends or testbed_release() is
 * called. The experiment fails if THING is NULL (memory is short), or if there are
 * TESTBED_OWNED_MAXIMUM things; THING is then released at once. testbed_release() releases all
 * resources except the first COUNT. */
void testbed_keep_until_end(struct testbed *testbed, void *thing, void (*release)(void *thing));
void testbed_release(struct testbed *testbed, size_t count);

/* Return true if the experiment may make more calls; false if it has failed. It fails with -EINTR
 * after Ctrl-C, -ETIME if its time is over, and -E2BIG if its calls reached the maximum. */
bool testbed_may_call(struct testbed *testbed);

/* Clear the failure's code, but not its text. The code remains after an interrupt or at a reached
 * limit. If MATTERS, it also remains if the server is unreachable; a server that lacks the protocol
 * is reachable. Returns whether there was a failure, cleared or not. */
bool testbed_clear_failure(struct testbed *testbed, bool matters);

/* Return QUICK if the experiment makes fewer calls, else FULL. */
unsigned testbed_scaled(const struct testbed *testbed, unsigned full, unsigned quick);

/* Return the maximum time of an experiment's rounds, ns. The first five rounds may take longer. */
uint64_t testbed_rounds_ns(const struct testbed *testbed);

bool testbed_is_over_udp(const struct testbed *testbed);

/* Call OP, repeatedly after NFS3ERR_JUKEBOX, and store its result in *RESULT. Returns true; the
 * caller releases the result with nfs_free_result(). Returns false on failure; a status other than
 * NFS3_OK is a failure (-EIO). */
bool testbed_call_ok(struct testbed *testbed, const char *op, union nfs_arguments *arguments,
                     union nfs_result *result);

/* Call OP as testbed_call_ok() does, and release its result. Returns the time of the call and its
 * repetitions, ticks. */
uint64_t testbed_call_timed(struct testbed *testbed, const char *op,
                            union nfs_arguments *arguments);

/* Call FSINFO, and store the result in *LIMITS. Returns true, or false on failure. */
bool testbed_ask_limits(struct testbed *testbed, FSINFO3resok *limits);

/* Call PROCEDURE on the run's objects, with a new name if PROCEDURE needs one. Objects that the
 * call needs are made before it, and objects that it leaves are removed. *RESULT may have any
 * status. Returns true (release *RESULT by nfs_free_result()), or false on failure. */
bool testbed_call_procedure(struct testbed *testbed, const struct nfs_procedure *procedure,
                            union nfs_result *result);

/* Make the calls of mount.nfs (name service, port mapper, MNT), from a port below 1024 if
 * RESERVED_PORT. UMNT is not called, because it would also remove the run's mount from the server's
 * list. */
void testbed_mount(struct testbed *testbed, bool reserved_port);

/* Set ERROR: OP was answered by STATUS. Returns -EIO. */
int testbed_refuse(const char *op, nfsstat3 status, struct error *error);

/* Write a name to NAME that is new in the scratch directory. */
void testbed_file_name(struct testbed *testbed, char name[NFS_VARIANT_NAME_SIZE]);
void testbed_directory_name(struct testbed *testbed, char name[NFS_VARIANT_NAME_SIZE]);

diropargs3 testbed_place(const struct testbed *testbed, const char *name);

/* Make an empty file or a directory with a new name, and store its handle in *HANDLE.
 * testbed_make_file() also stores the name in NAME; its NAME and HANDLE may be NULL. */
void testbed_make_file(struct testbed *testbed, char name[NFS_VARIANT_NAME_SIZE],
                       struct nfs_handle *handle);
void testbed_make_directory(struct testbed *testbed, struct nfs_handle *handle);

/* Write BYTES zeros to FILE at OFFSET, in WRITEs that any server and transport accepts. */
void testbed_write(struct testbed *testbed, const struct nfs_handle *file, uint64_t offset,
                   uint64_t bytes);

struct channel_options testbed_channel_options(const struct testbed *testbed);

/* Channels let an experiment choose the xids of messages, repeat messages, and send several at
 * once. Replies are returned in the order of their arrival. */

/* Connect to ENDPOINT, or to the NFS server if ENDPOINT is NULL. Returns NULL on failure. */
struct channel *testbed_connect(struct testbed *testbed, const struct endpoint *endpoint);

/* Encode a call of OP as a message, which is valid until the experiment ends. */
struct channel_message testbed_message(struct testbed *testbed, const char *op,
                                       union nfs_arguments *arguments);

/* testbed_send() sends MESSAGE with XID. testbed_send_bytes() sends BYTES over TCP by one system
 * call. BYTES are CALLS encoded calls with their xids and record marks, LENGTH bytes in all. */
void testbed_send_bytes(struct testbed *testbed, struct channel *channel, const uint8_t *bytes,
                        size_t length, unsigned calls);
void testbed_send(struct testbed *testbed, struct channel *channel,
                  const struct channel_message *message, uint32_t xid);

/* Receive the next reply within the plan's timeout. REPLY's TICKS are the time of its arrival.
 * Returns true, or false on failure, such as -ETIMEDOUT if no reply came, or -ECONNRESET if the
 * server closed the connection. */
bool testbed_receive(struct testbed *testbed, struct channel *channel, struct channel_reply *reply);

/* Send MESSAGE with XID, and wait at most WAIT_NS for its reply. A reply to another message is
 * dropped, and WAIT_NS begins again. REPLY's TICKS are the response time. Returns true, or false if
 * no reply came, or on failure. */
bool testbed_exchange(struct testbed *testbed, struct channel *channel,
                      const struct channel_message *message, uint32_t xid, uint64_t wait_ns,
                      struct channel_reply *reply);

/* Do what testbed_exchange() does with the plan's timeout as WAIT_NS, but fail if no reply came.
 * testbed_transact() uses a new xid, and stores it in TESTBED's `xid`. */
bool testbed_transact_as(struct testbed *testbed, struct channel *channel,
                         const struct channel_message *message, uint32_t xid,
                         struct channel_reply *reply);
bool testbed_transact(struct testbed *testbed, struct channel *channel,
                      const struct channel_message *message, struct channel_reply *reply);

/* Do what testbed_transact() does, but fail with -EIO after a status of OP other than NFS3_OK, or
 * an RPC error. Returns the response time, ticks; 0 if no reply came. */
uint64_t testbed_transact_ok(struct testbed *testbed, struct channel *channel, const char *op,
                             const struct channel_message *message);

uint32_t testbed_xid_of(const struct channel_reply *reply);

/* Return the nfsstat3 of REPLY; its negated enum rpc_outcome if the RPC failed; INT_MIN if REPLY is
 * malformed. */
int testbed_status_of(const struct channel_reply *reply);
