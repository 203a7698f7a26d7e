#!/usr/bin/env python3
"""The cost of distance-to-mate tables.

tables.py measure PROGRAM FOLDER ENDING… > tables.csv    makes the tables, those of fewer men and pawns first, each in a
                                                         process of its own; PROGRAM is bartizan-tools, all3 and all4 are
                                                         endings, too
tables.py table < tables.csv                             the rows of docs/tables.md
tables.py draw < tables.csv > tables.svg                 draws the processor time by the number of values
"""
import csv
import itertools
import json
import math
import os
import subprocess
import sys
import time

# The values of all endings with this number of men, extrapolated from those that were made.
RECKONED = [(37.47e9, "all of 5 men"), (6.514e12, "all of 6 men")]
FIELDS = ["ending", "values", "bytes", "processor_seconds", "seconds", "peak_kib"]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 50, 20, 20
X, Y = (3, 13), (-2, 7)
UNITS = {-1: "0.1 s", 0: "1 s", 1.778: "1 min", 3.556: "1 h", 4.937: "1 day", 6.413: "30 days"}


def men(ending):
    return len(ending)


def expand(name):
    """The endings of `all3`, `all4` and so on, under their canonical names."""
    if not name.startswith("all"):
        return [name]
    order, found = "QRBNP", []
    number = int(name[3:]) - 2
    for white in range((number + 1) // 2, number + 1):
        for strong in itertools.combinations_with_replacement(order, white):
            for weak in itertools.combinations_with_replacement(order, number - white):
                if white > number - white or [order.index(p) for p in strong] <= [order.index(p) for p in weak]:
                    found.append("K" + "".join(strong) + "K" + "".join(weak))
    return found


def measure(program, folder, names):
    endings = list(dict.fromkeys(ending for name in names for ending in expand(name)))
    endings.sort(key=lambda ending: (men(ending), ending.count("P")))
    writer = csv.DictWriter(sys.stdout, FIELDS, lineterminator="\n")
    writer.writeheader()
    for ending in endings:
        start = time.monotonic()
        child = subprocess.Popen([program, "tb", "generate", "--tables", folder, "--json", ending],
                                 stdout=subprocess.PIPE)
        made = [json.loads(line) for line in child.stdout]
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        new = [table["ending"] for table in made if not table["existed"]]
        if status or new != [ending]:
            sys.exit(f"{ending}: status {status}, tables made: {new}; its successors must be there, and it must not")
        stats = subprocess.run([program, "tb", "stats", "--tables", folder, "--json", ending], check=True,
                               stdout=subprocess.PIPE)
        stats = json.loads(stats.stdout)
        writer.writerow({
            "ending": ending, "values": stats["indices"] * len(stats["sides"]), "bytes": stats["bytes"],
            "processor_seconds": f"{usage.ru_utime + usage.ru_stime:.2f}", "seconds": f"{seconds:.2f}",
            "peak_kib": usage.ru_maxrss,
        })
        sys.stdout.flush()


def read():
    rows = list(csv.DictReader(sys.stdin))
    for row in rows:
        row["values"], row["bytes"] = int(row["values"]), int(row["bytes"])
        row["processor_seconds"], row["peak_kib"] = float(row["processor_seconds"]), int(row["peak_kib"])
    return rows


def table(rows):
    groups = [("all of 3 men", [row for row in rows if men(row["ending"]) == 3]),
              ("all of 4 men", [row for row in rows if men(row["ending"]) == 4])]
    groups += [(row["ending"], [row]) for row in rows if men(row["ending"]) == 5]
    print("| tables | files | values solved | size | processor time | for each value | memory |")
    print("|---|---|---|---|---|---|---|")
    for name, members in groups:
        values = sum(row["values"] for row in members)
        size = sum(row["bytes"] for row in members)
        seconds = sum(row["processor_seconds"] for row in members)
        memory = max(row["peak_kib"] for row in members) / 2 ** 20
        print(f"| {name} | {len(members)} | {values / 1e6:,.1f} million | {size / 1e6:.2f} MB | {seconds:.1f} s "
              f"| {seconds / values * 1e6:.2f} µs | {memory:.2f} GiB |")


def x(values):
    return LEFT + (math.log10(values) - X[0]) / (X[1] - X[0]) * (WIDTH - LEFT - RIGHT)


def y(seconds):
    return HEIGHT - BOTTOM - (math.log10(seconds) - Y[0]) / (Y[1] - Y[0]) * (HEIGHT - BOTTOM - TOP)


def draw(rows):
    large = [row for row in rows if men(row["ending"]) >= 4]
    cost = sum(row["processor_seconds"] for row in large) / sum(row["values"] for row in large)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
          'font-family="sans-serif" font-size="12">')
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>')
    for power in range(X[0], X[1] + 1):
        at = x(10 ** power)
        print(f'<path d="M{at:.0f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        print(f'<text x="{at:.0f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">10'
              f'<tspan dy="-5" font-size="9">{power}</tspan></text>')
    for power, label in UNITS.items():
        at = y(10 ** power)
        print(f'<path d="M{LEFT} {at:.0f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        print(f'<text x="{LEFT - 6}" y="{at + 4:.0f}" text-anchor="end">{label}</text>')
    print(f'<text x="{WIDTH // 2}" y="{HEIGHT - 10}" text-anchor="middle">values</text>')
    ends = [values for values in (min(row["values"] for row in large), RECKONED[-1][0])]
    points = "L".join(f"{x(values):.0f} {y(values * cost):.0f}" for values in ends)
    print(f'<path d="M{points}" fill="none" stroke="#36c" stroke-dasharray="4 3"/>')
    for row in rows:
        # Processor time is counted in hundredths of a second.
        seconds = max(row["processor_seconds"], 10 ** Y[0])
        print(f'<circle cx="{x(row["values"]):.1f}" cy="{y(seconds):.1f}" r="3" fill="#36c" fill-opacity="0.5">'
              f'<title>{row["ending"]}: {row["values"]} values, {row["processor_seconds"]} s, '
              f'{row["bytes"]} bytes</title></circle>')
        if row["ending"] in ("KBBKN", "KRPKR"):
            up = row["ending"] == "KRPKR"
            print(f'<text x="{x(row["values"]) + (-8 if up else 8):.0f}" y="{y(seconds) + (4 if up else 14):.0f}" '
                  f'text-anchor="{"end" if up else "start"}" font-size="10">{row["ending"]}</text>')
    for values, label in RECKONED:
        print(f'<circle cx="{x(values):.0f}" cy="{y(values * cost):.0f}" r="4" fill="#fff" stroke="#36c"/>')
        print(f'<text x="{x(values) - 8:.0f}" y="{y(values * cost) + 4:.0f}" text-anchor="end">{label}</text>')
    print("</svg>")


match sys.argv[1:]:
    case ["measure", program, folder, *names] if names:
        measure(program, folder, names)
    case ["table"]:
        table(read())
    case ["draw"]:
        draw(read())
    case _:
        sys.exit(__doc__)
