/* The kernel's texts, which a container's file system may forge: /proc/stat, /proc/net/dev and a
 * thread's status. */
#include "measure/counters.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct counters counters;
    double voluntary, involuntary;
    FILE *file;

    if (size == 0)
        return 0;
    file = fmemopen((void *)(uintptr_t)data, size, "r");
    FUZZ_CHECK(file);
    counters_clear(&counters);
    counters_parse_stat(&counters, file);
    rewind(file);
    counters_parse_interfaces(&counters, file);
    FUZZ_CHECK(counters.interface_count <= COUNTERS_INTERFACES_MAXIMUM);
    for (size_t i = 0; i < counters.interface_count; i++)
        FUZZ_CHECK(memchr(counters.interfaces[i].name, '\0', sizeof counters.interfaces[i].name));
    rewind(file);
    counters_parse_switches(file, &voluntary, &involuntary);
    fclose(file);
    return 0;
}
