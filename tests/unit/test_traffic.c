/* What tshark prints of frames, and what is made of it. */
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/traffic.h"

#define AND DISSECTION_AGGREGATOR

enum { FIELDS_MAXIMUM = 80, VALUE_SIZE = 200 };

/* A frame: pairs of fields and their values, and NULL; those of a segment at MS from the client, or
 * from the server, are there. */
static char *make_line(double ms, bool from_client, va_list pairs)
{
    static char values[FIELDS_MAXIMUM][VALUE_SIZE], line[FIELDS_MAXIMUM * VALUE_SIZE];
    const char *const *fields = dissection_fields();
    const char *field;
    char time[40];
    const char *const usual[][2] = {
        {"frame.time_epoch", time},
        {"frame.len", "200"},
        {"frame.cap_len", "200"},
        {"ip.src", from_client ? "10.0.0.1" : "10.0.0.2"},
        {"ip.dst", from_client ? "10.0.0.2" : "10.0.0.1"},
        {"tcp.srcport", from_client ? "900" : "2049"},
        {"tcp.dstport", from_client ? "2049" : "900"},
    };
    size_t used = 0;

    snprintf(time, sizeof time, "1700000000.%09.0f", ms * 1e6);
    memset(values, 0, sizeof values);
    for (size_t i = 0; fields[i]; i++)
        for (size_t j = 0; j < COUNT_OF(usual); j++)
            if (strcmp(fields[i], usual[j][0]) == 0)
                strcpy(values[i], usual[j][1]);
    while ((field = va_arg(pairs, const char *))) {
        size_t at = 0;

        while (fields[at] && strcmp(fields[at], field) != 0)
            at++;
        assert_non_null(fields[at]);
        strcpy(values[at], va_arg(pairs, const char *));
    }
    for (size_t i = 0; fields[i]; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", i ? "\t" : "", values[i]);
    return line;
}

struct fixture {
    struct dissection *dissection;
    struct profile *profile;
    struct workload_fill *fill;
    struct traffic *traffic;
    struct workload *workload;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->dissection = dissection_open();
    fixture->profile = calloc(1, sizeof *fixture->profile);
    fixture->workload = calloc(1, sizeof *fixture->workload);
    fixture->fill = workload_fill_open(100, true);
    fixture->traffic = traffic_open(fixture->profile, fixture->fill);
    *state = fixture;
    return 0;
}

static void finish(struct fixture *fixture)
{
    traffic_close(fixture->traffic);
    fixture->traffic = NULL;
    workload_fill_finish(fixture->fill, 1, fixture->workload);
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    if (fixture->traffic)
        traffic_close(fixture->traffic);
    workload_fill_close(fixture->fill);
    dissection_close(fixture->dissection);
    free(fixture->workload);
    free(fixture->profile);
    free(fixture);
    return 0;
}

static struct frame dissect(struct fixture *fixture, ...)
{
    struct frame frame;
    va_list pairs;

    va_start(pairs, fixture);
    assert_true(dissection_read(fixture->dissection, make_line(0, true, pairs), &frame));
    va_end(pairs);
    return frame;
}

static void add(struct fixture *fixture, double ms, int from_client, ...)
{
    va_list pairs;

    va_start(pairs, from_client);
    traffic_add(fixture->traffic, make_line(ms, from_client, pairs));
    va_end(pairs);
}

static void add_getattr(struct fixture *fixture, double ms, const char *xid)
{
    add(fixture, ms, true, "rpc.xid", xid, "rpc.msgtyp", "0", "rpc.program", "100003",
        "rpc.programversion", "3" AND "3", "rpc.procedure", "1", "nfs.procedure_v3", "1",
        "nfs.fh.hash", "0x7", "rpc.fraglen", "100", "rpc.lastfrag", "1", NULL);
}

static void add_reply(struct fixture *fixture, double ms, const char *xid)
{
    add(fixture, ms, false, "rpc.xid", xid, "rpc.msgtyp", "1", "rpc.program", "100003",
        "nfs.procedure_v3", "1", "rpc.replystat", "0", "rpc.state_accept", "0", "nfs.status", "0",
        "rpc.fraglen", "112", "rpc.lastfrag", "1", NULL);
}

/* Dissection */

/* WRITE, NULL, RENAME, READ, COMMIT, CREATE and READDIR in one frame: each has what is its own. */
TEST_CASE_WITH(calls_of_a_frame_have_their_own_values, set_up, tear_down)
{
    const struct frame frame = dissect(
        *state, "rpc.xid", "0x1" AND "0x2" AND "0x3" AND "0x4" AND "0x5" AND "0x6" AND "0x7",
        "rpc.msgtyp", "0" AND "0" AND "0" AND "0" AND "0" AND "0" AND "0", "rpc.program",
        "100003" AND "100003" AND "100003" AND "100003" AND "100003" AND "100003" AND "100003",
        "rpc.programversion", "3" AND "3" AND "3" AND "3" AND "3" AND "3" AND "3", "rpc.procedure",
        "7" AND "0" AND "14" AND "6" AND "21" AND "8" AND "16", "nfs.procedure_v3",
        "7" AND "0" AND "14" AND "6" AND "21" AND "8" AND "16", "nfs.fh.hash",
        "0x7" AND "0x8" AND "0x9" AND "0x6" AND "0x21" AND "0x88" AND "0x16", "nfs.offset3",
        "4096" AND "65536" AND "1", "nfs.count3", "512" AND "1024" AND "2" AND "100",
        "nfs.write.stable", "2", "nfs.createmode", "1", "nfs.cookie3", "5", "nfs.name",
        "from" AND "to" AND "new", "rpc.fraglen",
        "10" AND "20" AND "30" AND "40" AND "50" AND "60" AND "70" AND "80" AND "90",
        "rpc.lastfrag", "1" AND "0" AND "True" AND "1" AND "1" AND "1" AND "1" AND "1" AND "0",
        NULL);
    const struct message *messages = frame.messages;

    assert_int_equal(frame.count, 7);
    assert_int_equal(frame.time, UINT64_C(1700000000000000000));
    assert_string_equal(messages[0].details.op->op, "write-file-sync");
    assert_int_equal(messages[0].details.offset, 4096);
    assert_int_equal(messages[0].details.count, 512);
    assert_int_equal(messages[0].details.object, 0x7 << 1 | 1);
    assert_int_equal(messages[0].length, 10);
    assert_string_equal(messages[1].details.op->op, "null");
    assert_int_equal(messages[1].length, 50); /* two fragments */
    assert_string_equal(messages[2].details.op->op, "rename");
    assert_true(messages[3].details.has_range);
    assert_int_equal(messages[3].details.offset, 65536);
    assert_int_equal(messages[3].details.object, 0x6 << 1 | 1);
    assert_false(messages[4].details.has_range);
    assert_string_equal(messages[5].details.op->op, "create-guarded");
    assert_string_equal(messages[5].details.name, "new");
    assert_int_equal(messages[6].details.cookie, 5);
    assert_int_equal(messages[6].version, 3);
    assert_int_equal(messages[6].length, 80);
    assert_int_equal(frame.unfinished, 90);
}

/* READDIRPLUS, LOOKUP, CREATE without a handle, READ that is refused, a denied one, NULL, LOOKUP.
 */
TEST_CASE_WITH(replies_of_a_frame_have_their_own_values, set_up, tear_down)
{
    const struct frame frame =
        dissect(*state, "rpc.xid", "0x1" AND "0x2" AND "0x3" AND "0x4" AND "0x5" AND "0x6",
                "rpc.msgtyp", "1" AND "1" AND "1" AND "1" AND "1" AND "1", "rpc.program",
                "100003" AND "100003" AND "100003" AND "100003" AND "100003" AND "100003",
                "nfs.procedure_v3", "17" AND "3" AND "8" AND "6" AND "0" AND "3", "rpc.replystat",
                "0" AND "0" AND "0" AND "0" AND "0" AND "0", "rpc.state_accept",
                "0" AND "0" AND "0" AND "0" AND "0" AND "0", "nfs.status",
                "0" AND "0" AND "0" AND "70" AND "0", "rpc.value_follows", "1" AND "1" AND "0",
                "nfs.handle_follow", "1" AND "0" AND "0", "nfs.readdir.eof", "1", "nfs.fh.hash",
                "0x1" AND "0x2" AND "0x3", NULL);
    const struct message *messages = frame.messages;

    assert_int_equal(frame.count, 6);
    assert_true(messages[0].is_listing && messages[0].to_end);
    assert_int_equal(messages[0].entries, 2);
    assert_int_equal(messages[1].handle, 0x2 << 1 | 1);
    assert_int_equal(messages[2].handle, 0);
    assert_int_equal(messages[3].status, 70);
    assert_int_equal(messages[4].status, 0);
    assert_int_equal(messages[5].handle, 0x3 << 1 | 1);
}

/* Where it is not certain whose a value is, it is nobody's. */
TEST_CASE_WITH(what_is_out_of_step_is_not_known, set_up, tear_down)
{
    static const char *const odd[][2] = {
        {"rpc.program", "100003"},              /* a reply whose call is not known */
        {"nfs.procedure_v3", "1"},              /* likewise */
        {"rpc.program", "100003" AND "100005"}, /* and so not of NFSv3 */
        {"rpc.msgtyp", "1" AND "0"},
        {"_ws.malformed", "1"},
    };

    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        const char *programs = "100003" AND "100003", *procedures = "1" AND "1";
        const struct frame frame = dissect(
            *state, "rpc.xid", "0x1" AND "0x2", "rpc.msgtyp", "1" AND "1", "rpc.program", programs,
            "nfs.procedure_v3", i == 2 ? "1" : procedures, "rpc.replystat", "0" AND "0",
            "rpc.state_accept", "0" AND "0", "nfs.status", "5", odd[i][0], odd[i][1], NULL);

        assert_int_equal(frame.count, 2);
        assert_int_equal(frame.messages[0].status, CALL_STATUS_CUT);
    }
}

