/* A search mounts the server again. If it is for the probe's file, it also looks up the file by
 * path, and creates the file or the directory if it is lost. A search runs in a thread, because the
 * probe continues. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "run/setup/setup.h"

enum search_for {
    SEARCH_SERVER, /* mount again: the server may be at another address or port */
    SEARCH_FILE,   /* mount, and look up the file, because its handle may be stale or wrong */
};

struct search {
    pthread_t thread;
    enum search_for what;
    bool runs;
    atomic_bool over;
    int wake_fd;       /* eventfd of the caller, to which a search writes at its end */
    uint64_t began_ns; /* clock_raw_ns() when the last search began */
    uint64_t next_ns;  /* clock_raw_ns() when another search may begin */
    uint64_t pause_ns; /* ns between the beginnings of two searches; doubles up to 1 s */
    uint64_t pause_minimum_ns;
    const struct setup *setup;
    struct mount_options options;
    /* Results of the last search. CODE: 0 or a negative errno. */
    int code;
    struct mount mount;
    struct nfs_objects objects;
    uint64_t file_id;
    /* DIRECTORY_IS_NEW: the directory was gone or had no lease of this run, and was created again.
     * FILE_IS_NEW: the file was gone, and was created again. */
    bool directory_is_new, file_is_new;
};

/* Set up a search for WHAT, without beginning it. WAKE_FD is the eventfd to which the search writes
 * at its end. PAUSE_NS is the first pause. */
void search_open(struct search *search, enum search_for what, int wake_fd, uint64_t pause_ns);

/* Begin a search unless one runs or began too recently. While it runs, the caller may change
 * nothing in SETUP but the mount. */
void search_begin(struct search *search, const struct setup *setup);

/* Reset the pause between searches to the first pause, because there is a new reason to search. */
void search_reset_pause(struct search *search);

/* If WAIT, first wait for the end of a running search. Returns false if no search has ended
 * successfully since the last call. Otherwise puts the new mount into SETUP (for SEARCH_FILE also
 * the new objects and connection), starts renewing the lease again, and returns true. */
bool search_use_result(struct search *search, struct setup *setup, bool wait);

/* Wait for the end of a running search, and drop its result. */
void search_end(struct search *search);
