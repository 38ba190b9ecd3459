/* Values of options that are more than a number or a text, and their parsers (option_entry.parse).
 */
#pragma once

#include "cli/option_entry.h"
#include "explain/explain_run.h"
#include "run/sweep.h"
#include "server/policy.h"

struct option_objective {
    const char *text; /* NULL: none */
    struct objective objective;
};

struct option_target {
    const char *text; /* NULL: none */
    struct target target;
};

/* const struct engine_type *, by its name. */
int option_parse_engine(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);

/* struct option_target. */
int option_parse_target(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);

/* struct echo_address: "HOST:PORT" or "[ADDRESS]:PORT". */
int option_parse_echo(const struct option_entry *entry, const char *text, void *member,
                      struct error *error);

/* struct precision: "1%", "20ns", or both, separated by a comma. */
int option_parse_precision(const struct option_entry *entry, const char *text, void *member,
                           struct error *error);

/* struct pattern, and struct nfs_extent: "64Mi" is bytes, "100" is files. */
int option_parse_pattern(const struct option_entry *entry, const char *text, void *member,
                         struct error *error);
int option_parse_sample(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);
int option_parse_extent(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);

/* cpus of a struct load_request, and its cpu_count: "0-3,6". */
int option_parse_cpus(const struct option_entry *entry, const char *text, void *member,
                      struct error *error);

/* struct sweep_range, of counts. */
int option_parse_range(const struct option_entry *entry, const char *text, void *member,
                       struct error *error);

/* The same, of sizes. */
int option_parse_sizes(const struct option_entry *entry, const char *text, void *member,
                       struct error *error);

/* The same, of counts or shares. */
int option_parse_shares(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);

/* struct option_objective. */
int option_parse_objective(const struct option_entry *entry, const char *text, void *member,
                           struct error *error);

/* RPC_FLAVOR_x, the preferred one first. */
struct flavor_list {
    uint32_t values[POLICY_FLAVORS_MAXIMUM];
    size_t count;
};

/* struct flavor_list: names of the entry's choices, separated by commas. */
int option_parse_flavors(const struct option_entry *entry, const char *text, void *member,
                         struct error *error);

/* What the values of a range are. */
enum sweep_range_kind {
    SWEEP_RANGE_COUNTS,
    SWEEP_RANGE_SIZES,  /* in bytes */
    SWEEP_RANGE_SHARES, /* counts or percentages */
};

/* Parse TEXT, the value of --OPTION: values separated by commas, each a number ("8", "64k") or a
 * range ("1..64": 1 and its doublings, up to and including 64); of shares, also percentages ("50%")
 * and their ranges ("10%..100%": in steps of the first). 0, or -EINVAL with ERROR set
 * (ERROR_USAGE). */
int sweep_range_parse(const char *option, const char *text, enum sweep_range_kind kind,
                      struct sweep_range *range, struct error *error);
