/* A TAP device: a network interface whose frames a process sends and receives (tun(4), kernel
 * documentation "Universal TUN/TAP device driver"). It goes when its descriptor is closed. */
#ifndef NFSBENCH_BENCH_TAP_H
#define NFSBENCH_BENCH_TAP_H

#include <stdint.h>

#include "common/error.h"

struct tap {
    int fd;       /* a frame a read or a write, without check sequence; does not block */
    int counters; /* /proc/net/dev of the namespace */
    char name[16];
};

/* Make the device NAME in the network namespace that the file PATH stands for, with its MTU in
 * bytes and a queue of so many frames between the kernel and the descriptor. It is without
 * offloads: each frame is what an ethernet would carry. The caller's own namespace stays as it is.
 * 0, or a negative errno with ERROR set. */
int tap_open(struct tap *tap, const char *path, const char *name, unsigned mtu, unsigned queue,
             struct error *error);
void tap_close(struct tap *tap);

/* Frames that were lost between the kernel and the descriptor, for lack of a reader. */
uint64_t tap_dropped(const struct tap *tap);

#endif
