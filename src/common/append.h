/* Texts that are built step by step in an array of SIZE bytes. Excess text is cut off. */
#pragma once

#include <stddef.h>

/* Append FORMAT with its arguments to TEXT. */
void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Append FORMAT with its arguments to the list TEXT; unless TEXT is empty, append ", " first. */
void append_item(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
