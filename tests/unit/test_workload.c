/* Workloads: the file, and what is made of captured calls. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/objects.h"
#include "capture/workload_fill.h"
#include "nfs3.h"

/* The file */

static int read_text(struct workload *workload, const char *text, struct error *error)
{
    char path[] = "/tmp/nfsbench-workload-XXXXXX";
    int fd = mkstemp(path), code;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    code = workload_read(workload, path, error);
    unlink(path);
    return code;
}

static const char whole[] = "getattr 20 # a mix\nread 10\n"
                            "clients: 2 # of them\nin-flight: 1.5 8\nrate: 1200.25\nfiles: 30 0.9\n"
                            "sequential: 0.25 1\nsize: read 4096 9\nsize: read 8192 1\n"
                            "think: 1 2 3 4 5 6\nthink-calls: 1.5\ndispersion: 1 2 3\n"
                            "file: 7 4096 a%20b\nfile: 6 10 ?\n"
                            "client: 20 1 1.5 2 1 2 3 4 5 6\nclient: 10 2 1 1 0 0 0 0 0 0\n"
                            "after: getattr read 9 getattr 11\nafter: read\n"
                            "directories: 1 2 3 4 5 6\n"
                            "latency: read 10 100.5 2000 150\nerror: getattr NFS3ERR_STALE 3\n"
                            "error: getattr RPC_AUTHERROR 2\nerror: getattr 4711 1\n"
                            "arrivals: 0.5 10 20\n";

static void values_are_read(void **state)
{
    struct workload *workload = calloc(1, sizeof *workload);
    struct error error;

    assert_int_equal(read_text(workload, whole, &error), 0);
    assert_int_equal(workload->mix.count, 2);
    assert_int_equal(workload->mix.ops[0].weight, 20);
    assert_near(workload->rate, 1200.25, 0);
    assert_near(workload->in_flight[1], 8, 0);
    assert_near(workload->sequential[WORKLOAD_WRITE], 1, 0);
    assert_int_equal(workload->size_count[WORKLOAD_READ], 2);
    assert_near(workload->sizes[WORKLOAD_READ][1].bytes, 8192, 0);
    assert_near(workload->ops[1].p50, 100.5, 0);
    assert_int_equal(workload->ops[0].tally.failed, 6);
    assert_int_equal(workload->ops[0].tally.errors[0].status, NFS3ERR_STALE);
    assert_int_equal(workload->ops[0].tally.errors[2].status, 4711);
    assert_int_equal(workload->arrival_count, 2);
    assert_near(workload->think[THINK_QUANTILES - 1], 6, 0);
    assert_near(workload->dispersion[2], 3, 0);
    assert_int_equal(workload->most_used_count, 2);
    assert_string_equal(workload->most_used[0].name, "a%20b");
    assert_int_equal(workload->own_count, 2);
    assert_near(workload->own[1].connections, 2, 0);
    assert_near(workload->own[0].think[THINK_QUANTILES - 1], 6, 0);
    assert_true(workload->mix.ordered);
    assert_near(workload->mix.after[0][1], 9, 0);
    assert_near(workload->directories[5], 6, 0);
    free(workload);
}

static char *written(const struct workload *workload)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    assert_int_equal(workload_write(workload, out), 0);
    fclose(out);
    return text;
}

static void what_is_written_is_read_again(void **state)
{
    struct workload *workload = calloc(1, sizeof *workload), *again = calloc(1, sizeof *again);
    struct error error;
    char *texts[2];

    assert_int_equal(read_text(workload, whole, &error), 0);
    texts[0] = written(workload);
    if (read_text(again, texts[0], &error) != 0)
        fail_msg("%s", error.text);
    texts[1] = written(again);
    assert_string_equal(texts[0], texts[1]);
    assert_non_null(strstr(texts[0], "\nrate: 1200.25 "));
    assert_non_null(strstr(texts[0], "\nerror: getattr RPC_AUTHERROR 2\n"));
    assert_non_null(strstr(texts[0], "\nerror: getattr 4711 1\n"));
    free(texts[0]);
    free(texts[1]);
    free(workload);
    free(again);
}

