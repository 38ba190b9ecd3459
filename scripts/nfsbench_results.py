#!/usr/bin/env python3
"""Read results of nfsbench into rows, for pandas, R, a spreadsheet or a program of one's own.

    from nfsbench_results import load, frame, quantities
    costs = frame(quantities(load("a.json") + load("b.json"))).query("quantity == 'above_null_ns'")

A row is a dict. Its quantities have short names: p50_ns is latency_ns.p50 of the file. Each row of quantities() and cells() begins
with settings of the measurement. Times are in ns; unknown values are None. Only frame() needs pandas.

usage: nfsbench_results.py FILE...       writes the rows of all measurements as CSV
"""

import csv
import json
import statistics
import sys

LATENCIES = ("min", "mean", "stddev", "p50", "p90", "p99", "p999", "p9999", "max")
COUNTERS = ("cpu_ns", "voluntary_switches", "involuntary_switches")
SETTINGS = ("start", "host", "target", "proto", "verdict", "engine", "clients", "depth", "rate", "size",
            "launches")


def load(path):
    """Return the results in the file PATH, of any kind: a list of one result, or of both sides of an experiment that has sides."""
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    if result.get("schema") != "nfsbench-result/2":
        raise ValueError(f"{path}: not a result of nfsbench-result/2")
    found = [result["first"], result["second"]] if "first" in result else [result]
    for part in found:
        part["path"] = path
    return found


def settings(result, op):
    """Return how OP was measured: the first columns of every row."""
    config = result["config"]
    load_of = config.get("load", {})
    return {
        "start": result["start"], "host": result["host"].get("name"), "target": result["target"]["text"],
        "proto": result["target"]["proto"], "verdict": result["validity"]["verdict"], "engine": config["engine"],
        "clients": config["clients"], "depth": config["depth"], "rate": load_of.get("rate_per_s"),
        "size": config.get(f"{op['op'].removesuffix('-local')}_size"), "launches": max(1, len(result.get("launches", []))),
    }


def figures(op):
    """Yield pairs of a quantity of the series OP and its value: a number, or an estimate with 'ci95'."""
    model, ledger = op.get("model", {}), op.get("ledger", {})
    yield from ((key, op[key]) for key in ("calls", "timed"))
    yield "failed", sum(op["errors"].values())
    yield "rate_per_s", op["rate_per_s"]
    yield from ((f"{key}_ns", op["latency_ns"][key]) for key in LATENCIES)
    yield from ((f"{key}_bytes", op["bytes"].get(key)) for key in ("call", "reply", "data"))
    bandwidth = op.get("bandwidth", {})
    yield "mb_per_s", bandwidth.get("mb_per_s", op.get("mb_per_s"))
    yield from ((f"{side}_cpu_ns_per_mib", bandwidth.get(f"{side}_cpu_ns_per_mib")) for side in ("client", "server"))
    yield from ((key, op.get(key)) for key in ("of_local", "places"))
    yield "above_null_ns", op.get("above_null_ns")
    yield from ((key, model.get(key)) for key in ("bytes_ns", "pause_ns", "server_ns"))
    yield "mean_above_null_ns", op.get("mean_above_null_ns")
    yield "p99_above_null_ns", op.get("p99_above_null_ns")
    for side in ("client", "server"):
        yield from ((f"{side}_{key}", ledger.get(side, {}).get(key)) for key in COUNTERS)
    if "mounted" in op:
        yield "mounted_retransmits", op["retransmits"]
        yield from ((f"mounted_{key}", value) for key, value in op["mounted"].items() if not isinstance(value, str))
    yield "round_trip_ns", statistics.median(op["blocks"])


def launches(result, op):
    """Yield, for OP in each launch: the launch's number from 1, its server's number, a quantity and its value. Before these,
    yield how much each level of repetition adds to the spread."""
    spread = op.get("spread_ns", {})
    yield from ((None, None, f"spread_{level}_ns", value) for level, value in spread.items())
    for number, launch in enumerate(result.get("launches", []), 1):
        for own in (own for own in launch["ops"] if own["op"] == op["op"]):
            for quantity, key in (("round_trip", "round_trip_ns"), ("above_null", "cost_ns"),
                                  ("mean_above_null", "mean_cost_ns"), ("p99_above_null", "p99_cost_ns")):
                yield number, launch["server"], f"launch_{quantity}_ns", own.get(key)


def quantities(results):
    """Yield a row for each known quantity of each op of the measurements RESULTS: its value, and its interval's low and high.
    'launch' is None if the value is of the complete measurement."""
    for result in results:
        for op in result.get("ops", []) if result["kind"] == "measurement" else []:
            rows = [(None, None, *figure) for figure in figures(op)] + list(launches(result, op))
            for launch, server, quantity, value in rows:
                known = value if isinstance(value, dict) else {"estimate": value}
                low, high = known.get("ci95") or (None, None)
                if known["estimate"] is not None:
                    yield {**settings(result, op), "op": op["op"], "role": op["role"], "launch": launch,
                           "server": server, "quantity": quantity, "value": known["estimate"], "low": low, "high": high}


def histogram(op):
    """Return pairs of a bucket's lower bound in ns and its number of calls, of the series OP of a measurement."""
    return list(zip(op["histogram"]["low_ns"], op["histogram"]["count"]))


def rounds(result):
    """Yield a row for each round of each series: its block's trimmed mean. Rows with the same round were measured in one round."""
    for op in result["ops"]:
        for number, value in enumerate(op["blocks"]):
            yield {"op": op["op"], "role": op["role"], "round": number, "block_ns": value}


def cells(experiment):
    """Yield a row for each quantity of each cell of EXPERIMENT, such as a sweep or a security ladder."""
    common = {key: experiment[key] for key in ("start", "target", "proto", "engine")}
    for cell in experiment["cells"]:
        setting = {key: cell[key] for key in ("op", "variant", "clients", "connections", "depth", "size", "rate_per_s")}
        for figure, value in cell.items():
            if isinstance(value, dict) and value.get("level"):
                low, high = value["level"]["ci95"] or (None, None)
                yield {**common, **setting, "limited_by": cell["limited_by"], "quantity": figure,
                       "value": value["level"]["estimate"], "low": low, "high": high}


def frame(rows):
    """Return ROWS as a pandas.DataFrame."""
    import pandas

    return pandas.DataFrame(list(rows))


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: nfsbench_results.py FILE...")
    columns = SETTINGS + ("op", "role", "launch", "server", "quantity", "value", "low", "high")
    writer = csv.DictWriter(sys.stdout, columns)
    writer.writeheader()
    writer.writerows(quantities(result for path in sys.argv[1:] for result in load(path)))


if __name__ == "__main__":
    main()
