/* What experiments work with: single calls in the run's scratch directory, each experiment within
 * its own time and number of calls. */
#pragma once

#include "measure/clock.h"
#include "nfs/client.h"
#include "nfs/procedures.h"
#include "run/setup.h"

struct character_plan {
    struct run_plan run;
    const struct experiment *only; /* NULL: all */
    bool quick;                    /* fewer calls, less time */
    uint64_t memory;               /* the most data that an experiment makes, bytes */
};

struct lab {
    const struct character_plan *plan;
    struct setup setup;
    struct clock clock;
    char no_scratch[512]; /* why there is no scratch directory; empty: there is one */
    /* Of the experiment that runs: */
    struct rpc_client *client;
    uint64_t ends_ns; /* clock_raw_ns() */
    uint64_t calls, calls_maximum;
    uint32_t last_name;
};

/* Mount, and make the scratch directory, if that can be made. PLAN must outlive LAB. Returns 0, or
 * a negative errno with ERROR set; call lab_close() in either case. */
int lab_open(struct lab *lab, const struct character_plan *plan, struct error *error);

/* Remove the scratch directory and unmount. Returns 0, or a negative errno with ERROR set. */
int lab_unmount(struct lab *lab, struct error *error);
void lab_close(struct lab *lab);

/* Begin an experiment with a connection of its own; and
 * end it. Returns 0, or a negative errno with ERROR set. */
int lab_begin(struct lab *lab, struct error *error);
void lab_end(struct lab *lab);

/* May the experiment make more calls? 0, or a negative errno with ERROR set: -EINTR after Ctrl-C,
 * -ETIME when its time is over, -E2BIG when its number of calls is reached. */
int lab_goes_on(const struct lab *lab, struct error *error);

/* Does CODE with ERROR end the experiment, rather than only one of the things it looks at: an
 * interrupt, a limit that is reached, a server that does not answer? */
bool lab_is_over(int code, const struct error *error);

/* FULL, or QUICK where the plan is quick. */
unsigned lab_scaled(const struct lab *lab, unsigned full, unsigned quick);

/* What an experiment's rounds should take in all, in ns, where a server is slow. */
uint64_t lab_rounds_ns(const struct lab *lab);

/* Call OP of the table of procedures, and return its result, whatever its status is (release it
 * with nfs_free_result()); after NFS3ERR_JUKEBOX it is called again. Returns 0, or a negative errno
 * with ERROR set. */
int lab_call(struct lab *lab, const char *op, union nfs_arguments *arguments,
             union nfs_result *result, struct error *error);

/* The same, but -EIO with ERROR set for any status other than NFS3_OK. */
int lab_call_well(struct lab *lab, const char *op, union nfs_arguments *arguments,
                  union nfs_result *result, struct error *error);

/* The same where the result does not matter; *TICKS of the lab's clock is what the call took. */
int lab_call_timed(struct lab *lab, const char *op, union nfs_arguments *arguments, uint64_t *ticks,
                   struct error *error);

/* Call PROCEDURE as a run does, on the run's objects, with a name of its own where it needs one;
 * what it needs is made before, and what it leaves is removed. Returns as lab_call(). */
int lab_call_procedure(struct lab *lab, const struct nfs_procedure *procedure,
                       union nfs_result *result, struct error *error);

/* Ask for the root's handle as mount.nfs does: name, port mapper, MNT. UMNT is left out, as the
 * run's own mount would be taken off the server's list. Returns 0, or a negative errno with ERROR
 * set. */
int lab_mount(const struct lab *lab, bool reserved_port, struct error *error);

/* Set ERROR: OP was answered by STATUS. Returns -EIO. */
int lab_refuse(const char *op, nfsstat3 status, struct error *error);

/* A name that nothing in the scratch directory has, of a file or of a directory. */
void lab_file_name(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE]);
void lab_directory_name(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE]);

/* Names in the scratch directory as arguments. */
diropargs3 lab_place(const struct lab *lab, const char *name);

/* Make an empty file of a new name. NAME may be NULL. Returns 0, or a negative errno with ERROR
 * set. */
int lab_make_file(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE], struct nfs_handle *handle,
                  struct error *error);

/* Write BYTES zeros to FILE at OFFSET, in WRITEs that any server and transport takes. Returns 0, or
 * a negative errno with ERROR set. */
int lab_write(struct lab *lab, const struct nfs_handle *file, uint64_t offset, uint64_t bytes,
              struct error *error);

/* Make a directory of a new name. Returns 0, or a negative errno with ERROR set. */
int lab_make_directory(struct lab *lab, struct nfs_handle *handle, struct error *error);

/* The options for connections of the experiment. */
struct channel_options lab_channel_options(const struct lab *lab);
