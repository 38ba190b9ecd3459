/* The view of a measurement. */
#include <math.h>

#include "output/form/measurement_view.h"
#include "output/result/result_fields.h"
#include "output/result/result_file.h"

static const struct view_line head[] = {
    {"{target.text}  NFSv3 over {target.transport}, {target.auth}{?, xprtsec={target.xprtsec}}, "
     "{config.clients#client}, depth {config.depth}"
     "{?(config.engine=wire)|, engine {config.engine}}"
     "{?, READ of {config.read_size:,} bytes}{?, WRITE of {config.write_size:,} bytes}"},
    {"nfsbench {tool.version}, engine {config.engine}, {?(config.wait=spin)spinning|blocking}, "
     "{?mounted on {target.mount_point}|mount {setup.mount_ns/1e6:1} ms, "
     "{?unmount {setup.unmount_ns/1e6:1} ms|not unmounted}}",
     .flags = VIEW_VERBOSE},
    {"the time of a call includes protecting it{?(config.check_in_time) and verifying the reply|, "
     "but not verifying the reply}",
     .when = "setup.contexts config.check_in_time|!config.load"},
    {"the rates include protecting calls and verifying replies; the latencies do not",
     .when = "setup.contexts !config.check_in_time config.load"},
    {"security contexts ({setup.contexts.made} made only to time this): creation"
     "{? {setup.contexts.creation_ns/1e6:3} ms {setup.contexts.creation_ns.ci95/1e6:3}}"
     "{?, of which INIT {setup.contexts.init_ns/1e6:3} ms {setup.contexts.init_ns.ci95/1e6:3}}"
     "{?, CONTINUE {setup.contexts.continue_ns/1e6:3} ms {setup.contexts.continue_ns.ci95/1e6:3}}"
     "{?, DESTROY {setup.contexts.destroy_ns/1e6:3} ms {setup.contexts.destroy_ns.ci95/1e6:3}}"},
    {"{target.tls}: the time of a call includes encryption and decryption"},
    {"TLS handshakes, made only to time them:", .when = "setup.handshakes"},
    {"    probe{?: {setup.handshakes.probe_ns/1e6:3} ms {setup.handshakes.probe_ns.ci95/1e6:3}}",
     .when = "setup.handshakes"},
    {"    full handshake ({setup.handshakes.made}){?: {setup.handshakes.tls_ns/1e6:3} ms "
     "{setup.handshakes.tls_ns.ci95/1e6:3}}"},
    {"    resumed handshake ({setup.handshakes.resumed})"
     "{?: {setup.handshakes.resumed_tls_ns/1e6:3} ms "
     "{setup.handshakes.resumed_tls_ns.ci95/1e6:3}}"},
    {"connections of the run: {setup.handshakes.run_connections}, of which "
     "{setup.handshakes.run_resumed} resumed a session"},
    {"clock {clock.name}{? {host.tsc_hz/1e9:3} GHz ({clock_error_ppm:1} ppm from MONOTONIC_RAW)}, "
     "timer cost of {clock.cost_ns:0} ns subtracted",
     .flags = VIEW_VERBOSE},
    {"client and server take turns on CPU {config.one_processor.cpu}"
     "{?(config.one_processor.chosen_from>1), the quietest of {config.one_processor.chosen_from}}: "
     "a round trip wakes no other processor"},
    {"client on CPU {config.client_cpus}{?, server on CPU {config.server_cpu}}, "
     "{?(config.kept_awake)processors kept awake|processors may sleep}",
     .flags = VIEW_VERBOSE},
    {"{config.rounds#round} of blocks of {config.block#call}, {config.warmup_rounds#warm-up round} "
     "dropped, seed {seed}",
     .flags = VIEW_VERBOSE},
    {"{given_up}"},
    {"CUT SHORT after {?(launches_planned>1){whole_launches} of {launches_planned} launches|"
     "{config.rounds#round}}{?: {cut_short_by}}",
     .when = "cut_short"},
    {"every interval is as narrow as --precision requires",
     .when = "!cut_short config.precision.reached launches>1"},
    {"some intervals are wider than --precision requires: -v shows how much the launches differ",
     .when = "!cut_short config.precision !config.precision.reached launches>1"},
    {"ended when every interval was as narrow as --precision requires",
     .when = "!cut_short config.precision.reached !launches>1"},
    {"ended by --max-time, before every interval was as narrow as --precision requires",
     .when = "!cut_short config.precision !config.precision.reached !launches>1"},
    {"{cold_accesses}", .each = "ops"},
    {"it is not known which data was in the server's caches before", .when = "config.cold"},
    {"one launch: the intervals apply to this connection only", .when = "!launches>1",
     .flags = VIEW_VERBOSE},
    {"{launches} launches of the client: the intervals apply to any connection to this server",
     .when = "intervals_speak_of=server", .flags = VIEW_VERBOSE},
    {"{launches} launches{? with {shared_servers#server}|, each with a new server}: the intervals "
     "apply to any launch of this program",
     .when = "intervals_speak_of=program", .flags = VIEW_VERBOSE},
    {"launches spread over {config.over_ns/1e9:4g} s: the intervals include what changed in "
     "this time",
     .when = "!cut_short launches>1"},
    {"mix {config.mix.name}: {*config.mix.weights|{op} {weight}}"},
    {"tree {config.tree.path}: {config.tree.files:,} files of {config.tree.bytes/1e6:1} MB"
     "{?(config.tree.directories), {config.tree.directories} directories}"
     "{?(config.tree.symlinks), {config.tree.symlinks} symbolic links}"
     "{?(config.tree.others), {config.tree.others} other objects}"
     "{?(config.tree.vanished), {config.tree.vanished} vanished}"
     "{?(config.tree.denied), {config.tree.denied} not permitted}"
     "{?(config.tree.loops), {config.tree.loops} loops}; found by {config.tree.calls} calls in "
     "{config.tree.elapsed_ns/1e9:2} s"},
    {"the tree has more objects, which are not used", .when = "config.tree.cut"},
    {"pattern {config.pattern}: {*ops(places>1)|{op} uses {places} places}"},
    {"host {host.cpu}, {host.cpus} CPUs{?(host.virtualisation), virtual}, {host.kernel} "
     "{host.machine}, clocksource "
     "{host.clocksource}",
     .flags = VIEW_VERBOSE},
    {"server {target.address}, NFS port {target.nfs_port}{?, MOUNT port {target.mount_port}}, "
     "export {target.export}{?, offers {target.auth_offered}}",
     .flags = VIEW_VERBOSE},
    {"READ up to {target.limits.rtmax:,} bytes, WRITE {target.limits.wtmax:,}, preferably "
     "{target.limits.rtpref:,} and {target.limits.wtpref:,}, lists {target.limits.dtpref:,}"
     "{?, names of {target.limits.name_max}}{?; {target.limits.bytes_free/1000000000:1} GB and "
     "{target.limits.files_free:,} files free}",
     .flags = VIEW_VERBOSE},
    {"mount options {target.mount_options}", .flags = VIEW_VERBOSE},
    {"started {start}", .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column times[] = {
    {"op", "op", .width = 16},
    {"calls", "calls", 3, VIEW_GROUPED, .width = 9},
    {"latency_ns.mean", "mean us", 0, 2, VIEW_US, .width = 8},
    {"latency_ns.p50", "p50 us", 0, 2, VIEW_US, .width = 8},
    {"latency_ns.p90", "p90 us", 5, 2, VIEW_US, .width = 8},
    {"latency_ns.p99", "p99 us", 1, 2, VIEW_US, .width = 8},
    {"latency_ns.p999", "p99.9 us", 4, 2, VIEW_US, .width = 8},
    {"latency_ns.max", "max us", 6, 1, VIEW_US, .width = 9},
    {"rate_per_s", "calls/s", 2, VIEW_GROUPED, .width = 8},
    {"bytes.call", "call B", 8, VIEW_GROUPED, .width = 7},
    {"bytes.reply", "reply B", 8, VIEW_GROUPED},
    {"{?{bytes.tls_call:,} + {bytes.tls_reply:,}}", "TLS B", 9, .flags = VIEW_IF_ANY},
    {"mb_per_s", "MB/s", 7, VIEW_SHORT, .flags = VIEW_IF_ANY, .width = 8},
    {NULL},
};

static const struct view_line times_notes[] = {
    {"  call B, reply B: bytes of the RPC messages; TLS B: bytes of the TLS records that carry "
     "them",
     .when = "target.tls", .column = "TLS B"},
    {NULL},
};

/* Condition for columns that show a part of a cost. These columns are shown only without -v. With
 * -v, the parts are lines below the op's row. */
#define IN_SHORT "!-v ^model above_null_ns.distinguishable"

static const struct view_column costs[] = {
    {"{?(role=null_control){^null_name} control|{op}}", "op", .width = 16},
    {"above_null_ns", "cost us", 0, 3, VIEW_US, .width = 8},
    {"above_null_ns", "95 %", 0, 3, VIEW_US, VIEW_RANGE, 17},
    {"above_null_ns.tsc_cycles", "TSC cycles", 2, VIEW_GROUPED, .flags = VIEW_IF_ANY},
    {"model.bytes_ns", "bytes", 0, 3, VIEW_US, VIEW_IF_ANY, 6, .when = IN_SHORT},
    {"model.server_ns", "server", 0, 3, VIEW_US, VIEW_IF_ANY, 6, .when = IN_SHORT},
    {"above_null_ns.share", "of the call", 0, 1, .flags = VIEW_PERCENT,
     .when = "!role=null_control above_null_ns.distinguishable"},
    {NULL},
};

#define IS_OP "!role=null_control"

/* key of the result's member for what rare slow calls add to an op's mean cost */
#define RARE "mean_above_null_ns.rare"

static const struct view_column parts[] = {
    {"model.bytes_ns", "bytes", 0, 3, VIEW_US, VIEW_VERBOSE, .when = "^model",
     .remark = "{longer_by}{?(model.extrapolated)   beyond the model's longest reply}"},
    {"model.pause_ns", "pause", 0, 3, VIEW_US, VIEW_VERBOSE, .when = "^model.pause_ns_per_ns",
     .remark = "of the pause before the call"},
    {"model.server_ns", "server", 0, 3, VIEW_US, VIEW_VERBOSE, .when = "^model"},
    {"mean_above_null_ns", "mean cost", 0, 3, VIEW_US,
     .when = IS_OP " mean_above_null_ns.disagrees|-v",
     .remark = "{?(mean_above_null_ns.disagrees)rare slow calls: {?(" RARE ">9999.999){" RARE
               "/1000:0}|{?(" RARE ">999.999){" RARE "/1000:1}|{" RARE "/1000:2}}} us"
               "{?(" RARE "_share) from {" RARE "_share/0.01:2g} % of the calls}}"},
    {"above_null_ns.p50", "at p50", 0, 3, VIEW_US, VIEW_VERBOSE, .when = IS_OP},
    {"above_null_ns.p90", "at p90", 0, 3, VIEW_US, VIEW_VERBOSE, .when = IS_OP},
    {"above_null_ns.p99", "at p99", 0, 3, VIEW_US, VIEW_VERBOSE, .when = IS_OP},
    {"echo_ns", "bare echo", 0, 3, VIEW_US, VIEW_VERBOSE,
     .remark = "of as many bytes, on the server's processor; not part of the cost"},
    {NULL},
};

static const struct view_line cost_remarks[] = {
    {"the noise floor", .when = "role=null_control"},
    {"not split: the part {failed_part} was estimated significantly below 0",
     .when = "above_null_ns.distinguishable", .tone = TERMINAL_DOUBTFUL},
    {"not distinguishable from {above_null_ns.baseline}", .when = "!above_null_ns.distinguishable",
     .tone = TERMINAL_FAINT},
    {"above {other_baseline}"},
    {NULL},
};

static const struct view_line cost_notes[] = {
    {"", .when = "model", .flags = VIEW_VERBOSE},
    {"  a byte of a call   {model.call_ns_per_byte:4} ns  {model.call_ns_per_byte.ci95:4}   the "
     "fitted line is off by {model.call_misfit_ns:0} ns at worst",
     .when = "!model.call_ns_per_byte.high<0", .flags = VIEW_VERBOSE},
    {"  a byte of a reply  {model.reply_ns_per_byte:4} ns  {model.reply_ns_per_byte.ci95:4}   the "
     "fitted line is off by {model.reply_misfit_ns:0} ns at worst",
     .when = "!model.reply_ns_per_byte.high<0", .flags = VIEW_VERBOSE},
    {"  a packet received  {model.rx_ns_per_packet:4} ns  {model.rx_ns_per_packet.ci95:4}   the "
     "fitted line is off by {model.reply_misfit_ns:0} ns at worst",
     .when = "!model.rx_ns_per_packet.high<0", .flags = VIEW_VERBOSE},
    {"  a ns of pause      {model.pause_ns_per_ns:4} ns  {model.pause_ns_per_ns.ci95:4}   the "
     "fitted line is off by {model.pause_misfit_ns:0} ns at worst",
     .when = "!model.pause_ns_per_ns.high<0", .flags = VIEW_VERBOSE},
    {"  the model failed: the cost of a byte of a call was estimated significantly below 0",
     .when = "model.call_ns_per_byte.high<0", .flags = VIEW_VERBOSE},
    {"  the model failed: the cost of a byte of a reply was estimated significantly below 0",
     .when = "model.reply_ns_per_byte.high<0", .flags = VIEW_VERBOSE},
    {"  the model failed: the cost of a packet received was estimated significantly below 0",
     .when = "model.rx_ns_per_packet.high<0", .flags = VIEW_VERBOSE},
    {"  the model failed: the cost of a ns of pause was estimated significantly below 0",
     .when = "model.pause_ns_per_ns.high<0", .flags = VIEW_VERBOSE},
    {"  there was no file to read, so the parts bytes and server cannot be distinguished",
     .when = "model !model.reply_ns_per_byte", .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column entries[] = {
    {"op", "op", .width = 16},
    {"calls_per_op", "calls per op", 0, VIEW_WHOLE},
    {"entries_per_op", "entries per op", 0, VIEW_WHOLE},
    {"entry_ns", "us per entry", 0, 3, VIEW_US},
    {"entries_per_s", "entries/s", 0, VIEW_GROUPED, .width = 11},
    {NULL},
};

static const struct view_column bandwidths[] = {
    {"op", "bandwidth", .width = 16},
    {"mb_per_s", "MB/s", 0, VIEW_SHORT, .width = 8},
    {"bandwidth.mb_per_s", "95 %", 0, VIEW_SHORT, .flags = VIEW_RANGE, .width = 16},
    {"bandwidth.client_cpu_ns_per_mib", "client us/MiB", 0, 1, VIEW_US},
    {"bandwidth.server_cpu_ns_per_mib", "server us/MiB", 1, 1, VIEW_US},
    {NULL},
};

static const struct view_line local_notes[] = {
    {"  {against_local}", "ops"},
    {"  local directory {config.baseline_dir.path}{? on {config.baseline_dir.file_system}}, "
     "{config.baseline_dir.bytes:,} bytes, "
     "{?(config.baseline_dir.direct)with O_DIRECT, past the page cache of this machine|"
     "{?{config.baseline_dir.cached_share/0.01:0} % of them in the page cache of this machine when "
     "the rounds ended|how many of them were in the page cache is not known}}; which of them the "
     "server had in its caches is not known"},
    {NULL},
};

static const struct view_column launches[] = {
    {"#", "launch"},
    {"server", "server"},
    {"rounds", "rounds"},
    {"verdict", "verdict"},
    {"client_cpu", "client CPU"},
    {"server_cpu", "server CPU"},
    {NULL},
};

static const struct view_column launch_ops[] = {
    {"op", "op, by launch", .width = 16},
    {"^#", "launch"},
    {"cost_ns", "cost us", 0, 3, VIEW_US},
    {"round_trip_ns", "round trip us", 0, 3, VIEW_US},
    {NULL},
};

static const struct view_column spread[] = {
    {"op", "standard deviation in us, by", .width = 16},
    {"{?(above_null_ns)cost|round trip}", ""},
    {"spread_ns.rounds", "rounds", 0, 3, VIEW_US, .width = 8},
    {"spread_ns.clients", "clients", 0, 3, VIEW_US, .width = 8},
    {"spread_ns.servers", "servers", 0, 3, VIEW_US, .width = 8},
    {NULL},
};

static const struct view_line spread_notes[] = {
    {"  the fastest way to reach --precision, estimated from these standard deviations:",
     .when = "has_plan"},
    {"  {plan_text}", "ops"},
    {NULL},
};

#define LOAD_TITLE                                                                                 \
    "  load: {config.load.clients#client} x {config.load.connections#connection} x "               \
    "{config.load.depth#call} in flight, in {config.load.threads#thread}"                          \
    "{? of {config.load.ranks#rank}}"                                                              \
    "{?, asleep until {config.load.batch} replies have arrived}"                                   \
    "{?(config.load.shared_contexts), one security context per thread}"                            \
    "{?; {?(config.load.arrival=poisson)Poisson|{config.load.arrival}} arrivals, "                 \
    "{config.load.rate_per_s:,} calls/s in total}"

static const struct view_column throughput[] = {
    {"op", "op", .width = 16},
    {"rate_per_s", "calls/s", 0, VIEW_GROUPED, .width = 11},
    {"us_per_call", "us per call", 2, 3},
    {"load.in_flight", "in flight", .decimals = 2},
    {"load.client_cpu_ns", "client CPU us", 0, 3, VIEW_US},
    {"calls_of_clients", "calls per client", 3},
    {"load.fairness", "fairness", 1, 4},
    {"mb_per_s", "MB/s", 0, VIEW_SHORT, .flags = VIEW_IF_ANY, .width = 8},
    {NULL},
};

static const struct view_column open_loop[] = {
    {"op", "op, in us", .width = 16},
    {"load.service_ns.mean", "service mean", 0, 2, VIEW_US},
    {"load.service_ns.p50", "service p50", 2, 2, VIEW_US, .width = 8},
    {"load.service_ns.p99", "service p99", 0, 2, VIEW_US, .width = 9},
    {"load.service_ns.max", "service max", 1, 1, VIEW_US, .width = 9},
    {"load.lateness_ns.mean", "late mean", 0, 2, VIEW_US},
    {"load.lateness_ns.p50", "late p50", 4, 2, VIEW_US, .width = 8},
    {"load.lateness_ns.p99", "late p99", 0, 2, VIEW_US, .width = 9},
    {"load.lateness_ns.max", "late max", 3, 1, VIEW_US, .width = 9},
    {NULL},
};

static const struct view_line open_loop_notes[] = {
    {"  the first table has response times, from the time at which a call was due; service: from "
     "the time at which it was sent; late: how much later than due the sender was ready to send "
     "it"},
    {"  {op}: the mean response time, {latency_ns.mean/1000:2} us, is service + late + "
     "{held_mean/1000:2} us in which a call was due but could not be sent: {held_by}",
     "ops"},
    {"  {op}: the latencies leave out {load.left_out#call} that were due within one response time "
     "after a change of op or after an interruption",
     "ops", .when = "load.left_out"},
    {"  {op}: the schedule was interrupted {load.interruptions#time}, for {load.interrupted_s:3} s "
     "in total, to wait for replies, to prepare calls or to run another schedule; rates and calls "
     "in flight leave this time out",
     "ops", .when = "load.interruptions"},
    {"  {op}: {load.unanswered#call} had no reply when --timeout had passed after the last call, "
     "and {load.unsent#call} could not be sent",
     "ops", .when = "load.unanswered"},
    {NULL},
};

static const struct view_column clients[] = {
    {"^op", "op, by client", .width = 16},
    {"#", "client"},
    {"calls", "calls", 0, VIEW_GROUPED},
    {"mean_without_timer_ns", "mean us", 0, 2, VIEW_US},
    {NULL},
};

const struct view_column measurement_mounted[] = {
    {"op", "RPCs by mountstats", .width = 16},
    {"mounted.rpcs", "per call", .decimals = 3},
    {"mounted.queue_ns", "queue us", 0, 1, VIEW_US},
    {"mounted.rtt_ns", "RTT us", 0, 1, VIEW_US},
    {"mounted.execute_ns", "execute us", 0, 1, VIEW_US},
    {"retransmits", "sent again", 1},
    {"mounted.timeouts", "timeouts", 1},
    {"mounted.blocks_again", "repeated blocks"},
    {NULL},
};

static const struct view_line mounted_notes[] = {MEASUREMENT_MOUNTED_NOTES(""), {NULL}};

static const struct view_column details[] = {
    {"op", "details", .width = 16},
    {"latency_ns.min", "min us", 0, 2, VIEW_US},
    {"latency_ns.stddev", "standard deviation us", 0, 2, VIEW_US},
    {"wire_megabits", "Mbit/s on the wire", 0, 1},
    {"object", "object", .flags = VIEW_IF_ANY},
    {NULL},
};

static const struct view_column ledger[] = {
    {"op", "per call", .width = 16},
    {"ledger.client.user_ns", "client user us", 1, 2, VIEW_US},
    {"ledger.client.system_ns", "client system us", 1, 2, VIEW_US},
    {"client_switches", "client switches", 0, 2},
    {"ledger.server.cpu_ns", "server CPU us", 0, 2, VIEW_US},
    {"server_switches", "server switches", 2, 2},
    {"ledger.client.interrupts", "interrupts", 4, 2},
    {"ledger.client.net_rx", "NET_RX", 5, 2},
    {"tx_packets", "tx packets", 0, 2},
    {"rx_packets", "rx packets", 0, 2},
    {"interface_name", "interface", 3, .flags = VIEW_IF_ANY},
    {NULL},
};

static const struct view_line ledger_notes[] = {
    {"  -: not known, because of other load on the machine", .when = "disturbed"},
    {NULL},
};

static const struct view_column rates[] = {
    {"op", "rates", .width = 16},
    {"rate_per_s", "calls/s", 0, VIEW_GROUPED, .width = 9},
    {"tx_bytes_per_s", "tx kB/s", 0, VIEW_GROUPED, 1e-3, .width = 9},
    {"rx_bytes_per_s", "rx kB/s", 0, VIEW_GROUPED, 1e-3, .width = 9},
    {"link_share", "link %", 3, 1, 100},
    {"client_cpu_share", "client CPU %", 0, 1, 100},
    {"server_cpu_share", "server CPU %", 0, 1, 100},
    {"interrupts_per_s", "interrupts/s", 1, VIEW_GROUPED},
    {"switches_per_s", "switches/s", 2, VIEW_GROUPED},
    {NULL},
};

static const struct view_column slowest[] = {
    {"^op", "slowest calls", .width = 16},
    {"ns", "us", 0, 1, VIEW_US, .width = 9},
    {"at_s", "at s", 0, 3, .width = 7},
    {"round", "round", 3, .width = 7},
    {"call", "call", 3, .width = 6},
    {"involuntary_switches", "preempted"},
    {"around.span_ns", "window ms", 0, 0, 1e-6},
    {"around.interrupts", "interrupts", 1},
    {"around.machine_switches", "switches", 2},
    {"around.steal_ns", "stolen ms", 0, 0, 1e-6},
    {NULL},
};

static const struct view_line slowest_notes[] = {
    {"  interrupts, switches, stolen ms: of the machine, in the window around the call"},
    {NULL},
};

static const struct view_column rank_ops[] = {
    {"op", "by rank", .width = 16},
    {"^number", "rank"},
    {"^host", "host"},
    {"calls", "calls", 2, VIEW_GROUPED, .width = 11},
    {"rate_per_s", "calls/s", 0, VIEW_GROUPED, .width = 10},
    {"latency_ns.mean", "mean us", 0, 2, VIEW_US, .width = 9},
    {"latency_ns.p50", "p50 us", 1, 2, VIEW_US, .width = 8},
    {"latency_ns.p99", "p99 us", 0, 2, VIEW_US, .width = 8},
    {NULL},
};

static const struct view_column ranks[] = {
    {"number", "rank", .width = 6},
    {"host", "host"},
    {"client_cpu_share", "client CPU", 0, 0, .flags = VIEW_PERCENT},
    {"verdict", "verdict on the rank"},
    {NULL},
};

static const struct view_line rank_notes[] = {
    {"  rank {^number}: {name} ({verdict}): {text}", "ranks/reasons"},
    {NULL},
};

#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)
#define SUSPECT         AS_TEXT(VALIDITY_LEVEL_SUSPECT)

static const struct view_table tables[] = {
    {"ops", NULL, times, .when = "!role=null_control|-v", .notes = times_notes,
     .heading = "Round trips",
     .about =
         "Times of calls in µs, from sending a call to the last byte of the reply, less the cost "
         "of the timer; for an op of several calls, the sum of their times. MB/s: 10⁶ bytes of "
         "file "
         "data per second. call B, reply B: bytes of the messages, without the headers of TCP or "
         "UDP."},
    {"ops", "  typical cost above {null_name}, 95 % confidence", costs, parts,
     .remarks = cost_remarks, .notes = cost_notes, .when = "above_null_ns !role=null !role=local",
     .heading = "Cost above the null call",
     .about =
         "With 95 % intervals. The parts of the cost are: the op’s longer messages (bytes); the "
         "longer pause before the call, during which caches cool down (pause); and the server’s "
         "own work. “null control” is a second null series, measured like an op: its cost is "
         "noise. The typical cost excludes rare slow calls; the mean cost includes them."},
    {"ops", NULL, entries, .when = "entries_per_op", .heading = "Ops of several calls",
     .about = "The calls and directory entries of one op, and the time per entry, on average."},
    {"ops", NULL, bandwidths, .notes = local_notes, .when = "bandwidth", .heading = "Bandwidth",
     .about = "File data per second, with 95 % intervals, and the processor time per MiB of client "
              "and server."},
    {"launches", NULL, launches, .flags = VIEW_VERBOSE, .when = "^launches>1"},
    {"launches/ops", NULL, launch_ops, .flags = VIEW_VERBOSE, .when = "^^launches>1"},
    {"ops", NULL, spread, .notes = spread_notes, .flags = VIEW_VERBOSE,
     .when = "^launches>1 spread_ns"},
    {"ops", LOAD_TITLE, throughput, .when = "^config.load load !role=null_control",
     .heading = "Load",
     .about = "Fairness: Jain’s index of the calls per client; 1 if all clients made as many."},
    {"ops", NULL, open_loop, .notes = open_loop_notes,
     .when = "^config.load.rate_per_s load !role=null_control",
     .heading = "Service times and lateness, µs"},
    {"ops/load.clients", NULL, clients, .flags = VIEW_VERBOSE, .most = 128,
     .when = "^^config.clients>1"},
    {"ops", NULL, measurement_mounted, .notes = mounted_notes, .when = "mounted",
     .heading = "The kernel’s client"},
    {"ops", NULL, details, .flags = VIEW_VERBOSE},
    {"ops/slowest", NULL, slowest, .notes = slowest_notes, .flags = VIEW_VERBOSE},
    {"ops", NULL, ledger, .notes = ledger_notes, .flags = VIEW_VERBOSE, .when = "^counted ledger",
     .heading = "Resources per call: the ledger",
     .about =
         "Averages per call, counted by the kernel during separate calls after the rounds, less "
         "what the idle machine uses. Packets: those of the busiest network interface. Switches: "
         "context switches."},
    {"ops", NULL, rates, .flags = VIEW_VERBOSE, .when = "^counted ledger"},
    {"ranks/ops", NULL, rank_ops, .flags = VIEW_VERBOSE | VIEW_ACROSS, .when = "!op=null_control"},
    {"ranks", NULL, ranks, .notes = rank_notes, .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_line notes[] = {
    {"  {op}: {two_levels}", "ops"},
    {"  {op:-16} {renewals#security context} renewed", "ops"},
    {"  {op:-16} {?{*errors|{name} {count#time}}, }sent again {?{retransmits}|0}, reconnected "
     "{reconnects}, unmatched replies {unmatched_replies}{?, of which {early_replies} to calls not "
     "yet sent}",
     "ops", .when = "failed|retransmits|reconnects|unmatched_replies"},
    {"  {^op:-16} gap of {length_s:3g} s at {at_s:3} s: {calls#call} sent again, not included in "
     "the percentiles (see --count-resent)",
     "ops/gaps", .when = "!^^config.count_resent", .most = 8},
    {"  {^op:-16} gap of {length_s:3g} s at {at_s:3} s: {calls#call} sent again, included in the "
     "percentiles",
     "ops/gaps", .when = "^^config.count_resent", .most = 8},
    {"  {op:-16} and {gaps_left_out#shorter gap}", "ops"},
    {"  {series:-16} no answer for {length_s:3g} s at {at_s:1} s{? (launch {launch})}, "
     "{calls#call} waited",
     "stalls", .most = 5},
    {"  {op:-16} left out: {reason}", "skipped"},
    {""},
    {"  per call, all ops: client CPU {ledger.client_per_call.cpu_ns/1000:2} us"
     "{? (user {ledger.client_per_call.user_ns/1000:2}, system "
     "{ledger.client_per_call.system_ns/1000:2})}   context switches "
     "{ledger.client_per_call.voluntary_switches:3} voluntary, "
     "{ledger.client_per_call.involuntary_switches:3} involuntary",
     .when = "!counted", .flags = VIEW_VERBOSE},
    {"  the resources of the server are not all known: {ledger.server_missing}", .when = "counted"},
    {"  counting resources per op was cut short: {ledger.cut_short_by}"},
    VIEW_VERDICT,
    {"  -v shows settings and details; -j FILE saves the result for compare",
     .when = "!-v validity.verdict=ok", .tone = TERMINAL_FAINT},
    /* The verdict does not depend on this change, whose cause may be outside the measurement. */
    {"  null calls take {validity.evidence.null_change/0.01:+0} % compared with this host's "
     "earlier result of {validity.evidence.earlier_start}: the machine, the network or the server "
     "has "
     "changed since",
     .when = "validity.evidence.null_change>" SUSPECT "|!validity.evidence.null_change>-" SUSPECT},
    {NULL},
};

const struct view view_measurement = {RESULT_MEASUREMENT,  result_fields, head, tables, notes,
                                      &measurement_reading};
