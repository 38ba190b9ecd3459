#include "run/readings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/address.h"
#include "measure/process.h"
#include "run/setup/setup.h"

static void read_counters(const struct setup *setup, struct counters *counters)
{
    counters_clear(counters);
    counters_read_machine(counters);
    counters_read_process(counters, setup_client_pid(setup));
}

static void read_contention(struct readings *readings, const struct setup *setup, pid_t server,
                            struct contention *contention)
{
    struct contention_scope *scope = &readings->scope;

    scope->client = setup_client_pid(setup);
    scope->server = server;
    scope->server_remote = !address_is_local(&setup->mount.nfs.address);
    scope->cpus[0] = cpu_allowed_list(readings->client_cpus);
    scope->cpus[1] = readings->server_cpus;
    if (server)
        process_allowed_cpus(server, readings->server_cpus, sizeof readings->server_cpus);
    contention_read(contention, scope);
}

/* Read the counts of the emulated link to the server. scripts/with-ethernet sets NFSBENCH_LINKS to
 * a directory with a file of counts for each link. The file's name is the IP address to which the
 * link leads. */
static void read_link(const struct setup *setup, struct link_counts *counts)
{
    const char *links = getenv("NFSBENCH_LINKS");
    char address[ADDRESS_TEXT_SIZE], path[4096];
    FILE *file;

    *counts = (struct link_counts){.latency_ns = NAN};
    if (!links)
        return;
    snprintf(path, sizeof path, "%s/%s", links, address_text(&setup->mount.nfs.address, address));
    file = fopen(path, "re");
    if (file && fread(counts, sizeof *counts, 1, file) != 1)
        *counts = (struct link_counts){.latency_ns = NAN};
    if (file)
        fclose(file);
}

void readings_begin(struct readings *readings, const struct setup *setup, pid_t server,
                    const struct clock *clock)
{
    readings->speed_probe = calloc(1, sizeof *readings->speed_probe);
    readings->frequency_before = cpu_frequency(cpu_current());
    machine_log_update(&readings->machine_log, true);
    read_contention(readings, setup, server, &readings->contention_before);
    read_link(setup, &readings->link_before);
    read_counters(setup, &readings->before);
    clock_check_edge(&readings->clock_check, clock, true);
}

void readings_step(struct readings *readings, const struct clock *clock)
{
    clock_check_step(&readings->clock_check, clock);
    machine_log_update(&readings->machine_log, false);
    if (readings->speed_probe)
        speed_probe_take(readings->speed_probe);
}

void readings_end(struct readings *readings, const struct setup *setup, pid_t server,
                  const struct clock *clock)
{
    read_counters(setup, &readings->after);
    read_link(setup, &readings->link_after);
    read_contention(readings, setup, server, &readings->contention_after);
    clock_check_edge(&readings->clock_check, clock, false);
    machine_log_update(&readings->machine_log, true);
    readings->frequency_after = cpu_frequency(cpu_current());
    readings->client_cpu = (int)cpu_current();
    readings->server_cpu = server ? process_busiest_cpu(server) : -1;
}

void readings_free(struct readings *readings)
{
    machine_log_close(&readings->machine_log);
    free(readings->speed_probe);
}
