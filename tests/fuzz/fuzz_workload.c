/* A workload file, which anyone may have written: what is accepted is the same when it is written
 * and read again. */
#include "capture/workload.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct workload workload, again;
    struct error error = {.text = ""};
    size_t lengths[2];
    char *texts[2];

    if (workload_read(&workload, text_file(data, size), &error) != 0) {
        FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
        return 0;
    }
    texts[0] = text_written(workload_write, &workload, &lengths[0]);
    FUZZ_CHECK(workload_read(&again, text_file((uint8_t *)texts[0], lengths[0]), &error) == 0);
    texts[1] = text_written(workload_write, &again, &lengths[1]);
    FUZZ_CHECK(lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0);
    free(texts[0]);
    free(texts[1]);
    return 0;
}
