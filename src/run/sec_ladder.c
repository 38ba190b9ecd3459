#include "run/sec_ladder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/outcome.h"
#include "run/setup.h"

/* The rungs, from the cheapest on; AUTH_SYS first, against which all are measured. */
static const struct sec_setting settings[] = {
    {SEC_BASE, RPC_FLAVOR_SYS, RPC_XPRTSEC_NONE},  {"none", RPC_FLAVOR_NONE, RPC_XPRTSEC_NONE},
    {"krb5", RPC_FLAVOR_KRB5, RPC_XPRTSEC_NONE},   {"krb5i", RPC_FLAVOR_KRB5I, RPC_XPRTSEC_NONE},
    {"krb5p", RPC_FLAVOR_KRB5P, RPC_XPRTSEC_NONE}, {"tls", RPC_FLAVOR_SYS, RPC_XPRTSEC_TLS},
    {"mtls", RPC_FLAVOR_SYS, RPC_XPRTSEC_MTLS},
};

enum { SETTINGS = sizeof settings / sizeof settings[0], DEPTH_USUAL = 64, SIZES_USUAL = 3 };

static const uint32_t sizes_usual[SIZES_USUAL] = {4096, 65536, 1048576};

static const struct sec_setting *setting_called(const char *name)
{
    size_t i = 0;

    while (strcmp(settings[i].name, name) != 0)
        i++;
    return &settings[i];
}

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
}

/* What the server offers */

struct offer {
    uint32_t flavors[MOUNT_FLAVORS_MAXIMUM]; /* none: any */
    size_t flavor_count;
    uint32_t size_maximum;   /* that it takes in a READ and in a WRITE */
    const char *no_kerberos; /* why it offers none, if that is known */
};

static void take_offer(struct setup *setup, struct offer *offer)
{
    const struct nfs_objects *objects = &setup->objects;
    uint32_t reads, writes;

    memcpy(offer->flavors, setup->mount.flavors, sizeof offer->flavors);
    offer->flavor_count = setup->mount.flavor_count;
    nfs_size_limits(setup->clients[SERVICE_NFS], &objects->root, objects->base_path, &reads,
                    &writes);
    offer->size_maximum = reads < writes ? reads : writes;
}

/* Mount by AUTH_SYS, and look. */
static int ask(const struct run_plan *base, struct offer *offer, struct error *error)
{
    struct setup *setup = malloc(sizeof *setup);
    cpu_set_t allowed = cpu_allowed_set();
    struct run_plan plan = *base;
    int code;

    if (!setup)
        return no_memory(error);
    plan.ops[0] = nfs_procedure_find("null");
    plan.op_count = 1;
    plan.files = plan.directory_size = 0;
    plan.tree = plan.file = NULL;
    plan.no_baseline = true;
    code = setup_open(setup, &plan, NULL, error);
    setup->healthy = code == 0;
    if (code == 0)
        take_offer(setup, offer);
    setup_close(setup);
    free(setup);
    cpu_allow_set(&allowed);
    return code;
}

static bool offers_flavor(const struct offer *offer, const struct sec_setting *setting)
{
    for (size_t i = 0; i < offer->flavor_count; i++)
        if (offer->flavors[i] == setting->flavor)
            return true;
    return offer->flavor_count == 0 || setting->flavor == RPC_FLAVOR_SYS;
}

/* Whether the server has TLS is found out by the first trial. */
static const char *why_not_tls(const struct run_plan *base, const struct sec_setting *setting)
{
    if (base->tls.how != RPC_XPRTSEC_NONE)
        return "--xprtsec has all calls go over TLS";
    if (base->target.self)
        return "the server of self: has no certificate";
    if (base->target.transport != TRANSPORT_TCP)
        return "it needs TCP";
    if (setting->xprtsec == RPC_XPRTSEC_MTLS && !base->tls.files.certificate)
        return "it needs --tls-cert and --tls-key";
    return NULL;
}

