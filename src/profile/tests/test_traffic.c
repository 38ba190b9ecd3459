/* Tests of the profile that is made from lines of tshark's output. */
#include "test.h"

#include "profile/dissection.h"
#include "profile/traffic.h"

enum { FIELDS_MAXIMUM = 80, VALUE_SIZE = 200 };

static void set_field(char values[FIELDS_MAXIMUM][VALUE_SIZE], const char *field, const char *value)
{
    const char *const *fields = dissection_fields();
    size_t at = 0;

    while (fields[at] && strcmp(fields[at], field) != 0)
        at++;
    assert_non_null(fields[at]);
    snprintf(values[at], VALUE_SIZE, "%s", value);
    for (char *c = values[at]; *c; c++)
        *c = *c == ',' ? *DISSECTION_AGGREGATOR : *c;
}

/* Return tshark's line for a TCP segment at MS ms from the client or the server. SET: its fields,
 * "field=value field=...", with commas between values of a field. */
static char *make_line(double ms, bool from_client, const char *set)
{
    static char values[FIELDS_MAXIMUM][VALUE_SIZE], line[FIELDS_MAXIMUM * VALUE_SIZE];
    char all[2000], *rest = all, *pair;
    size_t used = 0;

    memset(values, 0, sizeof values);
    snprintf(all, sizeof all,
             "frame.time_epoch=1700000000.%09.0f frame.len=200 frame.cap_len=200 ip.src=10.0.0.%d "
             "ip.dst=10.0.0.%d tcp.srcport=%d tcp.dstport=%d %s",
             ms * 1e6, from_client ? 1 : 2, from_client ? 2 : 1, from_client ? 900 : 2049,
             from_client ? 2049 : 900, set);
    while ((pair = strsep(&rest, " "))) {
        char *field = strsep(&pair, "=");

        if (pair)
            set_field(values, field, pair);
    }
    for (size_t i = 0; dissection_fields()[i]; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", i ? "\t" : "", values[i]);
    return line;
}

static struct dissection *dissection;
static struct traffic *traffic;
static struct captured captured;
static const struct profile *const profile = &captured.profile;

FIXTURE(set_up, memset(&captured, 0, sizeof captured), dissection = dissection_open(),
        traffic = traffic_open(&captured, true), !dissection || !traffic)

static void finish_traffic(void)
{
    traffic_close(traffic);
    traffic = NULL;
}

static int tear_down(void **state)
{
    if (traffic)
        finish_traffic();
    dissection_close(dissection);
    return 0;
}

static struct frame dissect(const char *set)
{
    struct frame frame;

    assert_true(dissection_read(dissection, make_line(0, true, set), &frame));
    return frame;
}

__attribute__((format(printf, 3, 4))) static void add_line(double ms, int from_client,
                                                           const char *format, ...)
{
    char set[1000];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(set, sizeof set, format, arguments);
    va_end(arguments);
    traffic_add(traffic, make_line(ms, from_client, set));
}

static void add_getattr(double ms, unsigned xid)
{
    add_line(ms, true,
             "rpc.xid=%u rpc.msgtyp=0 rpc.program=100003 rpc.programversion=3,3 rpc.procedure=1 "
             "nfs.procedure_v3=1 nfs.fh.hash=0x7 rpc.fraglen=100 rpc.lastfrag=1",
             xid);
}

static void add_reply(double ms, unsigned xid)
{
    add_line(ms, false,
             "rpc.xid=%u rpc.msgtyp=1 rpc.program=100003 nfs.procedure_v3=1 rpc.replystat=0 "
             "rpc.state_accept=0 nfs.status=0 rpc.fraglen=112 rpc.lastfrag=1",
             xid);
}

/* Dissection */

TEST_CASE_WITH(calls_of_a_frame_have_their_own_values, set_up, tear_down)
{
    static const struct {
        const char *op, *name;
        uint64_t handle, offset, cookie;
        uint32_t count;
        bool has_range;
        size_t length; /* bytes of the call's record; the NULL call's record has two fragments */
    } calls[] = {
        {"write-file-sync", "", 7, 4096, 0, 512, true, 10},
        {"null", "", 0, 0, 0, 0, false, 50},
        {"rename", "", 8, 0, 0, 0, false, 40},
        {"read", "", 6, 65536, 0, 1024, true, 50},
        {"commit", "", 0x21, 0, 0, 0, false, 60},
        {"create-guarded", "new", 0x88, 0, 0, 0, false, 70},
        {"readdir", "", 0x16, 0, 5, 0, false, 80},
    };
    const struct frame frame = dissect(
        "rpc.xid=0x1,0x2,0x3,0x4,0x5,0x6,0x7 rpc.msgtyp=0,0,0,0,0,0,0 "
        "rpc.program=100003,100003,100003,100003,100003,100003,100003 "
        "rpc.programversion=3,3,3,3,3,3,3 rpc.procedure=7,0,14,6,21,8,16 "
        "nfs.procedure_v3=7,0,14,6,21,8,16 nfs.fh.hash=0x7,0x8,0x9,0x6,0x21,0x88,0x16 "
        "nfs.offset3=4096,65536,1 nfs.count3=512,1024,2,100 nfs.write.stable=2 nfs.createmode=1 "
        "nfs.cookie3=5 nfs.name=from,to,new rpc.fraglen=10,20,30,40,50,60,70,80,90 "
        "rpc.lastfrag=1,0,True,1,1,1,1,1,0");

    assert_all((frame.count, COUNT_OF(calls)), (frame.time, UINT64_C(1700000000000000000)),
               (frame.unfinished, 90));
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        const struct message *message = &frame.messages[i];

        assert_all((message->op->op, calls[i].op), (message->name, calls[i].name),
                   (message->object, calls[i].handle ? calls[i].handle << 1 | 1 : 0),
                   (message->offset, calls[i].offset), (message->cookie, calls[i].cookie),
                   (message->count, calls[i].count), (message->has_range, calls[i].has_range),
                   (message->length, calls[i].length), (message->version, 3));
    }
}

