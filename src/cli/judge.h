/* May the result be believed? The evidence of a session, judged by measure/validity.h. */
#ifndef NFSBENCH_CLI_JUDGE_H
#define NFSBENCH_CLI_JUDGE_H

#include "cli/session.h"
#include "output/result.h"

/* Fill in RESULT's validity; the rest of it is there. CALLS: of all series, all told. */
void judge_result(struct result *result, const struct session *session, uint64_t calls);

#endif
