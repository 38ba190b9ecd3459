/* The set-up of a run, and its end: the server, the mount, clients for single calls, the test
 * objects, and the scratch directory. */
#pragma once

#include "common/mountinfo.h"
#include "common/ticker.h"
#include "engine/stalls.h"
#include "nfs/client.h"
#include "nfs/objects/objects.h"
#include "nfs/objects/tree.h"
#include "nfs/procedures/procedures.h"
#include "run/plan.h"
#include "target/mount.h"
#include "target/self.h"
#include "target/server_command.h"

struct local_run;

/* Parts of a set-up that only some ops need. If a part fails, other ops can still be measured. */
enum setup_part {
    SETUP_SEARCH,  /* finding a file and a symbolic link */
    SETUP_READ,    /* making the first READ */
    SETUP_TREE,    /* reading the tree of --tree */
    SETUP_SCRATCH, /* making and filling the scratch directory */
    SETUP_WRITE,   /* making the first WRITE to the scratch file */
    SETUP_PARTS,
};

/* Why a part of a set-up failed. */
struct setup_failure {
    const char *what; /* description of what was tried, for messages */
    int code;         /* 0: no failure */
    struct error error;
};

struct setup {
    const struct run_plan *plan;
    /* the plan's target, with the port that a start command printed; for self:, the address, port
     * and path of the embedded server instead */
    struct target target;
    struct self_server self;
    struct server_command server; /* server that the plan's command started */
    /* process of the server, if the plan binds the server to one processor; otherwise 0 */
    pid_t bound_server;
    struct mount mount;
    bool mounted;
    bool in_parts; /* if a part of the set-up fails, the ops that need it are left out */
    struct setup_failure failed[SETUP_PARTS];
    bool healthy;           /* false: the latest step failed (-EINTR is no failure), or an outage
                               has not ended; the clean-up then waits only briefly */
    bool scratch_is_lost;   /* the server does not answer, so that the directory can't be removed */
    struct tls_client *tls; /* TLS of connections to the NFS service; NULL: no TLS */
    /* trailing bytes in replies to all calls except the measured ones */
    struct channel_trailing trailing;
    struct stalls stalls; /* unusually long calls since BEGAN_NS */
    uint64_t began_ns;    /* start of the set-up, on clock_raw_ns() */
    /* clients for single calls; NULL: not open. The client of NFS is open, except on a mount */
    struct rpc_client *clients[SERVICES];
    uint64_t connect_ns; /* time to connect to NFS, with TLS and Kerberos, ns */
    struct nfs_objects objects;
    /* limits and properties of the export; asked for only if the run makes READs or needs a
     * scratch directory */
    struct nfs_export_info info;
    uint64_t tree_ns;    /* time to read the tree of --tree, ns */
    struct ticker lease; /* renews the lease of the scratch directory */
    /* ON_MOUNT and MOUNTED_AT are set only on a mount; no client is open then, and MOUNT has only
     * the server's address, transport and flavor, the export and the path */
    struct mount_state *on_mount; /* allocated by malloc() */
    struct mountinfo mounted_at;
    uint64_t scratch_filling_ns; /* time to make and fill the scratch directory, ns */
    struct local_run *local;     /* local files for comparison; NULL: none */
};

/* Return the options of the channels for PLAN's calls to SERVICE, without PLAN's deadline (a signal
 * still ends the calls), and without TLS and Kerberos, which setup_secure() adds. */
struct channel_options setup_channel_options(const struct run_plan *plan,
                                             enum service_kind service);

/* Start or find the server, mount, find the test objects, and make the scratch directory. The
 * process that makes calls on a mount uses CLOCK. Returns 0, or a negative errno with ERROR set.
 * Call setup_close() in either case. */
int setup_open(struct setup *setup, const struct run_plan *plan, const struct clock *clock,
               struct error *error);

/* Do the work of setup_open() in two steps: setup_reach() starts or finds the server and mounts;
 * setup_prepare() does everything else. If a part of setup_prepare() fails, but setup_goes_on() and
 * run_plan_skips_named() are true, setup_prepare() returns 0. Then, setup_failure_of() returns the
 * failure for the ops that need this part. */
int setup_reach(struct setup *setup, const struct run_plan *plan, const struct clock *clock,
                struct error *error);
int setup_prepare(struct setup *setup, struct error *error);

/* If CODE is an error except -EINTR, and PLAN's time is over, add that to ERROR. Returns CODE. */
int setup_note_time(const struct run_plan *plan, int code, struct error *error);

/* Remove the deadline from the calls of SETUP's clients. Then, waiting for a reply no longer ends
 * at the plan's deadline, but at --timeout or a signal; callers must check the deadline. */
void setup_lift_deadline(struct setup *setup);

/* Return OPTIONS for calls to SERVICE; for NFS, with the TLS and Kerberos of SETUP's plan. */
struct channel_options setup_secure(const struct setup *setup, enum service_kind service,
                                    const struct channel_options *options);

/* Return the name that the server's certificate and Kerberos principal must have. */
const char *setup_server_name(const struct setup *setup);

struct endpoint setup_endpoint(const struct setup *setup, enum service_kind service);

/* Connect to SERVICE unless it is connected. Returns 0, or a negative errno with ERROR set. */
int setup_connect(struct setup *setup, enum service_kind service, struct error *error);

/* Start PLAN's server by the command PLAN->server_start, and wait until the server is ready. OPTION
 * is the name of the option that gave the command, for messages. Returns 0, or a negative errno
 * with ERROR set. */
int setup_start_command(struct server_command *server, const char *option,
                        const struct run_plan *plan, struct error *error);

/* After a failure: return true if the plan's command should have started a server, but has not. */
bool setup_lacks_server(const struct setup *setup);

/* Do the NFS calls of ONE and OTHER go to the same address and port? */
bool setup_has_same_server(const struct setup *one, const struct setup *other);

/* Return the server's process on this machine, if the plan or the set-up knows it; otherwise 0. */
pid_t setup_server_pid(const struct setup *setup);

/* Return the process that makes SETUP's calls on a mount (run/mount_calls.h); otherwise 0. */
pid_t setup_client_pid(const struct setup *setup);

/* Remove the scratch directory (unless it is kept) and local files, unmount, and stop a server that
 * SETUP started. Returns 0, or a negative errno with ERROR set if unmounting failed. Removal and
 * unmounting together take at most scratch_budget_ns() plus one second. If the server has failed,
 * each call takes at most one second. May be called twice. */
int setup_take_down(struct setup *setup, struct error *error);

void setup_close(struct setup *setup);