/* A frame has replies to READDIRPLUS, LOOKUP, CREATE (without a handle), a refused READ, NULL and
 * LOOKUP. */
TEST_CASE_WITH(replies_of_a_frame_have_their_own_values, set_up, tear_down)
{
    static const struct {
        int status;
        uint64_t handle;
    } replies[] = {{0, 0}, {0, 2 << 1 | 1}, {0, 0}, {70, 0}, {0, 0}, {0, 3 << 1 | 1}};
    const struct frame frame =
        dissect("rpc.xid=0x1,0x2,0x3,0x4,0x5,0x6 rpc.msgtyp=1,1,1,1,1,1 "
                "rpc.program=100003,100003,100003,100003,100003,100003 "
                "nfs.procedure_v3=17,3,8,6,0,3 rpc.replystat=0,0,0,0,0,0 "
                "rpc.state_accept=0,0,0,0,0,0 nfs.status=0,0,0,70,0 rpc.value_follows=1,1,0 "
                "nfs.handle_follow=1,0,0 nfs.readdir.eof=1 nfs.fh.hash=0x1,0x2,0x3");

    assert_int_equal(frame.count, COUNT_OF(replies));
    for (size_t i = 0; i < COUNT_OF(replies); i++)
        assert_all((frame.messages[i].status, replies[i].status),
                   (frame.messages[i].handle, replies[i].handle));
    assert_true(frame.messages[0].is_listing && frame.messages[0].to_end);
    assert_int_equal(frame.messages[0].entries, 2);
}

/* A value that may belong to another message of the frame counts as unknown. */
TEST_CASE_WITH(what_is_out_of_step_is_not_known, set_up, tear_down)
{
    static const char *const odd[] = {
        "rpc.program=100003", "nfs.procedure_v3=1", /* one reply has no known call */
        "nfs.procedure_v3=1 rpc.program=100003,100005", "rpc.msgtyp=1,0", "_ws.malformed=1"};
    char set[400];

    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        struct frame frame;

        snprintf(set, sizeof set,
                 "rpc.xid=1,2 rpc.msgtyp=1,1 rpc.program=100003,100003 nfs.procedure_v3=1,1 "
                 "rpc.replystat=0,0 rpc.state_accept=0,0 nfs.status=5 %s",
                 odd[i]);
        frame = dissect(set);
        assert_all((frame.count, 2), (frame.messages[0].status, CALL_STATUS_CUT));
    }
}

