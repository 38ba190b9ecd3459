#include "job/forms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "job/command.h"
#include "job/console.h"
#include "output/form/existing.h"
#include "output/view/text.h"

/* Forms in which every result with a view can be written. */
const struct form form_json = {.write_view = view_write_json};
const struct form form_csv = {.write_view = view_write_csv};
const struct form form_markdown = {.write_view = view_write_markdown};

#define FORM_ENTRY(name, letter, groups, argument, help)      {"--" #name, &form_##name},
#define UNIT_FORM_ENTRY(name, letter, groups, argument, help) {"--" #name, NULL},

static const struct {
    const char *option;
    const struct form *form; /* NULL: a form of a command (struct command_form) */
} forms[FORMS_COUNT] = {CORE_FORMS(FORM_ENTRY) UNIT_FORMS(UNIT_FORM_ENTRY)};

static const struct form *form_at(enum form_id id)
{
    const struct form *form = forms[id].form;
    const struct command *command;

    for (size_t i = 0; !form && (command = command_at(i)); i++)
        for (const struct command_form *own = command->forms; own && own->form; own++)
            if (own->id == id)
                form = own->form;
    return form;
}

bool forms_has(const struct form *form, enum result_kind kind)
{
    return form->writers[kind] || (form->write_view && view_of_kind(kind));
}

int form_data_write(const void *data, FILE *out)
{
    const struct form_data *of = data;
    const file_writer own = of->form->writers[of->kind];

    return own ? own(of->result, out)
               : of->form->write_view(view_of_kind(of->kind), of->result, out);
}

static void list_forms(enum result_kind kind, char *out, size_t size)
{
    out[0] = '\0';
    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        if (forms_has(form_at(id), kind))
            append_item(out, size, "%s", forms[id].option);
}

static int refuse_form(enum form_id id, enum result_kind kind, struct error *error)
{
    char list[200];

    list_forms(kind, list, sizeof list);
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "%s can't be written with %s; leave %s out, or use one of %s",
                     result_kind_name(kind), forms[id].option, forms[id].option, list);
}

static void first_file(const struct form *form, const char *path, enum result_kind kind,
                       struct form_file *file)
{
    snprintf(file->path, sizeof file->path, "%.4096s", path);
    file->writer = forms_has(form, kind) ? form_data_write : NULL;
    if (form->file_at)
        form->file_at(NULL, path, 0, file);
}

static int check_kind(const form_paths paths, enum result_kind kind, struct error *error)
{
    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        if (paths[id] && !forms_has(form_at(id), kind))
            return refuse_form(id, kind, error);
    return 0;
}

/* Add PLAN's ops, except null, to CLAIM. Add none if an op is from a group or a mix, because the
 * result may leave the op out, and none on a mount, because ops have other names there. */
static void claim_ops(json_t *claim, const struct run_plan *plan)
{
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->from_group[i] || plan->target.mounted || plan->through_mount)
            return;
    existing_claim_add(claim, "op", NULL);
    for (size_t i = 0; i < plan->op_count; i++)
        if (strcmp(plan->ops[i]->op, "null") != 0)
            existing_claim_add(claim, "op", plan->ops[i]->op);
}

/* Return the known properties of the result that will be written: only KIND if PLAN is NULL. */
static json_t *claim_of(const struct options *options, enum result_kind kind,
                        const struct run_plan *plan)
{
    json_t *claim = existing_claim(kind);

    if (!plan)
        return claim;
    if (plan->preset)
        existing_claim_add(claim, "preset", plan->preset);
    existing_claim_machine(claim, !plan->no_hostname);
    existing_claim_add(claim, "target", plan->target_text);
    if (options->versus.text)
        existing_claim_add(claim, "target", options->versus.text);
    if (!plan->only_sets_up)
        claim_ops(claim, plan);
    return claim;
}

static int check_op_files(enum form_id id, const char *path, const struct run_plan *plan,
                          struct error *error)
{
    struct result expected = {.op_count = plan->op_count + 2};
    struct result_op *ops = calloc(expected.op_count, sizeof *ops);
    struct form_file file;
    int code = ops ? 0 : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    expected.ops = ops;
    for (size_t i = 0; i < expected.op_count && code == 0; i++)
        ops[i].op = i < plan->op_count    ? plan->ops[i]->op
                    : i == plan->op_count ? "null"
                                          : "null_control";
    for (size_t i = 1; code == 0 && form_at(id)->file_at(&expected, path, i, &file); i++)
        code = file_check(forms[id].option, file.path, error);
    free(ops);
    return code;
}

