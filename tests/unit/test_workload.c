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

static const char whole[] =
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"workload\", \"ops\": ["
    "{\"op\": \"getattr\", \"weight\": 20, \"next\": {\"read\": 9, \"getattr\": 11}},"
    "{\"op\": \"read\", \"weight\": 10, \"calls\": 10, \"p50_us\": 100.5, \"p99_us\": 2000}],"
    "\"clients\": 2, \"in_flight\": {\"mean\": 1.5, \"p99\": 8}, \"rate_per_s\": 1200.25,"
    "\"files\": {\"count\": 30, \"zipf_exponent\": 0.9}, \"sequential\": {\"read\": 0.25, "
    "\"write\": 1},"
    "\"read_sizes\": [{\"bytes\": 4096, \"calls\": 9}, {\"bytes\": 8192, \"calls\": 1}],"
    "\"think_us\": {\"p10\": 1, \"p99\": 6}, \"dispersion\": {\"1s\": 3},"
    "\"most_used\": [{\"calls\": 7, \"bytes\": 4096, \"name\": \"a%20b\"}, {\"calls\": 6}],"
    "\"own_clients\": [{\"calls\": 20, \"think_us\": {\"p99\": 6}}, {\"connections\": 2}],"
    "\"directories\": {\"mean\": 1.5, \"p99\": 6}, \"interval_s\": 0.5, \"arrivals\": [10, 20]}";

