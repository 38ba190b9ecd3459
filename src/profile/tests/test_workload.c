/* Workloads: reading and writing the file, and making a workload from captured calls. */
#include "test.h"

#include <jansson.h>

#include "memory_file.h"
#include "nfs3.h"
#include "profile/objects.h"
#include "profile/workload_fill.h"

/* The file */

static struct workload workload;

static int read_text(const char *text, struct error *error)
{
    return workload_read(&workload, memory_file(0, text, strlen(text)), error);
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

static json_t *write_as_json(void)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    json_t *json;

    assert_int_equal(workload_write(&workload, out), 0);
    fclose(out);
    json = json_loads(text, 0, NULL);
    free(text);
    return json;
}

static void assert_has(json_t *all, json_t *part)
{
    json_t *value;
    const char *key;
    size_t i;

    json_object_foreach(part, key, value) assert_has(json_object_get(all, key), value);
    json_array_foreach(part, i, value) assert_has(json_array_get(all, i), value);
    if (!json_is_object(part) && !json_is_array(part) && !json_equal(all, part))
        fail_msg("%s became %s", json_dumps(part, JSON_ENCODE_ANY),
                 json_dumps(all, JSON_ENCODE_ANY));
    assert_int_equal(json_array_size(all), json_array_size(part));
}

TEST_CASE(what_is_read_is_written)
{
    json_t *part = json_loads(whole, 0, NULL), *all;
    struct error error;

    if (read_text(whole, &error) != 0)
        fail_msg("%s", error.text);
    assert_all((workload.mix.count, 2), (workload.mix.ops[0].weight, 20), (workload.mix.ordered),
               (workload.most_used[1].name, "?"));
    engine_count_errors(&workload.ops[0].tally, 4711, 2);
    all = write_as_json();
    assert_has(all, part);
    assert_int_equal(
        json_object_size(json_object_get(json_array_get(json_object_get(all, "ops"), 0), "errors")),
        1);
    json_decref(all);
    json_decref(part);
}

static void refuse(const char *text)
{
    struct error error;

    if (read_text(text, &error) == 0)
        fail_msg("'%s' was taken", text);
    assert_int_equal(error.kind, ERROR_USAGE);
}

TEST_CASE(others_are_refused)
{
    static const char others[] =
        "|{|[]|{}|{\"schema\": \"nfsbench-result/2\", \"kind\": \"profile\"}|"
        "{\"schema\": \"nfsbench-result/2\", \"kind\": \"workload\"}";
    /* invalid JSON members, each added to a valid workload of READs */
    static const char members[] =
        "\"ops\": []|\"ops\": [1]|\"ops\": [{\"op\": \"reed\", \"weight\": 1}]|"
        "\"ops\": [{\"op\": \"null\", \"weight\": 1}]|\"ops\": [{\"op\": \"read\"}]|"
        "\"ops\": [{\"op\": \"read\", \"weight\": 0}]|\"ops\": [{\"op\": \"read\", \"weight\": "
        "1.5}]|"
        "\"ops\": [{\"op\": \"read\", \"weight\": 1}, {\"op\": \"read\", \"weight\": 1}]|"
        "\"ops\": [{\"op\": \"read\", \"weight\": 1, \"next\": {\"write\": 1}}]|"
        "\"ops\": [{\"op\": \"read\", \"weight\": 1, \"next\": {\"read\": -1}}]|"
        "\"ops\": [{\"op\": \"read\\nwrite\", \"weight\": 1}]|\"clients\": -1|\"clients\": \"x\"|"
        "\"clients\": 1e19|\"in_flight\": {\"mean\": []}|\"arrivals\": 1|\"arrivals\": [-1]|"
        "\"own_clients\": [1]|\"read_sizes\": {}|\"write_sizes\": [{\"bytes\": -4096}]|"
        "\"most_used\": [{\"name\": 1}]";
    char text[400];

    for (char *rest = strdupa(others), *other; (other = strsep(&rest, "|"));)
        refuse(other);
    for (char *rest = strdupa(members), *member; (member = strsep(&rest, "|"));) {
        snprintf(text, sizeof text,
                 "{\"schema\": \"nfsbench-result/2\", \"kind\": \"workload\", "
                 "\"ops\": [{\"op\": \"read\", \"weight\": 1}], %s}",
                 member);
        refuse(text);
    }
}

