#include "run/series/listing_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "nfs/status.h"

/* May the directory be listed with the op WHOLE? Not with --cold or in a replay of a workload,
 * where no calls except the ops' are allowed, and not if PLAN's ops include WHOLE. */
static bool may_list(const struct run_plan *plan, const struct nfs_procedure *whole)
{
    if (plan->working_set.once || plan->working_set.visits)
        return false;
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i] == whole)
            return false; /* the trial call of that op checks the directory */
    return true;
}

/* Does STATUS mean that a listing exceeded a limit? NFS_COOKIE_REPEATED is a fault instead. */
static bool is_check_limit(int status)
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
    if (code == 0 && is_check_limit(status))
        listing.findings.failure[0] = '\0';
    if (code && series_set_can_skip(set, true, code, error)) {
        snprintf(listing.findings.failure, sizeof listing.findings.failure,
                 "%s of %.200s was not complete: %.200s", whole->rpc.name, objects->directory_path,
                 error->text);
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
    const struct nfs_procedure *whole = listing_whole_op(procedure);
    char text[LISTING_FINDINGS_TEXT];
    int code = 0;

    if (whole && !procedure->sequence && may_list(set->plan, whole))
        code = list_whole(set, series, whole, error);
    if (code == 0 && listing_findings(series, text))
        run_plan_warn(set->plan, "%s", text);
    return code;
}
