/* Repeat, in memory, the XDR work and the protection of a single call, so that they can be timed.
 * The times compare a client that encodes each call and decodes each result by rpcgen's routines
 * with one that encodes a call once and checks replies in place. The work always uses the same
 * bytes, which therefore stay in the processor's caches if they fit. */
#pragma once

#include "nfs/call.h"

enum xdr_work_kind {
    XDR_WORK_ENCODE, /* encode the call: RPC header, credential, arguments */
    XDR_WORK_DECODE, /* decode the reply: RPC header and result, and free the result */
    XDR_WORK_STAMP,  /* write record mark and xid into a call that is already encoded */
    XDR_WORK_CHECK,  /* check the reply in place: engine_check_reply() */
    XDR_WORK_MIC,    /* from here on: work of Kerberos, in the order of enum gss_part */
    XDR_WORK_WRAP,
    XDR_WORK_VERIFY,
    XDR_WORK_UNWRAP,
    XDR_WORKS,
};

struct xdr_work {
    const struct nfs_call *call;
    struct channel_message message; /* the message that the encoding of CALL overwrites */
    union nfs_result result;
    struct gss_client *security; /* context that protects CALL; NULL if CALL is not protected */
    int code; /* negative errno of the last GSS-API work that failed; 0 if none failed */
};

/* Prepare the work of CALL, which must have been tried (nfs_call_try()) and must outlive WORK.
 * SECURITY is the context that protected CALL; NULL if there is none. Returns 0, or a negative
 * errno with ERROR set: -EBADMSG for a reply that can't be decoded or fails its check. Call
 * xdr_work_close() in either case. */
int xdr_work_open(struct xdr_work *work, const struct nfs_call *call, struct gss_client *security,
                  struct error *error);
void xdr_work_close(struct xdr_work *work);

bool xdr_work_has(const struct xdr_work *work, enum xdr_work_kind kind);

/* Do the work KIND COUNT times. If a GSS-API call fails, WORK's `code` is set. */
void xdr_work_repeat(struct xdr_work *work, enum xdr_work_kind kind, size_t count);
