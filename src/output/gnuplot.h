/* gnuplot as a child: commands in, a picture out. */
#ifndef NFSBENCH_OUTPUT_GNUPLOT_H
#define NFSBENCH_OUTPUT_GNUPLOT_H

#include <stddef.h>

#include "common/error.h"

/* Bytes in memory; DATA is from malloc() and has a 0 behind its LENGTH bytes. */
struct bytes {
    char *data;
    size_t length;
};

/* Have gnuplot carry out SCRIPT, which must leave its output where it is, on standard output; that
 * goes to PICTURE, to be freed by the caller. No file of the user's settings is read. 0, or a
 * negative errno with ERROR set: -ENOENT without gnuplot, -ETIMEDOUT where it takes longer than
 * half a minute, -EIO where it complains, with its complaint. PICTURE holds nothing then. */
int gnuplot_run(const struct bytes *script, struct bytes *picture, struct error *error);

#endif
