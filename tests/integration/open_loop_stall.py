"""open_loop_stall.py NFSBENCH TARGET SERVER-PID OPTIONS SECONDS...: stop the server for each of SECONDS in the middle of an
open loop of evenly spaced calls. At a rate R, each call that is due in a stall of length T waits for the rest of it, so
their response times add up to R T^2 / 2."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

BUSY = 0.15  # other load delays more calls, never fewer
nfsbench, target, pid, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4].split()
result = os.path.join(tempfile.mkdtemp(), "result.json")
failures = 0


def measure(rate, count, stall):
    """Run nfsbench; stop the server for STALL s. Returns in s: sums of response and usual service times, the stop's length."""
    command = [nfsbench, target, "getattr", str(count), "--rate", str(rate), "--arrival", "constant", "--no-baseline",
               "--no-ledger", "--no-warmup", "--launches", "1", "-j", result, *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
        length = 0
        if stall:
            time.sleep(1.5)
            os.kill(pid, signal.SIGSTOP)
            began = time.monotonic()
            time.sleep(stall)
            length = time.monotonic() - began
            os.kill(pid, signal.SIGCONT)
        _, errors = run.communicate(timeout=120)
    if run.returncode not in (0, 1) or not os.path.exists(result):
        sys.exit(f"FAILED: status {run.returncode}: {errors}")
    with open(result, encoding="utf-8") as file:
        stored = json.load(file)
    os.unlink(result)
    op = stored["ops"][-1]
    if op["timed"] != count or stored["cut_short"]:
        sys.exit(f"FAILED: {op['timed']} of {count} calls, cut short: {stored.get('cut_short_by')}")
    return op["timed"] * op["latency_ns"]["mean"] / 1e9, op["timed"] * op["load"]["service_ns"]["p50"] / 1e9, length


for wanted in sys.argv[5:]:
    per_second = 200 if float(wanted) >= 0.5 else 500
    calls = int(per_second * (float(wanted) + 3))
    total, usual, stopped = measure(per_second, calls, float(wanted))
    if float(wanted) < 0.5:  # short enough that other delays matter
        usual = measure(per_second, calls, 0)[0]
    total -= usual
    share = total / (per_second * stopped**2 / 2)
    print(f"{options}: {stopped:.3f} s at {per_second} a second: responses of {total:.3f} s, {share:.3f} of R T^2 / 2")
    if not 0.95 <= share <= 1.05 + BUSY:
        failures += 1
        print("FAILED: not within 5 %", file=sys.stderr)
os.rmdir(os.path.dirname(result))
sys.exit(failures > 0)