/* The last message of a frame that the snap length has cut. */
TEST_CASE_WITH(a_cut_message_lacks_its_end, set_up, tear_down)
{
    const struct frame frame = dissect(
        *state, "frame.cap_len", "100", "rpc.xid", "0x1" AND "0x2", "rpc.msgtyp", "0" AND "0",
        "rpc.program", "100003" AND "100003", "rpc.programversion", "3" AND "3", "rpc.procedure",
        "6" AND "6", "nfs.procedure_v3", "6" AND "6", "nfs.fh.hash", "0x1" AND "0x1", "nfs.offset3",
        "4096" AND "8192", "nfs.count3", "512", NULL);

    assert_true(frame.is_cut);
    assert_true(frame.messages[0].details.has_range);
    assert_int_equal(frame.messages[0].details.offset, 4096);
    assert_false(frame.messages[1].details.has_range);
    assert_true(frame.messages[1].decoded);
}

/* A name that has the aggregator in it, as versions of tshark that escape less may print it. */
TEST_CASE_WITH(names_out_of_step_are_dropped, set_up, tear_down)
{
    const struct frame frame = dissect(*state, "rpc.xid", "0x1", "rpc.msgtyp", "0", "rpc.program",
                                       "100003", "rpc.programversion", "3", "rpc.procedure", "3",
                                       "nfs.procedure_v3", "3", "nfs.name", "a" AND "b\tc", NULL);

    assert_int_equal(frame.count, 1);
    assert_string_equal(frame.messages[0].details.name, "");
}

