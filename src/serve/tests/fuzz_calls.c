/* Fuzz target: calls on handles that the embedded server returned. Each step of the script chooses
 * a procedure, handles, names, sizes and a caller. Every result is decoded by rpcgen's functions.
 * At the end the tree must be consistent, each directory must list each of its entries once, and
 * after everything is removed all memory must have been freed. */
#include <string.h>

#include "embedded.h"
#include "nfs/procedures/procedures.h"
#include "script.h"
#include "serve/programs/programs.h"

enum {
    REQUEST_SIZE = 128 << 10,
    DATA_SIZE = 64 << 10,
    HANDLES = 24,
    ENTRIES_LISTED = 3, /* number of entries with the longest name that fit into a small READDIR */
};

struct session {
    struct script script;
    struct nfs_handle handles[HANDLES]; /* the last handles received; the first is the root's */
    size_t handle_count, next_handle;
    struct identity identity;
    uint64_t cookie;  /* the last cookie received */
    uint64_t changed; /* a ctime that was received */
};

static uint8_t request[REQUEST_SIZE], data[DATA_SIZE];
static uint8_t first_reply[DISPATCH_REPLY_MAXIMUM];

/* Choices */

static uint64_t pick_number(struct session *session)
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       5,
                                       4095,
                                       4096,
                                       4097,
                                       8192,
                                       65536,
                                       1 << 20,
                                       UINT32_MAX,
                                       UINT64_C(1) << 40,
                                       INT64_MAX - 1,
                                       INT64_MAX,
                                       UINT64_C(1) << 63,
                                       UINT64_MAX};
    uint8_t choice = script_byte(&session->script);

    if (choice < 128)
        return choice;
    if (choice < 192)
        return script_u16(&session->script);
    return numbers[choice % (sizeof numbers / sizeof numbers[0])];
}

/* Return one of few names, so that several calls use the same name. */
static const char *pick_name(struct session *session)
{
    static char longest[TREE_NAME_MAXIMUM + 1], longer[TREE_NAME_MAXIMUM + 2];
    static const char *const ordinary[] = {"a", "b", "c", "dd", "e.e", "\303\251"};
    static const char *const odd[] = {".", "..", "", "a/b", longest, longer};
    static char numbered[8];
    uint8_t choice = script_byte(&session->script);

    memset(longest, 'l', sizeof longest - 1);
    memset(longer, 'm', sizeof longer - 1);
    if (choice < 176)
        return ordinary[choice % (sizeof ordinary / sizeof ordinary[0])];
    if (choice < 232) {
        snprintf(numbered, sizeof numbered, "n%u", choice);
        return numbered;
    }
    return odd[choice % (sizeof odd / sizeof odd[0])];
}

static void put_name(struct session *session, struct wire_writer *writer)
{
    const char *name = pick_name(session);

    wire_put_opaque(writer, name, strlen(name));
}

/* Write one of the received handles, sometimes damaged. */
static void put_handle(struct session *session, struct wire_writer *writer)
{
    uint8_t choice = script_byte(&session->script);
    struct nfs_handle picked = session->handles[choice % session->handle_count];

    if (choice >= 248)
        picked.bytes[script_byte(&session->script) % CALL_HANDLE_SIZE] ^= 1;
    else if (choice >= 244)
        picked.length = script_byte(&session->script) % (NFS_HANDLE_MAXIMUM + 1);
    wire_put_opaque(writer, picked.bytes, picked.length);
}

static void put_attributes(struct session *session, struct wire_writer *writer)
{
    static const uint32_t modes[] = {0755, 0777, 01777, 02775, 04755, 02755, 0444, 0};
    uint8_t which = script_byte(&session->script);

    for (unsigned i = 0; i < 3; i++) { /* mode, uid, gid */
        wire_put_u32(writer, which >> i & 1);
        if (which >> i & 1) {
            uint8_t choice = script_byte(&session->script);

            wire_put_u32(writer, i == 0 ? modes[choice % 8] : choice % 4);
        }
    }
    wire_put_u32(writer, which >> 3 & 1);
    if (which & 8)
        wire_put_u64(writer, pick_number(session));
    for (unsigned shift = 4; shift <= 6; shift += 2) { /* the times */
        wire_put_u32(writer, which >> shift & 3);
        if ((which >> shift & 3) == SET_TO_CLIENT_TIME) {
            wire_put_u32(writer, script_byte(&session->script));
            wire_put_u32(writer, (uint32_t)pick_number(session));
        }
    }
}

