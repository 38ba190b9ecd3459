/* Texts that are made piece by piece, in an array of SIZE bytes. What does not fit is cut off. */
#pragma once

#include <stddef.h>

/* Add to the end of TEXT what FORMAT and its arguments say. */
void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for an item of a list: unless TEXT is empty, ", " comes before it. */
void append_item(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
