/* Names and comparisons of cells. */
#include <string.h>

#include "common/counted.h"
#include "experiment/experiment.h"
#include "output/view/number.h"

bool same_text(const char *first, const char *second)
{
    return first && second ? strcmp(first, second) == 0 : first == second;
}

bool cells_differ_in_load_only(const struct experiment_cell *first,
                               const struct experiment_cell *second)
{
    return strcmp(first->op, second->op) == 0 && same_text(first->variant, second->variant) &&
           first->setting.size == second->setting.size;
}

double cell_in_flight(const struct cell_setting *setting)
{
    return (double)setting->clients * setting->connections * setting->depth;
}

static bool is_same_cell(const struct experiment_cell *first, const struct experiment_cell *second)
{
    const struct cell_setting *a = &first->setting, *b = &second->setting;

    return cells_differ_in_load_only(first, second) && a->clients == b->clients &&
           a->connections == b->connections && a->depth == b->depth && a->rate == b->rate;
}

const struct experiment_cell *experiment_find_cell(const struct experiment_result *experiment,
                                                   const struct experiment_cell *like)
{
    for (size_t i = 0; i < experiment->cell_count; i++)
        if (is_same_cell(&experiment->cells[i], like))
            return &experiment->cells[i];
    return NULL;
}

const char *cell_name(const struct experiment_cell *cell, char out[CELL_NAME_SIZE])
{
    const uint32_t size = cell->setting.size;
    char text[NUMBER_SIZE];

    snprintf(out, CELL_NAME_SIZE, size > 0 ? "%.20s %.20s" : "%.20s", cell->op,
             number_binary(size, text));
    return out;
}

const char *cell_label(const struct experiment_result *experiment,
                       const struct experiment_cell *cell, bool with_variant, char room[FIELD_ROOM])
{
    const struct cell_setting *setting = &cell->setting;

    cell_name(cell, room);
    if (cell->variant && with_variant)
        field_append(room, ", %s", cell->variant);
    if (experiment->varies_clients)
        field_append(room, ", %s", counted(setting->clients, "client").text);
    if (experiment->varies_depth)
        field_append(room, ", depth %u", setting->depth);
    if (setting->rate > 0)
        field_append(room, ", %.6g/s", setting->rate);
    return room;
}
