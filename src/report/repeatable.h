/* The command line in a result file, made harmless for a reader who copies it. */
#pragma once

#include "common/memory.h"
#include "report/report.h"

/* Make COMMAND of the COUNT words in WORDS, a command line from a file that anybody may have
 * written: without the options that have files written or commands run on the machine where it is
 * repeated (struct option_entry, acts). It is refused if it measures nothing, or has options that
 * this version does not know. COMMAND refers to WORDS and to texts in ARENA. 0 or -ENOMEM. */
int repeatable_make(struct report_command *command, const char *const *words, size_t count,
                    struct arena *arena);