static void other_lines_are_refused(void **state)
{
    static const char *const bad[] = {
        "clients: 2\n", /* no op */
        "read 1\nclients:\n",
        "read 1\nclients: x\n",
        "read 1\nclients: -1\n",
        "read 1\nclients: nan\n",
        "read 1\nclients: 1 2\n",
        "read 1\nin-flight: 1\n",
        "read 1\nspeed: 1\n",
        "read 1\nlatency: write 1 2 3 4\n",
        "read 1\nerror: read NFS3_OK 1",
        "read 1\nerror: read -3 1",
        "read 1\nsize: commit 1 1\n",
        "read 1\nsize: read 1\n",
        "read 1\nreed: 1\n",
        "read 1\nclient: 1 1 1 1\n",
        "read 1\nafter:\n",
        "read 1\nafter: read write 1\n",
        "read 1\nafter: read read\n",
        "read 1\ndirectories: 1 2\n",
        "read\nclients: 1\n",
    };
    struct workload *workload = calloc(1, sizeof *workload);
    struct error error;

    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (read_text(workload, bad[i], &error) == 0)
            fail_msg("'%s' was taken", bad[i]);
        assert_int_equal(error.kind, ERROR_USAGE);
    }
    free(workload);
}

/* What is made of calls */

static uint64_t time_us(uint64_t us)
{
    return UINT64_C(1000000000) + us * 1000;
}

/* A READ or WRITE of 4 KiB from a file that has been read up to OFFSET. */
static struct captured_call transfer(const char *op, uint64_t object, uint64_t offset, uint64_t us)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(op);

    return (struct captured_call){
        .time = time_us(us),
        .program = NFS_PROGRAM,
        .version = NFS_V3,
        .procedure = procedure->rpc.number,
        .details = {
            .op = procedure, .object = object, .offset = offset, .count = 4096, .has_range = true}};
}

static void calls_become_a_workload(void **state)
{
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};

    for (uint64_t i = 0; i < 100; i++) {
        struct captured_call call =
            transfer(i % 10 ? "read" : "write-file-sync", 2 * (i % 4) + 1, i / 4 * 4096, i * 1000);

        workload_fill_call(fill, &call, &connection);
        workload_fill_reply(fill, &call, &connection, time_us(i * 1000 + 50), i == 99 ? 70 : 0,
                            NULL);
    }
    assert_int_equal(workload_fill_finish(fill, 0.1, workload), 0);
    assert_int_equal(workload->mix.count, 2);
    assert_string_equal(workload->mix.ops[0].procedure->op, "write-file-sync");
    assert_int_equal(workload->mix.ops[1].weight, 90);
    assert_int_equal(workload->ops[1].tally.failed, 1);
    assert_near(workload->ops[1].mean, 50, 0.01);
    assert_near(workload->clients, 1, 0);
    assert_near(workload->connections, 1, 0);
    assert_near(workload->in_flight[0], 1, 0);
    assert_near(workload->rate, 1000, 0.01);
    assert_near(workload->burstiness, 0, 0.01);
    assert_near(workload->think[0], 950, 10);
    assert_near(workload->think[THINK_QUANTILES - 1], 950, 10);
    assert_near(workload->think_calls, 1, 0);
    assert_near(workload->dispersion[0], 0, 0.01); /* ten calls in each of the 10 ms */
    assert_int_equal(workload->most_used_count, 4);
    assert_string_equal(workload->most_used[3].name, "file-4");
    assert_near(workload->files[0], 4, 0);
    assert_near(workload->file_size, 25 * 4096, 0);
    assert_near(workload->sizes[WORKLOAD_READ][0].calls, 90, 0);
    workload_fill_close(fill);
    free(workload);
}

static void sequential_is_from_where_the_last_ended(void **state)
{
    static const uint64_t offsets[] = {0, 4096, 8192, 0, 4096, 40960, 0, 45056};
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};

    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        struct captured_call call = transfer("read", 1, offsets[i], i);

        workload_fill_call(fill, &call, &connection);
    }
    assert_int_equal(workload_fill_finish(fill, 1, workload), 0);
    assert_near(workload->sequential[WORKLOAD_READ], 4.0 / 8, 1e-9); /* 0, 4096, 8192, 4096 */
    assert_near(workload->in_flight[1], 8, 0);
    workload_fill_close(fill);
    free(workload);
}

/* A LOOKUP of a name that is not there and a CREATE of it, over and over, and LOOKUPs that fail
 * otherwise, by two clients. */
