#include "server/habit.h"

#include <string.h>

const char *const habit_names[] = {
    "no-attributes", "coarse-times", "folded-names", "plain-names", "no-cache",    "small-cache",
    "slow-sync",     "always-sync",  "new-verifier", "low-ports",   "needs-mount", NULL,
};

unsigned habit_find(const char *name)
{
    for (unsigned i = 0; habit_names[i]; i++)
        if (strcmp(habit_names[i], name) == 0)
            return 1u << i;
    return 0;
}
