/* Experiment: which replies have attributes, and whether fileids and cookies fit into 32 bits. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "characterize/experiment.h"
#include "common/counted.h"
#include "nfs/status.h"

/* Counts of attributes in the replies of one procedure. */
struct brought {
    unsigned replies;
    /* post-op attributes that replies could have (PLACES), and those that are present (FILLED) */
    unsigned places, filled;
    /* number of wcc_data, and of those with attributes from before the call */
    unsigned wccs, with_before;
};

/* Position of post-op attributes or wcc_data in a procedure's result. */
struct place {
    size_t offset; /* offset in union nfs_result; 0 is not a position and ends the list */
    bool is_wcc;
};

#define AFTER(of, member)                                                                          \
    {                                                                                              \
        offsetof(union nfs_result, of.resok.member), false                                         \
    }
#define WCC(of, member)                                                                            \
    {                                                                                              \
        offsetof(union nfs_result, of.resok.member), true                                          \
    }
#define MADE(of) AFTER(of, obj_attributes), WCC(of, dir_wcc)

static const struct {
    const char *op;
    struct place places[2];
} looked_at[] = {
    {"lookup",
     {AFTER(lookup.LOOKUP3res_u, obj_attributes), AFTER(lookup.LOOKUP3res_u, dir_attributes)}},
    {"access", {AFTER(access.ACCESS3res_u, obj_attributes)}},
    {"readlink", {AFTER(readlink.READLINK3res_u, symlink_attributes)}},
    {"read", {AFTER(read.READ3res_u, file_attributes)}},
    {"readdir", {AFTER(readdir.READDIR3res_u, dir_attributes)}},
    {"readdirplus", {AFTER(readdirplus.READDIRPLUS3res_u, dir_attributes)}},
    {"fsstat", {AFTER(fsstat.FSSTAT3res_u, obj_attributes)}},
    {"fsinfo", {AFTER(fsinfo.FSINFO3res_u, obj_attributes)}},
    {"pathconf", {AFTER(pathconf.PATHCONF3res_u, obj_attributes)}},
    {"setattr", {WCC(setattr.SETATTR3res_u, obj_wcc)}},
    {"write", {WCC(write.WRITE3res_u, file_wcc)}},
    {"commit", {WCC(commit.COMMIT3res_u, file_wcc)}},
    {"create", {MADE(create.CREATE3res_u)}},
    {"mkdir", {MADE(mkdir.MKDIR3res_u)}},
    {"symlink", {MADE(symlink.SYMLINK3res_u)}},
    {"link", {AFTER(link.LINK3res_u, file_attributes), WCC(link.LINK3res_u, linkdir_wcc)}},
    {"rename", {WCC(rename.RENAME3res_u, fromdir_wcc), WCC(rename.RENAME3res_u, todir_wcc)}},
    {"remove", {WCC(remove.REMOVE3res_u, dir_wcc)}},
    {"rmdir", {WCC(rmdir.RMDIR3res_u, dir_wcc)}},
};

enum { LOOKED_AT = sizeof looked_at / sizeof looked_at[0] };

static void count_attributes(struct brought *brought, const post_op_attr *attributes)
{
    brought->places++;
    brought->filled += attributes->attributes_follow == TRUE;
}

static void count_result(size_t index, const union nfs_result *result, struct brought *brought)
{
    const struct place *places = looked_at[index].places;

    for (size_t i = 0; i < 2 && places[i].offset > 0; i++) {
        const void *at = (const char *)result + places[i].offset;
        const wcc_data *wcc = at;

        brought->wccs += places[i].is_wcc;
        brought->with_before += places[i].is_wcc && wcc->before.attributes_follow == TRUE;
        count_attributes(brought, places[i].is_wcc ? &wcc->after : at);
    }
}

static void count_entries(const union nfs_result *result, struct brought *brought)
{
    const entryplus3 *entry = result->readdirplus.READDIRPLUS3res_u.resok.reply.entries;

    for (; entry; entry = entry->nextentry)
        count_attributes(brought, &entry->name_attributes);
}

struct summary {
    /* number of procedures with a good reply, and of those whose replies had no attributes */
    unsigned procedures, without;
    unsigned places, filled, wccs, with_before;
};

/* Call looked_at[INDEX] several times, until an error. Returns the status of the last reply, or
 * NFS3_OK if no reply came. If a call ended without a reply, TESTBED has the failure. */
static nfsstat3 call_some(struct testbed *testbed, size_t index, struct brought *brought)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(looked_at[index].op);
    const unsigned calls = testbed_scaled(testbed, 20, 5);
    union nfs_result result;
    nfsstat3 status = NFS3_OK;

    *brought = (struct brought){0};
    for (unsigned i = 0; i < calls && status == NFS3_OK; i++) {
        if (!testbed_call_procedure(testbed, procedure, &result))
            break;
        status = result.status;
        if (status == NFS3_OK) {
            count_result(index, &result, brought);
            if (strcmp(procedure->op, "readdirplus") == 0)
                count_entries(&result, brought);
            brought->replies++;
        }
        nfs_free_result(procedure->op, &result);
    }
    return status;
}

