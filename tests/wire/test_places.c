/* Calls with different places: the bytes sent are compared with bytes written by hand, and with the
 * encoding of the same arguments by rpcgen's routines. */
#include "golden.h"

#include "engine/channel/rpc_client.h"
#include "engine/wire/transmit_buffer.h"
#include "nfs/call.h"
#include "nfs/objects/working_set.h"

static struct error error;

enum { FILES = 6, BLOCK = 64, DATA = 2000 };

static const struct identity identity = {.flavor = RPC_FLAVOR_NONE};
static uint8_t data[DATA];

/* Make files whose handles have 4, 8 and 12 bytes in turn, and whose names have 4 and 5 bytes in
 * turn. */
static void make_objects(struct nfs_objects *objects, struct nfs_file_set *set, const char *pattern)
{
    static struct nfs_handle handles[FILES];
    static char names[FILES][NFS_VARIANT_NAME_SIZE];

    *set = (struct nfs_file_set){
        .handles = handles, .names = names, .count = FILES, .size = UINT64_C(1) << 40};
    *objects = (struct nfs_objects){.files = set,
                                    .scratch = {4, "dir_"},
                                    .read = {.count = DATA, .expected = DATA},
                                    .write = {.count = DATA, .expected = DATA, .data = data},
                                    .working_set = {.chosen = true, .seed = 1}};
    assert_int_equal(pattern_parse(pattern, &objects->working_set.pattern), 0);
    for (unsigned i = 0; i < FILES; i++) {
        handles[i].length = 4 + i % 3 * 4;
        memset(handles[i].bytes, 'a' + (int)i, handles[i].length);
        snprintf(names[i], sizeof names[i], "%.*s%u", 3 + (int)i % 2, "name", i);
    }
}

static void make_call(struct nfs_call *call, const char *op, const struct nfs_objects *objects)
{
    assert_all((nfs_call_make(call, nfs_procedure_find(op), objects, &identity, 1, &error), 0),
               (call->places.differ), (nfs_call_places_draw(&call->places, BLOCK), 0));
    call->engine.places = call->places.drawn;
}

/* Return the message of call NUMBER with its place. Its xid is not set. */
static const struct channel_message *placed(const struct nfs_call *call, size_t number)
{
    const struct channel_message *message = engine_message(&call->engine, number);

    engine_patch_write(message->patch, engine_place(&call->engine, number), message->bytes);
    return message;
}

#define HEADER(procedure)                                                                          \
    "00000000 00000002 000186a3 00000003 " procedure "00000000 00000000 00000000 00000000"

static void assert_sent(const struct nfs_call *call, size_t number, const char *text)
{
    const struct channel_message *message = placed(call, number);

    assert_golden(message->bytes + RPC_RECORD_MARK_SIZE + 4, message->length - 4, text);
}

/* The bytes of calls in sequential order, and with a stride of 2^40 / 2000 blocks. This is a file's
 * number of blocks, so with this stride, successive calls use successive files. */
TEST_CASE(golden_bytes)
{
    struct nfs_objects objects;
    struct nfs_file_set set;
    struct nfs_call call;

    make_objects(&objects, &set, "sequential");
    make_call(&call, "read", &objects);
    assert_sent(&call, 0, HEADER("00000006") "00000004 'aaaa' 0000000000000000 000007d0");
    assert_sent(&call, 1, HEADER("00000006") "00000004 'aaaa' 00000000000007d0 000007d0");
    nfs_call_free(&call);
    make_objects(&objects, &set, "stride:549755813"); /* 2^40 / 2000, rounded down */
    make_call(&call, "read", &objects);
    assert_sent(&call, 1, HEADER("00000006") "00000008 'bbbbbbbb' 0000000000000000 000007d0");
    assert_sent(&call, 2, HEADER("00000006") "0000000c 'cccccccccccc' 0000000000000000 000007d0");
    assert_sent(&call, 7, HEADER("00000006") "00000008 'bbbbbbbb' 00000000000007d0 000007d0");
    nfs_call_free(&call);
    make_objects(&objects, &set, "sequential");
    make_call(&call, "getattr", &objects);
    assert_sent(&call, 5, HEADER("00000001") "0000000c 'ffffffffffff'");
    nfs_call_free(&call);
    make_call(&call, "lookup", &objects);
    assert_sent(&call, 2, HEADER("00000003") "00000004 'dir_' 00000004 'nam2'");
    assert_sent(&call, 3, HEADER("00000003") "00000004 'dir_' 00000005 'name3' 000000");
    nfs_call_free(&call);
}

/* Check that each call's bytes after the xid equal those of a newly encoded message. */
static void check_procedure(const struct nfs_procedure *procedure, const char *pattern)
{
    struct nfs_objects objects;
    struct nfs_file_set set;
    struct nfs_call call;

    make_objects(&objects, &set, pattern);
    make_call(&call, procedure->op, &objects);
    for (size_t i = 0; i < BLOCK; i++) {
        const struct channel_message *message = placed(&call, i);
        struct channel_message fresh;
        union nfs_arguments arguments;

        call.engine.fill_arguments(call.engine.context, i, &arguments);
        assert_all((rpc_message_make(&fresh, &procedure->rpc, &identity, &arguments, &error), 0),
                   (message->length, fresh.length));
        assert_memory_equal(message->bytes + RPC_RECORD_MARK_SIZE + 4,
                            fresh.bytes + RPC_RECORD_MARK_SIZE + 4, fresh.length - 4);
        free(fresh.bytes);
    }
    nfs_call_free(&call);
}