static void refusals_and_their_order_are_kept(void **state)
{
    static const struct {
        const char *op;
        int status;
    } steps[] = {
        {"lookup", NFS3ERR_NOENT}, {"create-guarded", 0}, {"lookup", 0}, {"lookup", NFS3ERR_ACCES}};
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connections[2] = {{0}};

    for (uint32_t i = 0; i < 80; i++) {
        struct captured_call call =
            transfer(steps[i / 2 % COUNT_OF(steps)].op, 1, 0, (uint64_t)i * 1000);
        uint8_t nothing[4] = {0};
        struct wire_reader arguments = wire_reader(nothing, 0);
        const struct nfs_procedure *op = call.details.op;

        call.name = (struct call_name){.flow = i % 2, .xid = i};
        call.client = i % 2;
        workload_fill_details(fill, &call, &arguments);
        call.details.op = op;
        workload_fill_call(fill, &call, &connections[i % 2]);
        workload_fill_reply(fill, &call, &connections[i % 2],
                            time_us((uint64_t)i * 1000 + 500 + 1000 * (i % 2)),
                            steps[i / 2 % COUNT_OF(steps)].status, NULL);
    }
    assert_int_equal(workload_fill_finish(fill, 0.1, workload), 0);
    assert_int_equal(workload->mix.count, 3);
    assert_string_equal(workload->mix.ops[0].procedure->op, "lookup");
    assert_string_equal(workload->mix.ops[1].procedure->op, "lookup-absent");
    assert_int_equal(workload->mix.ops[0].weight, 40);
    assert_int_equal(workload->mix.ops[1].weight, 20);
    assert_int_equal(workload->ops[0].tally.failed, 20); /* what a replay does not make */
    assert_int_equal(workload->ops[1].tally.failed, 0);
    assert_near(workload->mix.after[1][2], 20, 0); /* each client's, not across them */
    assert_near(workload->mix.after[2][0], 20, 0);
    assert_near(workload->mix.after[0][1], 18, 0);
    assert_near(workload->mix.after[1][0], 0, 0);
    assert_int_equal(workload->own_count, 2);
    assert_near(workload->own[0].calls, 40, 0);
    assert_near(workload->own[0].think[2], 1500, 15); /* 2 ms from call to call */
    assert_near(workload->own[1].think[2], 500, 5);
    assert_near(workload->own[1].think_calls, 1, 0);
    workload_fill_close(fill);
    free(workload);
}

static void null_alone_is_no_workload(void **state)
{
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};
    struct captured_call call = {.time = 1, .details.op = nfs_procedure_find("null")};

    workload_fill_call(fill, &call, &connection);
    assert_int_equal(workload_fill_finish(fill, 1, workload), -ENODATA);
    workload_fill_close(fill);
    free(workload);
}

/* A call's arguments, as they are on the wire. */
static void arguments_are_read(void **state)
{
    struct hash_key key = {{1, 2}};
    uint8_t bytes[200];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);
    struct wire_reader reader;
    struct call_details details, create;

    wire_put_opaque(&writer, "handle", 6);
    wire_put_u64(&writer, 65536);
    wire_put_u32(&writer, 512);
    wire_put_u32(&writer, 2); /* FILE_SYNC */
    reader = wire_reader(bytes, (size_t)(writer.at - bytes));
    details_read_call(&details, NFSPROC3_WRITE, &reader, &key);
    assert_string_equal(details.op->op, "write-file-sync");
    assert_true(details.has_range);
    assert_int_equal(details.offset, 65536);
    assert_int_equal(details.count, 512);

    writer = wire_writer(bytes, sizeof bytes);
    wire_put_opaque(&writer, "handle", 6);
    wire_put_opaque(&writer, "a name", 6);
    wire_put_u32(&writer, 1); /* GUARDED */
    reader = wire_reader(bytes, (size_t)(writer.at - bytes));
    details_read_call(&create, NFSPROC3_CREATE, &reader, &key);
    assert_string_equal(create.op->op, "create-guarded");
    assert_true(create.object != 0 && create.object == details.object);
    assert_string_equal(create.name, "a name");

    reader = wire_reader(bytes, 8); /* cut within the handle */
    details_read_call(&details, NFSPROC3_READ, &reader, &key);
    assert_string_equal(details.op->op, "read");
    assert_int_equal(details.object, 0);
    assert_false(details.has_range);
}

static void a_listing_is_counted(void **state)
{
    uint8_t bytes[400];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);
    struct wire_reader reader;
    struct listed listed;

    wire_put_u32(&writer, 0); /* no attributes */
    wire_put_u64(&writer, 0);
    for (uint64_t i = 0; i < 5; i++) {
        wire_put_u32(&writer, 1);
        wire_put_u64(&writer, i);
        wire_put_opaque(&writer, "name", i % 5);
        wire_put_u64(&writer, i);
    }
    wire_put_u32(&writer, 0);
    wire_put_u32(&writer, 1); /* the end */
    reader = wire_reader(bytes, (size_t)(writer.at - bytes));
    assert_true(details_read_listing(&listed, NFSPROC3_READDIR, &reader));
    assert_int_equal(listed.entries, 5);
    assert_true(listed.to_end);
    reader = wire_reader(bytes, (size_t)(writer.at - bytes) - 4);
    assert_false(details_read_listing(&listed, NFSPROC3_READDIR, &reader));
}

