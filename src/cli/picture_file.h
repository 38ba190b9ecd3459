/* Picture files. */
#ifndef NFSBENCH_CLI_PICTURE_FILE_H
#define NFSBENCH_CLI_PICTURE_FILE_H

#include "common/error.h"
#include "picture/plot.h"

/* Set the format of OUTPUT by the ending of PATH (.svg, .png or .pdf), and check that PATH can be
 * written. 0, or a negative errno with ERROR set (ERROR_USAGE). */
int picture_format(struct plot_output *output, const char *path, struct error *error);

/* Write PICTURE to PATH; - is standard output. 0, or a negative errno with ERROR set. */
int picture_write(const struct bytes *picture, const char *path, struct error *error);

#endif
