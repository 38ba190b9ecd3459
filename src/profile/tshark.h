/* Runs Wireshark's tshark as a child process that reads a capture. */
#pragma once

#include "common/error.h"

enum { TSHARK_COMPLAINT_SIZE = 300 };

/* Run tshark on the capture PATH ("-": standard input). For each frame, tshark prints a line with
 * FIELDS (ended by NULL) and AGGREGATOR between values of a field; TAKE is called with the line,
 * and may change it. On ports without a registered protocol, tshark looks only for RPC. Frames that
 * do not match FILTER (wireshark-filter(4); NULL: all match) are left out. Returns 0, with
 * COMPLAINT set to the reason why tshark stopped early, or to "". Otherwise returns a negative
 * errno with ERROR set: ERROR_USAGE with -ENOENT if there is no tshark, else ERROR_FAILED. */
int tshark_run(const char *path, const char *filter, const char *const *fields,
               const char *aggregator, void (*take)(void *context, char *line), void *context,
               char complaint[TSHARK_COMPLAINT_SIZE], struct error *error);
