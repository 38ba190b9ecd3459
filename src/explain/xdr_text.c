/* The result of --xdr as text for people. */
#include "explain/xdr.h"

#include <inttypes.h>
#include <math.h>

#include "common/printable.h"
#include "measure/validity.h"
#include "output/number.h"
#include "version.h"

static void print_heading(const struct xdr_result *result, FILE *out)
{
    fprintf(out, "nfsbench %s  XDR of each call on %s  NFSv3 over %s  %s\n", NFSBENCH_VERSION,
            printable(result->target).text, result->transport, result->auth);
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
        fprintf(out,
                "with fewer than %d rounds the intervals themselves are uncertain: raise COUNT\n",
                VALIDITY_ROUNDS_SUSPECT);
    if (result->cut_short_by)
        fprintf(out, "CUT SHORT after %zu rounds: %s\n", result->rounds,
                printable(result->cut_short_by).text);
}

static void print_row(const struct xdr_row *row, FILE *out)
{
    const struct interval *figures = row->figures, *share = &figures[XDR_FIGURE_SHARE_RPCGEN];
    char range[NUMBER_INTERVAL_SIZE];

    number_interval(share, 0.01, 2, false, range);
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
        fprintf(out, "  %-16s left out: %s\n", result->skipped[i].op,
                printable(result->skipped[i].reason).text);
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
