/* A form that results can be written in. Each is a struct form in a file of its own, and a line in
 * the list of them all (job/forms.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "output/form/file.h"
#include "output/result/kind.h"
#include "output/view/view.h"

/* One of the files of a form that has several. */
struct form_file {
    char path[4200];
    file_writer writer; /* NULL: there is nothing to write */
    const void *data;
};

struct form {
    /* By kind, for the struct that output/result/kind.h names there; NULL: the kind has no such
     * form. */
    file_writer writers[RESULT_KINDS];
    /* Where WRITERS have none: of every kind that has a view; NULL: there is no such form. */
    int (*write_view)(const struct view *view, const void *result, FILE *out);
    /* Where it is several files: the INDEX-th of RESULT, of which PATH is what the user gave; false
     * past the last. RESULT is NULL before there is one: then the first is asked for, whose path is
     * to be checked. NULL: it is one file, PATH. */
    bool (*file_at)(const void *result, const char *path, size_t index, struct form_file *file);
};
