/* The calls of a probe one by one: what they ask for, and what their answers mean. */
#ifndef NFSBENCH_OUTAGE_PROBE_CALLS_H
#define NFSBENCH_OUTAGE_PROBE_CALLS_H

#include "outage/probe.h"

/* Encode the next call of PROCEDURE over LINK into CALL. Returns 1; 0 if there is nothing to call
 * it on; or a negative errno with ERROR set. */
int probe_call_make(struct probe *probe, struct probe_link *link, enum outage_procedure procedure,
                    struct probe_call *call, struct error *error);

/* Call NUMBER over LINK was answered by MESSAGE at NOW. Returns 0, also for an error that the
 * server gave; or -EBADMSG with ERROR set. */
int probe_call_answered(struct probe *probe, struct probe_link *link, size_t number,
                        const struct receive_buffer_message *message, uint64_t now,
                        struct error *error);

#endif
