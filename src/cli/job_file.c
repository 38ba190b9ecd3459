#include "cli/job_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"

static int refuse(const struct job_file *file, unsigned line, const char *what, const char *text,
                  struct error *error)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "%.200s line %u: %s '%.60s'", file->path, line,
                     what, text);
}

/* TEXT without the space around it. */
static char *strip(char *text)
{
    size_t length;

    text += strspn(text, " \t\r");
    length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

/* Names are those of files, too. */
static bool is_good_name(const char *name)
{
    return *name && *name != '.' && !strpbrk(name, "/]");
}

static int begin_section(struct job_file *file, char *text, unsigned line,
                         struct job_section **section, struct error *error)
{
    size_t length = strlen(text);

    if (text[length - 1] != ']')
        return refuse(file, line, "expected [NAME], not", text, error);
    text[length - 1] = '\0';
    text = strip(text + 1);
    if (!is_good_name(text))
        return refuse(file, line, "a job can't be called", text, error);
    if (strcmp(text, "global") == 0) {
        *section = &file->global;
        return 0;
    }
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->jobs[i].name, text) == 0)
            return refuse(file, line, "there is a second job", text, error);
    if (file->count == JOBS_MAXIMUM)
        return refuse(file, line, "there are too many jobs before", text, error);
    *section = &file->jobs[file->count++];
    (*section)->name = arena_copy(&file->arena, text);
    (*section)->line = line;
    return (*section)->name ? 0 : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
}

static const struct job_setting *find(const struct job_section *section, const char *key)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(section->settings[i].key, key) == 0)
            return &section->settings[i];
    return NULL;
}

static int add_setting(struct job_file *file, struct job_section *section, char *text,
                       unsigned line, struct error *error)
{
    struct job_setting *setting = section ? &section->settings[section->count] : NULL;
    char *equals = strchr(text, '=');

    if (!section)
        return refuse(file, line, "a job's name, such as [first], is missing before", text, error);
    if (equals)
        *equals = '\0';
    text = strip(text);
    if (find(section, text))
        return refuse(file, line, "there is a second", text, error);
    if (section->count == JOB_KEYS_MAXIMUM)
        return refuse(file, line, "there are too many settings before", text, error);
    setting->key = arena_copy(&file->arena, text);
    setting->value = equals ? arena_copy(&file->arena, strip(equals + 1)) : NULL;
    setting->line = line;
    section->count++;
    return setting->key && (setting->value || !equals)
               ? 0
               : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
}

static int parse(struct job_file *file, char *text, struct error *error)
{
    struct job_section *section = NULL;
    char *rest = text, *next;
    int code = 0;

    for (unsigned line = 1; code == 0 && (next = strsep(&rest, "\n")); line++) {
        next = strip(next);
        if (*next == '[')
            code = begin_section(file, next, line, &section, error);
        else if (*next && *next != ';' && *next != '#')
            code = add_setting(file, section, next, line, error);
    }
    if (code == 0 && file->count == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%.200s has no jobs; a job begins with its name, such as [first]",
                         file->path);
    return code;
}

int job_file_read(struct job_file *file, const char *path, struct error *error)
{
    struct input input;
    int code;

    *file = (struct job_file){.path = path};
    code = input_read(&input, path, path, INPUT_LINES_MAXIMUM, error);
    if (code)
        return code;
    code = parse(file, input.text, error);
    free(input.text);
    return code;
}

void job_file_free(struct job_file *file)
{
    arena_free(&file->arena);
}

const struct job_setting *job_file_setting(const struct job_file *file,
                                           const struct job_section *job, const char *key)
{
    const struct job_setting *own = find(job, key);

    return own ? own : find(&file->global, key);
}
