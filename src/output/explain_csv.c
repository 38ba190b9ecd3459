/* An explanation's table as CSV (RFC 4180). Times are in ns; what is not known is empty. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "output/explain_parts.h"

static void write_number(double value, int decimals, FILE *out)
{
    fputc(',', out);
    if (isfinite(value))
        fprintf(out, "%.*f", decimals, value);
}

static void write_row(const struct explain_row *row, FILE *out)
{
    const double times[] = {row->mean,
                            row->adjusted,
                            row->low,
                            row->p50,
                            row->p99,
                            row->high,
                            row->begins,
                            row->second_ns > 0 ? row->second_begins : NAN,
                            row->second_ns > 0 ? row->second_ns : NAN,
                            row->prediction.low,
                            row->prediction.high};

    fprintf(out, "%s,%s,%" PRIu64, row->type->key, explain_kind_key(row->type->kind), row->count);
    write_number(row->share, 6, out);
    write_number(row->share_without_queueing, 6, out);
    write_number(row->share_of_client, 6, out);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        write_number(times[i], 3, out);
    fputs("\r\n", out);
}

int explain_write_csv(const void *data, FILE *out)
{
    const struct explanation *explanation = data;

    fputs("phase,kind,calls,share,share_without_queueing,share_of_client,mean_ns,adjusted_ns,"
          "min_ns,p50_ns,p99_ns,max_ns,begins_ns,second_begins_ns,second_ns,predicted_low_ns,"
          "predicted_high_ns\r\n",
          out);
    for (size_t i = 0; i < explanation->row_count; i++)
        write_row(&explanation->rows[i], out);
    return ferror(out) ? -EIO : 0;
}
