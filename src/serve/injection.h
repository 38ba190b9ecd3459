/* Parsers of the options of serve that inject behaviour, and completions of their values. */
#pragma once

#include "job/option_values.h"

/* Each comment says what the parser sets, with examples of values. */
option_parser
    serve_parse_times, /* an element of costs, locks or delays of struct policy: "getattr=2us:1%" */
    serve_parse_errors,    /* an element of errors of struct policy: "read=NFS3ERR_IO:1%" */
    serve_parse_faults,    /* an element of faults of struct policy: "write=lost:50" (50th WRITE) */
    serve_parse_device,    /* a struct policy_device: "5ms" or "5ms/8" */
    serve_parse_call_rate, /* a struct policy_rate for calls: "1000", or "1000/50" (burst) */
    serve_parse_byte_rate, /* a struct policy_rate for bytes: "10MiB", or "10MiB/1MiB" (burst) */
    serve_parse_habit,     /* one more bit in habits of struct policy: "no-cache" */
    serve_parse_probability; /* a double, 0 to 1: "0.01" or "1%" */

extern const struct option_completion serve_complete_times, serve_complete_errors,
    serve_complete_faults, serve_complete_habit;
