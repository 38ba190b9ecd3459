/* A TAP device: a network interface whose frames a process sends and receives (tun(4), kernel
 * documentation "Universal TUN/TAP device driver"). Closing its descriptor removes the device. */
#pragma once

#include <stdint.h>

#include "common/error.h"

struct tap {
    int fd; /* non-blocking descriptor; each read or write is one frame without check sequence */
    int counters; /* descriptor of /proc/net/dev in the device's namespace */
    char name[16];
};

/* Make the device NAME in the network namespace of the file PATH, with an MTU of MTU bytes and a
 * queue of QUEUE frames between kernel and descriptor. The device has no offloads, so its frames
 * are those that an ethernet would carry. The caller remains in its namespace. Returns 0, or a
 * negative errno with ERROR set. */
int tap_open(struct tap *tap, const char *path, const char *name, unsigned mtu, unsigned queue,
             struct error *error);
void tap_close(struct tap *tap);

/* Return the number of frames that the kernel dropped because they were not read in time. */
uint64_t tap_dropped(const struct tap *tap);
