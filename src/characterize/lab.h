/* What experiments work with: single calls in the run's scratch directory, each experiment within
 * its own time and number of calls. What an experiment acquires here is released at its end.
 *
 * A failure stays with the lab: after one, its functions do nothing, so that an experiment looks at
 * it only where it can go on without what failed. */
#pragma once

#include "characterize/character.h"
#include "characterize/timing.h"
#include "nfs/procedures/procedures.h"
#include "run/setup/setup.h"

struct character_plan {
    struct run_plan run;
    const struct experiment *only; /* NULL: all */
    bool quick;                    /* fewer calls, less time, in all experiments */
    uint64_t memory;               /* the most data that an experiment makes, bytes */
};

enum { LAB_OWNED_MAXIMUM = 64 };

/* What is to be released. */
struct lab_owned {
    void *thing;
    void (*release)(void *thing);
};

struct lab {
    const struct character_plan *plan;
    struct setup setup;
    struct clock clock;
    char no_scratch[512]; /* why there is no scratch directory; empty: there is one */
    /* Of the experiment that runs: */
    int code; /* what failed: a negative errno, with ERROR set; 0: nothing */
    struct error error;
    struct character_answer *answer;
    struct rpc_client *client;
    bool quick;       /* with fewer calls */
    uint64_t time_ns; /* for the experiment */
    uint64_t ends_ns; /* deadline_now_ns() */
    uint64_t calls, calls_maximum;
    uint32_t last_name;
    uint32_t xid; /* the last one of a call over a channel of its own */
    struct timing timing;
    struct lab_owned owned[LAB_OWNED_MAXIMUM];
    size_t owned_count;
};

/* Mount, and make the scratch directory, if that can be made. PLAN must outlive LAB. Returns 0, or
 * a negative errno with ERROR set; its SETUP is to be closed in either case. */
int lab_open(struct lab *lab, const struct character_plan *plan, struct error *error);

/* What a call takes now, ns: the longest of some. Returns 0, or a negative errno with ERROR set. */
int lab_round_trip(struct lab *lab, uint64_t *round_trip_ns, struct error *error);

/* Begin an experiment, QUICK or not, which fills in ANSWER within TIME_NS, with a connection of its
 * own. */
void lab_begin(struct lab *lab, struct character_answer *answer, bool quick, uint64_t time_ns);
void lab_end(struct lab *lab);

/* THING (NULL: it was not to be had, which is a failure) is to be released by RELEASE at the end of
 * the experiment, or by lab_release(), which releases what came after the first COUNT. */
void lab_own(struct lab *lab, void *thing, void (*release)(void *thing));
void lab_release(struct lab *lab, size_t count);

/* May the experiment make more calls? Not after a failure; it fails with -EINTR after Ctrl-C, with
 * -ETIME when its time is over, with -E2BIG when its number of calls is reached. */
bool lab_goes_on(struct lab *lab);

/* Go on without what failed, unless an interrupt or a limit was reached or, as far as it MATTERS,
 * the server did not answer. The failure's text remains. Returns false where nothing had failed. */
bool lab_forgive(struct lab *lab, bool matters);

/* FULL, or QUICK in a quick experiment. */
unsigned lab_scaled(const struct lab *lab, unsigned full, unsigned quick);

/* What an experiment's rounds should take in all, in ns, where a server is slow. */
uint64_t lab_rounds_ns(const struct lab *lab);

/* Are calls datagrams, which must not be long? */
bool lab_is_over_udp(const struct lab *lab);

/* Call OP of the table of procedures, and return its result (release it with nfs_free_result());
 * after NFS3ERR_JUKEBOX it is called again. False: it failed; any status other than NFS3_OK is a
 * failure, -EIO. */
bool lab_call_well(struct lab *lab, const char *op, union nfs_arguments *arguments,
                   union nfs_result *result);

/* The same where the result does not matter. Returns what the call took, ticks of the lab's clock.
 */
