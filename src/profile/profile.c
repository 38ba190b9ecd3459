#include "profile/profile.h"

#include "output/result/services.h"
#include "profile/stamp_clock.h"

static struct profile_program *program_of(struct profile *profile, uint32_t program,
                                          uint32_t version)
{
    size_t i = 0;

    while (i < profile->program_count &&
           (profile->programs[i].program != program || profile->programs[i].version != version))
        i++;
    if (i == PROFILE_PROGRAMS_MAXIMUM)
        return &profile->programs[i - 1];
    if (i == profile->program_count) {
        profile->programs[i] = (struct profile_program){.program = program, .version = version};
        profile->program_count++;
    }
    return &profile->programs[i];
}

bool profile_decodes(const struct message *call)
{
    return call->program == NFS_PROGRAM && call->version == NFS_V3 &&
           call->procedure < PROFILE_PROCEDURES;
}

static struct profile_calls *count_of(struct profile *profile, const struct message *call)
{
    return profile_decodes(call) ? &profile->procedures[call->procedure].count
                                 : &program_of(profile, call->program, call->version)->count;
}

void profile_add_call(struct profile *profile, const struct message *call, bool is_new)
{
    struct profile_calls *count = count_of(profile, call);

    count->calls += is_new;
    count->retransmitted += !is_new;
    if (is_new && profile_decodes(call))
        profile->procedures[call->procedure].call_bytes += call->length;
}

void profile_add_reply(struct profile *profile, const struct captured_call *call, uint64_t time,
                       const struct message *reply)
{
    struct profile_procedure *procedure;

    count_of(profile, &call->message)->replies++;
    if (!profile_decodes(&call->message))
        return;
    procedure = &profile->procedures[call->message.procedure];
    procedure->reply_bytes += reply->length;
    distribution_add(&procedure->latency, time > call->time ? (double)(time - call->time) : 0);
    if (reply->status == CALL_STATUS_ENCRYPTED)
        procedure->protected ++;
    else if (reply->status == CALL_STATUS_CUT)
        procedure->cut++;
    else if (reply->status != 0)
        engine_count_error(&procedure->tally, reply->status);
}

uint32_t profile_add_host(struct profile_hosts *hosts, uint64_t address)
{
    for (size_t i = hosts->count; i > 0; i--)
        if (hosts->addresses[i - 1] == address)
            return (uint32_t)i - 1;
    if (hosts->count < PROFILE_HOSTS_MAXIMUM)
        hosts->addresses[hosts->count++] = address;
    return (uint32_t)hosts->count - 1;
}

const char *profile_program_name(uint32_t program)
{
    /* NFSv4.0 clients choose callback programs from this number on. Only this number is known. */
    enum { NFS_CALLBACK = 0x40000000 };

    return program == NFS_CALLBACK ? "nfs_callback" : services_name(program);
}

uint64_t profile_calls(const struct profile *profile)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < PROFILE_PROCEDURES; i++)
        sum += profile->procedures[i].count.calls;
    return sum;
}

double profile_unread(const struct profile *profile)
{
    const struct profile_packets *packets = &profile->counts.nfs;

    return packets->all ? (double)packets->unread / (double)packets->all : 0;
}

double profile_seconds(const struct profile *profile)
{
    return (double)(profile->end - profile->begin) / 1e9;
}

static struct result_latency summarize(const struct distribution *latency, double tick)
{
    const struct histogram *histogram = &latency->histogram;

    return (struct result_latency){
        .minimum = stamp_clock_round(histogram->minimum, tick),
        .mean = stamp_clock_round(histogram->mean, tick),
        .stddev = stamp_clock_round(histogram_stddev(histogram), tick),
        .p50 = stamp_clock_round(distribution_quantile(latency, 0.5), tick),
        .p90 = stamp_clock_round(distribution_quantile(latency, 0.9), tick),
        .p99 = stamp_clock_round(distribution_quantile(latency, 0.99), tick),
        .p999 = stamp_clock_round(distribution_quantile(latency, 0.999), tick),
        .p9999 = stamp_clock_round(distribution_quantile(latency, 0.9999), tick),
        .maximum = stamp_clock_round(histogram->maximum, tick),
    };
}

void profile_finish(struct profile *profile)
{
    for (size_t i = 0; i < PROFILE_PROCEDURES; i++) {
        struct profile_procedure seen = profile->procedures[i];

        profile->procedures[i] = (struct profile_procedure){.name = NULL};
        if (seen.count.calls + seen.count.retransmitted == 0)
            continue;
        seen.name = dissection_op(i)->op;
        seen.summary = summarize(&seen.latency, profile->clock_tick);
        profile->procedures[profile->procedure_count++] = seen;
    }
}
