#include "common/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *error, enum error_kind kind, int code, const char *format, ...)
{
    va_list arguments;

    error->kind = kind;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return code;
}

const char *error_of_write(int code)
{
    return code == -EFBIG
               ? "File too large (EFBIG); raise the limit of files' lengths ('ulimit -f')"
               : strerror(-code);
}