/* The snap length cut the last message of a frame. */
TEST_CASE_WITH(a_cut_message_lacks_its_end, set_up, tear_down)
{
    const struct frame frame =
        dissect("frame.cap_len=100 rpc.xid=1,2 rpc.msgtyp=0,0 rpc.program=100003,100003 "
                "rpc.programversion=3,3 rpc.procedure=6,6 nfs.procedure_v3=6,6 "
                "nfs.fh.hash=0x1,0x1 nfs.offset3=4096,8192 nfs.count3=512");

    assert_all((frame.is_cut), (frame.messages[0].has_range), (frame.messages[0].offset, 4096),
               (!frame.messages[1].has_range), (frame.messages[1].decoded));
}

/* A name contains the aggregator, which some versions of tshark do not escape: no name is used. */
TEST_CASE_WITH(names_out_of_step_are_dropped, set_up, tear_down)
{
    const struct frame frame =
        dissect("rpc.xid=1 rpc.msgtyp=0 rpc.program=100003 rpc.programversion=3 "
                "rpc.procedure=3 nfs.procedure_v3=3 nfs.name=a,b\tc");

    assert_all((frame.count, 1), (frame.messages[0].name, ""));
}

TEST_CASE_WITH(other_lines_are_no_frames, set_up, tear_down)
{
    static const char *const bad[] = {"", "\n", "1700000000.5\n", "\t\t\t\n", "a\tb\tc\td\n"};
    struct frame frame;
    char line[200];

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        strcpy(line, bad[i]);
        assert_false(dissection_read(dissection, line, &frame));
    }
}

/* Calls and replies */

TEST_CASE_WITH(calls_are_matched_with_replies, set_up, tear_down)
{
    add_getattr(0, 1);
    add_getattr(1, 1); /* the same call sent again */
    add_reply(2, 1);
    add_reply(3, 1); /* a second reply */
    add_reply(4, 9); /* this reply has no call */
    add_getattr(5, 2);
    finish_traffic();
    assert_all(
        (profile->counts.packets, 6), (profile->counts.messages, 6), (profile->procedure_count, 1),
        (profile->procedures[0].name, "getattr"), (profile->procedures[0].count.calls, 2),
        (profile->procedures[0].count.retransmitted, 1), (profile->procedures[0].count.replies, 1),
        (profile->procedures[0].call_bytes, 200), (profile->procedures[0].reply_bytes, 112),
        (profile->procedures[0].latency.histogram.mean, 2e6, 1), (profile->counts.duplicates, 1),
        (profile->counts.unmatched, 1));
    assert_all((profile->clients.count, 1), (profile->servers.count, 1),
               (captured.workload.files[0], 1, 0));
}

static void add_datagram(double ms, int from_client, const char *set)
{
    add_line(ms, from_client, "tcp.srcport= udp.srcport=%d udp.dstport=%d udp.length=50 %s",
             from_client ? 901 : 1023, from_client ? 1023 : 901, set);
}

/* Only a later call shows that the port is an NFS port. Four datagrams look like replies: accepted,
 * denied, cut at the end, or printed with colons. */
TEST_CASE_WITH(lone_replies_over_udp_count_on_ports_of_nfs, set_up, tear_down)
{
    static const char *const payloads[] = {
        "00000001000000010000000000000000000000000000000000000000",
        "000000020000000100000001000000010000000d",
        "00000003000000010000000000000000",
        "00:00:00:04:00:00:00:01:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00",
        "000000050000000100000002",                 /* invalid state */
        "000000060000000000000002000186a300000003", /* a call */
        "0000000700000001000000000000000000010000", /* the verifier of this reply is too long */
        "0000000800000001",
        "",
    };
    char set[200];

    for (size_t i = 0; i < COUNT_OF(payloads); i++) {
        snprintf(set, sizeof set, "udp.payload=%s", payloads[i]);
        add_datagram((double)i, false, set);
    }
    assert_all((profile->counts.unmatched, 0), (profile->counts.nfs.all, 0));
    add_line(20, true,
             "tcp.srcport= udp.srcport=902 udp.dstport=1023 udp.length=60 rpc.xid=1 rpc.msgtyp=0 "
             "rpc.program=100003 rpc.programversion=3 rpc.procedure=1");
    finish_traffic();
    assert_all((profile->counts.unmatched, 4), (profile->counts.messages, 5),
               (profile->counts.nfs.all, 10), (profile->counts.nfs.unread, 5));
}

