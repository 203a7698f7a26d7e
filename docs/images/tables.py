#!/usr/bin/env python3
"""tables.py > tables.svg: draws the processor time of making distance-to-mate tables, by the number of values."""
import math

# Values that are solved, seconds of processor time, label. The last two are reckoned.
MADE = [(409_920, 0.114, "all of 3 men"), (169_257_984, 69, "all of 4 men"), (119_218_176, 50, "KBBKN")]
RECKONED = [(37.47e9, 37.47e9 * 0.42e-6, "all of 5 men"), (6.514e12, 6.514e12 * 0.42e-6, "all of 6 men")]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 360, 70, 50, 20, 20
X, Y = (5, 13), (-1, 7)
UNITS = {0: "1 s", 1.778: "1 min", 3.556: "1 h", 4.937: "1 day", 6.413: "30 days"}


def x(values):
    return LEFT + (math.log10(values) - X[0]) / (X[1] - X[0]) * (WIDTH - LEFT - RIGHT)


def y(seconds):
    return HEIGHT - BOTTOM - (math.log10(seconds) - Y[0]) / (Y[1] - Y[0]) * (HEIGHT - BOTTOM - TOP)


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
print(f'<path d="M{x(MADE[0][0]):.0f} {y(MADE[0][1]):.0f}L{x(MADE[1][0]):.0f} {y(MADE[1][1]):.0f}'
      f'L{x(RECKONED[1][0]):.0f} {y(RECKONED[1][1]):.0f}" fill="none" stroke="#36c" stroke-dasharray="4 3"/>')
for points, fill in ((MADE, "#36c"), (RECKONED, "#fff")):
    for values, seconds, label in points:
        side, shift = ("end", -8) if label != "KBBKN" else ("start", 8)
        print(f'<circle cx="{x(values):.0f}" cy="{y(seconds):.0f}" r="4" fill="{fill}" stroke="#36c"/>')
        below = 4 if side == "end" else 14
        print(f'<text x="{x(values) + shift:.0f}" y="{y(seconds) + below:.0f}" text-anchor="{side}">{label}</text>')
print("</svg>")
