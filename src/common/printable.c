#include "common/printable.h"

#include <stdio.h>
#include <string.h>

enum { ESCAPE_SIZE = sizeof "\\U0010ffff" };

/* Harmful characters, which are escaped in addition to control characters. */
static const struct {
    uint32_t first, last;
} harmful[] = {
    {0x061c, 0x061c},   /* Arabic letter mark */
    {0x200b, 0x200b},   /* zero width space */
    {0x200e, 0x200f},   /* left-to-right and right-to-left mark */
    {0x2028, 0x202e},   /* line and paragraph separator, embeddings, overrides */
    {0x2060, 0x206f},   /* word joiner, invisible operators, isolates, deprecated controls */
    {0xfeff, 0xfeff},   /* zero width no-break space */
    {0xfff9, 0xfffb},   /* interlinear annotations */
    {0xe0000, 0xe007f}, /* tags */
};

static bool is_harmless(uint32_t code)
{
    if (code < 0x20 || (code >= 0x7f && code < 0xa0))
        return false;
    for (size_t i = 0; i < sizeof harmful / sizeof harmful[0]; i++)
        if (code >= harmful[i].first && code <= harmful[i].last)
            return false;
    return true;
}

/* Return the number of bytes of a character that begins with LEAD, which is not ASCII, and set
 * *LEAST to the smallest code that needs this many. Returns 0 if no character begins with LEAD (RFC
 * 3629 section 3). */
static size_t utf8_length(unsigned char lead, uint32_t *least)
{
    if (lead >= 0xc2 && lead <= 0xdf)
        return *least = 0x80, 2;
    if (lead >= 0xe0 && lead <= 0xef)
        return *least = 0x800, 3;
    if (lead >= 0xf0 && lead <= 0xf4)
        return *least = 0x10000, 4;
    return 0;
}

/* Decode the character at TEXT, which is not ASCII. Returns false if it is not UTF-8. */
static bool decode_utf8(const char *text, uint32_t *code, size_t *length)
{
    uint32_t least = 0;

    *length = utf8_length((unsigned char)text[0], &least);
    if (*length == 0)
        return false;
    *code = (unsigned char)text[0] & (0x7fu >> *length);
    for (size_t i = 1; i < *length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) /* also at the text's end */
            return false;
        *code = *code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return *code >= least && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
}

struct printable_character printable_first(const char *text)
{
    struct printable_character first = {.code = (unsigned char)text[0]};

    if (first.code == 0)
        return first;
    first.valid = first.code < 0x80 || decode_utf8(text, &first.code, &first.length);
    if (first.code < 0x80 || !first.valid)
        first.length = 1;
    if (!first.valid)
        first.code = (unsigned char)text[0];
    first.harmless = first.valid && is_harmless(first.code);
    return first;
}

/* Write the first character of TEXT, or its escape, to OUT. Returns the length written. */
static size_t write_or_escape(const char *text, const struct printable_character *first,
                              char out[ESCAPE_SIZE])
{
    if (first->harmless) {
        memcpy(out, text, first->length);
        return first->length;
    }
    return (size_t)snprintf(out, ESCAPE_SIZE,
                            !first->valid || first->code < 0x80 ? "\\x%02x"
                            : first->code < 0x10000             ? "\\u%04x"
                                                                : "\\U%08x",
                            (unsigned)first->code);
}

char *printable_copy(char *out, size_t size, const char *text)
{
    static const char more[] = "...";
    /* USED: number of bytes in OUT; FITS: number of these bytes that are kept if MORE is appended
     */
    size_t used = 0, fits = 0;
    struct printable_character first;

    for (text = text ? text : "?"; (first = printable_first(text)).length; text += first.length) {
        char shown[ESCAPE_SIZE];
        size_t length = write_or_escape(text, &first, shown);

        if (used + length >= size) {
            memcpy(out + fits, more, sizeof more);
            return out;
        }
        memcpy(out + used, shown, length);
        used += length;
        if (used + sizeof more <= size)
            fits = used;
    }
    out[used] = '\0';
    return out;
}

struct printable printable(const char *text)
{
    struct printable made;

    printable_copy(made.text, sizeof made.text, text);
    return made;
}
