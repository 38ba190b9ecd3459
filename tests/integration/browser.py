#!/usr/bin/env python3
"""Open HTML pages in headless Chromium, and print their faults.

usage: browser.py [--pictures DIRECTORY] PAGE...

Each page is opened in windows of 360, 800 and 1280 pixels, light and dark, and as for printing. Nothing may reach beyond the
window or its box, and no text of a picture beyond the picture. The console must stay empty, and no request may leave the
page. Prints up to five faults of each view, a line each; the exit status is 1 if there is any. --pictures writes PNGs.
"""
import argparse
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

SECONDS = 60  # most seconds for an answer, or for a page to load
LOOKS = [(width, "screen", colours) for width in (360, 800, 1280) for colours in ("light", "dark")]
LOOKS += [(718, "print", "light")]  # A4 without its margins

# Return texts of what reaches beyond the window or its own box. Pictures may reach into the page's margins. Browsers differ
# by a pixel in the size of a picture's text, so it may be beyond its picture by a pixel.
FAULTS = """(() => {
    const width = document.documentElement.clientWidth, found = [];
    const name = e => `${e.localName}${e.className && e.className.length ? '.' + e.className : ''} ` +
        `'${e.textContent.trim().slice(0, 40)}'`;
    for (const e of document.querySelectorAll('body *')) {
        const box = e.getBoundingClientRect(), picture = e.localName === 'text' ? e.closest('svg') : null;
        const room = picture ? picture.getBoundingClientRect() : {left: 0, right: width};
        if (e.closest('svg') && e.localName !== 'svg' && !picture)
            continue;
        if (box.width > 0 && (box.left < room.left - 1.5 || box.right > room.right + 1.5))
            found.push(`${name(e)} is from ${box.left.toFixed()} to ${box.right.toFixed()} of ` +
                `${room.left.toFixed()} to ${room.right.toFixed()}`);
        else if (!picture && !e.querySelector('svg') && e.localName !== 'svg' && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
            found.push(`${name(e)} needs ${e.scrollWidth} of ${e.clientWidth}`);
    }
    return JSON.stringify(found);
})()"""

# Events that a page must not cause, and how they are reported.
UNWANTED = {
    "Runtime.consoleAPICalled": lambda p: "console: " + str([a.get("value") for a in p["args"]]),
    "Runtime.exceptionThrown": lambda p: "exception: " + p["exceptionDetails"]["text"],
    "Log.entryAdded": lambda p: "console: " + p["entry"]["text"],
}


class Browser:
    """A Chromium controlled by messages of the DevTools protocol over two pipes, its descriptors 3 and 4."""

    def __init__(self, directory):
        to_browser, self.to = os.pipe()
        self.source, from_browser = os.pipe()
        command = ["sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", "chromium", "--headless",
                   "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
                   "--remote-debugging-pipe", "--user-data-dir=" + directory, "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=directory))
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def receive(self, end):
        """Return the next message."""
        while b"\0" not in self.rest:
            if not select.select([self.source], [], [], max(0, end - time.monotonic()))[0]:
                sys.exit("chromium did not answer in time")
            data = os.read(self.source, 1 << 16)
            if not data:
                sys.exit("chromium ended")
            self.rest += data
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def ask(self, method, **parameters):
        """Call METHOD, and return its result. Events that arrive meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while (answer := self.receive(end)).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, path):
        """Load the page PATH. Yields its unwanted events, and its requests for other URLs."""
        url = "file://" + os.path.abspath(path)
        self.events = []
        self.ask("Page.navigate", url=url)
        end = time.monotonic() + SECONDS
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive(end))
        self.ask("Runtime.evaluate", expression="new Promise(requestAnimationFrame)", awaitPromise=True)
        for event in self.events:
            asked = event.get("params", {}).get("request", {}).get("url", url)
            if event.get("method") in UNWANTED:
                yield UNWANTED[event["method"]](event["params"])
            elif event.get("method") == "Network.requestWillBeSent" and asked != url:
                yield "request: " + asked

    def look(self, width, medium, colours):
        """Set the window's WIDTH, and the MEDIUM and COLOURS of the page."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", media=medium,
                 features=[{"name": "prefers-color-scheme", "value": colours}])

    def faults(self):
        """Return what reaches too far."""
        result = self.ask("Runtime.evaluate", expression=FAULTS)
        if "value" not in result["result"]:
            sys.exit(f"the page can't be examined: {result}")
        return json.loads(result["result"]["value"])

    def picture(self, path):
        """Write a picture of the complete page to PATH."""
        data = self.ask("Page.captureScreenshot", captureBeyondViewport=True, format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def end(self):
        """End Chromium and all its processes."""
        os.write(self.to, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def examine(browser, page, pictures):
    """Print the faults of PAGE. Returns their number."""
    count = 0
    for width, medium, colours in LOOKS:
        name = f"{os.path.basename(page)}, {width} pixels, {medium}, {colours}"
        browser.look(width, medium, colours)
        found = list(browser.open(page)) + browser.faults()
        for fault in found[:5]:
            print(f"{name}: {fault}")
        if len(found) > 5:
            print(f"{name}: and {len(found) - 5} more")
        count += len(found)
        if pictures:
            browser.picture(os.path.join(pictures, f"{os.path.basename(page)}-{width}-{medium}-{colours}.png"))
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures")
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    directory = tempfile.mkdtemp()
    browser = Browser(directory)
    try:
        faults = sum(examine(browser, page, options.pictures) for page in options.pages)
    finally:
        browser.end()
        shutil.rmtree(directory, ignore_errors=True)
    sys.exit(1 if faults else 0)


main()
