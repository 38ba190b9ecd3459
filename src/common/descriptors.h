/* How many files and sockets this process may have open (RLIMIT_NOFILE). */
#pragma once

/* The soft limit, which is in effect; 0 if it is not known. */
unsigned long long descriptors_limit(void);

/* Raise it to the hard limit, as far as that is allowed. */
void descriptors_raise_limit(void);
