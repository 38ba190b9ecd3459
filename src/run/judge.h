/* May the result be believed? The evidence of a session, judged by measure/validity.h. */
#ifndef NFSBENCH_RUN_JUDGE_H
#define NFSBENCH_RUN_JUDGE_H

#include "output/result.h"
#include "run/session.h"

/* Fill in RESULT's validity; the rest of it is there. CALLS: of all series together. */
void judge_result(struct result *result, const struct session *session, uint64_t calls);

#endif
