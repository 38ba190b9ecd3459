/* Reading values from JSON files. The type and range of each value are checked. The first wrong
 * value sets the reader's error, and values that are read after it have no meaning. So callers may
 * read a complete object and check for an error once. KEYS is a path with dots ("latency_ns.p50").
 * A missing or null value is read as NAN, 0, false or NULL. */
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
    struct arena *arena; /* memory for everything that is read */
    const char *path;    /* path of the file, for messages */
    char where[80];      /* place of the object that is being read, for messages: "ops[2]." */
    struct error *error;
    int code; /* negative errno of the first error; 0 without an error */
};

/* Set the error -EBADMSG, unless there is one. WHERE and WHAT (" has no name") end its message. */
void json_refuse(struct json_reader *reader, const char *what);

/* Set the error, unless there is one: the value at KEYS (NULL: the object at WHERE) is not
 * EXPECTED, for example "a string". */
void json_refuse_value(struct json_reader *reader, const char *keys, const char *expected);

/* Return COUNT zeroed items of SIZE bytes in the arena; NULL after an error. Lack of memory is set
 * as the error -ENOMEM. */
void *json_room(struct json_reader *reader, size_t count, size_t size);

/* Return the value at KEYS (NULL: OBJECT itself); NULL if missing or null. */
json_t *json_find(const json_t *object, const char *keys);

/* Read a number from -1e18 (json_take_quantity(): from 0) to 1e18. */
double json_take_number(struct json_reader *reader, const json_t *object, const char *keys);
double json_take_quantity(struct json_reader *reader, const json_t *object, const char *keys);

/* Read a number without a fraction, 0 to MAXIMUM (and at most 9e15 if JSON has it as a real). */
uint64_t json_take_count(struct json_reader *reader, const json_t *object, const char *keys,
                         uint64_t maximum);

bool json_take_flag(struct json_reader *reader, const json_t *object, const char *keys);

/* Read a text of any characters. Callers show it only through printable() (common/printable.h). */
const char *json_take_text(struct json_reader *reader, const json_t *object, const char *keys);

/* Read a text that nfsbench chose: only printable ASCII, so that callers may show it unchanged. */
const char *json_take_word(struct json_reader *reader, const json_t *object, const char *keys);

json_t *json_take_object(struct json_reader *reader, const json_t *object, const char *keys);

/* Read an array of at most MAXIMUM items, and set *COUNT to their number. Returns NULL with *COUNT
 * 0 if the array is missing, empty or refused. */
json_t *json_take_array(struct json_reader *reader, const json_t *object, const char *keys,
                        size_t maximum, size_t *count);

/* Read an interval. Its lower end must not exceed the higher end. Returns false if the estimate or
 * exactly one of the two ends is missing. */
bool json_take_interval(struct json_reader *reader, const json_t *object, const char *keys,
                        struct interval *interval);
