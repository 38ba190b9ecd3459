#include "commands.h"

#include "cli/command_line.h"
#include "job/option_table.h"
#include "unit_list.h" /* made by CMake (cmake/Module.cmake) */

#define COMMANDS(COMMAND)                                                                          \
    COMMAND(run)                                                                                   \
    COMMAND(sweep)                                                                                 \
    COMMAND(explain)                                                                               \
    COMMAND(characterize)                                                                          \
    UNITS(COMMAND)                                                                                 \
    COMMAND(compare)                                                                               \
    COMMAND(history) COMMAND(report) COMMAND(clean) COMMAND(doctor) COMMAND(serve) COMMAND(agent)

#define DECLARED(name) extern const struct command command_##name;
#define ENTRY(name)    &command_##name,

UNITS(DECLARED)

static const struct command *const commands[] = {COMMANDS(ENTRY) NULL};

const struct command_table commands_of_nfsbench = {commands, option_table};
