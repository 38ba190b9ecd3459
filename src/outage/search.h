/* A search mounts the server again or looks up the probe's file again by its path, and creates what
 * is gone. It runs in its own thread, because the probe continues. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "run/setup/setup.h"

enum search_for {
    SEARCH_SERVER, /* only mount: the server may be at another address or port */
    SEARCH_FILE,   /* the server does not know the file's handle */
};

struct search {
    pthread_t thread;
    enum search_for what;
    bool runs;
    atomic_bool over;
    int wake_fd;       /* eventfd of the caller, written to when a search ends */
    uint64_t began_ns; /* clock_raw_ns() */
    uint64_t next_ns;  /* clock_raw_ns() when another search may begin */
    uint64_t pause_ns; /* between the beginnings of two searches; doubles up to 1 s */
    uint64_t pause_minimum_ns;
    const struct setup *setup;
    struct mount_options options;
    /* Results: CODE is 0 or a negative errno. */
    int code;
    struct mount mount;
    struct nfs_objects objects;
    uint64_t file_id;
    bool directory_is_new, file_is_new; /* they were gone, and were created again */
};

/* Set up a search for WHAT, without beginning it. PAUSE_NS is the first pause. */
void search_open(struct search *search, enum search_for what, int wake_fd, uint64_t pause_ns);

/* Begin a search unless one runs or was too recent. Meanwhile only the mount of SETUP may
 * change. */
void search_begin(struct search *search, const struct setup *setup);

/* Make pauses short again, because there is a new reason to search. */
void search_hurry(struct search *search);

/* Return true if a search has ended successfully; true only once per search. With WAIT, wait for
 * its end. SETUP then has the new mount, and for SEARCH_FILE the new objects and connection. */
bool search_take(struct search *search, struct setup *setup, bool wait);

/* Wait for the end of a running search. */
void search_end(struct search *search);
