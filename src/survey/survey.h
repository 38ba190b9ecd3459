/* A survey of a server: whole results of several commands, made one after another in a short time,
 * the figures that matter most, and what stands out. Times are in ns unless a name says otherwise;
 * NAN: not known. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/address.h"
#include "experiment/experiment.h"
#include "output/result/origin.h"
#include "output/result/result_file.h"
#include "run/plan.h"

/* What a survey is made of, in this order. Each is the result of one command. */
enum survey_step {
    SURVEY_SERVICES,    /* what the host offers */
    SURVEY_CALLS,       /* a measurement of small calls */
    SURVEY_LARGE_READS, /* a measurement of READs of rtmax */
    SURVEY_WRITES,      /* a measurement of calls that change something; on request */
    SURVEY_LOAD,        /* a sweep of GETATTR over the calls in flight */
    SURVEY_STREAM,      /* the same of READs of 64 KiB */
    SURVEY_ALONE,       /* an explanation of GETATTR, one call at a time */
    SURVEY_KNEE,        /* the same with as many calls in flight as at the knee */
    SURVEY_STEPS,
};

/* For programs: "services", "calls", ...; NULL after the last. */
extern const char *const survey_step_keys[];

struct survey_part {
    json_t *json;            /* the result as its command wrote it; NULL: there is none */
    struct result_file file; /* the same, read; zeroed if compare and report take no such kind */
    char missing[400];       /* why there is no result; "": there is one, or it was not asked for */
    double seconds;          /* that the command took */
};

/* What answers, and how fast it can be reached. */
struct survey_server {
    char address[ADDRESS_TEXT_SIZE], flavors[160]; /* FLAVORS: of security, that MNT offers */
    uint16_t nfs_port, mount_port;
    bool tcp, udp;                               /* NFS version 3 answers over it */
    double look_up, port_mapper, mount, connect; /* MOUNT: with look-up and port mapper */
    bool has_fsinfo, has_pathconf, has_fsstat;   /* the members below are known */
    uint32_t rtmax, rtpref, wtmax, wtpref, dtpref, name_max, link_max; /* FSINFO, PATHCONF */
    bool links, symbolic_links, case_insensitive;
    uint64_t bytes, bytes_free, files, files_free; /* FSSTAT */
};

/* An op of one of the measurements. */
struct survey_cost {
    const char *op;
    uint64_t bytes; /* of file data in a call; 0: none */
    uint64_t calls, failed;
    double p50, p99;
    struct interval above_null, server, rare; /* RARE: what rare slow calls add to the mean */
    double megabytes_per_s;
};

/* An op that was not measured. */
struct survey_lacking {
    const char *op, *reason;
};

/* A sweep over the calls in flight. */
struct survey_load {
    const char *op;
    uint64_t bytes;
    struct interval knee, rate; /* calls in flight; calls per second, the most */
    struct interval alone;      /* the typical time of a call, one in flight */
    double megabytes_per_s;     /* the most */
    bool grows;                 /* throughput still grew at the most calls in flight */
    struct interval limit_rate; /* calls per second where LIMIT was found */
    enum bottleneck limit;
    enum bottleneck_sureness sureness;
    const char *evidence; /* a clause; NULL: the limit is not known */
};

/* Where the time of a call goes. */
struct survey_time {
    unsigned depth;
    double whole;                                       /* the mean lifetime of a call */
    double client, network, server, queueing, together; /* TOGETHER: network and server */
    const char *server_missing; /* why the server's phases are not known; NULL: they are */
};

/* Over all measurements. */
struct survey_steadiness {
    uint64_t stalls, sent_again, reconnections;
    double longest_stall_s;
    double tail;         /* the largest p99.9 over p50 of an op */
    const char *tail_op; /* of that op; NULL: nothing was measured */
    const char *drift;   /* how the level moved; NULL: it did not */
};

struct survey_finding {
    const char *name;
    char text[600], next[300]; /* a sentence; the command that looks further */
};

enum { SURVEY_OPS = 24, SURVEY_FINDINGS = 5 };

struct survey {
    struct origin origin;
    double duration; /* seconds */
    bool writes;     /* calls that change something were asked for */
    const char *cut_short_by;
    char passed[512];                     /* the options by which its commands reach the server */
    char host_word[TARGET_HOST_SIZE + 4]; /* the host as a target, "host:"; "": of self: */
    struct survey_server server;
    struct survey_part parts[SURVEY_STEPS];
    struct survey_cost costs[SURVEY_OPS];
    size_t cost_count;
    struct survey_lacking lacking[SURVEY_OPS];
    size_t lacking_count;
    struct survey_load loads[2];
    size_t load_count;
    struct survey_time times[2];
    size_t time_count;
    struct survey_steadiness steadiness;
    struct survey_finding findings[SURVEY_FINDINGS];
    size_t finding_count, findings_left_out;
    char looked_for[400]; /* the names of all rules */
};

/* Set what follows from the parts of SURVEY: costs, loads, times, steadiness, and findings. */
void survey_conclude(struct survey *survey);

/* Set its findings alone (findings.c has the rules). */
void survey_find(struct survey *survey);

/* The name of rule INDEX; NULL after the last. */
const char *survey_rule_name(size_t index);

/* Find out what is in struct survey_server by single calls, as PLAN says. 0, or a negative errno
 * with ERROR set if the export can't be mounted. */
int survey_reach(struct survey *survey, const struct run_plan *plan, struct error *error);

/* Release the parts. */
void survey_free(struct survey *survey);

extern const struct view view_survey;
extern const struct result_reading survey_reading;
