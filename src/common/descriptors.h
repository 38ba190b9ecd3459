/* File descriptors: how many this process may have (RLIMIT_NOFILE), and several pipes at once. */
#pragma once

#include <stddef.h>

/* The soft limit, which is in effect; 0 if it is not known. */
unsigned long long descriptors_limit(void);

/* How many more this process may have open; 0 if it is not known, or none. */
unsigned long long descriptors_left(void);

/* Raise it to the hard limit, as far as that is allowed. */
void descriptors_raise_limit(void);

/* Make COUNT pipes, each with its read end first, which are closed on exec: all or none. 0, or a
 * negative errno. */
int descriptors_pipes(int (*pipes)[2], size_t count);
