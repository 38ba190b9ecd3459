/* Make text from a server, a file or a user safe for a terminal. Such text may contain bytes that
 * move the cursor, change colours or the window's title, or imitate a line of this program; and
 * characters that are invisible or reverse neighbouring text (Unicode Standard Annex #9). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of printable()'s text with its terminator. Longer text is cut and ends in "...". */
enum { PRINTABLE_SIZE = 2048 };

struct printable {
    char text[PRINTABLE_SIZE];
};

/* Return TEXT in a form that is safe for a UTF-8 terminal. ASCII's control characters and bytes
 * that are not UTF-8 become escapes such as "\x1b". Harmful characters become escapes such as
 * "\u202e": C1 controls, characters for direction, line and paragraph separators, zero-width
 * spaces, invisible operators, interlinear annotations, tags. NULL becomes "?". A backslash is
 * unchanged. A result that is not assigned is valid only within one expression: printf("%s",
 * printable(name).text). */
struct printable printable(const char *text);

/* Write TEXT to OUT, of SIZE bytes (8 or more), as printable() does. Returns OUT. */
char *printable_copy(char *out, size_t size, const char *text);

/* A character of a text, or a byte that does not begin one. */
struct printable_character {
    uint32_t code; /* code of the character, or value of the byte */
    size_t length; /* length in bytes; 0 at the end of the text */
    bool valid;    /* the character is well-formed UTF-8 */
    bool harmless; /* printable() leaves the character unchanged */
};

/* Return the first character of TEXT, for formats with their own escapes, such as HTML. */
struct printable_character printable_first(const char *text);
