/* A survey, for the tests of its forms. */
#include <math.h>
#include <string.h>

#include "figures.h"
#include "survey/survey.h"
#include "unit_sample.h"

static struct survey survey;
static json_t *part;

static void fill(void)
{
    survey = (struct survey){
        .origin = {.target = "self:", .transport = "TCP", .auth = "AUTH_SYS"},
        .server = {.address = "127.0.0.1",
                   .nfs_port = 2049,
                   .mount_port = 2049,
                   .tcp = true,
                   .look_up = NAN,
                   .port_mapper = NAN,
                   .mount = NAN,
                   .connect = NAN},
        .steadiness = {.tail = NAN},
    };
}

static void fill_more(void)
{
    if (!part)
        part = json_pack("{s:s, s:s, s:s, s:s, s:[], s:n, s:[], s:n, s:{s:s, s:s, s:n}}", "kind",
                         "services", "schema", RESULT_SCHEMA, "target", "server:", "address",
                         "192.0.2.1", "services", "services_missing", "exports", "exports_missing",
                         "tool", "name", "nfsbench", "version", "0.1.0", "build");
    survey.writes = true;
    survey.cut_short_by = "interrupted";
    strcpy(survey.origin.start, "2026-01-02T03:04:05+00:00");
    strcpy(survey.passed, "--proto=udp");
    strcpy(survey.server.flavors, "AUTH_SYS, krb5");
    survey.server.udp = survey.server.has_fsinfo = survey.server.has_pathconf = true;
    survey.server.has_fsstat = survey.server.links = survey.server.symbolic_links = true;
    survey.server.rtmax = survey.server.wtmax = 32768;
    survey.server.rtpref = survey.server.wtpref = survey.server.dtpref = 1024;
    survey.server.name_max = survey.server.link_max = 255;
    survey.server.bytes = 64000000000;
    survey.server.bytes_free = 32000000000;
    survey.server.files = 1000000;
    survey.server.files_free = 999000;
    survey.parts[SURVEY_SERVICES].json = part;
    strcpy(survey.parts[SURVEY_STREAM].missing, "READ was answered by NFS3ERR_ACCES");
    survey.cost_count = 2;
    survey.costs[0] = (struct survey_cost){.op = "null", .calls = 5000};
    survey.costs[1] = (struct survey_cost){.op = "read", .bytes = 4096, .calls = 5000, .failed = 7};
    survey.lacking_count = 2;
    survey.lacking[0] = (struct survey_lacking){"readdirplus", "NFS3ERR_NOTSUPP"};
    survey.lacking[1] = (struct survey_lacking){"readlink", "there is no symbolic link"};
    survey.load_count = 1;
    survey.loads[0] = (struct survey_load){.op = "getattr",
                                           .grows = true,
                                           .limit = BOTTLENECK_CALL_RATE,
                                           .sureness = BOTTLENECK_LIKELY,
                                           .evidence = "2000 calls/s"};
    survey.time_count = 1;
    survey.times[0] = (struct survey_time){.depth = 8, .server_missing = "eBPF needs root"};
    survey.steadiness = (struct survey_steadiness){.stalls = 2,
                                                   .sent_again = 3,
                                                   .reconnections = 1,
                                                   .tail_op = "read",
                                                   .drift = "the level was still changing"};
    figures_fill(view_survey.fields, &survey);
    survey_find(&survey);
}

const void *sample_SURVEY(bool full)
{
    fill();
    if (full)
        fill_more();
    return &survey;
}
