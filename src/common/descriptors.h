/* File descriptors: which ones, and how many, and so connections, a process may have. */
#ifndef NFSBENCH_COMMON_DESCRIPTORS_H
#define NFSBENCH_COMMON_DESCRIPTORS_H

/* Have the first three be something, so that no file or socket that is opened later passes for
 * standard output: one that the caller has closed becomes /dev/null, the wrong way round, so that
 * using it still fails. */
void descriptors_open_standard(void);

/* As many as the system lets it: raise the soft limit (RLIMIT_NOFILE) to the hard one. */
void descriptors_raise_limit(void);

/* How many it may have. */
unsigned long long descriptors_limit(void);

#endif
