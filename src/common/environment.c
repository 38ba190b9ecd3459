#include "common/environment.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Generated files. Each build writes build_commit.h. Configuring the build writes compiler, build
 * type and features to build_features.h. */
#include "build_commit.h"
#include "build_features.h"

const char *build_description(void)
{
    return NFSBENCH_COMMIT " " NFSBENCH_COMPILER " " NFSBENCH_FEATURES;
}

/* Copy to VALUE the text after the colon of the first line that begins with KEY; "unknown" if there
 * is none. */
static void read_cpuinfo(const char *key, char *value, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[4096];

    snprintf(value, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');

        if (strncmp(line, key, strlen(key)) != 0 || !colon)
            continue;
        snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        value[strcspn(value, "\n")] = '\0';
        break;
    }
    if (file)
        fclose(file);
}

static void read_clocksource(char *value, size_t size)
{
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");

    if (!file || !fgets(value, (int)size, file))
        snprintf(value, size, "unknown");
    value[strcspn(value, "\n")] = '\0';
    if (file)
        fclose(file);
}

void host_read(struct host *host)
{
    struct utsname name;
    char flags[4096];

    uname(&name);
    snprintf(host->name, sizeof host->name, "%.79s", name.nodename);
    snprintf(host->kernel, sizeof host->kernel, "%.15s %.60s", name.sysname, name.release);
    snprintf(host->machine, sizeof host->machine, "%.30s", name.machine);
    read_cpuinfo("model name", host->cpu, sizeof host->cpu);
    read_cpuinfo("flags", flags, sizeof flags);
    host->virtual = strstr(flags, "hypervisor") != NULL;
    read_clocksource(host->clocksource, sizeof host->clocksource);
    host->cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}
