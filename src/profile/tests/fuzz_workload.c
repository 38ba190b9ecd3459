/* Fuzz target: a workload file. If it is accepted, the workload can be written and read again, and
 * is then written as the same text. If it is refused, there is an error message. */
#include "workload_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct workload workload, again;
    struct error error = {.text = ""};
    size_t lengths[2];
    char *texts[2];

    if (workload_read(&workload, memory_file(0, data, size), &error) != 0) {
        FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
        return 0;
    }
    show(&view_workload, &workload);
    write_and_read(&workload, &again);
    texts[0] = write_workload(&workload, &lengths[0]);
    texts[1] = write_workload(&again, &lengths[1]);
    FUZZ_CHECK(lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0);
    free(texts[0]);
    free(texts[1]);
    return 0;
}
