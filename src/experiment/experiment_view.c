/* The views of an experiment, and of its two sides. */
#include "experiment/experiment.h"
#include "output/form/measurement_view.h"
#include "output/view/difference.h"
#include "version.h"

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION
     "  {?(preset=sec-ladder)security ladder|{?(preset=sweep)sweep|experiment}} of {ops}"
     "{?(!preset=sec-ladder){? by {varied}}}{? on {target}}{?  NFSv3 over {transport}}  engine "
     "{engine}"},
    {"client on CPU {client_cpus}     {units_done#trial}{? of {unit_calls#call}}"
     "{? of {unit_seconds:3g} s}{? in {launches#launch}}{? over {over_ns/1e9:4g} "
     "s}{?(interleaved), "
     "in the same rounds| in "
     "random order}, seed {seed}"},
    {"each flavour is compared with AUTH_SYS in the same rounds; the time of a call includes "
     "protecting it{?(check_in_time) and verifying the reply|, but not verifying the reply (see "
     "--check-in-time)}",
     .when = "preset=sec-ladder"},
    {"each is compared with {reference}", .when = "!preset=sec-ladder"},
    {"each point has {given_up.repeats#trial} instead of {given_up.repeats_usual}, to end in time; "
     "--max-time {given_up.usual_seconds:0}s is long enough for all"},
    {"over an emulated line{? of {line.bits_per_s/1000000:4g} Mbit/s}, {line.delay_ns/1000:4g} us "
     "each way"},
    {"a closed loop makes {full_rate_per_s:,} calls/s: --rate 100% is this rate"},
    {"CUT SHORT after {units_done} of {units_planned#trial}: {cut_short_by}"},
    {NULL},
};

/* If rows are too wide, the columns with the highest rank (`spare`) are dropped first: they only
 * explain a cell. Columns of rank 0, which identify a cell for example, are never dropped. */
