/* Can an explanation be relied on? */
#pragma once

#include "explain/explain.h"
#include "run/outcome.h"

/* Set the validity of COUNT OPS to the one in OUTCOME: that of SESSION's blocks as a run of their
 * own, and the reasons to doubt the phases. As outcome_fill(), whose arguments these are. */
int explain_judge(struct explanation *ops, size_t count, struct outcome *outcome,
                  const struct session *session, struct error *error);
