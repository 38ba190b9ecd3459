#include "explain/trace_format.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Texts */

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end ? end + 1 : NULL;
}

int trace_format_id(const char *format, uint64_t *id)
{
    for (const char *line = format; line; line = next_line(line))
        if (sscanf(line, "ID: %" SCNu64, id) == 1)
            return 0;
    return -EBADMSG;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does DECLARATION, such as "char comm[16]" or "__data_loc char[] name", declare NAME? */
static bool declares(const char *declaration, size_t length, const char *name)
{
    size_t size = strlen(name);

    if (length > 0 && declaration[length - 1] == ']')
        while (length > 0 && declaration[--length] != '[')
            ;
    return length > size && memcmp(declaration + length - size, name, size) == 0 &&
           !is_of_name(declaration[length - size - 1]);
}

/* A line is "\tfield:DECLARATION;\toffset:N;\tsize:N;\tsigned:N;", in header_page with a blank
 * after the first colon. */
int trace_format_field(const char *format, const char *name, struct trace_field *field)
{
    static const char begin[] = "\tfield:";

    for (const char *line = format; line; line = next_line(line)) {
        const char *declaration = line + sizeof begin - 1;
        size_t length;

        if (strncmp(line, begin, sizeof begin - 1) != 0)
            continue;
        length = strcspn(declaration, ";\n");
        if (!declares(declaration, length, name))
            continue;
        field->elsewhere = strncmp(declaration, "__data_loc ", 11) == 0;
        if (sscanf(declaration + length, "; offset:%6zu; size:%6zu;", &field->offset,
                   &field->size) != 2)
            return -EBADMSG;
        return 0;
    }
    return -ENOENT;
}

int trace_page_format(const char *format, struct trace_page_format *page)
{
    int code = trace_format_field(format, "timestamp", &page->timestamp);

    if (code == 0)
        code = trace_format_field(format, "commit", &page->commit);
    return code ? code : trace_format_field(format, "data", &page->data);
}

/* Records */

static bool is_within(size_t offset, size_t size, size_t length)
{
    return offset <= length && size <= length - offset;
}

bool trace_number(const struct trace_field *field, const void *record, size_t length,
                  uint64_t *number)
{
    const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

    if (field->size > sizeof *number || !is_within(field->offset, field->size, length))
        return false;
    *number = 0;
    memcpy((char *)number + (big_endian ? sizeof *number - field->size : 0),
           (const char *)record + field->offset, field->size);
    return true;
}

const void *trace_bytes(const struct trace_field *field, const void *record, size_t length,
                        size_t *size)
{
    size_t offset = field->offset;
    uint64_t place;

    *size = field->size;
    if (field->elsewhere) {
        if (!trace_number(field, record, length, &place))
            return NULL;
        offset = place & 0xffff;
        *size = place >> 16 & 0xffff;
    }
    return is_within(offset, *size, length) ? (const char *)record + offset : NULL;
}

/* Pages */

/* What precedes each record: its length, or what else it is, and the time since the one before it.
 */
struct record_head {
    uint32_t type : 5, delta : 27;
};

enum { TYPE_LONG = 0, TYPE_PADDING = 29, TYPE_TIME_EXTEND, TYPE_TIME_STAMP };

enum { DELTA_BITS = 27, STAMP_BITS = 59 };

/* Of the commit's number, the lower bits; the highest two say that records were lost before. */
enum { COMMIT_BYTES = (1 << 30) - 1 };

static uint64_t time_of(const struct record_head *head, uint32_t word, uint64_t before_ns)
{
    const uint64_t stamp = (uint64_t)word << DELTA_BITS | head->delta;
    const uint64_t high = ~((UINT64_C(1) << STAMP_BITS) - 1);

    if (head->type == TYPE_TIME_STAMP)
        return (before_ns & high) | stamp;
    return before_ns + (head->type == TYPE_TIME_EXTEND ? stamp : head->delta);
}

/* The bytes after the head; the word that follows it is WORD. */
static size_t length_of(const struct record_head *head, uint32_t word)
{
    if (head->type == TYPE_TIME_EXTEND || head->type == TYPE_TIME_STAMP)
        return sizeof word;
    if (head->type == TYPE_PADDING || head->type == TYPE_LONG)
        return ((size_t)word + 3) / 4 * 4;
    return (size_t)head->type * 4;
}

/* Take one record, or what else begins AT. Returns what follows it; NULL if it isn't understood. */
static const char *read_one(const char *at, const char *end, uint64_t *at_ns, trace_take *take,
                            void *context)
{
    struct record_head head;
    uint32_t word = 0;
    size_t length;

    memcpy(&head, at, sizeof head);
    at += sizeof head;
    if (head.type == TYPE_PADDING && head.delta == 0)
        return end; /* the rest is empty */
    if ((size_t)(end - at) >= sizeof word)
        memcpy(&word, at, sizeof word);
    length = length_of(&head, word);
    if (length < sizeof word || length > (size_t)(end - at))
        return NULL;
    *at_ns = time_of(&head, word, *at_ns);
    if (head.type == TYPE_LONG)
        take(context, *at_ns, at + sizeof word, length - sizeof word);
    else if (head.type < TYPE_PADDING)
        take(context, *at_ns, at, length);
    return at + length;
}

int trace_page_read(const struct trace_page_format *format, const void *page, size_t size,
                    trace_take *take, void *context)
{
    const char *at, *end;
    uint64_t at_ns, bytes;

    if (!trace_number(&format->timestamp, page, size, &at_ns) ||
        !trace_number(&format->commit, page, size, &bytes) ||
        !is_within(format->data.offset, bytes & COMMIT_BYTES, size))
        return -EBADMSG;
    at = (const char *)page + format->data.offset;
    end = at + (bytes & COMMIT_BYTES);
    while (at && (size_t)(end - at) >= sizeof(struct record_head))
        at = read_one(at, end, &at_ns, take, context);
    return at ? 0 : -EBADMSG;
}
