/* TCP's receive window: how many bytes the peer may send before they are read here. */
#pragma once

#include <stdint.h>

#include "common/error.h"

/* Sizes that can be asked for, in bytes: the kernel gives no socket less than the first. */
enum { RECEIVE_WINDOW_MINIMUM = 2048, RECEIVE_WINDOW_MAXIMUM = 1 << 30 };

/* Limit the window of socket FD, or of the connections that it accepts, to about BYTES, instead of
 * letting the kernel choose: by SO_RCVBUF, of which half is the kernel's overhead (tcp(7)). To be
 * called before connect() or listen(), because the window's scale is agreed upon when a connection
 * begins. 0 or a negative errno. */
int receive_window_set(int fd, uint32_t bytes);

/* Does this machine allow so many BYTES (0: none were asked for)? 0, or -ERANGE with ERROR set
 * (ERROR_USAGE). */
int receive_window_check(uint32_t bytes, struct error *error);
