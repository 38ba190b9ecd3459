#!/usr/bin/env python3
"""Draw what 'nfsbench report' draws, as an example of nfsbench_results.py: the costs above null with their
intervals and the noise floor, the parts of a call, and the latencies by percentile. Needs matplotlib
(python3-matplotlib).

usage: plot_example.py RESULT.json PICTURE       (.svg, .png or .pdf)
"""

import sys

from matplotlib import pyplot

from nfsbench_results import histogram, load, quantities

PERCENTILES = [p / 1000 for p in range(0, 1000, 5)] + [0.999, 0.9999]


def us(ns):
    return ns / 1000


def select(rows, quantity, role="op"):
    return [row for row in rows if row["quantity"] == quantity and row["role"] == role]


def draw_costs(axes, rows):
    costs = select(rows, "above_null_ns")
    for control in select(rows, "above_null_ns", "null_control"):
        ends = [abs(end) for end in (control["low"], control["high"]) if end is not None]
        reach = max(ends, default=0)
        axes.axvspan(-us(reach), us(reach), color="#b8b8b8", alpha=0.5, label="noise floor of the run")
    for number, row in enumerate(costs):
        low, high = (row["value"] if row[end] is None else row[end] for end in ("low", "high"))
        axes.plot([us(low), us(high)], [number] * 2, color="#0072b2")
        axes.plot(us(row["value"]), number, "o", color="#0072b2")
    axes.set_yticks(range(len(costs)), [row["op"] for row in costs])
    axes.invert_yaxis()
    axes.set_xlabel("cost above null (µs)")
    axes.legend()


def draw_parts(axes, rows):
    """Draw the parts of each cost. Negative parts are drawn to the left of 0, so that the ends of a bar add up to the cost."""
    ops = [row["op"] for row in select(rows, "server_ns")]
    ends = {sign: [0.0] * len(ops) for sign in (True, False)}
    for quantity, colour in (("bytes_ns", "#56b4e9"), ("pause_ns", "#e69f00"), ("server_ns", "#d55e00")):
        for number, row in enumerate(select(rows, quantity)):
            side = ends[row["value"] >= 0]
            axes.barh(number, us(row["value"]), left=us(side[number]), color=colour,
                      label=quantity[:-3] if number == 0 else None)
            side[number] += row["value"]
    axes.set_yticks(range(len(ops)), ops)
    axes.invert_yaxis()
    axes.set_xlabel("parts of the cost above null (µs)")
    axes.legend()


def quantile(buckets, share):
    wanted, sum_of_calls = share * sum(count for _, count in buckets), 0
    for low, count in buckets:
        sum_of_calls += count
        if sum_of_calls > wanted:
            break
    return low


def draw_percentiles(axes, result):
    for op in result["ops"]:
        if op["role"] in ("null", "op"):
            buckets = histogram(op)
            axes.plot([1 / (1 - p) for p in PERCENTILES], [us(quantile(buckets, p)) for p in PERCENTILES],
                      drawstyle="steps-post", label=op["op"])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks([1, 2, 10, 100, 1000, 10000], ["min", "p50", "p90", "p99", "p99.9", "p99.99"])
    axes.set_ylabel("latency (µs)")
    axes.legend()


def main(path, picture):
    pyplot.switch_backend("Agg")  # needs no display
    result = load(path)[0]
    rows = list(quantities([result]))
    figure, axes = pyplot.subplots(3, 1, figsize=(7, 11), layout="constrained")
    figure.suptitle(f"{result['target']['text']}, {result['start'][:10]}, verdict {result['validity']['verdict']}")
    draw_costs(axes[0], rows)
    draw_parts(axes[1], rows)
    draw_percentiles(axes[2], result)
    figure.savefig(picture)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: plot_example.py RESULT.json PICTURE")
    main(*sys.argv[1:])
