/* Ops without NFS: the same calls on files of this machine, as series of the same rounds. */
#pragma once

#include "local/files.h"
#include "mounted/mountinfo.h"
#include "run/series/series.h"

/* Which files: with a file set all ops have the same ones; else READ, WRITE and COMMIT have one
 * each, as on the server. */
enum { LOCAL_RUN_FILES = 3 };

struct local_run {
    char name[NFS_NAME_SIZE]; /* of the run's own directory */
    struct local_directory directory;
    struct local_files files[LOCAL_RUN_FILES];
    char file_system[MOUNTINFO_TYPE_SIZE]; /* "ext4"; "": not known */
    double cached_share; /* of the files' bytes, in the page cache when the rounds ended; NAN: not
                          * known */
};

/* Can the op called OP be made without NFS? */
bool local_run_has(const char *op);

/* If SETUP's plan names a directory, open it. Returns 0, or a negative errno with ERROR set. */
int local_run_open(struct setup *setup, struct error *error);

/* If SET's plan names a directory, and calls of PROCEDURE can be made without NFS: make the files
 * that they need, add a series of them, and make one call. Returns 0, or a negative errno with
 * ERROR set. */
int local_run_add(struct series_set *set, const struct nfs_procedure *procedure,
                  struct error *error);

/* Draw the places of the next COUNT calls of SERIES, and write what they are to commit. Returns 0,
 * or a negative errno with ERROR set. */
int local_run_prepare(struct run_series *series, size_t count, struct error *error);

/* Look at how much of the files is in the page cache. */
void local_run_look(struct setup *setup);

/* The bytes of all files. */
uint64_t local_run_bytes(const struct local_run *local);

/* Remove the files, with a warning if that fails; then what is known of them is still there, until
 * it is released. */
void local_run_end(struct setup *setup);
void local_run_close(struct setup *setup);
