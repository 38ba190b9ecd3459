/* What the user asked of a measuring run: the options and words of the command line, checked. */
#ifndef NFSBENCH_CLI_SETTINGS_H
#define NFSBENCH_CLI_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/injection.h"
#include "cli/load_options.h"
#include "cli/options.h"
#include "engine/engine.h"
#include "measure/precision.h"
#include "nfs/mix.h"
#include "target/target.h"

enum {
    SETTINGS_OPS_MAXIMUM = 48,
    SETTINGS_CHANGING_BLOCK_MAXIMUM = 10000, /* each call of a block has a name of its own */
};

struct settings {
    /* As options_parse() fills them in. */
    const char *engine_name, *clock_name, *proto, *auth, *file, *scratch;
    const char *json, *csv, *openmetrics, *hdr; /* where to; NULL: not wanted */
    const char *precision_text, *server_command;
    const char *versus, *versus_proto, *versus_engine; /* the second side's; NULL: as the first's */
    uint16_t port, mount_port;
    uint32_t uid, gid, retransmissions, read_size, block, server_pid, directory_size, files;
    uint64_t timeout_ns, seed, read_offset, maximum_ns, file_size;
    bool spin, verify, no_baseline, no_warmup, no_reserved_port, let_sleep;
    bool no_model, no_ledger, allow_suspect, histograms, keep_scratch;
    bool quiet, verbose, help, version;
    struct injection injection;
    struct load_options load_options;

    /* From them and from the words. */
    char **command; /* all words but the program's name, as typed: the caller's to fill in */
    size_t command_count;
    const char *target_text;
    struct target target;
    const struct nfs_procedure *ops[SETTINGS_OPS_MAXIMUM];
    bool from_group[SETTINGS_OPS_MAXIMUM]; /* named by a group: skipped where it can't be had */
    size_t op_count;
    const char *mix_name; /* NULL: none; else OPS are the mix's, in its order */
    struct nfs_mix mix;
    /* BLOCK is 0 where it is to be chosen. */
    uint64_t calls; /* of each op; 0: until PRECISION is reached, or MAXIMUM_NS have passed */
    struct precision precision;
    bool length_given; /* by --precision or --max-time */
    const struct engine_type *engine;
    struct load load;
    struct identity identity;
};

/* Parse the command line. 0, or -EINVAL with ERROR set (ERROR_USAGE). With --help or --version the
 * rest is not looked at. */
int settings_parse(struct settings *settings, int argc, char **argv, struct error *error);

/* Are there two sides? */
bool settings_have_versus(const struct settings *settings);

/* Parse the command line for the second side: all as for FIRST, which came from the same command
 * line, but for what --versus, --versus-proto and --versus-engine say. 0, or as above. */
int settings_parse_second(struct settings *second, const struct settings *first, int argc,
                          char **argv, struct error *error);

/* Is one of the ops NFS's procedure NUMBER? */
bool settings_call(const struct settings *settings, uint32_t number);

/* Do the ops, or the options, take a scratch directory? */
bool settings_need_scratch(const struct settings *settings);

/* Is it a run under load: more than one call at a time, or calls at a rate? */
bool settings_make_load(const struct settings *settings);

/* Print the options of the measuring command. */
void settings_help(FILE *out);

#endif
