"""READ by size, for bench/earlier/linas: bytes, packets, processor time and interrupts of a call, as tables and as a
picture (by gnuplot)."""

import math
import statistics
import subprocess

import earlier

MTU, IPV4_HEADER = 1500, 20
STUDY = {"constant": 106, "per_packet": 36, "interrupts": 1 / 6}

# Sizes of READ, also just before and after each step to one more packet; at most 8 KiB, as in the study's NFSv2.
SIZES = [1, 256, 512, 768, 1024, 1344, 1348, 1792, 2304, 2824, 2828, 3584, 4304, 4308, 5120, 5784, 5788, 6656, 7264,
         7268, 8192]
SHOWN = [1, 1024, 1344, 1348, 2824, 2828, 8192]
FEW = [4, 1024, 1344, 1348, 4096]

# Values of a point: name, member of a sweep's cell, and factor that converts the unit
FIGURES = [("packets", "rx_packets_per_call", 1), ("bytes", "rx_bytes_per_call", 1),
           ("client_us", "client_cpu_ns_per_call", 1e-3), ("server_us", "server_cpu_ns_per_call", 1e-3),
           ("net_rx", "net_rx_per_call", 1), ("interrupts", "interrupts_per_call", 1), ("us", "typical_ns", 1e-3)]
HEADINGS = ["packets received", "bytes received", "client CPU us", "server CPU us", "NET_RX soft interrupts", "interrupts",
            "typical us"]


def options(args):
    """Return options of nfsbench sweep."""
    sizes, room = (FEW, ["100", "--launches", "1"]) if args.brief else (SIZES, ["300", "--block", "25", "--launches", "5"])
    return ["--size", ",".join(map(str, sizes)), "--no-diagnosis", *room]