/* What a stable_how or createmode3 doesn't define leaves the procedure's plain op; a name is cut to
 * what there is room for, and ends at a NUL. */
static void undefined_arguments_leave_the_plain_op(void **state)
{
    struct hash_key key = {{1, 2}};
    uint8_t bytes[400];
    char name[255];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);
    struct wire_reader reader;
    struct call_details details;

    memset(name, 'n', sizeof name);
    name[2] = '\0';
    wire_put_opaque(&writer, "handle", 6);
    wire_put_opaque(&writer, name, sizeof name);
    wire_put_u32(&writer, 3); /* no createmode3 */
    reader = wire_reader(bytes, (size_t)(writer.at - bytes));
    details_read_call(&details, NFSPROC3_CREATE, &reader, &key);
    assert_string_equal(details.op->op, "create");
    assert_string_equal(details.name, "nn");

    reader = wire_reader(bytes, (size_t)(writer.at - bytes));
    details_read_call(&details, 22, &reader, &key); /* no procedure */
    assert_null(details.op);

    writer = wire_writer(bytes, sizeof bytes);
    wire_put_opaque(&writer, name, 65); /* a handle is shorter */
    wire_put_u64(&writer, 4711);
    reader = wire_reader(bytes, (size_t)(writer.at - bytes));
    details_read_call(&details, NFSPROC3_READDIR, &reader, &key);
    assert_int_equal(details.object, 0);
    assert_int_equal(details.cookie, 0);
}

/* A reply of READDIRPLUS with COUNT entries, each with attributes and a handle; TO_END: the
 * directory's last. */
static struct wire_reader plus_reply(uint8_t *bytes, size_t room, uint64_t count, uint32_t to_end)
{
    struct wire_writer writer = wire_writer(bytes, room);
    static const uint8_t attributes[84];

    wire_put_u32(&writer, 1);
    wire_put_fixed(&writer, attributes, sizeof attributes);
    wire_put_u64(&writer, 0);
    for (uint64_t i = 0; i < count; i++) {
        wire_put_u32(&writer, 1);
        wire_put_u64(&writer, i);
        wire_put_opaque(&writer, "name", 4);
        wire_put_u64(&writer, 7); /* one cookie for all */
        wire_put_u32(&writer, 1);
        wire_put_fixed(&writer, attributes, sizeof attributes);
        wire_put_u32(&writer, 1);
        wire_put_opaque(&writer, "handle", 6);
    }
    wire_put_u32(&writer, 0);
    wire_put_u32(&writer, to_end);
    assert_false(writer.failed);
    return wire_reader(bytes, (size_t)(writer.at - bytes));
}

/* A directory that is listed in parts counts as a whole, once its end has come. */
static void a_listing_in_parts_is_one(void **state)
{
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};
    uint8_t bytes[4096];

    for (uint64_t i = 0; i < 3; i++) {
        struct captured_call call = transfer("readdirplus", 5, 0, i);
        struct wire_reader reader = plus_reply(bytes, sizeof bytes, 4 + i, i == 2);

        call.details.has_range = false;
        call.details.cookie = i;
        workload_fill_call(fill, &call, &connection);
        workload_fill_reply(fill, &call, &connection, time_us(i), 0, &reader);
        reader = wire_reader(bytes, wire_left(&reader) / 2); /* a cut one says nothing */
        workload_fill_reply(fill, &call, &connection, time_us(i), 0, &reader);
    }
    assert_int_equal(workload_fill_finish(fill, 1, workload), 0);
    assert_near(workload->directory[0], 15, 1e-9);
    assert_near(workload->directory[1], 15, 1e-9);
    workload_fill_close(fill);
    free(workload);
}