static const struct view_column cell_columns[] = {
    {"name", "op", .flags = VIEW_IF_ANY, .when = "^varies_op"},
    {"variant", "sec", .flags = VIEW_IF_ANY, .when = "^preset=sec-ladder"},
    {"variant", "variant", .flags = VIEW_IF_ANY, .when = "!^preset=sec-ladder"},
    {"link.delay_ns", "delay us", 0, 1, VIEW_US, VIEW_IF_ANY, .when = "^varies_link"},
    {"clients", "clients", .flags = VIEW_IF_ANY, .when = "^varies_clients"},
    {"depth", "depth", .flags = VIEW_IF_ANY, .when = "^varies_depth"},
    {"size", "bytes", 0, VIEW_GROUPED, .flags = VIEW_IF_ANY, .when = "^varies_size !^varies_op"},
    {"rate_per_s", "offered/s", 0, VIEW_GROUPED, .flags = VIEW_IF_ANY,
     .when = "^varies_rate|^find_max"},
    {"throughput_per_s.level", "calls/s", 0, VIEW_KNOWN},
    {"throughput_per_s.level", "95 %", 6, VIEW_KNOWN, .flags = VIEW_RANGE | VIEW_IF_ANY,
     .when = "!^find_max"},
    {"typical_rate_per_s.level", "typical calls/s", 9, VIEW_KNOWN, .flags = VIEW_IF_ANY},
    {"mb_per_s.level", "MB/s", 4, VIEW_KNOWN, .flags = VIEW_IF_ANY},
    {"typical_ns.level", "typical us", 0, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY, .when = "!rate_per_s"},
    {"typical_ns.level", "95 %", 1, VIEW_KNOWN, VIEW_US, VIEW_RANGE | VIEW_IF_ANY,
     .when = "!rate_per_s !^reference"},
    {"typical_ns.level", "95 %", 7, VIEW_KNOWN, VIEW_US, VIEW_RANGE | VIEW_IF_ANY,
     .when = "!rate_per_s ^reference"},
    {"mean_ns.level", "mean us", 0, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY, .when = "rate_per_s"},
    {"mean_ns.level", "95 %", 1, VIEW_KNOWN, VIEW_US, VIEW_RANGE | VIEW_IF_ANY,
     .when = "rate_per_s !^find_max"},
    {"p50_ns.level", "p50 us", 5, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY, .when = "rate_per_s"},
    {"against.difference_ns", "above us", 0, VIEW_KNOWN, VIEW_US, VIEW_SIGNED | VIEW_IF_ANY},
    {"against.difference_ns", "95 %", 1, VIEW_KNOWN, VIEW_US, VIEW_RANGE | VIEW_IF_ANY},
    {"{?(against.word=same)none seen|{against.word}}", "finding", .flags = VIEW_IF_ANY},
    {"against.below_ns", "below us", 2, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY},
    {"against.ratio", "ratio", 8, VIEW_KNOWN, .flags = VIEW_IF_ANY},
    {"share_of_rate", "% of reference rate", 9, 0, 100, VIEW_IF_ANY, .when = "^most_depth>1"},
    {"above_null_ns.level", "cost us", 2, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY},
    {"above_null_ns.level", "95 %", 5, VIEW_KNOWN, VIEW_US, VIEW_RANGE | VIEW_IF_ANY},
    {"p99_ns.level", "p99 us", 3, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY},
    {"client_cpu_ns_per_call.level", "client us", 4, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY},
    {"server_cpu_ns_per_call.level", "server us", 5, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY},
    {"client_cpu_share.level", "client CPU", 7, .flags = VIEW_PERCENT | VIEW_IF_ANY},
    {"server_cpus.level", "server CPU", 7, .flags = VIEW_PERCENT | VIEW_IF_ANY},
    {"rx_packets_per_call.level", "rx packets", 10, VIEW_KNOWN, .flags = VIEW_IF_ANY,
     .when = "^varies_size"},
    {"rx_bytes_per_call.level", "rx bytes", 10, VIEW_KNOWN, .flags = VIEW_IF_ANY,
     .when = "^varies_size"},
    {"interrupts_per_call.level", "interrupts", 11, VIEW_KNOWN, .flags = VIEW_IF_ANY,
     .when = "^varies_size"},
    {"net_rx_per_call.level", "NET_RX", 11, VIEW_KNOWN, .flags = VIEW_IF_ANY,
     .when = "^varies_size"},
    {"lateness_p99_ns.level", "late p99 us", 4, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY},
    {"turn_around_ns.level", "turn-around us", 9, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY},
    {"{?(little.verdict=holds)holds|{little.discrepancy/0.01:+1} %}", "Little's law", 8,
     .flags = VIEW_IF_ANY},
    {"limited_by", "limited by", .flags = VIEW_IF_ANY, .when = "units !^reference"},
    {"limited_by", "limited by", 9, .flags = VIEW_IF_ANY, .when = "units ^reference"},
    {"held", "held", .flags = VIEW_IF_ANY, .when = "units"},
    {NULL},
};

static const struct view_line cell_remarks[] = {
    {"can't be reached", .when = "!units"},
    {"({invalid_units} of {units} trials invalid)", .when = "invalid_units"},
    {NULL}};

#define DIAGNOSIS "  {of}: {phrase}: {evidence}; {advice}{?(limited_by=unknown)| ({sureness})}"

#define LITTLE_MEANS                                                                               \
    "Little's law: calls in flight = calls/s x (time of a call + turn-around); if it does not "    \
    "hold, calls waited in the client, or the figures contradict one another"

static const struct view_line cell_notes[] = {
    {DIAGNOSIS, "diagnoses"},
    {"  " LITTLE_MEANS, .flags = VIEW_VERBOSE, .column = "Little's law"},
    {"", .when = "reference", .flags = VIEW_VERBOSE},
    {"  above us: the typical time of a call minus that of {reference}{?(preset=sec-ladder) in the "
     "same rounds}",
     .flags = VIEW_VERBOSE, .column = "above us"},
    {"  ratio: the typical time of a call divided by that of {reference}", .flags = VIEW_VERBOSE,
     .column = "ratio"},
    {"  client us, server us: processor time per call", .flags = VIEW_VERBOSE,
     .column = "client us"},
    {NULL},
};

