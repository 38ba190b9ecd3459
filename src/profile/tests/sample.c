/* A profile of a capture, for the tests of its forms. */
#include "profile/profile.h"
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
