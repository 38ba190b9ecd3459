/* File descriptors: the limit of this process (RLIMIT_NOFILE), and several pipes at once. */
#pragma once

#include <stddef.h>

/* Return the soft limit of open descriptors; 0 if unknown. */
unsigned long long descriptors_limit(void);

/* Return an upper bound of how many more descriptors can be opened; 0 if none, or unknown. */
unsigned long long descriptors_left(void);

/* Raise the soft limit to the hard limit, if possible. */
void descriptors_raise_limit(void);

/* Make COUNT pipes, closed on exec, read end first; all or none. Returns 0 or a negative errno. */
int descriptors_pipes(int (*pipes)[2], size_t count);