static void pick_caller(struct session *session)
{
    uint8_t choice = script_byte(&session->script);

    session->identity = (struct identity){.flavor = RPC_FLAVOR_SYS, .machine = "fuzz"};
    if (choice < 160) /* user 0, by AUTH_SYS */
        return;
    session->identity.uid = choice % 4;
    session->identity.gid = choice / 4 % 4;
    session->identity.gids[0] = choice / 16 % 4;
    session->identity.gid_count = 1;
    if (choice == 255)
        session->identity.flavor = RPC_FLAVOR_NONE;
}

/* Parts of arguments */

static void put_guard(struct session *session, struct wire_writer *writer)
{
    bool guarded = script_byte(&session->script) >= 192;

    wire_put_u32(writer, guarded);
    if (guarded)
        wire_put_u64(writer, session->changed);
}

static void put_data(struct session *session, struct wire_writer *writer)
{
    uint32_t length = script_u16(&session->script) % DATA_SIZE;
    uint8_t how = script_byte(&session->script);

    wire_put_u32(writer, length + (how > 250));
    wire_put_u32(writer, how % 3); /* stable_how */
    wire_put_opaque(writer, data, length);
}

static void put_creation(struct session *session, struct wire_writer *writer)
{
    uint8_t how = script_byte(&session->script);

    wire_put_u32(writer, how % 3);
    if (how % 3 == EXCLUSIVE)
        wire_put_u64(writer, how / 3 % 2); /* the verifier */
    else
        put_attributes(session, writer);
}

static void put_node(struct session *session, struct wire_writer *writer)
{
    ftype3 type = (ftype3)(script_byte(&session->script) % 9);
    bool device = type == NF3CHR || type == NF3BLK;

    wire_put_u32(writer, type);
    if (device || type == NF3SOCK || type == NF3FIFO)
        put_attributes(session, writer);
    if (device)
        wire_put_u64(writer, 0);
}

static void put_text(struct session *session, struct wire_writer *writer)
{
    static uint8_t text[CALL_TEXT_MAXIMUM + 1];
    uint64_t length = pick_number(session);

    memset(text, 't', sizeof text);
    wire_put_opaque(writer, text, length < sizeof text ? length : sizeof text);
}

static void put_cookie(struct session *session, struct wire_writer *writer)
{
    uint8_t choice = script_byte(&session->script);

    wire_put_u64(writer, choice < 128   ? session->cookie
                         : choice < 240 ? choice % 8
                                        : pick_number(session));
    wire_put_u64(writer, script_byte(&session->script) == 255);
}

static void put_acl(struct session *session, struct wire_writer *writer)
{
    static const uint32_t types[] = {NA_USER_OBJ, NA_GROUP_OBJ, NA_CLASS_OBJ, NA_OTHER_OBJ,
                                     NA_USER_OBJ, NA_GROUP_OBJ, NA_OTHER_OBJ, 0xffff};
    uint8_t how = script_byte(&session->script);
    unsigned count = how >= 232 ? 0 : how % 9;

    wire_put_u32(writer, how >= 240 ? how : NA_ACL | NA_ACLCNT);
    wire_put_u32(writer, how % 9);
    wire_put_u32(writer, count);
    for (unsigned i = 0; i < count; i++) {
        uint8_t entry = how < 128 ? (uint8_t)(i | 0x30) : script_byte(&session->script);

        wire_put_u32(writer, types[entry % 8]);
        wire_put_u32(writer, entry / 8 % 2);
        wire_put_u32(writer, entry / 8 % 16);
    }
    wire_put_u64(writer, 0); /* no default entries */
}

