/* Lines of tshark's, which a capture's contents may shape as nobody expects: no more is answered
 * than was called, and the workload that comes of it can be written and read. */
#include <string.h>

#include "capture/traffic.h"
#include "text.h"

static void check(const struct profile *profile, struct workload *workload)
{
    struct error error = {.text = ""};
    size_t length;
    char *text;

    for (size_t i = 0; i < PROFILE_PROCEDURES; i++)
        FUZZ_CHECK(profile->procedures[i].replies <= profile->procedures[i].calls);
    if (workload->mix.count == 0)
        return;
    text = text_written(workload_write, workload, &length);
    FUZZ_CHECK(workload_read(workload, text_file((uint8_t *)text, length), &error) == 0);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct workload workload;
    struct profile *profile = calloc(1, sizeof *profile);
    struct workload_fill *fill = workload_fill_open(100, true);
    struct traffic *traffic = traffic_open(profile, fill);
    char *text = strndup((const char *)data, size), *rest = text, *line;

    while ((line = strsep(&rest, "\n")))
        traffic_add(traffic, line);
    traffic_close(traffic);
    workload_fill_finish(fill, profile_seconds(profile), &workload);
    check(profile, &workload);
    workload_fill_close(fill);
    free(profile);
    free(text);
    return 0;
}
