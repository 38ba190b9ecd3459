/* How this program was built. */
#ifndef NFSBENCH_COMMON_BUILD_H
#define NFSBENCH_COMMON_BUILD_H

/* The commit (from git describe, or the version if there is no repository), the compiler and its
 * flags, and the features that are built in. Two results should have the same build to be compared.
 * "v0.1.0-3-g123 GNU 12.2.0 Release with libnfs eBPF MPI". */
const char *build_description(void);

#endif
