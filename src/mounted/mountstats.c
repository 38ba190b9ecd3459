#include "mounted/mountstats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mountstats_procedures[MOUNTSTATS_PROCEDURES] = {
    "NULL",    "GETATTR",     "SETATTR", "LOOKUP", "ACCESS",   "READLINK", "READ",   "WRITE",
    "CREATE",  "MKDIR",       "SYMLINK", "MKNOD",  "REMOVE",   "RMDIR",    "RENAME", "LINK",
    "READDIR", "READDIRPLUS", "FSSTAT",  "FSINFO", "PATHCONF", "COMMIT",
};

const char *const mountstats_counters[MOUNTSTATS_COUNTERS] = {
    "calls",          "transmissions", "timeouts", "bytes_sent",
    "bytes_received", "queue_ms",      "rtt_ms",   "execute_ms",
};

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* Is WORD, and then a space, at AT? The kernel writes a space in a name as \040, as in mountinfo.
 */
static bool starts_with_point(const char *at, const char *point)
{
    for (; *point; point++) {
        char escape[5];
        size_t length = strchr(" \t\n\\", *point) ? 4 : 1;

        snprintf(escape, sizeof escape, length == 4 ? "\\%03o" : "%c", (unsigned char)*point);
        if (strncmp(at, escape, length) != 0)
            return false;
        at += length;
    }
    return strncmp(at, " with fstype nfs ", 17) == 0;
}

/* "device SOURCE mounted on POINT with fstype nfs statvers=1.1" */
static bool is_device(const char *line)
{
    return strncmp(line, "device ", 7) == 0;
}

static bool is_mount(const char *line, const char *point)
{
    const char *at;

    if (!is_device(line))
        return false;
    at = line + 7 + strcspn(line + 7, " \n");
    return strncmp(at, " mounted on ", 12) == 0 && starts_with_point(at + 12, point);
}

static const char *find_mount(const char *text, const char *point)
{
    const char *found = NULL;

    for (const char *line = text; *line; line = next_line(line))
        if (is_mount(line, point))
            found = line;
    return found;
}

/* The line after the mount's at LINE, still its own, that starts with WORD after white space. */
static const char *find_word(const char *line, const char *word)
{
    for (line = next_line(line); *line && !is_device(line); line = next_line(line)) {
        const char *at = line + strspn(line, " \t");

        if (strncmp(at, word, strlen(word)) == 0)
            return at + strlen(word);
    }
    return NULL;
}

static int parse_counters(const char *at, uint64_t counters[MOUNTSTATS_COUNTERS])
{
    for (int i = 0; i < MOUNTSTATS_COUNTERS; i++) {
        char *end;

        at += strspn(at, " ");
        if (*at < '0' || *at > '9')
            return -EBADMSG;
        counters[i] = strtoull(at, &end, 10);
        at = end;
    }
    return 0;
}

int mountstats_find(const char *text, const char *point, struct mountstats *stats)
{
    const char *mount = find_mount(text, point), *version;

    if (!mount)
        return -ENOENT;
    version = find_word(mount, "RPC iostats version: 1.");
    if (!version || (*version != '0' && *version != '1') ||
        strncmp(version + 1, "  p/v: 100003/3 ", 16) != 0)
        return -EBADMSG;
    for (int i = 0; i < MOUNTSTATS_PROCEDURES; i++) {
        char word[16];
        const char *at;

        snprintf(word, sizeof word, "%s:", mountstats_procedures[i]);
        at = find_word(version, word);
        if (!at || parse_counters(at, stats->counters[i]) != 0)
            return -EBADMSG;
    }
    return 0;
}

static char *read_all(FILE *file)
{
    char *text = NULL;
    size_t size = 0;

    return getdelim(&text, &size, '\0', file) > 0 ? text : (free(text), NULL);
}

int mountstats_read(const char *point, struct mountstats *stats)
{
    FILE *file = fopen("/proc/self/mountstats", "re");
    char *text;
    int code;

    if (!file)
        return -errno;
    text = read_all(file);
    fclose(file);
    code = text ? mountstats_find(text, point, stats) : -ENOENT;
    free(text);
    return code;
}

void mountstats_add(struct mountstats *sum, const struct mountstats *before,
                    const struct mountstats *after)
{
    for (int i = 0; i < MOUNTSTATS_PROCEDURES; i++)
        for (int j = 0; j < MOUNTSTATS_COUNTERS; j++)
            if (after->counters[i][j] > before->counters[i][j])
                sum->counters[i][j] += after->counters[i][j] - before->counters[i][j];
}

uint64_t mountstats_sum(const struct mountstats *stats, enum mountstats_counter counter)
{
    uint64_t sum = 0;

    for (int i = 0; i < MOUNTSTATS_PROCEDURES; i++)
        sum += stats->counters[i][counter];
    return sum;
}

void mountstats_describe(const struct mountstats *stats, char *text, size_t size)
{
    size_t used = 0;

    snprintf(text, size, "none");
    for (int i = 0; i < MOUNTSTATS_PROCEDURES && used < size; i++)
        if (stats->counters[i][MOUNTSTATS_CALLS] > 0)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%" PRIu64 " %s", used ? ", " : "",
                                 stats->counters[i][MOUNTSTATS_CALLS], mountstats_procedures[i]);
}
