/* When, where and by which command a result was made, for the kinds of results other than
 * measurements, whose struct result has the same among more. */
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
    const char *const *command; /* the words of the command line, the program's name first */
    size_t command_count;
    const char *target;    /* as the user wrote it */
    const char *transport; /* "TCP", "UDP" */
    char auth[24];         /* "AUTH_SYS", "krb5p" */
    const char *xprtsec;   /* "tls", "mtls"; NULL: none */
    char name[ORIGIN_HOST_SIZE], kernel[ORIGIN_HOST_SIZE], cpu[ORIGIN_HOST_SIZE]; /* of the client's
                                                                machine; NAME "": not recorded */
    uint64_t seed;
};

/* Of struct origin: what results of all kinds begin with, but measurements; and how their calls
 * were secured. */
extern const struct field origin_members[], origin_security[];

/* The words of a command line as an array; null if one is no UTF-8, because the rest would be
 * another command. */
#define ORIGIN_COMMAND_SCHEMA "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"string\"}}"
json_t *origin_command_json(const char *const *words, size_t count);
