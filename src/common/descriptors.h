/* How many file descriptors, and so connections, a process may have. */
#ifndef NFSBENCH_COMMON_DESCRIPTORS_H
#define NFSBENCH_COMMON_DESCRIPTORS_H

/* As many as the system lets it: raise the soft limit (RLIMIT_NOFILE) to the hard one. */
void descriptors_raise_limit(void);

/* How many it may have. */
unsigned long long descriptors_limit(void);

#endif
