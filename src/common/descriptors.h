/* File descriptors of the process: the first three, and how many it may have. */
#ifndef NFSBENCH_COMMON_DESCRIPTORS_H
#define NFSBENCH_COMMON_DESCRIPTORS_H

/* Make sure that the first three are open, so that no file or socket opened later is mistaken for
 * standard output. One that the caller has closed becomes /dev/null, opened in the wrong direction
 * so that using it still fails. */
void descriptors_open_standard(void);

/* Raise the soft limit (RLIMIT_NOFILE) to the hard limit. */
void descriptors_raise_limit(void);

/* The soft limit. */
unsigned long long descriptors_limit(void);

#endif
