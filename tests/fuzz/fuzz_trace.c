/* What tracefs says about the kernel's records, and pages of records, from which events of RPCs are
 * made: a text, a null byte, and a page. The text is that of all tracepoints; in the records they
 * are numbered from 0. */
#include "explain/rpc_records.h"
#include "text.h"

enum { EVENTS_MAXIMUM = 2048 };

static struct rpc_record_format formats[RPC_TRACEPOINTS];
static struct rpc_event events[EVENTS_MAXIMUM];
static size_t count;

static void take(void *context, uint64_t at_ns, const void *record, size_t length)
{
    /* In memory of its own, so that a byte after its end is noticed. */
    char *copy = malloc(length + (length == 0));

    FUZZ_CHECK(copy && count < EVENTS_MAXIMUM);
    memcpy(copy, record, length);
    if (rpc_record_read(formats, at_ns, copy, length, &events[count])) {
        FUZZ_CHECK(events[count].type < RPC_EVENT_TYPES);
        FUZZ_CHECK(memchr(events[count].name, '\0', sizeof events[count].name));
        count++;
    }
    free(copy);
}

static void check_sorted(void)
{
    for (size_t i = 1; i < count; i++)
        FUZZ_CHECK(events[i - 1].at_ns <= events[i].at_ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t length = strnlen((const char *)data, size);
    struct trace_page_format page = {
        .timestamp = {0, 8, false}, .commit = {8, 8, false}, .data = {16, 4080, false}};
    char *text = text_of(data, length), *bytes;

    trace_page_format(text, &page);
    for (size_t i = 0; i < RPC_TRACEPOINTS; i++) {
        rpc_record_format(&formats[i], &rpc_tracepoints[i], text);
        formats[i].id = i;
    }
    count = 0;
    if (length < size) {
        bytes = malloc(size - length);
        FUZZ_CHECK(bytes);
        memcpy(bytes, data + length + 1, size - length - 1);
        trace_page_read(&page, bytes, size - length - 1, take, NULL);
        free(bytes);
    }
    rpc_records_complete(events, count);
    check_sorted();
    free(text);
    return 0;
}
