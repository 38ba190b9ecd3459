/* The events of RPCs from tracefs: formats as kernels print them, pages of records, and what is
 * filled in afterwards. */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "explain/rpc_records.h"

#define COMMON                                                                                     \
    "format:\n"                                                                                    \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"                 \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define TASK                                                                                       \
    "\tfield:unsigned int task_id;\toffset:8;\tsize:4;\tsigned:0;\n"                               \
    "\tfield:unsigned int client_id;\toffset:12;\tsize:4;\tsigned:0;\n"
#define FIELD(declaration, offset, size, sign)                                                     \
    "\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"

/* As Linux 6.1 prints them. By their declarations, those of 5.10 and 6.18 differ from them only in
 * the numbers, in the text of "print fmt", and in whether char is signed, except where a comment
 * says so. */
static const char begin[] = "name: rpc_task_begin\nID: 1500\n" COMMON TASK //
    FIELD("const void * action", 16, 8, 0) FIELD("unsigned long runstate", 24, 8, 0)
        FIELD("int status", 32, 4, 1)
            FIELD("unsigned short flags", 36, 2,
                  0) "\nprint fmt: \"task:%08x@%08x flags=%s\", REC->task_id, REC->client_id\n";
static const char action[] = "name: rpc_task_run_action\nID: 1499\n" COMMON TASK //
    FIELD("const void * action", 16, 8, 0) FIELD("unsigned long runstate", 24, 8, 0);
static const char sleep_5_10[] = "name: rpc_task_sleep\nID: 1401\n" COMMON TASK //
    FIELD("unsigned long timeout", 16, 8, 0) FIELD("unsigned long runstate", 24, 8, 0)
        FIELD("int status", 32, 4, 1) FIELD("unsigned short flags", 36, 2, 0)
            FIELD("__data_loc char[] q_name", 40, 4, 1);
static const char sleep_6_18[] = "name: rpc_task_sleep\nID: 1702\n" COMMON TASK //
    FIELD("unsigned long timeout", 16, 8, 0) FIELD("unsigned long runstate", 24, 8, 0)
        FIELD("int status", 32, 4, 1) FIELD("unsigned short flags", 36, 2, 0)
            FIELD("__data_loc char[] q_name", 40, 4, 0);
static const char latency[] = "name: rpc_stats_latency\nID: 1471\n" COMMON TASK //
    FIELD("u32 xid", 16, 4, 0) FIELD("int version", 20, 4, 1)
        FIELD("__data_loc char[] progname", 24, 4, 1) FIELD("__data_loc char[] procname", 28, 4, 1)
            FIELD("unsigned long backlog", 32, 8, 0) FIELD("unsigned long rtt", 40, 8, 0)
                FIELD("unsigned long execute", 48, 8, 0);
static const char transmit[] = "name: xprt_transmit\nID: 1453\n" COMMON TASK //
    FIELD("u32 xid", 16, 4, 0) FIELD("u32 seqno", 20, 4, 0) FIELD("int status", 24, 4, 1);
static const char lookup[] = "name: xprt_lookup_rqst\nID: 1454\n" COMMON //
    FIELD("u32 xid", 8, 4, 0) FIELD("int status", 12, 4, 1)
        FIELD("__data_loc char[] addr", 16, 4, 1) FIELD("__data_loc char[] port", 20, 4, 1);
static const char data_ready[] = "name: xs_data_ready\nID: 1443\n" COMMON //
    FIELD("__data_loc char[] addr", 8, 4, 1) FIELD("__data_loc char[] port", 12, 4, 1);
static const char enter[] = "name: sys_enter\nID: 346\n" COMMON FIELD("long id", 8, 8, 1)
    FIELD("unsigned long args[6]", 16, 48, 0);
/* The server's names its procedures in later kernels only. */
static const char process_5_10[] = "name: svc_process\nID: 1380\n" COMMON //
    FIELD("u32 xid", 8, 4, 0) FIELD("u32 vers", 12, 4, 0) FIELD("u32 proc", 16, 4, 0)
        FIELD("__data_loc char[] service", 20, 4, 1) FIELD("__data_loc char[] addr", 24, 4, 1);
static const char process_6_1[] = "name: svc_process\nID: 1432\n" COMMON //
    FIELD("u32 xid", 8, 4, 0) FIELD("u32 vers", 12, 4, 0) FIELD("u32 proc", 16, 4, 0)
        FIELD("__data_loc char[] service", 20, 4, 1) FIELD("__data_loc char[] procedure", 24, 4, 1)
            FIELD("__data_loc char[] addr", 28, 4, 1);
