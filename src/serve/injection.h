/* Parsers of the options that have the embedded server inject costs, delays, errors and losses. */
#pragma once

#include "job/option_values.h"

/* By the type of the member. */
option_parser serve_parse_times, /* costs or delays of a struct policy: "getattr=2us:1%" adds one */
    serve_parse_errors,          /* errors of a struct policy: "read=NFS3ERR_IO:1%" adds one */
    serve_parse_faults,          /* faults of a struct policy: "write=lost:50" adds one */
    serve_parse_device,          /* struct policy_device: "5ms" or "5ms/8" */
    serve_parse_call_rate,       /* struct policy_rate: "1000" or "1000/50" */
    serve_parse_byte_rate,       /* the same in bytes: "10MiB" or "10MiB/1MiB" */
    serve_parse_habit,           /* habits of a struct policy: adds one */
    serve_parse_probability;     /* double: "0.01" or "1%" */

/* How shells complete them. */
extern const struct option_completion serve_complete_times, serve_complete_errors,
    serve_complete_faults, serve_complete_habit;