static const struct view_column connections[] = {
    {"label", "connections"},
    {"tcp_rtt_ns.level", "RTT us", 0, 1, VIEW_US, VIEW_IF_ANY},
    {"tcp_rtt_min_ns.level", "least RTT us", 4, 1, VIEW_US, VIEW_IF_ANY},
    {"tcp_rttvar_ns.level", "RTT deviation us", 5, 1, VIEW_US, VIEW_IF_ANY},
    {"tcp_retransmitted_share.level", "retransmitted %", 0, 2, 100, VIEW_IF_ANY},
    {"udp_resent_share.level", "calls resent %", 0, 2, 100, VIEW_IF_ANY},
    {"tcp_out_of_order_share.level", "out of order %", 2, 2, 100, VIEW_IF_ANY},
    {"tcp_spurious_share.level", "spurious %", 2, 0, 100, VIEW_IF_ANY},
    {"tcp_rwnd_limited_share.level", "window full %", 0, 1, 100, VIEW_IF_ANY},
    {"tcp_sndbuf_limited_share.level", "buffer full %", 3, 1, 100, VIEW_IF_ANY},
    {"tcp_window_used.level", "own window used %", 1, 1, 100, VIEW_IF_ANY},
    {"slots_waiting.level", "calls waiting for slots", 0, 2, .flags = VIEW_IF_ANY},
    {NULL},
};

static const struct view_line connections_notes[] = {
    {""},
    {"  RTT us: from a segment to its acknowledgement (TCP's smoothed round-trip time); a server "
     "may send the acknowledgement with its reply",
     .column = "RTT us"},
    {"  retransmitted %, out of order %: share of the segments with data that TCP sent and "
     "received",
     .column = "retransmitted %"},
    {"  spurious %: share of the retransmitted segments that the server had already received",
     .column = "spurious %"},
    {"  window full %, buffer full %: share of the time in which the server's receive window or "
     "this client's send buffer was full",
     .column = "window full %"},
    {"  own window used %: share of the client's receive window that was in flight to the client",
     .column = "own window used %"},
    {NULL},
};

/* Contrasts that have no column in the table of cells. */
static const struct view_column contrasts[] = {
    {"of", "point", .flags = VIEW_LEFT},
    {"against", "reference", .flags = VIEW_LEFT | VIEW_IF_ANY, .when = "!^reference"},
    {"what", "quantity", .flags = VIEW_LEFT},
    {"difference_ns", "above us", 0, VIEW_KNOWN, VIEW_US, VIEW_SIGNED},
    {"difference_ns", "95 %", 0, VIEW_KNOWN, VIEW_US, VIEW_RANGE},
    {"{?(word=same)none seen|{word}}", "finding", .flags = VIEW_IF_ANY},
    {"below_ns", "below us", 2, VIEW_KNOWN, VIEW_US, VIEW_IF_ANY},
    {"adjusted_p", "p", 3, 3, .flags = VIEW_IF_ANY},
    {"ratio", "ratio", 4, VIEW_KNOWN, .flags = VIEW_IF_ANY},
    {NULL},
};

#define SCALING_NAME "{?(^varies_op){op}: }{?{variant}: }"

static const struct view_column knee[] = {
    {SCALING_NAME "{?(^varies_size)knee at {size:,} B, calls in flight|knee, calls in flight}",
     "scalability", .width = 30},
    {"knee.concurrency", "estimate", 0, VIEW_KNOWN, .when = "!knee.lower_bound"},
    {"knee.concurrency", "95 %", 0, VIEW_KNOWN, .flags = VIEW_RANGE, .when = "!knee.lower_bound"},
    {NULL},
};

