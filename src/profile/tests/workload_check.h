/* Checks that a workload can be written to a file, read again, and shown by a view. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "profile/workload.h"
#include "text.h"

/* Return WORKLOAD as JSON text, which the caller frees, and set LENGTH to its length in bytes. */
static inline char *write_workload(const struct workload *workload, size_t *length)
{
    char *written = NULL;
    FILE *out = open_memstream(&written, length);

    FUZZ_CHECK(out && workload_write(workload, out) == 0 && fclose(out) == 0);
    return written;
}

static inline void write_and_read(const struct workload *workload, struct workload *again)
{
    struct error error = {.text = ""};
    size_t length;
    char *written = write_workload(workload, &length);

    FUZZ_CHECK(workload_read(again, memory_file(0, written, length), &error) == 0);
    free(written);
}

/* Check that the view of RESULT prints no characters below ' ', except newlines. */
static inline void show(const struct view *view, const void *result)
{
    char *shown = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&shown, &length);

    FUZZ_CHECK(out && view_write_text(view, result, true, out) == 0 && fclose(out) == 0);
    for (size_t i = 0; i < length; i++)
        FUZZ_CHECK(shown[i] == '\n' || (uint8_t)shown[i] >= ' ');
    free(shown);
}
