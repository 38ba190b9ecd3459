/* Listing directories to their ends, and walking trees, on a made-up export. */
#include "golden.h"

#include "nfs/listing.h"
#include "nfs/objects/tree.h"
#include "nfs/objects/working_set.h"
#include "nfs/status.h"
#include "nfs/traversal.h"
#include "rpc/message.h"

static const struct identity identity = {.flavor = RPC_FLAVOR_NONE};

/* Return a READDIR result of COUNT entries, with cookies from FROM + 1 on. If ENDED, the list ends
 * with these entries. */
static struct wire_reader listed(uint8_t bytes[8192], uint64_t from, unsigned count, bool ended)
{
    struct wire_writer writer = wire_writer(bytes, 8192);

    wire_put_u32(&writer, 0);
    wire_put_u64(&writer, UINT64_C(0x1122334455667788));
    for (unsigned i = 1; i <= count; i++) {
        wire_put_u32(&writer, 1);
        wire_put_u64(&writer, from + i);
        wire_put_opaque(&writer, "name", 4);
        wire_put_u64(&writer, from + i);
    }
    wire_put_u32(&writer, 0);
    wire_put_u32(&writer, ended);
    assert_false(writer.failed);
    return wire_reader(bytes, (size_t)(writer.at - bytes));
}

static int take_page(struct nfs_listing *listing, uint64_t from, unsigned count, bool ended)
{
    uint8_t bytes[8192];
    struct wire_reader reader = listed(bytes, from, count, ended);
    int code = nfs_listing_read_page(listing, &reader, NULL, NULL);

    assert_all((!reader.failed), (wire_left(&reader), 0));
    return code;
}

static struct traversal_limit *fresh_limit(void)
{
    static struct traversal_limit limit;

    traversal_limit_begin(&limit, 0);
    return &limit;
}