static const struct view_column law[] = {
    {"knee.throughput_maximum", "highest rate, calls/s", 0, VIEW_KNOWN},
    {"law.lambda", "lambda, calls/s", 0, VIEW_KNOWN},
    {"law.sigma", "sigma (contention)", 0, VIEW_KNOWN},
    {"law.kappa", "kappa (coherency)", 0, VIEW_KNOWN},
    {"law.peak_concurrency", "peak, calls in flight", 0, VIEW_KNOWN,
     .remark = "{?(law.peak_beyond)beyond the measured points}"},
    {"law.peak_throughput", "rate at the peak or limit, calls/s", 0, VIEW_KNOWN},
    {NULL},
};

static const struct view_line scaling_remarks[] = {
    {"-> above {knee.concurrency.low:2}: throughput still grew", .when = "knee.lower_bound"},
    {"-> throughput still grew", .when = "knee.lower_bound"},
    {NULL}};

#define KNEE_MEANS                                                                                 \
    "knee: with fewer calls in flight, capacity is unused; with more, calls wait for one "         \
    "another, and each added call makes all calls slower"
#define LAW_MEANS                                                                                  \
    "Universal Scalability Law, X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)): with N "  \
    "calls in flight, the rate would be lambda N, but is reduced by the work that only one call "  \
    "can do at a time (sigma, which limits the rate) and by the work that each pair of calls "     \
    "causes (kappa, which makes the rate fall again)"

