#include "engine/mounted/mountstats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/mountinfo.h"

static const char *const procedures[MOUNTSTATS_PROCEDURES] = {
    "NULL",    "GETATTR",     "SETATTR", "LOOKUP", "ACCESS",   "READLINK", "READ",   "WRITE",
    "CREATE",  "MKDIR",       "SYMLINK", "MKNOD",  "REMOVE",   "RMDIR",    "RENAME", "LINK",
    "READDIR", "READDIRPLUS", "FSSTAT",  "FSINFO", "PATHCONF", "COMMIT",
};

/* Return whether the text AT begins with POINT and " with fstype nfs ". Only AT has octal escapes,
 * such as \040, for white space and backslashes of names, as in mountinfo. */
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

    for (const char *line = text; *line; line = mountinfo_next_line(line))
        if (is_mount(line, point))
            found = line;
    return found;
}

/* Find the next line of the same mount after LINE that begins with white space and WORD. Returns
 * the text after WORD, or NULL if there is no such line. */
static const char *find_word(const char *line, const char *word)
{
    for (line = mountinfo_next_line(line); *line && !is_device(line);
         line = mountinfo_next_line(line)) {
        const char *at = line + strspn(line, " \t");

        if (strncmp(at, word, strlen(word)) == 0)
            return at + strlen(word);
    }
    return NULL;
}

/* Read up to COUNT numbers from the text AT. Returns how many were read. */
static int parse_numbers(const char *at, uint64_t *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;

        at += strspn(at, " ");
        if (*at < '0' || *at > '9')
            return i;
        numbers[i] = strtoull(at, &end, 10);
        at = end;
    }
    return count;
}

/* Add a connection. AT is the text after "xprt:" in its line. The format is "tcp port bound
 * connected connecting idle SENT received unknown in-flight BACKLOG SLOTS ..." or "udp port bound
 * SENT ...", of which SENT, BACKLOG and SLOTS are used. Other transports are ignored. */
static void add_connection(const char *at, struct mountstats *stats)
{
    enum { SENT = 0, BACKLOG = 4, SLOTS = 5, TCP_BEFORE = 5, UDP_BEFORE = 2 };
    uint64_t numbers[TCP_BEFORE + SLOTS + 1] = {0};
    const uint64_t *from = numbers;

    at += strspn(at, " \t");
    if (strncmp(at, "tcp ", 4) == 0)
        from += TCP_BEFORE;
    else if (strncmp(at, "udp ", 4) == 0)
        from += UDP_BEFORE;
    else
        return;
    parse_numbers(at + 4, numbers, (int)(from - numbers) + SLOTS + 1);
    stats->connections++;
    stats->sends += from[SENT];
    stats->backlog += from[BACKLOG];
    if (from[SLOTS] > stats->slots)
        stats->slots = from[SLOTS];
}

int mountstats_find(const char *text, const char *point, struct mountstats *stats)
{
    const char *mount = find_mount(text, point), *version;

    *stats = (struct mountstats){0};
    if (!mount)
        return -ENOENT;
    version = find_word(mount, "RPC iostats version: 1.");
    if (!version || (*version != '0' && *version != '1') ||
        strncmp(version + 1, "  p/v: 100003/3 ", 16) != 0)
        return -EBADMSG;
    for (int i = 0; i < MOUNTSTATS_PROCEDURES; i++) {
        char word[16];
        const char *at;

        snprintf(word, sizeof word, "%s:", procedures[i]);
        at = find_word(version, word);
        if (!at || parse_numbers(at, stats->counters[i], MOUNTSTATS_COUNTERS) < MOUNTSTATS_COUNTERS)
            return -EBADMSG;
    }
    for (const char *at = version; (at = find_word(at, "xprt:"));)
        add_connection(at, stats);
    return 0;
}

int mountstats_read(const char *point, struct mountstats *stats)
{
    char *text;
    int code = mountinfo_read_file("/proc/self/mountstats", &text);

    if (code == 0)
        code = mountstats_find(text, point, stats);
    free(text);
    return code;
}

static uint64_t growth(uint64_t before, uint64_t after)
{
    return after > before ? after - before : 0;
}

void mountstats_add(struct mountstats *sum, const struct mountstats *before,
                    const struct mountstats *after)
{
    for (int i = 0; i < MOUNTSTATS_PROCEDURES; i++)
        for (int j = 0; j < MOUNTSTATS_COUNTERS; j++)
            sum->counters[i][j] += growth(before->counters[i][j], after->counters[i][j]);
    sum->sends += growth(before->sends, after->sends);
    sum->backlog += growth(before->backlog, after->backlog);
    sum->connections = after->connections;
    sum->slots = after->slots;
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
    text[0] = '\0';
    for (int i = 0; i < MOUNTSTATS_PROCEDURES; i++)
        if (stats->counters[i][MOUNTSTATS_CALLS] > 0)
            append_item(text, size, "%" PRIu64 " %s", stats->counters[i][MOUNTSTATS_CALLS],
                        procedures[i]);
    if (!*text)
        append(text, size, "none");
}
