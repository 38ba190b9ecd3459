/* Loading eBPF programs: what the kernel must allow, and what to say if it does not. */
#ifndef NFSBENCH_EXPLAIN_BPF_LOAD_H
#define NFSBENCH_EXPLAIN_BPF_LOAD_H

#include "common/error.h"

/* Process numbers in the programs are the machine's, not a container's. Returns 0, or -ENOTSUP with
 * ERROR set where they differ. */
int bpf_check_processes(struct error *error);

/* Between the two, libbpf prints nothing. */
void bpf_load_begin(void);
void bpf_load_end(void);

/* Set ERROR to why loading failed with CODE, with libbpf's complaint. Returns CODE. */
int bpf_load_failed(int code, struct error *error);

#endif