static const struct view_line scaling_notes[] = {
    {"  " SCALING_NAME
     "{?(^varies_size)calls of {size:,} bytes: }Universal Scalability Law: R2 {law.r_squared:3}"
     "{?(law.residual_largest>0), off by {law.residual_largest/0.01:2g} % at worst"
     "{?(law.residual_concurrency>0), with {law.residual_concurrency:3g} calls in flight}}",
     "scaling"},
    {"  " SCALING_NAME
     "{?(^varies_size)calls of {size:,} bytes: }no scalability law: {law_missing}",
     "scaling"},
    {"", .flags = VIEW_VERBOSE},
    {"  " KNEE_MEANS, .flags = VIEW_VERBOSE},
    {"  " LAW_MEANS, .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column pieces[] = {
    {"first", "from B", 0, VIEW_GROUPED},
    {"last", "to B", 0, VIEW_GROUPED},
    {"fixed_ns", "fixed us", 0, VIEW_KNOWN, VIEW_US},
    {"fixed_ns", "95 %", 1, VIEW_KNOWN, VIEW_US, VIEW_RANGE},
    {"ns_per_byte", "+ ns per byte", 0, VIEW_KNOWN},
    {"ns_per_byte", "95 %", 1, VIEW_KNOWN, .flags = VIEW_RANGE},
    {NULL},
};

/* In a security ladder, clients don't vary, and depth is 1 if sizes vary: both need no column. */
static const struct view_column pieces_above_reference[] = {
    {"^op", "op, by size"},
    {"^variant", "variant"},
    {"first", "from B", 0, VIEW_GROUPED},
    {"last", "to B", 0, VIEW_GROUPED},
    {"ns_per_byte", "above us/KiB", 0, VIEW_KNOWN, VIEW_US * 1024},
    {"ns_per_byte", "95 %", 0, VIEW_KNOWN, VIEW_US * 1024, VIEW_RANGE},
    {"fixed_ns", "+ us", 0, VIEW_KNOWN, VIEW_US},
    {NULL},
};

static const struct view_column delays[] = {
    {"op", "delay, by op"},
    {"clients", "clients", .flags = VIEW_IF_ANY, .when = "^varies_clients"},
    {"depth", "depth", .flags = VIEW_IF_ANY, .when = "^varies_depth"},
    {"size", "bytes", 0, VIEW_GROUPED, .flags = VIEW_IF_ANY, .when = "^varies_size"},
    {"round_trips", "round trips per call", 0, VIEW_KNOWN},
    {"round_trips", "95 %", 0, VIEW_KNOWN, .flags = VIEW_RANGE},
    {"half_rate_delay_ns", "half rate at us", 0, VIEW_KNOWN, VIEW_US},
    {"half_rate_delay_ns", "95 %", 1, VIEW_KNOWN, VIEW_US, VIEW_RANGE},
    {NULL},
};

static const struct view_line delay_remarks[] = {
    {"a call waits for more than one round trip", .when = "round_trips.low>1.05"},
    {"more than half the rate even at {most_delay_ns/1000:0} us", .when = "!half_rate_delay_ns"},
    {NULL}};

static const struct view_line delay_notes[] = {
    {"", .flags = VIEW_VERBOSE},
    {"  round trips per call: half of the growth of a call's typical time per growth of the "
     "one-way delay; half rate at us: the delay at which the typical rate is half of that with the "
     "least "
     "delay",
     .flags = VIEW_VERBOSE},
    {NULL},
};

/* SIZES_NAME is a template for the name of a curve over size: "read krb5p, 1 client, depth 1".
 * PIECE_NAME is the template for the same name in a row of the curve's pieces. */
#define SIZES_NAME "{?(^varies_op){op} }{?{variant}, }{clients#client}, depth {depth}"
#define PIECE_NAME "{?(^^varies_op){^op} }{?{^variant}, }{^clients#client}, depth {^depth}"

static const struct view_line pieces_notes[] = {
    {"  " PIECE_NAME ", {first:,} to {last:,} bytes: "
     "no line fits: points are off by up to {misfit_ns/1000:2g} us beyond the noise",
     "sizes/pieces", "!fixed_ns|!ns_per_byte"},
    {"  " PIECE_NAME ": a step of {jump_ns/1000:3} us {jump_ns.ci95/1000:3} between "
     "{size:,} and {next:,} bytes",
     "sizes/breaks", "jump_ns.low>0"},
    {"  " PIECE_NAME ": a bend between {size:,} and {next:,} bytes", "sizes/breaks",
     "!jump_ns.low>0"},
    {"  " SIZES_NAME ": the lines are off by {residual_largest/0.01:2g} % of a call at worst"
     "{?(residual_size>0), at {residual_size:,} bytes}",
     "sizes", "residual_largest>0"},
    {NULL},
};

static const struct view_table tables[] = {
    {"cells", NULL, cell_columns, NULL, cell_remarks, cell_notes, VIEW_NARROW,
     .when = "!^find_max|-v"},
    {"cells", NULL, connections, .notes = connections_notes, .flags = VIEW_VERBOSE,
     .when = "tcp_rtt_ns.level|udp_resent_share.level|slots_waiting.level"},
    {"contrasts", NULL, contrasts, .when = "!^reference|!quantity=round_trip"},
    {"scaling", NULL, knee, law, scaling_remarks, scaling_notes,
     .about = LITTLE_MEANS ". " KNEE_MEANS ". " LAW_MEANS "."},
    {"delays", NULL, delays, NULL, delay_remarks, delay_notes},
    {"sizes/pieces", "  {what} by size, " SIZES_NAME, pieces, .notes = pieces_notes,
     .when = "!^basis=above-reference"},
    {"sizes/pieces", NULL, pieces_above_reference, .notes = pieces_notes,
     .when = "^basis=above-reference"},
    {NULL},
};

#define BY                                                                                         \
    ", by {find_max.probes#probe} of {find_max.calls_least#call} or more"                          \
    "{?(find_max.lacks_calls) ({find_max.calls_wanted:,} {?(unit_calls)are needed|"                \
    "would take too long at some rates})}"

static const struct view_line notes[] = {
    {"  {what} by size, " SIZES_NAME ": no line was fitted: {missing}", "sizes"},
    {"", .when = "reference !contrasts"},
    {"  {reference} is the only variant, so there is nothing to compare.", .when = "!contrasts"},
    {"", .when = "find_max"},
    {"  {find_max.objective} held in {find_max.held_at_times} of {find_max.probes} probes, and in "
     "most even at the highest rate, {find_max.highest_rate:,} calls/s" BY,
     .when = "find_max.outcome=all-held"},
    {"  {find_max.objective} held in {find_max.held_at_times} of the probes, but is not known to "
     "hold at any rate" BY,
     .when = "find_max.outcome=all-failed find_max.held_at_times"},
    {"  {find_max.objective} did not hold at any rate that was tried, down to "
     "{find_max.lowest_rate:,} calls/s" BY,
     .when = "find_max.outcome=all-failed !find_max.held_at_times"},
    {"  {find_max.objective} holds up to {find_max.rate_per_s:,} calls/s "
     "{find_max.rate_per_s.ci95:,} (95 % credible interval){?(find_max.outcome=unclear); the "
     "probes did not narrow it further}" BY,
     .when = "find_max.outcome=found|find_max.outcome=unclear"},
    {DIAGNOSIS, "diagnoses", "^find_max !-v"},
    {"  {find_max.probes_repeated#probe} had no answer and were repeated; "
     "{find_max.probes_without_answer} had none in the end",
     .when = "find_max.probes_repeated"},
    {"  rates below {find_max.lowest_rate:,} calls/s were not tried"},
    {"", .when = "left_out"},
    {"  left out: {names}: {reason}", "left_out"},
    {""},
    VIEW_VERDICT,
    {NULL},
};

const struct view view_experiment = {RESULT_EXPERIMENT,  experiment_fields, head, tables, notes,
                                     &experiment_reading};

/* Differences of two sides; the sides' measurements and verdicts are printed before them */

static const struct view_line sides_head[] = {
    {"B against A, {?(launches)the differences within each of {launches} launches{? over "
     "{over_ns/1e9:4g} s}; by Student's t "
     "test|each round's differences}"},
    {NULL},
};

static const struct view_column sides[] = {
    {"{?(quantity=round_trip){op}|    {?(quantity=network){?RPC, {other_baseline}|RPC and network}|"
     "{?(quantity=mean_above_null)mean cost|{what}}}}",
     "op", .width = 19},
    {"first_ns", "A us", 0, 3, VIEW_US, .width = 9},
    {"second_ns", "B us", 0, 3, VIEW_US, .width = 9},
    {"difference_ns", "B - A us", 0, 3, VIEW_US, VIEW_SIGNED},
    {"difference_ns", "95 %", 0, 3, VIEW_US, VIEW_RANGE | VIEW_SIGNED, 18},
    {"p_text", "p", 1},
    {NULL},
};

static const struct view_line sides_remarks[] = {
    DIFFERENCE_REMARKS("{?(word=same)no difference seen" DIFFERENCE_BELOW "|"
                       "{word}" DIFFERENCE_RATIO "}")};

static const struct view_line sides_notes[] = {
    {"  null control: {difference_ns/1000:3} us {difference_ns.ci95/1000:3}, the noise floor of "
     "B's cost against A's",
     "contrasts", "op=null_control quantity=above_null"},
    {"  {op}: {mount_adds}", "contrasts"},
    {"  {transports}"},
    {"  the mount has {mount_connections} connections (nconnect), engine wire has one"},
    {"  B - A us in each launch", .when = "launches", .flags = VIEW_VERBOSE},
    {"  {op:-16} {what:-16} {units_text}", "contrasts", "^launches word", .flags = VIEW_VERBOSE},
    {NULL},
};

/* Null controls are omitted. Differences of a cost are omitted if differences of its parts are
 * known. */
static const struct view_table sides_tables[] = {
    {"contrasts", NULL, sides, .remarks = sides_remarks, .notes = sides_notes,
     .when = "!op=null_control !quantity=above_null|!is_split"},
    {NULL},
};

static const struct view view_sides = {RESULT_EXPERIMENT, experiment_fields, sides_head,
                                       sides_tables, NULL};

void experiment_print_sides(const struct experiment_result *experiment, bool verbose, FILE *out)
{
    fputs("A:\n", out);
    view_write_text(&view_measurement, experiment->first, verbose, out);
    fputs("\nB:\n", out);
    view_write_text(&view_measurement, experiment->second, verbose, out);
    fputc('\n', out);
    view_write_text(&view_sides, experiment, verbose, out);
}
