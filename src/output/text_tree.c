/* The files of --tree, as text. */
#include <inttypes.h>

#include "common/printable.h"
#include "output/number.h"
#include "output/terminal.h"
#include "output/text.h"

enum { LINE_SIZE = PRINTABLE_SIZE + 512 };

struct line {
    char text[LINE_SIZE];
    size_t length;
};

/* Something that was met: only if it was. */
static void add_met(struct line *line, uint64_t count, const char *what)
{
    if (count > 0 && line->length < LINE_SIZE)
        line->length += (size_t)snprintf(line->text + line->length, LINE_SIZE - line->length,
                                         ", %" PRIu64 " %s", count, what);
}

void text_print_tree(const struct result *result, FILE *out)
{
    const struct result_tree *tree = result->config.tree;
    char files[NUMBER_SIZE];
    struct line line = {.length = 0};

    if (!tree)
        return;
    line.length =
        (size_t)snprintf(line.text, LINE_SIZE, "tree %s: %s files of %.1f MB",
                         printable(tree->path ? tree->path : "?").text,
                         number_grouped((double)tree->files, files), (double)tree->bytes / 1e6);
    add_met(&line, tree->directories, "directories");
    add_met(&line, tree->symlinks, "symbolic links");
    add_met(&line, tree->others, "other objects");
    add_met(&line, tree->vanished, "vanished");
    add_met(&line, tree->denied, "not permitted");
    add_met(&line, tree->loops, "loops");
    if (line.length < LINE_SIZE)
        snprintf(line.text + line.length, LINE_SIZE - line.length,
                 "; found by %" PRIu64 " calls in %.2f s%s", tree->calls,
                 (double)tree->elapsed_ns / 1e9, tree->cut ? "; the rest is left out" : "");
    terminal_print_wrapped(line.text, 4, out);
}
