#!/usr/bin/env python3
"""Computes the accuracy of both sides of each game in games.pgn by the public method of lichess.org, from the evaluations
in the comments. It is independent of the Rust code, whose test compares with its output:

    python3 testdata/judgement/accuracy.py > testdata/judgement/accuracy.tsv
"""
import math
import pathlib
import re


def win(cp):
    cp = max(-1000, min(1000, cp))
    return 50 + 50 * (2 / (1 + math.exp(-0.00368208 * cp)) - 1)


def centipawns(text):
    if text.startswith("#"):
        return -1000 if text.startswith("#-") else 1000
    return round(float(text) * 100)


def deviation(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))


def accuracy(before, after):
    if after >= before:
        return 100.0
    return max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * (before - after)) - 3.1669 + 1))


def sides(evals):
    wins = [win(cp) for cp in [15, *evals]]
    size = max(2, min(8, len(evals) // 10))
    windows = [wins[:size]] * (min(size, len(wins)) - 2) + [wins[i:i + size] for i in range(len(wins) - size + 1)]
    weights = [max(0.5, min(12.0, deviation(window))) for window in windows]
    for first in (0, 1):
        sign = 1 if first == 0 else -1
        moves = [(accuracy(sign * (wins[i] - 50) + 50, sign * (wins[i + 1] - 50) + 50), weights[i])
                 for i in range(first, len(evals), 2)]
        weighted = sum(a * w for a, w in moves) / sum(w for _, w in moves)
        harmonic = len(moves) / sum(1 / max(1.0, a) for a, _ in moves)
        yield (weighted + harmonic) / 2


text = (pathlib.Path(__file__).parent / "games.pgn").read_text()
for game in re.split(r"\n\n(?=\[)", text.strip()):
    evals = [centipawns(found) for found in re.findall(r"\[%eval ([^\]]+)\]", game)]
    mate = re.search(r"#\s+(1-0|0-1)\s*$", game)
    if mate:
        evals.append(1000 if mate[1] == "1-0" else -1000)
    print("\t".join(f"{value:.4f}" for value in sides(evals)))
