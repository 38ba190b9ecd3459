"""stalls.py NFSBENCH SERVER-PID STOPS ARGUMENTS...: measure with "NFSBENCH ARGUMENTS -j FILE" STOPS times, for 4 s each,
and stop the server once in each run, at times spread over the run. Each stop must be in the result, with its length."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

LENGTH = 1.5
DURATION = 4  # least length of a run, s
# In s. A stop between two launches delays less than its length. A busy machine delays more, because the stopped server
# continues late.
BETWEEN, BUSY = 0.2, 0.5
nfsbench, pid, stops, arguments = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
result = os.path.join(tempfile.mkdtemp(), "result.json")
failures = 0
errors = []


def start_run():
    if os.path.exists(result):
        os.unlink(result)
    return subprocess.Popen([nfsbench, *arguments, "-j", result], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def end(run):
    try:
        return run.communicate(timeout=120)[0]
    except subprocess.TimeoutExpired:
        run.kill()
        sys.exit("the run did not end")


for stop in range(stops):
    run = start_run()
    moment = DURATION * (0.15 + 0.65 * (stop + 0.5) / stops)
    time.sleep(moment)
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    time.sleep(LENGTH)
    length = time.monotonic() - began
    os.kill(pid, signal.SIGCONT)
    text = end(run)
    with open(result, encoding="utf-8") as file:
        stored = json.load(file)
    off = min((stall["length_s"] - length for stall in stored.get("stalls", [])), key=abs, default=-length)
    errors.append(abs(off) / length)
    reasons = [reason["name"] for reason in stored["validity"]["reasons"]]
    gaps = [gap["length_s"] - length for op in stored["ops"] for gap in op.get("gaps", [])]
    lengths_hold = off > -0.05 * length - BETWEEN and max([off, *gaps]) < BUSY
    if not lengths_hold or "stalled" not in reasons or "no answer for" not in text:
        failures += 1
        print(f"FAILED: {' '.join(arguments)}: stopped for {length:.3f} s at {moment:.2f} s, listed: "
              f"{stored.get('stalls')}, gaps longer by {gaps}, reasons: {reasons}", file=sys.stderr)
os.unlink(result)
os.rmdir(os.path.dirname(result))
print(f"{' '.join(arguments)}: {stops - failures} of {stops} stops found, "
      f"their lengths within {100 * max(errors):.1f} %")
sys.exit(failures > 0)
