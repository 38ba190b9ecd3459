"""Check that every query's metric and labels of a Grafana dashboard are in an OpenMetrics file, that each metric of the file
has a query, and that no panel covers another.

usage: grafana.py DASHBOARD.json FILE.prom
"""

import json
import re
import sys

SELECTOR = re.compile(r"(nfsbench_\w+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)(=~|=)"([^"]*)"')


def samples_of(path):
    """Return the labels of the samples of each metric."""
    samples = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"(nfsbench_\w+)\{(.*)\} ", line)
            if found:
                labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', found[2]))
                samples.setdefault(found[1], []).append(labels)
    return samples


def queries_of(dashboard):
    """Yield every query, with its panel or variable and the labels in its legend."""
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            shown = re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])
            yield f"panel '{panel['title']}'", target["expr"], shown
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            query = variable["query"]["query"]
            wanted = re.search(r", (\w+)\)$", query)
            yield f"variable {variable['name']}", query, [wanted[1]]


def check_query(samples, variables, query, shown):
    for metric, matchers in SELECTOR.findall(query):
        if metric not in samples:
            yield f"no sample of {metric}"
            continue
        for label, operator, value in MATCHER.findall(matchers):
            if value.startswith("$") and value[1:] not in variables:
                yield f"there is no variable {value}"
            fits = [labels for labels in samples[metric]
                    if label in labels and (operator == "=~" or labels[label] == value)]
            if not fits:
                yield f'no sample of {metric} has {label}{operator}"{value}"'
        for label in shown:
            if not any(label in labels for labels in samples[metric]):
                yield f"no sample of {metric} has the label {label}"
    if not SELECTOR.findall(query):
        yield "it asks for no metric"


def main(dashboard_path, samples_path):
    with open(dashboard_path, encoding="utf-8") as file:
        dashboard = json.load(file)
    samples = samples_of(samples_path)
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    queries = list(queries_of(dashboard))
    problems = [f"{place}: {problem}" for place, query, shown in queries
                for problem in check_query(samples, variables, query, shown)]
    drawn = {metric for _, query, _ in queries for metric, _ in SELECTOR.findall(query)}
    problems += [f"{metric} is in no panel" for metric in sorted(set(samples) - drawn)]
    places = [tuple(panel["gridPos"].values()) for panel in dashboard["panels"]]
    for number, (x, y, width, height) in enumerate(places):
        for x2, y2, width2, height2 in places[:number]:
            if x < x2 + width2 and x2 < x + width and y < y2 + height2 and y2 < y + height:
                problems.append(f"panel {number + 1} covers another")
    for problem in problems:
        print(f"{dashboard_path}: {problem}", file=sys.stderr)
    print(f"{len(queries)} queries of {len(drawn)} metrics, {len(problems)} faults")
    sys.exit(1 if problems or not queries else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
