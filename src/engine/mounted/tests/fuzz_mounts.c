/* Fuzzes the kernel's texts about mounts, in which servers and users choose names. Checks that the
 * strings found are terminated, and not empty except for options' values. */
#include "common/mountinfo.h"
#include "engine/mounted/mountstats.h"
#include "text.h"

#define CHECK_TEXT(buffer) FUZZ_CHECK(memchr(buffer, '\0', sizeof(buffer)))

static void find_mount(const char *text, uint64_t id)
{
    struct mountinfo info;
    char value[MOUNTINFO_VALUE_SIZE];

    if (mountinfo_find(text, id, &info) != 0)
        return;
    CHECK_TEXT(info.point);
    CHECK_TEXT(info.type);
    CHECK_TEXT(info.source);
    CHECK_TEXT(info.options);
    FUZZ_CHECK(info.point[0] && info.type[0] && info.source[0] && info.options[0]);
    if (mountinfo_option(&info, "vers", value))
        CHECK_TEXT(value);
}

static void find_mounts(const char *text)
{
    struct mountstats stats = {0};
    char described[32];

    for (uint64_t id = 20; id < 32; id++)
        find_mount(text, id);
    if (mountstats_find(text, "/mnt", &stats) == 0) {
        mountstats_describe(&stats, described, sizeof described);
        CHECK_TEXT(described);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    find_mounts(text);
    free(text);
    return 0;
}
