/* Wireshark's dissectors, as a child process that reads a capture. */
#pragma once

#include "common/error.h"

enum { TSHARK_COMPLAINT_SIZE = 300 };

/* Have tshark read the capture PATH ("-": standard input) and print FIELDS (NULL ends them) of its
 * frames, whose values are separated by AGGREGATOR; TAKE gets each line, which it may change.
 * No protocol but RPC is looked for on ports that stand for none. Frames that FILTER
 * (wireshark-filter(4); NULL: none) does not match are left out. COMPLAINT is why it could not read
 * on, or "". 0, or a negative errno with ERROR set: -ENOENT where tshark is not installed
 * (ERROR_USAGE). */
int tshark_run(const char *path, const char *filter, const char *const *fields,
               const char *aggregator, void (*take)(void *context, char *line), void *context,
               char complaint[TSHARK_COMPLAINT_SIZE], struct error *error);
