/* The table of options that are shared by commands. Whoever has the table of commands hands over
 * this one with it (commands_use()): its entries name their parsers, which need what is in job/. */
#pragma once

#include "job/option_entry.h"

/* One without a name ends it. */
extern const struct option_entry option_table[];
