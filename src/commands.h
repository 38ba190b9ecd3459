/* All commands and their shared options. */
#pragma once

#include "job/command.h"

extern const struct command_table commands_of_nfsbench;
