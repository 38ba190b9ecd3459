/* What the kernel's tracefs says of the records in its buffers: a file "format" for each
 * tracepoint, and events/header_page for the pages that records come in. Offsets and sizes are
 * those of the running kernel, and are not trusted. */
#ifndef NFSBENCH_EXPLAIN_TRACE_FORMAT_H
#define NFSBENCH_EXPLAIN_TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A member of a record. */
struct trace_field {
    size_t offset, size;
    bool elsewhere; /* __data_loc: the member holds where in the record the bytes are */
};

/* The number that records of this tracepoint begin with, from the line "ID: N". 0, or -EBADMSG. */
int trace_format_id(const char *format, uint64_t *id);

/* The field NAME. 0; -ENOENT if there is none; -EBADMSG if its line isn't understood. */
int trace_format_field(const char *format, const char *name, struct trace_field *field);

/* The unsigned number in FIELD of a record of LENGTH bytes; false if the field isn't in it, or has
 * more than 8 bytes. */
bool trace_number(const struct trace_field *field, const void *record, size_t length,
                  uint64_t *number);

/* The bytes of FIELD, and in *SIZE how many there are; NULL if they are not all in the record. */
const void *trace_bytes(const struct trace_field *field, const void *record, size_t length,
                        size_t *size);

/* The head of a page: the time before its first record, and how many bytes of records it has. */
struct trace_page_format {
    struct trace_field timestamp, commit, data; /* DATA's size is what there is room for */
};

/* From the text of events/header_page. 0, or as trace_format_field(). */
int trace_page_format(const char *format, struct trace_page_format *page);

/* Called for a record of LENGTH bytes, at a time by the clock of the buffer. */
typedef void trace_take(void *context, uint64_t at_ns, const void *record, size_t length);

/* Take the records of a page of SIZE bytes, in their order. How records follow each other in a page
 * is the kernel's interface to programs (include/linux/ring_buffer.h). Returns 0, or -EBADMSG if
 * the page isn't understood from some record on. */
int trace_page_read(const struct trace_page_format *format, const void *page, size_t size,
                    trace_take *take, void *context);

#endif
