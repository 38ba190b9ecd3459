/* When, where and by which command a result was made. Measurements use struct result instead. */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/system_clock.h"
#include "output/result/result.h"
#include "output/view/fields.h"

enum { ORIGIN_HOST_SIZE = 80 };

struct origin {
    char start[SYSTEM_CLOCK_TEXT_SIZE]; /* RFC 3339 */
    const char *const *command; /* words of the command line, beginning with the program's name */
    size_t command_count;
    const char *target;    /* as the user wrote it */
    const char *transport; /* "TCP", "UDP" */
    char auth[24];         /* "AUTH_SYS", "krb5p" */
    /* "tls" or "mtls"; NULL without transport security */
    const char *xprtsec;
    /* Of the client's machine. NAME is "" if it was not recorded. */
    char name[ORIGIN_HOST_SIZE], kernel[ORIGIN_HOST_SIZE], cpu[ORIGIN_HOST_SIZE];
    uint64_t seed;
};

/* Of struct origin: fields at the beginning of every result but measurements; security of calls. */
extern const struct field origin_members[], origin_security[];

/* Return the COUNT WORDS of a command line as an array. Returns null if a word is not UTF-8,
 * because the rest would be a different command. */
#define ORIGIN_COMMAND_SCHEMA "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"string\"}}"
json_t *origin_command_json(const char *const *words, size_t count);