/* The server and the client in svc_xprt_dequeue were texts before; 6.18 has more numbers. */
static const char dequeue_6_1[] = "name: svc_xprt_dequeue\nID: 1425\n" COMMON //
    FIELD("__data_loc u8[] server", 8, 4, 0) FIELD("__data_loc u8[] client", 12, 4, 0)
        FIELD("unsigned long flags", 16, 8, 0) FIELD("unsigned int netns_ino", 24, 4, 0)
            FIELD("unsigned long wakeup", 32, 8, 0);
static const char dequeue_6_18[] = "name: svc_xprt_dequeue\nID: 1580\n" COMMON //
    FIELD("__data_loc u8[] server", 8, 4, 0) FIELD("__data_loc u8[] client", 12, 4, 0)
        FIELD("unsigned long flags", 16, 8, 0) FIELD("unsigned int netns_ino", 24, 4, 0)
            FIELD("unsigned long wakeup", 32, 8, 0) FIELD("unsigned long qtime", 40, 8, 0);
static const char dequeue_5_10[] = "name: svc_xprt_dequeue\nID: 1360\n" COMMON //
    FIELD("struct svc_xprt * xprt", 8, 8, 0) FIELD("unsigned long flags", 16, 8, 0)
        FIELD("unsigned long wakeup", 24, 8, 0) FIELD("__data_loc char[] addr", 32, 4, 1);

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                                  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
                                  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                                  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static struct rpc_record_format formats[RPC_TRACEPOINTS];

static int understand(const char *text)
{
    for (size_t i = 0; i < RPC_TRACEPOINTS; i++) {
        size_t length = strlen(rpc_tracepoints[i].name);

        if (strncmp(text + 6, rpc_tracepoints[i].name, length) == 0 && text[6 + length] == '\n')
            return rpc_record_format(&formats[i], &rpc_tracepoints[i], text);
    }
    return -EINVAL;
}

static int set_up(void **state)
{
    static const char *const of_6_1[] = {begin,  action, sleep_5_10, latency,     transmit,
                                         lookup, enter,  data_ready, process_6_1, dequeue_6_1};
    int code = 0;

    memset(formats, 0, sizeof formats);
    for (size_t i = 0; i < sizeof of_6_1 / sizeof of_6_1[0]; i++)
        code = code ? code : understand(of_6_1[i]);
    return code;
}

static void formats_of_kernels(void **state)
{
    assert_int_equal(understand(sleep_5_10), 0);
    assert_int_equal(understand(sleep_6_18), 0);
    assert_int_equal(understand(dequeue_6_1), 0);
    assert_int_equal(understand(dequeue_6_18), 0);
    assert_int_equal(understand(dequeue_5_10), -ENOENT);
    assert_int_equal(understand(process_6_1), 0);
    assert_int_equal(understand(process_5_10), -ENOENT);
}

static void fields_are_found_by_their_whole_names(void **state)
{
    static const char text[] = "\tfield:char other_pid[16];\toffset:3;\tsize:16;\tsigned:0;\n"
                               "\tfield:int pid_of;\toffset:5;\tsize:4;\tsigned:0;\n"
                               "\tfield:int pid;\toffset:7;\tsize:4;\tsigned:0;\n"
                               "\tfield:unsigned long pid_list[6];\toffset:9;\tsize:48;\n";
    struct trace_field field;

    assert_int_equal(trace_format_field(text, "pid", &field), 0);
    assert_int_equal(field.offset, 7);
    assert_int_equal(trace_format_field(text, "pid_list", &field), 0);
    assert_int_equal(field.size, 48);
    assert_int_equal(trace_format_field(text, "other_pid", &field), 0);
    assert_int_equal(field.offset, 3);
    assert_int_equal(trace_format_field(text, "of", &field), -ENOENT);
}

static void malformed_formats(void **state)
{
    static const char *const bad[] = {
        "\tfield:int pid;\toffset:x;\tsize:4;\n",
        "\tfield:int pid;\tsize:4;\toffset:4;\n",
        "\tfield:int pid;\n",
        "\tfield:int pid",
        "\tfield:int pid;\toffset:4;\tsize:;",
    };
    static const char *const none[] = {"",
                                       "\n",
                                       "\tfield:",
                                       "\tfield:;",
                                       "field:int pid;",
                                       "\tfield:pid;\toffset:4;\tsize:4;",
                                       "\tfield:int pid]"};
    struct trace_field field;
    uint64_t id;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(trace_format_field(bad[i], "pid", &field), -EBADMSG);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(trace_format_field(none[i], "pid", &field), -ENOENT);
    assert_int_equal(trace_format_id("name: x\nID: y\n", &id), -EBADMSG);
    assert_int_equal(trace_format_id("", &id), -EBADMSG);
}

/* Records */

static struct {
    union {
        char bytes[96];
        uint16_t type;
        uint64_t aligned;
    };
    size_t length;
} record;