/* A reply in which tshark found no message is matched with its call by xid. */
TEST_CASE_WITH(a_lone_reply_is_matched_with_its_call, set_up, tear_down)
{
    add_datagram(0, true,
                 "rpc.xid=9 rpc.msgtyp=0 rpc.program=100003 rpc.programversion=3 rpc.procedure=1 "
                 "nfs.procedure_v3=1");
    add_datagram(1, false, "udp.payload=000000090000000100000000000000000000000000000000");
    finish_traffic();
    assert_all((profile->procedures[0].count.replies, 1), (profile->procedures[0].cut, 1),
               (profile->procedures[0].reply_bytes, 42), (profile->counts.unmatched, 0));
}

/* A part of a record is understood as RPC; another protocol is not. Retransmissions and segments
 * without data don't count. */
TEST_CASE_WITH(packets_that_are_no_rpc_are_counted, set_up, tear_down)
{
    static const char *const segments[] = {
        "frame.protocols=eth:ip:tcp",
        "frame.protocols=eth:ip:tcp:data",
        "frame.protocols=eth:ip:tcp:data frame.cap_len=100",
        "frame.protocols=eth:ip:tcp:data tcp.analysis.retransmission=1",
        "frame.protocols=eth:ip:tcp tcp.len=0",
    };
    for (size_t i = 0; i < COUNT_OF(segments); i++)
        add_line((double)i, true, "tcp.seq_raw=%zu tcp.len=100 tcp.flags=0x10 %s", 100 * i,
                 segments[i]);
    finish_traffic();
    assert_all((profile->counts.nfs.all, 3), (profile->counts.nfs.unread, 2),
               (profile->counts.nfs.unread_cut, 1), (profile_unread(profile), 2 / 3.0, 1e-9));
}

/* The clock ticks every 10 ms: latencies are whole ticks; the dispersion in 10 ms is unknown. */
TEST_CASE_WITH(a_coarse_clock_is_found, set_up, tear_down)
{
    const struct profile_procedure *getattr = &profile->procedures[0];

    for (unsigned i = 0; i < 30; i++) {
        const unsigned at = i * 20 + i / 10 * 10;

        add_getattr(at, i);
        add_reply(at + (i % 10 == 0 ? 10 : 0), i);
    }
    finish_traffic();
    assert_all((profile->clock_tick, 1e7, 0), (getattr->summary.p50, 0, 0),
               (getattr->summary.p99, 1e7, 0), (getattr->summary.mean, 0, 0),
               (captured.workload.clock_tick, 1e4, 0), (captured.workload.ops[0].p99, 1e4, 0),
               (captured.workload.ops[0].mean, 0, 0), (captured.workload.dispersion[0], 0, 0),
               (captured.workload.think[THINK_QUANTILES - 1], 30000, 0));
}

/* Encrypted statuses are counted separately; calls that RPC refused count as errors. */
TEST_CASE_WITH(statuses_may_be_encrypted_or_refusals, set_up, tear_down)
{
    const struct profile_procedure *read;

    add_line(
        0, true,
        "rpc.xid=1,2,3 rpc.msgtyp=0,0,0 rpc.program=100003,100003,100003 rpc.programversion=3,3,3 "
        "rpc.procedure=6,6,6 nfs.procedure_v3=6,6,6 rpc.auth.flavor=6,6,1,0,6,6 "
        "rpc.authgss.service=3,1 nfs.fh.hash=0x5,0x6");
    add_line(1, false,
             "rpc.xid=1 rpc.msgtyp=1 rpc.program=100003 nfs.procedure_v3=6 rpc.replystat=0 "
             "rpc.state_accept=0");
    add_line(2, false,
             "rpc.xid=2 rpc.msgtyp=1 rpc.program=100003 rpc.replystat=1 rpc.state_reject=1");
    add_line(3, false,
             "rpc.xid=3 rpc.msgtyp=1 rpc.program=100003 rpc.replystat=0 rpc.state_accept=4");
    finish_traffic();
    read = &profile->procedures[0];
    assert_all((read->count.replies, 3), (read->protected, 1), (read->cut, 0),
               (read->tally.failed, 2));
}