/* Why SETTING can't be tried; NULL: it can. */
static const char *why_not(const struct run_plan *base, const struct offer *offer,
                           const struct sec_setting *setting)
{
    if (setting->xprtsec != RPC_XPRTSEC_NONE)
        return why_not_tls(base, setting);
    if (offers_flavor(offer, setting))
        return NULL;
    return offer->no_kerberos && setting->flavor >= RPC_FLAVOR_KRB5
               ? offer->no_kerberos
               : "the server does not offer it";
}

/* What is left out */

static bool is_noted(const struct experiment_result *ladder, const char *security,
                     const struct experiment_cell *point)
{
    for (size_t i = 0; i < ladder->left_out_count; i++) {
        const struct experiment_left_out *left_out = &ladder->left_out[i];

        if (strcmp(left_out->variant, security) == 0 &&
            (!point || (left_out->op && strcmp(left_out->op, point->op) == 0 &&
                        left_out->depth == point->setting.depth)))
            return true;
    }
    return false;
}

/* The flavor SECURITY, with POINT's op and depth, or with all (NULL). Of several reasons, such as
 * for each size, the first is noted. */
static int leave_out(struct sec_ladder_run *run, const char *security,
                     const struct experiment_cell *point, const char *reason, struct error *error)
{
    struct experiment_result *ladder = &run->ladder;
    struct experiment_left_out left_out = {.variant = arena_copy(&run->arena, security),
                                           .op = point ? point->op : NULL,
                                           .depth = point ? point->setting.depth : 0,
                                           .reason = arena_copy(&run->arena, reason)};

    if (!left_out.variant || !left_out.reason)
        return no_memory(error);
    if (!is_noted(ladder, security, point) && ladder->left_out_count < LEFT_OUT_MAXIMUM)
        ladder->left_out[ladder->left_out_count++] = left_out;
    return 0;
}

/* Flavors of the server that are none of the rungs. */
static int leave_out_unknown(struct sec_ladder_run *run, const struct offer *offer,
                             struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < offer->flavor_count && code == 0; i++) {
        char name[24];
        size_t j = 0;

        while (j < SETTINGS && settings[j].flavor != offer->flavors[i])
            j++;
        if (j == SETTINGS)
            code = leave_out(run, rpc_flavor_name(offer->flavors[i], name), NULL,
                             "nfsbench makes no calls by it", error);
    }
    return code;
}

static int leave_out_not_tried(struct sec_ladder_run *run, const struct offer *offer,
                               struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < SETTINGS && code == 0; i++) {
        const char *reason = why_not(&run->plan->base, offer, &settings[i]);

        if (reason)
            code = leave_out(run, settings[i].name, NULL, reason, error);
    }
    return code;
}

/* Points */

static int add_points(struct sec_ladder_run *run, const struct offer *offer,
                      const struct nfs_procedure *op, uint32_t size, uint32_t depth,
                      struct error *error)
{
    struct experiment_result *ladder = &run->ladder;

    for (size_t i = 0; i < SETTINGS; i++) {
        if (why_not(&run->plan->base, offer, &settings[i]))
            continue;
        if (ladder->cell_count == CELLS_MAXIMUM)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "more than %d combinations of op, size, depth and flavor are too many",
                             CELLS_MAXIMUM);
        ladder->cells[ladder->cell_count++] = (struct experiment_cell){
            .op = op->op,
            .variant = settings[i].name,
            .setting = {.clients = 1, .connections = 1, .depth = depth, .size = size}};
    }
    return 0;
}

/* The sizes for an op, {0} if it moves no data. */
static size_t sizes_for(const struct sweep_plan *plan, const struct offer *offer,
                        const struct nfs_procedure *op, uint32_t sizes[SWEEP_VALUES_MAXIMUM])
{
    const struct sweep_range *range = &plan->ranges[SWEEP_SIZE];
    size_t count = 0;

    sizes[0] = 0;
    if (op->transfer == NFS_TRANSFER_NONE)
        return 1;
    for (size_t i = 0; i < range->count; i++)
        sizes[count++] = (uint32_t)range->values[i];
    for (size_t i = 0; i < SIZES_USUAL && range->count == 0; i++)
        if (i == 0 || sizes_usual[i] <= offer->size_maximum)
            sizes[count++] = sizes_usual[i];
    return count;
}