static double percentage(unsigned part, unsigned all)
{
    return 100.0 * part / all;
}

static void report_procedure(struct character_answer *answer, const char *op,
                             const struct brought *brought)
{
    const struct interval filled =
        figure_without_interval(percentage(brought->filled, brought->places));

    if (brought->wccs == 0)
        answer_figure(answer, op, filled, "%", "of %s for attributes",
                      counted(brought->places, "place").text);
    else
        answer_figure(answer, op, filled, "%",
                      "of %s for attributes; %.0f %% of %u wcc_data have the attributes from "
                      "before the change",
                      counted(brought->places, "place").text,
                      percentage(brought->with_before, brought->wccs), brought->wccs);
}

static void add_to_summary(struct summary *summary, const struct brought *brought)
{
    summary->procedures++;
    summary->without += brought->filled == 0;
    summary->places += brought->places;
    summary->filled += brought->filled;
    summary->wccs += brought->wccs;
    summary->with_before += brought->with_before;
}

static void count_all_procedures(struct testbed *testbed, struct summary *summary)
{
    for (size_t i = 0; i < LOOKED_AT && testbed->code == 0; i++) {
        struct brought brought;
        char name[NFS_STATUS_NAME_SIZE];
        const nfsstat3 status = call_some(testbed, i, &brought);
        const bool failed = testbed_clear_failure(testbed, true);

        if (testbed->code)
            return;
        if (brought.replies > 0) {
            report_procedure(testbed->answer, looked_at[i].op, &brought);
            add_to_summary(summary, &brought);
        } else {
            answer_detail(testbed->answer, looked_at[i].op, "not known: %s",
                          failed ? testbed->error.text : nfs_status_name((int)status, name));
        }
    }
}

/* Large numbers */

struct largest {
    uint64_t file_id, cookie;
};

static void find_largest(const union nfs_result *result, struct largest *largest)
{
    const entry3 *entry = result->readdir.READDIR3res_u.resok.reply.entries;

    for (; entry; entry = entry->nextentry) {
        if (entry->fileid > largest->file_id)
            largest->file_id = entry->fileid;
        if (entry->cookie > largest->cookie)
            largest->cookie = entry->cookie;
    }
}

static const char *describe_bits(uint64_t number)
{
    return number > UINT32_MAX ? "need 64 bits" : "fit into 32 bits in this directory";
}

/* Report the largest fileid and cookie in the reply to one READDIR of the scratch directory. */
static void report_numbers(struct testbed *testbed)
{
    const struct nfs_objects *objects = &testbed->setup.objects;
    union nfs_arguments arguments = {
        .readdir = {.dir = nfs_handle_argument(&objects->scratch), .count = 8192}};
    union nfs_result result;
    struct largest largest = {0};

    if (!testbed_call_ok(testbed, "readdir", &arguments, &result))
        return;
    find_largest(&result, &largest);
    nfs_free_result("readdir", &result);
    answer_detail(testbed->answer, "fileids", "%s; the largest is %" PRIu64,
                  describe_bits(largest.file_id), largest.file_id);
    answer_detail(testbed->answer, "cookies", "%s; the largest is %" PRIu64,
                  describe_bits(largest.cookie), largest.cookie);
    if (largest.file_id > UINT32_MAX || largest.cookie > UINT32_MAX)
        answer_add_meaning(testbed->answer,
                           "32-bit programs without large-file support fail in readdir() and "
                           "stat() on this server (EOVERFLOW).");
}

static void answer_attributes(struct character_answer *answer, const struct summary *summary)
{
    const double filled = percentage(summary->filled, summary->places);
    const double before = summary->wccs ? percentage(summary->with_before, summary->wccs) : 0;

    answer_set(answer,
               "%s: replies have the attributes in %.0f %% of the places for them, and %.0f %% of "
               "the wcc_data have the attributes from before the change.",
               filled == 100 ? "Yes"
               : filled == 0 ? "No"
                             : "Partly",
               filled, before);
    if (filled == 100)
        answer_add_meaning(answer,
                           "Each reply renews a client's attribute cache, so the client needs no "
                           "GETATTR after a call.");
    else
        answer_add_meaning(answer,
                           "A client must send a GETATTR after each call whose reply has no "
                           "attributes, or drop the attributes that it has cached.");
    if (before < 100)
        answer_add_meaning(answer,
                           "Without the attributes from before a change, a client can't tell its "
                           "own change from another client's, and reads the cached data again.");
}

static void conclude_attributes(struct testbed *testbed, void *state)
{
    struct summary summary = {0};

    count_all_procedures(testbed, &summary);
    if (testbed->code == 0 && summary.places == 0)
        testbed->code = error_set(&testbed->error, ERROR_FAILED, -EIO,
                                  "every procedure was answered by an error");
    if (testbed->code)
        return;
    answer_attributes(testbed->answer, &summary);
    report_numbers(testbed);
}

const struct experiment experiment_attributes = {
    .name = "attributes",
    .question = "Do replies have the attributes of the objects that they concern?",
    .unknown = "Replies with errors; a busy server, which may leave out optional attributes.",
    .need = {.full = 580, .quick = 150},
    .works_in_directory = true,
    .conclude = conclude_attributes,
};
