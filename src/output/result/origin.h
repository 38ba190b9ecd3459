/* When, where and by which command a result was made. A measurement has struct result instead. */
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
    const char *target;    /* the target as the user wrote it */
    const char *transport; /* "TCP" or "UDP"; NULL without a transport */
    char auth[24];         /* authentication of calls, such as "AUTH_SYS" or "krb5p" */
    /* "tls" or "mtls"; NULL without transport security */
    const char *xprtsec;
    /* The client's machine: NAME is its host name ("" if not recorded), CPU its processor. */
    char name[ORIGIN_HOST_SIZE], kernel[ORIGIN_HOST_SIZE], cpu[ORIGIN_HOST_SIZE];
    uint64_t seed;
};

/* Fields of struct origin. Results of most kinds begin with those of origin_members. The fields in
 * origin_security are about the security of calls. */
extern const struct field origin_members[], origin_security[];

/* Return the COUNT WORDS of a command line as an array. Returns JSON's null if a word is not UTF-8,
 * because the command without that word would be a different one. */
#define ORIGIN_COMMAND_SCHEMA "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"string\"}}"
json_t *origin_command_json(const char *const *words, size_t count);