/* Workloads from calls */

static struct workload_fill *fill;
static struct workload_connection connections[2];

FIXTURE(set_up, memset(connections, 0, sizeof connections),
        fill = workload_fill_open(&workload, 100, false), !fill)

FIXTURE(tear_down, workload_fill_close(fill), 0)

static uint64_t time_us(uint64_t us)
{
    return UINT64_C(1000000000) + us * 1000;
}

/* Return a call of OP (a READ or WRITE of 4 KiB at OFFSET of OBJECT) that is sent at US us. */
static struct captured_call transfer(const char *op, uint64_t object, uint64_t offset, uint64_t us)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(op);

    return (struct captured_call){.time = time_us(us),
                                  .message = {.program = NFS_PROGRAM,
                                              .version = NFS_V3,
                                              .procedure = procedure->rpc.number,
                                              .op = procedure,
                                              .object = object,
                                              .offset = offset,
                                              .count = 4096,
                                              .has_range = true}};
}

/* Return a call of OP on object 1 that is sent at US us, without offset and length. */
static struct captured_call call_of(const char *op, uint64_t us)
{
    struct captured_call call = transfer(op, 1, 0, us);

    call.message.has_range = false;
    return call;
}

static void add_call(struct captured_call *call)
{
    workload_fill_call(fill, call, &connections[call->client]);
}

static void answer_call(const struct captured_call *call, uint64_t us, const struct message *reply)
{
    workload_fill_reply(fill, call, &connections[call->client], time_us(us), reply);
}

/* Add CALL and its reply, which has STATUS and comes US us after CALL. */
static void exchange(struct captured_call *call, uint64_t us, int status)
{
    add_call(call);
    workload_fill_reply(fill, call, &connections[call->client], call->time + us * 1000,
                        &(struct message){.status = status});
}

TEST_CASE_WITH(calls_become_a_workload, set_up, tear_down)
{
    for (uint64_t i = 0; i < 100; i++) {
        struct captured_call call =
            transfer(i % 10 ? "read" : "write-file-sync", 2 * (i % 4) + 1, i / 4 * 4096, i * 1000);

        exchange(&call, 50, i == 99 ? 70 : 0);
    }
    workload_fill_finish(fill, 1, 0);
    assert_all((workload.mix.count, 2), (workload.mix.ops[0].procedure->op, "write-file-sync"),
               (workload.mix.ops[1].weight, 90), (workload.ops[1].tally.failed, 1),
               (workload.ops[1].mean, 50, 0.01), (workload.clients, 1, 0),
               (workload.connections, 1, 0), (workload.in_flight[0], 1, 0),
               (workload.rate, 1000, 0.01), (workload.burstiness, 0, 0.01),
               (workload.think[0], 950, 10), (workload.think[THINK_QUANTILES - 1], 950, 10));
    assert_near(workload.think_calls, 1, 0);
    assert_near(workload.dispersion[0], 0, 0.01); /* every interval of 10 ms has ten calls */
    assert_all((workload.most_used_count, 4), (workload.most_used[3].name, "file-4"),
               (workload.files[0], 4, 0), (workload.file_size, 25 * 4096, 0),
               (workload.sizes[WORKLOAD_READ][0].calls, 90, 0));
}

TEST_CASE_WITH(sequential_is_from_where_the_last_ended, set_up, tear_down)
{
    static const uint64_t offsets[] = {0, 4096, 8192, 0, 4096, 40960, 0, 45056};
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        struct captured_call call = transfer("read", 1, offsets[i], i);

        add_call(&call);
    }
    workload_fill_finish(fill, 1, 0);
    /* calls 1, 2 and 4 begin where the call before them ended; call 0 begins at offset 0 */
    assert_near(workload.sequential[WORKLOAD_READ], 4.0 / 8, 1e-9);
    assert_near(workload.in_flight[1], 8, 0);
}