/* A file's name comes with the LOOKUP or CREATE whose reply has its handle. */
static void names_are_those_of_replies(void **state)
{
    static const char *const ops[] = {"lookup", "create"};
    struct workload_fill *fill = workload_fill_open(100, true);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};

    for (uint64_t i = 0; i < COUNT_OF(ops); i++) {
        struct captured_call call = transfer(ops[i], 1, 0, i), read = transfer("read", 0, 0, i);
        uint8_t bytes[100], handle[] = {0, 0, 0, 4, 'h', (uint8_t)i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9};
        struct wire_writer writer = wire_writer(bytes, sizeof bytes);
        struct wire_reader reader, arguments = wire_reader(handle, sizeof handle);

        call.details.has_range = false;
        strcpy(call.details.name, i ? "made" : "found");
        if (i == 1)
            wire_put_u32(&writer, 1); /* the handle of a CREATE is optional */
        wire_put_opaque(&writer, handle + 4, 4);
        reader = wire_reader(bytes, (size_t)(writer.at - bytes));
        workload_fill_call(fill, &call, &connection);
        workload_fill_reply(fill, &call, &connection, time_us(i), 0, &reader);
        workload_fill_details(fill, &read, &arguments);
        workload_fill_call(fill, &read, &connection);
    }
    assert_int_equal(workload_fill_finish(fill, 1, workload), 0);
    assert_int_equal(workload->most_used_count, 2);
    assert_true(strcmp(workload->most_used[0].name, "found") == 0 ||
                strcmp(workload->most_used[1].name, "found") == 0);
    assert_true(strcmp(workload->most_used[0].name, "made") == 0 ||
                strcmp(workload->most_used[1].name, "made") == 0);
    workload_fill_close(fill);
    free(workload);
}

/* Of more sizes than are kept, those that are frequent stay; an offset that overflows is no place.
 */
static void frequent_sizes_stay(void **state)
{
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};

    for (uint32_t i = 0; i < 300; i++) {
        struct captured_call call = transfer("read", 1, UINT64_MAX - 1, i);

        call.details.count = i % 3 ? 8192 : 100 + i;
        workload_fill_call(fill, &call, &connection);
    }
    assert_int_equal(workload_fill_finish(fill, 1, workload), 0);
    assert_near(workload->sizes[WORKLOAD_READ][0].bytes, 8192, 0);
    assert_near(workload->sizes[WORKLOAD_READ][0].calls, 200, 0);
    assert_near(workload->sequential[WORKLOAD_READ], 0, 0);
    assert_near(workload->file_size, 0, 0);
    workload_fill_close(fill);
    free(workload);
}

/* The variance of the calls in a window over its mean: 0 for steady calls, and as many as come at
 * once for bursts. */
static void bursts_are_dispersed(void **state)
{
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};

    for (uint64_t i = 0; i < 400; i++) {
        struct captured_call call = transfer("getattr", 1, 0, i / 20 * 40000); /* 20 in 40 ms */

        call.details.has_range = false;
        workload_fill_call(fill, &call, &connection);
    }
    assert_int_equal(workload_fill_finish(fill, 1, workload), 0);
    assert_near(workload->dispersion[0], 15,
                1); /* 20 calls in one window of four: 20 - 5, and a little */
    workload_fill_close(fill);
    free(workload);
}

/* Uses that follow the law exactly give its exponent. */
static void zipf_s_exponent_is_found(void **state)
{
    static const uint64_t zipf[] = {60000, 30000, 20000, 15000, 12000, 10000}; /* 60000 / rank */
    uint64_t uses[COUNT_OF(zipf)], equal[100];

    for (size_t i = 0; i < COUNT_OF(zipf); i++)
        uses[i] = zipf[COUNT_OF(zipf) - 1 - i];
    for (size_t i = 0; i < COUNT_OF(equal); i++)
        equal[i] = 1000;
    assert_near(objects_fit_zipf(uses, COUNT_OF(uses)), 1, 1e-6);
    assert_near(objects_fit_zipf(equal, COUNT_OF(equal)), 0, 1e-6);
    assert_near(objects_fit_zipf(equal, 1), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(other_lines_are_refused),
        cmocka_unit_test(calls_become_a_workload),
        cmocka_unit_test(sequential_is_from_where_the_last_ended),
        cmocka_unit_test(refusals_and_their_order_are_kept),
        cmocka_unit_test(null_alone_is_no_workload),
        cmocka_unit_test(arguments_are_read),
        cmocka_unit_test(a_listing_is_counted),
        cmocka_unit_test(undefined_arguments_leave_the_plain_op),
        cmocka_unit_test(a_listing_in_parts_is_one),
        cmocka_unit_test(names_are_those_of_replies),
        cmocka_unit_test(frequent_sizes_stay),
        cmocka_unit_test(bursts_are_dispersed),
        cmocka_unit_test(zipf_s_exponent_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
