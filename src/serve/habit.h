/* Habits: behaviours that other servers have, but not this server by default. They are for tests of
 * programs that find out how a server behaves. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Habits, as bits of a set. */
enum habit {
    HABIT_NO_ATTRIBUTES = 1 << 0, /* replies have no post-op attributes and no wcc data */
    HABIT_COARSE_TIMES = 1 << 1,  /* times that the server sets are whole seconds */
    HABIT_NO_CACHE = 1 << 2,      /* a repeated request is carried out again */
    /* only 64 replies to WRITEs, and 64 to other calls, are kept, for 1 to 2 s */
    HABIT_SMALL_CACHE = 1 << 3,
    HABIT_SLOW_SYNC = 1 << 4,    /* stable WRITEs and COMMITs take 5 ms longer */
    HABIT_ALWAYS_SYNC = 1 << 5,  /* the reply to every WRITE says FILE_SYNC */
    HABIT_NEW_VERIFIER = 1 << 6, /* each reply to a WRITE or COMMIT has a new write verifier */
    HABIT_IN_ORDER = 1 << 7,     /* delays of a TCP connection's calls add up, as with one worker */
    /* replies with wcc data take 3 ms; meanwhile, other calls on the same objects wait */
    HABIT_OBJECT_LOCKS = 1 << 8,
    /* READs and WRITEs take 5 ms longer unless their offset is a multiple of 4096 */
    HABIT_ODD_PLACES = 1 << 9,
    /* READs take 5 ms longer unless they are sequential or in a simulated cache (habit_memory) */
    HABIT_SMALL_MEMORY = 1 << 10,
    HABIT_NO_TICKETS = 1 << 11,      /* TLS sessions cannot be resumed */
    HABIT_FEW_CONNECTIONS = 1 << 12, /* connections beyond 32 are closed */
    /* FSINFO prefers 64 KiB for READ and WRITE; READs and WRITEs above 64 KiB take 5 ms longer */
    HABIT_SLOW_LARGE = 1 << 13,
    /* FSINFO reports 32 KiB as the maximum of READ and WRITE, and prefers listings of 512 bytes */
    HABIT_SMALL_LIMITS = 1 << 14,
    HABIT_SLOW_MOUNT = 1 << 15, /* MNT takes 1.2 s longer */
};

enum {
    HABIT_PREFERRED = 64 << 10,
    HABIT_MAXIMUM = 32 << 10,
    HABIT_LIST = 512,
    HABIT_CONNECTIONS = 32
};

/* The time from which a resource that serves one call at a time is free, by monotonic_ns(). Threads
 * may share it. */
typedef _Atomic uint64_t habit_free_at;

/* Reserve the resource of TURN for HOLD_NS, which may be 0, after all earlier reservations. Never
 * blocks. Returns for how many ns the caller must delay the reply: until the reservation ends. */
uint64_t habit_reserve(habit_free_at *turn, uint64_t hold_ns);

/* A simulated cache of file data, in pieces of HABIT_PIECE bytes. Threads may share it. */
enum { HABIT_PIECE = 16 << 10, HABIT_PIECES = 64 };

struct habit_memory {
    pthread_mutex_t lock;
    struct habit_piece {
        uint64_t file, piece;
    } pieces[HABIT_PIECES], last; /* LAST: the piece that was read last */
    size_t next;                  /* index of the piece that is replaced next */
};

/* Put piece number PIECE (from 1) of file number FILE, of which a READ needs data, into the cache.
 * Returns true if the READ must wait for the disk; false if the piece was in the cache, or follows
 * the piece that was read last (read-ahead). */
bool habit_waits_for_disk(struct habit_memory *memory, uint64_t file, uint64_t piece);

/* Return the habit called NAME ("no-attributes"), or 0 if there is none. */
unsigned habit_find(const char *name);

/* Return the name of habit INDEX, from 0 on, or NULL after the last habit. */
const char *habit_name_at(size_t index);
