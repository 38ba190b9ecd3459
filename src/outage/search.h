/* Finding the server, or the probe's file on it, again: mounting as before, going the same way
 * down, and making again what is gone. It takes a thread of its own, since the probe goes on
 * meanwhile. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "run/setup/setup.h"

enum search_for {
    SEARCH_SERVER, /* only mount: the server may be at another address or port */
    SEARCH_FILE,   /* the server no longer knows the file's handle */
};

struct search {
    pthread_t thread;
    enum search_for what;
    bool runs;
    atomic_bool over;
    int wake_fd;       /* an eventfd of the caller's, written to when a search is over */
    uint64_t began_ns; /* clock_raw_ns() */
    uint64_t next_ns;  /* clock_raw_ns(): when another one may begin */
    uint64_t pause_ns; /* between the beginnings of two; it doubles, to 1 s */
    uint64_t pause_minimum_ns;
    const struct setup *setup;
    struct mount_options options;
    /* What it found: CODE is 0, or a negative errno. */
    int code;
    struct mount mount;
    struct nfs_objects objects;
    uint64_t file_id;
    bool directory_is_new, file_is_new; /* they were gone, and were made again */
};

/* A search for WHAT, which is not begun. PAUSE_NS is the first pause. */
void search_open(struct search *search, enum search_for what, int wake_fd, uint64_t pause_ns);

/* Begin a search, unless one is under way or the last one was just now. Until it is over, nothing
 * but the mount of SETUP may change. */
void search_begin(struct search *search, const struct setup *setup);

/* There is a new reason to search: pauses are short again. */
void search_hurry(struct search *search);

/* Is it over (with WAIT: when it is), and was it successful? Then SETUP has the new mount; for
 * SEARCH_FILE also the new objects and connection. Returns true once for each search. */
bool search_take(struct search *search, struct setup *setup, bool wait);

/* Wait for the end of one that is under way. */
void search_end(struct search *search);