TEST_CASE_WITH(other_lines_are_no_frames, set_up, tear_down)
{
    static const char *const bad[] = {"", "\n", "1700000000.5\n", "\t\t\t\n", "a\tb\tc\td\n"};
    struct fixture *fixture = *state;
    struct frame frame;
    char line[200];

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        strcpy(line, bad[i]);
        assert_false(dissection_read(fixture->dissection, line, &frame));
    }
}

/* Calls and replies */

TEST_CASE_WITH(calls_are_matched_with_replies, set_up, tear_down)
{
    struct fixture *fixture = *state;
    const struct profile *profile = fixture->profile;
    const struct profile_procedure *getattr = &profile->procedures[1];

    add_getattr(fixture, 0, "0x1");
    add_getattr(fixture, 1, "0x1"); /* again */
    add_reply(fixture, 2, "0x1");
    add_reply(fixture, 3, "0x1"); /* again */
    add_reply(fixture, 4, "0x9"); /* its call is not there */
    add_getattr(fixture, 5, "0x2");
    finish(fixture);
    assert_int_equal(profile->counts.packets, 6);
    assert_int_equal(profile->counts.messages, 6);
    assert_int_equal(getattr->calls, 2);
    assert_int_equal(getattr->retransmitted, 1);
    assert_int_equal(getattr->replies, 1);
    assert_int_equal(getattr->call_bytes, 200);
    assert_int_equal(getattr->reply_bytes, 112);
    assert_near(getattr->latency.mean, 2e6, 1);
    assert_int_equal(profile->counts.duplicates, 1);
    assert_int_equal(profile->counts.unmatched, 1);
    assert_int_equal(profile->clients.count, 1);
    assert_int_equal(profile->servers.count, 1);
    assert_near(fixture->workload->files[0], 1, 0);
}

/* With privacy, and with a refusal by RPC. */
TEST_CASE_WITH(statuses_may_be_encrypted_or_refusals, set_up, tear_down)
{
    struct fixture *fixture = *state;
    const struct profile_procedure *read = &fixture->profile->procedures[6];

    add(fixture, 0, true, "rpc.xid", "0x1" AND "0x2" AND "0x3", "rpc.msgtyp", "0" AND "0" AND "0",
        "rpc.program", "100003" AND "100003" AND "100003", "rpc.programversion",
        "3" AND "3" AND "3", "rpc.procedure", "6" AND "6" AND "6", "nfs.procedure_v3",
        "6" AND "6" AND "6", "rpc.auth.flavor", "6" AND "6" AND "1" AND "0" AND "6" AND "6",
        "rpc.authgss.service", "3" AND "1", "nfs.fh.hash", "0x5" AND "0x6", NULL);
    add(fixture, 1, false, "rpc.xid", "0x1", "rpc.msgtyp", "1", "rpc.program", "100003",
        "nfs.procedure_v3", "6", "rpc.replystat", "0", "rpc.state_accept", "0", NULL);
    add(fixture, 2, false, "rpc.xid", "0x2", "rpc.msgtyp", "1", "rpc.program", "100003",
        "rpc.replystat", "1", "rpc.state_reject", "1", NULL);
    add(fixture, 3, false, "rpc.xid", "0x3", "rpc.msgtyp", "1", "rpc.program", "100003",
        "rpc.replystat", "0", "rpc.state_accept", "4", NULL);
    finish(fixture);
    assert_int_equal(read->replies, 3);
    assert_int_equal(read->protected, 1);
    assert_int_equal(read->cut, 0);
    assert_int_equal(read->tally.failed, 2);
}

