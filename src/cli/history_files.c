#include "cli/history.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static int add(struct history_files *files, const char *path, size_t maximum, struct error *error)
{
    if (files->count == maximum)
        return error_set(error, ERROR_USAGE, -E2BIG,
                         "more than %zu files; give fewer of them, such as those of this year",
                         maximum);
    files->paths[files->count] = arena_copy(&files->arena, path);
    return files->paths[files->count++]
               ? 0
               : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the files' names");
}

static int ends_in_json(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static int add_directory(struct history_files *files, const char *path, size_t maximum,
                         struct error *error)
{
    struct dirent **entries;
    int found = scandir(path, &entries, ends_in_json, alphasort), code = 0;

    if (found < 0)
        return error_set(error, ERROR_USAGE, -errno, "reading the directory %.200s: %s", path,
                         strerror(errno));
    for (int i = 0; i < found; i++) {
        char name[PATH_SIZE + 300];

        snprintf(name, sizeof name, "%.*s/%s", PATH_SIZE, path, entries[i]->d_name);
        if (code == 0)
            code = add(files, name, maximum, error);
        free(entries[i]);
    }
    free(entries);
    return code;
}

static bool is_directory(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int history_files_find(struct history_files *files, char *const *words, size_t count,
                       size_t maximum, struct error *error)
{
    int code = 0;

    *files = (struct history_files){.count = 0};
    files->paths = arena_alloc(&files->arena, maximum, sizeof *files->paths);
    if (!files->paths)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the files' names");
    for (size_t i = 0; i < count && code == 0; i++)
        code = is_directory(words[i]) ? add_directory(files, words[i], maximum, error)
                                      : add(files, words[i], maximum, error);
    return code;
}

void history_files_free(struct history_files *files)
{
    arena_free(&files->arena);
}
