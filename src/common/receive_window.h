/* TCP's receive window: how many bytes the peer may send before this process has read them. */
#pragma once

#include <stdint.h>

#include "common/error.h"

/* Sizes that can be requested, bytes. */
enum { RECEIVE_WINDOW_MINIMUM = 2048, RECEIVE_WINDOW_MAXIMUM = 1 << 30 };

/* Limit the window of socket FD, or of connections that it accepts, to about BYTES, by SO_RCVBUF:
 * the kernel doubles BYTES for its overhead (socket(7)), and may give less. Call this before
 * connect() or listen(): the window scale is negotiated when a connection begins. Returns 0 or a
 * negative errno. */
int receive_window_set(int fd, uint32_t bytes);

/* Check that this machine allows a window of BYTES (0: no request). Returns 0, also if no socket
 * can be made to test it, or -ERANGE with ERROR set (ERROR_USAGE). */
int receive_window_check(uint32_t bytes, struct error *error);
