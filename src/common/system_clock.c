#include "common/system_clock.h"

#include <string.h>

char *system_clock_text(time_t at, char text[SYSTEM_CLOCK_TEXT_SIZE])
{
    struct tm local;

    localtime_r(&at, &local);
    if (strftime(text, SYSTEM_CLOCK_TEXT_SIZE - 1, "%Y-%m-%dT%H:%M:%S%z", &local) == 24) {
        memmove(text + 23, text + 22, 3); /* RFC 3339 has a colon in the offset */
        text[22] = ':';
    }
    return text;
}
