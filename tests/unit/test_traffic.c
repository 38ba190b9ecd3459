/* From frames to the profile: calls and replies matched, by procedure, whatever the capture lacks.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "capture/flows.h"
#include "capture/rpc_shape.h"
#include "capture/traffic.h"
#include "made_packets.h"

enum { GETATTR = 1, LOOKUP = 3, WRITE = 7, CALLS = 1000 };

struct traffic_test {
    struct profile profile;
    struct traffic *traffic;
    uint32_t sequences[2]; /* of the client, of the server */
    uint64_t time;         /* us */
};

static int set_up(void **state)
{
    static const struct traffic_limits limits = {.memory = 1 << 20, .calls = CALLS};
    struct traffic_test *test = calloc(1, sizeof *test);

    test->traffic = traffic_open(&test->profile, NULL, &limits);
    test->sequences[0] = 1000;
    test->sequences[1] = 2000;
    *state = test;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static void add_frame(struct traffic_test *test, const struct made_frame *frame, size_t captured)
{
    const struct captured_frame captured_frame = {.link = LINK_RAW,
                                                  .time = test->time * 1000,
                                                  .bytes = frame->bytes,
                                                  .captured = captured,
                                                  .sent = frame->length};

    traffic_add(test->traffic, &captured_frame);
}

/* A segment that acknowledges all that the other side sent. CAPTURED bytes of its data are there.
 */
static void send_cut(struct traffic_test *test, bool from_client, const uint8_t *bytes,
                     size_t length, size_t captured)
{
    uint32_t *sequence = &test->sequences[!from_client];
    struct made_frame frame;

    made_tcp(&frame, from_client, *sequence, test->sequences[from_client], PACKET_ACK, bytes,
             length);
    *sequence += (uint32_t)length;
    add_frame(test, &frame, frame.length - (length - captured));
}

static void send_message(struct traffic_test *test, bool from_client,
                         const struct made_message *message)
{
    send_cut(test, from_client, message->bytes, message->length, message->length);
}

static void call(struct traffic_test *test, uint32_t xid, uint32_t procedure, uint64_t time)
{
    struct made_message message;

    test->time = time;
    made_call(&message, xid, procedure, 36);
    send_message(test, true, &message);
}

static void reply(struct traffic_test *test, uint32_t xid, uint32_t status, uint64_t time)
{
    struct made_message message;

    test->time = time;
    made_reply(&message, xid, status, 84);
    send_message(test, false, &message);
}

static void close_traffic(struct traffic_test *test)
{
    assert_int_equal(traffic_close(test->traffic), 0);
}

static const struct profile_procedure *procedure_of(const struct traffic_test *test, size_t number)
{
    return &test->profile.procedures[number];
}

static void replies_in_any_order_find_their_calls(void **state)
{
    struct traffic_test *test = *state;
    const struct profile_procedure *getattr = procedure_of(test, GETATTR);

    call(test, 1, GETATTR, 100);
    call(test, 2, LOOKUP, 110);
    call(test, 3, GETATTR, 120);
    reply(test, 3, 0, 130);
    reply(test, 2, 2, 160);
    reply(test, 1, 0, 200);
    close_traffic(test);
    assert_int_equal(getattr->calls, 2);
    assert_int_equal(getattr->replies, 2);
    assert_near(getattr->latency.minimum, 10e3, 0.1);
    assert_near(getattr->latency.maximum, 100e3, 0.1);
    assert_int_equal(getattr->call_bytes, 2 * (40 + 36));
    assert_int_equal(getattr->reply_bytes, 2 * (24 + 4 + 84));
    assert_int_equal(procedure_of(test, LOOKUP)->tally.failed, 1);
    assert_int_equal(procedure_of(test, LOOKUP)->tally.errors[0].status, 2);
    assert_int_equal(test->profile.clients.count, 1);
    assert_int_equal(test->profile.servers.count, 1);
    assert_int_equal(profile_calls(&test->profile), 3);
    assert_int_equal(test->profile.counts.begun_inside, 2);
    assert_int_equal(test->profile.counts.unmatched, 0);
}

static void a_call_that_comes_again_is_one(void **state)
{
    struct traffic_test *test = *state;
    const struct profile_procedure *getattr = procedure_of(test, GETATTR);

    call(test, 1, GETATTR, 100);
    call(test, 1, GETATTR, 200);
    reply(test, 1, 0, 250);
    reply(test, 1, 0, 260);
    call(test, 1, GETATTR, 300);
    close_traffic(test);
    assert_int_equal(getattr->calls, 1);
    assert_int_equal(getattr->retransmitted, 2);
    assert_int_equal(getattr->replies, 1);
    assert_near(getattr->latency.mean, 150e3, 0.1); /* how long the client waited */
    assert_int_equal(test->profile.counts.duplicates, 1);
}

/* Another call may have the xid of an earlier one. */
static void an_xid_may_come_back(void **state)
{
    struct traffic_test *test = *state;

    call(test, 1, GETATTR, 100);
    reply(test, 1, 0, 110);
    call(test, 1, LOOKUP, 120);
    reply(test, 1, 0, 140);
    close_traffic(test);
    assert_int_equal(procedure_of(test, GETATTR)->replies, 1);
    assert_int_equal(procedure_of(test, LOOKUP)->calls, 1);
    assert_near(procedure_of(test, LOOKUP)->latency.mean, 20e3, 0.1);
}

/* A GETATTR each second, answered after 1 ms. */
static void make_calls(struct traffic_test *test, uint32_t first, uint32_t last)
{
    for (uint32_t second = first; second <= last; second++) {
        call(test, 1000 + second, GETATTR, second * 1000000);
        reply(test, 1000 + second, 0, second * 1000000 + 1000);
    }
}

/* The calls in flight are two as long as a lost reply is waited for, which is 10 s. */
static void a_lost_reply_is_not_waited_for_to_the_end(void **state)
{
    static const struct traffic_limits limits = {.memory = 1 << 20, .calls = CALLS};
    struct traffic_test *test = *state;
    struct workload_fill *fill = workload_fill_open(10, false);
    struct workload *workload = calloc(1, sizeof *workload);

    close_traffic(test);
    test->traffic = traffic_open(&test->profile, fill, &limits);
    call(test, 1, GETATTR, 1000000);
    make_calls(test, 2, 40);
    assert_int_equal(test->profile.counts.given_up, 1);
    reply(test, 1, 0, 40500000); /* so late that it changes no calls in flight */
    make_calls(test, 41, 50);
    close_traffic(test);
    assert_int_equal(test->profile.counts.given_up, 1);
    assert_int_equal(procedure_of(test, GETATTR)->replies, 50);
    assert_int_equal(workload_fill_finish(fill, 50, workload), 0);
    assert_near(workload->in_flight[0], (1 + 10 * 2 + 39 * 1) / 50., 0.01);
    assert_near(workload->connections, 1, 0);
    assert_near(workload->think[THINK_QUANTILES / 2], 1e6, 2e4);
    workload_fill_close(fill);
    free(workload);
}

/* No more calls are known than there is room for, answered or not. */
static void calls_are_given_up_for_later_ones(void **state)
{
    struct traffic_test *test = *state;

    for (uint32_t xid = 1; xid <= CALLS; xid++)
        call(test, xid, GETATTR, 100 + xid);
    assert_int_equal(test->profile.counts.given_up, 0);
    reply(test, 2, 0, 2000);
    for (uint32_t xid = CALLS + 1; xid <= CALLS + 3; xid++)
        call(test, xid, GETATTR, 2000 + xid);
    assert_int_equal(test->profile.counts.given_up, 2);
    close_traffic(test);
}

static void a_lost_call_leaves_its_reply_unmatched(void **state)
{
    struct traffic_test *test = *state;

    call(test, 1, GETATTR, 100);
    reply(test, 1, 0, 110);
    test->sequences[0] += 80; /* the capture lacks a call */
    reply(test, 2, 0, 120);
    call(test, 3, GETATTR, 130);
    reply(test, 3, 0, 135); /* it acknowledges what the capture lacks */
    close_traffic(test);
    assert_int_equal(procedure_of(test, GETATTR)->calls, 2);
    assert_int_equal(procedure_of(test, GETATTR)->replies, 2);
    assert_int_equal(test->profile.counts.unmatched, 1);
    assert_int_equal(test->profile.counts.holes, 1);
    assert_int_equal(test->profile.counts.missing, 80);
    assert_int_equal(test->profile.counts.refound, 1);
    assert_near(procedure_of(test, GETATTR)->latency.maximum, 10e3, 0.1);
}

/* With 80 bytes of each packet, a WRITE's data are missing, and nothing else. */
static void a_short_snap_length_keeps_the_counts(void **state)
{
    struct traffic_test *test = *state;
    const struct profile_procedure *write = procedure_of(test, WRITE);
    struct made_message message;

    for (uint32_t xid = 1; xid <= 10; xid++) {
        made_call(&message, xid, WRITE, 2000);
        test->time = xid * 100;
        send_cut(test, true, message.bytes, 1000, 80);
        send_cut(test, true, message.bytes + 1000, message.length - 1000, 80);
        reply(test, xid, 0, xid * 100 + 30);
    }
    close_traffic(test);
    assert_int_equal(write->calls, 10);
    assert_int_equal(write->replies, 10);
    assert_int_equal(write->call_bytes, 10 * 2040);
    assert_near(write->latency.mean, 30e3, 0.1);
    assert_int_equal(test->profile.counts.cut, 20);
    assert_int_equal(test->profile.counts.holes, 0);
    assert_int_equal(test->profile.counts.refound, 0);
}

/* A reply whose status is cut counts, and its status is not known. */
static void a_status_may_be_cut(void **state)
{
    struct traffic_test *test = *state;
    struct made_message message;

    call(test, 1, GETATTR, 100);
    made_reply(&message, 1, 0, 84);
    send_cut(test, false, message.bytes, message.length, 4 + 24);
    close_traffic(test);
    assert_int_equal(procedure_of(test, GETATTR)->replies, 1);
    assert_int_equal(procedure_of(test, GETATTR)->cut, 1);
}

/* What was called is known from 28 bytes of a segment on. */
static void credentials_may_be_cut(void **state)
{
    struct traffic_test *test = *state;
    struct made_message message;

    for (uint32_t xid = 1; xid <= 2; xid++) {
        made_call(&message, xid, GETATTR, 36);
        send_cut(test, true, message.bytes, message.length, xid == 1 ? 4 + 24 : 4 + 23);
        reply(test, xid, 0, 100);
    }
    close_traffic(test);
    assert_int_equal(procedure_of(test, GETATTR)->calls, 1);
    assert_int_equal(procedure_of(test, GETATTR)->replies, 1);
    assert_int_equal(test->profile.counts.undecodable, 1);
    assert_int_equal(test->profile.counts.unmatched, 1);
}

static void datagrams_are_messages(void **state)
{
    struct traffic_test *test = *state;
    struct made_message message;
    struct made_frame frame;

    made_call(&message, 1, GETATTR, 36);
    made_udp(&frame, true, message.bytes + 4, message.length - 4);
    test->time = 100;
    add_frame(test, &frame, frame.length);
    made_reply(&message, 1, 70, 0);
    made_udp(&frame, false, message.bytes + 4, message.length - 4);
    test->time = 107;
    add_frame(test, &frame, frame.length);
    made_udp(&frame, true, "no RPC", 6);
    add_frame(test, &frame, frame.length);
    close_traffic(test);
    assert_int_equal(procedure_of(test, GETATTR)->replies, 1);
    assert_int_equal(procedure_of(test, GETATTR)->tally.errors[0].status, 70);
    assert_near(procedure_of(test, GETATTR)->latency.mean, 7e3, 0.1);
    assert_int_equal(test->profile.over_udp, 1);
    assert_int_equal(test->profile.counts.messages, 2);
}

static void others_are_counted_by_program_and_version(void **state)
{
    struct traffic_test *test = *state;
    const struct profile_program *programs = test->profile.programs;
    struct made_message message;

    for (uint32_t xid = 1; xid <= 3; xid++) {
        made_call_of(&message, xid, 100003, 4, 1, 40);
        send_message(test, true, &message);
    }
    reply(test, 2, 0, 200);
    made_call_of(&message, 4, 100005, 3, 1, 12);
    send_message(test, true, &message);
    close_traffic(test);
    assert_int_equal(test->profile.program_count, 2);
    assert_string_equal(rpc_shape_program(programs[0].program), "nfs");
    assert_int_equal(programs[0].version, 4);
    assert_int_equal(programs[0].calls, 3);
    assert_int_equal(programs[0].replies, 1);
    assert_string_equal(rpc_shape_program(programs[1].program), "mountd");
    assert_int_equal(profile_calls(&test->profile), 0);
}

/* Of the calls that are known at the same time, the oldest give way. */
static void calls_are_bounded(void **state)
{
    enum { MORE = 500 };
    struct traffic_test *test = *state;

    for (uint32_t xid = 1; xid <= CALLS + MORE; xid++)
        call(test, xid, GETATTR, xid);
    reply(test, MORE, 0, 2 * CALLS);
    reply(test, MORE + 1, 0, 2 * CALLS);
    close_traffic(test);
    assert_int_equal(procedure_of(test, GETATTR)->calls, CALLS + MORE);
    assert_int_equal(procedure_of(test, GETATTR)->replies, 1);
    assert_int_equal(test->profile.counts.unmatched, 1);
}

static void other_packets_are_counted(void **state)
{
    struct traffic_test *test = *state;
    struct made_frame frame = {.length = 60};

    add_frame(test, &frame, 60);
    made_ipv4(frame.bytes, true, 1, 40); /* ICMP */
    add_frame(test, &frame, 60);
    close_traffic(test);
    assert_int_equal(test->profile.counts.packets, 2);
    assert_int_equal(test->profile.counts.other, 2);
}

/* A reply that was denied is one, and counts by its outcome. */
static void denied_replies_are_counted(void **state)
{
    static const enum rpc_outcome outcomes[] = {RPC_OUTCOME_AUTH_ERROR, RPC_OUTCOME_RPC_MISMATCH};
    struct traffic_test *test = *state;
    const struct engine_tally *tally = &procedure_of(test, GETATTR)->tally;

    for (uint32_t i = 0; i < COUNT_OF(outcomes); i++) {
        struct made_message message;
        struct wire_writer writer = wire_writer(message.bytes + 4, sizeof message.bytes - 4);

        call(test, i, GETATTR, 100 + i);
        rpc_reply_encode(&writer, &(struct rpc_reply_header){.xid = i,
                                                             .outcome = outcomes[i],
                                                             .auth_status = RPC_AUTH_TOOWEAK,
                                                             .low = 2,
                                                             .high = 2});
        made_end(&message, &writer);
        send_message(test, false, &message);
    }
    close_traffic(test);
    assert_int_equal(tally->failed, 2);
    assert_int_equal(tally->errors[0].status, -(int)RPC_OUTCOME_AUTH_ERROR);
    assert_int_equal(tally->errors[1].status, -(int)RPC_OUTCOME_RPC_MISMATCH);
}

/* A call of RPCSEC_GSS, whose credential says how it is protected, and the first words of a reply
 * with a verifier. */
static void protected_call(struct traffic_test *test, uint32_t xid, uint32_t service)
{
    struct made_message message;
    struct wire_writer writer = wire_writer(message.bytes + 4, sizeof message.bytes - 4);
    uint8_t words[20] = {0};

    wire_store_u32(words, 1);                     /* version */
    wire_store_u32(words + 8, UINT32_C(1) << 31); /* the sequence number */
    wire_store_u32(words + 12, service);
    rpc_call_encode(&writer, &(struct rpc_call_header){.xid = xid,
                                                       .program = 100003,
                                                       .version = 3,
                                                       .procedure = GETATTR,
                                                       .credential_flavor = RPC_FLAVOR_GSS,
                                                       .credential_length = sizeof words,
                                                       .credential = words});
    made_end(&message, &writer);
    send_message(test, true, &message);
    writer = wire_writer(message.bytes + 4, sizeof message.bytes - 4);
    rpc_reply_encode(&writer, &(struct rpc_reply_header){.xid = xid});
    wire_put_u32(&writer, 70); /* of krb5, the status; of krb5i, a length */
    wire_put_u32(&writer, 0);
    wire_put_u32(&writer, 5);
    made_end(&message, &writer);
    send_message(test, false, &message);
}

/* The status is where the protection leaves it, or encrypted; a service that is not defined
 * protects nothing. */
static void the_status_is_behind_the_protection(void **state)
{
    struct traffic_test *test = *state;
    const struct profile_procedure *getattr = procedure_of(test, GETATTR);

    protected_call(test, 1, 1);
    protected_call(test, 2, 2);
    protected_call(test, 3, 3);
    protected_call(test, 4, UINT32_MAX);
    close_traffic(test);
    assert_int_equal(getattr->replies, 4);
    assert_int_equal(getattr->protected, 1);
    assert_int_equal(getattr->tally.failed, 3);
    assert_int_equal(getattr->tally.errors[0].status, 70);
    assert_int_equal(getattr->tally.errors[0].count, 2);
    assert_int_equal(getattr->tally.errors[1].status, 5);
}

/* What a reset connection still lacked never comes. */
static void a_reset_ends_both_directions(void **state)
{
    struct traffic_test *test = *state;
    struct made_message message;
    struct made_frame frame;

    made_call(&message, 1, GETATTR, 36);
    send_cut(test, true, message.bytes, 60, 60);
    made_tcp(&frame, false, test->sequences[1], test->sequences[0], PACKET_RST | PACKET_ACK, "", 0);
    add_frame(test, &frame, frame.length);
    send_cut(test, true, message.bytes + 60, message.length - 60, message.length - 60);
    call(test, 2, GETATTR, 200);
    close_traffic(test);
    assert_int_equal(procedure_of(test, GETATTR)->calls, 1);
}

/* Clocks may be set back: the capture's time is from its earliest packet to its latest. */
static void times_may_go_back(void **state)
{
    struct traffic_test *test = *state;

    call(test, 1, GETATTR, 500);
    reply(test, 1, 0, 300); /* before it was called */
    call(test, 2, GETATTR, 700);
    close_traffic(test);
    assert_int_equal(test->profile.begin, 300000);
    assert_int_equal(test->profile.end, 700000);
    assert_near(procedure_of(test, GETATTR)->latency.maximum, 0, 0);
}

/* Of the conversations, the one that was silent for longest gives way, with what it had begun. */
static void conversations_are_bounded(void **state)
{
    struct traffic_test *test = *state;
    struct made_message message;
    struct made_frame frame;

    made_call(&message, 1, GETATTR, 36);
    send_cut(test, true, message.bytes, 60, 60);
    for (unsigned i = 0; i < FLOWS_MAXIMUM; i++) {
        made_tcp(&frame, true, 1, 1, PACKET_ACK, "", 0);
        made_u16(frame.bytes + 14, i + 2); /* another client's address */
        add_frame(test, &frame, frame.length);
    }
    send_cut(test, true, message.bytes + 60, message.length - 60, message.length - 60);
    close_traffic(test);
    assert_int_equal(profile_calls(&test->profile), 0);
    assert_int_equal(test->profile.counts.packets, FLOWS_MAXIMUM + 2);
}

#define TRAFFIC_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRAFFIC_TEST(replies_in_any_order_find_their_calls),
        TRAFFIC_TEST(a_call_that_comes_again_is_one),
        TRAFFIC_TEST(an_xid_may_come_back),
        TRAFFIC_TEST(a_lost_reply_is_not_waited_for_to_the_end),
        TRAFFIC_TEST(calls_are_given_up_for_later_ones),
        TRAFFIC_TEST(a_lost_call_leaves_its_reply_unmatched),
        TRAFFIC_TEST(a_short_snap_length_keeps_the_counts),
        TRAFFIC_TEST(a_status_may_be_cut),
        TRAFFIC_TEST(credentials_may_be_cut),
        TRAFFIC_TEST(datagrams_are_messages),
        TRAFFIC_TEST(others_are_counted_by_program_and_version),
        TRAFFIC_TEST(calls_are_bounded),
        TRAFFIC_TEST(other_packets_are_counted),
        TRAFFIC_TEST(denied_replies_are_counted),
        TRAFFIC_TEST(the_status_is_behind_the_protection),
        TRAFFIC_TEST(a_reset_ends_both_directions),
        TRAFFIC_TEST(times_may_go_back),
        TRAFFIC_TEST(conversations_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
