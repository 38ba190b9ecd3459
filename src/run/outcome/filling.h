/* Inside of what makes a result of a session: its parts, each of which fills in some of it. */
#pragma once

#include "run/outcome/outcome.h"

/* A result being made; a lack of memory sets FAILED. */
struct filling {
    struct outcome *outcome;
    struct result *result;
    const struct session *session;
    bool failed;
};

/* In the result's arena: COUNT items of SIZE bytes, zeroed, and a copy of TEXT. */
void *filling_room(struct filling *filling, size_t count, size_t size);
const char *filling_copy(struct filling *filling, const char *text);

/* Host, target, configuration, rounds and clock. */
void filling_settings(struct filling *filling);

/* The ops with what their costs are estimated from, and the ops that were skipped. */
void filling_ops(struct filling *filling);
