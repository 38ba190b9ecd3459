/* Fuzz target: lines of tshark. The profile has no more replies than calls, and the workload can be
 * written and read. */
#include "profile/traffic.h"
#include "workload_check.h"

static void read_lines(char *text)
{
    struct captured *captured = calloc(1, sizeof *captured);
    const struct profile *profile = &captured->profile;
    struct traffic *traffic = traffic_open(captured, true);
    char *line;

    while ((line = strsep(&text, "\n")))
        traffic_add(traffic, line);
    traffic_close(traffic);
    for (size_t i = 0; i < profile->procedure_count; i++)
        FUZZ_CHECK(profile->procedures[i].count.replies <= profile->procedures[i].count.calls);
    show(&view_profile, profile);
    if (captured->workload.op_count > 0)
        write_and_read(&captured->workload, &captured->workload);
    free(captured);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    read_lines(text);
    free(text);
    return 0;
}