static void put_path(struct session *session, struct wire_writer *writer)
{
    char path[MNTPATHLEN + 1];
    unsigned depth = script_byte(&session->script) % 4;
    size_t used = (size_t)snprintf(path, sizeof path, "%s", depth == 3 ? "" : "/export//");

    for (unsigned i = 0; i < depth; i++)
        used += (size_t)snprintf(path + used, sizeof path - used, "%s/", pick_name(session));
    wire_put_opaque(writer, path, strlen(path));
}

/* Write the arguments that the letters in ITEMS stand for. */
static void put_items(struct session *session, struct wire_writer *writer, const char *items)
{
    static const struct {
        char letter;
        void (*put)(struct session *session, struct wire_writer *writer);
    } all[] = {{'h', put_handle}, {'n', put_name}, {'s', put_attributes}, {'g', put_guard},
               {'w', put_data},   {'k', put_node}, {'c', put_creation},   {'t', put_text},
               {'l', put_cookie}, {'A', put_acl},  {'p', put_path}};

    for (; *items; items++) {
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            if (all[i].letter == *items)
                all[i].put(session, writer);
        if (*items == 'O')
            wire_put_u64(writer, pick_number(session));
        else if (*items == 'N')
            wire_put_u32(writer, (uint32_t)pick_number(session));
        else if (*items == 'S') /* one maximum size of a listing */
            wire_put_u32(writer, 128 + (uint32_t)pick_number(session));
        else if (*items == 'B')
            wire_put_u32(writer, script_byte(&session->script));
    }
}

/* RENAME and REMOVE are listed twice, so that they are called more often. */
static const struct {
    const char *op, *items;
} steps[] = {
    {"mkdir", "hns"},     {"create", "hnc"},   {"rename", "hnhn"},  {"remove", "hn"},
    {"rmdir", "hn"},      {"link", "hhn"},     {"symlink", "hnst"}, {"mknod", "hnk"},
    {"lookup", "hn"},     {"rename", "hnhn"},  {"write", "hOw"},    {"setattr", "hsg"},
    {"read", "hON"},      {"readdir", "hlS"},  {"remove", "hn"},    {"readdirplus", "hlSS"},
    {"getattr", "h"},     {"access", "hB"},    {"readlink", "h"},   {"fsstat", "h"},
    {"fsinfo", "h"},      {"pathconf", "h"},   {"commit", "hON"},   {"null", ""},
    {"mount-mnt", "p"},   {"mount-umnt", "p"}, {"mount-dump", ""},  {"mount-umntall", ""},
    {"mount-export", ""}, {"mount-null", ""},  {"getacl", "hB"},    {"setacl", "hA"},
    {"acl-null", ""},
};

/* Replies */

static void take_handle(struct session *session, const nfs_fh3 *handle)
{
    enum { KEPT = 1 }; /* number of handles at the start that are not replaced: the root's */
    size_t place = KEPT + session->next_handle++ % (HANDLES - KEPT);

    FUZZ_CHECK(
        nfs_handle_set(&session->handles[place], handle->data.data_val, handle->data.data_len));
    if (session->handle_count <= place)
        session->handle_count = place + 1;
}

static void take_made(struct session *session, const post_op_fh3 *made)
{
    FUZZ_CHECK(made->handle_follows);
    take_handle(session, &made->post_op_fh3_u.handle);
}

/* Check that the cookies of the listed entries ascend from ASKED, and keep the last cookie. */
static void take_entries(struct session *session, uint64_t asked, const entry3 *entry)
{
    for (; entry; entry = entry->nextentry) {
        FUZZ_CHECK(entry->cookie > asked);
        session->cookie = asked = entry->cookie;
    }
}

static void take_entries_plus(struct session *session, uint64_t asked, const entryplus3 *entry)
{
    for (; entry; entry = entry->nextentry) {
        FUZZ_CHECK(entry->cookie > asked);
        session->cookie = asked = entry->cookie;
        if (asked % 4 == 0 && entry->name_handle.handle_follows)
            take_handle(session, &entry->name_handle.post_op_fh3_u.handle);
    }
}

