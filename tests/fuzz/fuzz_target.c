/* Targets in any notation. If a target is accepted, it is complete; and written in the plain
 * notation, it is parsed to the same target. */
#include <ctype.h>

#include "target/target.h"
#include "text.h"

static bool can_be_plain(const struct target *target)
{
    return !target->self && !target->mounted && !strchr(target->host, ']');
}

static void parse_again(const struct target *target)
{
    char text[TARGET_HOST_SIZE + TARGET_PATH_SIZE + 4];
    struct target again;
    struct error error;

    snprintf(text, sizeof text, "[%s]:%s", target->host, target->path);
    FUZZ_CHECK(target_parse(text, &again, &error) == 0);
    FUZZ_CHECK(strcmp(again.host, target->host) == 0 && strcmp(again.path, target->path) == 0);
}

static void check(const struct target *target)
{
    size_t length = strnlen(target->path, sizeof target->path);

    FUZZ_CHECK(strnlen(target->host, sizeof target->host) < sizeof target->host);
    FUZZ_CHECK(length < sizeof target->path);
    FUZZ_CHECK(length <= 1 || target->path[length - 1] != '/');
    if (target->mounted) {
        FUZZ_CHECK(length > 0 && !target->host[0] && !target->self);
        return;
    }
    FUZZ_CHECK(target->self ? length == 0 || target->path[0] == '/' : target->path[0] == '/');
    FUZZ_CHECK(target->self || target->host[0]);
    if (can_be_plain(target))
        parse_again(target);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    struct target target;
    struct error error = {.text = ""};

    if (target_parse(text, &target, &error) == 0)
        check(&target);
    else
        FUZZ_CHECK(error.kind == ERROR_USAGE && error.text[0]);
    free(text);
    return 0;
}
