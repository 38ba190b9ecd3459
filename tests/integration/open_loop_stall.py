"""open_loop_stall.py NFSBENCH TARGET SERVER-PID OPTIONS SECONDS...: stop the server for each of SECONDS in the middle of
an open loop of evenly spaced calls. Of R calls a second that are due in a stall of T, each waits for what is left of
it, so their response times add up to R T^2 / 2."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

BUSY = 0.15  # what else the machine does delays more calls, never fewer
nfsbench, target, pid, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4].split()
result = os.path.join(tempfile.mkdtemp(), "result.json")
failures = 0


def measure(seconds):
    """The response times' sum and number, and how long the stall was."""
    rate = 200 if seconds >= 0.5 else 2000
    count = int(rate * (seconds + 3))
    command = [nfsbench, target, "getattr", str(count), "--rate", str(rate), "--arrival", "constant", "--no-baseline",
               "--no-ledger", "--no-warmup", "--launches", "1", "-j", result, *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
        time.sleep(1.5)
        os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        time.sleep(seconds)
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
        print(f"FAILED: {op['timed']} of {count} calls, cut short: {stored.get('cut_short_by')}", file=sys.stderr)
    usual = op["timed"] * op["load"]["service_ns"]["p50"]
    return (op["timed"] * op["latency_ns"]["mean"] - usual) / 1e9, rate, length


for wanted in sys.argv[5:]:
    total, per_second, stall = measure(float(wanted))
    share = total / (per_second * stall**2 / 2)
    print(f"{options}: {stall:.3f} s at {per_second} a second: responses of {total:.3f} s, {share:.3f} of R T^2 / 2")
    if not 0.95 <= share <= 1.05 + BUSY:
        failures += 1
        print("FAILED: not within 5 %", file=sys.stderr)
os.rmdir(os.path.dirname(result))
sys.exit(failures > 0)