/* Return whether PROCEDURE's calls have places in a set of files. Places that are symbolic links or
 * directories are only in trees. */
static bool is_of_files(const struct nfs_procedure *procedure)
{
    return procedure->places && procedure->places != NFS_PLACES_SYMLINKS &&
           procedure->places != NFS_PLACES_DIRECTORIES;
}

TEST_CASE(as_encoded)
{
    static const char *const patterns[] = {"sequential", "random", "zipf:1", "stride:549755813"};
    const struct nfs_procedure *procedure;
    unsigned checked = 0;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        for (size_t j = 0; is_of_files(procedure) && j < COUNT_OF(patterns); j++, checked++)
            check_procedure(procedure, patterns[j]);
    assert_true(checked >= 10 * COUNT_OF(patterns));
}

/* A long message is sent in two parts: a copy of its head, with the call's place, and the rest. */
TEST_CASE(long_message)
{
    struct nfs_objects objects;
    struct nfs_file_set set;
    struct nfs_call call;
    struct channel_message fresh;
    struct transmit_buffer buffer;
    union nfs_arguments arguments;
    size_t at = RPC_RECORD_MARK_SIZE + 4;

    make_objects(&objects, &set, "random");
    for (size_t i = 0; i < DATA; i++)
        data[i] = (uint8_t)(i * 7);
    make_call(&call, "write", &objects);
    assert_int_equal(transmit_buffer_open(&buffer, TRANSPORT_TCP, 4), 0);
    for (size_t i = 0; i < 4; i++) {
        const struct channel_message *message = engine_message(&call.engine, i);
        uint8_t *head = transmit_buffer_put(&buffer, message, 5);

        engine_patch_write(message->patch, engine_place(&call.engine, i), head);
        call.engine.fill_arguments(call.engine.context, i, &arguments);
        assert_int_equal(
            rpc_message_make(&fresh, call.engine.procedure, &identity, &arguments, &error), 0);
        assert_int_equal(buffer.parts_used, 2 * i + 2);
        assert_int_equal(buffer.parts[2 * i].iov_len + buffer.parts[2 * i + 1].iov_len,
                         fresh.length + RPC_RECORD_MARK_SIZE);
        assert_memory_equal((uint8_t *)buffer.parts[2 * i].iov_base + at, fresh.bytes + at,
                            buffer.parts[2 * i].iov_len - at);
        assert_memory_equal(buffer.parts[2 * i + 1].iov_base,
                            fresh.bytes + buffer.parts[2 * i].iov_len,
                            buffer.parts[2 * i + 1].iov_len);
        free(fresh.bytes);
    }
    transmit_buffer_close(&buffer);
    nfs_call_free(&call);
}

static uint64_t count_places(const char *op, struct nfs_objects *objects)
{
    struct nfs_places places;

    nfs_places_begin(&places, nfs_procedure_find(op), objects);
    return places.count;
}

TEST_CASE(working_set)
{
    const uint64_t blocks = (UINT64_C(1) << 40) / DATA;
    struct nfs_objects objects;
    struct nfs_file_set set;

    make_objects(&objects, &set, "random");
    assert_all((count_places("read", &objects), FILES * blocks),
               (count_places("commit", &objects), FILES * blocks),
               (count_places("getattr", &objects), FILES), (count_places("null", &objects), 1));
    objects.working_set.extent = (struct nfs_extent){.files = 2};
    assert_int_equal(count_places("write", &objects), 2 * blocks);
    assert_int_equal(count_places("lookup", &objects), 2);
    objects.working_set.extent = (struct nfs_extent){.bytes = 10 * DATA + 1};
    assert_all((count_places("read", &objects), 10), (count_places("access", &objects), 1));
    objects.working_set.extent = (struct nfs_extent){.bytes = set.size + 1};
    assert_int_equal(count_places("access", &objects), 2);
    objects.working_set.extent = (struct nfs_extent){.bytes = 1};
    assert_int_equal(count_places("read", &objects), 1);
    objects.working_set.extent = (struct nfs_extent){.files = 100};
    assert_int_equal(count_places("setattr", &objects), FILES);
}

TEST_CASE(files_of_several_sizes)
{
    static const uint64_t begins[] = {0, 2, 2, 5};
    const struct nfs_places one = {.count = 2, .length = 10, .begins = begins, .files = 1};
    const struct nfs_places places = {.count = 5, .length = 10, .begins = begins, .files = 3};
    const struct nfs_place second = nfs_places_at(&one, 1), third = nfs_places_at(&places, 2),
                           last = nfs_places_at(&places, 4);

    assert_all((second.file, 0), (second.offset, 10), (third.file, 2), (third.offset, 0),
               (last.file, 2), (last.offset, 20));
}

TEST_CASE(one_file)
{
    struct nfs_objects objects = {.has_file = true,
                                  .file = {4, "file"},
                                  .file_size = 10 * DATA + 99,
                                  .read = {.count = DATA, .offset = 100},
                                  .write = {.count = DATA, .expected = DATA, .data = data},
                                  .working_set = {.pattern = {.kind = PATTERN_SEQUENTIAL}}};
    struct nfs_call call;

    assert_all((count_places("read", &objects), 9), (count_places("write", &objects), 1),
               (count_places("getattr", &objects), 1));
    make_call(&call, "read", &objects);
    assert_sent(&call, 8, HEADER("00000006") "00000004 'file' 0000000000003ee4 000007d0");
    assert_sent(&call, 9, HEADER("00000006") "00000004 'file' 0000000000000064 000007d0");
    nfs_call_free(&call);
}
