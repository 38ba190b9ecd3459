/* From a session to its result. */
#ifndef NFSBENCH_CLI_OUTCOME_H
#define NFSBENCH_CLI_OUTCOME_H

#include "cli/session.h"
#include "output/result.h"

/* Fill RESULT in from SESSION, which it points into and which must outlive it, after at least one
 * complete round. CUT_SHORT_BY is the line that says why the run ended early, or NULL. 0 or
 * -ENOMEM. Release it with outcome_free(). */
int outcome_fill(struct result *result, const struct session *session, const char *cut_short_by,
                 struct error *error);
void outcome_free(struct result *result);

#endif
