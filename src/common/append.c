#include "common/append.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void append_item(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    size_t used;

    if (*text)
        append(text, size, ", ");
    used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}
