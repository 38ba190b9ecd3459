/* Finding the probe's file again on a server that no longer knows its handle, or is at another
 * port: mounting as before, going the same way down, and making again what is gone. It takes a
 * thread of its own, since the probe goes on meanwhile. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "run/setup.h"

struct search {
    pthread_t thread;
    bool runs;
    atomic_bool over;
    uint64_t next_ns; /* clock_raw_ns(): when another one may begin, after one without success */
    const struct setup *setup;
    /* What it found: CODE is 0, or a negative errno. */
    int code;
    struct mount mount;
    struct nfs_objects objects;
    uint64_t file_id;
    bool directory_is_new, file_is_new; /* they were gone, and were made again */
};

/* Begin a search, unless one is under way or the last one was just now. SETUP must not change until
 * it is over. */
void search_begin(struct search *search, const struct setup *setup);

/* Is it over (with WAIT: when it is), and was it successful? Then SETUP has the new mount, objects
 * and connection. Returns true once for each search. */
bool search_take(struct search *search, struct setup *setup, bool wait);

/* Wait for the end of one that is under way. */
void search_end(struct search *search);
