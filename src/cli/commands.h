/* The commands. Each takes its words as main() does, ARGV[0] being its name, and returns the exit
 * status: 0; 1 the measurement failed or is invalid; 2 usage; 3 the server could not be reached. */
#ifndef NFSBENCH_CLI_COMMANDS_H
#define NFSBENCH_CLI_COMMANDS_H

/* nfsbench TARGET OP[,OP...] [COUNT]: the main job. */
int command_measure(int argc, char **argv);

/* nfsbench sweep: an op under a range of loads or sizes. */
int command_sweep(int argc, char **argv);

/* nfsbench explain: where each microsecond of a call goes. */
int command_explain(int argc, char **argv);

/* nfsbench serve: the embedded server. */
int command_serve(int argc, char **argv);

/* nfsbench compare: what differs between results, and is it real? */
int command_compare(int argc, char **argv);

/* nfsbench plot: pictures of results. */
int command_plot(int argc, char **argv);

/* nfsbench report: results on a page. */
int command_report(int argc, char **argv);

/* nfsbench ledger: this machine's counters on demand, for a run on another. */
int command_ledger(int argc, char **argv);

/* nfsbench watch: the server's half of calls that nfsbench explain makes on another machine. */
int command_watch(int argc, char **argv);

/* nfsbench clean: remove what killed runs left on an export. */
int command_clean(int argc, char **argv);

/* nfsbench doctor: is this machine fit to measure on, and why not? */
int command_doctor(int argc, char **argv);

#endif
