#include "explain/explain_fill.h"

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

void explain_fill_stamping(struct explanation *explanation, const struct explain_run *run,
                           size_t unstamped, size_t stamped)
{
    enum { ROUNDS_LEAST = 6 };
    const struct rounds *rounds = &run->rounds;
    const struct series *without = &rounds->series[unstamped];
    struct error ignored;
    double *differences;

    explanation->unstamped_mean = without->histogram.mean;
    if (rounds->done < ROUNDS_LEAST)
        return;
    differences = paired_differences(without, &rounds->series[stamped], BLOCK_TRIMMED_MEAN,
                                     rounds->done, &ignored);
    explanation->has_stamping =
        differences && estimate_median_interval(differences, rounds->done, run->plan->run.seed,
                                                &explanation->stamping, &ignored) == 0;
    free(differences);
}
