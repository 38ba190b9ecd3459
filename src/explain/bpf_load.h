/* Loading eBPF programs: what the kernel must allow, and what to say if it does not. */
#pragma once

#include "common/error.h"

/* Between the two, libbpf prints nothing. */
void bpf_load_begin(void);
void bpf_load_end(void);

/* Set ERROR to why loading failed with CODE, with libbpf's complaint. Returns CODE. */
int bpf_load_failed(int code, struct error *error);