static int add_op(struct sec_ladder_run *run, const struct offer *offer,
                  const struct nfs_procedure *op, struct error *error)
{
    const struct sweep_range *depths = &run->plan->ranges[SWEEP_DEPTH];
    uint32_t sizes[SWEEP_VALUES_MAXIMUM];
    size_t count = sizes_for(run->plan, offer, op, sizes);
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++)
        code = add_points(run, offer, op, sizes[i], 1, error);
    if (depths->count == 0 && code == 0)
        code = add_points(run, offer, op, sizes[0], DEPTH_USUAL, error);
    for (size_t i = 0; i < depths->count && code == 0; i++)
        if (depths->values[i] > 1)
            code = add_points(run, offer, op, sizes[0], (uint32_t)depths->values[i], error);
    return code;
}

static int make_points(struct sec_ladder_run *run, const struct offer *offer, struct error *error)
{
    const struct run_plan *base = &run->plan->base;
    int code = 0;

    for (size_t i = 0; i < base->op_count && code == 0; i++)
        code = add_op(run, offer, base->ops[i], error);
    return code;
}

/* Trials */

/* The plan of a trial of POINT, by AUTH_SYS. */
static int plan_trial(struct sec_ladder_run *run, const struct experiment_cell *point,
                      struct run_plan *trial, struct error *error)
{
    const double values[SWEEP_PARAMETERS] = {
        [SWEEP_DEPTH] = point->setting.depth, [SWEEP_SIZE] = point->setting.size};
    struct sweep_plan plan = *run->plan;

    plan.base.ops[0] = nfs_procedure_find(point->op);
    plan.base.op_count = 1;
    plan.base.no_baseline = true;
    plan.base.verify_in_time = plan.base.verify_in_time && point->setting.depth == 1;
    return sweep_plan_trial(&plan, values, random_next(&run->random) | 1, trial, error);
}

static void add_trial(struct sec_ladder_run *run, struct experiment_cell *point,
                      const struct trial *trial)
{
    const struct trials trials = sec_trials_of(point);
    struct experiment_contrast *contrast = &run->ladder.contrasts[point - run->ladder.cells];

    contrast->differences[contrast->units] = trial->above_ns;
    contrast->errors[contrast->units++] = NAN;
    trials_add(&trials, trial, &run->doubts);
    run->ladder.units_done++;
    if (!run->environment.transport[0])
        run->environment = trial->environment;
}

/* POINT can't be measured (any longer), as ERROR says; nor can any other by the same flavor, if
 * that is what fails. */
static int give_up(struct sec_ladder_run *run, const struct experiment_cell *point,
                   enum sec_failure failure, struct error *error)
{
    struct experiment_result *ladder = &run->ladder;
    const bool whole = failure == SEC_FAILURE_FLAVOR;

    for (size_t i = 0; i < ladder->cell_count; i++) {
        const struct experiment_cell *other = &ladder->cells[i];

        if (run->given_up[i] ||
            (other != point && !(whole && strcmp(other->variant, point->variant) == 0)))
            continue;
        run->given_up[i] = true;
        ladder->units_planned -= run->plan->repeats - other->units;
    }
    return leave_out(run, point->variant, whole ? NULL : point, error->text, error);
}

static int try_point(void *context, size_t index, struct error *error)
{
    struct sec_ladder_run *run = context;
    struct experiment_cell *point = &run->ladder.cells[index];
    enum sec_failure failure = SEC_FAILURE_ALL;
    struct trial trial;
    struct run_plan plan;
    int code;

    if (run->given_up[index])
        return 0;
    code = plan_trial(run, point, &plan, error);
    if (code == 0)
        code = sec_trial_make(&plan, setting_called(point->variant), &trial, &failure, error);
    if (code && failure != SEC_FAILURE_ALL && strcmp(point->variant, SEC_BASE) != 0 &&
        !run_plan_is_stopped(&plan))
        return give_up(run, point, failure, error);
    if (code)
        return code;
    add_trial(run, point, &trial);
    run->observer->trial_done(run->observer->context, &run->ladder, point);
    return 0;
}

