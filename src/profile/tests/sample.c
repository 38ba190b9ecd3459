/* A sample profile and a sample workload, for tests of the output forms. */
#include "figures.h"
#include "profile/profile.h"
#include "profile/workload.h"
#include "unit_sample.h"

static struct profile profile;

static void fill_more(void)
{
    for (unsigned i = 1; i < 20; i += 5) {
        profile.procedures[i] = (struct profile_procedure){.count = {300 * i, 290 * i, i},
                                                           .call_bytes = 33000 * i,
                                                           .reply_bytes = 1250000 * i,
                                                           .protected = i > 10,
                                                           .cut = i > 15 ? 3 : 0};
        distribution_add(&profile.procedures[i].latency, 30000 * i);
        distribution_add(&profile.procedures[i].latency, 900000 * i);
    }
    engine_count_error(&profile.procedures[6].tally, NFS3ERR_STALE);
    profile.begin = 1767323045000000000;
    profile.end = profile.begin + 12345678901;
    profile.over_tcp = 9000;
    profile.over_udp = 6;
    profile.programs[0] = (struct profile_program){100005, 3, {12, 11, 1}};
    profile.program_count = 1;
    profile.clients.count = 3;
    profile.servers.count = 1;
    profile.counts = (struct profile_counts){5000, 1,  2,  3,  4, {4900, 120, 80}, 5, 6, 7, 8, 9000,
                                             10,   11, 12, 13, 14};
    snprintf(profile.ended_by, sizeof profile.ended_by, "it ends within a packet");
}

const void *sample_PROFILE(bool full)
{
    profile = (struct profile){.path = "a.pcap", .procedures[1] = {.count = {.calls = 1}}};
    if (full)
        fill_more();
    profile_finish(&profile);
    return &profile;
}

const void *sample_WORKLOAD(bool full)
{
    static struct workload workload;

    workload = (struct workload){.ops = {{nfs_procedure_find("read"), 3, .calls = 3, .mean = 50.5}},
                                 .op_count = 1,
                                 .arrivals = {1, 2},
                                 .arrival_count = 2,
                                 .own = {{.calls = 3}},
                                 .own_count = 1,
                                 .sizes = {{{4096, 3}}},
                                 .size_count = {1},
                                 .most_used = {{3, 4096, "file-1"}},
                                 .most_used_count = 1};
    workload.mix.after[0][0] = 2;
    if (full)
        figures_set_missing(view_workload.fields, &workload);
    return &workload;
}
