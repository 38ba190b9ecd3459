"""An embedded server with known costs, and what it says itself that its calls took, for bench/accuracy and bench/versus."""
import atexit
import os
import signal
import subprocess


def pinned(which):
    """The command that keeps a process on the first processor, or the last; nothing with one."""
    cpus = sorted(os.sched_getaffinity(0))
    return ["taskset", "-c", str(cpus[which])] if len(cpus) > 1 else []


class Server:
    """`nfsbench serve` on the last processor, whose costs can be switched off, with its own service times."""

    def __init__(self, nfsbench, costs_ns, *options):
        words = [nfsbench, "serve", "--service-times", *options]
        for op, cost in costs_ns.items():
            words += ["--cost", f"{op}={cost}ns"] if cost else []
        self.process = subprocess.Popen(pinned(-1) + words, stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # whatever goes wrong
        ready = self.process.stdout.readline()
        if "port=" not in ready:
            raise SystemExit(f"{' '.join(words)} did not start")
        self.port = ready.split("port=")[1].split()[0]
        self.costs_are_on = True

    def ask(self, number):
        """Send a signal: the server prints its trimmed mean service times since the last, in ns, by op."""
        self.process.send_signal(number)
        times = {}
        for line in self.process.stdout:
            words = line.split()
            if words[:2] == ["service", "times"]:
                return times
            if words[:2] == ["service", "time:"]:
                times[words[2]] = float(
                    next(word for word in words if word.startswith("trimmed_mean_ns=")).split("=")[1])
        raise RuntimeError("the server ended")

    def inject(self, on):
        """Turn the costs on or off; what was served until then is forgotten."""
        self.ask(signal.SIGUSR2 if on != self.costs_are_on else signal.SIGUSR1)
        self.costs_are_on = on

    def times(self):
        """The trimmed mean service times since the last question, in ns, by op."""
        return self.ask(signal.SIGUSR1)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        atexit.unregister(self.process.kill)
