/* What other servers do, and this one usually does not: so that what finds out how a server behaves
 * can be tried on either answer. */
#ifndef NFSBENCH_SERVER_HABIT_H
#define NFSBENCH_SERVER_HABIT_H

/* As bits of a set. */
enum habit {
    HABIT_NO_ATTRIBUTES = 1 << 0, /* replies have no post-op attributes and no wcc data */
    HABIT_COARSE_TIMES = 1 << 1,  /* times are whole seconds */
    HABIT_FOLDED_NAMES = 1 << 2,  /* names are kept in small letters, whatever they are made in */
    HABIT_PLAIN_NAMES = 1 << 3,   /* names have 64 bytes of printable ASCII at most */
    HABIT_NO_CACHE = 1 << 4,      /* requests that are repeated are carried out again */
    HABIT_SMALL_CACHE = 1 << 5,   /* 64 replies are remembered, for a second or two */
    HABIT_SLOW_SYNC = 1 << 6,     /* stable WRITEs and COMMITs take 5 ms longer */
    HABIT_ALWAYS_SYNC = 1 << 7,   /* all WRITEs come back as FILE_SYNC */
    HABIT_NEW_VERIFIER = 1 << 8,  /* each WRITE and COMMIT has another write verifier */
    HABIT_LOW_PORTS = 1 << 9,     /* calls from ports above 1023 are refused */
    HABIT_NEEDS_MOUNT = 1 << 10,  /* hosts that have no mount are refused */
};

/* The habit called NAME ("no-attributes"); 0: there is none. */
unsigned habit_find(const char *name);

/* All names, in the order of the bits; NULL after the last. */
extern const char *const habit_names[];

#endif
