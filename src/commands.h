/* The table of all commands, in the order of the help; NULL ends it. */
#pragma once

#include "job/command.h"

extern const struct command *const commands_of_nfsbench[];
