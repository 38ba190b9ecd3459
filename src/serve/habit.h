/* What other servers do, and this one usually does not: so that what finds out how a server behaves
 * can be tried on either answer. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As bits of a set. */
enum habit {
    HABIT_NO_ATTRIBUTES = 1 << 0, /* replies have no post-op attributes and no wcc data */
    HABIT_COARSE_TIMES = 1 << 1,  /* times are whole seconds */
    HABIT_NO_CACHE = 1 << 2,      /* requests that are repeated are carried out again */
    HABIT_SMALL_CACHE = 1 << 3,   /* 64 replies are remembered, for a second or two */
    HABIT_SLOW_SYNC = 1 << 4,     /* stable WRITEs and COMMITs take 5 ms longer */
    HABIT_ALWAYS_SYNC = 1 << 5,   /* all WRITEs come back as FILE_SYNC */
    HABIT_NEW_VERIFIER = 1 << 6,  /* each WRITE and COMMIT has another write verifier */
    HABIT_IN_ORDER = 1 << 7,      /* a connection's delayed calls take their delays in turn */
    HABIT_OBJECT_LOCKS = 1 << 8,  /* a change holds its directory or file for 3 ms */
    HABIT_ODD_PLACES = 1 << 9,    /* READs and WRITEs at odd places take 5 ms longer */
    HABIT_SMALL_MEMORY = 1 << 10, /* what is not among 1 MiB of data takes 5 ms longer to READ, but
                                   * for data that follow those of the READ before */
    HABIT_NO_TICKETS = 1 << 11,   /* no session of TLS can be resumed */
    HABIT_FEW_CONNECTIONS = 1 << 12, /* there are 32 connections at most */
    HABIT_SLOW_LARGE = 1 << 13, /* READs and WRITEs of more than 64 KiB, which FSINFO prefers, take
                                 * 5 ms longer */
    HABIT_SMALL_LIMITS = 1 << 14, /* FSINFO says 32 KiB at most in a READ or WRITE, and prefers
                                   * lists of 512 bytes */
};

enum {
    HABIT_PREFERRED = 64 << 10,
    HABIT_MAXIMUM = 32 << 10,
    HABIT_LIST = 512,
    HABIT_CONNECTIONS = 32
};

/* When what serves one call at a time is free again, by monotonic_ns(). Threads may share it. */
typedef _Atomic uint64_t habit_turn;

/* Wait for a turn, and hold it for HOLD_NS (0: only wait): the reply is to be delayed by what is
 * returned, in ns. No thread waits. */
uint64_t habit_take_turn(habit_turn *turn, uint64_t hold_ns);

/* The pieces of files that a server with a small memory has in it. Threads may share it. */
enum { HABIT_PIECE = 16 << 10, HABIT_PIECES = 64 };

struct habit_memory {
    pthread_mutex_t lock;
    struct habit_piece {
        uint64_t file, piece;
    } pieces[HABIT_PIECES], last; /* LAST: the one that was read last */
    size_t next;                  /* which gives way next */
};

/* Have PIECE, a number from 1 on, of FILE in memory. Must the disk be waited for? Not where it is
 * there, or follows the one that was read last, and so was read ahead. */
bool habit_waits_for_disk(struct habit_memory *memory, uint64_t file, uint64_t piece);

/* The habit called NAME ("no-attributes"); 0: there is none. */
unsigned habit_find(const char *name);

/* The name of habit INDEX, from 0 on; NULL after the last. */
const char *habit_name_at(size_t index);