/* Return whether FORM, written to PATH, would write a file called OTHER for an op of any name. */
static bool makes_file(const struct form *form, const char *path, const char *other)
{
    const char *begin = strrchr(other, '/'), *of_path = strrchr(path, '/'), *end;
    struct result_op op = {.op = NULL};
    const struct result expected = {.ops = &op, .op_count = 1};
    char name[NAME_MAX + 1];
    struct form_file file;

    begin = begin ? begin + 1 : other;
    of_path = of_path ? of_path + 1 : path;
    end = strrchr(begin, '.');
    if (!form->file_at || !end || strncmp(begin, of_path, strlen(of_path)) != 0)
        return false;
    begin += strlen(of_path);
    if (*begin++ != '-' || begin > end)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
    op.op = name;
    return form->file_at(&expected, path, 1, &file) && file_is_same(file.path, other);
}

/* Check that no form with one file per op overwrites one of the COUNT FILES of another option. */
static int check_others(const struct options *options, const struct file_form *files, size_t count,
                        struct error *error)
{
    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        for (size_t i = 0; options->forms[id] && i < count; i++)
            if (files[i].path && files[i].option != forms[id].option &&
                makes_file(form_at(id), options->forms[id], files[i].path))
                return error_set(
                    error, ERROR_USAGE, -EINVAL,
                    "%s %.300s: %s %.300s writes a file of the same name; give another name",
                    files[i].option, files[i].path, forms[id].option, options->forms[id]);
    return 0;
}

int forms_check(const struct options *options, enum result_kind kind, const struct run_plan *plan,
                struct error *error)
{
    const char *const *paths = options->forms;
    struct form_file first[FORMS_COUNT];
    struct file_form files[FORMS_COUNT + 2] = {
        {"--output", options->output, .checked = true},
        {"--interval-log", options->interval_log, .checked = true}};
    size_t count = 2;
    json_t *claim = claim_of(options, kind, plan);
    int code = check_kind(options->forms, kind, error);

    for (enum form_id id = 0; id < FORMS_COUNT && code == 0; id++) {
        if (!paths[id])
            continue;
        first_file(form_at(id), paths[id], kind, &first[id]);
        files[count] = (struct file_form){forms[id].option, first[id].path, first[id].writer,
                                          id == FORM_json ? claim : NULL};
        count++;
        if (form_at(id)->file_at && plan)
            code = check_op_files(id, paths[id], plan, error);
    }
    if (code == 0)
        code = file_forms_check(files, count, error);
    if (code == 0)
        code = check_others(options, files, count, error);
    json_decref(claim);
    return code;
}

bool forms_are_wanted(const form_paths paths)
{
    bool wanted = false;

    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        wanted = wanted || paths[id];
    return wanted;
}

bool forms_on_stdout(const form_paths paths)
{
    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        if (paths[id] && strcmp(paths[id], "-") == 0)
            return true;
    return false;
}

int forms_next_error(int code, struct error *error, int next_code, const struct error *next)
{
    if (next_code == 0)
        return code;
    if (code)
        error_print(error);
    *error = *next;
    return next_code;
}

static int write_files(enum form_id id, const char *path, const void *data,
                       const struct file_result *result, struct error *error)
{
    struct form_file file;
    struct error next;
    int code = 0;

    for (size_t i = 0; form_at(id)->file_at(data, path, i, &file); i++)
        if (file.writer)
            code = forms_next_error(code, error,
                                    file_write_result(result, file.writer, file.data,
                                                      forms[id].option, file.path, &next),
                                    &next);
    return code;
}

static int write_form(enum form_id id, const char *path, enum result_kind kind, const void *result,
                      struct error *error)
{
    const struct form *form = form_at(id);
    const struct form_data json = {&form_json, kind, result}, other = {form, kind, result};
    const struct form_data *data = form == &form_json ? &json : &other;
    const struct file_result whole = {form_data_write, &json};

    if (!forms_has(form, kind))
        return refuse_form(id, kind, error);
    if (form->file_at)
        return write_files(id, path, result, &whole, error);
    return file_write_result(&whole, form_data_write, data, forms[id].option, path, error);
}

int forms_write(const form_paths paths, enum result_kind kind, const void *result,
                struct error *error)
{
    struct error next;
    int code = 0;

    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        code = error_set(error, ERROR_FAILED, errno ? -errno : -EIO, "writing the table: %s",
                         error_of_write(errno ? -errno : -EIO));
    clearerr(stdout);
    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        if (paths[id])
            code = forms_next_error(code, error, write_form(id, paths[id], kind, result, &next),
                                    &next);
    return code;
}

/* Does a form or the file of --output go to standard output? */
static bool is_stdout_taken(const struct options *options)
{
    return forms_on_stdout(options->forms) ||
           (options->output && strcmp(options->output, "-") == 0);
}

int forms_show(const struct options *options, enum result_kind kind, const void *result,
               forms_printer *print, struct error *error)
{
    if (!options->plan.quiet && !is_stdout_taken(options)) {
        if (print)
            print(options, result, stdout);
        else
            view_write_text(view_of_kind(kind), result, options->verbose, stdout);
    }
    return forms_write(options->forms, kind, result, error);
}