static void take_result(struct session *session, uint32_t procedure,
                        const union nfs_arguments *arguments, const union nfs_result *result)
{
    if (procedure == NFSPROC3_LOOKUP)
        take_handle(session, &result->lookup.LOOKUP3res_u.resok.object);
    else if (procedure >= NFSPROC3_CREATE &&
             procedure <= NFSPROC3_MKNOD) /* CREATE to MKNOD have results of the same form */
        take_made(session, &result->create.CREATE3res_u.resok.obj);
    else if (procedure == NFSPROC3_READDIR)
        take_entries(session, arguments->readdir.cookie,
                     result->readdir.READDIR3res_u.resok.reply.entries);
    else if (procedure == NFSPROC3_READDIRPLUS)
        take_entries_plus(session, arguments->readdirplus.cookie,
                          result->readdirplus.READDIRPLUS3res_u.resok.reply.entries);
    else if (procedure == NFSPROC3_GETATTR) {
        const nfstime3 *changed = &result->getattr.GETATTR3res_u.resok.obj_attributes.ctime;

        session->changed = (uint64_t)changed->seconds << 32 | changed->nseconds;
    }
}

/* Names */

static struct tree_node *node_at(const diropargs3 *place)
{
    struct nfs_handle handle;
    struct tree_node *directory = NULL;

    if (nfs_handle_set(&handle, place->dir.data.data_val, place->dir.data.data_len))
        directory = embedded_node(&handle);
    return directory && directory->type == TREE_DIRECTORY
               ? tree_lookup(directory, place->name, strlen(place->name))
               : NULL;
}

/* The objects that a call concerns: for RENAME, the renamed object and the object that it replaces;
 * for REMOVE and RMDIR, the removed object. */
struct names_before {
    const struct tree_node *object, *replaced;
};

static struct names_before look_before(uint32_t procedure, const union nfs_arguments *arguments)
{
    struct names_before before = {NULL, NULL};

    if (procedure == NFSPROC3_RENAME)
        before =
            (struct names_before){node_at(&arguments->rename.from), node_at(&arguments->rename.to)};
    else if (procedure == NFSPROC3_REMOVE || procedure == NFSPROC3_RMDIR)
        before.object = node_at(&arguments->remove.object);
    return before;
}

/* Check the names after a successful REMOVE, RMDIR or RENAME. A RENAME to another name of the same
 * object may leave both names. */
static void check_names(uint32_t procedure, const union nfs_arguments *arguments,
                        const struct names_before *before)
{
    if (procedure == NFSPROC3_REMOVE || procedure == NFSPROC3_RMDIR)
        FUZZ_CHECK(before->object && !node_at(&arguments->remove.object));
    if (procedure != NFSPROC3_RENAME)
        return;
    FUZZ_CHECK(before->object && node_at(&arguments->rename.to) == before->object);
    if (before->object != before->replaced)
        FUZZ_CHECK(!node_at(&arguments->rename.from));
}

/* Calls */

/* Decode the result by rpcgen's functions, which must use all bytes. Returns false for a refused
 * call. */
static bool decode(const struct rpc_procedure *rpc, size_t length, union nfs_result *result)
{
    struct wire_reader reader = wire_reader(embedded_reply, length);
    struct rpc_reply_header header;
    XDR xdr;

    FUZZ_CHECK(rpc_reply_decode(&reader, &header) == 0);
    if (header.outcome != RPC_OUTCOME_SUCCESS)
        return false;
    memset(result, 0, sizeof *result);
    xdrmem_create(&xdr, (char *)(uintptr_t)reader.at, (unsigned)wire_left(&reader), XDR_DECODE);
    FUZZ_CHECK(rpc->xdr_result(&xdr, result, 0));
    FUZZ_CHECK(xdr_getpos(&xdr) == wire_left(&reader));
    xdr_destroy(&xdr);
    return true;
}

