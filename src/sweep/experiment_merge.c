/* Makes an experiment from two sides with complete results, measured in the same rounds; and merges
 * several launches of an experiment. */
#include <errno.h>
#include <string.h>

#include "sweep/experiment.h"

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
}

static int make_room(struct experiment_run *run, size_t count, struct error *error)
{
    run->result.cells = arena_alloc(&run->arena, count, sizeof *run->result.cells);
    run->reference_cell = arena_alloc(&run->arena, count, sizeof *run->reference_cell);
    if (!run->result.cells || !run->reference_cell)
        return no_memory(error);
    run->result.cell_count = count;
    for (size_t i = 0; i < count; i++)
        run->reference_cell[i] = i;
    return 0;
}

static void judge_sides(struct experiment_result *result)
{
    static const char *const letters[] = {"A", "B"};
    const struct result *const sides[] = {result->first, result->second};

    result->validity = (struct validity){.verdict = VERDICT_OK};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        for (size_t j = 0; j < sides[i]->validity.count; j++) {
            struct validity_reason reason = sides[i]->validity.reasons[j];

            snprintf(reason.text, sizeof reason.text, "%s: %.190s", letters[i],
                     sides[i]->validity.reasons[j].text);
            reason.variant = letters[i];
            validity_add_copy(&result->validity, &reason);
        }
}

static int complete_result(struct experiment_run *run, struct error *error)
{
    int code = experiment_judge_contrasts(run, error);

    if (code)
        return code;
    experiment_analyse(&run->result);
    if (run->result.first)
        judge_sides(&run->result);
    else
        experiment_judge(&run->result, &run->doubts);
    return 0;
}

/* Two sides */

/* Set CELL, of the variant SIDE, to one unit with the figures of OP, an op of RESULT. */
static void fill_cell(struct experiment_cell *cell, const struct result *result,
                      const struct result_op *op, const struct variant *side)
{
    const struct run_plan *plan = &side->plan;
    double figures[CELL_FIGURES];

    *cell = (struct experiment_cell){.op = op->op, .variant = side->other, .units = 1};
    cell->setting = (struct cell_setting){.clients = result->config.load.clients,
                                          .connections = result->config.load.connections,
                                          .depth = result->config.load.depth,
                                          .rate = result->config.load.rate};
    for (size_t i = 0; i < plan->op_count; i++)
        if (strcmp(plan->ops[i]->op, op->op) == 0 && plan->ops[i]->transfer != NFS_TRANSFER_NONE)
            cell->setting.size = plan->read_size;
    cell_fill_latencies(figures, cell->within, result, op);
    for (size_t i = 0; i < CELL_FIGURES; i++)
        cell->figures[i][0] = figures[i];
}

static int fill_sides(struct experiment_run *run, const struct differences *differences,
                      struct error *error)
{
    const struct variant *variants = run->plan->variants;
    const size_t count = differences->count;
    int code = make_room(run, 2 * count, error);

    for (size_t i = 0; i < count && code == 0; i++) {
        const struct op_differences *op = &differences->ops[i];

        fill_cell(&run->result.cells[i], differences->first, op->first, &variants[SIDE_FIRST]);
        fill_cell(&run->result.cells[count + i], differences->second, op->second,
                  &variants[SIDE_SECOND]);
        run->reference_cell[count + i] = i;
    }
    if (code == 0)
        code = experiment_make_contrasts(run, error);
    for (size_t i = 0; i < count && code == 0; i++)
        experiment_add_differences(run, count + i, &differences->ops[i]);
    return code ? code : complete_result(run, error);
}

int experiment_of_sides(struct experiment_run *run, const struct experiment_plan *plan,
                        const struct group *group, struct error *error)
{
    const struct outcome *first = &group->outcomes[SIDE_FIRST],
                         *second = &group->outcomes[SIDE_SECOND];
    struct differences differences;
    int code = group_compare(&differences, first, second, error);

    experiment_begin(run, plan, group->sessions[SIDE_FIRST].started);
    snprintf(run->transport, sizeof run->transport, "%s", first->result.target.transport);
    snprintf(run->client_cpus, sizeof run->client_cpus, "%s", first->result.config.client_cpus);
    run->result.first = &first->result;
    run->result.second = &second->result;
    run->result.interleaved = true;
    run->result.units_done = run->result.units_planned = 2 * differences.count;
    if (code == 0)
        code = fill_sides(run, &differences, error);
    free(differences.ops);
    return code;
}

/* Launches */

/* Return a number that identifies the servers of launch ONE. With two sides, this is the sum of
 * both servers' numbers, which changes if a side's server changes. Otherwise the number is 0 for
 * every launch: either each launch has its own server, or all launches share one server. */
static unsigned servers_of(const struct experiment_result *one)
{
    return one->first && one->first->launch_count > 0 && one->second->launch_count > 0
               ? one->first->launches->server + one->second->launches->server
               : 0;
}

