/* nfsbench-schemas DIRECTORY: write the JSON Schema of each kind of result to DIRECTORY, by the
 * fields of its view. For the build. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/forms.h"

static void write_schema(const char *directory, const struct view *view)
{
    char path[4096];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s.json", directory, result_kind_key(view->kind));
    out = fopen(path, "w");
    if (!out || view_write_schema(view, out) != 0 || fclose(out) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
        if (forms_view(kind))
            write_schema(argv[1], forms_view(kind));
    return 0;
}