static bool is_remembered(const struct rpc_procedure *rpc)
{
    return rpc->program == NFS_PROGRAM && nfs_table[rpc->number].remembered;
}

/* Repeat a request, whose first reply has LENGTH bytes. If the server remembers replies of the
 * procedure RPC, the second reply must be equal. Leaves the first reply in embedded_reply. */
static void ask_again(const struct rpc_procedure *rpc, size_t request_length, bool stream,
                      size_t length)
{
    size_t repeated;

    memcpy(first_reply, embedded_reply, length);
    repeated = embedded_answer(request, request_length, stream);
    if (is_remembered(rpc))
        FUZZ_CHECK(repeated == length && memcmp(first_reply, embedded_reply, length) == 0);
    memcpy(embedded_reply, first_reply, length);
}

/* Make a call. Returns its NFS status or 0; -1 if it can't be encoded or was refused. */
static int call(struct session *session, const struct rpc_procedure *rpc,
                union nfs_arguments *arguments, bool stream, bool again, union nfs_result *result)
{
    struct names_before before = look_before(rpc->number, arguments);
    size_t length, answered;

    if (rpc_message_encode(request, sizeof request, rpc, &session->identity, arguments, &length) !=
        0)
        return -1;
    wire_store_u32(request + RPC_RECORD_MARK_SIZE, embedded_new_xid());
    memmove(request, request + RPC_RECORD_MARK_SIZE, length);
    answered = embedded_answer(request, length, stream);
    FUZZ_CHECK(answered > 0);
    if (again)
        ask_again(rpc, length, stream, answered);
    if (!decode(rpc, answered, result))
        return -1;
    if (rpc->program != NFS_PROGRAM || rpc->number == NFSPROC3_NULL)
        return 0;
    if (result->status == NFS3_OK) {
        take_result(session, rpc->number, arguments, result);
        check_names(rpc->number, arguments, &before);
    }
    return (int)result->status;
}

static void step(struct session *session)
{
    uint8_t how = script_byte(&session->script);
    size_t which = how % (sizeof steps / sizeof steps[0]);
    const struct rpc_procedure *rpc = &nfs_procedure_find(steps[which].op)->rpc;
    static uint8_t items[REQUEST_SIZE];
    struct wire_writer writer = wire_writer(items, sizeof items);
    union nfs_arguments arguments;
    union nfs_result result;
    XDR xdr;

    memset(&arguments, 0, sizeof arguments);
    pick_caller(session);
    put_items(session, &writer, steps[which].items);
    xdrmem_create(&xdr, (char *)items, (unsigned)(writer.at - items), XDR_DECODE);
    if (rpc->xdr_arguments(&xdr, &arguments, 0) &&
        call(session, rpc, &arguments, how < 224, how >= 192, &result) >= 0)
        xdr_free(rpc->xdr_result, &result);
    xdr_free(rpc->xdr_arguments, &arguments);
}

/* The end */

static void fill_listing(union nfs_arguments *arguments, const struct nfs_handle *directory,
                         uint64_t cookie)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->readdir.dir = nfs_handle_argument(directory);
    arguments->readdir.cookie = cookie;
    arguments->readdir.count = 128 + ENTRIES_LISTED * (24 + 256);
}

/* Check that a listing of DIRECTORY by small READDIRs has each of its entries once, in order. */
static void check_listing(struct session *session, const struct tree_node *directory)
{
    const struct rpc_procedure *rpc = &nfs_procedure_find("readdir")->rpc;
    const struct nfs_handle handle = embedded_handle(directory);
    uint64_t cookie = 0;
    bool end = false;

    while (!end) {
        union nfs_arguments arguments;
        union nfs_result result;
        const READDIR3resok *listed = &result.readdir.READDIR3res_u.resok;

        fill_listing(&arguments, &handle, cookie);
        FUZZ_CHECK(call(session, rpc, &arguments, true, false, &result) == NFS3_OK);
        for (const entry3 *entry = listed->reply.entries; entry; entry = entry->nextentry) {
            const struct directory_entry *expected = directory_next(directory->entries, cookie);

            cookie = entry->cookie;
            if (cookie < DIRECTORY_FIRST_COOKIE)
                continue;
            FUZZ_CHECK(expected && expected->cookie == cookie &&
                       expected->node->number == entry->fileid &&
                       expected->name_length == strlen(entry->name) &&
                       memcmp(expected->name, entry->name, expected->name_length) == 0);
        }
        end = listed->reply.eof;
        xdr_free(rpc->xdr_result, &result);
    }
    FUZZ_CHECK(!directory_next(directory->entries, cookie));
}

