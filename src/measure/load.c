#include "measure/load.h"

#include <math.h>

const char *const load_hold_texts[LOAD_HOLDS] = {
    [HOLD_DEPTH] = "as many calls as --depth allows were in flight",
    [HOLD_SOCKET] =
        "the socket's buffer was full, because the server or the path did not take more data",
    [HOLD_CONNECTION] = "the connection was lost",
    [HOLD_WINDOW] = "the server's window of RPCSEC_GSS sequence numbers was full",
};

enum load_hold load_longest_hold(const double held[LOAD_HOLDS])
{
    enum load_hold longest = HOLD_DEPTH;

    for (enum load_hold i = HOLD_DEPTH; i < LOAD_HOLDS; i++)
        longest = held[i] > held[longest] ? i : longest;
    return longest;
}

static double gap_ns(const struct load *load)
{
    return 1e9 / (load->rate * load_processes(load));
}

void load_begin_schedule(const struct load *load, double unit_ns, struct arrivals *arrivals)
{
    if (load->arrival == ARRIVALS_COURSE)
        arrivals_begin_course(arrivals, load->course, gap_ns(load) / unit_ns, load->seed);
    else
        arrivals_begin(arrivals, load->arrival, gap_ns(load) / unit_ns, 0, load->seed);
}

double load_schedule_ns(const struct load *load, double calls)
{
    /* Number of arrivals above which the mean is returned, because the standard deviation of a
     * Poisson schedule's duration is then below 0.32 % of the mean. */
    enum { MANY = 100000 };
    const double of_all = calls * load_processes(load);
    struct arrivals arrivals;
    double ns = 0;

    if (load->arrival == ARRIVALS_CONSTANT || of_all > MANY)
        return of_all * gap_ns(load);
    load_begin_schedule(load, 1, &arrivals);
    for (double i = 0; i < of_all; i++)
        ns = arrivals_next(&arrivals);
    return ns;
}

double load_schedule_most_ns(const struct load *load, double calls)
{
    const double of_all = calls * load_processes(load);
    const double chance = load->arrival == ARRIVALS_CONSTANT ? 0 : 2 * sqrt(of_all);

    return (of_all + chance) * gap_ns(load);
}
