/* What XDR takes of each call: as text for people, and as CSV. */
#include "output/xdr.h"

#include <errno.h>
#include <inttypes.h>

#include "measure/validity.h"
#include "version.h"

const char *const xdr_figure_names[XDR_FIGURES] = {
    [XDR_FIGURE_ENCODE] = "encode_ns",         [XDR_FIGURE_DECODE] = "decode_ns",
    [XDR_FIGURE_STAMP] = "stamp_ns",           [XDR_FIGURE_CHECK] = "check_ns",
    [XDR_FIGURE_ROUND_TRIP] = "round_trip_ns", [XDR_FIGURE_SHARE_RPCGEN] = "share_rpcgen",
    [XDR_FIGURE_SHARE_WIRE] = "share_wire",
};

static void print_heading(const struct xdr_result *result, FILE *out)
{
    fprintf(out, "nfsbench %s  XDR of each call on %s  NFSv3 over %s  %s\n", NFSBENCH_VERSION,
            result->target, result->transport, result->auth);
    fprintf(out, "client on CPU %s", result->client_cpus);
    if (result->server_cpu >= 0)
        fprintf(out, ", server on CPU %d", result->server_cpu);
    fprintf(out, "     clock %s, its cost of %.0f ns taken off\n", result->clock,
            result->clock_cost_ns);
    fprintf(out,
            "%zu rounds, seed %" PRIu64 "; in each, of each op, %zu round trips and, of each kind "
            "of XDR, %zu\nbatches of %.0f us or more, in random order\n",
            result->rounds, result->seed, result->round_trips, result->batches,
            result->batch_ns / 1000);
    if (result->rounds < VALIDITY_ROUNDS_SUSPECT)
        fprintf(out, "under %d rounds the intervals themselves are uncertain: raise COUNT\n",
                VALIDITY_ROUNDS_SUSPECT);
    if (result->cut_short_by)
        fprintf(out, "CUT SHORT after %zu rounds: %s\n", result->rounds, result->cut_short_by);
}

static void print_row(const struct xdr_row *row, FILE *out)
{
    const struct interval *figures = row->figures, *share = &figures[XDR_FIGURE_SHARE_RPCGEN];
    char range[32];

    snprintf(range, sizeof range, "[%.2f, %.2f]", 100 * share->low, 100 * share->high);
    fprintf(out, "  %-16s %7zu %7zu  %8.1f %8.1f  %6.1f %6.1f  %9.2f  %6.2f %-15s %5.2f\n", row->op,
            row->call_bytes, row->reply_bytes, figures[XDR_FIGURE_ENCODE].estimate,
            figures[XDR_FIGURE_DECODE].estimate, figures[XDR_FIGURE_STAMP].estimate,
            figures[XDR_FIGURE_CHECK].estimate, figures[XDR_FIGURE_ROUND_TRIP].estimate / 1000,
            100 * share->estimate, range, 100 * figures[XDR_FIGURE_SHARE_WIRE].estimate);
}

void xdr_print(const struct xdr_result *result, FILE *out)
{
    print_heading(result, out);
    fprintf(out, "\n  %-16s %15s  %17s  %13s  %9s  %s\n", "", "message bytes", "rpcgen's, ns",
            "wire's, ns", "round", "share of the call, %");
    fprintf(out, "  %-16s %7s %7s  %8s %8s  %6s %6s  %9s  %6s %-15s %5s\n", "op", "call", "reply",
            "encode", "decode", "stamp", "check", "trip us", "rpcgen", " 95 %", "wire");
    for (size_t i = 0; i < result->row_count; i++)
        print_row(&result->rows[i], out);
    for (size_t i = 0; i < result->skipped_count; i++)
        fprintf(out, "  %-16s left out: %s\n", result->skipped[i].op, result->skipped[i].reason);
    fputs("\n"
          "  encode, decode: a client that encodes each call and decodes each result by rpcgen's "
          "routines: RPC\n"
          "  header with credential and arguments; RPC header and result, with its memory given "
          "back.\n"
          "  stamp, check: what engine wire does instead: mark and xid written into a call encoded "
          "once; the\n"
          "  reply's header and result checked where they are. The round trip, of the same rounds, "
          "has none of\n"
          "  the four: a call is the round trip and two of them.\n"
          "  In memory, the same bytes over and over, so the caches are warm and hold what fits: a "
          "lower bound.\n",
          out);
}

int xdr_write_csv(const void *data, FILE *out)
{
    const struct xdr_result *result = data;

    fputs("op,call_bytes,reply_bytes", out);
    for (size_t i = 0; i < XDR_FIGURES; i++)
        fprintf(out, ",%s,%s_low,%s_high", xdr_figure_names[i], xdr_figure_names[i],
                xdr_figure_names[i]);
    fputs("\r\n", out);
    for (size_t i = 0; i < result->row_count; i++) {
        const struct xdr_row *row = &result->rows[i];

        fprintf(out, "%s,%zu,%zu", row->op, row->call_bytes, row->reply_bytes);
        for (size_t f = 0; f < XDR_FIGURES; f++)
            fprintf(out, ",%.6g,%.6g,%.6g", row->figures[f].estimate, row->figures[f].low,
                    row->figures[f].high);
        fputs("\r\n", out);
    }
    return ferror(out) ? -EIO : 0;
}
