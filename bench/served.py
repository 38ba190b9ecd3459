"""An embedded server with known costs and its own service times, for bench/accuracy and bench/versus."""
import atexit
import os
import signal
import subprocess


def pinned(which):
    """Return the command that keeps a process on the first processor (0) or the last (-1); nothing if there is only one."""
    cpus = sorted(os.sched_getaffinity(0))
    return ["taskset", "-c", str(cpus[which])] if len(cpus) > 1 else []


class Server:
    """`nfsbench serve` on the last processor, with costs that can be turned on and off, and its service times."""

    def __init__(self, nfsbench, costs_ns, *options):
        words = [nfsbench, "serve", "--service-times", *options]
        for op, cost in costs_ns.items():
            words += ["--cost", f"{op}={cost}ns"] if cost else []
        self.process = subprocess.Popen(pinned(-1) + words, stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # the server ends even if this program fails
        ready = self.process.stdout.readline()
        if "port=" not in ready:
            raise SystemExit(f"{' '.join(words)} did not start")
        self.port = ready.split("port=")[1].split()[0]
        self.costs_are_on = True

    def ask(self, number):
        """Send the signal NUMBER. Returns the server's trimmed mean service times since the last signal, in ns, by op."""
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
        """Turn the costs on or off, and discard the service times so far."""
        self.ask(signal.SIGUSR2 if on != self.costs_are_on else signal.SIGUSR1)
        self.costs_are_on = on

    def times(self):
        """Return the trimmed mean service times since the last signal, in ns, by op."""
        return self.ask(signal.SIGUSR1)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        atexit.unregister(self.process.kill)
