#include "run/series/listing_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "nfs/listing.h"
#include "nfs/status.h"

/* The op that lists the whole directory of which PROCEDURE lists the beginning; NULL: it lists
 * none. */
static const struct nfs_procedure *whole_listing(const struct nfs_procedure *procedure)
{
    if (procedure->rpc.program != NFS_PROGRAM)
        return NULL;
    if (procedure->rpc.number == NFSPROC3_READDIR)
        return nfs_procedure_find("readdir-all");
    return procedure->rpc.number == NFSPROC3_READDIRPLUS ? nfs_procedure_find("readdirplus-all")
                                                         : NULL;
}

/* Are calls allowed that are not those of the ops? Not where each place is visited once, and not in
 * a replay, which makes only its workload's calls. */
static bool may_list(const struct run_plan *plan, const struct nfs_procedure *whole)
{
    if (plan->working_set.once || plan->working_set.visits)
        return false;
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i] == whole)
            return false; /* its trial examines the same directory */
    return true;
}

/* A directory may be too large for this. */
static bool is_bound(int status)
{
    return nfs_listing_finding(status) && status != NFS_COOKIE_REPEATED;
}

static int list_whole(struct series_set *set, struct run_series *series,
                      const struct nfs_procedure *whole, struct error *error)
{
    const struct nfs_call *call = &series->call;
    struct nfs_objects *objects = malloc(sizeof *objects);
    struct nfs_call listing;
    int status = 0, code;

    if (!objects)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a listing");
    *objects = *call->objects;
    objects->traversal_ns = LISTING_CHECK_NS;
    code = nfs_call_make(&listing, whole, objects, call->engine.identity, 1, error);
    if (code == 0)
        code = nfs_call_try(&listing, set->setup->clients[SERVICE_NFS], &status, error);
    if (code == 0 && is_bound(status))
        listing.findings.failure[0] = '\0';
    if (code && series_set_can_skip(set, true, code, error)) {
        snprintf(listing.findings.failure, sizeof listing.findings.failure,
                 "%s of %.200s did not come to its end: %.200s", whole->rpc.name,
                 objects->directory_path, error->text);
        code = 0;
    }
    series->call.findings = listing.findings;
    nfs_call_free(&listing);
    free(objects);
    return code;
}

int listing_check(struct series_set *set, struct run_series *series, struct error *error)
{
    const struct nfs_procedure *procedure = series->call.procedure;
    const struct nfs_procedure *whole = whole_listing(procedure);
    char text[LISTING_CHECK_TEXT];
    int code = 0;

    if (whole && !procedure->sequence && may_list(set->plan, whole))
        code = list_whole(set, series, whole, error);
    if (code == 0 && listing_check_describe(series, text))
        run_plan_warn(set->plan, "%s", text);
    return code;
}

/* The directory that CALL's op lists. */
static const char *listed_path(const struct nfs_call *call)
{
    return call->procedure->object == NFS_OBJECT_TARGET ? call->objects->base_path
                                                        : call->objects->directory_path;
}

/* What the timed ops of CALL, each of which is a whole listing, have shown. */
static bool describe_shown(const struct nfs_call *call, char *text)
{
    const struct sequence_state *state = call->engine.sequence_state;

    return state && state->shown &&
           nfs_listing_findings_describe(state->shown, call->procedure->rpc.name, listed_path(call),
                                         text, LISTING_CHECK_TEXT);
}

/* An op that lists the beginning of its directory was answered by NFS3ERR_BAD_COOKIE. */
static bool describe_refused(const struct run_series *series, char *text)
{
    struct traversal_limit limit = {0};
    const struct nfs_listing first_page = {.limit = &limit};
    const struct engine_tally *tally = &series->tally;

    for (size_t i = 0; i < ENGINE_ERRORS_MAXIMUM && whole_listing(series->call.procedure); i++)
        if (tally->errors[i].count > 0 && tally->errors[i].status == NFS3ERR_BAD_COOKIE) {
            nfs_listing_describe(&first_page, 0, NFS3ERR_BAD_COOKIE,
                                 series->call.procedure->rpc.name, listed_path(&series->call), text,
                                 LISTING_CHECK_TEXT);
            return true;
        }
    return false;
}

bool listing_check_describe_timed(const struct run_series *series, char text[LISTING_CHECK_TEXT])
{
    const struct nfs_call *call = &series->call;

    if (!call->procedure || !call->objects)
        return false;
    return call->engine.sequence ? describe_shown(call, text) : describe_refused(series, text);
}

bool listing_check_describe(const struct run_series *series, char text[LISTING_CHECK_TEXT])
{
    const struct nfs_call *call = &series->call;

    if (!call->procedure || !call->objects)
        return false;
    return nfs_listing_findings_describe(&call->findings, call->procedure->rpc.name,
                                         listed_path(call), text, LISTING_CHECK_TEXT) ||
           listing_check_describe_timed(series, text);
}

bool listing_check_describe_tree(const struct nfs_objects *objects, char text[LISTING_CHECK_TEXT])
{
    const struct nfs_tree *tree = objects->files ? objects->files->tree : NULL;

    return tree && nfs_listing_findings_describe(&tree->findings, "READDIRPLUS", objects->base_path,
                                                 text, LISTING_CHECK_TEXT);
}
