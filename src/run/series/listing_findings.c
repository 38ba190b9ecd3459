#include "run/series/listing_findings.h"

#include "nfs/listing.h"
#include "run/series/series.h"

const struct nfs_procedure *listing_whole_op(const struct nfs_procedure *procedure)
{
    if (procedure->rpc.program != NFS_PROGRAM)
        return NULL;
    if (procedure->rpc.number == NFSPROC3_READDIR)
        return nfs_procedure_find("readdir-all");
    return procedure->rpc.number == NFSPROC3_READDIRPLUS ? nfs_procedure_find("readdirplus-all")
                                                         : NULL;
}

static const char *listed_path(const struct nfs_call *call)
{
    return call->procedure->object == NFS_OBJECT_TARGET ? call->objects->base_path
                                                        : call->objects->directory_path;
}

/* Describe in TEXT the findings of CALL's timed ops, each of which lists the entire directory.
 * Returns false if there are no findings. */
static bool describe_shown(const struct nfs_call *call, char *text)
{
    const struct sequence_state *state = call->engine.sequence_state;

    return state && state->shown &&
           nfs_listing_findings_describe(state->shown, call->procedure->rpc.name, listed_path(call),
                                         text, LISTING_FINDINGS_TEXT);
}

/* For an op of a single call: if the op lists the beginning of a directory, and a timed call got
 * NFS3ERR_BAD_COOKIE, describe this answer in TEXT. Otherwise, return false. */
static bool describe_refused(const struct run_series *series, char *text)
{
    struct traversal_limit limit = {0};
    const struct nfs_listing first_page = {.limit = &limit};
    const struct engine_tally *tally = &series->tally;

    for (size_t i = 0; i < ENGINE_ERRORS_MAXIMUM && listing_whole_op(series->call.procedure); i++)
        if (tally->errors[i].count > 0 && tally->errors[i].status == NFS3ERR_BAD_COOKIE) {
            nfs_listing_describe(&first_page, 0, NFS3ERR_BAD_COOKIE,
                                 series->call.procedure->rpc.name, listed_path(&series->call), text,
                                 LISTING_FINDINGS_TEXT);
            return true;
        }
    return false;
}

bool listing_findings_timed(const struct run_series *series, char text[LISTING_FINDINGS_TEXT])
{
    const struct nfs_call *call = &series->call;

    if (!call->procedure || !call->objects)
        return false;
    return call->engine.sequence ? describe_shown(call, text) : describe_refused(series, text);
}

bool listing_findings(const struct run_series *series, char text[LISTING_FINDINGS_TEXT])
{
    const struct nfs_call *call = &series->call;

    if (!call->procedure || !call->objects)
        return false;
    return nfs_listing_findings_describe(&call->findings, call->procedure->rpc.name,
                                         listed_path(call), text, LISTING_FINDINGS_TEXT) ||
           listing_findings_timed(series, text);
}

bool listing_findings_of_tree(const struct nfs_objects *objects, char text[LISTING_FINDINGS_TEXT])
{
    const struct nfs_tree *tree = objects->files ? objects->files->tree : NULL;

    return tree && nfs_listing_findings_describe(&tree->findings, "READDIRPLUS", objects->base_path,
                                                 text, LISTING_FINDINGS_TEXT);
}