static int try_all(struct sec_ladder_run *run, struct error *error)
{
    size_t count = run->ladder.cell_count;

    run->given_up = arena_alloc(&run->arena, count + 1, sizeof *run->given_up);
    if (!run->given_up)
        return no_memory(error);
    run->ladder.units_planned = count * run->plan->repeats;
    return trials_pass(&run->random, count, run->plan->repeats, try_point, run, error);
}

/* The ladder */

/* By reason, so that all with the same reason stand together. */
static int by_reason(const void *a, const void *b)
{
    const struct experiment_left_out *x = a, *y = b;
    int order = strcmp(x->reason, y->reason);

    if (order == 0 && x->op && y->op)
        order = strcmp(x->op, y->op);
    return order ? order : strcmp(x->variant, y->variant);
}

/* Remove the points without a trial, and sort what was left out. */
static void tidy_up(struct experiment_result *ladder)
{
    size_t kept = 0;

    for (size_t i = 0; i < ladder->cell_count; i++)
        if (ladder->cells[i].units > 0) {
            if (kept != i) {
                ladder->cells[kept] = ladder->cells[i];
                ladder->contrasts[kept] = ladder->contrasts[i];
            }
            kept++;
        }
    ladder->cell_count = ladder->contrast_count = kept;
    qsort(ladder->left_out, ladder->left_out_count, sizeof *ladder->left_out, by_reason);
}

static const char *ops_text(struct sec_ladder_run *run)
{
    const struct run_plan *base = &run->plan->base;
    char text[1024] = "";

    for (size_t i = 0; i < base->op_count; i++) {
        size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "%s%s", used ? "," : "", base->ops[i]->op);
    }
    return arena_copy(&run->arena, text);
}

static int begin(struct sec_ladder_run *run, struct error *error)
{
    const struct sweep_plan *plan = run->plan;
    struct experiment_result *ladder = &run->ladder;

    outcome_fill_origin(&ladder->origin, &plan->base, time(NULL), run->environment.transport);
    ladder->preset = PRESET_SEC_LADDER;
    ladder->ops = ops_text(run);
    ladder->varied = "sec";
    ladder->reference = SEC_BASE;
    ladder->engine = plan->base.engine->name;
    ladder->client_cpus = run->environment.client_cpus;
    ladder->check_in_time = plan->base.verify_in_time;
    ladder->unit_calls = plan->base.calls;
    ladder->unit_seconds = plan->base.calls ? 0 : (double)plan->trial_ns / 1e9;
    random_seed(&run->random, ladder->origin.seed);
    ladder->cells = arena_alloc(&run->arena, CELLS_MAXIMUM, sizeof *ladder->cells);
    ladder->contrasts = arena_alloc(&run->arena, CELLS_MAXIMUM, sizeof *ladder->contrasts);
    ladder->left_out = arena_alloc(&run->arena, LEFT_OUT_MAXIMUM, sizeof *ladder->left_out);
    return ladder->ops && ladder->cells && ladder->contrasts && ladder->left_out ? 0
                                                                                 : no_memory(error);
}

int sec_ladder_run(struct sec_ladder_run *run, const struct sweep_plan *plan,
                   const char *no_kerberos, const struct sec_ladder_observer *observer,
                   struct error *error)
{
    struct offer offer = {.no_kerberos = no_kerberos};
    int code;

    memset(run, 0, sizeof *run);
    run->plan = plan;
    run->observer = observer;
    code = begin(run, error);
    if (code == 0)
        code = ask(&plan->base, &offer, error);
    if (code == 0)
        code = leave_out_not_tried(run, &offer, error);
    if (code == 0)
        code = leave_out_unknown(run, &offer, error);
    if (code == 0)
        code = make_points(run, &offer, error);
    if (code == 0)
        code = try_all(run, error);
    if (run->ladder.units_done > 0) {
        tidy_up(&run->ladder);
        sec_ladder_analyse(&run->ladder, &run->doubts);
    }
    return code;
}

void sec_ladder_run_free(struct sec_ladder_run *run)
{
    arena_free(&run->arena);
}