TEST_CASE(values_are_read)
{
    struct workload *workload = calloc(1, sizeof *workload);
    struct error error;

    if (read_text(workload, whole, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(workload->mix.count, 2);
    assert_int_equal(workload->mix.ops[0].weight, 20);
    assert_near(workload->rate, 1200.25, 0);
    assert_near(workload->in_flight[1], 8, 0);
    assert_near(workload->sequential[WORKLOAD_WRITE], 1, 0);
    assert_int_equal(workload->size_count[WORKLOAD_READ], 2);
    assert_near(workload->sizes[WORKLOAD_READ][1].bytes, 8192, 0);
    assert_int_equal(workload->size_count[WORKLOAD_WRITE], 0);
    assert_near(workload->ops[1].p50, 100.5, 0);
    assert_near(workload->ops[0].p50, 0, 0);
    assert_int_equal(workload->arrival_count, 2);
    assert_near(workload->arrivals[1], 20, 0);
    assert_near(workload->think[THINK_QUANTILES - 1], 6, 0);
    assert_near(workload->think[1], 0, 0);
    assert_near(workload->dispersion[2], 3, 0);
    assert_int_equal(workload->most_used_count, 2);
    assert_string_equal(workload->most_used[0].name, "a%20b");
    assert_string_equal(workload->most_used[1].name, "?");
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

TEST_CASE(what_is_written_is_read_again)
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
    assert_non_null(strstr(texts[0], "\"rate_per_s\": 1200.25"));
    free(texts[0]);
    engine_count_errors(&workload->ops[0].tally, 4711, 2);
    texts[0] = written(workload);
    assert_non_null(strstr(texts[0], "4711\": 2"));
    free(texts[0]);
    free(texts[1]);
    free(workload);
    free(again);
}

/* Each with a workload of READs, but for the first ones. */
TEST_CASE(others_are_refused)
{
    static const char *const bad[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"schema\": \"nfsbench-result/2\", \"kind\": \"profile\"}",
        "{\"schema\": \"nfsbench-result/2\", \"kind\": \"workload\"}",
    };
    static const char *const bad_members[] = {
        "\"ops\": []",
        "\"ops\": [1]",
        "\"ops\": [{\"op\": \"reed\", \"weight\": 1}]",
        "\"ops\": [{\"op\": \"null\", \"weight\": 1}]",
        "\"ops\": [{\"op\": \"read\"}]",
        "\"ops\": [{\"op\": \"read\", \"weight\": 0}]",
        "\"ops\": [{\"op\": \"read\", \"weight\": 1.5}]",
        "\"ops\": [{\"op\": \"read\", \"weight\": 1}, {\"op\": \"read\", \"weight\": 1}]",
        "\"ops\": [{\"op\": \"read\", \"weight\": 1, \"next\": {\"write\": 1}}]",
        "\"ops\": [{\"op\": \"read\", \"weight\": 1, \"next\": {\"read\": -1}}]",
        "\"ops\": [{\"op\": \"read\\nwrite\", \"weight\": 1}]",
        "\"clients\": -1",
        "\"clients\": \"x\"",
        "\"clients\": 1e19",
        "\"in_flight\": {\"mean\": []}",
        "\"arrivals\": 1",
        "\"arrivals\": [-1]",
        "\"own_clients\": [1]",
        "\"read_sizes\": {}",
        "\"write_sizes\": [{\"bytes\": -4096}]",
        "\"most_used\": [{\"name\": 1}]",
    };
    struct workload *workload = calloc(1, sizeof *workload);
    struct error error;
    char text[400];

    for (size_t i = 0; i < COUNT_OF(bad) + COUNT_OF(bad_members); i++) {
        snprintf(text, sizeof text, "%s", i < COUNT_OF(bad) ? bad[i] : "");
        if (i >= COUNT_OF(bad))
            snprintf(text, sizeof text,
                     "{\"schema\": \"nfsbench-result/2\", \"kind\": \"workload\", "
                     "\"ops\": [{\"op\": \"read\", \"weight\": 1}], %s}",
                     bad_members[i - COUNT_OF(bad)]);
        if (read_text(workload, text, &error) == 0)
            fail_msg("'%s' was taken", text);
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

TEST_CASE(calls_become_a_workload)
{
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};

    for (uint64_t i = 0; i < 100; i++) {
        struct captured_call call =
            transfer(i % 10 ? "read" : "write-file-sync", 2 * (i % 4) + 1, i / 4 * 4096, i * 1000);

        workload_fill_call(fill, &call, &connection);
        workload_fill_reply(fill, &call, &connection, time_us(i * 1000 + 50),
                            &(struct message){.status = i == 99 ? 70 : 0});
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

TEST_CASE(sequential_is_from_where_the_last_ended)
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
TEST_CASE(refusals_and_their_order_are_kept)
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

        call.name = (struct call_name){.flow = i % 2, .xid = i};
        call.client = i % 2;
        workload_fill_details(fill, &call);
        workload_fill_call(fill, &call, &connections[i % 2]);
        workload_fill_reply(fill, &call, &connections[i % 2],
                            time_us((uint64_t)i * 1000 + 500 + 1000 * (i % 2)),
                            &(struct message){.status = steps[i / 2 % COUNT_OF(steps)].status});
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

TEST_CASE(null_alone_is_no_workload)
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

/* A directory that is listed in parts counts as a whole, once its end has come. */
TEST_CASE(a_listing_in_parts_is_one)
{
    struct workload_fill *fill = workload_fill_open(100, false);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};

    for (uint64_t i = 0; i < 3; i++) {
        struct captured_call call = transfer("readdirplus", 5, 0, i);
        struct message reply = {.is_listing = true, .entries = 4 + i, .to_end = i == 2};

        call.details.has_range = false;
        call.details.cookie = i;
        workload_fill_call(fill, &call, &connection);
        workload_fill_reply(fill, &call, &connection, time_us(i), &reply);
        reply.is_listing = false; /* a cut one says nothing */
        workload_fill_reply(fill, &call, &connection, time_us(i), &reply);
    }
    assert_int_equal(workload_fill_finish(fill, 1, workload), 0);
    assert_near(workload->directory[0], 15, 1e-9);
    assert_near(workload->directory[1], 15, 1e-9);
    workload_fill_close(fill);
    free(workload);
}

/* A file's name comes with the LOOKUP or CREATE whose reply has its handle. */
TEST_CASE(names_are_those_of_replies)
{
    static const char *const ops[] = {"lookup", "create"};
    struct workload_fill *fill = workload_fill_open(100, true);
    struct workload *workload = calloc(1, sizeof *workload);
    struct workload_connection connection = {0};

    for (uint64_t i = 0; i < COUNT_OF(ops); i++) {
        struct captured_call call = transfer(ops[i], 1, 0, i), read = transfer("read", i + 7, 0, i);

        call.details.has_range = false;
        strcpy(call.details.name, i ? "made" : "found");
        workload_fill_call(fill, &call, &connection);
        workload_fill_reply(fill, &call, &connection, time_us(i),
                            &(struct message){.handle = i + 7});
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
TEST_CASE(frequent_sizes_stay)
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
TEST_CASE(bursts_are_dispersed)
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
TEST_CASE(zipf_s_exponent_is_found)
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
