#include "nfs/traversal.h"
#include "nfs/procedures/entry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "nfs/status.h"
#include "rpc/message.h"

enum {
    /* maximum size of a call, bytes */
    MESSAGE_ROOM = RPC_CALL_HEADER_MAXIMUM + NFS_HANDLE_MAXIMUM + NFS3_NAME_MAXIMUM + 64,
};

/* A directory that is being listed, with at most one call in flight. When its listing ends, the
 * entries whose type or handle is unknown are looked up, one after the other. */
struct traversal_slot {
    bool used, asked;
    uint32_t directory;
    struct nfs_listing listing;
    uint32_t *children; /* indices of the subdirectories, in the order of the replies */
    size_t child_count, child_room;
    char *names; /* names to be looked up, each ended by '\0' */
    size_t names_length, names_room, names_done;
    struct nfs_names compared; /* names of the listing, if it is examined */
    uint8_t bytes[MESSAGE_ROOM];
    struct channel_message message;
};

static int add_directory(struct nfs_traversal *traversal, const struct nfs_directory *directory)
{
    traversal_allows(&traversal->limit, 0, sizeof *directory + 2 * sizeof *traversal->stack);
    return array_add(&traversal->directories, &traversal->directory_count,
                     &traversal->directory_room, directory, sizeof *directory);
}

static int push(struct nfs_traversal *traversal, uint32_t directory)
{
    return array_add(&traversal->stack, &traversal->stack_count, &traversal->stack_room, &directory,
                     sizeof directory);
}

int nfs_traversal_open(struct nfs_traversal *traversal, const struct nfs_traversal_request *request)
{
    const struct nfs_directory top = {.handle = *request->top};

    *traversal = (struct nfs_traversal){.request = *request};
    traversal->slots = calloc(request->width, sizeof *traversal->slots);
    if (traversal->slots && add_directory(traversal, &top) == 0 && push(traversal, 0) == 0)
        return 0;
    nfs_traversal_close(traversal);
    return -ENOMEM;
}

void nfs_traversal_close(struct nfs_traversal *traversal)
{
    for (unsigned i = 0; traversal->slots && i < traversal->request.width; i++) {
        free(traversal->slots[i].children);
        free(traversal->slots[i].names);
        nfs_names_free(&traversal->slots[i].compared);
    }
    free(traversal->slots);
    free(traversal->directories);
    free(traversal->stack);
    *traversal = (struct nfs_traversal){.slots = NULL};
}

void nfs_traversal_begin(struct nfs_traversal *traversal)
{
    const struct nfs_directory top = {.handle = *traversal->request.top};

    traversal->counts = (struct nfs_traversal_counts){0};
    traversal_limit_begin(&traversal->limit, traversal->request.time_ns);
    if (traversal->request.examined)
        *traversal->request.findings = (struct nfs_listing_findings){0};
    traversal->directory_count = traversal->stack_count = 0;
    for (unsigned i = 0; i < traversal->request.width; i++)
        traversal->slots[i].used = false;
    if (add_directory(traversal, &top) == 0) /* can't fail: nfs_traversal_open() made room */
        push(traversal, 0);
}

/* Calls */

static void begin_slot_listing(struct nfs_traversal *traversal, struct traversal_slot *slot,
                               bool plus)
{
    nfs_listing_begin(&slot->listing, plus, &traversal->limit);
    nfs_listing_examine(&slot->listing, traversal->request.examined ? &slot->compared : NULL,
                        traversal->request.findings);
}

static void begin_slot(struct nfs_traversal *traversal, struct traversal_slot *slot)
{
    slot->used = true;
    slot->asked = false;
    slot->directory = traversal->stack[--traversal->stack_count];
    slot->child_count = slot->names_length = slot->names_done = 0;
    begin_slot_listing(traversal, slot, !traversal->plain);
}

/* Return a slot that has a call to make, and set *TAG to the slot's tag. If no slot in use has a
 * call to make, an unused slot begins to list the next directory. Returns NULL if no call can be
 * made before a reply arrives. */
static struct traversal_slot *find_work(struct nfs_traversal *traversal, uint32_t *tag)
{
    struct traversal_slot *unused = NULL;

    for (unsigned i = 0; i < traversal->request.width; i++) {
        struct traversal_slot *slot = &traversal->slots[i];

        if (slot->used && !slot->asked) {
            *tag = i;
            return slot;
        }
        if (!slot->used && !unused) {
            *tag = i;
            unused = slot;
        }
    }
    if (!unused || traversal->stack_count == 0)
        return NULL;
    begin_slot(traversal, unused);
    return unused;
}

static const struct rpc_procedure *encode_request(struct nfs_traversal *traversal,
                                                  struct traversal_slot *slot, const char *op,
                                                  union nfs_arguments *arguments)
{
    const struct rpc_procedure *procedure = nfs_rpc_find(op);

    slot->message.bytes = slot->bytes;
    rpc_message_encode(slot->bytes, sizeof slot->bytes, procedure, traversal->request.identity,
                       arguments, &slot->message.length);
    return procedure;
}

