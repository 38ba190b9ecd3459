/* Files of surveys, read again for compare and report: their parts. */
#include <stdio.h>
#include <string.h>

#include "output/result/result_json.h"
#include "survey/survey.h"

const char *const survey_step_keys[] = {"services", "calls", "large_reads", "writes", "load",
                                        "stream",   "alone", "knee",        NULL};

/* The part KEY of a survey in the file PATH; it is none if files of its kind are not read. */
static int read_part(struct json_reader *reader, struct result_file *file, const json_t *part,
                     const char *key)
{
    struct result_file *read = &file->parts[file->part_count];
    char name[400];
    enum result_kind kind;
    int code = result_kind_of_root(part, reader->path, &kind, reader->error);

    if (code)
        return code;
    if (!view_of_kind(kind)->reading || kind == RESULT_SURVEY)
        return 0;
    snprintf(name, sizeof name, "%.300s, %s", reader->path, key);
    code = result_file_read_root(read, part, name, "this", reader->error);
    read->result.path = arena_copy(&read->result.arena, name);
    read->key = key;
    file->part_count++;
    return code;
}

static int read_survey(struct result_file *file, const json_t *root, const char *path,
                       struct error *error)
{
    struct json_reader reader = {.arena = &file->result.arena, .path = path, .error = error};

    result_file_read_origin(&reader, root, &file->result);
    file->parts = json_room(&reader, SURVEY_STEPS, sizeof *file->parts);
    for (size_t i = 0; i < SURVEY_STEPS && reader.code == 0; i++) {
        const json_t *part =
            json_object_get(json_take_object(&reader, root, "parts"), survey_step_keys[i]);

        if (part && reader.code == 0)
            reader.code = read_part(&reader, file, part, survey_step_keys[i]);
    }
    return reader.code;
}

const struct result_reading survey_reading = {.plural = "surveys", .read = read_survey};
