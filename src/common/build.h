/* How this program was built. */
#ifndef NFSBENCH_COMMON_BUILD_H
#define NFSBENCH_COMMON_BUILD_H

/* The commit (as git describes it; the version where there is no repository), the compiler and its
 * flags, and the features that are in: what two results should share to be compared. "v0.1.0-3-g123
 * GNU 12.2.0 Release with libnfs eBPF MPI". */
const char *build_description(void);

#endif
