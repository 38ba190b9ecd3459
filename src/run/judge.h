/* Is the result trustworthy? Collects a session's evidence for measure/validity.h. */
#ifndef NFSBENCH_RUN_JUDGE_H
#define NFSBENCH_RUN_JUDGE_H

#include "output/result.h"
#include "run/session.h"

/* Fill in RESULT's validity, when everything else is filled in. CALLS is the number of calls of all
 * series together. */
void judge_result(struct result *result, const struct session *session, uint64_t calls);

#endif