TEST_CASE_WITH(a_call_without_a_reply_is_given_up, set_up, tear_down)
{
    struct fixture *fixture = *state;

    add_getattr(fixture, 0, "0x1");
    add_getattr(fixture, 100, "0x2");
    add(fixture, 0, true, "frame.time_epoch", "1700000010.050000", "rpc.xid", "0x3", "rpc.msgtyp",
        "0", "rpc.program", "100003", "rpc.programversion", "3", "rpc.procedure", "1", NULL);
    finish(fixture);
    assert_int_equal(fixture->profile->counts.given_up, 1);
    assert_near(fixture->workload->in_flight[0], (1 + 2 + 2) / 3.0, 1e-6);
}

/* Only programs around NFS count. */
TEST_CASE_WITH(other_programs_are_counted_or_left_out, set_up, tear_down)
{
    struct fixture *fixture = *state;

    add(fixture, 0, true, "rpc.xid", "0x1" AND "0x2" AND "0x3", "rpc.msgtyp", "0" AND "0" AND "0",
        "rpc.program", "100005" AND "4711" AND "100003", "rpc.programversion", "3" AND "1" AND "4",
        "rpc.procedure", "1" AND "1" AND "1", NULL);
    finish(fixture);
    assert_int_equal(fixture->profile->counts.messages, 2);
    assert_int_equal(fixture->profile->program_count, 2);
    assert_string_equal(profile_program_name(fixture->profile->programs[0].program), "mountd");
    assert_int_equal(fixture->profile->programs[1].version, 4);
}

/* Frames */

static void add_segment(struct fixture *fixture, const char *sequence, const char *flags)
{
    add(fixture, 0, false, "tcp.seq_raw", sequence, "tcp.len", "100", "tcp.flags", flags, NULL);
}

/* Of two gaps one is filled later, but for 10 bytes; sequence numbers wrap round. */
TEST_CASE_WITH(gaps_are_counted, set_up, tear_down)
{
    struct fixture *fixture = *state;
    const struct profile_counts *counts = &fixture->profile->counts;

    add_getattr(fixture, 0, "0x1");
    add_segment(fixture, "4294967200", "0x0010");
    add_segment(fixture, "4", "0x0010");
    add_segment(fixture, "204", "0x0010"); /* 100 are missing */
    add_segment(fixture, "414", "0x0010"); /* 110 are missing */
    add_segment(fixture, "304", "0x0010");
    add_segment(fixture, "4", "0x0010"); /* again */
    finish(fixture);
    assert_int_equal(counts->holes, 2);
    assert_int_equal(counts->missing, 110);
    assert_int_equal(counts->begun_inside, 2);
}

/* Packets that are none of ours, out of order, or in fragments. */
TEST_CASE_WITH(packets_are_counted, set_up, tear_down)
{
    struct fixture *fixture = *state;
    const struct profile_counts *counts = &fixture->profile->counts;

    add(fixture, 5, true, "tcp.srcport", "", "ip.flags.mf", "1", "ip.frag_offset", "0", NULL);
    add(fixture, 5, true, "tcp.srcport", "", "ip.flags.mf", "1", "ip.frag_offset", "0", NULL);
    add(fixture, 6, true, "tcp.srcport", "", "udp.srcport", "900", "udp.dstport", "2049",
        "ip.flags.mf", "0", "ip.frag_offset", "185", "ip.fragment.count", "2", NULL);
    add(fixture, 3, true, "ip.src", "", NULL); /* before the last one */
    add(fixture, 7, true, "tcp.srcport", "", "frame.cap_len", "20", NULL);
    finish(fixture);
    assert_int_equal(counts->packets, 5);
    assert_int_equal(counts->incomplete, 1);
    assert_int_equal(counts->late, 1);
    assert_int_equal(counts->other, 2);
    assert_int_equal(counts->cut, 1);
    assert_near(profile_seconds(fixture->profile), 0.004, 1e-9);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
