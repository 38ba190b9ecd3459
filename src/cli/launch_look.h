/* A look at the launches so far: are more of them needed, and how many? */
#pragma once

#include "output/result.h"

struct launch_look {
    bool
        precise; /* all intervals over the launches are narrow enough; true before the first look */
    bool has_plan;
    struct result_plan plan; /* of the op that takes longest to be precise */
};

/* Look at the results of COUNT launches of one side. */
void launch_look_at(struct launch_look *look, const struct result *results, size_t count);

/* How many launches to add to TOTAL, which took SPENT_NS, before the next look, in LEFT_NS at most.
 * *ROUNDS_NS is set to the time for the rounds of each, unless there is no plan. */
size_t launch_look_further(const struct launch_look *look, size_t total, uint64_t spent_ns,
                           uint64_t left_ns, uint64_t *rounds_ns);
