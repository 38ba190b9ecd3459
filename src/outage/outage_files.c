/* An outage as JSON (doc/FORMAT.md) and as CSV: a line for each procedure and connection of each
 * gap. */
#include <inttypes.h>

#include "nfs/status.h"
#include "outage/outage.h"
#include "output/csv.h"
#include "output/json.h"

/* JSON */

static json_t *errors_object(const struct engine_tally *tally)
{
    char name[NFS_STATUS_NAME_SIZE];
    json_t *object = json_object();

    for (size_t i = 0; i < tally->error_kinds; i++)
        json_object_set_new(object, nfs_status_name(tally->errors[i].status, name),
                            json_count(tally->errors[i].count));
    return object;
}

static json_t *calls_array(const struct outage *outage)
{
    json_t *array = json_array();

    for (size_t i = 0; i < OUTAGE_PROCEDURES; i++) {
        const struct outage_calls *calls = &outage->calls[i];

        json_array_append_new(
            array,
            json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "op", outage_procedure_names[i], "due",
                      json_count(calls->due), "not_sent", json_count(calls->not_sent), "good",
                      json_count(calls->good), "failed", json_count(calls->tally.failed), "errors",
                      errors_object(&calls->tally)));
    }
    return array;
}

static json_t *messages_object(const struct outage *outage)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "sent", json_count(outage->sent),
                     "sent_again", json_count(outage->counts.retransmissions), "answered",
                     json_count(outage->answered), "lost", json_count(outage_unanswered(outage)),
                     "duplicated", json_count(outage->counts.unmatched), "in_flight",
                     json_count(outage->in_flight), "reconnections",
                     json_count(outage->counts.reconnections));
}

static json_t *lost_object(const struct outage *outage)
{
    const struct outage_lost *lost = &outage->lost;
    json_t *object = json_pack("{s:o, s:o, s:o, s:o}", "blocks", json_count(lost->blocks), "bytes",
                               json_count(lost->blocks * outage->block_size), "file_sync",
                               json_count(lost->sync), "committed", json_count(lost->committed));

    for (enum block_fault fault = BLOCK_MISSING; fault < BLOCK_FAULTS; fault++)
        json_object_set_new(object, outage_fault_names[fault], json_count(lost->faults[fault]));
    return object;
}

static json_t *line_object(const struct outage_line *line)
{
    return json_pack("{s:s, s:o}", "op", line->op, "connection", json_count(line->connection));
}

static json_t *row_object(const struct outage_row *row)
{
    json_t *object = line_object(&row->line);

    json_object_set_new(object, "began_s", json_real(row->began));
    json_object_set_new(object, "length_s", json_real(row->length));
    json_object_set_new(object, "ended", json_boolean(row->ended));
    json_object_set_new(object, "grace_s", json_real(row->grace));
    json_object_set_new(object, "errors", json_count(row->errors));
    return object;
}

static json_t *gap_object(const struct outage_gap *gap)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < gap->row_count; i++)
        json_array_append_new(rows, row_object(&gap->rows[i]));
    return json_pack("{s:f, s:f, s:b, s:o, s:f, s:o, s:o}", "began_s", gap->began, "length_s",
                     gap->length, "ended", gap->ended, "first_back",
                     gap->first_back.op ? line_object(&gap->first_back) : json_null(), "grace_s",
                     gap->grace, "lost_blocks", json_count(gap->lost), "lines", rows);
}

static json_t *outage_object(const struct outage *outage)
{
    json_t *object = json_begin(RESULT_OUTAGE), *gaps = json_array();

    for (size_t i = 0; i < outage->gap_count; i++)
        json_array_append_new(gaps, gap_object(&outage->gaps[i]));
    origin_add_json(object, &outage->origin);
    origin_add_security(object, &outage->origin);
    json_object_set_new(object, "duration_s", json_real(outage->duration));
    json_object_set_new(object, "connections", json_count(outage->connections));
    json_object_set_new(object, "size", json_count(outage->block_size));
    json_object_set_new(object, "rate_per_s", json_real(outage->rate));
    json_object_set_new(object, "threshold_s", json_real(outage->threshold));
    json_object_set_new(object, "stalls", json_count(outage->stalls));
    json_object_set_new(object, "stalled_s", json_real((double)outage->stalled_ns / 1e9));
    json_object_set_new(object, "gaps", gaps);
    json_object_set_new(object, "gaps_not_kept", json_count(outage->gaps_not_kept));
    json_object_set_new(object, "calls", calls_array(outage));
    json_object_set_new(object, "messages", messages_object(outage));
    json_object_set_new(object, "found_again", json_count(outage->found_again));
    json_object_set_new(object, "made_again", json_count(outage->made_again));
    json_object_set_new(object, "verifier_changes", json_count(outage->verifier_changes));
    json_object_set_new(object, "uncommitted_blocks", json_count(outage->uncommitted));
    json_object_set_new(object, "written_blocks", json_count(outage->written));
    json_object_set_new(object, "unchecked_blocks", json_count(outage->unchecked));
    json_object_set_new(object, "lost", lost_object(outage));
    json_set_text(object, "cut_short_by", outage->cut_short_by);
    return object;
}

int outage_write_json(const void *data, FILE *out)
{
    return json_write_object(outage_object(data), out);
}

/* CSV */

enum { DIGITS = CSV_DECIMALS(6) };

static void write_row(const struct outage *outage, const struct outage_row *row, FILE *out)
{
    origin_write_csv(&outage->origin, out);
    fprintf(out, "%" PRIu64 ",%s,%" PRIu64, row->gap, row->line.op, row->line.connection);
    csv_write_number(row->began, DIGITS, out);
    csv_write_number(row->length, DIGITS, out);
    fprintf(out, ",%d,%d", row->ended, row->first_back);
    csv_write_number(row->grace, DIGITS, out);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 "\r\n", row->errors, outage->gaps[row->gap - 1].lost);
}

int outage_write_csv(const void *data, FILE *out)
{
    const struct outage *outage = data;

    fputs(ORIGIN_CSV_COLUMNS "gap,op,connection,began_s,length_s,ended,first_back,grace_s,errors,"
                             "gap_lost_blocks\r\n",
          out);
    for (size_t i = 0; i < outage->row_count; i++)
        write_row(outage, &outage->rows[i], out);
    return 0;
}