static const struct rpc_procedure *ask_list(struct nfs_traversal *traversal,
                                            struct traversal_slot *slot)
{
    const struct nfs_handle *handle = &traversal->directories[slot->directory].handle;
    union nfs_arguments arguments = {.readdirplus = {.dir = nfs_handle_argument(handle),
                                                     .cookie = slot->listing.cookie,
                                                     .dircount = NFS_DIRECTORY_NAMES_SIZE,
                                                     .maxcount = NFS_DIRECTORY_REPLY_SIZE}};

    /* READDIR's arguments begin like READDIRPLUS's, with count in place of dircount. */
    if (!slot->listing.plus)
        arguments.readdir.count = NFS_DIRECTORY_REPLY_SIZE;
    memcpy(arguments.readdirplus.cookieverf, slot->listing.verifier, sizeof slot->listing.verifier);
    return encode_request(traversal, slot, slot->listing.plus ? "readdirplus" : "readdir",
                          &arguments);
}

static const struct rpc_procedure *ask_lookup(struct nfs_traversal *traversal,
                                              struct traversal_slot *slot)
{
    const struct nfs_handle *handle = &traversal->directories[slot->directory].handle;
    union nfs_arguments arguments = {.lookup.what = {.dir = nfs_handle_argument(handle),
                                                     .name = slot->names + slot->names_done}};

    return encode_request(traversal, slot, "lookup", &arguments);
}

const struct channel_message *nfs_traversal_next(struct nfs_traversal *traversal, uint32_t *tag,
                                                 const struct rpc_procedure **procedure)
{
    struct traversal_slot *slot = find_work(traversal, tag);

    if (!slot)
        return NULL;
    slot->asked = true;
    traversal->counts.calls++;
    *procedure = slot->listing.ended ? ask_lookup(traversal, slot) : ask_list(traversal, slot);
    return &slot->message;
}

/* Results */

static bool is_own_ancestor(const struct nfs_traversal *traversal,
                            const struct nfs_directory *directory)
{
    for (uint32_t at = directory->parent;; at = traversal->directories[at].parent) {
        const struct nfs_directory *above = &traversal->directories[at];

        if (above->id == directory->id && above->fsid == directory->fsid && at != 0)
            return true;
        if (at == 0) /* the top's attributes are unknown, its handle is known */
            return nfs_handle_equal(&above->handle, &directory->handle);
    }
}

static int add_child(struct nfs_traversal *traversal, struct traversal_slot *slot,
                     const struct nfs_found *found)
{
    const struct nfs_directory directory = {.handle = found->handle,
                                            .id = found->attributes.file_id,
                                            .fsid = found->attributes.fsid,
                                            .parent = slot->directory};
    const uint32_t index = (uint32_t)traversal->directory_count;

    if (is_own_ancestor(traversal, &directory)) {
        traversal->counts.loops++;
        return 0;
    }
    if (array_add(&slot->children, &slot->child_count, &slot->child_room, &index, sizeof index) !=
        0)
        return -ENOMEM;
    return add_directory(traversal, &directory);
}

/* Count FOUND. If it is a directory, add it to SLOT's children, unless it is its own ancestor. Else
 * visit it, also if its type is unknown because LOOKUP returned no attributes. FOUND has its handle
 * if the handle is needed. */
static int handle_found(struct nfs_traversal *traversal, struct traversal_slot *slot,
                        const struct nfs_found *found)
{
    traversal->counts.entries++;
    if (found->attributes.type == NF3DIR)
        return add_child(traversal, slot, found);
    return traversal->request.visit ? traversal->request.visit(traversal->request.context, found)
                                    : 0;
}

static int defer_lookup(struct nfs_traversal *traversal, struct traversal_slot *slot,
                        const char *name, size_t length)
{
    const size_t wanted = slot->names_length + length + 1, had = slot->names_room;

    if (array_reserve(&slot->names, &slot->names_room, wanted, 1) != 0)
        return -ENOMEM;
    traversal_allows(&traversal->limit, 0, slot->names_room - had);
    memcpy(slot->names + slot->names_length, name, length + 1);
    slot->names_length = wanted;
    return 0;
}

struct visiting {
    struct nfs_traversal *traversal;
    struct traversal_slot *slot;
};

/* Return whether LISTED is skipped, because its name is ".", ".." or invalid in a LOOKUP. */
static bool is_skipped_name(const struct nfs_listed *listed)
{
    return listed->name_length == 0 || memchr(listed->name, '\0', listed->name_length) ||
           memchr(listed->name, '/', listed->name_length) ||
           (listed->name_length <= 2 && memcmp(listed->name, "..", listed->name_length) == 0);
}

