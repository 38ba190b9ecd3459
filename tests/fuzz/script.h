/* A fuzzer's input as a script, from which a target reads bytes to choose its next action. After
 * the script's end, only zeros are read, so that any prefix of a script is a script. Zero should be
 * the ordinary choice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct script {
    const uint8_t *at, *end;
};

static inline struct script script_of(const uint8_t *bytes, size_t length)
{
    return (struct script){bytes, bytes + length};
}

static inline bool script_ended(const struct script *script)
{
    return script->at == script->end;
}

static inline uint8_t script_byte(struct script *script)
{
    return script_ended(script) ? 0 : *script->at++;
}

static inline uint32_t script_u16(struct script *script)
{
    uint32_t high = script_byte(script);

    return high << 8 | script_byte(script);
}

/* Return the next *LENGTH bytes. If fewer bytes remain, set *LENGTH to their number. */
static inline const uint8_t *script_bytes(struct script *script, size_t *length)
{
    const uint8_t *bytes = script->at;

    if (*length > (size_t)(script->end - script->at))
        *length = (size_t)(script->end - script->at);
    script->at += *length;
    return bytes;
}

/* Crash if CONDITION is false, so that the fuzzer reports the input. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
