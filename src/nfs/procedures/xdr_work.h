/* The XDR of one call alone, in memory, and its protection: the work of a client that encodes each
 * call and decodes each result by rpcgen's routines, and of one that encodes a call once and checks
 * replies in place. It is repeated and timed, always with the same bytes, so that all of it is in
 * the processor's caches if it fits. */
#pragma once

#include "nfs/call.h"

enum xdr_work_kind {
    XDR_WORK_ENCODE, /* the call: RPC header, credential, arguments */
    XDR_WORK_DECODE, /* the reply: RPC header, result, and freeing what that was given */
    XDR_WORK_STAMP,  /* record mark and xid, in front of a call that is encoded already */
    XDR_WORK_CHECK,  /* the reply in place: engine_check_reply() */
    XDR_WORK_MIC,    /* from here on, by Kerberos: each as enum gss_part says */
    XDR_WORK_WRAP,
    XDR_WORK_VERIFY,
    XDR_WORK_UNWRAP,
    XDR_WORKS,
};

struct xdr_work {
    const struct nfs_call *call;
    struct channel_message message; /* as long as the call's own */
    union nfs_result result;
    struct gss_client *security; /* NULL: CALL is not protected */
    int code;                    /* of the last part by GSS-API that failed, a negative errno; 0 */
};

/* Prepare the XDR of CALL, which must have been tried and must outlive it; if it was protected, by
 * the context of SECURITY (which may be NULL, otherwise). 0, or a negative errno with ERROR set:
 * -EBADMSG for a reply that can't be decoded. Close it in both cases. */
int xdr_work_open(struct xdr_work *work, const struct nfs_call *call, struct gss_client *security,
                  struct error *error);
void xdr_work_close(struct xdr_work *work);

/* Is there work of this kind? */
bool xdr_work_has(const struct xdr_work *work, enum xdr_work_kind kind);

/* Do it COUNT times. CODE says whether the parts by GSS-API succeeded. */
void xdr_work_repeat(struct xdr_work *work, enum xdr_work_kind kind, size_t count);