/* Two clients repeat four calls: a LOOKUP that fails with NOENT, a CREATE, a LOOKUP that succeeds,
 * and a LOOKUP that fails with ACCES. Only the LOOKUPs with NOENT become a separate op. */
TEST_CASE_WITH(refusals_and_their_order_are_kept, set_up, tear_down)
{
    static const struct {
        const char *op;
        int status;
    } steps[] = {
        {"lookup", NFS3ERR_NOENT}, {"create-guarded", 0}, {"lookup", 0}, {"lookup", NFS3ERR_ACCES}};
    for (uint32_t i = 0; i < 80; i++) {
        struct captured_call call =
            transfer(steps[i / 2 % COUNT_OF(steps)].op, 1, 0, (uint64_t)i * 1000);

        call.key = i;
        call.client = i % 2;
        exchange(&call, 500 + 1000 * (i % 2), steps[i / 2 % COUNT_OF(steps)].status);
    }
    workload_fill_finish(fill, 1, 0);
    assert_all((workload.mix.count, 3), (workload.mix.ops[0].procedure->op, "lookup"),
               (workload.mix.ops[1].procedure->op, "lookup-absent"),
               (workload.mix.ops[0].weight, 40), (workload.mix.ops[1].weight, 20));
    /* errors of the LOOKUPs with ACCES; a replay of the ops would not cause them */
    assert_int_equal(workload.ops[0].tally.failed, 20);
    assert_all((workload.ops[1].tally.failed, 0), (workload.mix.ordered));
    assert_near(workload.mix.after[1][2], 20, 0); /* order within each client, not across clients */
    assert_all((workload.mix.after[2][0], 20, 0), (workload.mix.after[0][1], 18, 0),
               (workload.mix.after[1][0], 0, 0), (workload.own_count, 2),
               (workload.own[0].calls, 40, 0));
    assert_near(workload.own[0].think[2], 1500, 15); /* a call of 0.5 ms every 2 ms */
    assert_all((workload.own[1].think[2], 500, 5), (workload.own[1].think_calls, 1, 0));
}

/* An op is removed if all its calls turn out to be of another op, here lookup-absent. The remaining
 * ops keep their calls, and the order of their calls. */
TEST_CASE_WITH(an_op_without_calls_is_left_out, set_up, tear_down)
{
    static const char *const ops[] = {"lookup", "getattr", "read"};
    for (uint32_t i = 0; i < 30; i++) {
        struct captured_call call = call_of(ops[i % COUNT_OF(ops)], i);

        call.key = i;
        exchange(&call, 1, i % 3 ? 0 : NFS3ERR_NOENT);
    }
    workload_fill_finish(fill, 1, 0);
    assert_int_equal(workload.mix.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(workload.ops[i].procedure->op, workload.mix.ops[i].procedure->op);
        assert_string_not_equal(workload.ops[i].procedure->op, "lookup");
        assert_int_equal(workload.ops[i].weight, 10);
        for (size_t j = 0; j < 3; j++)
            assert_true(workload.mix.after[i][j] <= 0 || workload.mix.after[i][j] >= 9);
    }
}

TEST_CASE_WITH(null_alone_is_no_workload, set_up, tear_down)
{
    struct captured_call call = call_of("null", 1);

    add_call(&call);
    workload_fill_finish(fill, 1, 0);
    assert_int_equal(workload.op_count, 0);
}

/* A directory that several READDIRs list counts once, when its end is reached. */
TEST_CASE_WITH(a_listing_in_parts_is_one, set_up, tear_down)
{
    for (uint64_t i = 0; i < 3; i++) {
        struct captured_call call = call_of("readdirplus", i);
        struct message reply = {.is_listing = true, .entries = 4 + i, .to_end = i == 2};

        call.message.cookie = i;
        add_call(&call);
        answer_call(&call, i, &reply);
        reply.is_listing = false; /* a truncated reply adds no entries */
        answer_call(&call, i, &reply);
    }
    workload_fill_finish(fill, 1, 0);
    assert_all((workload.directory[0], 15, 1e-9), (workload.directory[1], 15, 1e-9));
}

