#include "explain/explain_fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/cpu.h"
#include "common/environment.h"
#include "measure/paired.h"

void explain_fill_environment(struct explanation *explanation, const struct session *session,
                              const struct run_series *series)
{
    const struct nfs_call *call = &series->call;
    struct host host;
    struct tm broken_down;

    host_fill(&host);
    gmtime_r(&session->started, &broken_down);
    strftime(explanation->start, sizeof explanation->start, "%Y-%m-%dT%H:%M:%SZ", &broken_down);
    explanation->target = session->plan->target_text;
    explanation->op = series->name;
    explanation->transport = transport_name(session->setup.target.transport);
    snprintf(explanation->kernel, sizeof explanation->kernel, "%s", host.kernel);
    snprintf(explanation->cpu, sizeof explanation->cpu, "%s", host.cpu);
    cpu_allowed_list(explanation->client_cpus);
    explanation->server_cpu = session->setup.target.self ? session->setup.self.pinned_cpu : -1;
    explanation->seed = session->plan->seed;
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