TEST_CASE_WITH(a_call_without_a_reply_is_given_up, set_up, tear_down)
{
    add_getattr(0, 1);
    add_getattr(100, 2);
    add_line(0, true,
             "frame.time_epoch=1700000010.050000 rpc.xid=3 rpc.msgtyp=0 rpc.program=100003 "
             "rpc.programversion=3 rpc.procedure=1");
    finish_traffic();
    assert_int_equal(profile->counts.given_up, 1);
    assert_near(captured.workload.in_flight[0], (1 + 2 + 2) / 3.0, 1e-6);
}

/* Two different calls have the same xid, and there is one reply: one call is given up. */
TEST_CASE_WITH(a_call_whose_xid_is_used_again_is_given_up, set_up, tear_down)
{
    add_getattr(0, 1);
    add_line(1, true,
             "rpc.xid=1 rpc.msgtyp=0 rpc.program=100003 rpc.programversion=3,3 rpc.procedure=1 "
             "nfs.procedure_v3=1 nfs.fh.hash=0x7 rpc.fraglen=104 rpc.lastfrag=1");
    add_reply(2, 1);
    add_line(0, true,
             "frame.time_epoch=1700000010.050000 rpc.xid=3 rpc.msgtyp=0 rpc.program=100003 "
             "rpc.programversion=3 rpc.procedure=1");
    finish_traffic();
    assert_all((profile->counts.given_up, 1), (profile->counts.unmatched, 0));
}

/* Calls of other programs are counted if they are related to NFS, else ignored. */
TEST_CASE_WITH(other_programs_are_counted_or_left_out, set_up, tear_down)
{
    add_line(
        0, true,
        "rpc.xid=1,2,3 rpc.msgtyp=0,0,0 rpc.program=100005,4711,100003 rpc.programversion=3,1,4 "
        "rpc.procedure=1,1,1");
    finish_traffic();
    assert_all((profile->counts.messages, 2), (profile->program_count, 2),
               (profile_program_name(profile->programs[0].program), "mountd"),
               (profile->programs[1].version, 4));
}

/* Frames */

/* Two gaps; a late segment fills one except for 10 bytes. Sequence numbers wrap around. */
TEST_CASE_WITH(gaps_are_counted, set_up, tear_down)
{
    static const unsigned sequences[] = {
        4294967200, 4, 204, /* a gap of 100 bytes */
        414,                /* a gap of 110 bytes */
        304,        4,      /* 304 is late and fills 100 bytes of the gap; 4 is sent again */
    };
    add_getattr(0, 1);
    for (size_t i = 0; i < COUNT_OF(sequences); i++)
        add_line(0, false, "tcp.seq_raw=%u tcp.len=100 tcp.flags=0x0010", sequences[i]);
    finish_traffic();
    assert_all((profile->counts.holes, 2), (profile->counts.missing, 110),
               (profile->counts.begun_inside, 2));
}

/* Packets without readable headers, out of order, cut by the snap length, or in fragments. */
TEST_CASE_WITH(packets_are_counted, set_up, tear_down)
{
    static const struct {
        double ms;
        const char *set;
    } packets[] = {
        {5, "tcp.srcport= ip.flags.mf=1 ip.frag_offset=0"},
        {5, "tcp.srcport= ip.flags.mf=1 ip.frag_offset=0"},
        {6, "tcp.srcport= udp.srcport=900 udp.dstport=2049 ip.flags.mf=0 ip.frag_offset=185 "
            "ip.fragment.count=2"},
        {3, "ip.src="}, /* earlier than the packet before */
        {7, "tcp.srcport= frame.cap_len=20"},
    };
    for (size_t i = 0; i < COUNT_OF(packets); i++)
        add_line(packets[i].ms, true, "%s", packets[i].set);
    finish_traffic();
    assert_all((profile->counts.packets, 5), (profile->counts.incomplete, 1),
               (profile->counts.late, 1), (profile->counts.other, 2), (profile->counts.cut, 1),
               (profile_seconds(profile), 0.004, 1e-9));
}