/* A file's name is taken from the LOOKUP or CREATE that returned its handle. The file with the most
 * calls is first. */
TEST_CASE_WITH(names_are_those_of_replies, set_up, tear_down)
{
    static const char *const ops[] = {"lookup", "create"};
    workload.names_kept = true;
    for (uint64_t i = 0; i < COUNT_OF(ops); i++) {
        struct captured_call call = call_of(ops[i], i), read = transfer("read", i + 7, 0, i);

        strcpy(call.message.name, i ? "made" : "found it");
        add_call(&call);
        answer_call(&call, i, &(struct message){.handle = i + 7});
        add_call(&read);
        if (i)
            add_call(&read);
    }
    workload_fill_finish(fill, 1, 0);
    assert_all((workload.most_used_count, 2), (workload.most_used[0].name, "made"),
               (workload.most_used[1].name, "found%20it"));
}

/* If there are too many sizes of READs, frequent sizes stay. A READ whose range overflows counts
 * for the sizes, but not for the file's size. */
TEST_CASE_WITH(frequent_sizes_stay, set_up, tear_down)
{
    for (uint32_t i = 0; i < 300; i++) {
        struct captured_call call = transfer("read", 1, UINT64_MAX - 1, i);

        call.message.count = i % 3 ? 8192 : 100 + i;
        add_call(&call);
    }
    workload_fill_finish(fill, 1, 0);
    assert_all((workload.size_count[WORKLOAD_READ], WORKLOAD_SIZES_MAXIMUM),
               (workload.sizes[WORKLOAD_READ][0].bytes, 8192, 0),
               (workload.sizes[WORKLOAD_READ][0].calls, 200, 0),
               (workload.sequential[WORKLOAD_READ], 0, 0), (workload.file_size, 0, 0));
}

/* The dispersion is the variance of the number of calls in a window, divided by the mean of this
 * number. If calls come in bursts, it is near the size of the bursts. */
TEST_CASE_WITH(bursts_are_dispersed, set_up, tear_down)
{
    for (uint64_t i = 0; i < 400; i++) {
        struct captured_call call = call_of("getattr", i / 20 * 40000); /* 20 calls every 40 ms */

        add_call(&call);
    }
    workload_fill_finish(fill, 1, 0);
    /* Successive windows have 20, 0, 0, 0 calls: mean 5, variance 400 / 4 - 25 = 75; 75 / 5 = 15 */
    assert_near(workload.dispersion[0], 15, 1);
}

/* If the numbers of calls on files follow Zipf's law exactly, its exponent is found. */
TEST_CASE(zipf_s_exponent_is_found)
{
    static const uint64_t zipf[] = {60000, 30000, 20000, 15000, 12000, 10000}; /* 60000 / rank */
    uint64_t equal[100];

    for (size_t i = 0; i < COUNT_OF(equal); i++)
        equal[i] = 1000;
    assert_near(objects_fit_zipf(zipf, COUNT_OF(zipf)), 1, 1e-6);
    assert_near(objects_fit_zipf(equal, COUNT_OF(equal)), 0, 1e-6);
    assert_near(objects_fit_zipf(equal, 1), 0, 0);
}

TEST_CASE(tables_keep_the_latest)
{
    struct table table;

    assert_true(table_open(&table, 10, sizeof(int)));
    for (int i = 0; i < 25; i++)
        *(int *)table_add(&table, (uint64_t)i * 20 + 1) = i;
    for (int i = 0; i < 25; i++) {
        const int *record = table_find(&table, (uint64_t)i * 20 + 1);

        assert_int_equal(record ? *record : -1, i < 15 ? -1 : i);
    }
    assert_int_equal(*(int *)table_at(&table, 17), 17);
    table_close(&table);
}