uint64_t lab_call_timed(struct lab *lab, const char *op, union nfs_arguments *arguments);

/* What the server says by FSINFO of its sizes. False: it failed. */
bool lab_ask_limits(struct lab *lab, FSINFO3resok *limits);

/* Call PROCEDURE as a run does, on the run's objects, with a name of its own where it needs one;
 * what it needs is made before, and what it leaves is removed. False: it failed. */
bool lab_call_procedure(struct lab *lab, const struct nfs_procedure *procedure,
                        union nfs_result *result);

/* Ask for the root's handle as mount.nfs does: name, port mapper, MNT. UMNT is left out, as the
 * run's own mount would be taken off the server's list. */
void lab_mount(struct lab *lab, bool reserved_port);

/* Set ERROR: OP was answered by STATUS. Returns -EIO. */
int lab_refuse(const char *op, nfsstat3 status, struct error *error);

/* A name that nothing in the scratch directory has, of a file or of a directory. */
void lab_file_name(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE]);
void lab_directory_name(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE]);

/* Names in the scratch directory as arguments. */
diropargs3 lab_place(const struct lab *lab, const char *name);

/* Make an empty file, or a directory, of a new name. NAME and, of a file, HANDLE may be NULL. */
void lab_make_file(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE], struct nfs_handle *handle);
void lab_make_directory(struct lab *lab, struct nfs_handle *handle);

/* Write BYTES zeros to FILE at OFFSET, in WRITEs that any server and transport takes. */
void lab_write(struct lab *lab, const struct nfs_handle *file, uint64_t offset, uint64_t bytes);

/* The options for connections of the experiment. */
struct channel_options lab_channel_options(const struct lab *lab);

/* Channels over which an experiment sends messages as it pleases: with xids of its own, the same
 * message again, several at once; and takes the replies in the order in which they come. */

/* Connect to ENDPOINT (NULL: to the server's). */
struct channel *lab_connect(struct lab *lab, const struct endpoint *endpoint);

/* A call of OP as a message. */
struct channel_message lab_message(struct lab *lab, const char *op, union nfs_arguments *arguments);

/* Send MESSAGE with XID; or CALLS calls that are stamped already, by one system call over TCP. */
void lab_send_bytes(struct lab *lab, struct channel *channel, const uint8_t *bytes, size_t length,
                    unsigned calls);
void lab_send(struct lab *lab, struct channel *channel, const struct channel_message *message,
              uint32_t xid);

/* Wait for the next reply for the plan's timeout. Its TICKS are when it came. False: it failed,
 * with -ETIMEDOUT when none came, with -ECONNRESET when the server closed the connection. */
bool lab_receive(struct lab *lab, struct channel *channel, struct channel_reply *reply);

/* Send MESSAGE with XID, and wait for its reply for WAIT_NS at most; replies to other messages are
 * dropped. Its TICKS are what it took. False when none came, or it failed. */
bool lab_exchange(struct lab *lab, struct channel *channel, const struct channel_message *message,
                  uint32_t xid, uint64_t wait_ns, struct channel_reply *reply);

/* The same with the plan's timeout, after which it fails; and with a new xid, which then is the
 * lab's last one. */
bool lab_transact_as(struct lab *lab, struct channel *channel,
                     const struct channel_message *message, uint32_t xid,
                     struct channel_reply *reply);
bool lab_transact(struct lab *lab, struct channel *channel, const struct channel_message *message,
                  struct channel_reply *reply);

/* The same, but any status other than NFS3_OK of OP is a failure, -EIO. Returns what it took. */
uint64_t lab_transact_well(struct lab *lab, struct channel *channel, const char *op,
                           const struct channel_message *message);

uint32_t lab_xid_of(const struct channel_reply *reply);

/* The nfsstat3 of a reply, or minus its enum rpc_outcome; INT_MIN for what is no reply. */
int lab_status_of(const struct channel_reply *reply);
