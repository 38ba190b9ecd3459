/* Reading files of experiments. */
#include "experiment/experiment.h"
#include "output/result/result.h"

/* Read an experiment. If it has two sides, the first side is also the file's result. */
static int read_experiment(struct result_file *file, const json_t *root, const char *path,
                           struct error *error)
{
    const bool sides = json_find(root, "first");
    struct json_reader reader = {.arena = &file->result.arena, .path = path, .error = error};
    struct experiment_result *experiment = NULL;

    if (sides)
        reader.code = result_file_read_side(root, "first", path, &file->result, error);
    if (sides && reader.code == 0)
        reader.code = result_file_read_side(root, "second", path, &file->second, error);
    if (reader.code == 0)
        file->own = experiment = json_room(&reader, 1, sizeof *experiment);
    if (reader.code == 0)
        experiment_read(&reader, root, experiment);
    if (!sides)
        result_file_read_origin(&reader, root, &file->result);
    if (sides && reader.code == 0) {
        experiment->first = &file->result;
        experiment->second = &file->second;
        file->has_sides = true;
    }
    return reader.code;
}

/* Keep only cells of ops that WANTED names, and their contrasts. Returns whether a cell is left. */
static bool choose_cells(struct result_file *file, const char *wanted)
{
    struct experiment_result *experiment = file->own;
    struct experiment_cell *cells = experiment->cells;
    size_t at[CELLS_MAXIMUM], kept = 0, contrasts = 0;

    for (size_t i = 0; i < experiment->cell_count; i++) {
        at[i] = kept;
        kept += result_names_op(wanted, cells[i].op);
    }
    for (size_t i = 0; i < experiment->contrast_count; i++) {
        struct experiment_contrast *contrast = &experiment->contrasts[contrasts];

        if (!result_names_op(wanted, cells[experiment->contrasts[i].first].op))
            continue;
        *contrast = experiment->contrasts[i];
        contrast->first = at[contrast->first];
        contrast->second = at[contrast->second];
        contrasts++;
    }
    for (size_t i = 0; i < experiment->cell_count; i++)
        if (result_names_op(wanted, cells[i].op))
            cells[at[i]] = cells[i];
    experiment->cell_count = kept;
    experiment->contrast_count = contrasts;
    experiment_complete(experiment);
    return kept > 0;
}

const struct result_reading experiment_reading = {
    .plural = "experiments", .read = read_experiment, .choose = choose_cells};

const struct experiment_result *experiment_of(const struct result_file *file)
{
    return file->kind == RESULT_EXPERIMENT ? file->own : NULL;
}
