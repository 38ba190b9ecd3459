#include "commands.h"

#include "cli/command_line.h"

const struct command *const commands_of_nfsbench[] = {
    &command_run,     &command_sweep,
    &command_explain, &command_characterize,
    &command_outage,  &command_profile,
    &command_compare, &command_history,
    &command_report,  &command_clean,
    &command_doctor,  &command_serve,
    &command_agent,   NULL,
};
