#include "common/mountinfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int mountinfo_read_file(const char *path, char **text)
{
    FILE *file = fopen(path, "re");
    size_t size = 0;
    int code = file ? 0 : -errno;

    *text = NULL;
    if (file && getdelim(text, &size, '\0', file) <= 0)
        code = -ENOENT;
    if (file)
        fclose(file);
    return code;
}

const char *mountinfo_next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* Words of a line: id parent major:minor root POINT options [optional...] - TYPE SOURCE OPTIONS.
 * Those in capitals are copied. */
enum { WORDS_BEFORE_POINT = 4, WORDS_AFTER_POINT = 1 };

static const char *skip_word(const char *at)
{
    at += strcspn(at, " \n");
    return *at == ' ' ? at + 1 : at;
}

/* Return whether DIGITS begins with three octal digits, from "001" to "377". */
static bool is_octal(const char *digits)
{
    for (int i = 0; i < 3; i++)
        if (digits[i] < '0' || digits[i] > '7')
            return false;
    return digits[0] <= '3' && strncmp(digits, "000", 3) != 0;
}

/* Copy the word at AT to WORD, and decode its escapes. Returns the text after it, or NULL if the
 * word is empty or does not fit. */
static const char *copy_word(const char *at, char *word, size_t size)
{
    size_t length = 0;

    while (*at && *at != ' ' && *at != '\n') {
        bool escaped = *at == '\\' && is_octal(at + 1);

        if (length + 1 >= size)
            return NULL;
        word[length++] =
            escaped ? (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0')) : *at;
        at += escaped ? 4 : 1;
    }
    word[length] = '\0';
    return length > 0 ? at + (*at == ' ') : NULL;
}

static const char *skip_optional_words(const char *at)
{
    while (*at && *at != '\n' && strncmp(at, "- ", 2) != 0)
        at = skip_word(at);
    return strncmp(at, "- ", 2) == 0 ? at + 2 : NULL;
}

static int parse_line(const char *at, struct mountinfo *info)
{
    for (int i = 0; i < WORDS_BEFORE_POINT; i++)
        at = skip_word(at);
    at = copy_word(at, info->point, sizeof info->point);
    for (int i = 0; at && i < WORDS_AFTER_POINT; i++)
        at = skip_word(at);
    if (at)
        at = skip_optional_words(at);
    if (at)
        at = copy_word(at, info->type, sizeof info->type);
    if (at)
        at = copy_word(at, info->source, sizeof info->source);
    if (at)
        at = copy_word(at, info->options, sizeof info->options);
    return at ? 0 : -EBADMSG;
}

int mountinfo_find(const char *text, uint64_t id, struct mountinfo *info)
{
    for (const char *line = text; *line; line = mountinfo_next_line(line)) {
        char *end;

        if (strtoull(line, &end, 10) == id && end != line && *end == ' ')
            return parse_line(line, info);
    }
    return -ENOENT;
}

bool mountinfo_option(const struct mountinfo *info, const char *name,
                      char value[MOUNTINFO_VALUE_SIZE])
{
    size_t length = strlen(name), span;

    for (const char *at = info->options; *at; at += span + (at[span] == ',')) {
        size_t skipped;

        span = strcspn(at, ",");
        if (span < length || strncmp(at, name, length) != 0 || (span > length && at[length] != '='))
            continue;
        skipped = length + (span > length);
        if (span - skipped >= MOUNTINFO_VALUE_SIZE)
            return false;
        memcpy(value, at + skipped, span - skipped);
        value[span - skipped] = '\0';
        return true;
    }
    return false;
}

int mountinfo_read(uint64_t id, struct mountinfo *info)
{
    char *text;
    int code = mountinfo_read_file("/proc/self/mountinfo", &text) == 0
                   ? mountinfo_find(text, id, info)
                   : -ENOENT;

    free(text);
    return code;
}
