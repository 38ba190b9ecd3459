#include "measure/launches.h"

#include <math.h>

#include "measure/estimate.h"

static size_t bounded(double count, size_t least, size_t most)
{
    return (size_t)fmin(fmax(ceil(count), (double)least), (double)most);
}

/* The optimal number of repetitions at a level below another; 1 if neither varies. */
static double repetitions(double deviation, double time, double deviation_above, double time_above)
{
    if (deviation == 0)
        return 1;
    return sqrt(time_above / time) * deviation / deviation_above;
}

/* The fewest units with standard deviation DEVIATION whose mean has an interval of HALF_WIDTH. They
 * are between the numbers that the normal quantile and that of the fewest units' t require. */
static size_t units_for(double deviation, double half_width, size_t least)
{
    double errors = deviation / half_width;
    size_t low = bounded(pow(student_975(INFINITY) * errors, 2), least, LAUNCHES_MOST);
    size_t high = bounded(pow(student_975((double)(least - 1)) * errors, 2), least, LAUNCHES_MOST);

    while (low < high) {
        size_t n = (low + high) / 2;

        if (student_975((double)(n - 1)) * deviation / sqrt((double)n) <= half_width)
            high = n;
        else
            low = n + 1;
    }
    return low;
}

/* What the levels contribute: standard deviations of a round, of the level above it and, with three
 * levels, of server processes; else 0. */
struct deviations {
    double round, above, servers;
};

static double variance_of_unit(const struct deviations *deviations, size_t rounds, size_t clients)
{
    double launch = deviations->round * deviations->round / (double)rounds +
                    deviations->above * deviations->above;

    return launch / (double)clients + deviations->servers * deviations->servers;
}

/* If even the fewest units are more than enough, fewer than ROUNDS rounds will do. */
static size_t enough_rounds(const struct deviations *deviations, size_t rounds, size_t clients,
                            double half_width)
{
    double error = half_width / student_975(LAUNCHES_LEAST - 1);
    double unit = LAUNCHES_LEAST * error * error - deviations->servers * deviations->servers;
    double of_rounds = unit * (double)clients - deviations->above * deviations->above;

    if (of_rounds <= 0)
        return rounds;
    return bounded(deviations->round * deviations->round / of_rounds, LAUNCHES_LEAST_ROUNDS,
                   rounds);
}

void launches_plan(const struct launches_spread *spread, size_t rounds,
                   const struct launches_times *times, double half_width,
                   struct launches_plan *plan)
{
    bool one_server = isnan(spread->servers), one_client = isnan(spread->clients) && !one_server;
    double above = one_client ? spread->servers : spread->clients;
    double time_above = one_client ? times->server + times->client : times->client;
    const struct deviations deviations = {
        .round = spread->rounds * sqrt((double)rounds),
        .above = isnan(above) ? 0 : above,
        .servers = one_server || one_client ? 0 : spread->servers,
    };

    plan->rounds =
        bounded(repetitions(deviations.round, times->round, deviations.above, time_above),
                LAUNCHES_LEAST_ROUNDS, LAUNCHES_MOST_ROUNDS);
    plan->clients = 1;
    if (!one_server && !one_client)
        plan->clients =
            bounded(repetitions(deviations.above, times->client, deviations.servers, times->server),
                    1, LAUNCHES_MOST_CLIENTS);
    plan->servers = units_for(sqrt(variance_of_unit(&deviations, plan->rounds, plan->clients)),
                              half_width, LAUNCHES_LEAST);
    if (plan->servers == LAUNCHES_LEAST)
        plan->rounds = enough_rounds(&deviations, plan->rounds, plan->clients, half_width);
    plan->seconds = (double)plan->servers * (one_server ? 0 : times->server);
    plan->seconds += (double)(plan->servers * plan->clients) *
                     (times->client + (double)plan->rounds * times->round);
    if (one_server) {
        plan->clients = plan->servers;
        plan->servers = 1;
        plan->seconds += times->server;
    }
}

size_t launches_further(size_t total, const struct launches_plan *plan)
{
    size_t planned = plan ? plan->servers * plan->clients : 0;

    return planned > total + total / 2 ? planned - total : total / 2;
}