static void begin_record(uint16_t id, int32_t thread, size_t length)
{
    memset(&record, 0, sizeof record);
    record.type = id;
    memcpy(record.bytes + 4, &thread, sizeof thread);
    record.length = length;
}

static void put(size_t offset, uint64_t value, size_t size)
{
    const uint32_t word = (uint32_t)value;

    memcpy(record.bytes + offset, size == 4 ? (const void *)&word : &value, size);
}

/* A text after the members, and where it is. */
static void put_text(size_t offset, const char *text)
{
    size_t size = strlen(text) + 1;

    put(offset, size << 16 | record.length, 4);
    memcpy(record.bytes + record.length, text, size);
    record.length += size;
}

static void of_task(uint32_t task, uint32_t client)
{
    put(8, task, 4);
    put(12, client, 4);
}

static bool read_record(uint64_t at_ns, struct rpc_event *event)
{
    return rpc_record_read(formats, at_ns, record.bytes, record.length, event);
}

static void put_latency(uint32_t task, uint32_t version, const char *program, uint64_t execute_us)
{
    begin_record(1471, 42, 56);
    of_task(task, 5);
    put(20, version, 4);
    put(48, execute_us, 8);
    put_text(24, program);
    put_text(28, "GETATTR");
}

static void put_peer(size_t offset, const char *address)
{
    put_text(offset, address);
    put_text(offset + 4, "2049");
}

static void events_of_an_rpc(void **state)
{
    struct rpc_event events[8];

    begin_record(1500, 42, 40);
    of_task(0x77, 5);
    put(36, 0x0281, 4);
    assert_true(read_record(10000, &events[0]));
    assert_int_equal(events[0].type, RPC_BEGUN);
    assert_int_equal(events[0].value, 1); /* the caller does not wait */
    assert_int_equal(events[0].number, 5);
    assert_int_equal(events[0].process, 42);
    begin_record(1499, 42, 40);
    of_task(0x77, 5);
    put(16, 0xffffffffc0100010, 8);
    assert_true(read_record(10100, &events[1]));
    assert_int_equal(events[1].type, RPC_ACTION);
    assert_true(events[1].value == UINT64_C(0xffffffffc0100010));
    assert_true(events[1].task == events[0].task && events[1].task > UINT32_MAX);
    begin_record(1453, 42, 28);
    of_task(0x77, 5);
    put(16, 99, 4);
    assert_true(read_record(10200, &events[2]));
    begin_record(1401, 42, 44);
    of_task(0x77, 5);
    put_text(40, "xprt_pending");
    assert_true(read_record(10300, &events[3]));
    assert_string_equal(events[3].name, "xprt_pending");
    begin_record(1443, 0, 16);
    put_peer(8, "127.0.0.1");
    assert_true(read_record(10400, &events[4]));
    begin_record(1454, 9, 24);
    put(8, 99, 4);
    put_peer(16, "127.0.0.1");
    assert_true(read_record(10500, &events[5]));
    assert_int_equal(events[5].number, 99);
    put_latency(0x77, 3, "nfs", 11);
    assert_true(read_record(21000, &events[6]));
    assert_int_equal(events[6].value, 11500);
    rpc_records_complete(events, 7);
    assert_string_equal(events[0].name, "GETATTR");
    assert_int_equal(events[0].at_ns, 9500);
    assert_true(events[2].value == events[5].value && events[4].value == events[5].value);
}

static void what_is_no_event_of_nfs(void **state)
{
    struct rpc_event event, events[2];

    put_latency(0x77, 4, "nfs", 11);
    assert_false(read_record(1, &event));
    put_latency(0x77, 3, "lockd", 11);
    assert_false(read_record(1, &event));
    begin_record(1453, 42, 28);
    put(24, (uint64_t)-11, 4); /* not all was sent */
    assert_false(read_record(1, &event));
    begin_record(999, 42, 28);
    assert_false(read_record(1, &event));
    record.length = 1;
    assert_false(read_record(1, &event));
    begin_record(1500, 42, 40);
    of_task(0x78, 6);
    assert_true(read_record(1, &events[0]));
    rpc_records_complete(events, 1); /* nothing has said which procedure it is */
    assert_int_equal(events[0].process, 0);
    assert_true(events[0].number == UINT32_MAX);
}

static void requests_are_their_threads(void **state)
{
    struct rpc_event taken, processed;

    begin_record(1425, 321, 40);
    put_text(12, "an address");
    assert_true(read_record(1, &taken));
    assert_int_equal(taken.type, SVC_TAKEN);
    assert_int_equal(taken.task, 321);
    begin_record(1432, 321, 32);
    put(12, 3, 4);
    put_text(20, "nfsd");
    put_text(24, "READDIRPLUS_AND_MORE");
    assert_true(read_record(2, &processed));
    assert_string_equal(processed.name, "READDIRPLUS_AND"); /* as much as fits */
    assert_int_equal(processed.task, 321);
}

