#include "cli/forms.h"

#include <errno.h>
#include <string.h>

#include "capture/profile.h"
#include "capture/replay.h"
#include "character/character.h"
#include "explain/explain.h"
#include "explain/functions.h"
#include "explain/ladder.h"
#include "explain/states.h"
#include "explain/xdr.h"
#include "outage/outage.h"
#include "output/compare.h"
#include "output/history.h"
#include "output/result_json.h"
#include "output/sec_ladder.h"
#include "output/services.h"
#include "output/sweep.h"
#include "output/text.h"
#include "output/versus.h"

/* JSON: every kind of result has its own writer. */
const struct form form_json = {
    .writers = {[RESULT_MEASUREMENT] = result_write_json,
                [RESULT_VERSUS] = versus_write_json,
                [RESULT_SWEEP] = sweep_write_json,
                [RESULT_SEC_LADDER] = sec_ladder_write_json,
                [RESULT_EXPLANATION] = explain_write_json,
                [RESULT_EXPLANATIONS] = explain_write_ops_json,
                [RESULT_LADDER] = ladder_write_json,
                [RESULT_XDR] = xdr_write_json,
                [RESULT_FUNCTIONS] = functions_write_json,
                [RESULT_STATES] = states_write_json,
                [RESULT_OUTAGE] = outage_write_json,
                [RESULT_PROFILE] = profile_write_json,
                [RESULT_REPLAY] = replay_write_json,
                [RESULT_CHARACTER] = character_write_json,
                [RESULT_COMPARISON] = compare_write_json,
                [RESULT_HISTORY] = history_write_json,
                [RESULT_SERVICES] = services_write_json},
};

const struct form form_csv = {
    .writers = {[RESULT_MEASUREMENT] = result_write_csv,
                [RESULT_SWEEP] = sweep_write_csv,
                [RESULT_SEC_LADDER] = sec_ladder_write_csv,
                [RESULT_EXPLANATION] = explain_write_csv,
                [RESULT_EXPLANATIONS] = explain_write_ops_csv,
                [RESULT_LADDER] = ladder_write_csv,
                [RESULT_XDR] = xdr_write_csv,
                [RESULT_FUNCTIONS] = functions_write_csv,
                [RESULT_STATES] = states_write_csv,
                [RESULT_OUTAGE] = outage_write_csv,
                [RESULT_PROFILE] = profile_write_csv,
                [RESULT_REPLAY] = replay_write_csv,
                [RESULT_COMPARISON] = compare_write_csv,
                [RESULT_HISTORY] = history_write_csv},
};

#define FORM_ENTRY(name, letter, commands, argument, help) {#name, &form_##name},

static const struct {
    const char *name;
    const struct form *form;
} forms[FORMS_COUNT] = {FORMS(FORM_ENTRY)};

/* Refusals */

static void list_forms(enum result_kind kind, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (enum form_id id = 0; id < FORMS_COUNT && used < size; id++)
        if (forms[id].form->writers[kind])
            used += (size_t)snprintf(out + used, size - used, "%s--%s", used ? ", " : "",
                                     forms[id].name);
}

static int refuse(enum form_id id, enum result_kind kind, struct error *error)
{
    char list[200];

    list_forms(kind, list, sizeof list);
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "%s can't be written with --%s; leave --%s out. Its forms are %s",
                     result_kind_name(kind), forms[id].name, forms[id].name, list);
}

/* A form that is wanted, and its file, or the first of its files. */
struct wanted {
    struct form_file file;
    char option[40];
};

static void first_file(enum form_id id, const char *path, enum result_kind kind,
                       struct wanted *wanted)
{
    const struct form *form = forms[id].form;

    snprintf(wanted->option, sizeof wanted->option, "--%s", forms[id].name);
    snprintf(wanted->file.path, sizeof wanted->file.path, "%.4096s", path);
    wanted->file.writer = form->writers[kind];
    if (form->file_at)
        form->file_at(NULL, path, 0, &wanted->file);
}

static int check_kind(const form_paths paths, enum result_kind kind, struct error *error)
{
    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        if (paths[id] && !forms[id].form->writers[kind])
            return refuse(id, kind, error);
    return 0;
}

int forms_check(const form_paths paths, enum result_kind kind, struct error *error)
{
    struct wanted wanted[FORMS_COUNT];
    struct file_form files[FORMS_COUNT];
    size_t count = 0;
    int code = check_kind(paths, kind, error);

    for (enum form_id id = 0; id < FORMS_COUNT && code == 0; id++) {
        if (!paths[id])
            continue;
        first_file(id, paths[id], kind, &wanted[count]);
        files[count] = (struct file_form){wanted[count].option, wanted[count].file.path,
                                          wanted[count].file.writer};
        count++;
    }
    if (code == 0)
        code = file_forms_check(files, count, error);
    return code;
}

bool forms_on_stdout(const form_paths paths)
{
    for (enum form_id id = 0; id < FORMS_COUNT; id++)
        if (paths[id] && strcmp(paths[id], "-") == 0)
            return true;
    return false;
}

/* Writing */

static int write_files(enum form_id id, const char *path, const void *result, struct error *error)
{
    struct wanted wanted;
    int code = 0;

    snprintf(wanted.option, sizeof wanted.option, "--%s", forms[id].name);
    for (size_t i = 0; code == 0 && forms[id].form->file_at(result, path, i, &wanted.file); i++)
        if (wanted.file.writer)
            code = file_write(wanted.file.writer, wanted.file.data, wanted.option, wanted.file.path,
                              error);
    return code;
}

static int write_form(enum form_id id, const char *path, enum result_kind kind, const void *result,
                      struct error *error)
{
    const struct form *form = forms[id].form;
    char option[40];

    if (!form->writers[kind])
        return refuse(id, kind, error);
    if (form->file_at)
        return write_files(id, path, result, error);
    snprintf(option, sizeof option, "--%s", forms[id].name);
    return file_write(form->writers[kind], result, option, path, error);
}

int forms_write(const form_paths paths, enum result_kind kind, const void *result,
                struct error *error)
{
    int code = 0;

    for (enum form_id id = 0; id < FORMS_COUNT && code == 0; id++)
        if (paths[id])
            code = write_form(id, paths[id], kind, result, error);
    return code;
}
