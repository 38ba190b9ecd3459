/* A profile as JSON and as CSV: a line for each procedure. */
#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "capture/errors_json.h"
#include "capture/profile.h"
#include "output/csv.h"

/* JSON */

static json_t *latency_object(const struct histogram *histogram)
{
    const struct result_latency latency = result_latency_of(histogram);

    return histogram->count ? json_latency(&latency) : json_null();
}

static json_t *procedure_object(const struct profile_procedure *procedure, size_t number)
{
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "procedure",
        profile_procedure_name(number), "calls", json_count(procedure->calls), "replies",
        json_count(procedure->replies), "sent_again", json_count(procedure->retransmitted),
        "call_bytes", json_count(procedure->call_bytes), "reply_bytes",
        json_count(procedure->reply_bytes), "failed", json_count(procedure->tally.failed), "errors",
        errors_json(&procedure->tally), "encrypted", json_count(procedure->protected), "cut",
        json_count(procedure->cut), "latency_ns", latency_object(&procedure->latency));
}

static json_t *procedures_array(const struct profile *profile)
{
    json_t *array = json_array();

    for (size_t i = 0; i < PROFILE_PROCEDURES; i++)
        if (profile->procedures[i].calls + profile->procedures[i].retransmitted > 0)
            json_array_append_new(array, procedure_object(&profile->procedures[i], i));
    return array;
}

static json_t *programs_array(const struct profile *profile)
{
    json_t *array = json_array();

    for (size_t i = 0; i < profile->program_count; i++) {
        const struct profile_program *program = &profile->programs[i];

        json_array_append_new(array, json_pack("{s:s, s:o, s:o, s:o, s:o}", "name",
                                               profile_program_name(program->program), "version",
                                               json_count(program->version), "calls",
                                               json_count(program->calls), "replies",
                                               json_count(program->replies), "sent_again",
                                               json_count(program->retransmitted)));
    }
    return array;
}

static json_t *capture_object(const struct profile *profile)
{
    const struct profile_counts *counts = &profile->counts;
    const struct {
        const char *key;
        uint64_t count;
    } members[] = {
        {"packets", counts->packets},
        {"packets_cut", counts->cut},
        {"packets_other", counts->other},
        {"packets_late", counts->late},
        {"packets_without_fragment", counts->incomplete},
        {"streams_begun_before", counts->begun_inside},
        {"segments_retransmitted", counts->retransmitted},
        {"segments_reordered", counts->reordered},
        {"gaps", counts->holes},
        {"missing_bytes", counts->missing},
        {"messages", counts->messages},
        {"messages_undecodable", counts->undecodable},
        {"calls_given_up", counts->given_up},
        {"replies_unmatched", counts->unmatched},
        {"replies_duplicate", counts->duplicates},
    };
    json_t *object = json_object();

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        json_object_set_new(object, members[i].key, json_count(members[i].count));
    json_object_set_new(object, "ended_by",
                        json_text(profile->ended_by[0] ? profile->ended_by : NULL));
    return object;
}

/* A time in ns since 1970 as RFC 3339 has it, in whole seconds. */
static const char *write_time(uint64_t ns, char text[32])
{
    time_t seconds = (time_t)(ns / 1000000000);
    struct tm broken_down;

    gmtime_r(&seconds, &broken_down);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%S+00:00", &broken_down);
    return text;
}

int profile_write_json(const void *data, FILE *out)
{
    const struct profile *profile = data;
    json_t *object = json_begin(RESULT_PROFILE);
    char start[32];

    json_object_set_new(object, "file", json_text(profile->path));
    json_object_set_new(object, "start", json_string(write_time(profile->begin, start)));
    json_object_set_new(object, "duration_s", json_real(profile_seconds(profile)));
    json_object_set_new(object, "clients", json_count(profile->clients.count));
    json_object_set_new(object, "servers", json_count(profile->servers.count));
    json_object_set_new(object, "messages_tcp", json_count(profile->over_tcp));
    json_object_set_new(object, "messages_udp", json_count(profile->over_udp));
    json_object_set_new(object, "procedures", procedures_array(profile));
    json_object_set_new(object, "not_decoded", programs_array(profile));
    json_object_set_new(object, "capture", capture_object(profile));
    return json_write_object(object, out);
}

/* CSV */

enum { DIGITS = CSV_DECIMALS(0) };

int profile_write_csv(const void *data, FILE *out)
{
    const struct profile *profile = data;

    fputs("procedure,calls,replies,sent_again,failed,call_bytes,reply_bytes,mean_ns,p50_ns,"
          "p99_ns\r\n",
          out);
    for (size_t i = 0; i < PROFILE_PROCEDURES; i++) {
        const struct profile_procedure *procedure = &profile->procedures[i];
        const struct histogram *latency = &procedure->latency;
        bool known = latency->count > 0;

        if (procedure->calls + procedure->retransmitted == 0)
            continue;
        fprintf(out, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                profile_procedure_name(i), procedure->calls, procedure->replies,
                procedure->retransmitted, procedure->tally.failed, procedure->call_bytes,
                procedure->reply_bytes);
        csv_write_number(known ? latency->mean : NAN, DIGITS, out);
        csv_write_number(known ? histogram_quantile(latency, 0.5) : NAN, DIGITS, out);
        csv_write_number(known ? histogram_quantile(latency, 0.99) : NAN, DIGITS, out);
        fputs("\r\n", out);
    }
    return 0;
}
