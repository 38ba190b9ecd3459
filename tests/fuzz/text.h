/* A fuzzer's input as a text or a file, for parsers. */
#pragma once

#include <string.h>

#include "../unit/memory_file.h"
#include "script.h"

/* Return a terminated copy of BYTES, which the caller frees. */
static inline char *text_of(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);

    FUZZ_CHECK(text);
    if (length > 0)
        memcpy(text, bytes, length);
    text[length] = '\0';
    return text;
}
