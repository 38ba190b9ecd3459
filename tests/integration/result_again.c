/* result_again FILE json|text|verbose: read the measurement in FILE, and write it in the given
 * form, as the run wrote it. */
#include <stdio.h>
#include <string.h>

#include "output/form/measurement_view.h"
#include "output/result/result_json.h"
#include "output/view/text.h"

int main(int argc, char **argv)
{
    struct result result;
    struct error error;
    int code = argc == 3 ? result_read(&result, argv[1], "result_again", &error) : -1;

    if (code) {
        fprintf(stderr, "%s\n", argc == 3 ? error.text : "usage: result_again FILE FORM");
        return 2;
    }
    if (strcmp(argv[2], "json") == 0)
        code = view_write_json(&view_measurement, &result, stdout);
    else
        view_write_text(&view_measurement, &result, strcmp(argv[2], "verbose") == 0, stdout);
    result_free(&result);
    return code || fflush(stdout) != 0;
}
