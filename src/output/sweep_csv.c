/* A sweep's points as CSV: a line for each visit, so that nothing is lost. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "output/sweep.h"

const char *const sweep_figure_names[SWEEP_FIGURES] = {
    [SWEEP_THROUGHPUT] = "throughput_per_s",
    [SWEEP_MEAN] = "mean_ns",
    [SWEEP_P50] = "p50_ns",
    [SWEEP_P90] = "p90_ns",
    [SWEEP_P99] = "p99_ns",
    [SWEEP_P999] = "p999_ns",
    [SWEEP_MAXIMUM] = "max_ns",
    [SWEEP_CLIENT_CPU] = "client_cpu_share",
    [SWEEP_SERVER_CPU] = "server_cpus",
    [SWEEP_SERVER_SHARE] = "server_cpu_share",
    [SWEEP_LINK] = "link_share",
    [SWEEP_CLIENT_CALL] = "client_cpu_ns_per_call",
    [SWEEP_LATE] = "lateness_p99_ns",
};

static void write_visit(const struct sweep_point *point, size_t visit, FILE *out)
{
    const struct sweep_setting *setting = &point->setting;

    fprintf(out, "%u,%u,%u,%" PRIu32 ",", setting->clients, setting->connections, setting->depth,
            setting->size);
    if (setting->rate > 0)
        fprintf(out, "%.0f", setting->rate);
    for (int i = 0; i < SWEEP_FIGURES; i++) {
        fputc(',', out);
        if (!isnan(point->figures[i][visit]))
            fprintf(out, "%.9g", point->figures[i][visit]);
    }
    fputs("\r\n", out);
}

int sweep_write_csv(const void *data, FILE *out)
{
    const struct sweep *sweep = data;

    fputs("clients,connections,depth,size,rate", out);
    for (int i = 0; i < SWEEP_FIGURES; i++)
        fprintf(out, ",%s", sweep_figure_names[i]);
    fputs("\r\n", out);
    for (size_t i = 0; i < sweep->point_count; i++)
        for (size_t visit = 0; visit < sweep->points[i].repeats; visit++)
            write_visit(&sweep->points[i], visit, out);
    return ferror(out) ? -EIO : 0;
}
