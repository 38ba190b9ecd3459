/* What a run sets up before it makes the calls that it measures, and takes down when it is through:
 * the server, found or started; the mount; single-call clients; the test objects; the scratch
 * directory. */
#ifndef NFSBENCH_RUN_SETUP_H
#define NFSBENCH_RUN_SETUP_H

#include "common/ticker.h"
#include "nfs/objects.h"
#include "nfs/procedures.h"
#include "run/plan.h"
#include "target/mount.h"
#include "target/self.h"

struct setup {
    const struct run_plan *plan;
    struct target target; /* with self: resolved */
    struct self_server self;
    struct mount mount;
    bool mounted;
    bool healthy;                         /* the server has answered so far */
    struct rpc_client *clients[SERVICES]; /* for single calls; but NFS's, only where needed */
    struct nfs_objects objects;
    struct ticker lease;         /* renews that of the scratch directory */
    uint64_t scratch_filling_ns; /* how long making and filling it took */
};

/* How a connection for calls that PLAN asks for behaves. */
struct channel_options setup_channel_options(const struct run_plan *plan);

/* Start or find the server, mount, find the objects, make the scratch directory. 0, or a negative
 * errno with ERROR set; setup_close() is due in any case. */
int setup_open(struct setup *setup, const struct run_plan *plan, struct error *error);

/* Where SERVICE is. */
struct endpoint setup_endpoint(const struct setup *setup, enum service_kind service);

/* Have a connection for single calls to SERVICE among the clients. 0, or a negative errno with
 * ERROR set. */
int setup_connect(struct setup *setup, enum service_kind service, struct error *error);

/* The process of the server on this machine, as far as the plan or the set-up know it; else 0. */
pid_t setup_server_pid(const struct setup *setup);

/* Remove the scratch directory, unmount, and stop a server of our own. 0, or a negative errno with
 * ERROR set when the unmounting failed. All of it takes no longer than scratch_budget_ns() and a
 * second; a server that did not answer before is given a second at most for each call. It may be
 * called twice. */
int setup_take_down(struct setup *setup, struct error *error);

/* Release everything; takes down what is still up. */
void setup_close(struct setup *setup);

#endif
