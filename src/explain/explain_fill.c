#include "explain/explain_fill.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/cpu.h"
#include "measure/paired.h"
#include "run/outcome.h"

void explain_fill_environment(struct explanation *explanation, const struct session *session,
                              const struct run_series *series)
{
    const struct nfs_call *call = &series->call;

    outcome_fill_origin(&explanation->origin, session->plan, session->started,
                        transport_name(session->setup.target.transport));
    explanation->op = series->name;
    cpu_allowed_list(explanation->client_cpus);
    explanation->server_cpu = session->setup.target.self ? session->setup.self.pinned_cpu : -1;
    explanation->call_bytes = call->engine.messages[0].length;
    explanation->reply_bytes = call->reply_length;
}

bool explain_difference(const struct explain_run *run, size_t without, size_t with,
                        struct interval *cost)
{
    enum { ROUNDS_LEAST = 6 };
    const struct rounds *rounds = &run->rounds;
    struct error ignored;
    double *differences;
    bool known;

    if (rounds->done < ROUNDS_LEAST)
        return false;
    differences = paired_differences(&rounds->series[without], &rounds->series[with],
                                     BLOCK_TRIMMED_MEAN, rounds->done, &ignored);
    known = differences && estimate_median_interval(differences, rounds->done, run->plan->run.seed,
                                                    cost, &ignored) == 0;
    free(differences);
    return known;
}

void explain_fill_stamping(struct explanation *explanation, const struct explain_run *run,
                           size_t unstamped, size_t stamped)
{
    explanation->unstamped_mean = run->rounds.series[unstamped].histogram.mean;
    explanation->has_stamping = explain_difference(run, unstamped, stamped, &explanation->stamping);
}
