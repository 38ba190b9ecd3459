/* The measurement of a ladder: the rounds of a session, with blocks beside them that are no calls.
 */
#ifndef NFSBENCH_CLI_LADDER_RUN_H
#define NFSBENCH_CLI_LADDER_RUN_H

#include "cli/explain_echo.h"
#include "cli/session.h"
#include "engine/bare.h"
#include "measure/ladder.h"
#include "nfs/xdr_work.h"

/* The blocks beside the session's own, as series behind them. */
enum ladder_beside {
    LADDER_BESIDE_TIMER,
    LADDER_BESIDE_XDR,
    LADDER_BESIDE_ECHO,
    LADDER_BESIDE_ECHO_OP,
    LADDER_BESIDES,
};

struct ladder_run {
    struct session session;
    struct block_source calls;                  /* of the session's own */
    size_t null_index, control_index, op_index; /* of the session's series */
    struct explain_echo echo;
    struct bare *bare;
    struct bare_message null_bytes, op_bytes; /* as long as those calls and replies */
    struct xdr_work xdr;
    struct rounds rounds; /* the session's series, and then those beside */
    bool echo_failed;     /* that is what ended the rounds */
};

/* Mount, find the objects, have an echo, and all that the blocks need. 0, or a negative errno with
 * ERROR set; ladder_run_close() is due in any case. */
int ladder_run_open(struct ladder_run *run, const struct settings *settings, const char *echo,
                    struct error *error);

/* Measure. 0, or what ended it early (-EINTR for Ctrl-C), with ERROR set; the session's rounds then
 * hold what was measured until then. */
int ladder_run_measure(struct ladder_run *run, struct error *error);

/* The series that is RUNG. */
const struct series *ladder_run_series(const struct ladder_run *run, enum ladder_rung rung);

void ladder_run_close(struct ladder_run *run);

#endif
