/* Listings: complete ones, and ones during which the directory changes. */
#include "run.h"

/* An entry was listed: it exists, and was not listed before. */
static void walk_entry(struct run *run, struct walk *walk, const char *text, fileid3 fileid)
{
    const struct model_name *name =
        model_find(&run->model, (struct model_place){walk->directory, text});
    bool dot = strcmp(text, ".") == 0, dots = strcmp(text, "..") == 0;

    if (dot || dots) {
        walk->dots[dots]++;
        assert_int_equal(fileid, dots ? model_parent(&run->model, walk->directory)->fileid
                                      : walk->directory->fileid);
        return;
    }
    if (!name)
        fail_msg("'%.20s' is listed, and is not there", text);
    for (unsigned i = 0; name && i < walk->seen_count; i++)
        if (walk->seen[i] == name->serial)
            fail_msg("'%.20s' is listed twice", text);
    assert_int_equal(fileid, name ? name->object->fileid : 0);
    assert_true(walk->seen_count < COUNT_OF(walk->seen));
    walk->seen[walk->seen_count++] = name ? name->serial : 0;
}

static bool has_seen(const struct walk *walk, uint64_t serial)
{
    for (unsigned i = 0; i < walk->seen_count; i++)
        if (walk->seen[i] == serial)
            return true;
    return false;
}

/* The end: all entries that existed throughout were listed. */
static void walk_end(struct run *run, struct walk *walk)
{
    for (unsigned i = 0; i < run->model.name_count; i++) {
        const struct model_name *name = &run->model.names[i];

        if (name->parent == walk->directory && name->serial < walk->first_serial &&
            !has_seen(walk, name->serial))
            fail_msg("'%.20s' is not listed", name->name);
    }
    assert_all((walk->dots[0], 1), (walk->dots[1], 1));
    walk->directory = NULL;
}

static void walk_begin(struct run *run, struct walk *walk, struct model_object *directory,
                       bool plus)
{
    *walk =
        (struct walk){.directory = directory, .plus = plus, .first_serial = run->model.serial + 1};
}

/* The size of an entry without attributes and handle; with NULL, the maximum. */
static uint32_t entry_size(const char *name)
{
    return (uint32_t)(8 + 4 + wire_padded(name ? strlen(name) : 255) + 8);
}

/* The reply is no longer than requested, and it has entries unless it is the last. */
static void check_room(const struct run *run, uint32_t count, bool any, bool eof)
{
    assert_true(wire_left(&run->client->results) - 4 <= count); /* the status does not count */
    assert_true(any || eof);
}

static nfsstat3 walk_plain(struct run *run, struct walk *walk, uint32_t count)
{
    READDIR3args arguments = {
        .dir = run_handle(walk->directory), .cookie = walk->cookie, .count = count};
    READDIR3resok *list;
    READDIR3res result;
    nfsstat3 status;
    bool eof = false;

    memcpy(arguments.cookieverf, walk->verifier, sizeof walk->verifier);
    RUN_CALL(run, READDIR, &arguments, &result);
    status = result.status;
    list = &result.READDIR3res_u.resok; /* of a failure: only the attributes */
    check_post_op(run, &list->dir_attributes, walk->directory);
    if (status == NFS3_OK) {
        eof = list->reply.eof;
        check_room(run, count, list->reply.entries, eof);
        memcpy(walk->verifier, list->cookieverf, sizeof walk->verifier);
        for (const entry3 *entry = list->reply.entries; entry; entry = entry->nextentry) {
            walk_entry(run, walk, entry->name, entry->fileid);
            walk->cookie = entry->cookie;
        }
    }
    RUN_FREE(READDIR, &result);
    if (eof)
        walk_end(run, walk);
    return status;
}