TEST_CASE(listing)
{
    const uint8_t verifier[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
    struct nfs_listing listing;

    nfs_listing_begin(&listing, false, fresh_limit());
    assert_all((take_page(&listing, 0, 30, false), 0), (listing.cookie, 30));
    assert_memory_equal(listing.verifier, verifier, sizeof verifier);
    assert_all((take_page(&listing, 30, 12, true), 0), (listing.ended), (listing.entries, 42),
               (listing.calls, 2));
}

TEST_CASE(listing_without_progress)
{
    struct nfs_listing listing;

    nfs_listing_begin(&listing, false, fresh_limit());
    assert_int_equal(take_page(&listing, 0, 3, false), 0);
    assert_int_equal(take_page(&listing, 3, 0, false), NFS_COOKIE_REPEATED);
    nfs_listing_begin(&listing, false, fresh_limit());
    assert_int_equal(take_page(&listing, 0, 3, false), 0);
    assert_int_equal(take_page(&listing, 2, 1, false), NFS_COOKIE_REPEATED);
}

/* Names are compared as bytes, whatever they contain. A repeated name is counted each time, and
 * reported once. */
TEST_CASE(names_that_repeat)
{
    static const struct {
        const char *bytes;
        uint32_t length;
    } came[] = {{"b", 1},    {"a", 1},    {"", 0},        {"a", 1}, {"ab", 2}, {"a", 1},
                {"x\0y", 3}, {"x\0z", 3}, {"\033[2J", 4}, {"", 0},  {"b", 1},  {"\033[2J", 4}};
    struct nfs_listing_findings findings = {.entries = 0};
    struct nfs_names names = {.text = NULL};
    char text[1000];

    assert_false(nfs_listing_findings_describe(&findings, "READDIR", "/to", text, sizeof text));
    for (size_t i = 0; i < COUNT_OF(came); i++)
        nfs_names_add(&names, (const uint8_t *)came[i].bytes, came[i].length);
    nfs_names_compare(&names, &findings);
    assert_all((findings.entries, 12), (findings.repeated, 5), (!findings.has_more),
               (names.count, 0));
    assert_string_equal(findings.names, "'', '\\x1b[2J', 'a', 'b'");
    nfs_names_add(&names, (const uint8_t *)"b", 1); /* a name that is also in another directory */
    nfs_names_compare(&names, &findings);
    assert_all((findings.entries, 13), (findings.repeated, 5));
    assert_true(nfs_listing_findings_describe(&findings, "READDIR", "/to", text, sizeof text));
    assert_non_null(strstr(text,
                           "READDIR of /to: pages overlap: of 13 listed entries, 5 were repeated, "
                           "so there are 8 names"));
    assert_null(strstr(text, ", ..."));
    nfs_names_free(&names);
}

TEST_CASE(many_names_that_repeat)
{
    struct nfs_listing_findings findings = {.entries = 0};
    struct nfs_names names = {.text = NULL};
    char name[256], text[1000];

    for (unsigned i = 0; i < 2000; i++) {
        const int length = snprintf(name, sizeof name, "%0200u", i % 1000);

        nfs_names_add(&names, (const uint8_t *)name, (uint32_t)length);
    }
    nfs_names_compare(&names, &findings);
    nfs_names_free(&names);
    assert_all((findings.repeated, 1000), (findings.has_more));
    assert_true(nfs_listing_findings_describe(&findings, "READDIR", "/to", text, sizeof text));
    assert_non_null(strstr(text, ", ..."));
}

#define ATTRIBUTES_OF(modified)                                                                    \
    "00000001 00000002 000001ed 00000002 00000000 00000000 0000000000001000 0000000000001000 "     \
    "0000000000000000 0000000000000001 0000000000000001 0000000100000000 " modified                \
    " 0000000100000000"
#define NEW  ATTRIBUTES_OF("0000000700000000")
#define OLD  ATTRIBUTES_OF("0000000600000009")
#define NONE "00000000"
#define ONE_ENTRY(n)                                                                               \
    "00000001 000000000000000" n "00000001 'a' 000000 000000000000000" n "00000000 "

/* If a cookie verifier differs or a cookie is refused, the text says whether the directory was
 * changed since its first page. If this page or the latest reply lacks the directory's time of last
 * change, the text names both possible causes. */
TEST_CASE(cookies_that_are_not_kept)
{
    static const struct {
        const char *first, *second, *refused, *verifier, *why;
    } cases[] = {
        {OLD, OLD, OLD, "not keep its cookies valid", "so this server does not keep its cookies"},
        {OLD, NEW, NEW, ": the directory was changed",
         "page 3: the directory was changed after its"},
        {OLD, OLD, NEW, "not keep its cookies valid",
         "page 3: the directory was changed after its"},
        {NONE, NONE, NONE, "don't show which",
         "page 3: the directory was changed after its first "
         "page, or this server"},
        {NONE, OLD, "", "don't show which", "page, or this server"},
        {OLD, NONE, OLD, "don't show which", "so this server does not keep its cookies"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char bytes[600], text[NFS_FINDINGS_TEXT];
        struct nfs_listing_findings findings = {.entries = 0};
        struct nfs_names names = {.text = NULL};
        struct nfs_listing listing;
        struct golden page;
        struct wire_reader reader;

        nfs_listing_begin(&listing, false, fresh_limit());
        nfs_listing_examine(&listing, &names, &findings);
        snprintf(bytes, sizeof bytes, "%s 'verify-1'" ONE_ENTRY("1") "00000000", cases[i].first);
        page = golden(bytes);
        reader = wire_reader(page.bytes, page.length);
        assert_all((nfs_listing_read_page(&listing, &reader, NULL, NULL), 0), (!reader.failed));
        snprintf(bytes, sizeof bytes, "%s 'verify-2'" ONE_ENTRY("2") "00000000", cases[i].second);
        page = golden(bytes);
        reader = wire_reader(page.bytes, page.length);
        assert_all((nfs_listing_read_page(&listing, &reader, NULL, NULL), 0), (!reader.failed));
        assert_int_equal(findings.verifier_page, 2);
        assert_true(nfs_listing_findings_describe(&findings, "READDIR", "/to", text, sizeof text));
        assert_non_null(strstr(text, cases[i].verifier));
        page = golden(cases[i].refused);
        reader = wire_reader(page.bytes, page.length);
        nfs_listing_refused(&listing, &reader);
        nfs_listing_describe(&listing, 3, NFS3ERR_BAD_COOKIE, "READDIR", "/to", text, sizeof text);
        assert_non_null(
            strstr(text, "READDIR of /to was answered by NFS3ERR_BAD_COOKIE at page 3"));
        assert_non_null(strstr(text, cases[i].why));
        nfs_names_free(&names);
    }
}

TEST_CASE(words_for_bounds)
{
    char text[NFS_FINDINGS_TEXT];
    struct nfs_listing listing;

    nfs_listing_begin(&listing, false, fresh_limit());
    assert_int_equal(take_page(&listing, 0, 30, false), 0);
    nfs_listing_describe(&listing, 1, NFS_LIST_TOO_SLOW, "READDIRPLUS", "/to", text, sizeof text);
    assert_non_null(strstr(text, "READDIRPLUS of /to was not complete after "));
    assert_non_null(strstr(text, ": 1 call returned 30 entries, in "));
    nfs_listing_describe(&listing, 1, NFS_COOKIE_REPEATED, "READDIR", "/to", text, sizeof text);
    assert_non_null(strstr(text, "READDIR of /to, page 1: the listing makes no progress"));
    nfs_listing_describe(&listing, 1, NFS3ERR_IO, "READDIR", "/to", text, sizeof text);
    assert_string_equal(text,
                        "READDIR of /to was answered by NFS3ERR_IO at page 2, after 30 entries");
}

/* A cycle of cookies is found, whatever its length and whatever the number of calls before it. */
TEST_CASE(listing_in_a_circle)
{
    for (unsigned tail = 0; tail < 20; tail++)
        for (unsigned cycle = 1; cycle < 20; cycle++) {
            struct nfs_listing listing;
            unsigned calls = 0;
            int code = 0;

            nfs_listing_begin(&listing, false, fresh_limit());
            while (code == 0 && calls < 1000) {
                unsigned step = calls < tail ? calls : tail + (calls - tail) % cycle;

                code = take_page(&listing, 1000 + step * 10, 3, false);
                calls++;
            }
            assert_all((code, NFS_COOKIE_REPEATED), (calls <= 4 * (tail + cycle) + 2));
        }
}

TEST_CASE(endless_listing)
{
    struct nfs_listing listing;
    uint64_t from = 0;

    nfs_listing_begin(&listing, false, fresh_limit());
    listing.limit->entries = TRAVERSAL_ENTRIES_MAXIMUM - 250;
    while (take_page(&listing, from, 100, false) == 0)
        from += 100;
    assert_all((from, 200), (listing.limit->met, NFS_LIST_ENDLESS));
    nfs_listing_begin(&listing, false, fresh_limit());
    listing.limit->bytes = TRAVERSAL_BYTES_MAXIMUM + 1;
    assert_int_equal(take_page(&listing, 0, 3, false), NFS_LIST_TOO_LARGE);
    traversal_limit_begin(listing.limit, 1);
    assert_int_equal(take_page(&listing, 3, 3, false), NFS_LIST_TOO_SLOW);
    /* the end of the listing is accepted although the limit is exceeded */
    assert_int_equal(take_page(&listing, 6, 3, true), 0);
}

TEST_CASE(malformed_listing)
{
    uint8_t bytes[8192];
    const struct wire_reader whole = listed(bytes, 0, 2, true);

    for (size_t length = 0; length < wire_left(&whole); length++) {
        struct wire_reader reader = wire_reader(bytes, length);
        struct nfs_listing listing;

        nfs_listing_begin(&listing, false, fresh_limit());
        nfs_listing_read_page(&listing, &reader, NULL, NULL);
        assert_true(reader.failed);
    }
}

enum object_type { FILE_OBJECT = NF3REG, DIRECTORY_OBJECT = NF3DIR, LINK_OBJECT = NF3LNK };

/* An object of an export. Directory 1 is the top. */
struct object {
    unsigned number, directory;
    enum object_type type;
    bool bare;       /* listed without attributes and handle */
    unsigned status; /* status of the reply when this object is listed or looked up */
};

struct export
{
    const struct object *objects;
    unsigned count;
    bool plain; /* the server lacks READDIRPLUS */
    unsigned page;
};

static const struct object *object_of(const struct export *export, unsigned number)
{
    for (unsigned i = 0; i < export->count; i++)
        if (export->objects[i].number == number)
            return &export->objects[i];
    return NULL;
}

static void put_attributes(struct wire_writer *writer, const struct object *object)
{
    wire_put_u32(writer, object->type);
    for (unsigned i = 0; i < 4; i++)
        wire_put_u32(writer, 0);
    wire_put_u64(writer, object->number * 1000);
    for (unsigned i = 0; i < 2; i++)
        wire_put_u64(writer, 0);
    wire_put_u64(writer, 77);
    wire_put_u64(writer, object->number);
    for (unsigned i = 0; i < 6; i++)
        wire_put_u32(writer, 0);
}

static void put_handle(struct wire_writer *writer, const struct object *object)
{
    uint8_t handle[4];

    wire_store_u32(handle, object->number);
    wire_put_opaque(writer, handle, 4);
}

static void put_entry(struct wire_writer *writer, const struct object *object, uint64_t cookie,
                      bool plus)
{
    char name[16];

    wire_put_u32(writer, 1);
    wire_put_u64(writer, object->number);
    snprintf(name, sizeof name, "%u", object->number);
    wire_put_opaque(writer, name, strlen(name));
    wire_put_u64(writer, cookie);
    if (!plus)
        return;
    wire_put_u32(writer, !object->bare);
    if (!object->bare)
        put_attributes(writer, object);
    wire_put_u32(writer, !object->bare);
    if (!object->bare)
        put_handle(writer, object);
}

static void put_list(const struct export *export, struct wire_writer *writer, unsigned directory,
                     uint64_t cookie, bool plus)
{
    unsigned left = export->page;
    bool ended = true;

    wire_put_u32(writer, 0);
    wire_put_u64(writer, 5);
    for (unsigned i = (unsigned)cookie; i < export->count && ended; i++) {
        if (export->objects[i].directory != directory)
            continue;
        if (left-- == 0)
            ended = false;
        else
            put_entry(writer, &export->objects[i], i + 1, plus);
    }
    wire_put_u32(writer, 0);
    wire_put_u32(writer, ended);
}

static void answer(const struct export *export, const struct channel_message *message,
                   struct wire_writer *writer)
{
    struct wire_reader reader = wire_reader(message->bytes + RPC_RECORD_MARK_SIZE, message->length);
    struct rpc_call_header header;
    const struct object *directory, *object;
    uint32_t length, number;
    const uint8_t *bytes;
    char name[16] = "";

    assert_int_equal(rpc_call_decode(&reader, &header), 0);
    bytes = wire_get_opaque(&reader, 64, &length);
    assert_int_equal(length, 4);
    memcpy(&number, bytes, 4);
    directory = object_of(export, be32toh(number));
    if (header.procedure == NFSPROC3_LOOKUP) {
        bytes = wire_get_opaque(&reader, 15, &length);
        assert_non_null(bytes);
        memcpy(name, bytes, length);
        object = object_of(export, (unsigned)atoi(name));
        assert_int_equal(object->directory, directory->number);
        wire_put_u32(writer, object->status);
        if (object->status == 0) {
            put_handle(writer, object);
            wire_put_u32(writer, 1);
            put_attributes(writer, object);
        }
        wire_put_u32(writer, 0);
    } else if (export->plain && header.procedure == NFSPROC3_READDIRPLUS) {
        wire_put_u32(writer, NFS3ERR_NOTSUPP);
        wire_put_u32(writer, 0);
    } else {
        wire_put_u32(writer, directory->status);
        if (directory->status == 0)
            put_list(export, writer, directory->number, wire_get_u64(&reader),
                     header.procedure == NFSPROC3_READDIRPLUS);
    }
    assert_false(writer->failed);
}

struct visited {
    char order[256];
    unsigned handles;
};

static int note_visit(void *context, const struct nfs_found *found)
{
    struct visited *visited = context;

    snprintf(visited->order + strlen(visited->order), 16, "%s ", found->name);
    visited->handles += found->handle.length > 0;
    return 0;
}

/* Walk through EXPORT with up to WIDTH calls in flight. The call sent last is answered first. If
 * HANDLES is true, request the objects' handles. Returns 0 if the walk is complete, else the status
 * that ended it. */
static int go_through(const struct export *export, unsigned width, bool handles,
                      struct nfs_traversal *traversal, struct visited *visited)
{
    static const struct nfs_handle top = {4, {0, 0, 0, 1}};
    const struct nfs_traversal_request request = {.top = &top,
                                                  .identity = &identity,
                                                  .width = width,
                                                  .handles = handles,
                                                  .visit = note_visit,
                                                  .context = visited};
    const struct channel_message *messages[8], *message;
    uint32_t tags[8], tag;
    unsigned in_flight = 0, calls = 0;
    int status = 0;

    *visited = (struct visited){.handles = 0};
    assert_int_equal(nfs_traversal_open(traversal, &request), 0);
    nfs_traversal_begin(traversal);
    while (status == 0 && calls++ < 1000) {
        const struct rpc_procedure *procedure;
        uint8_t bytes[8192];
        struct wire_writer writer = wire_writer(bytes, sizeof bytes);
        struct wire_reader reader;

        while ((message = nfs_traversal_next(traversal, &tag, &procedure))) {
            assert_true(in_flight < width);
            messages[in_flight] = message;
            tags[in_flight++] = tag;
        }
        if (in_flight == 0)
            return 0;
        in_flight--;
        answer(export, messages[in_flight], &writer);
        reader = wire_reader(bytes, (size_t)(writer.at - bytes));
        status = nfs_traversal_read_reply(traversal, tags[in_flight], &reader);
    }
    return status;
}

static const struct object objects[] = {
    {1, 0, DIRECTORY_OBJECT, .bare = false},  {10, 1, FILE_OBJECT, .bare = false},
    {11, 1, DIRECTORY_OBJECT, .bare = false}, {12, 1, FILE_OBJECT, .bare = true},
    {13, 1, DIRECTORY_OBJECT, .bare = true},  {14, 1, LINK_OBJECT, .bare = false},
    {20, 11, FILE_OBJECT, .bare = false},     {21, 11, DIRECTORY_OBJECT, .bare = false},
    {22, 11, FILE_OBJECT, .bare = false},     {30, 13, FILE_OBJECT, .bare = false},
    {40, 21, FILE_OBJECT, .bare = false},
};

/* Only objects that are not directories are reported. Those in a directory itself come before those
 * in its subdirectories. An entry without attributes is looked up after the directory's listing. */
TEST_CASE(order)
{
    for (unsigned page = 1; page < 8; page++) {
        const struct export export = {objects, COUNT_OF(objects), false, page};
        struct nfs_traversal traversal;
        struct visited visited;

        assert_all((go_through(&export, 1, false, &traversal, &visited), 0),
                   (visited.order, "10 14 12 20 22 40 30 "), (traversal.counts.entries, 10),
                   (traversal.directory_count, 4),
                   (traversal.counts.vanished + traversal.counts.denied, 0));
        nfs_traversal_close(&traversal);
    }
}

/* If the server has only READDIR, every entry is looked up. The number of objects found is the same
 * with any number of calls in flight, but their order may differ. */
TEST_CASE(plain_and_wide)
{
    for (unsigned width = 1; width < 6; width++)
        for (unsigned page = 1; page < 4; page++) {
            const struct export export = {objects, COUNT_OF(objects), page == 2, page};
            struct nfs_traversal traversal;
            struct visited visited;

            assert_all((go_through(&export, width, true, &traversal, &visited), 0),
                       (traversal.counts.entries, 10), (visited.handles, 7),
                       (strlen(visited.order), strlen("10 14 12 20 22 40 30 ")));
            nfs_traversal_close(&traversal);
        }
}

/* Objects that vanished or may not be read are skipped, and so are subdirectories whose listing
 * ends with BAD_COOKIE. If this happens to the top, or another error occurs, the walk fails. */
TEST_CASE(missing)
{
    const struct object some[] = {
        {1, 0, DIRECTORY_OBJECT, .bare = false},
        {11, 1, DIRECTORY_OBJECT, .status = NFS3ERR_ACCES},
        {12, 1, DIRECTORY_OBJECT, .status = NFS3ERR_STALE},
        {13, 1, FILE_OBJECT, .bare = true, .status = NFS3ERR_NOENT},
        {14, 1, DIRECTORY_OBJECT, .status = NFS3ERR_BAD_COOKIE},
        {15, 1, FILE_OBJECT, .bare = false},
    };
    const struct object gone[] = {{1, 0, DIRECTORY_OBJECT, .status = NFS3ERR_STALE}};
    const struct object broken[] = {{1, 0, DIRECTORY_OBJECT, .bare = false},
                                    {11, 1, DIRECTORY_OBJECT, .status = NFS3ERR_IO}};
    struct nfs_traversal traversal;
    struct visited visited;

    assert_all((go_through(&(struct export){some, COUNT_OF(some), false, 3}, 1, false, &traversal,
                           &visited),
                0),
               (visited.order, "15 "), (traversal.counts.vanished, 3),
               (traversal.counts.denied, 1));
    nfs_traversal_close(&traversal);
    assert_int_equal(
        go_through(&(struct export){gone, 1, false, 3}, 1, false, &traversal, &visited),
        NFS3ERR_STALE);
    nfs_traversal_close(&traversal);
    assert_int_equal(
        go_through(&(struct export){broken, 2, false, 3}, 1, false, &traversal, &visited),
        NFS3ERR_IO);
    nfs_traversal_close(&traversal);
}

/* A directory that is below itself, at any distance, is listed once. */
TEST_CASE(loops)
{
    const struct object first[] = {
        {1, 0, DIRECTORY_OBJECT, .bare = false},   {11, 1, DIRECTORY_OBJECT, .bare = false},
        {1, 11, DIRECTORY_OBJECT, .bare = false},  {12, 11, DIRECTORY_OBJECT, .bare = false},
        {11, 12, DIRECTORY_OBJECT, .bare = false}, {12, 12, DIRECTORY_OBJECT, .bare = false},
    };
    struct nfs_traversal traversal;
    struct visited visited;

    assert_all((go_through(&(struct export){first, COUNT_OF(first), false, 8}, 1, false, &traversal,
                           &visited),
                0),
               (traversal.counts.loops, 3), (traversal.directory_count, 3));
    nfs_traversal_close(&traversal);
}

TEST_CASE(places_of_tree)
{
    static struct nfs_handle handles[5];
    static uint64_t sizes[] = {0, 2500, 1000, 0, 1}, blocks[] = {0, 0, 3, 4, 4, 5};
    static const struct {
        uint32_t file;
        uint64_t offset;
    } expected[] = {{1, 0}, {1, 1000}, {1, 2000}, {2, 0}, {4, 0}, {1, 0}};
    struct nfs_tree tree = {
        .files = {.handles = handles, .count = 5}, .sizes = sizes, .blocks = blocks};
    struct nfs_file_set set = {.handles = handles, .count = 5, .tree = &tree};
    struct nfs_objects test_objects = {.files = &set,
                                       .read = {.count = 1000, .to_end = true},
                                       .working_set = {.pattern = {.kind = PATTERN_SEQUENTIAL}}};
    struct nfs_places places;

    nfs_places_begin(&places, nfs_procedure_find("read"), &test_objects);
    assert_int_equal(places.count, 5);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        struct nfs_place place = nfs_places_next(&places);

        assert_all((place.file, expected[i].file), (place.offset, expected[i].offset));
    }
    nfs_places_begin(&places, nfs_procedure_find("getattr"), &test_objects);
    assert_int_equal(places.count, 5);
    nfs_places_begin(&places, nfs_procedure_find("readlink"), &test_objects);
    assert_int_equal(places.count, 1);
}
