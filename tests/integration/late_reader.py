#!/usr/bin/env python3
"""Run nfsbench with the arguments. Among all runs with the same directory LATE_READER, only the first 'serve --call-log FILE'
is different: at its end, FILE is changed as if other work had stalled the server, from shortly before the GETATTR that
LATE_CALLS others follow. Calls that arrived during this stall are then logged as read at its end.

usage: NFSBENCH_REAL=PROGRAM LATE_READER=DIRECTORY LATE_CALLS=N late_reader.py ARGUMENT...
"""
import os
import signal
import subprocess
import sys

STILL_NS = 250 * 1000 * 1000
GETATTR = 1

real, mark = os.environ["NFSBENCH_REAL"], os.path.join(os.environ["LATE_READER"], "done")
if sys.argv[1] != "serve" or os.path.exists(mark):
    os.execv(real, [real, *sys.argv[1:]])
open(mark, "w", encoding="ascii").close()
server = subprocess.Popen([real, *sys.argv[1:]])
signal.signal(signal.SIGTERM, lambda *_: server.terminate())
status = server.wait()
path = sys.argv[sys.argv.index("--call-log") + 1]
with open(path, encoding="ascii") as file:
    calls = sorted(tuple(map(int, line.split())) for line in file)
arrivals = [arrived for arrived, _, procedure in calls if procedure == GETATTR]
begins = arrivals[len(arrivals) - int(os.environ["LATE_CALLS"]) - 1] - STILL_NS // 20
with open(path, "w", encoding="ascii") as file:
    for arrived, answered, procedure in calls:
        late = begins + STILL_NS - arrived if begins <= arrived < begins + STILL_NS else 0
        print(arrived + late, answered, procedure, file=file)
sys.exit(status)