/* Return how many of the COUNT LAUNCHES measured CELL. */
static size_t count_measured(const struct experiment_result *const launches[], size_t count,
                             const struct experiment_cell *cell)
{
    size_t measured = 0;

    for (size_t i = 0; i < count; i++) {
        const struct experiment_cell *found = experiment_find_cell(launches[i], cell);

        measured += found && found->units > 0;
    }
    return measured;
}

/* Add launch *ONE to the cells. SAME is the number of launches just before *ONE that had the same
 * servers. If none of the SAME launches measured a cell, *ONE becomes a new unit of the cell.
 * Otherwise the cell's last unit becomes the mean of *ONE and these launches. If a cell keeps a
 * single unit, its intervals are those of the launch, which are unknown if several launches were
 * averaged. */
static void add_cells(struct experiment_run *run, const struct experiment_result *const one[],
                      size_t same)
{
    for (size_t i = 0; i < run->result.cell_count; i++) {
        struct experiment_cell *cell = &run->result.cells[i];
        const struct experiment_cell *found = experiment_find_cell(*one, cell);
        const size_t before = count_measured(one - same, same, cell);
        const bool joins = before > 0;
        const size_t at = cell->units - joins;

        cell->out_of_reach |= found && found->out_of_reach;
        if (!found || found->units == 0)
            continue;
        for (size_t j = 0; j < CELL_FIGURES; j++) {
            const double level = found->intervals[j].estimate, mean = cell->figures[j][at];

            cell->figures[j][at] = joins ? mean + (level - mean) / (double)(before + 1) : level;
            cell->within[j] = joins ? (struct interval){NAN, NAN, NAN} : found->intervals[j];
        }
        cell->order[at] = run->result.units_done++;
        cell->units = at + 1;
        cell->invalid += found->invalid > 0;
    }
}

static void add_contrasts(struct experiment_run *run, const struct experiment_result *one)
{
    for (size_t i = 0; i < one->contrast_count; i++) {
        const struct experiment_contrast *contrast = &one->contrasts[i];
        const struct experiment_cell *cells = run->result.cells,
                                     *cell = experiment_find_cell(&run->result,
                                                                  &one->cells[contrast->second]);

        if (cell && run->reference_cell[cell - cells] != (size_t)(cell - cells))
            experiment_add_difference(run, (size_t)(cell - cells), contrast->quantity,
                                      &contrast->comparison, servers_of(one));
    }
}

static int add_left_out(struct experiment_run *run, const struct experiment_result *one,
                        struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < one->left_out_count && code == 0; i++)
        code = experiment_leave_out(run, one->left_out[i].variant, one->left_out[i].op,
                                    one->left_out[i].depth, one->left_out[i].reason, error);
    return code;
}

static void copy_description(struct experiment_result *merged,
                             const struct experiment_result *first)
{
    merged->preset = first->preset;
    merged->ops = first->ops;
    merged->engine = first->engine;
    merged->client_cpus = first->client_cpus;
    merged->varied = first->varied;
    merged->reference = first->reference;
    merged->check_in_time = first->check_in_time;
    merged->unit_seconds = first->unit_seconds;
    merged->unit_calls = first->unit_calls;
    merged->interleaved = first->interleaved;
}

/* Return how many launches just before launch INDEX have the same servers as that launch; 0 if all
 * launches have the same servers. Launches with the same servers follow one another. */
static size_t same_servers_before(const struct experiment_result *const launches[], size_t count,
                                  size_t index)
{
    const unsigned servers = servers_of(launches[index]);
    size_t before = 0;

    if (servers_of(launches[0]) == servers_of(launches[count - 1]))
        return 0;
    while (before < index && servers_of(launches[index - before - 1]) == servers)
        before++;
    return before;
}

int experiment_merge(struct experiment_run *run, const struct experiment_plan *plan,
                     const struct experiment_result *const launches[], size_t count,
                     struct error *error)
{
    const struct experiment_result *first = launches[0];
    struct experiment_result *merged = &run->result;
    int code = make_room(run, first->cell_count, error);

    if (code)
        return code;
    run->plan = plan;
    copy_description(merged, first);
    for (size_t i = 0; i < first->cell_count; i++)
        merged->cells[i] = (struct experiment_cell){.op = first->cells[i].op,
                                                    .variant = first->cells[i].variant,
                                                    .setting = first->cells[i].setting,
                                                    .has_link = first->cells[i].has_link,
                                                    .link = first->cells[i].link};
    for (size_t i = 0; i < first->contrast_count; i++)
        run->reference_cell[first->contrasts[i].second] = first->contrasts[i].first;
    code = experiment_make_contrasts(run, error);
    for (size_t i = 0; i < count && code == 0; i++) {
        add_cells(run, &launches[i], same_servers_before(launches, count, i));
        add_contrasts(run, launches[i]);
        experiment_note_verdict(&run->doubts, &launches[i]->validity);
        code = add_left_out(run, launches[i], error);
    }
    return code ? code : complete_result(run, error);
}
