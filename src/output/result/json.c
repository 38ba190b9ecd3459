#include "output/result/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/environment.h"
#include "output/view/fields.h"
#include "output/view/number.h"
#include "version.h"

json_t *json_begin(enum result_kind kind)
{
    return json_pack("{s:s, s:s, s:o}", "schema", RESULT_SCHEMA, "kind", result_kind_key(kind),
                     "tool", json_tool());
}

json_t *json_tool(void)
{
    return json_pack("{s:s, s:s, s:s}", "name", "nfsbench", "version", NFSBENCH_VERSION, "build",
                     build_description());
}

json_t *json_known(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

/* A fraction that would vanish when BYTES is rounded to NUMBER_WRITTEN_DIGITS is ignored. */
json_t *json_bytes(double bytes)
{
    char text[NUMBER_WRITTEN_DIGITS + 16];
    double written = bytes;

    if (bytes != floor(bytes)) {
        snprintf(text, sizeof text, "%.*g", NUMBER_WRITTEN_DIGITS, bytes);
        written = strtod(text, NULL);
    }
    return written >= 0 && written < 1e15 && written == floor(written)
               ? json_integer((json_int_t)written)
               : json_known(bytes);
}

json_t *json_text(const char *text)
{
    json_t *value = text ? json_string(text) : NULL;

    return value ? value : json_null();
}

json_t *json_interval(const struct interval *interval)
{
    if (isnan(interval->estimate))
        return json_null();
    if (isnan(interval->low) || isnan(interval->high))
        return json_pack("{s:o, s:n}", "estimate", json_known(interval->estimate), "ci95");
    return json_pack("{s:o, s:[o, o]}", "estimate", json_known(interval->estimate), "ci95",
                     json_known(interval->low), json_known(interval->high));
}

/* Write TEXT, and escape DEL, which occurs only in strings and which jansson does not escape. */
static int write_piece(const char *text, size_t length, void *out)
{
    for (size_t i = 0; i < length; i++)
        if ((text[i] == 0x7f ? fputs("\\u007f", out) : fputc(text[i], out)) == EOF)
            return -1;
    return 0;
}

int json_write_object(json_t *object, FILE *out)
{
    const size_t format = JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_ENSURE_ASCII |
                          JSON_REAL_PRECISION(NUMBER_WRITTEN_DIGITS);
    int code;

    if (!object)
        return -ENOMEM;
    errno = EIO; /* jansson does not set errno for its own failures */
    code = json_dump_callback(object, write_piece, out, format) == 0 && fputc('\n', out) != EOF
               ? 0
               : -errno;
    json_decref(object);
    return code;
}