static void check_entry(struct run *run, struct walk *walk, const entryplus3 *entry)
{
    struct model_place place = {walk->directory, entry->name};
    const struct model_name *name = model_find(&run->model, place);
    const struct model_object *object = name ? name->object
                                        : strcmp(entry->name, ".") == 0
                                            ? walk->directory
                                            : model_parent(&run->model, walk->directory);

    assert_true(entry->name_handle.handle_follows);
    check_handle(&entry->name_handle.post_op_fh3_u.handle, object);
    check_post_op(run, &entry->name_attributes, object);
}

static nfsstat3 walk_with_attributes(struct run *run, struct walk *walk, uint32_t dircount,
                                     uint32_t maxcount)
{
    READDIRPLUS3args arguments = {.dir = run_handle(walk->directory),
                                  .cookie = walk->cookie,
                                  .dircount = dircount,
                                  .maxcount = maxcount};
    READDIRPLUS3resok *list;
    READDIRPLUS3res result;
    uint32_t taken = 0;
    nfsstat3 status;
    bool eof = false;

    memcpy(arguments.cookieverf, walk->verifier, sizeof walk->verifier);
    RUN_CALL(run, READDIRPLUS, &arguments, &result);
    status = result.status;
    list = &result.READDIRPLUS3res_u.resok; /* of a failure: only the attributes */
    check_post_op(run, &list->dir_attributes, walk->directory);
    if (status == NFS3_OK) {
        eof = list->reply.eof;
        check_room(run, maxcount, list->reply.entries, eof);
        memcpy(walk->verifier, list->cookieverf, sizeof walk->verifier);
        for (const entryplus3 *entry = list->reply.entries; entry; entry = entry->nextentry) {
            walk_entry(run, walk, entry->name, entry->fileid);
            check_entry(run, walk, entry);
            walk->cookie = entry->cookie;
            taken += entry_size(entry->name);
        }
        assert_true(taken <= dircount);
    }
    RUN_FREE(READDIRPLUS, &result);
    if (eof)
        walk_end(run, walk);
    return status;
}

/* Continue a listing, in a reply that has room for at least one entry and not for many; with TINY,
 * for none. */
static nfsstat3 walk_on(struct run *run, struct walk *walk, bool tiny)
{
    /* The status, attributes, the verifier, the list's end, eof */
    const uint32_t fixed = 4 + 4 + CALL_ATTRIBUTES_SIZE + NFS3_COOKIEVERFSIZE + 4 + 4;
    uint32_t count =
        tiny ? run_below(run, 100) : fixed + 4 + entry_size(NULL) + run_below(run, 400);
    uint32_t dircount = entry_size(NULL) + run_below(run, 200);

    RUN_DOING(run, "%s %u from %llu: %u bytes", walk->plus ? "READDIRPLUS" : "READDIR",
              run_number(run, walk->directory), (unsigned long long)walk->cookie, count);
    if (!walk->plus)
        return walk_plain(run, walk, count);
    if (!tiny)
        count += 4 + CALL_ATTRIBUTES_SIZE + 4 + 4 + CALL_HANDLE_MAXIMUM;
    return walk_with_attributes(run, walk, dircount, count);
}

void run_list(struct run *run, struct model_object *directory, bool plus)
{
    struct walk *walk = calloc(1, sizeof *walk);

    walk_begin(run, walk, directory, plus);
    while (walk->directory)
        assert_int_equal(walk_on(run, walk, false), NFS3_OK);
    assert_int_equal(walk->seen_count, model_entries(&run->model, directory));
    free(walk);
}

void step_list(struct run *run)
{
    struct walk *walk = &run->walks[run_below(run, RUN_WALKS)];
    bool tiny = run_one_in(run, 20);
    nfsstat3 status, expected;

    if (!walk->directory)
        walk_begin(run, walk, run_pick(run, RUN_DIRECTORY), run_one_in(run, 2));
    expected = model_check_directory(walk->directory);
    status = walk_on(run, walk, tiny);
    if (expected == NFS3_OK && tiny)
        expected = NFS3ERR_TOOSMALL;
    assert_int_equal(status, expected);
    if (status != NFS3_OK && status != NFS3ERR_TOOSMALL)
        walk->directory = NULL;
}
