/* Values out of JSON that came from a file, each checked when it is taken: its type, its range. The
 * first that is wrong is the reader's error, and what is read afterwards has no meaning; so a whole
 * object can be read without a look at each value. Keys are paths with dots between
 * ("latency_ns.p50"). What is not there, or null, is not known: NAN, 0, false or NULL. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/memory.h"
#include "measure/statistics/estimate.h"
#include "output/result/result.h"

struct json_reader {
    struct arena *arena; /* where what was read is */
    const char *path;    /* of the file, for messages */
    char where[80];      /* the object that values are taken from, for messages: "ops[2]." */
    struct error *error;
    int code; /* 0 until something was wrong */
};

/* The object that is read is none of ours: WHAT says why. */
void json_refuse(struct json_reader *reader, const char *what);

/* Likewise its value at KEYS, which is not what was EXPECTED; NULL KEYS: the object itself. */
void json_refuse_value(struct json_reader *reader, const char *keys, const char *expected);

/* COUNT items of SIZE bytes in the arena, zeroed; NULL without memory, or after an error. */
void *json_room(struct json_reader *reader, size_t count, size_t size);

/* The value at KEYS (NULL: OBJECT itself); NULL where it is not there, or null. */
json_t *json_find(const json_t *object, const char *keys);

/* Numbers of either sign, and those that are 0 or more, within 1e18. */
double json_take_number(struct json_reader *reader, const json_t *object, const char *keys);
double json_take_quantity(struct json_reader *reader, const json_t *object, const char *keys);

/* A whole number from 0 to MAXIMUM. */
uint64_t json_take_count(struct json_reader *reader, const json_t *object, const char *keys,
                         uint64_t maximum);

bool json_take_flag(struct json_reader *reader, const json_t *object, const char *keys);

/* A text that came from a server, a machine or a user: whatever shows it makes it safe
 * (common/printable.h). */
const char *json_take_text(struct json_reader *reader, const json_t *object, const char *keys);

/* A text that nfsbench chose, such as the name of an op: printable ASCII, so that it can be shown
 * as it is. Anything else is refused. */
const char *json_take_word(struct json_reader *reader, const json_t *object, const char *keys);

json_t *json_take_object(struct json_reader *reader, const json_t *object, const char *keys);

/* An array of MAXIMUM items at most; NULL, and COUNT 0, where it is not there. */
json_t *json_take_array(struct json_reader *reader, const json_t *object, const char *keys,
                        size_t maximum, size_t *count);

/* False where it is not there; its ends are in order. */
bool json_take_interval(struct json_reader *reader, const json_t *object, const char *keys,
                        struct interval *interval);
