/* Which replies bring attributes, and how large the server's numbers are. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "character/experiment.h"
#include "common/counted.h"
#include "nfs/status.h"

/* What the replies of one procedure brought. */
struct brought {
    unsigned replies;
    unsigned places, filled;    /* of post-op attributes, in all replies */
    unsigned wccs, with_before; /* of wcc data, those with the attributes from before */
};

static void note_after(struct brought *brought, const post_op_attr *attributes)
{
    brought->places++;
    brought->filled += attributes->attributes_follow == TRUE;
}

static void note_wcc(struct brought *brought, const wcc_data *wcc)
{
    brought->wccs++;
    brought->with_before += wcc->before.attributes_follow == TRUE;
    note_after(brought, &wcc->after);
}

#define LOOK_AT_ONE(op, OP, member)                                                                \
    static void look_at_##op(const union nfs_result *result, struct brought *brought)              \
    {                                                                                              \
        note_after(brought, &(result->op.OP##3res_u).resok.member);                                \
    }
#define LOOK_AT_WCC(op, OP, member)                                                                \
    static void look_at_##op(const union nfs_result *result, struct brought *brought)              \
    {                                                                                              \
        note_wcc(brought, &(result->op.OP##3res_u).resok.member);                                  \
    }
#define LOOK_AT_MADE(op, OP)                                                                       \
    static void look_at_##op(const union nfs_result *result, struct brought *brought)              \
    {                                                                                              \
        note_after(brought, &(result->op.OP##3res_u).resok.obj_attributes);                        \
        note_wcc(brought, &(result->op.OP##3res_u).resok.dir_wcc);                                 \
    }

LOOK_AT_ONE(access, ACCESS, obj_attributes)
LOOK_AT_ONE(readlink, READLINK, symlink_attributes)
LOOK_AT_ONE(read, READ, file_attributes)
LOOK_AT_ONE(readdir, READDIR, dir_attributes)
LOOK_AT_ONE(fsstat, FSSTAT, obj_attributes)
LOOK_AT_ONE(fsinfo, FSINFO, obj_attributes)
LOOK_AT_ONE(pathconf, PATHCONF, obj_attributes)
LOOK_AT_WCC(setattr, SETATTR, obj_wcc)
LOOK_AT_WCC(write, WRITE, file_wcc)
LOOK_AT_WCC(remove, REMOVE, dir_wcc)
LOOK_AT_WCC(rmdir, RMDIR, dir_wcc)
LOOK_AT_WCC(commit, COMMIT, file_wcc)
LOOK_AT_MADE(create, CREATE)
LOOK_AT_MADE(mkdir, MKDIR)
LOOK_AT_MADE(symlink, SYMLINK)

static void look_at_lookup(const union nfs_result *result, struct brought *brought)
{
    note_after(brought, &result->lookup.LOOKUP3res_u.resok.obj_attributes);
    note_after(brought, &result->lookup.LOOKUP3res_u.resok.dir_attributes);
}

static void look_at_rename(const union nfs_result *result, struct brought *brought)
{
    note_wcc(brought, &result->rename.RENAME3res_u.resok.fromdir_wcc);
    note_wcc(brought, &result->rename.RENAME3res_u.resok.todir_wcc);
}

static void look_at_link(const union nfs_result *result, struct brought *brought)
{
    note_after(brought, &result->link.LINK3res_u.resok.file_attributes);
    note_wcc(brought, &result->link.LINK3res_u.resok.linkdir_wcc);
}

/* Each entry's, too. */
static void look_at_readdirplus(const union nfs_result *result, struct brought *brought)
{
    const READDIRPLUS3resok *listed = &result->readdirplus.READDIRPLUS3res_u.resok;

    note_after(brought, &listed->dir_attributes);
    for (const entryplus3 *entry = listed->reply.entries; entry; entry = entry->nextentry)
        note_after(brought, &entry->name_attributes);
}

static const struct {
    const char *op;
    void (*look)(const union nfs_result *result, struct brought *brought);
} looked_at[] = {
    {"lookup", look_at_lookup},     {"access", look_at_access},
    {"readlink", look_at_readlink}, {"read", look_at_read},
    {"readdir", look_at_readdir},   {"readdirplus", look_at_readdirplus},
    {"fsstat", look_at_fsstat},     {"fsinfo", look_at_fsinfo},
    {"pathconf", look_at_pathconf}, {"setattr", look_at_setattr},
    {"write", look_at_write},       {"commit", look_at_commit},
    {"create", look_at_create},     {"mkdir", look_at_mkdir},
    {"symlink", look_at_symlink},   {"link", look_at_link},
    {"rename", look_at_rename},     {"remove", look_at_remove},
    {"rmdir", look_at_rmdir},
};

enum { LOOKED_AT = sizeof looked_at / sizeof looked_at[0] };

/* Counting */

/* What all procedures brought together. */
struct summary {
    unsigned procedures, without; /* with a good reply; of these, those that never bring any */
    unsigned places, filled, wccs, with_before;
};

/* Call a procedure several times. 0; the nfsstat3 of its first reply that was not good; or a
 * negative errno with ERROR set. */
static int call_some(struct lab *lab, size_t index, struct brought *brought, struct error *error)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(looked_at[index].op);
    const unsigned calls = lab_scaled(lab, 20, 5);
    union nfs_result result;
    int code = 0;

    *brought = (struct brought){0};
    for (unsigned i = 0; i < calls && code == 0; i++) {
        code = lab_call_procedure(lab, procedure, &result, error);
        if (code)
            break;
        code = (int)result.status;
        if (code == NFS3_OK) {
            looked_at[index].look(&result, brought);
            brought->replies++;
        }
        nfs_free_result(procedure->op, &result);
    }
    return code;
}

static double share(unsigned part, unsigned all)
{
    return 100.0 * part / all;
}

static void report(struct character_answer *answer, const char *op, const struct brought *brought)
{
    const struct interval filled = answer_exactly(share(brought->filled, brought->places));

    if (brought->wccs == 0)
        answer_figure(answer, op, &filled, "%", "of %s where attributes can be",
                      counted(brought->places, "place").text);
    else
        answer_figure(answer, op, &filled, "%",
                      "of %s; in %.0f %% of %u wcc_data those from before",
                      counted(brought->places, "place").text,
                      share(brought->with_before, brought->wccs), brought->wccs);
}

static void add(struct summary *summary, const struct brought *brought)
{
    summary->procedures++;
    summary->without += brought->filled == 0;
    summary->places += brought->places;
    summary->filled += brought->filled;
    summary->wccs += brought->wccs;
    summary->with_before += brought->with_before;
}

static int look_at_all(struct lab *lab, struct character_answer *answer, struct summary *summary,
                       struct error *error)
{
    for (size_t i = 0; i < LOOKED_AT; i++) {
        struct brought brought;
        char name[NFS_STATUS_NAME_SIZE];
        int code = call_some(lab, i, &brought, error);

        if (lab_is_over(code, error))
            return code;
        if (brought.replies > 0) {
            report(answer, looked_at[i].op, &brought);
            add(summary, &brought);
        } else {
            answer_detail(answer, looked_at[i].op, "not known: %s",
                          code < 0 ? error->text : nfs_status_name(code, name));
        }
    }
    return 0;
}

/* Large numbers */

struct largest {
    uint64_t file_id, cookie;
};

static void look_at_entries(const union nfs_result *result, struct largest *largest)
{
    const entry3 *entry = result->readdir.READDIR3res_u.resok.reply.entries;

    for (; entry; entry = entry->nextentry) {
        if (entry->fileid > largest->file_id)
            largest->file_id = entry->fileid;
        if (entry->cookie > largest->cookie)
            largest->cookie = entry->cookie;
    }
}

static const char *bits(uint64_t number)
{
    return number > UINT32_MAX ? "need 64 bits" : "fit into 32 bits here";
}

/* Those of the scratch directory, which has a few entries. */
static int look_at_numbers(struct lab *lab, struct character_answer *answer, struct error *error)
{
    const struct nfs_objects *objects = &lab->setup.objects;
    union nfs_arguments arguments = {
        .readdir = {.dir = nfs_handle_argument(&objects->scratch), .count = 8192}};
    union nfs_result result;
    struct largest largest = {0};
    int code = lab_call_well(lab, "readdir", &arguments, &result, error);

    if (code)
        return code;
    look_at_entries(&result, &largest);
    nfs_free_result("readdir", &result);
    answer_detail(answer, "fileids", "%s; the largest is %" PRIu64, bits(largest.file_id),
                  largest.file_id);
    answer_detail(answer, "cookies", "%s; the largest is %" PRIu64, bits(largest.cookie),
                  largest.cookie);
    if (largest.file_id > UINT32_MAX || largest.cookie > UINT32_MAX)
        answer_mean(answer, "Programs of 32 bits without large-file support fail in readdir() and "
                            "stat() here (EOVERFLOW).");
    return 0;
}

/* The answer */

static void say(struct character_answer *answer, const struct summary *summary)
{
    const double filled = share(summary->filled, summary->places);
    const double before = summary->wccs ? share(summary->with_before, summary->wccs) : 0;

    answer_say(answer,
               "%s: %.0f %% of the places for attributes in replies are filled, and %.0f %% of "
               "the wcc_data say what was before.",
               filled == 100 ? "Yes"
               : filled == 0 ? "No"
                             : "Partly",
               filled, before);
    if (filled == 100)
        answer_mean(answer, "A client's cache of attributes is renewed by every reply, so it needs "
                            "no GETATTR of its own.");
    else
        answer_mean(answer, "Where attributes are left out, a client must send a GETATTR after the "
                            "call, or drop what it has cached.");
    if (before < 100)
        answer_mean(answer,
                    "Without the attributes from before, a client can't tell its own change "
                    "from another client's, and reads its cached data again.");
}

static int conclude(struct lab *lab, void *state, struct character_answer *answer,
                    struct error *error)
{
    struct summary summary = {0};
    int code = look_at_all(lab, answer, &summary, error);

    if (code)
        return code;
    if (summary.places == 0)
        return error_set(error, ERROR_FAILED, -EIO, "no procedure was answered without an error");
    say(answer, &summary);
    return look_at_numbers(lab, answer, error);
}

const struct experiment experiment_attributes = {
    .name = "attributes",
    .question = "Do replies bring the attributes of the objects that they are about?",
    .unknown = "Replies with errors, and a busy server, which may leave out what is optional.",
    .works_in_directory = true,
    .conclude = conclude,
};
