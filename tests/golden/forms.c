/* golden_forms [--hostile] DIRECTORY RESULT.json...: write results to DIRECTORY, each as text and
 * in every form. The results are the bare, full and empty samples of all kinds, and the RESULTs
 * that can be written again.
 * --hostile: replace every text that comes from outside by one that has special characters of each
 * form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "job/forms.h"
#include "output/result/result_file.h"
#include "output/view/terminal.h"
#include "samples.h"

static const char *directory;
static bool hostile;

#define HOSTILE "=1+1|<img src=x onerror=alert(1)>`*]]>-->\"'&amp;\\ \n# \x1b[31m\xc2\x9b\x7f"

/* Set every text in OBJECT that comes from outside to HOSTILE. */
static void make_hostile(const struct field *fields, void *object)
{
    for (const struct field *field = fields; field->kind; field++) {
        const bool many = field->kind == FIELD_ARRAY || field->kind == FIELD_LIST;
        size_t count = 0;
        char *items = many ? (char *)(uintptr_t)field_items(field, object, &count) : NULL;
        void *inner = field->kind == FIELD_OBJECT || field->kind == FIELD_POINTER
                          ? (void *)(uintptr_t)field_object(field, object)
                          : NULL;

        if (field->kind == FIELD_TEXT && field->size == sizeof(char *) && !field->text)
            *(const char **)field_in(field, object) = HOSTILE;
        if (field->kind == FIELD_BUFFER && !field->text)
            snprintf(field_in(field, object), field->size, "%s", HOSTILE);
        if (inner && field->fields)
            make_hostile(field->fields, inner);
        for (size_t i = 0; i < count && field->fields; i++)
            make_hostile(field->fields, items + i * field->item);
    }
}

#define ENTRY(name, letter, commands, argument, help) {#name, &form_##name},

static const struct {
    const char *name;
    const struct form *form;
} forms[FORMS_COUNT] = {FORMS(ENTRY)};

static FILE *create(const char *name, const char *form)
{
    char path[4096];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s.%s", directory, name, form);
    out = fopen(path, "w");
    if (!out) {
        perror(path);
        exit(1);
    }
    return out;
}

static void write_form(file_writer writer, const void *result, const char *name, const char *form)
{
    FILE *out = create(name, form);

    if (writer(result, out) != 0)
        fprintf(out, "FAILED\n");
    fclose(out);
}

static void write_files(const struct form *form, const void *result, const char *name)
{
    struct form_file file;

    for (size_t i = 0; form->file_at(result, "", i, &file); i++)
        if (file.writer)
            write_form(file.writer, file.data, name, file.path + (file.path[0] == '.'));
}

#define BELOW(KIND, key, name) [RESULT_##KIND] = print_below_##KIND,

static void (*const print_below[RESULT_KINDS])(const void *result, FILE *out) = {UNIT_KINDS(BELOW)};

#define WHOLE(KIND, key, name) [RESULT_##KIND] = print_whole_##KIND,

static bool (*const print_whole[RESULT_KINDS])(const void *result, bool verbose,
                                               FILE *out) = {UNIT_KINDS(WHOLE)};

#define COMPLETE(KIND, key, name) [RESULT_##KIND] = complete_##KIND,

static void (*const complete[RESULT_KINDS])(void *result) = {UNIT_KINDS(COMPLETE)};

static void print_text(enum result_kind kind, const void *result, bool verbose, FILE *out)
{
    if (print_whole[kind] && print_whole[kind](result, verbose, out))
        return;
    if (view_of_kind(kind))
        view_write_text(view_of_kind(kind), result, verbose, out);
    if (view_of_kind(kind) && verbose && print_below[kind])
        print_below[kind](result, out);
}

static void write_text(enum result_kind kind, const void *result, const char *name)
{
    static const char *const widths[] = {"80", "200"};

    for (size_t i = 0; i < 2; i++) {
        char form[16];
        FILE *out;

        setenv("COLUMNS", widths[i], 1);
        snprintf(form, sizeof form, "%s.txt", widths[i]);
        out = create(name, form);
        print_text(kind, result, i == 1, out);
        fclose(out);
    }
}

static void write_all(enum result_kind kind, const void *result, const char *name)
{
    if (hostile && view_of_kind(kind))
        make_hostile(view_of_kind(kind)->fields, (void *)(uintptr_t)result);
    write_text(kind, result, name);
    for (size_t i = 0; i < FORMS_COUNT; i++) {
        const struct form_data data = {forms[i].form, kind, result};

        if (!forms_has(forms[i].form, kind))
            continue;
        if (forms[i].form->file_at)
            write_files(forms[i].form, result, name);
        else
            write_form(form_data_write, &data, name, forms[i].name);
    }
}

static void write_samples(enum samples_of of)
{
    static const char *const names[] = {"bare", "full", "empty"};
    struct samples *samples = samples_open(of);

    for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
        char name[64];

        if ((of == SAMPLES_FULL && !samples_have_more(kind)) || !samples->results[kind])
            continue;
        snprintf(name, sizeof name, "%s-%s", names[of], result_kind_key(kind));
        write_all(kind, samples->results[kind], name);
    }
    samples_close(samples);
}

/* Return the result in FILE; NULL if results of its kind can't be written again. */
static const void *result_of(struct result_file *file)
{
    if (file->kind == RESULT_MEASUREMENT)
        return &file->result;
    if (!complete[file->kind])
        return NULL;
    complete[file->kind](file->own);
    return file->own;
}

static void write_recorded(const char *path)
{
    struct result_file file;
    const void *result;
    struct error error;
    char name[256];
    const char *base = strrchr(path, '/');

    if (result_file_read(&file, path, "compare", &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    snprintf(name, sizeof name, "%s", base ? base + 1 : path);
    *strstr(name, ".json") = 0;
    result = result_of(&file);
    if (result)
        write_all(file.kind, result, name);
    result_file_free(&file);
}

int main(int argc, char **argv)
{
    commands_use(&commands_of_nfsbench);
    hostile = argc > 1 && strcmp(argv[1], "--hostile") == 0;
    argc -= hostile;
    argv += hostile;
    if (argc < 2)
        return 2;
    directory = argv[1];
    setenv("TZ", "UTC", 1);
    for (enum samples_of of = SAMPLES_BARE; of <= SAMPLES_EMPTY; of++)
        write_samples(of);
    for (int i = 2; i < argc; i++)
        write_recorded(argv[i]);
    return 0;
}