/* A text that is said to be elsewhere is not read. */
static void texts_outside_of_the_record(void **state)
{
    static const uint32_t places[] = {0xffff0000, 0x00010fff, 0xffffffff, 0x00640000};
    struct rpc_event event;

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        begin_record(1401, 42, 44);
        put(40, places[i], 4);
        assert_true(read_record(1, &event));
        assert_string_equal(event.name, "");
    }
}

/* Pages */

static union {
    char bytes[4096];
    uint64_t aligned;
} page;
static size_t used;

static void begin_page(uint64_t at_ns)
{
    memset(&page, 0, sizeof page);
    memcpy(page.bytes, &at_ns, sizeof at_ns);
    used = 16;
}

static void add_word(uint32_t word)
{
    memcpy(page.bytes + used, &word, sizeof word);
    used += sizeof word;
}

static void add_head(unsigned type, uint32_t delta)
{
    struct {
        uint32_t type : 5, delta : 27;
    } head = {.type = type & 31, .delta = delta & 0x7ffffff};
    uint32_t word;

    memcpy(&word, &head, sizeof word);
    add_word(word);
}

static struct {
    uint64_t at_ns;
    uint32_t first;
    size_t length;
} taken[8];
static size_t taken_count;

static void take(void *context, uint64_t at_ns, const void *bytes, size_t length)
{
    taken[taken_count].at_ns = at_ns;
    taken[taken_count].length = length;
    memcpy(&taken[taken_count++].first, bytes, 4);
}

static int read_page(uint64_t commit)
{
    struct trace_page_format format;

    assert_int_equal(trace_page_format(header_page, &format), 0);
    assert_int_equal(format.data.size, 4080);
    memcpy(page.bytes + 8, &commit, sizeof commit);
    taken_count = 0;
    return trace_page_read(&format, page.bytes, sizeof page, take, NULL);
}

static void records_of_a_page(void **state)
{
    const uint64_t lost_before = UINT64_C(3) << 30;

    begin_page(1000);
    add_head(2, 5); /* a record of two words */
    add_word(11);
    add_word(0);
    add_head(30, 3); /* more time than fits beside a length */
    add_word(2);
    add_head(29, 7); /* one that was discarded, of which only the time counts */
    add_word(8);
    add_word(0);
    add_head(0, 1); /* one whose length has its own word */
    add_word(12);
    add_word(12);
    add_word(0);
    add_head(31, 9); /* the time itself */
    add_word(1);
    add_head(1, 4);
    add_word(13);
    add_head(29, 0); /* nothing after it counts */
    add_word(77);
    assert_int_equal(read_page((used - 16) | lost_before), 0);
    assert_int_equal(taken_count, 3);
    assert_int_equal(taken[0].at_ns, 1005);
    assert_int_equal(taken[0].first, 11);
    assert_int_equal(taken[0].length, 8);
    assert_int_equal(taken[1].at_ns, 1005 + 3 + (2 << 27) + 7 + 1);
    assert_int_equal(taken[1].first, 12);
    assert_int_equal(taken[1].length, 8);
    assert_int_equal(taken[2].at_ns, (1 << 27) + 9 + 4);
}

static void broken_pages(void **state)
{
    begin_page(1000);
    assert_int_equal(read_page(0), 0);
    assert_int_equal(read_page(4081), -EBADMSG); /* more than there is room for */
    begin_page(1000);
    add_head(1, 5);
    add_word(11);
    add_head(28, 5); /* longer than the rest */
    assert_int_equal(read_page(used - 16), -EBADMSG);
    assert_int_equal(taken_count, 1);
    begin_page(1000);
    add_head(0, 5);
    add_word(0); /* shorter than its own length */
    assert_int_equal(read_page(used - 16), -EBADMSG);
    assert_int_equal(taken_count, 0);
    begin_page(1000);
    add_head(29, 5);
    assert_int_equal(read_page(used - 16), -EBADMSG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_of_kernels),
        cmocka_unit_test(fields_are_found_by_their_whole_names),
        cmocka_unit_test(malformed_formats),
        cmocka_unit_test_setup(events_of_an_rpc, set_up),
        cmocka_unit_test_setup(what_is_no_event_of_nfs, set_up),
        cmocka_unit_test_setup(requests_are_their_threads, set_up),
        cmocka_unit_test_setup(texts_outside_of_the_record, set_up),
        cmocka_unit_test(records_of_a_page),
        cmocka_unit_test(broken_pages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
