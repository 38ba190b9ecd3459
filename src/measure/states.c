#include "measure/states.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

static void add_total(struct state_total *sum, const struct state_total *more)
{
    if (more->count == 0)
        return;
    sum->low_ns = sum->count ? fmin(sum->low_ns, more->low_ns) : more->low_ns;
    sum->high_ns = fmax(sum->high_ns, more->high_ns);
    sum->sum_ns += more->sum_ns;
    sum->count += more->count;
}

static void add_time(struct state_total *total, double ns)
{
    const struct state_total one = {1, ns, ns, ns};

    add_total(total, &one);
}

static double mean_of(const struct state_total *total)
{
    return total->count ? total->sum_ns / (double)total->count : 0;
}

enum task_progress { TASK_RUNS, TASK_ENDED, TASK_WITHOUT_BEGIN };

/* A task is remembered after its end, because its lifetime may be measured later. */
struct task {
    uint64_t number;
    enum task_progress progress;
    unsigned group, state;
    /* BEGUN_NS: begin of the task; ENTERED_NS: begin of its current STATE */
    uint64_t begun_ns, entered_ns;
    uint64_t measured_ns; /* lifetime that another source measured; 0: not measured yet */
    struct state_total states[STATES_MAXIMUM];
};

struct tasks {
    struct states *states;
    struct task *list;
    size_t count, capacity;
};

static struct task *find_task(const struct tasks *tasks, uint64_t number)
{
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->list[i].number == number)
            return &tasks->list[i];
    return NULL;
}

static struct task *add_task(struct tasks *tasks, uint64_t number)
{
    const struct task task = {.number = number};
    int code = array_add(&tasks->list, &tasks->count, &tasks->capacity, &task, sizeof task);

    return code ? NULL : &tasks->list[tasks->count - 1];
}

/* Count TASK as left out, unless it has ended. */
static void leave_out(struct states *states, const struct task *task)
{
    states->without_end += task->progress == TASK_RUNS;
    states->without_begin += task->progress == TASK_WITHOUT_BEGIN;
}

static void begin_task(struct states *states, struct task *task, const struct state_event *event,
                       bool is_new)
{
    if (!is_new)
        leave_out(states, task);
    *task = (struct task){.number = event->task,
                          .progress = TASK_RUNS,
                          .group = event->group,
                          .state = event->state,
                          .begun_ns = event->at_ns,
                          .entered_ns = event->at_ns};
}

/* Handle an event of TASK that is not its begin. If it is TASK's first event (IS_NEW), or if TASK
 * has already ended, mark TASK as lacking its begin. */
static void begin_without(struct task *task, bool is_new)
{
    if (is_new || task->progress == TASK_ENDED)
        task->progress = TASK_WITHOUT_BEGIN;
}

static void leave_state(struct task *task, uint64_t at_ns)
{
    add_time(&task->states[task->state], (double)(at_ns - task->entered_ns));
    task->entered_ns = at_ns;
}

static void add_measured(struct states *states, const struct task *task)
{
    if (task->measured_ns)
        add_time(&states->groups[task->group].measured, (double)task->measured_ns);
}

static void end_task(struct states *states, struct task *task, uint64_t at_ns)
{
    struct state_group *group = &states->groups[task->group];

    leave_state(task, at_ns);
    task->progress = TASK_ENDED;
    add_time(&group->lifetime, (double)(at_ns - task->begun_ns));
    for (size_t i = 0; i < STATES_MAXIMUM; i++)
        add_total(&group->states[i], &task->states[i]);
    add_measured(states, task);
}

static void set_measured(struct states *states, struct task *task, uint64_t ns)
{
    bool late = task->progress == TASK_ENDED && task->measured_ns == 0;

    task->measured_ns = ns;
    if (late)
        add_measured(states, task);
}

static void continue_task(struct states *states, struct task *task, const struct state_event *event)
{
    if (event->type == STATE_TASK_MEASURED) {
        set_measured(states, task, event->measured_ns);
    } else if (task->progress != TASK_RUNS) {
        begin_without(task, false);
    } else if (event->type == STATE_ENTERED) {
        leave_state(task, event->at_ns);
        task->state = event->state;
    } else {
        end_task(states, task, event->at_ns);
    }
}

static int take_event(struct tasks *tasks, const struct state_event *event)
{
    struct task *task = find_task(tasks, event->task);
    bool is_new = !task;

    if (is_new && event->type == STATE_TASK_MEASURED)
        return 0; /* without the task's begin, its lifetime is of no use */
    if (is_new)
        task = add_task(tasks, event->task);
    if (!task)
        return -ENOMEM;
    if (event->type == STATE_TASK_BEGINS)
        begin_task(tasks->states, task, event, is_new);
    else if (is_new)
        begin_without(task, true);
    else
        continue_task(tasks->states, task, event);
    return 0;
}

/* Leave out all tasks of EVENTS, because a task that lacks an event would seem to be in one state
 * while it was in another. */
static void leave_all_out(struct states *states, const struct state_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        states->with_loss += events[i].type == STATE_TASK_BEGINS;
}

int states_add(struct states *states, const struct state_event *events, size_t count, uint64_t lost)
{
    struct tasks tasks = {.states = states};
    int code = 0;

    if (lost > 0) {
        leave_all_out(states, events, count);
        return 0;
    }
    for (size_t i = 0; i < count && code == 0; i++)
        code = take_event(&tasks, &events[i]);
    for (size_t i = 0; i < tasks.count; i++)
        leave_out(states, &tasks.list[i]);
    free(tasks.list);
    return code;
}

static void add_row(struct state_table *table, size_t state, const struct phase_type *type,
                    const struct state_total *total)
{
    double adjusted = total->sum_ns / (double)table->tasks;

    table->rows[table->row_count++] = (struct phase_row){.type = type,
                                                         .phase = state,
                                                         .count = total->count,
                                                         .mean = mean_of(total),
                                                         .adjusted = adjusted,
                                                         .low = total->low_ns,
                                                         .high = total->high_ns};
    table->sum_ns += adjusted;
}

void state_table_make(struct state_table *table, const struct state_group *group,
                      const struct phase_type *const types[STATES_MAXIMUM])
{
    const struct state_total *lifetime;

    memset(table, 0, sizeof *table);
    table->tasks = group->lifetime.count;
    if (table->tasks == 0)
        return;
    table->measured = group->measured.count > 0;
    lifetime = table->measured ? &group->measured : &group->lifetime;
    table->lifetime_ns = mean_of(lifetime);
    table->lifetime_low_ns = lifetime->low_ns;
    table->lifetime_high_ns = lifetime->high_ns;
    for (size_t i = 0; i < STATES_MAXIMUM; i++)
        if (group->states[i].count > 0)
            add_row(table, i, types[i], &group->states[i]);
    table->discrepancy = (table->lifetime_ns - table->sum_ns) / table->lifetime_ns;
    phase_rows_share(table->rows, table->row_count, table->lifetime_ns);
}