static void remove_entry(struct session *session, const struct tree_node *directory,
                         const struct directory_entry *entry)
{
    const char *op = entry->node->type == TREE_DIRECTORY ? "rmdir" : "remove";
    const struct nfs_handle handle = embedded_handle(directory);
    union nfs_arguments arguments;
    union nfs_result result;
    char name[TREE_NAME_MAXIMUM + 1];

    memset(&arguments, 0, sizeof arguments);
    snprintf(name, sizeof name, "%.*s", (int)entry->name_length, entry->name);
    arguments.remove.object = (diropargs3){nfs_handle_argument(&handle), name};
    FUZZ_CHECK(call(session, &nfs_procedure_find(op)->rpc, &arguments, true, false, &result) ==
               NFS3_OK);
}

/* Remove all objects, from the leaves, without recursion, because directories may be very deep.
 * Before a subdirectory loses its entries, its listing is checked. */
static void remove_all(struct session *session)
{
    const struct tree_node *root = tree_root(embedded_exported.tree), *directory = root;

    for (;;) {
        const struct directory_entry *entry = directory_next(directory->entries, 0);

        if (entry && entry->node->type == TREE_DIRECTORY && entry->node->entries->live > 0) {
            directory = entry->node;
            check_listing(session, directory);
        } else if (entry) {
            remove_entry(session, directory, entry);
        } else if (directory == root) {
            return;
        } else {
            directory = directory->parent;
        }
    }
}

/* Let the first bytes of the script choose the server's settings. */
static void set_up(struct session *session)
{
    static const uint64_t limits[] = {4 << 20, 1 << 20, 128 << 10, 32 << 10, 8 << 10};
    struct policy *policy = &embedded_exported.policy;
    uint8_t how = script_byte(&session->script), rare = script_byte(&session->script);

    embedded_renew(limits[how % 5]);
    policy->squash = how >= 224 ? SQUASH_ROOT : how >= 208 ? SQUASH_ALL : SQUASH_NONE;
    policy->read_only = rare == 255;
    embedded_exported.longest_cost_ns = rare >= 248 && rare < 255;
    policy->costs[NFSPROC3_RENAME] = (struct policy_time){1, 1};
    if (rare > 224 && rare < 224 + POLICY_PROCEDURES) { /* NULL has no errors */
        policy->errors[rare - 224].status = NFS3ERR_IO;
        policy->errors[rare - 224].probability = 1;
    }
    session->handles[0] = embedded_handle(tree_root(embedded_exported.tree));
    session->handle_count = 1;
}

static void finish_session(struct session *session, uint64_t empty)
{
    memset(&embedded_exported.policy, 0, sizeof embedded_exported.policy);
    session->identity = (struct identity){.flavor = RPC_FLAVOR_SYS};
    tree_check(embedded_exported.tree);
    check_listing(session, tree_root(embedded_exported.tree));
    remove_all(session);
    tree_check_empty(embedded_exported.tree, empty);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    for (size_t i = 0; i < DATA_SIZE; i++)
        data[i] = embedded_byte(i);
    return embedded_open();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct session session = {.script = script_of(bytes, size)};
    uint64_t empty;

    set_up(&session);
    empty = embedded_exported.tree->memory.used;
    while (!script_ended(&session.script))
        step(&session);
    finish_session(&session, empty);
    return 0;
}
