/* What a run sets up before the measured calls and takes down after them: the server, found or
 * started; the mount; clients for single calls; the test objects; the scratch directory. */
#pragma once

#include "common/mountinfo.h"
#include "common/ticker.h"
#include "engine/stalls.h"
#include "nfs/objects/objects.h"
#include "nfs/objects/tree.h"
#include "nfs/procedures/procedures.h"
#include "run/plan.h"
#include "target/mount.h"
#include "target/self.h"
#include "target/server_command.h"

struct local_run;

/* The parts of a set-up that only some ops need. If one of them fails, the other ops can be
 * measured. */
enum setup_part {
    SETUP_SEARCH,  /* for a file and a symbolic link */
    SETUP_READ,    /* the first READ */
    SETUP_TREE,    /* going through the tree of --tree */
    SETUP_SCRATCH, /* making and filling the scratch directory */
    SETUP_WRITE,   /* the first WRITE to the scratch file */
    SETUP_PARTS,
};

/* Why a part of a set-up failed. */
struct setup_failure {
    const char *what; /* what was tried, for messages */
    int code;         /* negative errno; 0: the part did not fail */
    struct error error;
};

struct setup {
    const struct run_plan *plan;
    struct target target; /* resolved, also for self: */
    struct self_server self;
    struct server_command server; /* that the plan's command started */
    pid_t bound_server; /* the server's process, if the plan has it on one processor; else 0 */
    struct mount mount;
    bool mounted;
    bool in_parts; /* ops whose part of the set-up fails are left out */
    struct setup_failure failed[SETUP_PARTS];
    bool healthy;                         /* the server has answered all calls so far */
    bool scratch_is_lost;                 /* it can't be removed: the server does not answer */
    struct tls_client *tls;               /* for NFS's connections; NULL: they have no TLS */
    struct channel_trailing trailing;     /* to all calls except the measured ones */
    struct stalls stalls;                 /* of any call, since BEGAN_NS */
    uint64_t began_ns;                    /* clock_raw_ns() */
    struct rpc_client *clients[SERVICES]; /* for single calls; except NFS's, only if needed */
    struct nfs_objects objects;
    uint64_t tree_ns;    /* what going through the tree took */
    struct ticker lease; /* renews the lease of the scratch directory */
    /* On a mount: what its engine needs, and where it is. Then there is nothing of the above but
     * the target, the objects' paths, and of MOUNT what the mount's options say. */
    struct mount_state *on_mount; /* by malloc() */
    struct mountinfo mounted_at;
    uint64_t scratch_filling_ns; /* time that making and filling it took */
    struct local_run *local;     /* files that calls are compared with; NULL: none */
};

/* The channel options for PLAN's calls. */
struct channel_options setup_channel_options(const struct run_plan *plan,
                                             enum service_kind service);

/* Start or find the server, mount, find the test objects, and make the scratch directory. CLOCK
 * is for the process that makes calls on a mount. Returns 0, or a negative errno with ERROR set;
 * call setup_close() in either case. */
int setup_open(struct setup *setup, const struct run_plan *plan, const struct clock *clock,
               struct error *error);

/* The same in two steps: start or find the server and mount; then find the test objects and make
 * the scratch directory. A part of the second step may fail while the server answers other calls:
 * that part's failure is noted in SETUP, and setup_failure_of() names it to the ops that need the
 * part. */
int setup_reach(struct setup *setup, const struct run_plan *plan, const struct clock *clock,
                struct error *error);
int setup_prepare(struct setup *setup, struct error *error);

/* Add to ERROR, if CODE says that there is one and PLAN's time is over, that this is why. Returns
 * CODE. */
int setup_note_time(const struct run_plan *plan, int code, struct error *error);

/* What set-up waits for ends at the plan's deadline, and its error says so. From now on calls of
 * SETUP's clients end by --timeout or a signal: who makes them asks the deadline. */
void setup_lift_deadline(struct setup *setup);

/* OPTIONS for the calls to SERVICE: protected as PLAN demands. NFS's are, MOUNT's and the port
 * mapper's never. */
struct channel_options setup_secure(const struct setup *setup, enum service_kind service,
                                    const struct channel_options *options);

/* The server's name in its certificate, and in the principal of its key. */
const char *setup_server_name(const struct setup *setup);

/* The address of SERVICE. */
struct endpoint setup_endpoint(const struct setup *setup, enum service_kind service);

/* Open a connection for single calls to SERVICE, unless the clients have one. Returns 0, or a
 * negative errno with ERROR set. */
int setup_connect(struct setup *setup, enum service_kind service, struct error *error);

/* Start PLAN's server by its command, the value of OPTION. Returns 0, or a negative errno with
 * ERROR set. */
int setup_start_command(struct server_command *server, const char *option,
                        const struct run_plan *plan, struct error *error);

/* Did setup_open() fail because the plan's command failed to start the server? */
bool setup_lacks_server(const struct setup *setup);

/* Do the calls of both go to the same address and port? */
bool setup_has_same_server(const struct setup *one, const struct setup *other);

/* The server's process on this machine, if the plan or the set-up know it; otherwise 0. */
pid_t setup_server_pid(const struct setup *setup);

/* The process that makes SETUP's calls, if it is another one than this (run/mount_calls.h); else 0.
 */
pid_t setup_client_pid(const struct setup *setup);

/* Remove the scratch directory, unmount, and stop a server that it started. Returns 0, or a
 * negative errno with ERROR set if unmounting failed. Takes at most scratch_budget_ns() plus one
 * second, and at most one second per call if the server did not answer before. May be called twice.
 */
int setup_take_down(struct setup *setup, struct error *error);

/* Take down what is still set up, and release everything. */
void setup_close(struct setup *setup);
