/* Text that came from a server, a file or a user, made safe for a terminal. Such text may hold
 * bytes that move the cursor, change colours or the window's title, or start a line that looks like
 * one of ours; and characters that reverse what stands beside them (Unicode Standard Annex #9), or
 * that can't be seen. */
#ifndef NFSBENCH_COMMON_PRINTABLE_H
#define NFSBENCH_COMMON_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of what printable() returns, with its end. What is longer is cut, and ends in "...". */
enum { PRINTABLE_SIZE = 2048 };

struct printable {
    char text[PRINTABLE_SIZE];
};

/* TEXT as a terminal that takes UTF-8 may show it: the bytes of the controls C0 and C1 and of DEL,
 * and bytes that are no UTF-8, become "\x1b"; characters that are harmful become "\u202e":
 * directional marks, embeddings, overrides and isolates, line and paragraph separators, spaces
 * without width, interlinear annotations, tags. NULL becomes "?". A backslash stays as it is. To be
 * used within a call, as what is returned lives as long as that: printf("%s",
 * printable(name).text). */
struct printable printable(const char *text);

/* Likewise, for OUT of SIZE bytes, 8 or more. Returns OUT. */
char *printable_copy(char *out, size_t size, const char *text);

/* A character of a text, or a byte of it that begins none. */
struct printable_character {
    uint32_t code; /* the character's, or the byte's value */
    size_t length; /* bytes that it takes; 0 at the end of the text */
    bool valid;    /* it is well-formed UTF-8 */
    bool harmless; /* printable() shows it as it is */
};

/* What TEXT begins with; for other forms than text, each of which escapes in its own way. */
struct printable_character printable_first(const char *text);

#endif
