/* Files that pictures are drawn to. */
#ifndef NFSBENCH_CLI_PICTURE_FILE_H
#define NFSBENCH_CLI_PICTURE_FILE_H

#include "common/error.h"
#include "picture/plot.h"

/* The format of OUTPUT by how PATH ends: .svg, .png or .pdf; and can it be written? 0, or a
 * negative errno with ERROR set (ERROR_USAGE). */
int picture_format(struct plot_output *output, const char *path, struct error *error);

/* Write PICTURE to PATH; - stands for standard output. 0, or a negative errno with ERROR set. */
int picture_write(const struct bytes *picture, const char *path, struct error *error);

#endif
