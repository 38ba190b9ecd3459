/* A form that results can be written in. Each form is a struct form in its own file and a line in
 * the list of forms (job/forms.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "output/form/file.h"
#include "output/result/kind.h"
#include "output/view/view.h"

/* One file of a form that consists of several files. */
struct form_file {
    char path[4200];
    file_writer writer; /* NULL if there is nothing to write */
    const void *data;
};

struct form {
    /* Writers by kind; DATA is the structure that output/result/kind.h names. NULL if the form has
     * no writer of its own for the kind. */
    file_writer writers[RESULT_KINDS];
    /* Writes kinds without a writer of their own, by their views. NULL if none. */
    int (*write_view)(const struct view *view, const void *result, FILE *out);
    /* Sets FILE to file number INDEX of RESULT, where PATH is the user's argument; returns false
     * after the last. Before there is a result, RESULT is NULL and only the first file is asked
     * for, to check its path. NULL if the form is one file, PATH. */
    bool (*file_at)(const void *result, const char *path, size_t index, struct form_file *file);
};
