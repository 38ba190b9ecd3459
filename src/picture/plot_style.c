/* Colours, dashes and labels of ops and files, which are the same in every picture. */
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "engine/engines.h"
#include "nfs/procedures/procedures.h"
#include "picture/panel.h"

/* Colours that colour-blind readers can distinguish (M. Okabe and K. Ito, "Color Universal Design",
 * 2008), without yellow, which is hard to see on white. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                      "#cc79a7", "#e69f00", "#56b4e9"};

/* The numbers of dashes and of colours have no common divisor, so that ops with adjacent numbers
 * differ in both, and COLOURS * DASHES ops have different pairs of a colour and a dash. */
static const char *const dashes[] = {
    "1",     "(14,4)",     "(4,3)",     "(14,4,3,4)",         "(14,3,3,3,3,3)", "(24,6)",
    "(8,8)", "(24,4,8,4)", "(8,3,3,3)", "(24,3,3,3,3,3,3,3)", "(14,4,14,4,3,4)"};
/* Dashes of ops on local files, which have the colours of these ops on the server. Index 0 is for
 * the most common ops, 1 for all others. */
static const char *const local_dashes[] = {"(2,4)", "(2,4,2,10)"};

enum {
    COLOURS = sizeof colours / sizeof colours[0],
    DASHES = sizeof dashes / sizeof dashes[0],
    TEXT_MAXIMUM = 40, /* maximum number of bytes that plot_text() reads */
};

const char *plot_colour(size_t index)
{
    return colours[index % COLOURS];
}

unsigned plot_rgb(const char *colour)
{
    return (unsigned)strtoul(colour + 1, NULL, 16);
}

const char *plot_dash(size_t index)
{
    return dashes[index % DASHES];
}

int plot_point(size_t index)
{
    static const int points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

    return points[index % (sizeof points / sizeof points[0])];
}

static bool is_local(const char *op)
{
    const size_t length = strlen(op), end = strlen(RESULT_LOCAL_END);

    return length > end && strcmp(op + length - end, RESULT_LOCAL_END) == 0;
}

static bool is_called(const char *op, const char *name)
{
    const size_t length = strlen(op) - (is_local(op) ? strlen(RESULT_LOCAL_END) : 0);

    return length == strlen(name) && strncmp(op, name, length) == 0;
}

/* Return a number for OP that determines its style. The first numbers are those of the most common
 * ops. After these come all procedures, ops of engines, and "mix". Adjacent numbers, whose ops are
 * often measured together, have different colours. An unknown name is hashed. */
static size_t place_of(const char *op)
{
    static const char *const common[COLOURS] = {"getattr", "read",   "lookup",
                                                "write",   "access", "readdirplus"};
    const struct nfs_procedure *procedure;
    size_t place = 0, hash = 0;

    for (; place < COLOURS; place++)
        if (is_called(op, common[place]))
            return place;
    for (; (procedure = nfs_procedure_at(place - COLOURS)); place++)
        if (is_called(op, procedure->op))
            return place;
    for (const struct engine_type *const *engine = engine_types; *engine; engine++)
        for (const char *const *own = (*engine)->own_ops; own && *own; own++, place++)
            if (strcmp(op, *own) == 0)
                return place;
    if (strcmp(op, "mix") == 0)
        return place;
    for (const char *letter = op; *letter; letter++)
        hash = 31 * hash + (unsigned char)*letter;
    return hash % (COLOURS * DASHES);
}

struct plot_style plot_style_of(const char *op)
{
    static const int fillings[] = {5, 3, 4, 2, 6, 1, 7};
    size_t place = place_of(op);

    if (strcmp(op, "null_control") == 0)
        return (struct plot_style){"#909090", plot_dash(1), 6, 2};
    if (strcmp(op, "null") == 0)
        return (struct plot_style){"#404040", plot_dash(0), 3, 1};
    return (struct plot_style){.colour = plot_colour(place),
                               .dash = is_local(op) ? local_dashes[place >= COLOURS]
                                                    : plot_dash(place + 1),
                               .filling = fillings[place % (sizeof fillings / sizeof fillings[0])],
                               .line = (int)place + 2};
}

static bool is_harmless(const struct printable_character *character)
{
    uint32_t c = character->code;

    return character->harmless && (c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                                   (c >= 'A' && c <= 'Z') || strchr(" _-.,:/+()[]=#", (int)c));
}

const char *plot_text(const char *text, char out[PANEL_TEXT_SIZE])
{
    struct printable_character character;
    size_t read = 0, written = 0;

    while ((character = printable_first(text + read)).length &&
           read + character.length <= TEXT_MAXIMUM) {
        size_t length = is_harmless(&character) ? character.length : 1;

        memcpy(out + written, is_harmless(&character) ? text + read : "?", length);
        read += character.length;
        written += length;
    }
    out[written] = '\0';
    return out;
}

const char *plot_file_label(const struct result_set *set, size_t file, char out[PANEL_LABEL_SIZE])
{
    const char *path = set->results[file]->path, *slash = strrchr(path, '/');
    char name[PANEL_TEXT_SIZE];

    snprintf(out, PANEL_LABEL_SIZE, "%c  %s", result_set_letter(file),
             plot_text(slash && slash[1] ? slash + 1 : path, name));
    return out;
}
