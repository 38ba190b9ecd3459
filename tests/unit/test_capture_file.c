/* Captures as files: both byte orders, both units of time, what was cut when it was captured, and
 * what is none. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture_file.h"
#include "made_packets.h"

enum {
    MICROSECONDS = 0xa1b2c3d4, /* pcap's magic numbers */
    NANOSECONDS = 0xa1b23c4d,
    RAW_IP = 101,
    WIRELESS = 105,
    GETATTR = 1,
    HEADER_SIZE = 24,
    PACKET_HEADER_SIZE = 16,
};

/* A capture that is written, word by word. */
struct file {
    uint8_t bytes[8192];
    size_t length;
    bool swapped; /* from a machine of the other byte order */
};

static void put_word(struct file *file, uint32_t word)
{
    word = file->swapped ? __builtin_bswap32(word) : word;
    memcpy(file->bytes + file->length, &word, sizeof word);
    file->length += sizeof word;
}

static void begin(struct file *file, uint32_t magic, bool swapped, uint32_t link)
{
    *file = (struct file){.swapped = swapped};
    put_word(file, magic);
    put_word(file,
             swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) ? 2 << 16 | 4 : 4 << 16 | 2);
    put_word(file, 0);
    put_word(file, 0);
    put_word(file, 65535);
    put_word(file, link);
}

/* The first CAPTURED bytes of a packet that came PARTS of a second, in the file's unit, after the
 * second 7. */
static void add(struct file *file, uint32_t parts, const struct made_frame *frame, size_t captured)
{
    put_word(file, 7);
    put_word(file, parts);
    put_word(file, (uint32_t)captured);
    put_word(file, (uint32_t)frame->length);
    memcpy(file->bytes + file->length, frame->bytes, captured);
    file->length += captured;
}

/* A call of GETATTR and its reply 50,000 parts later, with CUT bytes of each less than there were.
 */
static void add_exchange(struct file *file, size_t cut)
{
    struct made_message message;
    struct made_frame frame;

    made_call(&message, 1, GETATTR, 36);
    made_udp(&frame, true, message.bytes + 4, message.length - 4);
    add(file, 100000, &frame, frame.length - cut);
    made_reply(&message, 1, 0, 84);
    made_udp(&frame, false, message.bytes + 4, message.length - 4);
    add(file, 150000, &frame, frame.length - cut);
}

static int read_profile(struct profile *profile, const struct file *file, const char *filter,
                        struct error *error)
{
    char path[] = "/tmp/nfsbench-capture-XXXXXX";
    int fd = mkstemp(path), code;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, file->bytes, file->length), file->length);
    close(fd);
    memset(profile, 0, sizeof *profile);
    code = capture_file_profile(profile, NULL, path, filter, error);
    unlink(path);
    return code;
}

static void times_are_in_the_file_s_unit(void **state)
{
    struct profile *profile = calloc(1, sizeof *profile);

    for (unsigned i = 0; i < 4; i++) {
        bool is_fine = i & 1;
        struct file file;
        struct error error;

        begin(&file, is_fine ? NANOSECONDS : MICROSECONDS, i & 2, RAW_IP);
        add_exchange(&file, 0);
        assert_int_equal(read_profile(profile, &file, NULL, &error), 0);
        assert_int_equal(profile->begin, UINT64_C(7000000000) + (is_fine ? 100000 : 100000000));
        assert_int_equal(profile->procedures[GETATTR].replies, 1);
        assert_near(profile->procedures[GETATTR].latency.mean, is_fine ? 50e3 : 50e6, 0.1);
        assert_string_equal(profile->ended_by, "");
    }
    free(profile);
}

/* With 40 bytes of each packet less, calls and replies are known; with nothing of RPC, the snap
 * length is said to be the reason. */
static void the_snap_length_may_cut(void **state)
{
    struct profile *profile = calloc(1, sizeof *profile);
    struct error error;
    struct file file;

    begin(&file, MICROSECONDS, false, RAW_IP);
    add_exchange(&file, 40);
    assert_int_equal(read_profile(profile, &file, NULL, &error), 0);
    assert_int_equal(profile->procedures[GETATTR].replies, 1);
    assert_int_equal(profile->counts.cut, 2);

    begin(&file, MICROSECONDS, false, RAW_IP);
    add_exchange(&file, 76);
    assert_int_equal(read_profile(profile, &file, NULL, &error), -ENODATA);
    assert_int_equal(error.kind, ERROR_FAILED);
    assert_non_null(strstr(error.text, "capture with a longer one"));
    free(profile);
}

