/* Reading values from JSON files. The type and range of each value are checked. The first wrong
 * value sets the reader's error, and values read after it have no meaning; so callers may read a
 * complete object and check for an error once. Keys are paths with dots ("latency_ns.p50"). A
 * missing or null value is read as NAN, 0, false or NULL. */
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
    struct arena *arena; /* owns everything that was read */
    const char *path;    /* of the file, for messages */
    char where[80];      /* the object that is being read, for messages: "ops[2]." */
    struct error *error;
    int code; /* 0 until an error */
};

/* Set the error: the object at WHERE is invalid. WHAT says why. */
void json_refuse(struct json_reader *reader, const char *what);

/* Set the error: the value at KEYS (NULL: the object itself) is not what EXPECTED describes. */
void json_refuse_value(struct json_reader *reader, const char *keys, const char *expected);

/* Return COUNT zeroed items of SIZE bytes in the arena; NULL without memory or after an error. */
void *json_room(struct json_reader *reader, size_t count, size_t size);

/* Return the value at KEYS (NULL: OBJECT itself); NULL if missing or null. */
json_t *json_find(const json_t *object, const char *keys);

/* Read a number of either sign, or a number of at least 0. At most 1e18 in magnitude. */
double json_take_number(struct json_reader *reader, const json_t *object, const char *keys);
double json_take_quantity(struct json_reader *reader, const json_t *object, const char *keys);

/* Read an integer from 0 to MAXIMUM. */
uint64_t json_take_count(struct json_reader *reader, const json_t *object, const char *keys,
                         uint64_t maximum);

bool json_take_flag(struct json_reader *reader, const json_t *object, const char *keys);

/* Read a text of any origin. Whoever shows it must make it printable (common/printable.h). */
const char *json_take_text(struct json_reader *reader, const json_t *object, const char *keys);

/* Read a text that nfsbench chose. Only printable ASCII is accepted, to be shown unchanged. */
const char *json_take_word(struct json_reader *reader, const json_t *object, const char *keys);

json_t *json_take_object(struct json_reader *reader, const json_t *object, const char *keys);

/* Read an array of at most MAXIMUM items and set *COUNT; NULL and 0 if missing. */
json_t *json_take_array(struct json_reader *reader, const json_t *object, const char *keys,
                        size_t maximum, size_t *count);

/* Read an interval, whose ends must be in order. Returns false if it is missing or incomplete. */
bool json_take_interval(struct json_reader *reader, const json_t *object, const char *keys,
                        struct interval *interval);
