/* Text that came from a server, a file or a user, made safe for a terminal. Such text may hold
 * bytes that move the cursor, change colours or the window's title, or start a line that looks like
 * one of ours; and characters that reverse neighbouring text (Unicode Standard Annex #9), or are
 * invisible. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of the text that printable() returns, with its terminator. A longer text is cut, and
 * ends in "...". */
enum { PRINTABLE_SIZE = 2048 };

struct printable {
    char text[PRINTABLE_SIZE];
};

/* TEXT as it may be shown on a UTF-8 terminal: control characters (C0, C1 and DEL) and bytes that
 * are not UTF-8 become escapes such as "\x1b"; harmful characters become escapes such as "\u202e":
 * directional marks, embeddings, overrides and isolates, line and paragraph separators, zero-width
 * spaces, interlinear annotations, tags. NULL becomes "?". A backslash is left unchanged. Use the
 * result within the same expression, where it is valid: printf("%s", printable(name).text). */
struct printable printable(const char *text);

/* The same, into OUT of SIZE bytes, 8 or more. Returns OUT. */
char *printable_copy(char *out, size_t size, const char *text);

/* A character of a text, or a byte that does not begin one. */
struct printable_character {
    uint32_t code; /* the character's, or the byte's value */
    size_t length; /* in bytes; 0 at the end of the text */
    bool valid;    /* it is well-formed UTF-8 */
    bool harmless; /* printable() shows it as it is */
};

/* The first character of TEXT, for forms such as HTML, which have their own escapes. */
struct printable_character printable_first(const char *text);
