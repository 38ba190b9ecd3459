#include "picture/plot.h"

#include <errno.h>
#include <string.h>

#include "output/form/file.h"

int plot_output_for(struct plot_output *output, const char *path, struct error *error)
{
    static const struct {
        const char *ending;
        enum plot_format format;
    } formats[] = {{".svg", PLOT_SVG}, {".png", PLOT_PNG}, {".pdf", PLOT_PDF}};
    const char *ending = strrchr(path, '.');

    for (size_t i = 0; ending && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(ending, formats[i].ending) == 0) {
            output->format = formats[i].format;
            return file_check("--output", path, error);
        }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--output '%.200s': a picture's name ends in .svg, .png or .pdf", path);
}

static int write_bytes(const void *data, FILE *out)
{
    const struct bytes *bytes = data;

    return fwrite(bytes->data, 1, bytes->length, out) == bytes->length ? 0 : -errno;
}

int plot_write(const struct bytes *picture, const char *path, struct error *error)
{
    return file_write(write_bytes, picture, "the picture", path, error);
}