def points_of(result):
    """Return the values of FIGURES per call for each size; NAN if nothing was counted, or if calls were sent again."""
    def level(cell, key):
        resent = (cell["udp_resent_share"]["level"] or {"estimate": 0})["estimate"]
        return (cell[key]["level"] if resent == 0 and cell[key]["level"] else {"estimate": math.nan})["estimate"]

    return [{"size": cell["size"], "padded": -(-cell["size"] // 4) * 4}
            | {name: level(cell, key) * unit for name, key, unit in FIGURES}
            for cell in result["cells"] if cell["op"] == "read"]


def line(points, x, y):
    """Fit a line to POINTS by least squares. Returns intercept and slope; NAN if fewer than two points are known."""
    pairs = [pair for pair in ((x(point), y(point)) for point in points) if not math.isnan(sum(pair))]
    if len({pair[0] for pair in pairs}) < 2:
        return math.nan, math.nan
    slope, intercept = statistics.linear_regression(*zip(*pairs))
    return intercept, slope


def fitted(points):
    """Return the bytes of a response beyond its data, constant and per packet; soft interrupts per further packet; the largest
    size with one packet, and the smallest size with more packets (None: unknown)."""
    constant, per_packet = line(points, lambda point: point["packets"], lambda point: point["bytes"] - point["padded"])
    return {"constant": constant, "per_packet": per_packet,
            "interrupts": line(points, lambda point: point["packets"], lambda point: point["net_rx"])[1],
            "last": max((point["size"] for point in points if point["packets"] < 1.5), default=None),
            "first": min((point["size"] for point in points if point["packets"] >= 1.5), default=None)}


def knee(fit):
    if math.isnan(fit["constant"]) or None in fit.values():
        return "-"
    most, more = (fit[key] + round(fit["constant"]) + IPV4_HEADER for key in ("last", "first"))
    return f"{most} fits, {more} does not"


def print_tables(result, points, fit):
    def exact(name, value):  # bytes have all digits
        return f"{value:,.0f}" if name == "bytes" and not math.isnan(value) else value

    print(earlier.table(["READ bytes"] + HEADINGS, [
        [point["size"], *(exact(name, point[name]) for name, _, _ in FIGURES)]
        for point in points if point["size"] in SHOWN + FEW]))
    cpu = ([f"{side} CPU, us a call", "", f"{earlier.figure(start)} + {earlier.figure(slope)} per KiB"]
           for side in ("client", "server") for start, slope in [line(
               points, lambda point: point["size"] / 1024, lambda point, key=f"{side}_us": point[key])])
    print()
    print(earlier.table(["fitted over the sizes", "study", "ours"], [
        ["bytes of a response: size + constant", STUDY["constant"], fit["constant"]],
        ["+ bytes for each packet", STUDY["per_packet"], fit["per_packet"]],
        ["the knee: an IPv4 packet of, bytes", str(MTU), knee(fit)],
        ["interrupts for each further packet", "1/6", fit["interrupts"]],
        *cpu,
        ["verdict", "", earlier.verdict(result)]]))


# The picture


# Colours of src/picture
STUDY_COLOUR, FIRST, SECOND, GREY = "#009e73", "#d55e00", "#0072b2", "#404040"
STYLE = """set encoding utf8
set terminal svg size 900, 640 dynamic noenhanced font 'sans-serif,13' background '#ffffff'
set output '{name}'
set tics nomirror out scale 0.5 textcolor rgb '#202020'
set border 3 lc rgb '#808080'
set key top left Left reverse samplen 2 maxcols 1 textcolor rgb '#202020'
set grid xtics ytics lt 1 dt 1 lw 0.5 lc rgb '#dcdcdc'
set xrange [0:{most}]
set xtics 2048
set yrange [0:*]
set offsets 0, 0, graph 0.3, 0
set xlabel 'READ size (bytes)' offset 0, 0.3
set arrow 1 from {knee}, graph 0 to {knee}, graph 1 nohead lw 1 dt (4,3) lc rgb '{grey}' back
set label 1 'packet of {mtu}' at {knee}, graph 0.06 offset 0.7, 0 textcolor rgb '{grey}'
set multiplot layout 2, 2
"""


def model(name, some):
    return f"{name}: {some['constant']:.0f} + {some['per_packet']:.0f} a packet"


def curve(formula, title, colour, dashes="1"):
    return f"using 1:({formula}) with lines lw 1.6 dt {dashes} lc rgb '{colour}' title '{title}'"


def counts(column, title, colour):
    return f"using 1:{column} with linespoints lw 1.6 pt 7 ps 0.4 lc rgb '{colour}' title '{title}'"


def panels(fit):
    """Return gnuplot's commands for the rows of draw(), by title."""
    return {
        "bytes of a response beyond the data": [
            f"using 1:2 with points pt 7 ps 0.5 lc rgb '{GREY}' title 'counted'",
            curve(f"{fit['constant']} + {fit['per_packet']} * $3", model("fitted", fit), FIRST),
            curve(f"{STUDY['constant']} + {STUDY['per_packet']} * $3", model("study", STUDY), STUDY_COLOUR, "(14,4)")],
        "packets of a response": [counts(3, "counted", FIRST)],
        "processor time of a call (µs)": [counts(4, "client", FIRST), counts(5, "server", SECOND)],
        "interrupts of a call": [
            counts(6, f"NET_RX soft interrupts: {fit['interrupts']:.2f} for a packet more", FIRST),
            curve(f"2 + ($3 - 1) * {STUDY['interrupts']}", "study: 2, 1/6 for a packet more", STUDY_COLOUR, "(14,4)")]}


def draw(file, points, fit):
    rows = [(point["size"], point["bytes"] - point["padded"], *(point[key] for key in (
        "packets", "client_us", "server_us", "net_rx"))) for point in points]
    script = STYLE.format(name=file.name, most=rows[-1][0] * 1.03, knee=(fit["last"] + fit["first"]) / 2, mtu=MTU, grey=GREY)
    script += "$rows << END\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows) + "END\n"
    for title, curves in panels(fit).items():
        script += f"set title '{title}'\nplot " + ", ".join(f"$rows {words}" for words in curves) + "\n"
    subprocess.run(["gnuplot", "-d"], input=script + "unset multiplot\n", text=True, check=True, timeout=60, cwd=file.parent)


def report(args, result):
    points = points_of(result)
    fit = fitted(points)
    print("\n### READ by size\n")
    print_tables(result, points, fit)
    print("\nOurs: 128 bytes are the header of a READ's reply (RFC 5531, RFC 1813), 8 UDP's, and each packet has IPv4's 20 and "
          "ethernet's 14. NFSv2's header has 100 (RFC 1094), with which one packet makes 142: the study's 106 + 36. Our "
          "interrupts are soft ones, NET_RX, of the whole machine: each packet has one, as no card gathers packets here.")
    if knee(fit) == "-":
        print("\nskipped: the picture of READ by size: other work on this machine left no time to count packets")
        return
    try:
        draw(args.results / "read-sizes.svg", points, fit)
        print("\n![READ by size: bytes, packets, processor time and interrupts of a call](read-sizes.svg)")
    except FileNotFoundError:
        print("\nskipped: the picture of READ by size: gnuplot is not installed (Debian: gnuplot-nox)")
