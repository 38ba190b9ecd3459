/* A form of output, such as JSON. Each form is a struct form and a line in a list: CORE_FORMS
 * (job/forms.h) or, for a unit's form, FORMS in the unit's CMakeLists.txt. */
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
    /* Writers by kind of result. Their DATA is the result's structure. A writer is NULL if the form
     * writes the kind by WRITE_VIEW or not at all. */
    file_writer writers[RESULT_KINDS];
    /* Writes a result of a kind without a writer by its VIEW. NULL if the form writes no views. */
    int (*write_view)(const struct view *view, const void *result, FILE *out);
    /* Sets FILE to file number INDEX (from 0) of RESULT, and returns false after the last file.
     * PATH is the argument of the form's option. Before there is a result, RESULT is NULL and INDEX
     * is 0, to check the file's path. If FILE_AT is NULL, the form writes only the file PATH. */
    bool (*file_at)(const void *result, const char *path, size_t index, struct form_file *file);
};