/* A capture that ends within a packet has what came before; one that has nothing before is none. */
static void a_capture_may_end_anywhere(void **state)
{
    struct profile *profile = calloc(1, sizeof *profile);
    struct error error;
    struct file file;
    size_t whole, first; /* lengths, of all and up to the first packet's end */

    begin(&file, MICROSECONDS, false, RAW_IP);
    add_exchange(&file, 0);
    whole = file.length;
    first = HEADER_SIZE + PACKET_HEADER_SIZE + MADE_IPV4_SIZE + MADE_UDP_SIZE + 40 + 36;
    for (file.length = 0; file.length < whole; file.length += 3) {
        int code = read_profile(profile, &file, NULL, &error);

        assert_true(code == 0 || code == -EINVAL || code == -ENODATA);
        assert_int_equal(code == 0, profile->counts.packets > 0);
        if (code == 0)
            assert_int_equal(profile->ended_by[0] == '\0', file.length == first);
        else
            assert_int_equal(error.kind, code == -EINVAL ? ERROR_USAGE : ERROR_FAILED);
    }
    free(profile);
}

/* Lengths that no packet has are an error of the file, and nothing is reserved for them. */
static void lengths_that_cannot_be_are_refused(void **state)
{
    static const uint32_t lengths[] = {UINT32_MAX, UINT32_C(1) << 31, 300000};
    struct profile *profile = calloc(1, sizeof *profile);
    struct error error;
    struct file file;

    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        begin(&file, MICROSECONDS, false, RAW_IP);
        add_exchange(&file, 0);
        memcpy(file.bytes + HEADER_SIZE + 8, &lengths[i], 4);
        assert_int_equal(read_profile(profile, &file, NULL, &error), -EINVAL);
        assert_int_equal(error.kind, ERROR_USAGE);
        assert_non_null(strstr(error.text, "can't read the capture"));
    }
    /* What is said to have been sent may be less than what was captured, and more than any packet.
     */
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        begin(&file, MICROSECONDS, false, RAW_IP);
        add_exchange(&file, 0);
        memcpy(file.bytes + HEADER_SIZE + 12, i ? &lengths[i] : &(uint32_t){1}, 4);
        assert_int_equal(read_profile(profile, &file, NULL, &error), 0);
        assert_int_equal(profile->procedures[GETATTR].replies, 1);
    }
    free(profile);
}

static void what_is_no_capture_is_refused(void **state)
{
    struct profile *profile = calloc(1, sizeof *profile);
    struct error error;
    struct file file;

    begin(&file, 0x12345678, false, RAW_IP);
    assert_int_equal(read_profile(profile, &file, NULL, &error), -EINVAL);
    assert_non_null(strstr(error.text, "can't read the capture"));
    begin(&file, MICROSECONDS, false, WIRELESS);
    assert_int_equal(read_profile(profile, &file, NULL, &error), -EINVAL);
    assert_non_null(strstr(error.text, "the link layer of this capture is IEEE802_11"));
    begin(&file, MICROSECONDS, false, RAW_IP);
    assert_int_equal(read_profile(profile, &file, "port port", &error), -EINVAL);
    assert_non_null(strstr(error.text, "see pcap-filter(7)"));
    assert_int_equal(capture_file_profile(profile, NULL, "/nowhere", NULL, &error), -EINVAL);
    free(profile);
}

/* What there is instead of NFSv3 is said: another version, by its number of calls; or no RPC. */
static void what_is_there_instead_is_said(void **state)
{
    struct profile *profile = calloc(1, sizeof *profile);
    struct made_message message;
    struct made_frame frame;
    struct error error;
    struct file file;

    begin(&file, MICROSECONDS, false, RAW_IP);
    made_udp(&frame, true, "no RPC", 6);
    add(&file, 1, &frame, frame.length);
    assert_int_equal(read_profile(profile, &file, NULL, &error), -ENODATA);
    assert_non_null(strstr(error.text, "among its packets (1), but no RPC"));
    made_call_of(&message, 1, 100003, 4, 1, 40);
    made_udp(&frame, true, message.bytes + 4, message.length - 4);
    add(&file, 2, &frame, frame.length);
    assert_int_equal(read_profile(profile, &file, NULL, &error), -ENODATA);
    assert_non_null(strstr(error.text, "nfs version 4 (1 call, not decoded)"));
    assert_int_equal(read_profile(profile, &file, "ip6", &error), -ENODATA);
    assert_non_null(strstr(error.text, "among its packets (0)"));
    free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_in_the_file_s_unit),
        cmocka_unit_test(the_snap_length_may_cut),
        cmocka_unit_test(a_capture_may_end_anywhere),
        cmocka_unit_test(lengths_that_cannot_be_are_refused),
        cmocka_unit_test(what_is_no_capture_is_refused),
        cmocka_unit_test(what_is_there_instead_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