static int visit_listed(void *context, const struct nfs_listed *listed)
{
    const struct visiting *visiting = context;
    char name[NFS3_NAME_MAXIMUM + 1];
    struct nfs_found found = {
        .name = name, .attributes = listed->attributes, .directory = visiting->slot->directory};
    bool needs_handle;

    if (is_skipped_name(listed))
        return 0;
    memcpy(name, listed->name, listed->name_length);
    name[listed->name_length] = '\0';
    if (listed->handle)
        nfs_handle_set(&found.handle, (const char *)listed->handle, listed->handle_length);
    needs_handle = visiting->traversal->request.handles || found.attributes.type == NF3DIR;
    if (!found.attributes.given || (needs_handle && !found.handle.length))
        return defer_lookup(visiting->traversal, visiting->slot, name, listed->name_length);
    return handle_found(visiting->traversal, visiting->slot, &found);
}

static int take_looked_up(struct nfs_traversal *traversal, struct traversal_slot *slot,
                          struct wire_reader *reader)
{
    struct nfs_found found = {.name = slot->names + slot->names_done, .directory = slot->directory};
    uint32_t length;
    const uint8_t *handle = wire_get_opaque(reader, NFS_HANDLE_MAXIMUM, &length);

    if (!handle || !nfs_handle_set(&found.handle, (const char *)handle, length))
        reader->failed = true;
    found.attributes = nfs_item_post_op_attr(reader);
    nfs_item_post_op_attr(reader);
    if (reader->failed)
        return -EBADMSG;
    return handle_found(traversal, slot, &found);
}

/* End SLOT. The first subdirectory of SLOT's directory is listed next. */
static int end_slot(struct nfs_traversal *traversal, struct traversal_slot *slot)
{
    int code = 0;

    for (size_t i = slot->child_count; i > 0 && code == 0; i--)
        code = push(traversal, slot->children[i - 1]);
    slot->used = false;
    return code;
}

/* If STATUS concerns only SLOT's directory or a name that was looked up in it, count one object as
 * vanished or denied, end SLOT's listing, and return 0. Else return STATUS. */
static int skip_object(struct nfs_traversal *traversal, struct traversal_slot *slot, int status)
{
    switch (status) {
    case NFS3ERR_NOENT:
    case NFS3ERR_STALE:
    case NFS3ERR_NOTDIR:
    case NFS3ERR_BAD_COOKIE:
        traversal->counts.vanished++;
        break;
    case NFS3ERR_ACCES:
    case NFS3ERR_PERM:
        traversal->counts.denied++;
        break;
    default:
        return status;
    }
    slot->listing.ended = true;
    return 0;
}

static void note_failure(struct nfs_traversal *traversal, const struct traversal_slot *slot,
                         int status)
{
    char path[400];

    snprintf(path, sizeof path, "%s%.300s", slot->directory == 0 ? "" : "a directory below ",
             traversal->request.path);
    nfs_listing_note_end(&slot->listing, traversal->counts.calls, status,
                         slot->listing.plus ? "READDIRPLUS" : "READDIR", path);
}

/* Handle STATUS, the error of SLOT's listing. If STATUS says that the server has no READDIRPLUS,
 * use READDIR from now on. Any other error of the top ends the traversal. An error of another
 * directory ends the traversal only if skip_object() does not skip the directory. */
static int refuse_listing(struct nfs_traversal *traversal, struct traversal_slot *slot, int status)
{
    if (status == NFS3ERR_NOTSUPP && slot->listing.plus) {
        traversal->plain = true;
        begin_slot_listing(traversal, slot, false);
        return 0;
    }
    if (slot->directory == 0 || status == NFS3ERR_BAD_COOKIE)
        note_failure(traversal, slot, status);
    return slot->directory == 0 ? status : skip_object(traversal, slot, status);
}

static int take_list(struct nfs_traversal *traversal, struct traversal_slot *slot, int status,
                     struct wire_reader *reader)
{
    struct visiting visiting = {traversal, slot};

    if (status) {
        nfs_listing_refused(&slot->listing, reader);
        return refuse_listing(traversal, slot, status);
    }
    status = nfs_listing_read_page(&slot->listing, reader, visit_listed, &visiting);
    return reader->failed ? -EBADMSG : status;
}

static int take_lookup(struct nfs_traversal *traversal, struct traversal_slot *slot, int status,
                       struct wire_reader *reader)
{
    int code =
        status ? skip_object(traversal, slot, status) : take_looked_up(traversal, slot, reader);

    slot->names_done += strlen(slot->names + slot->names_done) + 1;
    return code;
}

int nfs_traversal_read_reply(struct nfs_traversal *traversal, uint32_t tag,
                             struct wire_reader *reader)
{
    struct traversal_slot *slot = &traversal->slots[tag];
    uint32_t status = wire_get_u32(reader);
    int code;

    if (reader->failed || status > INT32_MAX)
        return -EBADMSG;
    slot->asked = false;
    code = slot->listing.ended ? take_lookup(traversal, slot, (int)status, reader)
                               : take_list(traversal, slot, (int)status, reader);
    if (code == 0 && slot->listing.ended && slot->names_done == slot->names_length)
        code = end_slot(traversal, slot);
    if (code == 0 && !traversal_allows(&traversal->limit, 0, 0))
        code = traversal->limit.met;
    if (nfs_listing_finding(code))
        note_failure(traversal, slot, code);
    return code;
}
