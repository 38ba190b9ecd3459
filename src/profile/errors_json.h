#pragma once

#include "engine/engine.h"
#include "nfs/status.h"
#include "output/result/json.h"

/* Return the errors of TALLY as a JSON object: each error's name and number of calls. */
static inline json_t *errors_json(const struct engine_tally *tally)
{
    json_t *errors = json_object();
    char name[NFS_STATUS_NAME_SIZE];

    for (size_t i = 0; i < tally->error_kinds; i++)
        json_object_set_new(errors, nfs_status_name(tally->errors[i].status, name),
                            json_count(tally->errors[i].count));
    return errors;
}
