#include "commands.h"

#include "cli/command_line.h"
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

const struct command *const commands_of_nfsbench[] = {COMMANDS(ENTRY) NULL};
